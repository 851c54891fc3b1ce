#include "match.h"

#include "ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- life cycle ---- */

/* Openings are selected pass after pass through the book, each in a new order. */
bool match_init(struct match *m, const struct match_settings *settings, struct error *err)
{
    const size_t count = settings->book->count, pairs = (size_t)settings->games / 2;
    assert(count > 0 && settings->games % 2 == 0);
    const size_t passes = (pairs + count - 1) / count;
    *m = (struct match){.settings = settings};
    for (int i = 0; i < 2; i++)
        if (!book_suits(settings->book, settings->players[i].process, err))
            return false;
    m->openings = calloc(passes * count + 1, sizeof *m->openings);
    if (m->openings == NULL)
        return error_set(err, "no memory for %lld games", (long long)settings->games);
    for (size_t pass = 0; pass < passes; pass++)
        book_shuffle(settings->seed, pass, count, m->openings + pass * count);
    return true;
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

void match_count(struct match *m, enum game_result result, enum game_end end)
{
    assert(match_goes_on(m));
    const int half_points = match_player_of(m->played, WHITE) == 0 ? (int)result : 2 - (int)result;
    m->counts.losses += half_points == 0;
    m->counts.draws += half_points == 1;
    m->counts.wins += half_points == 2;
    if (half_points != 1)
        engine_faults_add(&m->failures[half_points == 2], engine_fault_of_game(end));
    if (m->played++ % 2 == 0) {
        m->first = half_points;
        return;
    }
    m->counts.pairs[m->first + half_points]++;
    if (m->settings->sequential)
        m->decision = sprt_decide(&m->settings->sprt, &m->counts);
}

/* ---- playing ---- */

/* A game as the result of a job, which grows to its moves. */
struct record {
    struct game game; /* without its moves */
    struct game_move moves[];
};

struct game_worker {
    struct player *players[2]; /* A and B */
    struct game game;          /* the last game */
};

struct match_taker {
    struct match *match;
    const struct match_watcher *watcher;
    bool failed;
    struct error *err;
};

static void finish_worker(void *worker)
{
    struct game_worker *b = worker;
    player_destroy(b->players[0]);
    player_destroy(b->players[1]);
    game_free(&b->game);
    free(b);
}

static void *begin_worker(const void *context, struct error *err)
{
    const struct match_settings *s = ((const struct match *)context)->settings;
    struct game_worker *b = calloc(1, sizeof *b);
    if (b == NULL)
        return error_null(err, "no memory for a game");
    for (int i = 0; i < 2; i++) {
        const struct match_player *p = &s->players[i];
        b->players[i] = p->process != NULL ? player_process_create(p->process, err)
                                           : player_engine_create(s->hash_mib, err);
        if (b->players[i] == NULL) {
            finish_worker(b);
            return NULL;
        }
        if (p->process == NULL)
            player_engine_set(b->players[i], &p->eval, &p->params);
    }
    return b;
}

/* Plays a game; false if stopped or out of memory. The block is the number of the batch's first game. */
static bool play(struct job *job, void *result, struct error *err)
{
    (void)result;
    const struct match *m = job->context;
    const struct match_settings *s = m->settings;
    const int64_t *first = job->block, number = *first + (int64_t)job->number;
    struct game_worker *b = job->worker;
    const struct game_conditions conditions = {.limits = s->limits,
                                               .adjudication = s->adjudication,
                                               .stop = job->stop,
                                               .cancelled = job->cancelled};
    struct player *const players[2] = {b->players[match_player_of(number, WHITE)],
                                       b->players[match_player_of(number, BLACK)]};
    if (!game_play(players, match_opening(m, number), &conditions, &b->game, err) ||
        b->game.end == GAME_ABANDONED)
        return false;
    const size_t moves = (size_t)b->game.plies * sizeof *b->game.moves;
    struct record *r = job_grow(job, sizeof *r + moves, err);
    if (r == NULL)
        return false;
    r->game = b->game;
    r->game.moves = NULL;
    if (moves > 0)
        memcpy(r->moves, b->game.moves, moves);
    return true;
}

static void describe(struct plan *p, void *context)
{
    struct match *m = context;
    struct match_settings *s = plan_structs(p, m->settings, 1, sizeof *s);
    struct book *book = plan_structs(p, s->book, 1, sizeof *book);
    m->openings = plan_array(p, m->openings, (size_t)s->games / 2, sizeof *m->openings);
    book->items = plan_array(p, book->items, book->count, sizeof *book->items);
    for (int i = 0; i < 2; i++)
        s->players[i].process = player_process_plan(p, s->players[i].process);
    s->book = book;
    m->settings = s;
}

const struct job_kind match_job = {.result_size = sizeof(struct record),
                                   .begin = begin_worker,
                                   .finish = finish_worker,
                                   .work = play,
                                   .name = "match",
                                   .context_size = sizeof(struct match),
                                   .describe = describe};

/* Counts the next game and calls the watcher; a broken game ends the match. */
static bool take(void *taker, size_t number, void *result)
{
    struct match_taker *h = taker;
    struct match *m = h->match;
    struct record *r = result;
    struct game *g = &r->game;
    (void)number;
    g->moves = r->moves;
    bool good = g->end != GAME_BROKEN ||
                match_broken_fail(h->watcher->broken_path, m, m->played, g, h->err);
    if (good)
        match_count(m, g->result, g->end);
    for (int side = WHITE; good && side <= BLACK; side++) {
        const struct game_effort *e = &g->efforts[side];
        const int player = match_player_of(m->played - 1, (enum color)side);
        struct game_effort *sum = &m->efforts[player];
        sum->moves += e->moves;
        sum->nodes += e->nodes;
        sum->cut += e->cut;
        const bool failed = g->failure[0] != '\0' && game_last_side(g) == (enum color)side;
        if (e->moves > 0)
            m->early[player] = failed && e->moves == 1 ? m->early[player] + 1 : 0;
    }
    good = good && h->watcher->played(h->watcher->context, m->played - 1, g, h->err);
    for (int p = 0; p < 2 && good; p++)
        if (m->early[p] >= MATCH_EARLY)
            good = error_set(h->err, "%s fails at its first move, in %d games in a row: %.*s",
                             m->settings->players[p].name, m->early[p],
                             (int)strcspn(g->failure, "\n"), g->failure);
    h->failed = !good;
    return good && match_goes_on(m);
}

enum jobs_end match_play(struct match *m, const struct match_watcher *watcher, struct error *err)
{
    const int64_t first = m->played;
    struct match_taker h = {.match = m, .watcher = watcher, .err = err};
    const struct match_settings *s = m->settings;
    const struct jobs_batch batch = {.count = (size_t)(s->games - first),
                                     .block = &first,
                                     .block_size = sizeof first,
                                     .stop = s->stop,
                                     .taker = &h,
                                     .take = take};
    if (!match_goes_on(m))
        return JOBS_DONE;
    const enum jobs_end end = jobs_run_once(&match_job, m, s->threads, &batch, err);
    return h.failed ? JOBS_FAILED : end;
}

bool match_is_repeatable(const struct match_settings *s)
{
    return s->players[0].process == NULL && s->players[1].process == NULL && s->limits.time == 0 &&
           s->limits.movetime == 0;
}

bool match_replay(const struct match *m, int64_t number, int plies, struct game *g,
                  struct error *err)
{
    const struct opening *opening = match_opening(m, number);
    const struct game_conditions conditions = {.limits = m->settings->limits,
                                               .adjudication.max_plies = opening->plies + plies,
                                               .stop = m->settings->stop};
    struct game_worker *b = begin_worker(m, err);
    if (b == NULL)
        return false;
    struct player *const players[2] = {b->players[match_player_of(number, WHITE)],
                                       b->players[match_player_of(number, BLACK)]};
    const bool good = game_play(players, opening, &conditions, g, err);
    finish_worker(b);
    return good;
}
