/* Iterative deepening: several lines, chosen moves, and what the observer is told and may end. */
#include "engine.h"

#include "engine_with.h"
#include "minimax.h"
#include "position_of.h"
#include "random_params.h"
#include "recorder.h"
#include "thorough.h"

#include <criterion/criterion.h>

/* Searches and records. */
static struct search_result record(struct engine *e, const struct position *p,
                                   const struct search_limits *limits, struct recorder *r)
{
    struct search_observer observer = recorder_observer(r);
    r->root = p;
    return engine_search(e, p, NULL, limits, &observer);
}

/* ---- several lines ---- */

/* The values of all root moves by minimax, the greatest first. */
static int minimax_values(const struct position *p, int depth, int32_t *values)
{
    struct evaluation eval = evaluation_initial();
    struct move_list list;
    struct game g;
    game_start(&g, p);
    movegen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        int32_t value = minimax_move(&g, &eval, list.moves[i], depth);
        int to = i;
        for (; to > 0 && values[to - 1] < value; to--)
            values[to] = values[to - 1];
        values[to] = value;
    }
    return list.count;
}

/* The lines of a depth that the recorder heard: distinct, the best first, each with its value. */
static void assert_lines(const struct recorder *r, int depth, int lines, const int32_t *values)
{
    Move seen[MAX_MOVES];
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        const struct told *t = &r->told[i];
        if (t->sort != TOLD_LINE || t->depth != depth)
            continue;
        cr_assert_eq(t->bound, BOUND_EXACT);
        cr_assert_eq(t->index, count);
        cr_assert_eq(t->score, values[count], "line %d: %d, not %d", count, t->score,
                     values[count]);
        for (int j = 0; j < count; j++)
            cr_assert_neq(seen[j], t->move);
        seen[count++] = t->move;
    }
    cr_assert_eq(count, lines);
}

Test(deepening, lines_are_the_best_moves_in_order)
{
    struct engine *e = engine_with(1, search_plain_params());
    struct stream s = seeded(1);
    for (int i = 0; i < 40; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        int32_t values[MAX_MOVES];
        int depth = perft(&p, 3) < 20000 ? 3 : 2;
        int moves = minimax_values(&p, depth, values);
        for (int lines = 1; lines <= moves + 3; lines += 1 + (int)stream_below(&s, 12)) {
            struct recorder r = {0};
            const struct search_limits limits = {.depth = depth, .lines = lines};
            engine_clear(e);
            struct search_result result = record(e, &p, &limits, &r);
            assert_lines(&r, depth, lines < moves ? lines : moves, values);
            cr_assert_eq(result.score, values[0]);
            cr_assert_eq(r.bad_lines, 0);
        }
    }
    engine_destroy(e);
}

/* ---- chosen moves ---- */

Test(deepening, searches_the_chosen_moves_alone)
{
    struct evaluation eval = evaluation_initial();
    struct engine *e = engine_with(1, search_plain_params());
    struct stream s = seeded(3);
    for (int i = 0; i < 100; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct move_list list;
        struct game g;
        Move chosen[4];
        int32_t best = -INFINITE_SCORE;
        bool found = false;
        game_start(&g, &p);
        movegen_legal(&p, &list);
        for (int j = 0; j < 4; j++) {
            chosen[j] = list.moves[stream_below(&s, (uint64_t)list.count)];
            int32_t value = minimax_move(&g, &eval, chosen[j], 2);
            best = value > best ? value : best;
        }
        struct recorder r = {0};
        const struct search_limits limits = {.depth = 2, .moves = chosen, .move_count = 4};
        engine_clear(e);
        struct search_result result = record(e, &p, &limits, &r);
        for (int j = 0; j < 4; j++)
            found |= chosen[j] == result.best;
        cr_assert(found);
        cr_assert_eq(result.score, best);
    }
    engine_destroy(e);
}

/* No move chosen is none searched; an illegal one is not searched. */
Test(deepening, illegal_chosen_moves_are_left_out)
{
    struct engine *e = engine_with(1, search_plain_params());
    struct position p = position_of(FEN_START);
    const Move moves[] = {move_make(0, 63, QUIET), move_make(1, 18, QUIET)};
    struct search_limits limits = {.depth = 3, .moves = moves, .move_count = 2};
    cr_assert_eq(engine_search(e, &p, NULL, &limits, NULL).best, moves[1]);
    limits.move_count = 1;
    cr_assert_eq(engine_search(e, &p, NULL, &limits, NULL).best, NO_MOVE);
    engine_destroy(e);
}

/* ---- what is told ---- */

/* Of any search: never the same best move twice in a row, nodes and depths that never fall, legal
 * lines, distinct and sorted; the last best move told is the result, and the first line's. */
Test(deepening, tells_in_order)
{
    struct stream s = seeded(4);
    struct engine *e = engine_with(1, search_initial_params());
    for (int i = 0; i < thorough(110, 300); i++) {
        struct search_params params = random_params(&s, i % 2 ? &search_all_table : &search_table);
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct recorder r = {0};
        const struct search_limits limits = {.nodes = 1 + stream_below(&s, 20000),
                                             .depth = 6,
                                             .lines = 1 + (int)stream_below(&s, 4)};
        const struct told *before = NULL, *first = NULL;
        Move best = NO_MOVE;
        engine_set_params(e, &params);
        struct search_result result = record(e, &p, &limits, &r);
        for (int j = 0; j < r.count && j < RECORDED; j++) {
            const struct told *t = &r.told[j];
            if (j > 0)
                cr_assert(t->nodes >= t[-1].nodes && t->depth >= t[-1].depth);
            cr_assert_leq(t->nodes, limits.nodes + 1);
            if (t->sort == TOLD_BEST) {
                cr_assert_neq(t->move, best);
                best = t->move;
            } else if (t->bound == BOUND_EXACT) {
                if (t->index > 0)
                    cr_assert(before->index == t->index - 1 && before->score >= t->score &&
                              before->move != t->move);
                else
                    first = t;
                before = t;
            }
        }
        if (best != NO_MOVE && result.depth > 0)
            cr_assert_eq(best, result.best);
        if (!result.stopped && first != NULL)
            cr_assert(first->move == result.best && first->score == result.score);
        cr_assert_eq(r.bad_lines, 0);
        cr_assert(movegen_is_legal(&p, result.best));
        if (result.line.length == 0) { /* the nodes ended within the first move */
            cr_assert_eq(result.depth, 0);
            continue;
        }
        cr_assert(is_legal_line(&p, result.line.moves, result.line.length) &&
                  result.line.moves[0] == result.best);
    }
    engine_destroy(e);
}

/* The longest line is no shorter than the one that is told, also where the rules end it before
 * quiescence. */
Test(deepening, tells_how_deep_its_lines_go)
{
    static const char *const fens[] = {
        "8/8/8/4k3/8/8/8/K7 w - - 0 1",          /* insufficient material */
        "4k3/8/8/8/8/8/8/R3K3 w - - 98 80",      /* fifty moves */
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", /* mate in three */
    };
    struct engine *e = engine_with(1, search_plain_params());
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct position p = position_of(fens[i]);
        struct recorder r = {0};
        const struct search_limits limits = {.depth = 6};
        engine_clear(e);
        record(e, &p, &limits, &r);
        cr_assert_gt(r.count, 0);
        for (int j = 0; j < r.count; j++)
            cr_assert(r.told[j].sort != TOLD_LINE || r.told[j].seldepth >= r.told[j].length,
                      "%s: %d of %d", fens[i], r.told[j].seldepth, r.told[j].length);
    }
    engine_destroy(e);
}

/* The first iteration of the plain search tells every move that is better than all before it in
 * canonical order, but the first only if none is, and then when the iteration has ended. */
Test(deepening, the_first_move_waits_for_the_end_of_its_iteration)
{
    struct evaluation eval = evaluation_initial();
    struct engine *e = engine_with(1, search_plain_params());
    struct stream s = seeded(5);
    int waited = 0;
    for (int i = 0; i < 1000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct move_list list;
        struct game g;
        struct recorder r = {0};
        const struct search_limits limits = {.depth = 1};
        Move expected[MAX_MOVES];
        int count = 0;
        int32_t best = -INFINITE_SCORE;
        game_start(&g, &p);
        movegen_legal(&p, &list);
        movegen_sort(&list);
        for (int j = 0; j < list.count; j++) {
            int32_t value = minimax_move(&g, &eval, list.moves[j], 1);
            if (value <= best)
                continue;
            best = value;
            if (j > 0)
                expected[count++] = list.moves[j];
        }
        bool first = count == 0;
        if (first)
            expected[count++] = list.moves[0];
        waited += first;
        struct search_result result = record(e, &p, &limits, &r);
        cr_assert_eq(r.count, count + 1, "the best moves, and the line");
        for (int j = 0; j < count; j++) {
            cr_assert_eq(r.told[j].sort, TOLD_BEST);
            cr_assert_eq(r.told[j].move, expected[j]);
        }
        cr_assert_eq(r.told[count].sort, TOLD_LINE);
        if (first)
            cr_assert_eq(r.told[0].nodes, result.nodes, "when the iteration has ended");
    }
    cr_assert_gt(waited, 10);
    engine_destroy(e);
}

/* ---- ending ---- */

/* Whatever call answers that the search should end is the last. */
Test(deepening, the_observer_ends_the_search)
{
    struct stream s = seeded(6);
    struct engine *e = engine_with(1, search_initial_params());
    for (int i = 0; i < thorough(16, 60); i++) {
        struct search_params params = random_params(&s, i % 2 ? &search_all_table : &search_table);
        if (i % 4 == 1)
            params.value[ASPIRATION_WINDOW] = 1;
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        const struct search_limits limits = {
            .nodes = 30000, .depth = 12, .lines = 1 + (int)stream_below(&s, 3)};
        struct recorder all = {0};
        engine_set_params(e, &params);
        record(e, &p, &limits, &all);
        for (int j = 1; j <= all.count && j <= RECORDED; j++) {
            struct recorder r = {.end_after = j};
            engine_clear(e);
            struct search_result result = record(e, &p, &limits, &r);
            cr_assert_eq(r.count, j, "chromosome %d: told %d times, not %d", i, r.count, j);
            cr_assert(result.stopped);
            cr_assert_eq(result.nodes, all.told[j - 1].nodes, "it ends at once");
            cr_assert_leq(result.depth, all.told[j - 1].depth);
        }
    }
    engine_destroy(e);
}

/* An iteration that the observer cut short is not one that was completed. */
Test(deepening, only_whole_iterations_count)
{
    struct stream s = seeded(7);
    struct search_params params = search_plain_params();
    params.value[ASPIRATION_WINDOW] = 1;
    struct engine *e = engine_with(1, params);
    const int cases = thorough(10, 40);
    int failed = 0;
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        const struct search_limits limits = {.nodes = 50000, .depth = 7};
        struct recorder all = {0};
        engine_clear(e);
        record(e, &p, &limits, &all);
        for (int j = 0; j < all.count && j < RECORDED; j++) {
            const struct told *t = &all.told[j];
            if (t->sort != TOLD_LINE || t->bound == BOUND_EXACT)
                continue;
            struct recorder r = {.end_after = j + 1};
            engine_clear(e);
            cr_assert_eq(record(e, &p, &limits, &r).depth, t->depth - 1);
            failed++;
        }
    }
    cr_assert_gt(failed, cases / 4, "windows fail");
    engine_destroy(e);
}

/* `stop` is asked every 1,024 nodes or so, and obeyed at once. */
Test(deepening, stops_when_asked)
{
    struct engine *e = engine_with(1, search_plain_params());
    struct position p = position_of(FEN_START);
    for (int polls = 1; polls < 40; polls++) {
        struct recorder r = {.stop_at = polls};
        const struct search_limits limits = {.depth = 20};
        engine_clear(e);
        struct search_result result = record(e, &p, &limits, &r);
        cr_assert_eq(r.polls, polls);
        cr_assert(result.stopped);
        cr_assert_leq(result.nodes, (uint64_t)polls * 1100);
        cr_assert(movegen_is_legal(&p, result.best));
    }
    engine_destroy(e);
}

/* A mate as near as was asked for ends the search. */
Test(deepening, ends_at_the_mate_that_was_asked_for)
{
    struct engine *e = engine_with(1, search_plain_params());
    struct position p = position_of("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for (int mate = 1; mate <= 4; mate++) {
        const struct search_limits limits = {.depth = 6, .mate = mate};
        engine_clear(e);
        struct search_result r = engine_search(e, &p, NULL, &limits, NULL);
        cr_assert_eq(score_mate_moves(r.score), 3);
        cr_assert_eq(r.depth == 6, mate < 3, "mate in %d: depth %d", mate, r.depth);
        cr_assert_not(r.stopped);
    }
    engine_destroy(e);
}

/* A depth is reached, no limit of nodes needed, whatever the parameters. */
Test(deepening, reaches_its_depth)
{
    struct stream s = seeded(8);
    struct engine *e = engine_with(1, search_initial_params());
    for (int i = 0; i < 200; i++) {
        struct search_params params = random_params(&s, i % 2 ? &search_all_table : &search_table);
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct recorder r = {.stop_at = 5000};
        const struct search_limits limits = {.depth = 3};
        engine_set_params(e, &params);
        struct search_result result = record(e, &p, &limits, &r);
        cr_assert_not(result.stopped, "five million nodes for three plies");
        cr_assert_eq(result.depth, 3);
    }
    engine_destroy(e);
}
