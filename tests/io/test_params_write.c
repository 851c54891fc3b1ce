/* Values out: each format as its readers want it, and back in. */
#include "params_write.h"

#include "engine_options.h"
#include "evaluation.h"
#include "params_file.h"
#include "scratch.h"
#include "search_params.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct param rows[] = {
    {"PAWN_VALUE", 0, 100, 100, 100, +1, NULL, "the unit"},
    {"KNIGHT_VALUE", 11, 0, 2047, 521, +1, NULL, "a knight"},
    {"DOUBLED_PAWN", 6, 0, 63, 14, -1, NULL, "pawns on one file"},
};
static const struct param_table table = {"evaluation", rows, 3};

/* Options of another engine: each type, and names that need care. */
static const struct param foreign_rows[] = {
    {.name = "Hash", .min = 16, .max = 16},
    {.name = "History \"Threshold\"", .bits = 7, .max = 100},
    {.name = "Delta", .bits = 4, .min = 20, .max = 80, .step = 5},
    {.name = "Own, Book", .bits = 1, .max = 1, .type = PARAM_CHECK},
    {.name = "Pruning",
     .bits = 2,
     .max = 2,
     .type = PARAM_COMBO,
     .choices = "Always\nFail \"High\"\nNever\n"},
    {.name = "no", .bits = 7, .min = 50, .max = 150, .type = PARAM_STRING, .decimals = 2},
};
static const struct param_table foreign = {"uci", foreign_rows, 6, "other -u", NULL};
static const int32_t foreign_values[] = {16, 70, 45, 1, 1, 105};

static struct error err;

/* What is written in a format, as text. The caller frees it. */
static char *written(enum params_format format, const struct params_values *v)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    MUST(params_write_values(out, format, v, &err));
    fclose(out);
    return text;
}

/* The values must be written as these texts, where there is one. */
static void expect_texts(const struct params_values *v, const char *const expected[PARAMS_FORMATS])
{
    for (int f = 0; f < PARAMS_FORMATS; f++) {
        char *text = written((enum params_format)f, v);
        if (expected[f] != NULL)
            cr_expect_str_eq(text, expected[f], "%s:\n%s",
                             params_format_name((enum params_format)f), text);
        free(text);
    }
}

Test(params_write, our_own_values_in_each_format)
{
    static const char *const expected[PARAMS_FORMATS] = {
        [PARAMS_YAML] = "# one\n# two\nkind: evaluation\nparameters:\n"
                        "  PAWN_VALUE:   100    # the unit\n"
                        "  KNIGHT_VALUE: 521    # a knight\n"
                        "  DOUBLED_PAWN: 14     # pawns on one file\n",
        [PARAMS_JSON] = "{\n  \"kind\": \"evaluation\",\n  \"parameters\": {\n"
                        "    \"PAWN_VALUE\": 100,\n    \"KNIGHT_VALUE\": 521,\n"
                        "    \"DOUBLED_PAWN\": 14\n  }\n}\n",
        [PARAMS_C] = "// one\n// two\nstatic const int PAWN_VALUE = 100;\n"
                     "static const int KNIGHT_VALUE = 521;\n"
                     "static const int DOUBLED_PAWN = 14;\n",
        [PARAMS_C_STRUCT] =
            "// one\n// two\n#ifndef EVALUATION_PARAMETERS_H\n#define EVALUATION_PARAMETERS_H\n\n"
            "struct evaluation_parameters {\n    int PAWN_VALUE;\n    int KNIGHT_VALUE;\n"
            "    int DOUBLED_PAWN;\n};\n\n"
            "static const struct evaluation_parameters evaluation_parameters = {\n"
            "    .PAWN_VALUE = 100,\n    .KNIGHT_VALUE = 521,\n    .DOUBLED_PAWN = 14,\n};\n\n"
            "#endif\n",
        [PARAMS_CPP] = "// one\n// two\nconstexpr int PAWN_VALUE = 100;\n"
                       "constexpr int KNIGHT_VALUE = 521;\nconstexpr int DOUBLED_PAWN = 14;\n",
        [PARAMS_CSV] = "name,value,min,max\nPAWN_VALUE,100,100,100\nKNIGHT_VALUE,521,0,2047\n"
                       "DOUBLED_PAWN,14,0,63\n",
        [PARAMS_UCI] = "setoption name KNIGHT_VALUE value 521\n"
                       "setoption name DOUBLED_PAWN value 14\n",
        [PARAMS_OPENBENCH] = "KNIGHT_VALUE, int, 521, 0, 2047, 102.35, 0.002\n"
                             "DOUBLED_PAWN, int, 14, 0, 63, 3.15, 0.002\n",
        [PARAMS_FISHTEST] = "KNIGHT_VALUE,521,0,2047,102.35,0.002\n"
                            "DOUBLED_PAWN,14,0,63,3.15,0.002\n",
        [PARAMS_WEATHER_FACTORY] =
            "{\n  \"KNIGHT_VALUE\": {\"value\": 521, \"min_value\": 0, \"max_value\": 2047, "
            "\"step\": 102},\n  \"DOUBLED_PAWN\": {\"value\": 14, \"min_value\": 0, "
            "\"max_value\": 63, \"step\": 3}\n}\n",
        [PARAMS_CTT] = "{\n  \"parameter_ranges\": {\n    \"KNIGHT_VALUE\": \"Integer(0, 2047)\",\n"
                       "    \"DOUBLED_PAWN\": \"Integer(0, 63)\"\n  }\n}\n",
        [PARAMS_OPTUNA] =
            "# one\n# two\nKNIGHT_VALUE: {default: 521, min: 0, max: 2047, step: 102}\n"
            "DOUBLED_PAWN: {default: 14, min: 0, max: 63, step: 3}\n",
    };
    expect_texts(&(struct params_values){&table, (int32_t[]){100, 521, 14}, "one\ntwo", NULL},
                 expected);
}

Test(params_write, another_engines_values_in_each_format)
{
    static const char *const expected[PARAMS_FORMATS] = {
        [PARAMS_JSON] =
            "{\n  \"kind\": \"uci\",\n  \"command\": \"other -u\",\n  \"parameters\": {\n"
            "    \"Hash\": 16,\n    \"History \\\"Threshold\\\"\": 70,\n"
            "    \"Delta\": 45,\n    \"Own, Book\": true,\n"
            "    \"Pruning\": \"Fail \\\"High\\\"\",\n    \"no\": 1.05\n  }\n}\n",
        [PARAMS_C] = "static const int Hash = 16;\nstatic const int History__Threshold_ = 70;\n"
                     "static const int Delta = 45;\nstatic const int Own__Book = 1;\n"
                     "static const char *const Pruning = \"Fail \\\"High\\\"\";\n"
                     "static const double no = 1.05;\n",
        [PARAMS_CPP] = "constexpr int Hash = 16;\nconstexpr int History__Threshold_ = 70;\n"
                       "constexpr int Delta = 45;\nconstexpr bool Own__Book = true;\n"
                       "constexpr const char *Pruning = \"Fail \\\"High\\\"\";\n"
                       "constexpr double no = 1.05;\n",
        [PARAMS_CSV] = "name,value,min,max\nHash,16,16,16\n\"History \"\"Threshold\"\"\",70,0,100\n"
                       "Delta,45,20,80\n\"Own, Book\",true,false,true\n"
                       "Pruning,\"Fail \"\"High\"\"\",,\nno,1.05,0.50,1.50\n",
        [PARAMS_UCI] = "setoption name Hash value 16\n"
                       "setoption name History \"Threshold\" value 70\n"
                       "setoption name Delta value 45\nsetoption name Own, Book value true\n"
                       "setoption name Pruning value Fail \"High\"\nsetoption name no value 1.05\n",
        [PARAMS_OPENBENCH] = "Delta, int, 45, 20, 80, 2.50, 0.002\n"
                             "no, float, 1.05, 0.50, 1.50, 0.1230, 0.002\n",
        [PARAMS_FISHTEST] = "Delta,45,20,80,2.50,0.002\n",
        [PARAMS_WEATHER_FACTORY] =
            "{\n  \"History \\\"Threshold\\\"\": {\"value\": 70, \"min_value\": 0, \"max_value\": 100, "
            "\"step\": 8},\n"
            "  \"Delta\": {\"value\": 45, \"min_value\": 20, \"max_value\": 80, \"step\": 5},\n"
            "  \"Own, Book\": {\"value\": 1, \"min_value\": 0, \"max_value\": 1, \"step\": 1},\n"
            "  \"no\": {\"value\": 1.05, \"min_value\": 0.50, \"max_value\": 1.50, \"step\": 0.12}\n}\n",
        [PARAMS_CTT] =
            "{\n  \"parameter_ranges\": {\n"
            "    \"History \\\"Threshold\\\"\": \"Integer(0, 100)\",\n"
            "    \"Delta\": \"Integer(20, 80)\",\n    \"Own, Book\": \"Integer(0, 1)\",\n"
            "    \"no\": \"Real(0.50, 1.50)\"\n  }\n}\n",
        [PARAMS_OPTUNA] =
            "\"History \\\"Threshold\\\"\": {default: 70, min: 0, max: 100, step: 8}\n"
            "Delta: {default: 45, min: 20, max: 80, step: 5}\n"
            "\"Own, Book\": {default: 1, min: 0, max: 1, step: 1}\n"
            "\"no\": {default: 1.05, min: 0.50, max: 1.50, step: 0.12}\n",
    };
    expect_texts(&(struct params_values){&foreign, foreign_values, NULL,
                                         (double[]){0, 8.25, 2, 0.4, 0.5, 12.3}},
                 expected);
}

Test(params_write, a_step_is_the_spread_or_a_twentieth_of_the_range_and_half_a_step_at_least)
{
    static const struct {
        double spread;
        const char *text;
    } cases[] = {
        {40.126, "KNIGHT_VALUE,521,0,2047,40.13,0.002\n"},
        {0.3, "KNIGHT_VALUE,521,0,2047,0.50,0.002\n"},
        {0, "KNIGHT_VALUE,521,0,2047,102.35,0.002\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct params_values v = {&(struct param_table){"evaluation", rows + 1, 1},
                                        (int32_t[]){521}, NULL, &cases[i].spread};
        char *text = written(PARAMS_FISHTEST, &v);
        cr_expect_str_eq(text, cases[i].text);
        free(text);
    }
}

Test(params_write, a_parameter_that_a_tuner_cannot_take_has_a_reason)
{
    const char *why;
    cr_expect_not(params_format_lists(PARAMS_CTT, &foreign_rows[4], &why));
    cr_expect_str_eq(why, "it takes numbers only");
    cr_expect_not(params_format_lists(PARAMS_FISHTEST, &foreign_rows[5], &why));
    cr_expect_str_eq(why, "it takes whole numbers only");
    cr_expect_not(params_format_lists(PARAMS_OPENBENCH, &foreign_rows[3], &why));
    cr_expect_str_eq(why, "a name cannot hold commas or quotes");
    cr_expect(params_format_lists(PARAMS_CTT, &foreign_rows[3], &why));
    cr_expect_not(params_format_lists(PARAMS_CTT, &foreign_rows[0], &why), "it does not evolve");
}

Test(params_write, names_become_identifiers_that_differ)
{
    static const struct param odd[] = {
        {.name = "A b"},   {.name = "A_b"},    {.name = "A_b_2"}, {.name = "A-b"},
        {.name = "2nd"},   {.name = "int"},    {.name = "class"}, {.name = "\xc3\xa9"},
        {.name = "_Bool"}, {.name = "typeof"},
    };
    const struct params_values v = {&(struct param_table){"uci", odd, 10}, (int32_t[10]){0}, NULL,
                                    NULL};
    char *text = written(PARAMS_C, &v);
    cr_expect_str_eq(text, "static const int A_b = 0;\nstatic const int A_b_2 = 0;\n"
                           "static const int A_b_2_2 = 0;\nstatic const int A_b_3 = 0;\n"
                           "static const int _2nd = 0;\nstatic const int int_ = 0;\n"
                           "static const int class_ = 0;\nstatic const int __ = 0;\n"
                           "static const int _Bool_ = 0;\nstatic const int typeof_ = 0;\n");
    free(text);
}

/* The formats that read back. */
static const enum params_format readable[] = {
    PARAMS_YAML,
    PARAMS_JSON,
    PARAMS_CSV,
    PARAMS_UCI,
    PARAMS_OPENBENCH,
    PARAMS_FISHTEST,
    PARAMS_WEATHER_FACTORY,
    PARAMS_OPTUNA,
};

/* A table's values, each elsewhere in its range, must come back from each format. */
static void expect_back(const struct param_table *of, const struct param_table *const *kinds)
{
    int32_t values[EVALUATION_WEIGHTS], again[EVALUATION_WEIGHTS];
    for (int i = 0; i < of->count; i++) {
        const struct param *p = &of->params[i];
        values[i] = p->bits == 0 ? p->initial : p->min + (p->max - p->min) * (i % 7) / 6;
        values[i] = params_is_unread(of, values, i) ? 0 : values[i];
    }
    for (size_t f = 0; f < sizeof readable / sizeof readable[0]; f++) {
        char *text = written(readable[f], &(struct params_values){of, values, "one", NULL});
        const char *path = scratch_write("values", text);
        cr_expect_eq(params_read_any(path, kinds, again, &err), of, "%s %s: %s", of->kind,
                     params_format_name(readable[f]), err.text);
        cr_expect_arr_eq(again, values, (size_t)of->count * sizeof *values, "%s %s", of->kind,
                         params_format_name(readable[f]));
        free(text);
    }
}

Test(params_write, what_is_written_reads_back)
{
    const struct param_table *const kinds[] = {
        &eval_table,       &search_table,      &modern_table, &nullmove_table,
        &search_all_table, &modern_eval_table, NULL};
    for (int i = 0; kinds[i] != NULL; i++)
        expect_back(kinds[i], kinds);
}

/* A weight that is 0 is not written where a parameter file may leave it out. */
Test(params_write, zeros_of_the_modern_evaluation_are_left_out)
{
    static const enum params_format brief[] = {PARAMS_YAML, PARAMS_JSON, PARAMS_CSV, PARAMS_UCI};
    const struct param_table *const kinds[] = {&modern_eval_table, NULL};
    int32_t values[EVALUATION_WEIGHTS] = {0}, again[EVALUATION_WEIGHTS];
    for (int set = 0; set < 2; set++) {
        for (size_t f = 0; f < sizeof brief / sizeof brief[0]; f++) {
            const struct params_values v = {&modern_eval_table, values, NULL, NULL};
            char *text = written(brief[f], &v);
            cr_expect_lt(strlen(text), 200u, "%s", text);
            cr_expect_eq(strstr(text, "TEMPO_MG") != NULL, set == 1, "%s", text);
            const char *path = scratch_write("values", text);
            memset(again, 0xff, sizeof again);
            if (brief[f] == PARAMS_YAML || brief[f] == PARAMS_JSON || set == 1)
                cr_expect_eq(params_read_any(path, kinds, again, &err), &modern_eval_table, "%s",
                             err.text);
            free(text);
        }
        values[param_find(&modern_eval_table, "TEMPO_MG")] = -12;
    }
    cr_expect_eq(again[param_find(&modern_eval_table, "TEMPO_MG")], -12);
    cr_expect_eq(again[0], 0);
}

/* True if a format of the readable ones lists a foreign parameter. */
static bool lists(enum params_format format, const struct param *p)
{
    return !params_format_is_tuner(format) || params_format_lists(format, p, NULL);
}

/* A foreign value as a format writes it. */
static const char *foreign_text(enum params_format format, int i, char text[PARAM_TEXT])
{
    if (params_format_is_tuner(format) && foreign_rows[i].type == PARAM_CHECK)
        return foreign_values[i] != 0 ? "1" : "0";
    return param_value_text(&foreign_rows[i], foreign_values[i], text);
}

Test(params_write, another_engines_values_read_back)
{
    const struct params_values v = {&foreign, foreign_values, NULL, NULL};
    for (size_t f = 0; f < sizeof readable / sizeof readable[0]; f++) {
        char wanted[PARAM_TEXT];
        struct engine_options options;
        char *text = written(readable[f], &v);
        int next = 0;
        const char *path = scratch_write("values", text);
        MUST(engine_options_read(path, &options, &err));
        for (int i = 0; i < foreign.count; i++) {
            if (!lists(readable[f], &foreign_rows[i]))
                continue;
            cr_assert_lt(next, options.values.count);
            cr_expect_str_eq(options.values.items[next].name, foreign_rows[i].name);
            cr_expect_str_eq(options.values.items[next++].value,
                             foreign_text(readable[f], i, wanted));
        }
        cr_expect_eq(next, options.values.count);
        engine_options_free(&options);
        free(text);
    }
}

Test(params_write, formats_have_names)
{
    for (int f = 0; f < PARAMS_FORMATS; f++)
        cr_assert_eq(params_format_from_name(params_format_name((enum params_format)f)), f);
    cr_assert_eq(params_format_from_name("setoption"), PARAMS_UCI);
    cr_assert_eq(params_format_from_name("xml"), -1);
}
