/* Reproductions: the list, suites that are absent, and that an experiment which is interrupted and
 * taken up comes to what an uninterrupted one comes to, whatever the threads. */
#include "reproduction.h"
#include "statistics.h"
#include "suite_experiment.h"

#include "scratch.h"

static const char head[] = LEDGER_BEGIN "test";

/* Six positions to a few plies, with two methods. */
static const struct suite_plan plan = {
    .base = search_plain_params,
    .methods = {STANDARD_2, REDUCTIONS_3_4},
    .method_count = 2,
    .row = "depth",
    .quick = 6,
    .rows = {{"4", SUITE_CRAFTY, .depth = 4, .from = SIZE_QUICK, .published_nodes = {1000, 2000}},
             {"5", SUITE_CRAFTY, .depth = 5, .from = SIZE_QUICK},
             {"6", SUITE_CRAFTY, .depth = 6, .from = SIZE_USUAL}},
    .row_count = 3,
    .differs = "all",
};
static const struct suite_table nodes = {
    .plan = &plan,
    .figure = FIGURE_NODES,
    .compared = true,
    .reference = 0,
    .claims = {{"the tree is smaller", CLAIM_LESS, {1, 0}}, {"it is not", CLAIM_NO_LESS, {1, 0}}},
};
static const struct reproduction table = {"test", "a table", suite_experiment_run, &nodes};

/* What was shown, and after how many more pieces to stop. */
struct audience {
    struct grid grid, second; /* of positions solved, the second has pairs of methods */
    int shown;
    int64_t pieces, stop_after; /* 0: never */
    volatile sig_atomic_t stop;
    const char *suites; /* the directory; NULL: compiled ones alone */
};

static void progress(void *context, const char *unit, const char *step, int64_t done, int64_t total)
{
    (void)unit;
    struct audience *a = context;
    cr_expect(done <= total, "%s", step);
    a->pieces++;
    if (a->stop_after > 0 && a->pieces >= a->stop_after)
        a->stop = 1;
}

static void show(void *context, const struct grid *g)
{
    struct audience *a = context;
    *(a->shown == 0 ? &a->grid : &a->second) = *g;
    a->shown++;
}

/* Runs a reproduction of some size with a ledger; whether it came to its end. */
static bool run_at(enum experiment_size size, const struct reproduction *r, struct audience *a,
                   struct ledger *l, int threads)
{
    struct error err = {""};
    const struct eval_weights weights = eval_initial_weights();
    const struct experiment_observer observer = {a, progress, show};
    struct experiment x = {.size = size,
                           .suites = a->suites,
                           .weights = &weights,
                           .ledger = l,
                           .threads = threads,
                           .stop = &a->stop,
                           .observer = &observer};
    bool good = r->run(&x, r, &err);
    cr_expect(good || err.text[0] == '\0', "%s", err.text);
    return good;
}

static bool run_one(const struct reproduction *r, struct audience *a, struct ledger *l, int threads)
{
    return run_at(SIZE_QUICK, r, a, l, threads);
}

static bool run(struct audience *a, struct ledger *l, int threads)
{
    return run_one(&table, a, l, threads);
}

static struct ledger *memory(void)
{
    struct error err;
    struct ledger *l = ledger_open(NULL, head, false, &err);
    cr_assert_not_null(l);
    return l;
}

static void expect_same(const struct grid *a, const struct grid *b)
{
    cr_assert_eq(a->row_count, b->row_count);
    for (int r = 0; r < a->row_count; r++)
        for (int c = 0; c < a->columns; c++)
            cr_expect_str_eq(a->rows[r].cells[c], b->rows[r].cells[c], "row %d, column %d", r, c);
}

Test(reproduction, every_name_is_there_once_and_is_meant)
{
    for (int i = 0; reproductions[i] != NULL; i++) {
        cr_expect(reproduction_is_meant(reproductions[i], reproductions[i]->name));
        for (int j = 0; j < i; j++)
            cr_expect_str_neq(reproductions[i]->name, reproductions[j]->name);
    }
}

/* Claims on a method and itself, whose verdict is known, and two that cannot both be true. */
Test(reproduction, what_a_claim_asks_for)
{
    static const struct suite_table claims = {
        .plan = &plan,
        .figure = FIGURE_NODES,
        .claims = {{"less", CLAIM_LESS, {0, 0}},
                   {"no less", CLAIM_NO_LESS, {0, 0}},
                   {"nearer", CLAIM_NEARER, {0, 0, 1}},
                   {"falls", CLAIM_FALLS, {0, 0}},
                   {"sometimes", CLAIM_SOMETIMES_LESS, {0, 0}},
                   {"on average", CLAIM_LESS_ON_AVERAGE, {0, 0}},
                   {"smaller", CLAIM_LESS_ON_AVERAGE, {0, 1}},
                   {"larger", CLAIM_MORE_ON_AVERAGE, {0, 1}}},
    };
    static const struct reproduction r = {"test", "claims", suite_experiment_run, &claims};
    static const char *const expected[] = {
        "Claim: less. Does not hold here: in 0 of 2 rows.",
        "Claim: no less. Holds here: in 2 of 2 rows.",
        "Claim: nearer. Holds here: in 2 of 2 rows.",
        "Claim: falls. Does not hold here: in 0 of 1 steps from row to row.",
        "Claim: sometimes. Does not hold here: in 0 of 2 rows.",
        "Claim: on average. Does not hold here, all rows together.",
    };
    struct audience a = {0};
    struct ledger *l = memory();
    cr_assert(run_one(&r, &a, l, 1));
    for (int i = 0; i < 6; i++)
        cr_expect_str_eq(a.grid.notes[i], expected[i]);
    bool smaller = strstr(a.grid.notes[6], "Holds here") != NULL;
    cr_expect_eq(strstr(a.grid.notes[7], "Holds here") != NULL, !smaller);
    ledger_close(l);
}

Test(reproduction, the_beginning_of_a_name_means_those_that_begin_so)
{
    cr_expect(reproduction_is_meant(&david_2008_table_2, "david-2008"));
    cr_expect(reproduction_is_meant(&david_2008_table_2, "david-2008-table"));
    cr_expect_not(reproduction_is_meant(&david_2008_table_2, "david-200"));
    cr_expect_not(reproduction_is_meant(&david_2008_table_2, "david-2008-table-20"));
    cr_expect_not(reproduction_is_meant(&david_2008_table_2, ""));
}

/* Of "Claim: ... in 1 of 2 rows." the first number. */
static int rows_that_hold(const char *note)
{
    int held, rows;
    const char *count = strstr(note, " here: in ");
    cr_assert_not_null(count, "%s", note);
    cr_assert_eq(sscanf(count, " here: in %d of %d rows", &held, &rows), 2, "%s", note);
    cr_expect_eq(rows, 2);
    return held;
}

Test(reproduction, a_table_has_what_was_published_what_is_ours_and_the_claims)
{
    struct audience a = {0};
    struct ledger *l = memory();
    cr_assert(run(&a, l, 2));
    const struct grid *g = &a.grid;
    cr_assert_eq(a.shown, 1);
    cr_assert_eq(g->row_count, 3);
    cr_expect_str_eq(g->rows[0].label, "4, published");
    cr_expect_str_eq(g->rows[0].cells[0], "1.0 k");
    cr_expect_str_eq(g->rows[0].cells[1], "2.0 k (+100.0 %)");
    cr_expect_str_eq(g->rows[1].label, "4, ours (6 positions)");
    cr_expect_str_eq(g->rows[2].label, "5, ours (6 positions)");
    /* Where two claims exclude each other, one holds in just the rows where the other does not. */
    cr_expect_eq(rows_that_hold(g->notes[0]) + rows_that_hold(g->notes[1]), 2);
    cr_expect_not_null(strstr(g->notes[2], "2 of 3 rows"));
    ledger_close(l);
}

/* The column of a ratio: the totals' of what was published, else a mean with its interval. */
Test(reproduction, a_ratio_has_a_column_of_its_own)
{
    static const struct suite_table rated = {
        .plan = &plan, .figure = FIGURE_NODES, .ratio = {1, 0}};
    static const struct reproduction r = {"rated", "a ratio", suite_experiment_run, &rated};
    struct audience a = {0};
    struct ledger *l = memory();
    double mean, low, high;
    cr_assert(run_one(&r, &a, l, 1));
    cr_assert_eq(a.grid.columns, 3);
    cr_expect_str_eq(a.grid.heads[2], "NMR R = 3~4 / Std R = 2, geometric mean (95 %)");
    cr_expect_str_eq(a.grid.rows[0].cells[2], "2.00 of the totals");
    cr_assert_eq(sscanf(a.grid.rows[2].cells[2], "%lf (%lf to %lf)", &mean, &low, &high), 3);
    cr_expect(0.2 < low && low <= mean && mean <= high && high < 5);
    ledger_close(l);
}

/* The second grid has its own methods and search, and at this size its first row alone. */
Test(reproduction, a_table_may_come_in_two_ways)
{
    static const struct suite_way way = {.title = "otherwise",
                                         .base = david_2002_params,
                                         .methods = {STANDARD_3, VERIFIED_REUSE_3},
                                         .count = 3,
                                         .first = 1,
                                         .end = 3,
                                         .differs = "much"};
    struct suite_plan twice = plan;
    twice.again = &way;
    const struct suite_table both = {.plan = &twice, .figure = FIGURE_NODES};
    const struct reproduction r = {"both", "a table", suite_experiment_run, &both};
    struct audience a = {0}, first = {0};
    struct ledger *l = memory();
    cr_assert(run_one(&r, &a, l, 1));
    cr_assert_eq(a.shown, 2);
    cr_expect_str_eq(a.second.title, "a table, otherwise");
    cr_expect_str_eq(a.second.heads[1], "Vrfd R = 3, reuse");
    cr_assert_eq(a.second.row_count, 2, "one published, one of ours");
    cr_expect_str_eq(a.second.rows[1].label, "4, ours (6 positions)");
    cr_assert(run(&first, l, 1));
    cr_expect_str_neq(a.second.rows[1].cells[0], first.grid.rows[1].cells[0], "another search");
    ledger_close(l);
}

/* A night that is interrupted in its row leaves what it has searched to the usual size. */
Test(reproduction, a_night_in_stretches_shows_what_it_has_until_now)
{
    static const struct suite_row row = {"7", SUITE_CRAFTY, .depth = 7, .from = SIZE_OVERNIGHT};
    /* Reports: one as a row begins, and one for each search. */
    enum { BEFORE = 1 + 12, BEGUN = 1 + 5 };
    struct suite_plan long_plan = plan;
    long_plan.rows[1] = row;
    long_plan.row_count = 2;
    const struct suite_table long_table = {.plan = &long_plan, .figure = FIGURE_NODES};
    const struct reproduction r = {"night", "a night", suite_experiment_run, &long_table};
    struct audience stopped = {.stop_after = BEFORE + BEGUN}, usual = {0}, whole = {0}, after = {0};
    struct ledger *l = memory();
    cr_assert(!run_at(SIZE_OVERNIGHT, &r, &stopped, l, 1));
    cr_assert(run_at(SIZE_USUAL, &r, &usual, l, 1));
    cr_assert_eq(usual.grid.row_count, 3);
    cr_expect_str_eq(usual.grid.rows[2].label, "7, ours (2 positions until now)");
    cr_assert(run_at(SIZE_OVERNIGHT, &r, &whole, l, 1));
    cr_expect_str_eq(whole.grid.rows[2].label, "7, ours (6 positions)");
    cr_expect_str_neq(whole.grid.rows[2].cells[0], usual.grid.rows[2].cells[0]);
    cr_assert(run_at(SIZE_USUAL, &r, &after, l, 1));
    expect_same(&whole.grid, &after.grid);
    ledger_close(l);
}

/* Of two rows that differ in their positions no verdict is given. */
Test(reproduction, a_row_that_is_known_in_part_is_compared_with_no_other)
{
    /* Reports: one as a row begins, and one for each search. */
    enum { BEFORE = 2 * (1 + 12), BEGUN = 1 + 5 };
    struct suite_plan rows = plan, last = plan;
    rows.rows[2].from = SIZE_OVERNIGHT;
    last.rows[0] = rows.rows[2];
    last.row_count = 1;
    const struct suite_claim falls = {"falls", CLAIM_FALLS, {0, 0}},
                             together = {"together", CLAIM_LESS_ON_AVERAGE, {0, 0}};
    const struct suite_table all = {
        .plan = &rows, .figure = FIGURE_NODES, .claims = {falls, together}};
    const struct suite_table one = {.plan = &last, .figure = FIGURE_NODES, .claims = {together}};
    const struct reproduction r = {"all", "all", suite_experiment_run, &all};
    const struct reproduction r_last = {"last", "the last", suite_experiment_run, &one};
    struct audience stopped = {.stop_after = BEFORE + BEGUN}, usual = {0}, part = {0}, whole = {0};
    struct ledger *l = memory();
    cr_assert(!run_at(SIZE_OVERNIGHT, &r, &stopped, l, 1));
    cr_assert(run_at(SIZE_USUAL, &r, &usual, l, 1));
    cr_expect_str_eq(usual.grid.rows[3].label, "6, ours (2 positions until now)");
    cr_expect_str_eq(usual.grid.notes[0],
                     "Claim: falls. Does not hold here: in 0 of 1 steps from row to row.");
    cr_expect_str_eq(usual.grid.notes[1],
                     "Claim: together. Does not hold here, all complete rows together.");
    cr_assert(run_at(SIZE_USUAL, &r_last, &part, l, 1));
    cr_expect_str_eq(part.grid.rows[0].label, "6, ours (2 positions until now)");
    cr_expect_str_eq(part.grid.notes[0], "Claim: together. Not measured at this size.");
    cr_assert(run_at(SIZE_OVERNIGHT, &r, &whole, l, 1));
    cr_expect_str_eq(whole.grid.notes[0],
                     "Claim: falls. Does not hold here: in 0 of 2 steps from row to row.");
    cr_expect_str_eq(whole.grid.notes[1],
                     "Claim: together. Does not hold here, all rows together.");
    ledger_close(l);
}

/* The same choice of few positions is compared, but not with the whole suite. */
Test(reproduction, a_step_to_other_positions_is_none)
{
    static const struct suite_row small = {"4", SUITE_CRAFTY, .depth = 4, .from = SIZE_QUICK},
                                  large = {"5", SUITE_CRAFTY, .depth = 5, .from = SIZE_OVERNIGHT};
    struct suite_plan rows = plan;
    rows.usual = 2;
    rows.rows[0] = small;
    rows.rows[1] = large;
    rows.row_count = 2;
    const struct suite_table falls = {
        .plan = &rows, .figure = FIGURE_NODES, .claims = {{"falls", CLAIM_FALLS, {0, 0}}}};
    const struct reproduction r = {"falls", "falls", suite_experiment_run, &falls};
    struct audience night = {0}, usual = {0};
    struct ledger *l = memory();
    cr_assert(run_at(SIZE_OVERNIGHT, &r, &night, l, 1));
    cr_expect_str_eq(night.grid.notes[0],
                     "Claim: falls. Does not hold here: in 0 of 1 steps from row to row.");
    cr_assert(run_at(SIZE_USUAL, &r, &usual, l, 1));
    cr_assert_eq(usual.grid.row_count, 2);
    cr_expect_str_eq(usual.grid.rows[0].label, "4, ours (2 positions)");
    cr_expect_str_eq(usual.grid.rows[1].label, "5, ours (6 positions)");
    cr_expect_str_eq(usual.grid.notes[0], "Claim: falls. Not measured at this size.");
    ledger_close(l);
}

/* Columns that disagree on each position of the suite below: only one extends checks. */
static struct suite_method with_and_without(int column, const struct search_params *base)
{
    struct suite_method m = {column == 0 ? "without" : "with", *base};
    m.params.value[CHECK_EXTENSION] = 4 * column;
    return m;
}

/* Writes a suite of so many positions: each of the lines as often as the others, one after another. */
static void write_suite(const char *directory, const char *name, size_t size,
                        const char *const *lines, size_t count)
{
    enum { LINE = 80 };
    char *text = calloc(size, LINE), path[SCRATCH_PATH];
    cr_assert_not_null(text);
    for (size_t i = 0, length = 0; i < size; i++)
        length += (size_t)sprintf(text + length, "%s\n", lines[i * count / size]);
    scratch_write(directory, name, text, path);
    free(text);
}

/* Mates in two by checks. */
static const char *const mates_in_two[] = {
    "8/6k1/R7/8/8/8/5P2/1R2K2n w - - bm Rb7+;", "8/6k1/R7/8/8/8/6P1/1R2K2n w - - bm Rb7+;",
    "8/6k1/R7/8/8/8/7P/1R2K2n w - - bm Rb7+;",  "8/6k1/R7/8/8/5P2/8/1R2K2n w - - bm Rb7+;",
    "8/6k1/R7/8/8/6P1/8/1R2K2n w - - bm Rb7+;", "8/6k1/R7/8/8/7P/8/1R2K2n w - - bm Rb7+;",
};

/* What is needed to detect a difference is told by the last whole row, and by the suite's size. */
Test(reproduction, a_row_that_is_known_in_part_does_not_tell_how_many_positions_are_needed)
{
    enum { BEFORE = 1 + 12, BEGUN = 1 + 5 };
    static const struct suite_plan mates = {
        .base = search_plain_params,
        .method = with_and_without,
        .method_count = 2,
        .row = "depth",
        .choice = {.count = 6},
        .quick = 6,
        .rows = {{"2", SUITE_ECM, .depth = 2, .mate = 2, .from = SIZE_QUICK},
                 {"3", SUITE_ECM, .depth = 3, .mate = 2, .from = SIZE_OVERNIGHT,
                  .published_solved = {500, 508}}},
        .row_count = 2,
        .differs = "much",
    };
    static const struct suite_table both = {
        .plan = &mates, .figure = FIGURE_MATES, .needed = {0, 1}};
    const struct reproduction r = {"needed", "mates", suite_experiment_run, &both};
    struct audience stopped = {.stop_after = BEFORE + BEGUN}, usual = {0};
    struct ledger *l = memory();
    char directory[SCRATCH_PATH];
    scratch_begin(directory);
    write_suite(directory, "ecm879.epd", 879, mates_in_two, 6);
    stopped.suites = usual.suites = directory;
    cr_assert(!run_at(SIZE_OVERNIGHT, &r, &stopped, l, 1));
    cr_assert(run_at(SIZE_USUAL, &r, &usual, l, 1));
    const struct grid *g = &usual.second;
    cr_assert_eq(g->columns, 2);
    cr_expect_str_eq(g->heads[0], "2");
    cr_expect_str_eq(g->heads[1], "3 (2 positions)");
    cr_expect_str_eq(g->rows[0].cells[0], "0 : 6 (p = 0.031) *");
    cr_assert_eq(g->note_count, 2);
    cr_expect_not_null(strstr(g->notes[1], "a difference of 8 between without and with. If they "
                                           "disagree on 100.0 % of the positions, as at 2 here"),
                       "%s", g->notes[1]);
    char needed[40];
    snprintf(needed, sizeof needed, "it takes %.0f positions", sign_test_positions(1, 8.0 / 879));
    cr_expect_not_null(strstr(g->notes[1], needed), "%s: %s", needed, g->notes[1]);
    scratch_end(directory);
    ledger_close(l);
}

/* The suite has 1,001 positions; the paper searches 999 of them. */
Test(reproduction, what_is_published_is_of_the_positions_of_the_paper)
{
    struct audience a = {0};
    struct ledger *l = memory();
    char directory[SCRATCH_PATH];
    scratch_begin(directory);
    write_suite(directory, "wcsac1001.epd", 1001, mates_in_two, 6);
    a.suites = directory;
    cr_assert(run_one(&david_2002_differences, &a, l, 2));
    cr_expect_str_eq(a.grid.rows[0].label, "published, depth 9, 999 positions");
    scratch_end(directory);
    ledger_close(l);
}

/* True if one of the notes has the text. */
static bool is_noted(const struct grid *g, const char *text)
{
    for (int i = 0; i < g->note_count; i++)
        if (strstr(g->notes[i], text) != NULL)
            return true;
    return false;
}

/* Runs a table on 300 positions in place of Win at Chess: each of the lines as often. */
static void run_wac(const struct reproduction *r, struct audience *a, const char *const *lines,
                    size_t count)
{
    struct ledger *l = memory();
    char directory[SCRATCH_PATH];
    scratch_begin(directory);
    write_suite(directory, "wac300_original.epd", 300, lines, count);
    a->suites = directory;
    cr_assert(run_one(r, a, l, 2));
    scratch_end(directory);
    ledger_close(l);
}

/* No key is right, and all queens hang: the paper excuses six, and the corrected suite a seventh. */
Test(reproduction, flawed_keys_are_counted_as_the_paper_does)
{
    static const char *const queen[] = {"4k3/8/8/8/8/3q4/4P3/4K3 w - - bm Kf2;"};
    struct audience a = {0};
    run_wac(&beal_1990_table_1, &a, queen, 1);
    cr_expect(is_noted(&a.grid, "0 strictly, 6 as the paper counts, and 7 with keys"));
    cr_expect(is_noted(&a.grid, "WAC.235 is not solved"));
    cr_expect(is_noted(&a.second, "Not measured at this size."), "no row has the claim's effort");
    cr_expect_not(is_noted(&a.second, "Holds"));
}

/* In half of the positions the mover is in check, and cannot pass. */
Test(reproduction, positions_left_out_are_not_counted_as_compared)
{
    static const char *const lines[] = {"4k3/8/8/8/8/3q4/4P3/4K3 w - - bm exd3;",
                                        "4k3/8/8/8/8/3q4/4P3/r3K3 w - - bm Kf2;"};
    struct audience a = {0};
    run_wac(&beal_1990_section_9, &a, lines, 2);
    cr_expect_str_eq(a.grid.rows[0].cells[3], "30");
    cr_expect(is_noted(&a.grid, "in 0 of 30 positions at most; 30 are left out."));
}

/* The widest gap between the first `first` of `count` positions that were spread. */
static size_t widest_gap(size_t count, size_t first)
{
    bool there[1000] = {false};
    size_t widest = 0, last = 0;
    struct dataset d = {.items = calloc(count, sizeof *d.items), .count = count};
    struct error err;
    cr_assert_not_null(d.items);
    for (size_t i = 0; i < count; i++)
        d.items[i].position.key = i;
    cr_assert(test_suite_spread(&d, &err));
    for (size_t i = 0; i < first; i++) {
        cr_expect(!there[d.items[i].position.key], "a position twice");
        there[d.items[i].position.key] = true;
    }
    for (size_t i = 0; i < count; i++) {
        widest = there[i] && i - last > widest ? i - last : widest;
        last = there[i] ? i : last;
    }
    dataset_free(&d);
    return widest;
}

Test(reproduction, the_first_positions_are_spread_over_the_suite)
{
    cr_expect_eq(widest_gap(879, 879), 1);
    cr_expect_leq(widest_gap(879, 44), 3 * 879 / 44);
    cr_expect_leq(widest_gap(1000, 10), 3 * 1000 / 10);
    cr_expect_eq(widest_gap(1, 1), 0);
    cr_expect_eq(widest_gap(2, 2), 1);
}

/* There is no mate in one in six quiet positions, and nothing is published. */
Test(reproduction, a_method_that_finds_nothing_has_a_zero)
{
    static const struct suite_table mates = {.plan = &plan, .figure = FIGURE_MATES};
    static const struct reproduction none = {"none", "no mates", suite_experiment_run, &mates};
    struct audience a = {0};
    struct ledger *l = memory();
    cr_assert(run_one(&none, &a, l, 1));
    cr_assert_eq(a.grid.row_count, 2);
    for (int column = 0; column < 2; column++)
        cr_expect_str_eq(a.grid.rows[0].cells[column], "0");
    cr_assert_eq(a.shown, 2);
    cr_assert_eq(a.second.row_count, 1);
    cr_expect_str_eq(a.second.rows[0].label, "Std R = 2 : NMR R = 3~4");
    cr_expect_str_eq(a.second.rows[0].cells[1], "0 : 0 (p = 1)");
    ledger_close(l);
}

/* Figures that the paper has for one method alone leave the other's cell empty. */
Test(reproduction, a_method_that_is_not_published_is_left_empty)
{
    static struct suite_plan part;
    static struct suite_table half;
    static const struct reproduction r = {"half", "half", suite_experiment_run, &half};
    struct audience a = {0};
    struct ledger *l = memory();
    part = plan;
    part.rows[0].published_nodes[1] = 0;
    half = nodes;
    half.plan = &part;
    cr_assert(run_one(&r, &a, l, 1));
    cr_expect_str_eq(a.grid.rows[0].label, "4, published");
    cr_expect_str_eq(a.grid.rows[0].cells[0], "1.0 k");
    cr_expect_str_eq(a.grid.rows[0].cells[1], "");
    ledger_close(l);
}

Test(reproduction, threads_do_not_show)
{
    struct audience one = {0}, three = {0};
    struct ledger *a = memory(), *b = memory();
    cr_assert(run(&one, a, 1));
    cr_assert(run(&three, b, 3));
    expect_same(&one.grid, &three.grid);
    ledger_close(a);
    ledger_close(b);
}

Test(reproduction, an_interrupted_one_goes_on_and_comes_to_the_same)
{
    struct audience whole = {0}, again = {0};
    struct ledger *a = memory(), *b = memory();
    cr_assert(run(&whole, a, 2));
    for (int64_t pieces = 3;; pieces += 4) {
        struct audience part = {.stop_after = pieces};
        if (run(&part, b, 2))
            break;
        cr_expect_eq(part.shown, 0);
    }
    cr_assert(run(&again, b, 1));
    expect_same(&whole.grid, &again.grid);
    cr_expect_lt(again.pieces, whole.pieces, "what is known is not searched again");
    ledger_close(a);
    ledger_close(b);
}

Test(reproduction, a_suite_that_is_absent_is_named_with_where_it_is_and_how_large)
{
    struct error err = {""};
    struct dataset d = {0};
    cr_assert_not(test_suite_load(SUITE_ECM, "nowhere", &d, &err));
    cr_expect_not_null(strstr(err.text, "nowhere/ecm879.epd"), "%s", err.text);
    cr_expect_not_null(strstr(err.text, "879 positions"), "%s", err.text);
    cr_expect_not_null(strstr(err.text, "github.com"), "%s", err.text);
    dataset_free(&d);
}

Test(reproduction, a_suite_of_another_size_is_refused)
{
    struct error err = {""};
    struct dataset d = {0};
    char directory[SCRATCH_PATH], path[SCRATCH_PATH];
    scratch_begin(directory);
    scratch_write(directory, "ecm879.epd", "7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;\n", path);
    cr_assert_not(test_suite_load(SUITE_ECM, directory, &d, &err));
    cr_expect_not_null(strstr(err.text, "1 positions that can be solved"), "%s", err.text);
    dataset_free(&d);
    scratch_end(directory);
}

Test(reproduction, a_choice_is_spread_and_leaves_pawn_endings_out)
{
    static const char *const lines[] = {
        "7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;",    /* a bare king on one side */
        "6rk/8/5K2/8/8/8/8/6R1 w - - bm Rxg8+;", /* pieces on both */
        "6rk/8/5K2/8/8/8/8/7R w - - bm Rxh8;",   /* not legal: left out below */
        "5r1k/8/5K2/8/8/8/8/6R1 w - - bm Ke7;",  "r6k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;",
    };
    struct error err = {""};
    struct dataset d = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct epd epd;
        if (epd_parse(lines[i], &epd, &err))
            cr_assert(dataset_append(&d, &epd, &err));
    }
    size_t all = d.count;
    test_suite_choose(&d, &(struct test_choice){.with_pieces = true});
    cr_expect_eq(d.count, all - 1);
    test_suite_choose(&d, &(struct test_choice){.count = 2});
    cr_expect_eq(d.count, 2);
    dataset_free(&d);
}
