/* The weights of an evaluation as the genes of a space. */
#include "trace_genes.h"

#include <criterion/criterion.h>
#include <string.h>

/* The evaluation: KNIGHT 320 (0 to 1000), BISHOP -5 (-9 to 9), TEMPO 10 (0 to 63). */
static struct trace_weights evaluation(void)
{
    static const char *const lines[] = {"weight KNIGHT 320 0 1000", "weight BISHOP -5 -9 9",
                                        "weight TEMPO 10 0 63", "scale 1", "traceok"};
    struct trace_weights w = {0};
    struct error err;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_assert_neq(trace_read_weights(&w, lines[i], strlen(lines[i]), &err), TRACE_REFUSED);
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

static void expect_refused(const struct param *gene, const char *reason)
{
    struct error err = {""};
    struct param params[3];
    cr_expect_not(bind(gene, 1, params, &err));
    cr_expect_str_eq(err.text, reason);
}

Test(trace_genes, others_are_refused)
{
    expect_refused(&(struct param){.name = "KNIHGT", .bits = 1, .max = 1},
                   "the evaluation has no weight KNIHGT; did you mean KNIGHT?");
    expect_refused(&(struct param){.name = "QUEEN", .bits = 1, .max = 1},
                   "the evaluation has no weight QUEEN");
    expect_refused(&(struct param){.name = "KNIGHT", .bits = 10, .max = 1001},
                   "KNIGHT: 0 to 1001 is not within the evaluation's 0 to 1000");
    expect_refused(&(struct param){.name = "BISHOP", .bits = 5, .min = -10, .max = 9},
                   "BISHOP: -10 to 9 is not within the evaluation's -9 to 9");
}
