/* What solving a position counts, against a record of the search itself. */
#include "solve.h"

#include "scratch.h"
#include "villain.h"

#include <signal.h>
#include <sys/time.h>

enum { CHANGES = 64, NODES = 20000 };

static const char *const lines[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP3PPP/R1BQKB1R w KQ -",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - -",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - -",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -",
};
enum { LINES = sizeof lines / sizeof lines[0] };

static struct epd parsed(const char *line)
{
    struct epd epd;
    struct error err = {""};
    MUST(epd_parse(line, &epd, &err));
    return epd;
}

static struct engine *new_engine(void)
{
    struct error err = {""};
    struct engine *e = engine_create(1, &err);
    MUST(e);
    return e;
}

/* Each best move of a search, in order. */
struct record {
    Move move[CHANGES];
    uint64_t nodes[CHANGES];
    int depth[CHANGES];
    int count;
    struct search_result result;
};

static bool note(void *context, Move best, int depth, uint64_t nodes)
{
    struct record *r = context;
    cr_assert_lt(r->count, CHANGES);
    r->move[r->count] = best;
    r->depth[r->count] = depth;
    r->nodes[r->count++] = nodes;
    return true;
}

static struct record recorded(const struct position *p)
{
    struct record r = {.count = 0};
    const struct search_limits limits = {.nodes = NODES};
    const struct search_observer observer = {.context = &r, .best = note};
    struct engine *e = new_engine();
    r.result = engine_search(e, p, NULL, &limits, &observer);
    engine_destroy(e);
    return r;
}

static struct solved solved(const struct epd *epd, struct solve_limits limits)
{
    struct engine *e = new_engine();
    struct solved s = solve_position(e, epd, &limits);
    engine_destroy(e);
    return s;
}

/* Compares with the record: first, the first change to a right move; stable, the change to one with
 * which the last unbroken row of right moves begins, if it reaches the end. */
static struct solved expect_counts(const struct epd *epd, const struct record *r)
{
    int first = -1, stable = -1;
    for (int i = 0; i < r->count; i++) {
        bool right = solve_is_right(epd, r->move[i]);
        if (right && first < 0)
            first = i;
        if (!right)
            stable = -1;
        else if (stable < 0)
            stable = i;
    }
    struct solved s = solved(epd, (struct solve_limits){.nodes = NODES});
    cr_expect_eq(s.first.nodes, first < 0 ? 0 : r->nodes[first]);
    cr_expect_eq(s.first.depth, first < 0 ? 0 : r->depth[first]);
    cr_expect_eq(s.stable.nodes, stable < 0 ? 0 : r->nodes[stable]);
    cr_expect_eq(s.stable.depth, stable < 0 ? 0 : r->depth[stable]);
    cr_expect_eq(s.nodes, r->result.nodes);
    cr_expect_eq(s.best, r->result.best);
    cr_expect_eq(s.score, r->result.score);
    cr_expect_leq(s.first.seconds, s.seconds);
    cr_expect_not(s.abandoned);
    return s;
}

/* Every legal move in turn as the right one, then as the wrong one, then with the next as the right
 * two: some never come, some go and come back. */
Test(solve, first_and_stable_are_those_of_the_record)
{
    int differ = 0, lost = 0;
    for (int i = 0; i < LINES; i++) {
        struct epd epd = parsed(lines[i]);
        struct record r = recorded(&epd.position);
        struct move_list list;
        movegen_legal(&epd.position, &list);
        for (int m = 0; m < list.count; m++) {
            epd.best[0] = epd.avoid[0] = list.moves[m];
            epd.best[1] = list.moves[(m + 1) % list.count];
            epd.best_count = 1, epd.avoid_count = 0;
            struct solved s = expect_counts(&epd, &r);
            differ += s.first.nodes < s.stable.nodes;
            lost += s.first.nodes > 0 && s.stable.nodes == 0;
            epd.best_count = 0, epd.avoid_count = 1;
            expect_counts(&epd, &r);
            epd.best_count = 2, epd.avoid_count = 0;
            expect_counts(&epd, &r);
        }
    }
    cr_assert_gt(differ, 0, "no move came back: other positions are needed");
    cr_assert_gt(lost, 0, "no right move was lost: other positions are needed");
}

Test(solve, right_is_one_of_bm_and_none_of_am)
{
    struct epd epd = parsed("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8 Ra7; am Ra7 Ra6;");
    Move ra8 = epd.best[0], ra7 = epd.best[1], ra6 = epd.avoid[1];
    cr_assert(solve_is_right(&epd, ra8));
    cr_assert_not(solve_is_right(&epd, ra7), "avoided, though named best");
    cr_assert_not(solve_is_right(&epd, ra6));
    cr_assert_not(solve_is_right(&epd, NO_MOVE));
    epd.best_count = 0;
    cr_assert(solve_is_right(&epd, ra8));
    cr_assert_not(solve_is_right(&epd, ra6));
    cr_assert_eq(solve_cost(&(struct solve_moment){.nodes = 7}, 100), 7u);
    cr_assert_eq(solve_cost(&(struct solve_moment){0}, 100), 100u);
}

Test(solve, until_first_ends_when_first_is_known)
{
    for (int i = 0; i < LINES; i++) {
        struct epd epd = parsed(lines[i]);
        struct record r = recorded(&epd.position);
        epd.best[0] = r.move[r.count - 1];
        epd.best_count = 1;
        struct solved whole = solved(&epd, (struct solve_limits){.nodes = NODES});
        struct solved cut =
            solved(&epd, (struct solve_limits){.nodes = NODES, .until_first = true});
        cr_expect_eq(cut.first.nodes, whole.first.nodes);
        cr_expect_leq(cut.nodes, cut.first.nodes + 1, "%s: %lu nodes", lines[i],
                      (unsigned long)cut.nodes);
    }
}

Test(solve, the_limit_of_nodes_is_kept)
{
    struct engine *e = new_engine();
    for (int i = 0; i < LINES; i++) {
        struct epd epd = parsed(lines[i]);
        for (uint64_t limit = 1; limit < 5000; limit += 1 + limit / 7) {
            const struct solve_limits limits = {.nodes = limit};
            struct solved s = solve_position(e, &epd, &limits);
            cr_expect_leq(s.nodes, limit + 1, "%s: %lu nodes of %lu", lines[i],
                          (unsigned long)s.nodes, (unsigned long)limit);
        }
    }
    engine_destroy(e);
}

Test(solve, what_was_searched_before_changes_nothing)
{
    struct engine *used = new_engine();
    const struct solve_limits limits = {.nodes = NODES};
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < LINES; i++) {
            struct epd epd = parsed(lines[round == 1 ? LINES - 1 - i : i]);
            struct solved s = solve_position(used, &epd, &limits), t = solved(&epd, limits);
            cr_expect(s.best == t.best && s.score == t.score && s.depth == t.depth &&
                      s.nodes == t.nodes && s.first.nodes == t.first.nodes &&
                      s.stable.nodes == t.stable.nodes);
        }
    engine_destroy(used);
}

Test(solve, depth_time_or_a_flag_ends_a_search)
{
    volatile sig_atomic_t stop = 1;
    struct epd epd = parsed(lines[0]);
    for (int depth = 1; depth < 6; depth++)
        cr_expect_eq(solved(&epd, (struct solve_limits){.depth = depth}).depth, depth);
    struct solved s = solved(&epd, (struct solve_limits){.movetime = 60});
    cr_expect(s.seconds >= 0.06 && s.seconds < 5, "%f s", s.seconds);
    cr_expect(s.depth > 0 && !s.abandoned);
    s = solved(&epd, (struct solve_limits){.depth = MAX_DEPTH, .stop = &stop});
    cr_expect(s.abandoned);
    stop = 0;
    s = solved(&epd, (struct solve_limits){.nodes = 5000, .stop = &stop});
    cr_expect_not(s.abandoned);
}

static volatile sig_atomic_t flag;

static void set_flag(int signal)
{
    (void)signal;
    flag = 1;
}

/* Sets the flag in a tenth of a second, by a signal. */
static void set_flag_soon(void)
{
    const struct itimerval soon = {.it_value.tv_usec = 100000};
    signal(SIGALRM, set_flag);
    cr_assert_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

/* Another engine that fails after the flag is set was stopped; before, it has a fault. */
Test(solve, a_failure_after_the_flag_is_none_of_the_engine, .timeout = 60)
{
    struct error err = {""};
    struct epd epd = parsed(lines[0]);
    const struct solve_limits limits = {.depth = 90, .stop = &flag};
    struct uci_client *client = villain_start("--die 3", 10);
    struct solved s = solve_position_by_uci(client, &epd, &limits, &err);
    cr_expect(!s.abandoned && s.fault == UCI_EXITED);
    s = solve_position_by_uci(client, &epd, &limits, &err);
    cr_expect(!s.abandoned && s.fault == UCI_EXITED, "it was not started again");
    uci_client_stop(client);
    client = villain_start("--ignore-stop", 1);
    set_flag_soon();
    s = solve_position_by_uci(client, &epd, &limits, &err);
    cr_expect(s.abandoned);
    s = solve_position_by_uci(client, &epd, &limits, &err);
    cr_expect(s.abandoned, "it is gone");
    uci_client_stop(client);
}

/* Solves Ra8, and dies of values of its option above 5. */
static const char sensitive[] = "#!/bin/sh\n"
                                "while read -r word rest; do case $word in\n"
                                "uci) echo option name X type spin min 0 max 7; echo uciok;;\n"
                                "isready) echo readyok;;\n"
                                "setoption) [ ${rest##* } -le 5 ] || kill -SEGV $$;;\n"
                                "go) echo info depth 2 nodes 9 pv a1a8; echo bestmove a1a8;;\n"
                                "quit) exit 0;;\n"
                                "esac; done\n";

/* Values that an engine dies of cost their organism each position, and no other organism any. */
static void expect_costs(struct solver *solver, int32_t value)
{
    struct error err = {""};
    struct epd epd = parsed("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8;");
    const struct solve_limits limits = {.nodes = NODES};
    const bool fatal = value > 5;
    for (int i = 0; i < 2; i++) {
        struct solved s;
        char *log;
        MUST(solver_solve(solver, &value, &epd, &limits, &s, &log, &err));
        cr_expect_eq(s.fault, fatal ? UCI_EXITED : UCI_MOVE);
        cr_expect_eq(s.first.nodes, fatal ? 0u : 9u);
        cr_assert_eq(log != NULL, fatal);
        cr_expect(!fatal || strstr(log, "was ended by signal 11") != NULL, "%s", log);
        free(log);
    }
}

Test(solve, a_value_that_kills_the_engine_costs_its_organism, .timeout = 60)
{
    static const int32_t values[] = {7, 3, 6, 7, 5};
    static const struct param x = {.name = "X", .bits = 3, .max = 7, .sign = 1};
    static const struct param_table table = {.kind = "uci", .params = &x, .count = 1};
    struct error err = {""};
    scratch_begin();
    const struct uci_settings engine = {.command = scratch_program("engine", sensitive)};
    const struct solver_settings settings = {.table = &table, .engine = &engine};
    struct solver *solver = solver_create(&settings, &err);
    MUST(solver);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        expect_costs(solver, values[i]);
    scratch_end();
    struct solved s;
    char *log;
    struct epd epd = parsed(lines[0]);
    cr_expect_not(
        solver_solve(solver, &values[0], &epd, &(struct solve_limits){.nodes = 1}, &s, &log, &err),
        "without an engine there is no run");
    solver_destroy(solver);
}
