/* Reproductions: the list, suites that are absent, and that an experiment which is interrupted and
 * taken up comes to what an uninterrupted one comes to, whatever the threads. And means, ratios and verdicts
 * beside a control: each of the answers is possible. */
#include "comparisons.h"
#include "reproduction.h"

#include "scratch.h"
#include "stream.h"

#include <math.h>

static const char head[] = LEDGER_BEGIN "test";

/* Six positions to a few plies, with two methods; and tables that differ from it in some settings. */
static const char tables[] =
    "texts: {pairs note: pairs}\n"
    "searches:\n"
    "  plain: {like: plain}\n"
    "  two: {name: two, NULL_MOVE_USE: 1, NULL_MOVE_REDUCTION: 2, NULL_MOVE_BELOW_BETA: 1}\n"
    "  reduced: {name: reduced, like: two, NULL_MOVE_MODE: 3, NULL_MOVE_DEPTH_REDUCTION: 4}\n"
    "  captures: {like: plain, QUIESCENCE_ALL_CAPTURES: 1}\n"
    "suites:\n"
    "  six:\n"
    "    title: six\n"
    "    positions:\n"
    "    - 3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - -\n"
    "    - rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq -\n"
    "    - 4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - -\n"
    "    - r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - -\n"
    "    - 2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - -\n"
    "    - r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq -\n"
    "  file: {title: a file, files: [{name: three.epd, count: 3, where: github.com/it}]}\n"
    "tables:\n"
    "  nodes:\n"
    "    title: a table\n"
    "    kind: suite\n"
    "    figure: nodes\n"
    "    suite: six\n"
    "    corner: depth\n"
    "    base: plain\n"
    "    methods: [two, reduced]\n"
    "    positions: {quick: 6, usual: 0}\n"
    "    rows:\n"
    "    - {label: '4', depth: 4, nodes there: [1000, 2000], solved there: [5, 0]}\n"
    "    - {label: '5', depth: 5}\n"
    "    - {label: '6', depth: 6, from: overnight}\n"
    "    compared: two\n"
    "    claims:\n"
    "    - {less: [reduced, two], text: the tree is smaller}\n"
    "    - {no less: [reduced, two], text: it is not}\n"
    "    differs: all\n"
    "  claims:\n"
    "    title: claims\n"
    "    like: nodes\n"
    "    claims:\n"
    "    - {less: [two, two], text: less}\n"
    "    - {no less: [two, two], text: no less}\n"
    "    - {nearer: [two, two, reduced], text: nearer}\n"
    "    - {falls: [two, two], text: falls}\n"
    "    - {sometimes less: [two, two], text: sometimes}\n"
    "    - {less on average: [two, two], text: on average}\n"
    "  ratio: {title: a ratio, like: nodes, compared: ~, ratio: [reduced, two]}\n"
    "  twice:\n"
    "    title: a table\n"
    "    like: nodes\n"
    "    again: {title: otherwise, base: captures, methods: [two, reduced], usual rows: [1], differs: "
    "much}\n"
    "  solved: {title: solved, like: nodes, figure: solved, compared: ~}\n"
    "  absent: {title: absent, like: nodes, suite: file}\n";

/* What was shown, and after how many more pieces to stop. */
struct audience {
    struct grid grid, second; /* of positions solved, the second has pairs of methods */
    int shown;
    int64_t pieces, stop_after; /* 0: never */
    volatile sig_atomic_t stop;
    const char *suites; /* the directory */
    struct error err;
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

static struct ledger *memory(void)
{
    struct error err;
    struct ledger *l = ledger_open(NULL, head, false, &err);
    cr_assert_not_null(l);
    return l;
}

/* Runs a table of the text above, with a ledger or one of its own; whether it came to its end. */
static bool run(const char *name, enum experiment_size size, struct audience *a, struct ledger *l,
                int threads)
{
    struct ledger *own = l == NULL ? memory() : NULL;
    struct yaml_document data;
    const struct eval_weights weights = eval_initial_weights();
    const struct experiment_observer observer = {a, progress, show};
    cr_assert(yaml_read_text(&data, "tables", tables, sizeof tables - 1, &a->err), "%s",
              a->err.text);
    const struct yaml_node *entry = yaml_find(yaml_find(data.root, "tables"), name);
    struct experiment x = {.size = size,
                           .data = data.root,
                           .suites = a->suites,
                           .weights = &weights,
                           .ledger = own != NULL ? own : l,
                           .threads = threads,
                           .stop = &a->stop,
                           .observer = &observer};
    bool good = reproduction_run(&x, entry, &a->err);
    yaml_finish(&data);
    ledger_close(own);
    return good;
}

static void expect_same(const struct grid *a, const struct grid *b)
{
    cr_assert_eq(a->row_count, b->row_count);
    for (int r = 0; r < a->row_count; r++)
        for (int c = 0; c < a->columns; c++)
            cr_expect_str_eq(a->rows[r].cells[c], b->rows[r].cells[c], "row %d, column %d", r, c);
}

Test(reproduction, every_name_is_there_once_and_its_beginning_means_it)
{
    struct yaml_document all;
    struct error err = {""};
    int count = 0;
    MUST(reproductions_read(&all, &err));
    for (const struct yaml_node *n = yaml_find(all.root, "tables")->child; n != NULL; n = n->next) {
        count++;
        cr_expect(reproduction_is_meant(n, n->key));
        const bool of_2008 = strncmp(n->key, "david-2008-", 11) == 0;
        cr_expect_eq(reproduction_is_meant(n, "david-2008"), of_2008, "%s", n->key);
        cr_expect_not(reproduction_is_meant(n, "david-200"));
        cr_expect_not(reproduction_is_meant(n, ""));
    }
    cr_expect_eq(count, 33);
    yaml_finish(&all);
}

Test(reproduction, what_a_claim_asks_for)
{
    static const char *const expected[] = {
        "Claim: less. Does not hold here: in 0 of 2 rows.",
        "Claim: no less. Holds here: in 2 of 2 rows.",
        "Claim: nearer. Holds here: in 2 of 2 rows.",
        "Claim: falls. Does not hold here: in 0 of 1 steps from row to row.",
        "Claim: sometimes. Does not hold here: in 0 of 2 rows.",
        "Claim: on average. Does not hold here, all rows together.",
    };
    struct audience a = {.shown = 0};
    cr_assert(run("claims", SIZE_QUICK, &a, NULL, 1));
    for (int i = 0; i < 6; i++)
        cr_expect_str_eq(a.grid.notes[i], expected[i]);
}

Test(reproduction, a_table_has_what_was_published_what_is_ours_and_the_claims)
{
    struct audience a = {.shown = 0};
    int smaller, not_smaller;
    cr_assert(run("nodes", SIZE_QUICK, &a, NULL, 2));
    const struct grid *g = &a.grid;
    cr_assert_eq(a.shown, 1);
    cr_assert_eq(g->row_count, 3);
    cr_expect_str_eq(g->heads[1], "reduced");
    cr_expect_str_eq(g->rows[0].label, "4, published");
    cr_expect_str_eq(g->rows[0].cells[0], "1.0 k");
    cr_expect_str_eq(g->rows[0].cells[1], "2.0 k (+100.0 %)");
    cr_expect_str_eq(g->rows[1].label, "4, ours (6 positions)");
    cr_expect_str_eq(g->rows[2].label, "5, ours (6 positions)");
    /* Where two claims exclude each other, one holds in just the rows where the other does not. */
    cr_assert_eq(sscanf(strstr(g->notes[0], "in "), "in %d", &smaller), 1);
    cr_assert_eq(sscanf(strstr(g->notes[1], "in "), "in %d", &not_smaller), 1);
    cr_expect_eq(smaller + not_smaller, 2);
    cr_expect_str_eq(g->notes[2], "Reduced: 6 positions of each suite, and 2 of 3 rows.");
    cr_expect_str_eq(g->notes[3], "Differs: all");
}

/* The column of a ratio: the totals' of what was published, else a mean with its interval. */
Test(reproduction, a_ratio_has_a_column_of_its_own)
{
    struct audience a = {.shown = 0};
    double mean, low, high;
    cr_assert(run("ratio", SIZE_QUICK, &a, NULL, 1));
    cr_assert_eq(a.grid.columns, 3);
    cr_expect_str_eq(a.grid.heads[2], "reduced / two, geometric mean (95 %)");
    cr_expect_str_eq(a.grid.rows[0].cells[2], "2.00 of the totals");
    cr_assert_eq(sscanf(a.grid.rows[2].cells[2], "%lf (%lf to %lf)", &mean, &low, &high), 3);
    cr_expect(0.2 < low && low <= mean && mean <= high && high < 5);
}

/* The second grid has its own methods and search, and at this size its first row alone. */
Test(reproduction, a_table_may_come_in_two_ways)
{
    struct audience a = {.shown = 0};
    cr_assert(run("twice", SIZE_QUICK, &a, NULL, 1));
    cr_assert_eq(a.shown, 2);
    cr_expect_str_eq(a.second.title, "a table, otherwise");
    cr_assert_eq(a.second.row_count, 2, "one published, one of ours");
    cr_expect_str_neq(a.second.rows[1].cells[0], a.grid.rows[1].cells[0], "another search");
}

/* A night that is interrupted in its row leaves what it has searched to the usual size. */
Test(reproduction, a_night_in_stretches_shows_what_it_has_until_now)
{
    /* Reports: one as a row begins, and one for each search. */
    enum { BEFORE = 2 * (1 + 12), BEGUN = 1 + 5 };
    struct audience stopped = {.stop_after = BEFORE + BEGUN}, usual = {.shown = 0};
    struct audience claims = {.shown = 0}, whole = {.shown = 0}, after = {.shown = 0};
    struct ledger *l = memory();
    cr_assert(!run("nodes", SIZE_OVERNIGHT, &stopped, l, 1));
    cr_assert(run("nodes", SIZE_USUAL, &usual, l, 1));
    cr_assert_eq(usual.grid.row_count, 4);
    cr_expect_str_eq(usual.grid.rows[3].label, "6, ours (2 positions until now)");
    cr_assert(run("claims", SIZE_USUAL, &claims, l, 1));
    cr_expect_str_eq(claims.grid.notes[3],
                     "Claim: falls. Does not hold here: in 0 of 1 steps from row to row.");
    cr_expect_str_eq(claims.grid.notes[5],
                     "Claim: on average. Does not hold here, all complete rows together.");
    cr_assert(run("nodes", SIZE_OVERNIGHT, &whole, l, 1));
    cr_expect_str_eq(whole.grid.rows[3].label, "6, ours (6 positions)");
    cr_assert(run("nodes", SIZE_USUAL, &after, l, 1));
    expect_same(&whole.grid, &after.grid);
    ledger_close(l);
}

/* Nothing can be missed where any move is right; what is not published is left empty. */
Test(reproduction, positions_solved_are_followed_by_pairs)
{
    struct audience a = {.shown = 0};
    cr_assert(run("solved", SIZE_QUICK, &a, NULL, 1));
    cr_assert_eq(a.shown, 2);
    cr_expect_str_eq(a.grid.rows[0].cells[0], "5");
    cr_expect_str_eq(a.grid.rows[0].cells[1], "");
    cr_expect_str_eq(a.grid.rows[1].cells[1], "6");
    cr_expect_str_eq(a.second.title, "solved: pairs of methods");
    cr_assert_eq(a.second.row_count, 1);
    cr_expect_str_eq(a.second.rows[0].label, "two : reduced");
    cr_expect_str_eq(a.second.rows[0].cells[1], "0 : 0 (p = 1)");
}

Test(reproduction, threads_do_not_show)
{
    struct audience one = {.shown = 0}, three = {.shown = 0};
    cr_assert(run("nodes", SIZE_QUICK, &one, NULL, 1));
    cr_assert(run("nodes", SIZE_QUICK, &three, NULL, 3));
    expect_same(&one.grid, &three.grid);
}

Test(reproduction, an_interrupted_one_goes_on_and_comes_to_the_same)
{
    struct audience whole = {.shown = 0}, again = {.shown = 0};
    struct ledger *l = memory();
    cr_assert(run("nodes", SIZE_QUICK, &whole, NULL, 2));
    for (int64_t pieces = 3;; pieces += 4) {
        struct audience part = {.stop_after = pieces};
        if (run("nodes", SIZE_QUICK, &part, l, 2))
            break;
        cr_expect_eq(part.shown, 0);
        cr_expect_str_eq(part.err.text, "");
    }
    cr_assert(run("nodes", SIZE_QUICK, &again, l, 1));
    expect_same(&whole.grid, &again.grid);
    cr_expect_lt(again.pieces, whole.pieces, "what is known is not searched again");
    ledger_close(l);
}

Test(reproduction, a_suite_that_is_absent_or_of_another_size_is_refused)
{
    struct audience a = {.suites = "nowhere"};
    struct ledger *l = memory();
    cr_assert_not(run("absent", SIZE_QUICK, &a, l, 1));
    cr_expect_str_eq(a.err.text, "nowhere/three.epd is not there: a file, with 3 positions "
                                 "(github.com/it); --suites names where");
    scratch_begin();
    scratch_write("three.epd", "7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;\n");
    a.suites = directory;
    cr_assert_not(run("absent", SIZE_QUICK, &a, l, 1));
    cr_expect_not_null(strstr(a.err.text, "1 positions that can be solved, where a file has 3"),
                       "%s", a.err.text);
    ledger_close(l);
    scratch_end();
}

Test(reproduction, a_choice_is_spread_and_leaves_pawn_endings_out)
{
    static const char *const lines[] = {
        "7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;",    /* a bare king on one side */
        "6rk/8/5K2/8/8/8/8/6R1 w - - bm Rxg8+;", /* pieces on both */
        "5r1k/8/5K2/8/8/8/8/6R1 w - - bm Ke7;",
        "r6k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;",
    };
    struct error err = {""};
    struct dataset d = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct epd epd;
        if (epd_parse(lines[i], &epd, &err))
            cr_assert(dataset_append(&d, &epd, &err));
    }
    size_t all = d.count;
    test_suite_choose(&d, 0, true);
    cr_expect_eq(d.count, all - 1);
    test_suite_choose(&d, 2, false);
    cr_expect_eq(d.count, 2);
    dataset_free(&d);
}

/* The widest gap between the first positions of the order, of so many. */
static size_t widest_gap(size_t count, size_t first)
{
    struct dataset d = {.items = calloc(count, sizeof *d.items), .count = count};
    struct error err = {""};
    bool there[1000] = {false};
    size_t widest = 0, last = 0;
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
}

/* ---- comparisons ---- */

static void expect_near(double value, double expected, double by)
{
    cr_expect(fabs(value - expected) <= by, "%g, not %g", value, expected);
}

Test(comparisons, a_ratio_of_equal_ratios_is_that_ratio)
{
    const double logs[] = {log(1.5), log(1.5), log(1.5)};
    const struct ratio r = ratio_of_logs(logs, 3);
    expect_near(r.mean, 1.5, 1e-9);
    expect_near(r.low, 1.5, 1e-9);
    expect_near(r.high, 1.5, 1e-9);
    cr_expect(ratio_of_logs(logs, 0).mean == 0 && ratio_of_logs(logs, 0).high == 0);
}

/* A half and twice cancel; one great ratio counts with its logarithm alone. */
Test(comparisons, a_ratio_is_geometric)
{
    const double logs[] = {log(0.5), log(2), log(16), log(1)};
    const struct ratio r = ratio_of_logs(logs, 4);
    expect_near(r.mean, 2, 1e-9);
    cr_expect(0.5 <= r.low && r.low < r.mean && r.mean < r.high && r.high <= 16);
}

/* Beside the normal approximation, which is good for so many. */
Test(comparisons, a_ratios_interval_is_that_of_a_mean)
{
    enum { COUNT = 400 };
    double logs[COUNT], sum = 0, squares = 0;
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        logs[i] = (double)stream_below(&s, 1000) / 1000;
        sum += logs[i];
        squares += logs[i] * logs[i];
    }
    const double mean = sum / COUNT, error = sqrt((squares / COUNT - mean * mean) / COUNT);
    const struct ratio r = ratio_of_logs(logs, COUNT), again = ratio_of_logs(logs, COUNT);
    expect_near(log(r.mean), mean, 1e-9);
    expect_near(log(r.low), mean - 1.96 * error, 0.2 * error);
    expect_near(log(r.high), mean + 1.96 * error, 0.2 * error);
    cr_expect(r.low == again.low && r.high == again.high, "the same draws each time");
}

static const double low[] = {1, 2, 3}, high[] = {4, 5, 6}, mixed[] = {2, 3.5, 4};

Test(comparisons, all_must_be_below_the_control)
{
    cr_expect_str_eq(verdict_below(low, high, 3), "Holds");
    cr_expect_str_eq(verdict_below(low, mixed, 3), "Holds only in part");
    cr_expect_str_eq(verdict_below(mixed, high, 3), "Holds only in part");
    cr_expect_str_eq(verdict_below(high, low, 3), "Does not hold");
    cr_expect_str_eq(verdict_below(low, low, 3), "Does not hold");
}

/* A mean of 0.5 with a standard error of 0.02, and random genes at 0.8 or at 0.53. */
Test(comparisons, a_range_needs_a_control_elsewhere)
{
    cr_expect_str_eq(verdict_within(0.5, 0.02, 0.4, 0.6, 0.8), "Holds");
    cr_expect_str_eq(verdict_within(0.39, 0.02, 0.4, 0.6, 0.8), "Does not hold");
    cr_expect_str_eq(verdict_within(0.61, 0.02, 0.4, 0.6, 0.8), "Does not hold");
    cr_expect_str_eq(verdict_within(0.5, 0.02, 0.4, 0.6, 0.53), "Not shown");
}

/* Standard deviations of 3 and 4 over four runs: the standard error of the difference is 2.5. */
Test(comparisons, above_is_by_two_standard_errors_of_the_difference)
{
    const struct spread controls = {50, 4};
    cr_expect(spread_is_above((struct spread){55.1, 3}, controls, 4));
    cr_expect_not(spread_is_above((struct spread){54.9, 3}, controls, 4));
    cr_expect_not(spread_is_above((struct spread){44, 3}, controls, 4));
}
