/* What a match costs beside the searches that it is made of: nodes a second of a match on two
 * threads, and of the same searches of the same positions in the same order of engines, on two
 * threads and with nothing around them. By turns, since other work may share the machine; the
 * processor time beside the wall's shows how much of it did.
 *
 *   bench_match OPENINGS.epd EVAL.yaml OTHER-EVAL.yaml SEARCH.yaml [GAMES] */
#include "engine.h"
#include "match.h"
#include "parse.h"
#include "values.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GAMES = 60, ROUNDS = 5, THREADS = 2, NODES = 5000, HASH = 16 };

/* Nodes, and what they took. */
struct effort {
    uint64_t nodes;
    double wall, processor; /* seconds */
};

/* A match, and its games, which are kept to be searched again. */
struct bench {
    struct match_settings settings;
    struct book book;
    struct match match;
    struct game *games; /* owned, with their moves */
    int count;
};

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const struct error *err)
{
    fprintf(stderr, "bench_match: %s\n", err->text);
    exit(1);
}

/* ---- the match ---- */

/* Copies a game, for it is freed when this returns. */
static bool keep_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct bench *b = context;
    struct game *kept = &b->games[number];
    size_t size = (size_t)g->plies * sizeof *g->moves;
    free(kept->moves);
    *kept = *g;
    kept->moves = malloc(size);
    if (kept->moves == NULL)
        return error_set(err, "no memory for a game");
    memcpy(kept->moves, g->moves, size);
    b->count = (int)number + 1;
    return true;
}

static struct effort play_match(struct bench *b)
{
    struct error err = {""};
    const struct match_watcher watcher = {.context = b, .played = keep_game};
    struct effort e = {.wall = -seconds(CLOCK_MONOTONIC),
                       .processor = -seconds(CLOCK_PROCESS_CPUTIME_ID)};
    if (!match_init(&b->match, &b->settings, &err) ||
        match_play(&b->match, &watcher, &err) != JOBS_DONE)
        die(&err);
    e.wall += seconds(CLOCK_MONOTONIC);
    e.processor += seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < b->count; i++)
        e.nodes += b->games[i].nodes;
    match_finish(&b->match);
    return e;
}

/* ---- its searches alone ---- */

/* A thread's share: every second game. */
struct share {
    const struct bench *bench;
    struct engine *engines[2]; /* of A and B */
    int first;
    struct effort effort;
};

/* Searches the positions of a game. */
static void search_game(struct share *s, int number)
{
    const struct game *g = &s->bench->games[number];
    const struct search_limits limits = {.nodes = NODES};
    struct position p = g->start;
    struct history history;
    struct undo undo;
    history_init(&history);
    for (int i = 0; i < 2; i++)
        engine_clear(s->engines[i]);
    for (int i = 0; i < g->plies; i++) {
        int player = match_player_of(number, (enum color)p.side);
        if (i >= g->opening_plies)
            s->effort.nodes += engine_search(s->engines[player], &p, &history, &limits, NULL).nodes;
        history_push(&history, &p);
        position_make(&p, g->moves[i].move, &undo);
    }
}

static void *search_share(void *context)
{
    struct share *s = context;
    s->effort.wall = -seconds(CLOCK_MONOTONIC);
    s->effort.processor = -seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int number = s->first; number < s->bench->count; number += THREADS)
        search_game(s, number);
    s->effort.wall += seconds(CLOCK_MONOTONIC);
    s->effort.processor += seconds(CLOCK_THREAD_CPUTIME_ID);
    return NULL;
}

static void open_share(struct share *s, const struct bench *b, int first)
{
    struct error err = {""};
    *s = (struct share){.bench = b, .first = first};
    for (int i = 0; i < 2; i++) {
        s->engines[i] = engine_create(HASH, &err);
        if (s->engines[i] == NULL)
            die(&err);
        engine_set_evaluation(s->engines[i], &b->settings.players[i].eval);
        engine_set_params(s->engines[i], &b->settings.players[i].params);
    }
}

/* The wall's time is the mean of the threads', none of which waits for another. */
static struct effort search_all(const struct bench *b)
{
    struct share shares[THREADS];
    pthread_t threads[THREADS];
    struct effort sum = {0};
    for (int i = 0; i < THREADS; i++) {
        open_share(&shares[i], b, i);
        pthread_create(&threads[i], NULL, search_share, &shares[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum.nodes += shares[i].effort.nodes;
        sum.wall += shares[i].effort.wall / THREADS;
        sum.processor += shares[i].effort.processor;
        for (int p = 0; p < 2; p++)
            engine_destroy(shares[i].engines[p]);
    }
    return sum;
}

/* ---- both ---- */

static void show(const char *what, const struct effort *e)
{
    printf("%-8s  %.1f M nodes, %6.2f s, processor %6.2f s: %.3f M nodes/s, %.3f by processor\n",
           what, 1e-6 * (double)e->nodes, e->wall, e->processor, 1e-6 * (double)e->nodes / e->wall,
           1e-6 * (double)e->nodes / e->processor);
}

/* What the match makes of the speed of its searches, by the wall and by the processor. */
struct ratio {
    double wall, processor;
};

static struct ratio compare(const struct effort *match, const struct effort *searches)
{
    return (struct ratio){searches->wall / match->wall, searches->processor / match->processor};
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(const double *values)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, ROUNDS, sizeof sorted[0], by_size);
    return sorted[ROUNDS / 2];
}

static void load(struct bench *b, char **argv)
{
    struct error err = {""};
    struct match_player *p = b->settings.players;
    if (!book_read(&b->book, argv[1], 1, &err) || !values_evaluation(argv[2], &p[0].eval, &err) ||
        !values_evaluation(argv[3], &p[1].eval, &err) ||
        !values_search_params(argv[4], &p[0].params, &err))
        die(&err);
    p[1].params = p[0].params;
    b->games = calloc((size_t)b->settings.games, sizeof *b->games);
    if (b->games == NULL)
        die(&(struct error){"no memory for the games"});
}

int main(int argc, char **argv)
{
    int64_t games = GAMES;
    if ((argc != 5 && argc != 6) || (argc == 6 && !parse_int64(argv[5], &games)) || games < 2 ||
        games % 2 != 0 || games > MATCH_GAMES_MAX) {
        fputs("usage: bench_match OPENINGS.epd EVAL.yaml OTHER-EVAL.yaml SEARCH.yaml [GAMES]\n",
              stderr);
        return 2;
    }
    struct bench b = {.settings = {.book = &b.book,
                                   .seed = 1,
                                   .games = games,
                                   .limits.nodes = NODES,
                                   .hash_mib = HASH,
                                   .threads = THREADS}};
    struct effort m, s;
    double wall[ROUNDS], processor[ROUNDS], best = 0;
    load(&b, argv);
    for (int i = 0; i < ROUNDS; i++) {
        m = play_match(&b);
        s = search_all(&b);
        show("match", &m);
        show("searches", &s);
        struct ratio r = compare(&m, &s);
        wall[i] = r.wall;
        processor[i] = r.processor;
        best = fmax(best, (double)games / m.wall);
    }
    printf(
        "%.2f games/s at best; of the searches' speed %.1f %% (95 are wanted), %.1f by processor; "
        "medians of %d\n",
        best, 100 * median(wall), 100 * median(processor), ROUNDS);
    for (int i = 0; i < b.count; i++)
        game_free(&b.games[i]);
    free(b.games);
    book_free(&b.book);
    return m.nodes == s.nodes ? 0 : 1;
}
