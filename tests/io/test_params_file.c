/* Parameter files and search spaces: in, out, and each mistake with its place. */
#include "params_file.h"
#include "params_write.h"

#include "evaluation.h"
#include "scratch.h"
#include "search_params.h"
#include "space.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct param rows[] = {
    {"PAWN_VALUE", 0, 100, 100, 100, +1, NULL, "the unit"},
    {"KNIGHT_VALUE", 11, 0, 2047, 521, +1, NULL, "a knight"},
    {"DOUBLED_PAWN", 6, 0, 63, 14, -1, NULL, "pawns on one file"},
};
static const struct param_table table = {"evaluation", rows, 3};

static const char *path;
static struct error err;
static int32_t values[3];
static struct param space[3];

SCRATCH_SUITE(params_file);

/* Reads a file of one table's kind. */
static bool params_read(const char *file, const struct param_table *of, int32_t *into,
                        struct error *reason)
{
    const struct param_table *const only[] = {of, NULL};
    return params_read_any(file, only, into, reason) != NULL;
}

static bool read_values(const char *text)
{
    path = scratch_write("p.yaml", text);
    return params_read(path, &table, values, &err);
}

/* Reads the ranges of a space for this table. */
static bool read_ranges(const struct param_table *of, const char *file, struct param *ranges)
{
    const struct param_table *const only[] = {of, NULL};
    struct yaml_document doc;
    if (!yaml_read_file(&doc, file, &err))
        return false;
    const bool read = params_take_space(&doc, only, ranges) != NULL;
    yaml_finish(&doc);
    return read;
}

static bool read_space(const char *text)
{
    path = scratch_write("s.yaml", text);
    return read_ranges(&table, path, space);
}

/* The reason without the directory of the file. */
static const char *reason(void)
{
    size_t skip = strlen(directory) + 1;
    return strncmp(err.text, directory, skip - 1) == 0 ? err.text + skip : err.text;
}

/* A text that is wrong, and why. */
struct wrong {
    const char *text, *reason;
};

static void expect_reasons(bool (*read)(const char *text), const struct wrong *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_expect_not(read(cases[i].text), "%s", cases[i].text);
        cr_expect_str_eq(reason(), cases[i].reason, "got %s", reason());
    }
}

#define HEAD "kind: evaluation\nparameters:\n"
#define REST "  PAWN_VALUE: 100\n  DOUBLED_PAWN: 3\n"

Test(params_file, values_are_read_by_name)
{
    MUST(read_values(HEAD REST "  KNIGHT_VALUE: 2047\n"));
    cr_assert(values[0] == 100 && values[1] == 2047 && values[2] == 3);
}

Test(params_file, each_wrong_value_is_named_with_its_place)
{
    static const struct wrong cases[] = {
        {HEAD REST "  KNIGHT_VALUE: 2048\n",
         "p.yaml:5:3: parameters.KNIGHT_VALUE: '2048' is wrong; "
         "expected a whole number from 0 to 2047"},
        {HEAD REST "  KNIGHT_VALUE: 4294967297\n",
         "p.yaml:5:3: parameters.KNIGHT_VALUE: '4294967297' is wrong; "
         "expected a whole number from 0 to 2047"},
        {HEAD REST "  KNIGHT_VALUE: three\n", "p.yaml:5:3: parameters.KNIGHT_VALUE: 'three' is "
                                              "wrong; expected a whole number from 0 to 2047"},
        {HEAD REST "  KNIGHT_VALUE: {bits: 1, min: 0, max: 1}\n",
         "p.yaml:5:3: parameters.KNIGHT_VALUE: a range, not a value; this is a search space, and "
         "parameters of the form NAME: 123 are expected"},
        {HEAD "  PAWN_VALUE: 99\n",
         "p.yaml:3:3: parameters.PAWN_VALUE: '99' is wrong; expected 100, a constant"},
        {HEAD REST "  KNIGT_VALUE: 1\n", "p.yaml:5:3: parameters.KNIGT_VALUE: unknown parameter; "
                                         "did you mean KNIGHT_VALUE?"},
        {HEAD REST "  ZUGZWANG: 1\n", "p.yaml:5:3: parameters.ZUGZWANG: unknown parameter; no name "
                                      "of kind evaluation is like it"},
        {HEAD REST "  PAWN_VALUE: 100\n",
         "p.yaml:5:3: parameters.PAWN_VALUE: repeated key; it is already in line 3"},
        {HEAD "  KNIGHT_VALUE: 1\n", "p.yaml:2:1: parameters: PAWN_VALUE is missing: the unit"},
        {"kind: search\nparameters: {}\n",
         "p.yaml:1:1: kind: 'search' is wrong; expected evaluation"},
        {"parameters: {}\n", "p.yaml: kind: missing; expected kind: evaluation"},
        {"kind: evaluation\n", "p.yaml: parameters: missing; expected names and their values"},
        {"kind: evaluation\nparameters: [1]\n",
         "p.yaml:2:1: parameters: expected names and their values"},
        {HEAD REST "more: 1\n",
         "p.yaml:5:1: more: unknown key; known here: kind, command, plays, parameters"},
        {"12\n", "p.yaml:1:1: expected keys: kind, parameters"},
    };
    expect_reasons(read_values, cases, sizeof cases / sizeof cases[0]);
}

#define PAWN  "  PAWN_VALUE: {bits: 0, min: 100, max: 100}\n"
#define PAWN2 PAWN "  DOUBLED_PAWN: {bits: 4, min: 2, max: 17}\n"

/* The perturbation of a parameter is optional, and may be a fraction. */
Test(params_file, a_space_may_give_perturbations)
{
    MUST(read_space(HEAD PAWN2 "  KNIGHT_VALUE: {bits: 9, min: 300, max: 700, c: 12.5}\n"));
    cr_expect(space[0].c == 0 && space[1].c == 12.5 && space[2].c == 0);
}

Test(params_file, a_space_narrows_the_table)
{
    MUST(read_space(HEAD PAWN2 "  KNIGHT_VALUE: {bits: 0, min: 300, max: 300}\n"));
    cr_assert(space[0].bits == 0 && space[0].min == 100 && space[0].c == 0);
    cr_assert(space[1].bits == 0 && space[1].initial == 300);
    cr_assert(space[2].bits == 4 && space[2].min == 2 && space[2].max == 17);
    cr_assert(space[2].sign == -1 && space[2].initial == 14);
}

Test(params_file, each_wrong_range_is_named_with_its_place)
{
    static const struct wrong cases[] = {
        {HEAD PAWN2 "  KNIGHT_VALUE: 5\n", "s.yaml:5:3: parameters.KNIGHT_VALUE: a value, not a "
                                           "range; expected {bits: B, min: A, max: Z}"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 11, min: 0}\n",
         "s.yaml:5:3: parameters.KNIGHT_VALUE: max is missing; expected {bits: B, min: A, max: Z}"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 11, min: 0, max: 2048}\n",
         "s.yaml:5:36: parameters.KNIGHT_VALUE.max: '2048' is wrong; expected a whole number from "
         "0 "
         "to 2047"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 4, min: 10, max: 26}\n",
         "s.yaml:5:3: parameters.KNIGHT_VALUE: 4 bits reach from 10 to 25; max is 26"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 4, min: 10, max: 9}\n",
         "s.yaml:5:3: parameters.KNIGHT_VALUE: min 10 is above max 9"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 31, min: 0, max: 1}\n",
         "s.yaml:5:18: parameters.KNIGHT_VALUE.bits: '31' is wrong; expected a whole number from 0 "
         "to 30"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 1, min: 0, max: 1, size: 1}\n",
         "s.yaml:5:43: parameters.KNIGHT_VALUE.size: unknown key; known here: bits, min, max, step, "
         "c"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 2, min: 4, max: 7, c: 2}\n",
         "s.yaml:5:43: parameters.KNIGHT_VALUE.c: '2' is wrong; expected a number above 0 and at most "
         "1.5, half the range"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 0, min: 4, max: 4, c: 2}\n",
         "s.yaml:5:43: parameters.KNIGHT_VALUE.c: only a number that evolves has a perturbation"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 4, min: 0, max: 1, step: 0}\n",
         "s.yaml:5:43: parameters.KNIGHT_VALUE.step: '0' is wrong; expected a whole number from 1 "
         "to 1073741823"},
        {HEAD PAWN2 "  KNIGHT_VALUE: {bits: 4, min: 10, max: 42, step: 2}\n",
         "s.yaml:5:3: parameters.KNIGHT_VALUE: 4 bits reach from 10 to 40; max is 42"},
        {HEAD "  PAWN_VALUE: {bits: 6, min: 100, max: 100}\n",
         "s.yaml:3:16: parameters.PAWN_VALUE.bits: '6' is wrong; expected 0"},
    };
    expect_reasons(read_space, cases, sizeof cases / sizeof cases[0]);
}

/* The parameters of the null-move family with this mode and depth reduction, as a file. */
static void write_family(int mode, int depth_reduction, bool by_hand)
{
    int32_t family[SEARCH_PARAMS] = {0};
    char *text = NULL;
    size_t size;
    for (int i = 0; i < nullmove_table.count; i++)
        family[i] = nullmove_table.params[i].initial;
    family[param_find(&nullmove_table, "NULL_MOVE_MODE")] = mode;
    family[param_find(&nullmove_table, "NULL_MOVE_DEPTH_REDUCTION")] = depth_reduction;
    FILE *out = open_memstream(&text, &size);
    if (by_hand) {
        fputs("kind: search-nullmove\nparameters:\n", out);
        for (int i = 0; i < nullmove_table.required; i++)
            fprintf(out, "  %s: %d\n", nullmove_table.params[i].name, family[i]);
    } else
        cr_assert(params_write(out, PARAMS_YAML, &nullmove_table, family, NULL, &err));
    fclose(out);
    path = scratch_write("n.yaml", text);
    free(text);
}

Test(params_file, a_depth_reduction_without_a_mode_that_reads_it_is_refused)
{
    int32_t family[SEARCH_PARAMS];
    write_family(1, 4, true);
    cr_expect_not(params_read(path, &nullmove_table, family, &err));
    cr_expect_str_eq(reason(),
                     "n.yaml:22:3: parameters.NULL_MOVE_DEPTH_REDUCTION: NULL_MOVE_MODE 1 "
                     "does not read it; it must be 0 there");
    write_family(3, 4, true);
    cr_expect(params_read(path, &nullmove_table, family, &err), "%s", err.text);
    write_family(1, 0, true);
    cr_expect(params_read(path, &nullmove_table, family, &err), "%s", err.text);
}

Test(params_file, what_evolved_with_such_a_depth_reduction_is_written_so_that_it_reads_back)
{
    int32_t family[SEARCH_PARAMS];
    write_family(1, 4, false);
    MUST(params_read(path, &nullmove_table, family, &err));
    cr_expect_eq(family[param_find(&nullmove_table, "NULL_MOVE_DEPTH_REDUCTION")], 0);
}

/* A list of values alone must be taken for a table of a kind. */
static void expect_kind(const char *text, const char *kind)
{
    static const struct param small[] = {{"A", 3, 0, 7, 1, +1, NULL, "a"},
                                         {"B", 3, 0, 7, 1, +1, NULL, "b"},
                                         {"C", 0, 5, 5, 5, +1, NULL, "c"}};
    static const struct param_table one = {"one", small, 1}, three = {"three", small, 3};
    const struct param_table *const kinds[] = {&three, &one, NULL};
    path = scratch_write("p.yaml", text);
    const struct param_table *found = params_read_any(path, kinds, values, &err);
    MUST(found);
    cr_expect_str_eq(found->kind, kind);
}

Test(params_file, a_list_without_kind_is_known_by_its_names)
{
    expect_kind("A: 3\n", "one");
    expect_kind("setoption name A value 3\n", "one");
    expect_kind("B: 2\nA: 3\n", "three");
    cr_expect(values[0] == 3 && values[1] == 2 && values[2] == 5);
    expect_kind("{\"A\": 3, \"B\": 2, \"C\": 5}", "three");
}

Test(params_file, each_wrong_value_of_a_list_is_named_with_its_place)
{
    static const struct wrong cases[] = {
        {"KNIGHT_VALUE: 2\n", "p.yaml:1:1: DOUBLED_PAWN is missing: pawns on one file"},
        {"DOUBLED_PAWN,1,0,63,1,0.002\nKNIGHT_VALUE,2048,0,4000,1,0.002\n",
         "p.yaml:2:1: KNIGHT_VALUE: '2048' is wrong; expected a whole number from 0 to 2047"},
        {"setoption name DOUBLED_PAWN value 1.5\n",
         "p.yaml:1:16: DOUBLED_PAWN: '1.5' is wrong; expected a whole number from 0 to 63"},
        {"setoption name DOUBLED_PAW value 1\n",
         "p.yaml:1:16: DOUBLED_PAW: unknown parameter; did you mean DOUBLED_PAWN?"},
        {"{\"PAWN_VALUE\": 99}", "p.yaml:1:2: PAWN_VALUE: '99' is wrong; expected 100, a constant"},
    };
    expect_reasons(read_values, cases, sizeof cases / sizeof cases[0]);
}

Test(params_file, the_projects_own_files_are_right)
{
    const char *source = getenv("GRAYLING_SOURCE");
    struct eval_weights paper;
    struct param eval_space[EVAL_TERMS];
    MUST(params_read(text_of("%s/params/paper-eval.yaml", source), &eval_table, paper.value, &err));
    MUST(read_ranges(&eval_table, text_of("%s/params/eval-space.yaml", source), eval_space));
    int bits = 0;
    for (int i = 0; i < EVAL_TERMS; i++)
        bits += eval_space[i].bits;
    cr_assert_eq(EVAL_TERMS, 35);
    cr_assert_eq(bits, 224);
    cr_assert_eq(paper.value[param_find(&eval_table, "KNIGHT_VALUE")], 521);
    cr_assert_eq(paper.value[param_find(&eval_table, "KING_PRESSURE_MULT")], 4);
}

/* A table whose files leave out zeros, as the modern evaluation's do. */
static const struct param signed_rows[] = {
    {"TEMPO", 6, -32, 31, 9, +1, NULL, "the move"},
    {"SPACE", 6, -32, 31, 0, +1, NULL, "squares"},
};
static const struct param_table brief = {"evaluation-modern", signed_rows, 2};

static bool read_brief(const char *text)
{
    path = scratch_write("p.yaml", text);
    return params_read(path, &brief, values, &err);
}

Test(params_file, weights_of_the_modern_evaluation_that_are_not_named_are_zero)
{
    cr_expect(params_omit_zeros(&modern_eval_table));
    cr_expect_not(params_omit_zeros(&table));
    MUST(read_brief("kind: evaluation-modern\nparameters:\n  SPACE: -3\n"));
    cr_expect(values[0] == 0 && values[1] == -3, "not the initial value");
    MUST(read_brief("kind: evaluation-modern\nparameters: {}\n"));
    cr_expect(values[0] == 0 && values[1] == 0);
    MUST(read_brief("SPACE: 31\n"));
    cr_expect(values[0] == 0 && values[1] == 31);
}

/* A new term changes no file. */
Test(params_file, weights_of_the_paper_that_are_not_named_are_zero)
{
    MUST(read_values(HEAD REST));
    cr_expect(values[0] == 100 && values[1] == 0 && values[2] == 3, "not the initial value");
    MUST(read_space(HEAD "  PAWN_VALUE: {bits: 0, min: 100, max: 100}\n"));
    cr_expect(space[1].bits == 0 && space[1].min == 0 && space[1].max == 0);
}

Test(params_file, other_faults_of_such_a_file_are_errors_as_ever)
{
    static const struct wrong cases[] = {
        {"kind: evaluation-modern\nparameters:\n  TEMPPO: 1\n",
         "p.yaml:3:3: parameters.TEMPPO: unknown parameter; did you mean TEMPO?"},
        {"kind: evaluation-modern\nparameters:\n  TEMPO: 32\n",
         "p.yaml:3:3: parameters.TEMPO: '32' is wrong; expected a whole number from -32 to 31"},
        {"kind: evaluation-modern\n",
         "p.yaml: parameters: missing; expected names and their values"},
    };
    expect_reasons(read_brief, cases, sizeof cases / sizeof cases[0]);
}

Test(params_file, in_a_space_they_are_fixed_at_zero)
{
    const char *text = "kind: evaluation-modern\n"
                       "parameters:\n  SPACE: {bits: 3, min: -4, max: 3}\n";
    path = scratch_write("s.yaml", text);
    MUST(read_ranges(&brief, path, space));
    cr_expect(space[0].bits == 0 && space[0].min == 0 && space[0].max == 0);
    cr_expect_eq(space[0].initial, 0);
    cr_expect(space[1].bits == 3 && space[1].min == -4 && space[1].max == 3);
}

/* ---- parameters that were added later ---- */

/* Writes a file of kind search-modern with the parameters that each file must have, in one of two forms,
 * and after them `more`. */
static void write_modern(bool ranges, const char *more)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("kind: search-modern\nparameters:\n", out);
    for (int i = 0; i < modern_table.required; i++) {
        const struct param *p = &modern_table.params[i];
        if (ranges)
            fprintf(out, "  %s: {bits: %d, min: %d, max: %d}\n", p->name, p->bits, p->min, p->max);
        else
            fprintf(out, "  %s: %d\n", p->name, p->max);
    }
    fputs(more, out);
    fclose(out);
    path = scratch_write("m.yaml", text);
    free(text);
}

/* What an older file omits is off, and as it is initially. */
Test(params_file, added_parameters_may_be_omitted)
{
    int32_t modern[SEARCH_PARAMS];
    const int share = param_find(&modern_table, "CORRECTION_SHARE");
    cr_assert(modern_table.required < modern_table.count && share >= modern_table.required);
    write_modern(false, "");
    MUST(params_read(path, &modern_table, modern, &err));
    for (int i = 0; i < modern_table.count; i++) {
        const struct param *p = &modern_table.params[i];
        cr_expect_eq(modern[i], i < modern_table.required ? p->max : p->initial, "%s", p->name);
    }
    struct search_params p = search_params_from(&modern_table, modern);
    cr_expect(p.value[CORRECTION_SHARE] == 0 && p.value[NULL_MOVE_MODE] == 0);
    cr_expect_eq(p.value[CORRECTION_LIMIT], search_initial_params().value[CORRECTION_LIMIT]);
    cr_expect_eq(search_params_length(&p), (size_t)FIRST_ADDED_PARAM);
    write_modern(false, "  CORRECTION_SHARE: 7\n");
    MUST(params_read(path, &modern_table, modern, &err));
    p = search_params_from(&modern_table, modern);
    cr_expect_eq(p.value[CORRECTION_SHARE], 7);
    cr_expect_eq(search_params_length(&p), (size_t)FIRST_NULLMOVE_ADDED_PARAM);
    path = scratch_write("m.yaml", "kind: search-modern\nparameters:\n  CORRECTION_SHARE: 7\n");
    cr_expect_not(params_read(path, &modern_table, modern, &err), "the others must be there");
}

/* So of the null-move family: an older file has what joined it off, and a switch that another
 * parameter turns off does not count. */
Test(params_file, what_joined_the_null_move_family_may_be_omitted)
{
    int32_t family[SEARCH_PARAMS];
    write_family(1, 0, true);
    MUST(params_read(path, &nullmove_table, family, &err));
    struct search_params p = search_params_from(&nullmove_table, family);
    cr_expect(p.value[NULL_MOVE_MODE] == 1 && p.value[VERIFIED_STORE] == 0);
    cr_expect_eq(search_params_length(&p), (size_t)FIRST_ADDED_PARAM);
    FILE *out = fopen(path, "a");
    fputs("  VERIFIED_STORE: 1\n  LEAF_CHECK_EXTENSION: 1\n", out);
    fclose(out);
    MUST(params_read(path, &nullmove_table, family, &err));
    p = search_params_from(&nullmove_table, family);
    cr_expect(p.value[VERIFIED_STORE] == 1 && p.value[VERIFIED_PROBE] == 0);
    cr_expect(p.value[LEAF_CHECK_EXTENSION] == 1 && p.value[CORRECTION_SHARE] == 0);
    cr_expect_eq(search_params_length(&p), (size_t)SEARCH_PARAMS);
    p.value[LEAF_CHECK_EXTENSION] = 0;
    cr_expect_eq(search_params_length(&p), (size_t)SEARCH_PARAMS);
    p.value[NULL_MOVE_MODE] = 0;
    cr_expect_eq(search_params_length(&p), (size_t)FIRST_ADDED_PARAM);
    p.value[PROBCUT_DEPTH] = 3;
    cr_expect_eq(search_params_length(&p), (size_t)FIRST_NULLMOVE_ADDED_PARAM);
}

/* A space that omits them has the genes that it had before they were added. */
Test(params_file, a_space_without_added_parameters_keeps_its_genes)
{
    const struct param_table *const ours[] = {&search_table, &modern_table, NULL};
    const int limit = param_find(&modern_table, "CORRECTION_LIMIT");
    int32_t least[SEARCH_PARAMS];
    struct space found;
    write_modern(true, "");
    MUST(space_read(path, ours, &found, &err));
    cr_expect_eq(found.table.count, modern_table.required);
    space_free(&found);
    write_modern(true, "  CORRECTION_LIMIT: {bits: 4, min: 0, max: 15}\n");
    MUST(space_read(path, ours, &found, &err));
    cr_expect_eq(found.table.count, limit + 1);
    cr_expect(found.table.params[limit - 1].bits == 0 && found.table.params[limit - 1].max == 0);
    cr_expect_eq(found.table.params[limit].bits, 4);
    space_free(&found);
    write_modern(true, "  IIR: {bits: 0, min: 4, max: 4}\n");
    MUST(space_read(path, ours, &found, &err));
    cr_assert_eq(found.table.count, param_find(&modern_table, "IIR") + 1,
                 "a constant that was chosen stays");
    cr_expect_eq(found.table.params[found.table.count - 1].initial, 4);
    space_free(&found);
    write_modern(true, "  CORRECTION_SHARE: {bits: 4, min: 16, max: 31}\n");
    MUST(space_read(path, ours, &found, &err));
    cr_assert_eq(found.table.count, limit);
    for (int i = 0; i < found.table.count; i++)
        least[i] = found.table.params[i].min;
    cr_expect_eq(search_params_from(&found.table, least).value[CORRECTION_LIMIT], 80,
                 "what is omitted is as everywhere");
    space_free(&found);
    MUST(space_read("search-modern", ours, &found, &err));
    cr_expect_eq(found.table.count, modern_table.count);
    space_free(&found);
}
