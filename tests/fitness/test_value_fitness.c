/* Objectives that compare values with labels: losses are those of the definition, batches follow one
 * another, and held-out positions count apart. */
#include "epd.h"
#include "fitness.h"
#include "recipe.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <math.h>

static struct error err;

SCRATCH_SUITE(value_fitness);

enum { LEAD = 100, K = 150 };

/* White is a pawn ahead in each position; the second is Black's view of it, the third a draw. */
static const char positions[] = "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\"; ce 130;\n"
                                "4k3/8/8/8/8/8/4P3/4K3 b - - c9 \"1-0\"; ce -20;\n"
                                "4k3/8/8/8/8/4P3/8/4K3 w - - c9 \"1/2-1/2\"; ce 5000;\n"
                                "4k3/8/8/8/8/4P3/8/4K3 w - - c9 \"0-1\"; ce 100;\n";

static struct recipe make_recipe(enum recipe_measure measure)
{
    struct recipe r = {.measure = measure, .train_count = 1, .k = K, .clip = 1000};
    r.optimiser.population = 2;
    strcpy(r.train[0], scratch_write("positions.epd", positions));
    return r;
}

/* An organism that knows pawns alone. */
static void set_pawn(int32_t *genes)
{
    for (int i = 0; i < EVAL_TERMS; i++)
        genes[i] = 0;
    genes[PAWN_VALUE] = LEAD;
}

static struct fitness *create(const struct recipe *r)
{
    struct fitness *f = fitness_create(r, 1, &err);
    MUST(f);
    return f;
}

/* The value of that organism on all positions. */
static int64_t measure(struct fitness *f)
{
    const struct fitness_watcher watcher = {.stop = NULL};
    int32_t genes[EVAL_TERMS];
    int64_t value;
    set_pawn(genes);
    cr_assert(f->method->measure_batch(f, genes, 1, &watcher, &value));
    return value;
}

/* The error of a prediction, in millionths. */
static double error_of(double lead, double points)
{
    double off = 1 / (1 + exp(-lead / K)) - points;
    return 1e6 * off * off;
}

Test(value_fitness, errors_are_those_of_texels_method)
{
    struct recipe r = make_recipe(MEASURE_RESULTS);
    struct fitness *f = create(&r);
    const double expected = 2 * error_of(LEAD, 1) + error_of(LEAD, 0.5) + error_of(LEAD, 0);
    cr_expect_float_eq((double)measure(f), expected, 0.005 * expected);
    cr_expect_eq(f->train_size, 4);
    cr_expect_eq(f->method->score(f, measure(f)), 4000000 - measure(f));
    cr_expect_eq(f->method->measure_held_out(f, NULL, NULL), -1);
    f->method->destroy(f);
}

/* Of a score, half of what it expects is in the target. */
Test(value_fitness, scores_count_as_much_as_the_recipe_says)
{
    static const double leads[] = {130, -20, 5000, 100}, points[] = {1, 0, 0.5, 0};
    struct recipe r = make_recipe(MEASURE_RESULTS);
    double expected = 0;
    r.scores = 50;
    for (int i = 0; i < 4; i++)
        expected += error_of(i == 1 ? -LEAD : LEAD,
                             (points[i] + 1 / (1 + exp(-leads[i] / EPD_SCORE_K))) / 2);
    struct fitness *f = create(&r);
    cr_expect_float_eq((double)measure(f), expected, 0.005 * expected);
    f->method->destroy(f);
}

/* Of the positions with a pawn on e3, one is drawn and one lost: a fit makes pawns worth less. */
Test(value_fitness, a_fit_lowers_the_error)
{
    struct recipe r = make_recipe(MEASURE_RESULTS);
    struct fitness *f = create(&r);
    const struct fitness_watcher watcher = {.stop = NULL};
    const volatile sig_atomic_t stop = 1;
    int32_t genes[EVAL_TERMS];
    int64_t value;
    set_pawn(genes);
    cr_expect_not(f->method->fit(f, 200, &stop, genes));
    cr_expect_str_empty(f->failed.text);
    set_pawn(genes);
    cr_assert(f->method->fit(f, 200, NULL, genes));
    cr_assert(f->method->measure_batch(f, genes, 1, &watcher, &value));
    cr_expect_lt(value, measure(f) * 9 / 10);
    f->method->destroy(f);
}

/* |100 - 130| + |-100 + 20| + 1000, which is the clip, + 0 */
Test(value_fitness, distances_are_clipped)
{
    struct recipe r = make_recipe(MEASURE_MENTOR);
    struct fitness *f = create(&r);
    cr_expect_eq(measure(f), 30 + 80 + 1000 + 0);
    f->method->destroy(f);
}

/* Batches of 3 of 4 positions: four generations measure each position three times. */
Test(value_fitness, batches_go_through_all_positions)
{
    struct recipe r = make_recipe(MEASURE_RESULTS);
    struct fitness *f = create(&r);
    const int64_t all = measure(f);
    int32_t genes[EVAL_TERMS];
    int64_t sum = 0, value;
    f->method->destroy(f);
    r.batch = 3;
    f = create(&r);
    cr_expect_eq(f->train_size, 3);
    set_pawn(genes);
    for (int generation = 0; generation < 4; generation++) {
        const struct competition c = {.generation = generation, .organisms = genes, .count = 1};
        cr_assert(f->method->compete(f, &c, &value));
        sum += value;
    }
    cr_expect_eq(sum, 3 * all);
    f->method->destroy(f);
}

Test(value_fitness, held_out_positions_count_apart)
{
    struct recipe r = make_recipe(MEASURE_RESULTS);
    int32_t genes[EVAL_TERMS];
    r.held_out_count = 1;
    snprintf(r.held_out[0], sizeof r.held_out[0], "%s", r.train[0]);
    struct fitness *f = create(&r);
    set_pawn(genes);
    cr_expect_eq(f->held_out_size, 4);
    cr_expect_eq(f->method->measure_held_out(f, genes, NULL), measure(f));
    f->method->destroy(f);
}

Test(value_fitness, a_position_without_its_label_is_named)
{
    struct recipe r = make_recipe(MEASURE_RESULTS);
    strcpy(r.train[0], scratch_write("bare.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n"));
    cr_expect_null(fitness_create(&r, 1, &err));
    SAID("bare.epd:1");
    SAID("result");
}
