/* Nodes to solution: the sums are those of solving by hand, whatever the threads. */
#include "fitness.h"
#include "genome.h"
#include "recipe.h"
#include "scratch.h"
#include "solve.h"
#include "stream.h"
#include "wide.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>

enum { POSITIONS = 9, LIMIT = 3000, ORGANISMS = 12 };

/* Mates, forks, and moves that no search will choose. */
static const char suite[] = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n"
                            "q3k3/8/8/1N6/8/8/8/4K3 w - - bm Nc7+;\n"
                            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a4;\n"
                            "7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n"
                            "# a remark\n"
                            "4k3/8/8/8/8/8/8/R3K3 w Q - bm Kd1;\n"
                            "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n"
                            "2k5/8/8/8/8/8/5r2/4RK2 w - - bm Kxf2;\n"
                            "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - "
                            "am Qxf7#;\n"
                            "4k3/4q3/8/8/8/8/4B3/4RK2 w - - bm Bb5+;\n";

static struct error err;
static struct recipe r;
static int32_t values[ORGANISMS * PAPER_SEARCH_PARAMS]; /* of organisms, set by create */
static int64_t measures[ORGANISMS];

static void begin(void)
{
    scratch_begin();
    r = (struct recipe){.phase = PHASE_SEARCH,
                        .measure = MEASURE_NODES_TO_SOLUTION,
                        .limit = LIMIT,
                        .hash = 1,
                        .train_count = 1};
    strcpy(r.train[0], scratch_write("suite.epd", suite));
}

TestSuite(nodes_to_solution, .init = begin, .fini = scratch_end);

/* Creates the recipe's fitness, and draws the values of ORGANISMS random organisms, the last as the one before. */
static struct fitness *create(int threads)
{
    struct fitness *f = fitness_create(&r, threads, &err);
    MUST(f);
    for (int o = 0; o < ORGANISMS && f->space.count == PAPER_SEARCH_PARAMS; o++) {
        struct stream s;
        stream_init(&s, 1, STREAM_INITIAL, 0, o == ORGANISMS - 1 ? (uint64_t)o - 1 : (uint64_t)o);
        for (int i = 0; i < f->space.count; i++) {
            const struct param *p = &f->space.params[i];
            values[o * f->space.count + i] =
                p->min + (int32_t)stream_below(&s, (uint64_t)(p->max - p->min + 1));
        }
    }
    return f;
}

static bool measure(struct fitness *f, const int32_t *genes, int count, int64_t *to)
{
    return f->method->measure_batch(f, genes, count, &(struct fitness_watcher){0}, to);
}

/* The same until `stop` is set. */
static bool measure_until(struct fitness *f, const int32_t *genes,
                          const volatile sig_atomic_t *stop, int64_t *to)
{
    return f->method->measure_batch(f, genes, 1, &(struct fitness_watcher){.stop = stop}, to);
}

static int64_t measure_held_out(struct fitness *f)
{
    return f->method->measure_held_out(f, values, &(struct fitness_watcher){0});
}

/* Adds up by solving one position after the other; of halves, every second from `from`. */
static int64_t solve_by_hand(const int32_t *genes, size_t from, size_t by)
{
    struct dataset d = {0};
    struct engine *e = engine_create(r.hash, &err);
    struct search_params params = search_params_from(&search_table, genes);
    struct solve_limits limits = {.nodes = (uint64_t)r.limit,
                                  .until_first = r.definition == DEFINITION_FIRST};
    int64_t total = 0;
    MUST(dataset_load(&d, r.train[0], EPD_ANY, &err));
    cr_assert_eq(d.count, (size_t)POSITIONS);
    engine_set_params(e, &params);
    for (size_t i = from; i < d.count; i += by) {
        struct solved s = solve_position(e, &d.items[i], &limits);
        uint64_t nodes =
            solve_cost(r.definition == DEFINITION_FIRST ? &s.first : &s.stable, limits.nodes);
        cr_assert_leq(nodes, limits.nodes);
        total += r.scale == SCALE_LOG ? log_nodes(nodes) : (int64_t)nodes;
    }
    engine_destroy(e);
    dataset_free(&d);
    return total;
}

Test(nodes_to_solution, logarithms_are_whole_parts)
{
    for (int k = 0; k < 40; k++)
        cr_assert_eq(log_nodes((uint64_t)1 << k), (int64_t)k * LOG_NODES_UNIT);
    int64_t before = 0;
    for (uint64_t n = 1; n < 1000000; n += 1 + n / 97) {
        int64_t log = log_nodes(n);
        long double real = LOG_NODES_UNIT * log2l((long double)n);
        cr_assert(fabsl(real - (long double)log - 0.5L) <= 0.5L + 1e-9L, "%d", (int)n);
        cr_assert_geq(log, before);
        before = log;
    }
}

Test(nodes_to_solution, is_what_solving_by_hand_costs)
{
    for (int kind = 0; kind < 4; kind++) {
        r.definition = kind & 1 ? DEFINITION_STABLE : DEFINITION_FIRST;
        r.scale = kind & 2 ? SCALE_LOG : SCALE_LINEAR;
        struct fitness *f = create(2);
        cr_assert(measure(f, values, ORGANISMS, measures));
        bool differ = false;
        for (int o = 0; o < ORGANISMS; o++) {
            cr_assert_eq(measures[o], solve_by_hand(values + o * f->space.count, 0, 1));
            differ = differ || measures[o] != measures[0];
            cr_assert_gt(f->method->score(f, measures[o]), 0);
        }
        cr_assert(differ, "all organisms cost the same");
        cr_assert_eq(f->train_size, POSITIONS);
        cr_assert_eq(f->held_out_size, 0);
        cr_assert_eq(measure_held_out(f), -1);
        f->method->destroy(f);
    }
}

Test(nodes_to_solution, fewer_nodes_are_fitter_and_nothing_solved_is_worth_nothing)
{
    for (int scale = 0; scale < 2; scale++) {
        r.scale = (enum recipe_scale)scale;
        struct fitness *f = create(1);
        int64_t worst = POSITIONS * (scale ? log_nodes(LIMIT) : LIMIT);
        cr_assert_eq(f->method->score(f, worst), 0);
        cr_assert_eq(f->method->score(f, worst - 5), 5);
        f->method->destroy(f);
    }
}

Test(nodes_to_solution, is_the_same_with_any_number_of_threads)
{
    int64_t expected[ORGANISMS];
    for (int threads = 1; threads <= 4; threads++) {
        struct fitness *f = create(threads);
        int64_t *to = threads == 1 ? expected : measures;
        /* Two batches, so that the second list is sorted by what the first cost. */
        int half = ORGANISMS / 2;
        cr_assert(measure(f, values, half, to));
        cr_assert(measure(f, values + half * f->space.count, ORGANISMS - half, to + half));
        if (threads > 1)
            cr_assert_arr_eq(measures, expected, sizeof expected);
        f->method->destroy(f);
    }
}

/* The positions that are kept are split. */
Test(nodes_to_solution, halves_take_turns)
{
    int64_t trained;
    r.split = SPLIT_HALVES;
    struct fitness *f = create(2);
    cr_assert(f->train_size == 5 && f->held_out_size == 4);
    cr_assert(measure(f, values, 1, &trained));
    cr_assert_eq(trained, solve_by_hand(values, 0, 2));
    cr_assert_eq(measure_held_out(f), solve_by_hand(values, 1, 2));
    f->method->destroy(f);
    r.first = 5;
    f = create(1);
    cr_expect(f->train_size == 3 && f->held_out_size == 2);
    f->method->destroy(f);
}

/* ---- what is told, and giving up ---- */

struct listener {
    int told, last; /* gives up after the last */
    int64_t measures[ORGANISMS];
};

static bool listen(void *context, int index, int64_t result)
{
    struct listener *l = context;
    cr_assert_eq(index, l->told);
    l->measures[l->told++] = result;
    return l->told < l->last;
}

/* It ends when the listener has had enough. */
Test(nodes_to_solution, tells_of_each_organism_in_turn)
{
    for (int last = 3; last <= ORGANISMS + 1; last += ORGANISMS - 2) {
        struct fitness *f = create(2);
        struct listener l = {.last = last};
        const struct fitness_watcher watcher = {.measured = listen, .context = &l};
        cr_assert_eq(f->method->measure_batch(f, values, ORGANISMS, &watcher, measures),
                     last > ORGANISMS);
        cr_assert_eq(l.told, last < ORGANISMS ? last : ORGANISMS);
        for (int i = 0; i < ORGANISMS && last > ORGANISMS; i++)
            cr_assert_eq(l.measures[i], measures[i]);
        f->method->destroy(f);
    }
}

/* With `stop` set nothing can be searched, so that what is still measured was known. */
Test(nodes_to_solution, organisms_that_differ_in_genes_without_a_say_are_not_searched_twice)
{
    struct fitness *f = create(2);
    volatile sig_atomic_t stop = 0;
    int64_t first, again;
    values[FUTILITY_DEPTH] = 2;
    cr_assert(measure_until(f, values, &stop, &first));
    stop = 1;
    cr_assert(measure_until(f, values, &stop, &again));
    cr_assert_eq(first, again);
    values[FUTILITY_THRESHOLD_3] ^= 1;
    cr_assert(measure_until(f, values, &stop, &again), "no threshold of depth 3 is read");
    cr_assert_eq(first, again);
    values[FUTILITY_THRESHOLD_2] ^= 1;
    cr_assert_not(measure_until(f, values, &stop, &again), "that of depth 2 is");
    f->method->destroy(f);
}

static volatile sig_atomic_t rung;

static void ring(int number)
{
    rung = number;
}

/* A search to the end takes minutes, longer than the test may. */
Test(nodes_to_solution, stops_inside_a_search, .timeout = 60)
{
    r.limit = 1000000000;
    struct fitness *f = create(2);
    int64_t measured;
    signal(SIGALRM, ring);
    alarm(1);
    cr_assert_not(measure_until(f, values, &rung, &measured));
    cr_assert_eq(rung, SIGALRM);
    f->method->destroy(f);
}

/* ---- the data ---- */

Test(nodes_to_solution, lines_that_are_no_test_are_left_out_and_told)
{
    char text[512];
    strcpy(r.train[0],
           scratch_write("mixed.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\nnonsense\n"
                                      "7k/8/5N2/8/8/8/8/K5R1 w - - id \"no move\";\n"));
    struct fitness *f = create(1);
    cr_assert_eq(f->train_size, 1);
    f->method->describe(f, text, sizeof text);
    cr_assert_not_null(strstr(text, "2 lines left out, the first: "), "%s", text);
    cr_assert_not_null(strstr(text, "mixed.epd:2: "), "%s", text);
    f->method->destroy(f);
    strcpy(r.train[0], scratch_write("none.epd", "7k/8/5N2/8/8/8/8/K5R1 w - - id \"x\";\n"));
    cr_assert_null(fitness_create(&r, 1, &err));
    SAID("none.epd: no position with bm or am");
}

Test(nodes_to_solution, the_space_files_kind_chooses_the_parameters)
{
    const char *source = getenv("GRAYLING_SOURCE");
    cr_assert_not_null(source);
    const struct {
        const char *file;
        int count, length;
    } spaces[] = {{"search-space.yaml", PAPER_SEARCH_PARAMS, 70},
                  {"search-modern-space.yaml", MODERN_SEARCH_PARAMS, 176},
                  {"search-nullmove-space.yaml", PAPER_SEARCH_PARAMS + 4, 76}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct genome g;
        snprintf(r.space, sizeof r.space, "%.400s/params/%s", source, spaces[i].file);
        struct fitness *f = create(1);
        cr_assert_eq(f->space.count, spaces[i].count);
        MUST(genome_init(&g, &f->space, &err));
        cr_assert_eq(g.length, spaces[i].length);
        f->method->destroy(f);
    }
    snprintf(r.space, sizeof r.space, "%.400s/params/eval-space.yaml", source);
    cr_assert_null(fitness_create(&r, 1, &err));
    SAID("'evaluation' is wrong; expected search, search-modern, search-nullmove or search-all");
}

Test(nodes_to_solution, the_evaluation_is_the_files)
{
    int64_t before[ORGANISMS], after[ORGANISMS];
    struct fitness *f = create(2);
    cr_assert(measure(f, values, ORGANISMS, before));
    f->method->destroy(f);
    FILE *file = fopen(strcpy(r.evaluation, scratch_path("eval.yaml")), "w");
    fputs("kind: evaluation\nparameters:\n", file);
    for (int t = 0; t < EVAL_TERMS; t++)
        fprintf(file, "  %s: %d\n", eval_table.params[t].name, (int)eval_table.params[t].min);
    fclose(file);
    f = create(2);
    cr_assert(measure(f, values, ORGANISMS, after));
    f->method->destroy(f);
    cr_assert_neq(memcmp(before, after, sizeof before), 0);
}
