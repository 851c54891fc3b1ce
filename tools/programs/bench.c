#include "programs.h"

#include "clock.h"
#include "compiled.h"
#include "engine.h"
#include "quiesce.h"
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 48, PLIES = 100, POSITIONS_MAX = GAMES * PLIES };
enum { SEARCH_DEPTH = 8, SEARCH_HASH = 16, SEARCH_EVERY = 100 };

static struct evaluation random_evaluation(struct stream *s)
{
    struct eval_weights w;
    for (int t = 0; t < EVAL_TERMS; t++) {
        const struct param *p = &eval_table.params[t];
        w.value[t] = p->min + (int32_t)stream_below(s, (uint64_t)(p->max - p->min) + 1);
    }
    return evaluation_of_weights(&w);
}

/* Two random organisms play each other by 1-ply searches, from a random opening of eight plies.
 * Appends every position, with the move played, to `positions`. */
static uint64_t bench_game(uint64_t game, struct epd *positions, size_t *count)
{
    struct stream s;
    struct position p;
    uint64_t nodes = 0;
    stream_init(&s, 0, STREAM_TEST, game, 0);
    const struct evaluation players[2] = {random_evaluation(&s), random_evaluation(&s)};
    position_from_fen(&p, FEN_START, NULL, NULL);
    for (int ply = 0; ply < PLIES && movegen_any(&p); ply++) {
        struct move_list list;
        struct undo undo;
        movegen_legal(&p, &list);
        movegen_sort(&list);
        Move m = ply < 8 ? list.moves[stream_below(&s, (uint64_t)list.count)]
                         : one_ply_search(&p, &players[ply % 2], LEAF_QUIESCENCE, &nodes);
        positions[*count] = (struct epd){.position = p, .best = {m}, .best_count = 1};
        ++*count;
        position_make(&p, m, &undo);
    }
    return nodes;
}

/* Runs the whole workload in the given buffer of positions, and prints the count of each part. */
static bool bench_all(struct epd *positions, uint64_t *nodes, struct error *err)
{
    const struct search_limits limits = {.depth = SEARCH_DEPTH};
    size_t count = 0;
    int64_t matched = 0;
    uint64_t moves = 0, searched = 0;
    struct position start;
    position_from_fen(&start, FEN_START, NULL, NULL);
    const uint64_t leaves = perft(&start, 5);
    puts("set               paper: paper-eval, paper-search");
    printf("perft        %10llu leaves\n", (unsigned long long)leaves);
    for (uint64_t game = 0; game < GAMES; game++)
        moves += bench_game(game, positions, &count);
    printf("1-ply games  %10llu nodes\n", (unsigned long long)moves);
    /* The moves played that the paper's weights choose too. */
    const struct eval_weights w = eval_initial_weights();
    struct compiled_set *set =
        compiled_create(positions, count, &(struct compiled_settings){.threads = 1}, err);
    const bool good = set != NULL && compiled_match(set, w.value, 1, 1, NULL, &matched, err);
    compiled_destroy(set);
    if (!good)
        return false;
    printf("move match   %10lld of %zu\n", (long long)matched, count);
    /* Some of the positions, evenly spread, with the initial weights and parameters, which are the paper's. */
    struct engine *e = engine_create(SEARCH_HASH, err);
    for (size_t i = 0; e != NULL && i < count; i += SEARCH_EVERY) {
        engine_clear(e);
        searched += engine_search(e, &positions[i].position, NULL, &limits, NULL).nodes;
    }
    engine_destroy(e);
    if (e == NULL)
        return false;
    printf("search       %10llu nodes\n", (unsigned long long)searched);
    *nodes = leaves + moves + (uint64_t)matched + searched;
    return true;
}

bool bench_run(struct error *err)
{
    const double start = clock_seconds();
    uint64_t nodes = 0;
    struct epd *positions = calloc(POSITIONS_MAX, sizeof *positions);
    bool done = positions != NULL ? bench_all(positions, &nodes, err)
                                  : error_set(err, "no memory for the workload");
    free(positions);
    if (done)
        printf("%llu nodes %.0f nps\n", (unsigned long long)nodes,
               (double)nodes / (clock_seconds() - start));
    return done;
}
