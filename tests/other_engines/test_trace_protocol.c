/* The text of the trace protocol: what is taken, and what is refused for which reason. */
#include "trace_protocol.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the handshake ---- */

/* Reads lines, separated by newlines, until one ends the handshake. */
static enum trace_step read_lines(struct trace_weights *w, const char *lines, struct error *err)
{
    enum trace_step step = TRACE_GOES_ON;
    while (step == TRACE_GOES_ON && *lines != '\0') {
        size_t length = strcspn(lines, "\n");
        step = trace_read_weights(w, lines, length, err);
        lines += length + (lines[length] == '\n');
    }
    return step;
}

static void expect_refused(const char *lines, const char *reason)
{
    struct trace_weights w = {0};
    struct error err = {""};
    cr_expect_eq(read_lines(&w, lines, &err), TRACE_REFUSED, "%s", lines);
    cr_expect_not_null(strstr(err.text, reason), "\"%s\" instead of \"%s\"", err.text, reason);
    trace_weights_free(&w);
}

Test(trace_handshake, names_the_weights_in_their_order)
{
    struct trace_weights w = {0};
    struct error err;
    cr_assert_eq(read_lines(&w,
                            "Some Engine 1.0\n"
                            "weight KNIGHT_MG 337 0 1023\r\n"
                            "info string weights\n"
                            "weight _pst[a1].EG-2 -5 -128 127\n"
                            "  \n"
                            "weight FIXED 100 100 100 \n"
                            "scale 24\n"
                            "traceok\n",
                            &err),
                 TRACE_READY, "%s", err.text);
    cr_assert_eq(w.table.count, 3);
    cr_expect_str_eq(w.table.kind, "trace");
    cr_expect_eq(w.scale, 24);
    const struct param *p = w.table.params;
    cr_expect_str_eq(p[0].name, "KNIGHT_MG");
    cr_expect(p[0].initial == 337 && p[0].min == 0 && p[0].max == 1023 && p[0].bits == 10);
    cr_expect_str_eq(p[1].name, "_pst[a1].EG-2");
    cr_expect(p[1].initial == -5 && p[1].min == -128 && p[1].max == 127 && p[1].bits == 8);
    cr_expect(p[2].initial == 100 && p[2].bits == 0, "a constant has no bits");
    trace_weights_free(&w);
}

Test(trace_handshake, values_can_be_set_if_it_says_so)
{
    struct trace_weights w = {0};
    struct error err;
    const struct weight_count items[] = {{0, 4}};
    const struct leaf_counts counts = {.count = 1, .items = items};
    cr_assert_eq(read_lines(&w, "weight A 10 0 20\nscale 2\ntraceok\n", &err), TRACE_READY);
    cr_expect_not(w.settable);
    trace_weights_free(&w);
    cr_assert_eq(read_lines(&w, "weight A 10 0 20\nsettable\r\nscale 2\ntraceok\n", &err),
                 TRACE_READY);
    cr_expect(w.settable);
    trace_weights_set(&w, 0, 7);
    cr_expect(trace_is_linear(&w, 14, &counts, &err) && !trace_is_linear(&w, 15, &counts, &err));
    trace_weights_free(&w);
    expect_refused("settable now\n", "'now' follows, expected the end of the line");
}

Test(trace_handshake, wrong_lines_are_refused)
{
    expect_refused("weight", "column 7: '' is not a name");
    expect_refused("weight 2ND 1 0 2", "'2ND' is not a name");
    expect_refused("weight A:B 1 0 2", "'A:B' is not a name");
    expect_refused("weight A", "VALUE is a whole number from -1000000 to 1000000, not ''");
    expect_refused("weight A 1 0", "column 13: MAX is a whole number");
    expect_refused("weight A 1.5 0 2", "not '1.5'");
    expect_refused("weight A 1 0 1000001", "not '1000001'");
    expect_refused("weight A 1 0 99999999999999999999", "not '99999999999999999999'");
    expect_refused("weight A 1 0 2 3", "column 16: '3' follows");
    expect_refused("weight A 1 2 0", "MIN 2 is more than MAX 0");
    expect_refused("weight A 3 0 2", "VALUE 3 is not from MIN 0 to MAX 2");
    expect_refused("weight B 1 0 2\nweight A 1 0 2\nweight B 2 0 2", "the weight B is named twice");
    expect_refused("weight A 1 0 2\nscale 0", "the scale is a whole number from 1 to 32767");
    expect_refused("scale 32768", "the scale is a whole number from 1 to 32767");
    expect_refused("scale 1\nscale 1", "the scale is named a second time");
    expect_refused("weight A 1 0 2\ntraceok", "no line 'scale N'");
    expect_refused("scale 1\ntraceok", "no line 'weight");
    expect_refused("weight A 1 0 2\nscale 1\ntraceok ?", "'?' follows");
    expect_refused("error no network file", "no network file");
}

/* Names so many weights and ends the handshake. */
static enum trace_step name_many(struct trace_weights *w, int count, struct error *err)
{
    enum trace_step step = TRACE_GOES_ON;
    for (int i = 0; i < count && step == TRACE_GOES_ON; i++) {
        char line[32];
        int length = snprintf(line, sizeof line, "weight W%d 0 -1 1", i);
        step = trace_read_weights(w, line, (size_t)length, err);
    }
    return step == TRACE_GOES_ON ? read_lines(w, "scale 1\ntraceok", err) : step;
}

Test(trace_handshake, there_are_up_to_4096_weights)
{
    struct trace_weights most = {0}, more = {0};
    struct error err;
    cr_expect_eq(name_many(&most, 4096, &err), TRACE_READY);
    cr_expect_eq(most.table.count, 4096);
    cr_expect_eq(name_many(&more, 4097, &err), TRACE_REFUSED);
    cr_expect_str_eq(err.text, "more than 4096 weights");
    trace_weights_free(&most);
    trace_weights_free(&more);
}

/* Compares a handshake with "A 1 0 2, B 1 0 2, scale 24". */
static void expect_other(const char *lines, const char *reason)
{
    struct trace_weights a = {0}, b = {0};
    struct error err = {""};
    cr_assert_eq(read_lines(&a, "weight A 1 0 2\nweight B 1 0 2\nscale 24\ntraceok", &err),
                 TRACE_READY);
    cr_assert_eq(read_lines(&b, lines, &err), TRACE_READY, "%s", err.text);
    cr_expect_eq(trace_same_weights(&a, &b, &err), reason == NULL, "%s", lines);
    cr_expect(reason == NULL || strcmp(err.text, reason) == 0, "%s", err.text);
    trace_weights_free(&a);
    trace_weights_free(&b);
}

Test(trace_handshake, a_second_one_is_compared)
{
    expect_other("weight A 1 0 2\nweight B 1 0 2\nscale 24\ntraceok", NULL);
    expect_other("weight A 1 0 2\nscale 24\ntraceok", "1 weights, not 2");
    expect_other("weight A 1 0 2\nweight C 1 0 2\nscale 24\ntraceok", "weight 1 is C, not B");
    expect_other("weight A 1 0 2\nweight B 2 0 2\nscale 24\ntraceok",
                 "the weight B is 2 (0 to 2), not 1 (0 to 2)");
    expect_other("weight A 1 0 2\nweight B 1 0 3\nscale 24\ntraceok",
                 "the weight B is 1 (0 to 3), not 1 (0 to 2)");
    expect_other("weight A 1 0 2\nweight B 1 0 2\nscale 25\ntraceok", "the scale is 25, not 24");
}

/* ---- answers ---- */

/* An answer about three weights. */
struct answer {
    bool read;
    int32_t score;
    struct leaf_counts counts;
    struct weight_count items[3];
    struct error err;
};

/* Reads from memory that ends with the line, so that a sanitizer sees what is read beyond it. */
static void read_answer(struct answer *a, const char *line)
{
    size_t length = strlen(line);
    char *copy = malloc(length + (length == 0));
    cr_assert_not_null(copy);
    memcpy(copy, line, length);
    *a = (struct answer){0};
    a->read = trace_read_answer(copy, length, 3, a->items, &a->score, &a->counts, &a->err);
    free(copy);
}

static void expect_no_answer(const char *line, const char *reason)
{
    struct answer a;
    read_answer(&a, line);
    cr_expect_not(a.read, "%s", line);
    cr_expect_not_null(strstr(a.err.text, reason), "\"%s\" instead of \"%s\"", a.err.text, reason);
}

Test(trace_answer, has_score_bias_and_counts)
{
    struct answer a;
    read_answer(&a, "31 bias -7 0:24 2:-12");
    cr_assert(a.read, "%s", a.err.text);
    cr_expect(a.score == 31 && a.counts.bias == -7 && a.counts.count == 2);
    cr_expect(a.items[0].weight == 0 && a.items[0].count == 24);
    cr_expect(a.items[1].weight == 2 && a.items[1].count == -12);
    cr_expect_eq(a.counts.items, a.items);
}

Test(trace_answer, blanks_and_zeros_do_no_harm)
{
    struct answer a;
    read_answer(&a, " -0\tbias  0   0:0 1:32767 2:-32767  \r");
    cr_assert(a.read, "%s", a.err.text);
    cr_expect(a.score == 0 && a.counts.count == 2 && a.items[0].weight == 1);
    read_answer(&a, "-1000000 bias 1000000");
    cr_expect(a.read && a.score == -1000000 && a.counts.bias == 1000000 && a.counts.count == 0);
}

Test(trace_answer, other_lines_are_refused)
{
    expect_no_answer("", "column 1: SCORE is a whole number from -1000000 to 1000000, not ''");
    expect_no_answer("info depth 1", "not 'info'");
    expect_no_answer("31", "expected 'bias'");
    expect_no_answer("31 0:24", "column 4: expected 'bias'");
    expect_no_answer("31 bias", "BIAS is a whole number");
    expect_no_answer("31 bias x", "not 'x'");
    expect_no_answer("1000001 bias 0", "not '1000001'");
    expect_no_answer("1.5 bias 0", "not '1.5'");
    expect_no_answer("0 bias 0 1", "column 10: expected WEIGHT:COUNT, not '1'");
    expect_no_answer("0 bias 0 1:", "expected WEIGHT:COUNT, not '1:'");
    expect_no_answer("0 bias 0 1:2x", "expected WEIGHT:COUNT, not '1:2x'");
    expect_no_answer("0 bias 0 -1:2", "expected WEIGHT:COUNT, not '-1:2'");
    expect_no_answer("0 bias 0 3:1", "a count for weight 3, but there are 3, counted from 0");
    expect_no_answer("0 bias 0 1:1 1:1", "column 14: weight 1 after weight 1; indices rise");
    expect_no_answer("0 bias 0 2:1 0:1", "weight 0 after weight 2; indices rise");
    expect_no_answer("0 bias 0 1:32768", "the count 32768 of weight 1 is beyond 32767");
    expect_no_answer("0 bias 0 1:-32768", "the count -32768 of weight 1 is beyond 32767");
    expect_no_answer("0 bias 0 1:9999999999", "expected WEIGHT:COUNT");
    expect_no_answer("error no king", "no king");
}

Test(trace_answer, is_read_as_it_was_written)
{
    static struct weight_count items[EVALUATOR_WEIGHTS_MAX], again[EVALUATOR_WEIGHTS_MAX];
    static char text[TRACE_LINE_MAX];
    struct leaf_counts counts = {-1000000, EVALUATOR_WEIGHTS_MAX, items}, read;
    struct error err;
    int32_t score;
    for (int i = 0; i < EVALUATOR_WEIGHTS_MAX; i++)
        items[i] = (struct weight_count){(uint16_t)i, (int16_t)(i % 2 == 0 ? -32767 : 32767)};
    size_t length = trace_write_answer(text, -1000000, &counts);
    cr_assert_lt(length, sizeof text);
    cr_assert(trace_read_answer(text, length, EVALUATOR_WEIGHTS_MAX, again, &score, &read, &err),
              "%s", err.text);
    cr_expect(score == -1000000 && read.bias == -1000000 && read.count == EVALUATOR_WEIGHTS_MAX);
    cr_expect_arr_eq(again, items, sizeof items);
}

/* ---- linearity ---- */

/* Whether a score agrees with 7 times the weight 10, and the bias 3, on a scale of 24: 5.92. */
static bool is_linear(int32_t score, struct error *err)
{
    static const struct weight_count item = {0, 7};
    const struct leaf_counts counts = {3, 1, &item};
    struct trace_weights w = {0};
    cr_assert_eq(read_lines(&w, "weight A 10 0 20\nscale 24\ntraceok", err), TRACE_READY);
    bool linear = trace_is_linear(&w, score, &counts, err);
    trace_weights_free(&w);
    return linear;
}

Test(trace_linearity, rounding_is_free)
{
    struct error err;
    cr_expect(is_linear(5, &err));
    cr_expect(is_linear(6, &err));
}

Test(trace_linearity, a_difference_of_1_is_not)
{
    struct error err;
    cr_expect_not(is_linear(4, &err));
    cr_expect_str_eq(err.text, "its score is 4, but its counts times its weights give 5.92");
    cr_expect_not(is_linear(7, &err));
}

/* ---- trace genes ---- */

/* An evaluation over which a space is bound. */
static struct trace_weights evaluation(void)
{
    struct trace_weights w = {0};
    cr_assert_eq(
        read_lines(&w,
                   "weight KNIGHT 320 0 1000\nweight BISHOP -5 -9 9\nweight TEMPO 10 0 63\n"
                   "scale 1\ntraceok",
                   NULL),
        TRACE_READY);
    return w;
}

static bool bind(const struct param *genes, int count, struct param params[3], struct error *err)
{
    struct trace_weights w = evaluation();
    const struct param_table space = {.kind = "trace", .params = genes, .count = count};
    bool bound = trace_genes_bind(&w, &space, params, err);
    for (int i = 0; i < 3 && bound; i++)
        cr_expect_eq(params[i].name, w.table.params[i].name, "names are the evaluation's");
    trace_weights_free(&w);
    return bound;
}

Test(trace_genes, have_the_order_of_the_evaluation)
{
    struct error err = {""};
    struct param params[3];
    const struct param genes[] = {
        {.name = "TEMPO", .bits = 5, .min = 1, .max = 31, .initial = 12, .sign = 1},
        {.name = "KNIGHT", .bits = 3, .min = 300, .max = 370, .initial = 310, .step = 10}};
    cr_assert(bind(genes, 2, params, &err), "%s", err.text);
    cr_expect(params[0].bits == 3 && params[0].min == 300 && params[0].step == 10);
    cr_expect(params[2].bits == 5 && params[2].max == 31 && params[2].initial == 12);
}

Test(trace_genes, weights_that_the_space_leaves_out_are_constants)
{
    struct error err = {""};
    struct param params[3];
    const struct param gene = {.name = "TEMPO", .bits = 6, .max = 63, .sign = 1};
    cr_assert(bind(&gene, 1, params, &err), "%s", err.text);
    cr_expect(params[0].bits == 0 && params[0].initial == 320);
    cr_expect(params[1].bits == 0 && params[1].initial == -5);
    cr_expect(params[1].min == -5 && params[1].max == -5);
}

static void trace_genes_expect_refused(const struct param *gene, const char *reason)
{
    struct error err = {""};
    struct param params[3];
    cr_expect_not(bind(gene, 1, params, &err));
    cr_expect_str_eq(err.text, reason);
}

Test(trace_genes, others_are_refused)
{
    trace_genes_expect_refused(&(struct param){.name = "KNIHGT", .bits = 1, .max = 1},
                               "the evaluation has no weight KNIHGT; did you mean KNIGHT?");
    trace_genes_expect_refused(&(struct param){.name = "QUEEN", .bits = 1, .max = 1},
                               "the evaluation has no weight QUEEN");
    trace_genes_expect_refused(&(struct param){.name = "KNIGHT", .bits = 10, .max = 1001},
                               "KNIGHT: 0 to 1001 is not within the evaluation's 0 to 1000");
    trace_genes_expect_refused(&(struct param){.name = "BISHOP", .bits = 5, .min = -10, .max = 9},
                               "BISHOP: -10 to 9 is not within the evaluation's -9 to 9");
}
