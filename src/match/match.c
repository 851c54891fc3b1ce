#include "match.h"

#include "engines.h"
#include "pieces.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- life cycle ---- */

/* The openings of all pairs: pass after pass through the book, each in an order of its own. */
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

/* Counts a pair, and lets the sequential test look at it. */
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

/* What the threads share. */
struct hall {
    struct match *match;
    const struct match_watcher *watcher;
    struct game_conditions conditions;
    struct engine **engines[2]; /* of A and B, for each thread */
    int64_t first;              /* the number of the first piece's game */
    struct game *games;         /* by piece */
    atomic_bool cancelled;      /* the games under way are not wanted any more */
    enum match_end end;
    struct error *err;
};

/* Ends the match early; the first reason counts. */
static void leave(struct hall *h, enum match_end end, const struct error *reason)
{
    if (h->end == MATCH_OVER) {
        h->end = end;
        if (reason != NULL)
            *h->err = *reason;
    }
    atomic_store(&h->cancelled, true);
}

/* Says why a game has no result. */
static void explain(struct hall *h, int64_t number, const struct game *g, const struct error *err)
{
#pragma omp critical(match)
    {
        if (err->text[0] != '\0')
            leave(h, MATCH_FAILED, err);
        else if (g->end == GAME_ABANDONED && !atomic_load(&h->cancelled))
            leave(h, MATCH_STOPPED, NULL);
        else if (g->end == GAME_BROKEN && h->end == MATCH_OVER) {
            leave(h, MATCH_BROKEN, NULL);
            h->watcher->broken(h->watcher->context, number, g);
        }
    }
}

/* Plays a game on a thread's two engines. */
static bool play(void *context, int thread, size_t piece, void *result)
{
    struct hall *h = context;
    struct error err = {""};
    int64_t number = h->first + (int64_t)piece;
    struct game *g = &h->games[piece];
    struct engine *const players[2] = {h->engines[match_player_of(number, WHITE)][thread],
                                       h->engines[match_player_of(number, BLACK)][thread]};
    (void)result;
    bool good = game_play(players, match_opening(h->match, number), &h->conditions, g, &err) &&
                g->end != GAME_ABANDONED && g->end != GAME_BROKEN;
    if (!good)
        explain(h, number, g, &err);
    return good;
}

/* Counts the next game, and tells of it. */
static bool take(void *context, size_t piece, const void *result)
{
    struct hall *h = context;
    struct error err = {""};
    struct game *g = &h->games[piece];
    (void)result;
    match_count(h->match, g->result);
    bool good = h->watcher->played(h->watcher->context, h->match->played - 1, g, &err);
    game_free(g);
    if (!good) {
#pragma omp critical(match)
        leave(h, MATCH_FAILED, &err);
    }
    if (!match_goes_on(h->match))
        atomic_store(&h->cancelled, true);
    return good && match_goes_on(h->match);
}

static void close_hall(struct hall *h)
{
    const struct match_settings *s = h->match->settings;
    for (int p = 0; p < 2; p++)
        engines_destroy(h->engines[p], s->threads);
    for (int64_t i = 0; h->games != NULL && i < s->games - h->first; i++)
        game_free(&h->games[i]);
    free(h->games);
}

/* Engines for each thread, and room for the games. */
static bool open_hall(struct hall *h, struct error *err)
{
    const struct match_settings *s = h->match->settings;
    h->first = h->match->played;
    h->conditions = (struct game_conditions){.limits = s->limits,
                                             .adjudication = s->adjudication,
                                             .stop = s->stop,
                                             .cancelled = &h->cancelled};
    for (int p = 0; p < 2; p++) {
        h->engines[p] = engines_create(s->threads, s->hash_mib, &s->players[p].weights, err);
        if (h->engines[p] == NULL)
            return false;
        for (int i = 0; i < s->threads; i++)
            engine_set_params(h->engines[p][i], &s->players[p].params);
    }
    h->games = calloc((size_t)(s->games - h->first), sizeof *h->games);
    return h->games != NULL || error_set(err, "no memory for %lld games", (long long)s->games);
}

enum match_end match_play(struct match *m, const struct match_watcher *watcher, struct error *err)
{
    struct hall h = {.match = m, .watcher = watcher, .err = err};
    if (!match_goes_on(m))
        return MATCH_OVER;
    if (!open_hall(&h, err))
        h.end = MATCH_FAILED;
    const struct pieces pieces = {.count = (size_t)(m->settings->games - h.first),
                                  .threads = m->settings->threads,
                                  .result_size = 1,
                                  .context = &h,
                                  .work = play,
                                  .take = take};
    if (h.end == MATCH_OVER && !pieces_do(&pieces, err))
        h.end = MATCH_FAILED;
    close_hall(&h);
    return h.end;
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
