/* An engine: the same searches give the same nodes, what is forgotten is forgotten, limits hold,
 * and engines side by side do not disturb each other. */
#include "engine.h"
#include "engine_with.h"
#include "minimax.h"
#include "position_of.h"
#include "random_params.h"
#include "recorder.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <time.h>

/* ---- engine ---- */

/* All that a search tells and gives, in one number. */
static uint64_t signature(struct engine *e, const struct position *p,
                          const struct search_limits *limits)
{
    struct recorder r = {.root = p};
    struct search_observer observer = recorder_observer(&r);
    struct search_result result = engine_search(e, p, NULL, limits, &observer);
    recorder_add(&r, result.nodes);
    recorder_add(&r, result.best);
    for (int i = 0; i < result.line.length; i++)
        recorder_add(&r, result.line.moves[i]);
    recorder_add(&r, (uint64_t)result.score << 2 | result.line.bound);
    recorder_add(&r, (uint64_t)result.depth << 16 | (uint64_t)result.line.seldepth);
    recorder_add(&r, (uint64_t)engine_hashfull(e));
    return r.sum;
}

/* ---- the same again ---- */

/* A cleared engine that has searched other things is a new engine, node for node: entries of its
 * table that belong to an earlier epoch are neither found nor counted nor preferred as slots. The
 * new engine's table has been zeroed by its creation. */
Test(engine, cleared_is_new)
{
    const int sizes[] = {1, 2, 5, 16};
    struct stream s = seeded(1);
    for (int i = 0; i < 4; i++) {
        struct engine *used = engine_with(sizes[i], search_initial_params());
        for (int j = 0; j < thorough(2, 10); j++) {
            struct search_params params =
                random_params(&s, j % 2 ? &search_all_table : &search_table);
            struct engine *new = engine_with(sizes[i], params);
            struct position p = random_position(&s, (int)stream_below(&s, 160));
            struct position other = random_position(&s, (int)stream_below(&s, 160));
            const struct search_limits limits = {.nodes = 30000};
            engine_set_params(used, &params);
            signature(used, &p, &limits);
            signature(used, &other, &limits);
            engine_clear(used);
            uint64_t first = signature(new, &p, &limits);
            cr_assert_eq(signature(used, &p, &limits), first, "%d MiB, chromosome %d", sizes[i], j);
            uint64_t second = signature(new, &other, &limits);
            cr_assert_eq(signature(used, &other, &limits), second, "nor in the search after it");
            cr_assert_neq(first, second);
            engine_destroy(new);
        }
        engine_destroy(used);
    }
}

/* What was set counts, not the way there. */
Test(engine, settings_empty_the_engine)
{
    struct stream s = seeded(2);
    struct engine *used = engine_with(3, search_initial_params());
    struct error err;
    for (int i = 0; i < thorough(9, 30); i++) {
        struct search_params params = random_params(&s, &search_all_table);
        struct evaluation eval =
            random_evaluation(&s, (enum evaluation_kind)(i % EVALUATION_KINDS));
        struct engine *new = engine_with(1 + i % 3, params);
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        const struct search_limits limits = {.nodes = 20000};
        engine_set_evaluation(new, &eval);
        signature(used, &p, &limits);
        engine_set_params(used, &params);
        signature(used, &p, &limits);
        engine_set_evaluation(used, &eval);
        signature(used, &p, &limits);
        cr_assert(engine_set_hash(used, 1 + i % 3, &err), "%s", err.text);
        cr_assert_eq(engine_hashfull(used), 0);
        cr_assert_eq(signature(used, &p, &limits), signature(new, &p, &limits));
        engine_destroy(new);
    }
    engine_destroy(used);
}

/* Without clearing, what was learned stays: the same search again is another. */
Test(engine, learns_between_searches)
{
    struct engine *e = engine_with(1, search_initial_params());
    struct position p = position_of(FEN_START);
    const struct search_limits limits = {.depth = 9};
    uint64_t first = engine_search(e, &p, NULL, &limits, NULL).nodes;
    cr_assert_gt(engine_hashfull(e), 0);
    uint64_t again = engine_search(e, &p, NULL, &limits, NULL).nodes;
    cr_assert_lt(again, first);
    engine_clear(e);
    cr_assert_eq(engine_search(e, &p, NULL, &limits, NULL).nodes, first);
    engine_destroy(e);
}

/* The observer sees, and the limit of nodes cuts off, the same search. */
Test(engine, watching_changes_nothing)
{
    struct stream s = seeded(4);
    struct engine *e = engine_with(1, search_initial_params());
    for (int i = 0; i < thorough(10, 40); i++) {
        struct search_params params = random_params(&s, i % 2 ? &search_all_table : &search_table);
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct recorder longer = {0}, shorter = {0};
        struct search_observer observer = recorder_observer(&longer);
        struct search_limits limits = {.nodes = 30000};
        engine_set_params(e, &params);
        struct search_result watched = engine_search(e, &p, NULL, &limits, &observer);
        engine_clear(e);
        struct search_result alone = engine_search(e, &p, NULL, &limits, NULL);
        cr_assert_eq(watched.nodes, alone.nodes);
        cr_assert_eq(watched.best, alone.best);
        cr_assert_eq(watched.score, alone.score);
        limits.nodes = 1 + stream_below(&s, 30000);
        observer.context = &shorter;
        engine_clear(e);
        engine_search(e, &p, NULL, &limits, &observer);
        cr_assert_leq(shorter.count, longer.count);
        for (int j = 0; j < shorter.count && j < RECORDED; j++) {
            cr_assert_eq(shorter.told[j].nodes, longer.told[j].nodes);
            cr_assert_eq(shorter.told[j].move, longer.told[j].move);
        }
    }
    engine_destroy(e);
}

/* ---- the fifty-move clock ---- */

/* King and rook against king, after so many plies without a capture or pawn move. */
static struct position late_position(int halfmove)
{
    struct position p = position_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 80");
    p.halfmove = (uint8_t)halfmove;
    return p;
}

/* The greatest score that iterations to depth 4 report. */
static int32_t greatest_score(struct engine *e, int halfmove)
{
    const struct position p = late_position(halfmove);
    const struct search_limits limits = {.depth = 4};
    struct recorder r = {.root = &p};
    const struct search_observer observer = recorder_observer(&r);
    int32_t greatest = -INFINITE_SCORE;
    engine_search(e, &p, NULL, &limits, &observer);
    for (int i = 0; i < r.count && i < RECORDED; i++)
        if (r.told[i].sort == TOLD_LINE && r.told[i].score > greatest)
            greatest = r.told[i].score;
    return greatest;
}

/* After 88 plies every leaf has faded to less than 60 %. Below a null move the clock is 0. */
Test(engine, a_search_does_not_mix_clocks)
{
    struct evaluation eval = modern_material_evaluation();
    struct engine *e = engine_with(1, search_initial_params());
    engine_set_evaluation(e, &eval);
    const int32_t whole = greatest_score(e, 0);
    engine_clear(e);
    const int32_t faded = greatest_score(e, 88);
    cr_assert(faded > 0 && faded * 10 <= whole * 6, "%d of %d", (int)faded, (int)whole);
    engine_destroy(e);
}

/* Nor do searches with one table. */
Test(engine, searches_do_not_mix_clocks)
{
    struct evaluation eval = modern_material_evaluation();
    struct engine *used = engine_with(1, search_plain_params()),
                  *new = engine_with(1, search_plain_params());
    const struct position p = late_position(0);
    const struct search_limits limits = {.depth = 1};
    engine_set_evaluation(used, &eval);
    engine_set_evaluation(new, &eval);
    greatest_score(used, 88);
    const struct search_result r = engine_search(used, &p, NULL, &limits, NULL),
                               expected = engine_search(new, &p, NULL, &limits, NULL);
    cr_assert_eq(r.score, expected.score, "%d, not %d", (int)r.score, (int)expected.score);
    cr_assert_eq(r.nodes, expected.nodes);
    engine_destroy(used);
    engine_destroy(new);
}

/* ---- limits ---- */

/* However early a search ends, its move is legal and its score between the mates. */
Test(engine, never_overruns_its_nodes)
{
    struct stream s = seeded(5);
    struct engine *e = engine_with(1, search_initial_params());
    for (int i = 0; i < thorough(250, 1000); i++) {
        struct search_params params = random_params(&s, i % 2 ? &search_all_table : &search_table);
        engine_set_params(e, &params);
        for (int j = 0; j < 4; j++) {
            struct position p = random_position(&s, (int)stream_below(&s, 160));
            struct search_limits limits = {.lines = (int)stream_below(&s, 4)};
            limits.nodes = 1 + stream_below(&s, UINT64_C(1) << (1 + stream_below(&s, 12)));
            struct search_result r = engine_search(e, &p, NULL, &limits, NULL);
            cr_assert_leq(r.nodes, limits.nodes + 1, "chromosome %d: %d of %d", i, (int)r.nodes,
                          (int)limits.nodes);
            cr_assert(movegen_is_legal(&p, r.best));
            cr_assert(r.score >= -MATE && r.score <= MATE);
            cr_assert(r.nodes >= limits.nodes || r.depth == MAX_DEPTH || !r.stopped);
        }
    }
    engine_destroy(e);
}

/* Searches within searches must all end at once: singular extension tests itself in its own. */
Test(engine, nested_searches_end_at_once)
{
    struct stream s = seeded(6);
    struct search_params params = search_plain_params();
    params.value[NULL_MOVE_USE] = params.value[NULL_MOVE_REDUCTION] = 1;
    params.value[FUTILITY_DEPTH] = 3;
    params.value[SINGULAR_DEPTH] = 1;
    struct engine *e = engine_with(1, params);
    for (int i = 0; i < thorough(400, 3000); i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        const struct search_limits limits = {.nodes = 1000 + stream_below(&s, 3000)};
        struct search_result r = engine_search(e, &p, NULL, &limits, NULL);
        cr_assert_leq(r.nodes, limits.nodes + 1, "%d of %d", (int)r.nodes, (int)limits.nodes);
    }
    engine_destroy(e);
}

/* With nothing to search, all depths are soon done. */
Test(engine, ends_at_the_greatest_depth)
{
    struct engine *e = engine_with(1, search_initial_params());
    struct position p = position_of("8/8/8/4k3/8/8/8/K7 w - - 0 1");
    struct search_result r = engine_search(e, &p, NULL, NULL, NULL);
    cr_assert_eq(r.depth, MAX_DEPTH);
    cr_assert_eq(r.score, 0);
    cr_assert_not(r.stopped);
    engine_destroy(e);
}

/* Lines up to the greatest length: forced moves, extended as far as can be. */
Test(engine, long_lines_stay_within_their_room)
{
    const char *const fens[] = {
        "8/8/8/8/8/5k2/7p/7K w - - 0 1",
        "k7/p7/P7/8/8/p7/P7/K7 w - - 0 1",
        "7k/8/8/1p1p1p1p/1P1P1P1P/8/8/K7 w - - 0 1",
        "1r5k/8/8/1p1p1p1p/1P1P1P1P/8/8/K6R w - - 0 1",
    };
    struct search_params params = search_initial_params();
    for (int i = CHECK_EXTENSION; i <= MATE_THREAT_EXTENSION; i++)
        params.value[i] = PLY;
    params.value[SINGULAR_DEPTH] = 1;
    params.value[QUIESCENCE_EVASIONS] = 1;
    params.value[QUIESCENCE_CHECKS] = 3;
    struct engine *e = engine_with(1, params);
    for (int i = 0; i < 4; i++) {
        struct position p = position_of(fens[i]);
        struct recorder r = {.root = &p};
        struct search_observer observer = recorder_observer(&r);
        const struct search_limits limits = {.nodes = 200000};
        struct search_result result = engine_search(e, &p, NULL, &limits, &observer);
        cr_assert_leq(result.line.seldepth, MAX_PLY);
        cr_assert_leq(result.nodes, limits.nodes + 1);
        cr_assert_eq(r.bad_lines, 0);
    }
    engine_destroy(e);
}

/* A game longer than the ring of keys, and a halfmove counter at its end. */
Test(engine, searches_after_a_long_history)
{
    struct engine *e = engine_with(1, search_initial_params());
    struct game g;
    struct position p = position_of("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
    game_start(&g, &p);
    for (int i = 0; i < 390; i++) {
        struct move_list list;
        movegen_legal(&g.at[g.last], &list);
        movegen_sort(&list);
        game_play(&g, list.moves[i % list.count]);
        if (!movegen_any(&g.at[g.last]) || position_insufficient_material(&g.at[g.last]))
            g.last--;
    }
    struct history h = game_history(&g);
    const struct search_limits limits = {.nodes = 5000};
    struct search_result r = engine_search(e, &g.at[g.last], &h, &limits, NULL);
    cr_assert(movegen_is_legal(&g.at[g.last], r.best));
    engine_destroy(e);
}

/* ---- side by side ---- */

enum { SEARCHES = 6 };

struct player {
    uint64_t seed;
    uint64_t signatures[SEARCHES];
};

/* Searches random positions with random parameters, the same for the same seed. */
static void *play(void *context)
{
    struct player *player = context;
    struct stream s = seeded(player->seed);
    struct error err;
    struct engine *e = engine_create(1, &err);
    for (int i = 0; e != NULL && i < SEARCHES; i++) {
        struct search_params params = random_params(&s, &search_all_table);
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        const struct search_limits limits = {.nodes = 40000};
        engine_set_params(e, &params);
        player->signatures[i] = signature(e, &p, &limits);
    }
    engine_destroy(e);
    return NULL;
}

Test(engine, threads_do_not_disturb_each_other)
{
    enum { PLAYERS = 4 };
    struct player alone[PLAYERS], together[PLAYERS];
    pthread_t threads[PLAYERS];
    for (int i = 0; i < PLAYERS; i++) {
        alone[i].seed = together[i].seed = (uint64_t)i;
        play(&alone[i]);
    }
    for (int i = 0; i < PLAYERS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
    for (int i = 0; i < PLAYERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PLAYERS; i++)
        for (int j = 0; j < SEARCHES; j++)
            cr_assert_eq(together[i].signatures[j], alone[i].signatures[j]);
    cr_assert_neq(alone[0].signatures[0], alone[1].signatures[0]);
}

/* ---- helpers ---- */

/* What a main search that leaves its helpers time has seen. */
struct slow {
    uint64_t polls, most; /* it stops after so many; 0: never */
    uint64_t nodes;       /* of its last line */
};

/* Called about every 1,024 nodes of the main search's own. */
static bool sleep_and_stop(void *context)
{
    struct slow *s = context;
    const struct timespec millisecond = {0, 1000000};
    nanosleep(&millisecond, NULL);
    return ++s->polls == s->most;
}

static bool note_nodes(void *context, const struct search_line *line)
{
    struct slow *s = context;
    cr_assert_geq(line->nodes, s->nodes, "the sum grows");
    s->nodes = line->nodes;
    return true;
}

static struct search_result search_slowly(struct engine *e, struct slow *s,
                                          const struct search_limits *limits)
{
    const struct position p = position_of(FEN_START);
    const struct search_observer observer = {
        .context = s, .stop = sleep_and_stop, .line = note_nodes};
    return engine_search(e, &p, NULL, limits, &observer);
}

/* The nodes are those of all threads, also where they limit the search; it ends when it is told to. */
Test(engine, helpers_search_too)
{
    struct engine *e = engine_with(4, search_initial_params());
    struct error err;
    const struct search_limits limits = {.nodes = 300000}, none = {0};
    struct slow limited = {0}, stopped = {.most = 100};
    cr_assert(engine_set_threads(e, 3, &err), "%s", err.text);
    struct search_result r = search_slowly(e, &limited, &limits);
    cr_assert(r.stopped && r.nodes >= 300000 && r.depth > 3 && r.best != NO_MOVE);
    cr_assert_lt(limited.polls * 1024, r.nodes * 9 / 10, "%d polls", (int)limited.polls);
    r = search_slowly(e, &stopped, &none);
    cr_assert(r.stopped && r.depth > 0 && r.best != NO_MOVE);
    cr_assert_eq(stopped.polls, 100);
    engine_destroy(e);
}

/* Back with one thread, an engine is a new one. */
Test(engine, one_thread_repeats)
{
    struct search_params params = search_initial_params();
    params.value[CORRECTION_SHARE] = 16;
    struct engine *used = engine_with(2, params), *new = engine_with(2, params);
    struct error err;
    const struct position p = position_of(FEN_START);
    const struct search_limits limits = {.depth = 7};
    for (int threads = 4; threads >= 1; threads--) {
        cr_assert(engine_set_threads(used, threads, &err), "%s", err.text);
        struct search_result r = engine_search(used, &p, NULL, &limits, NULL);
        cr_assert(r.depth == 7 && r.best != NO_MOVE && !r.stopped);
    }
    engine_clear(used);
    cr_assert_eq(signature(used, &p, &limits), signature(new, &p, &limits));
    engine_destroy(used);
    engine_destroy(new);
}
