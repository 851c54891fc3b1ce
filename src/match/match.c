#include "match.h"

#include "engines.h"
#include "jobs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- life cycle ---- */

/* Selects the openings of all pairs: pass after pass through the book, each in a new order. */
static bool choose_openings(struct match *m)
{
    const struct match_settings *s = m->settings;
    size_t pairs = (size_t)s->games / 2, count = s->book->count;
    size_t passes = (pairs + count - 1) / count;
    m->openings = calloc(passes * count + 1, sizeof *m->openings);
    for (size_t pass = 0; m->openings != NULL && pass < passes; pass++)
        book_shuffle(s->seed, pass, count, m->openings + pass * count);
    return m->openings != NULL;
}

bool match_init(struct match *m, const struct match_settings *settings, struct error *err)
{
    assert(settings->book->count > 0 && settings->games % 2 == 0);
    *m = (struct match){.settings = settings};
    return choose_openings(m) ||
           error_set(err, "no memory for %lld games", (long long)settings->games);
}

void match_finish(struct match *m)
{
    free(m->openings);
    *m = (struct match){0};
}

/* ---- games ---- */

int match_player_of(int64_t number, enum color side)
{
    return (int)((number + side) % 2);
}

const struct opening *match_opening(const struct match *m, int64_t number)
{
    return &m->settings->book->items[m->openings[number / 2]];
}

bool match_goes_on(const struct match *m)
{
    return m->played < m->settings->games && m->decision == SPRT_GOES_ON;
}

/* Counts a pair and updates the sequential test. */
static void count_pair(struct match *m, int half_points)
{
    m->counts.pairs[half_points]++;
    if (m->settings->sequential)
        m->decision = sprt_decide(&m->settings->sprt, &m->counts);
}

void match_count(struct match *m, enum game_result result)
{
    assert(match_goes_on(m));
    bool white = match_player_of(m->played, WHITE) == 0, second = m->played % 2 == 1;
    int half_points = white ? (int)result : 2 - (int)result;
    m->counts.losses += half_points == 0;
    m->counts.draws += half_points == 1;
    m->counts.wins += half_points == 2;
    m->played++;
    if (second)
        count_pair(m, m->first + half_points);
    m->first = half_points;
}

/* ---- playing ---- */

/* A game as the result of a job. `moves` is large enough: at most 30 captures and 96 pawn moves
 * each restart the count of 100 plies. */
struct record {
    enum game_result result;
    enum game_end end;
    int plies, opening_plies;
    uint64_t nodes;
    struct game_move moves[12800];
};

/* What a worker needs to play. */
struct game_worker {
    struct engine **engines; /* for A and B */
    struct game game;        /* the last game */
};

/* Context of `take`. */
struct match_taker {
    struct match *match;
    const struct match_watcher *watcher;
    enum match_end end;
    struct error *err;
};

static void finish_worker(void *worker)
{
    struct game_worker *b = worker;
    engines_destroy(b->engines, 2);
    game_free(&b->game);
    free(b);
}

/* Creates a worker's engines for both players. */
static void *begin_worker(const void *context, struct error *err)
{
    const struct match_settings *s = ((const struct match *)context)->settings;
    struct game_worker *b = calloc(1, sizeof *b);
    if (b == NULL) {
        error_set(err, "no memory for a game");
        return NULL;
    }
    b->engines = engines_create(2, s->hash_mib, &s->players[0].weights, err);
    for (int p = 0; b->engines != NULL && p < 2; p++) {
        engine_set_weights(b->engines[p], &s->players[p].weights);
        engine_set_params(b->engines[p], &s->players[p].params);
    }
    if (b->engines != NULL)
        return b;
    free(b);
    return NULL;
}

/* Copies a game into a record. */
static void record_game(struct record *r, const struct game *g)
{
    assert((size_t)g->plies <= sizeof r->moves / sizeof r->moves[0]);
    r->result = g->result;
    r->end = g->end;
    r->plies = g->plies;
    r->opening_plies = g->opening_plies;
    r->nodes = g->nodes;
    if (g->plies > 0)
        memcpy(r->moves, g->moves, (size_t)g->plies * sizeof r->moves[0]);
}

/* Plays a game; false if stopped or out of memory. The block is the number of the batch's first
 * game. */
static bool play(struct job *job, void *result, struct error *err)
{
    const struct match *m = job->context;
    const struct match_settings *s = m->settings;
    const int64_t *first = job->block, number = *first + (int64_t)job->number;
    struct game_worker *b = job->worker;
    const struct game_conditions conditions = {.limits = s->limits,
                                               .adjudication = s->adjudication,
                                               .stop = job->stop,
                                               .cancelled = job->cancelled};
    struct engine *const players[2] = {b->engines[match_player_of(number, WHITE)],
                                       b->engines[match_player_of(number, BLACK)]};
    if (!game_play(players, match_opening(m, number), &conditions, &b->game, err))
        return false;
    record_game(result, &b->game);
    return b->game.end != GAME_ABANDONED;
}

static const struct job_kind game_job = {.result_size = sizeof(struct record),
                                         .begin = begin_worker,
                                         .finish = finish_worker,
                                         .work = play};

/* Counts the next game and calls the watcher; ends the match if the game is broken. */
static bool take(void *taker, size_t number, void *result)
{
    struct match_taker *h = taker;
    struct match *m = h->match;
    struct record *r = result;
    const struct game g = {.start = match_opening(m, m->played)->start,
                           .moves = r->moves,
                           .plies = r->plies,
                           .opening_plies = r->opening_plies,
                           .result = r->result,
                           .end = r->end,
                           .nodes = r->nodes};
    (void)number;
    if (g.end == GAME_BROKEN) {
        h->end = MATCH_BROKEN;
        h->watcher->broken(h->watcher->context, m->played, &g);
        return false;
    }
    match_count(m, g.result);
    if (!h->watcher->played(h->watcher->context, m->played - 1, &g, h->err))
        h->end = MATCH_FAILED;
    return h->end == MATCH_OVER && match_goes_on(m);
}

enum match_end match_play(struct match *m, const struct match_watcher *watcher, struct error *err)
{
    static const enum match_end ends[] = {
        [JOBS_DONE] = MATCH_OVER, [JOBS_STOPPED] = MATCH_STOPPED, [JOBS_FAILED] = MATCH_FAILED};
    const int64_t first = m->played;
    struct match_taker h = {.match = m, .watcher = watcher, .err = err};
    const struct jobs_batch batch = {.count = (size_t)(m->settings->games - first),
                                     .block = &first,
                                     .block_size = sizeof first,
                                     .stop = m->settings->stop,
                                     .taker = &h,
                                     .take = take};
    if (!match_goes_on(m))
        return MATCH_OVER;
    struct jobs *jobs = jobs_create(&game_job, m, m->settings->threads, err);
    enum jobs_end end = jobs != NULL ? jobs_run(jobs, &batch, err) : JOBS_FAILED;
    jobs_destroy(jobs);
    return h.end != MATCH_OVER ? h.end : ends[end];
}

bool match_replay(const struct match *m, int64_t number, int plies, struct game *g,
                  struct error *err)
{
    const struct match_settings *s = m->settings;
    const struct opening *opening = match_opening(m, number);
    const struct game_conditions conditions = {
        .limits = s->limits, .adjudication.max_plies = opening->plies + plies, .stop = s->stop};
    struct engine *engines[2] = {NULL, NULL};
    bool good = true;
    for (int side = WHITE; good && side <= BLACK; side++) {
        const struct match_player *p = &s->players[match_player_of(number, (enum color)side)];
        engines[side] = engine_create(s->hash_mib, err);
        good = engines[side] != NULL;
        if (good) {
            engine_set_weights(engines[side], &p->weights);
            engine_set_params(engines[side], &p->params);
        }
    }
    good = good && game_play(engines, opening, &conditions, g, err);
    engine_destroy(engines[WHITE]);
    engine_destroy(engines[BLACK]);
    return good;
}
