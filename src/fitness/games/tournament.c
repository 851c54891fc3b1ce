#include "tournament.h"

#include "coevolution_game.h"
#include "count.h"

#include <assert.h>
#include <stdlib.h>

/* ---- playing ---- */

/* Fails if more than FAULTS of the MANY games so far ended by a fault, or of the first MANY will have: then
 * they tell how often the engine fails, and not how it plays. A run that goes on later is judged by the
 * games from there on: what made the engine fail may be gone. Only a run is judged, which keeps the faults. */
static void judge_faults(struct coevolution *m, enum engine_fault fault)
{
    enum { FAULTS = 2, MANY = 100 };
    char text[ENGINE_FAULTS_TEXT], games[COUNTED_MAX];
    const struct engine_faults *faults = &m->so_far.faults;
    m->so_far.games++;
    engine_faults_add(&m->so_far.faults, fault);
    const int64_t total = engine_faults_total(faults),
                  of = m->so_far.games > MANY ? m->so_far.games : MANY;
    if (fault == FAULT_NONE || m->base.fault_folder[0] == '\0' || total * MANY <= FAULTS * of)
        return;
    error_set(&m->base.failed,
              "the engine's faults decide too many games, more than %d of %d: %s in %s; their "
              "reports are in %s. %s, and begin anew; or resume, if the cause is gone",
              FAULTS, MANY, engine_faults_text(faults, text),
              format_things(m->so_far.games, "game", games), m->base.fault_folder,
              2 * faults->counts[FAULT_LATE] > total
                  ? "Give fitness.movetime more milliseconds, or play with fewer --threads"
                  : "Take the values that it fails with out of the space");
}

/* Stores a finished game and reports it to the observer. */
static bool take(void *taker, size_t number, void *result)
{
    struct tournament *t = taker;
    const struct outcome *o = result;
    const struct game_record *played = &o->record;
    struct game_record *row = &t->games[played->number].row;
    engine_faults_add(&t->m->base.faults, o->fault);
    row->result = played->result;
    row->plies = played->plies;
    row->nodes = played->nodes;
    if (t->c != NULL)
        t->stopped = !t->c->played(t->c->context, row, t->count);
    else
        fitness_tell_worked(t->watcher, (int64_t)number + 1, t->count);
    judge_faults(t->m, o->fault);
    t->stopped = t->stopped || t->m->base.failed.text[0] != '\0';
    return !t->stopped;
}

/* Creates the block of the unknown games from number `first` on; *count is their number. NULL if
 * memory is short. */
static struct game_batch *new_batch(const struct tournament *t, int first, size_t *count,
                                    size_t *size)
{
    struct game_batch *batch =
        game_batch_create(t->m, t->entrants, t->entrant_count, t->count - first, size);
    *count = 0;
    if (batch == NULL)
        return NULL;
    struct batch_game *games = game_batch_games(t->m, batch);
    for (int i = first; i < t->count; i++) {
        const struct scheduled_game *p = &t->games[i];
        if (!p->known)
            games[(*count)++] =
                (struct batch_game){i, p->row.opening, {p->entrants[WHITE], p->entrants[BLACK]}};
    }
    return batch;
}

bool tournament_play(struct tournament *t, int first)
{
    struct coevolution *m = t->m;
    size_t count, size;
    if (t->refused)
        return false;
    struct game_batch *games = new_batch(t, first, &count, &size);
    if (games == NULL)
        return error_set(&m->base.failed, "no memory for %d games", t->count - first);
    const struct game_conditions conditions = {.limits = m->limits}; /* some are not adjudicated */
    const struct jobs_batch batch = {.count = count,
                                     .block = games,
                                     .block_size = size,
                                     .job_seconds = game_seconds(&conditions),
                                     .stop = t->stop,
                                     .taker = t,
                                     .take = take};
    bool done = jobs_run(m->jobs, &batch, &m->base.failed) == JOBS_DONE;
    free(games);
    return done && !t->stopped;
}

/* ---- the list ---- */

int tournament_add_entrant(struct tournament *t, enum player_kind kind, int index,
                           const int32_t *values)
{
    t->entrants[t->entrant_count] = (struct entrant){{kind, index}, values};
    return t->entrant_count++;
}

/* The opening of the next game. */
static int next_opening(struct opening_stream *s)
{
    return (int)s->order[(size_t)(s->games++ / s->games_each) % s->count];
}

/* Takes the result of a game that is known. A file may hold any players, opening and result: those
 * of another schedule are refused. */
static void take_known(struct tournament *t, struct scheduled_game *p,
                       const struct game_record *known)
{
    struct game_record *row = &p->row;
    if (!player_ref_equal(known->white, row->white) ||
        !player_ref_equal(known->black, row->black) || known->opening != row->opening ||
        known->result < 0 || known->result > 2) {
        t->refused =
            !error_set(&t->m->base.failed,
                       "generation %d, game %d: the stored game has other players, another "
                       "opening or no result; go back to a copy",
                       t->c->generation, row->number);
        return;
    }
    row->result = known->result;
    row->plies = known->plies;
    row->nodes = known->nodes;
    p->known = true;
}

/* Schedules a game between two entrants, or takes its result if it is known. */
static void add_game(struct tournament *t, int white, int black)
{
    assert(t->count < t->room);
    struct scheduled_game *p = &t->games[t->count];
    *p = (struct scheduled_game){.row = {.number = t->count,
                                         .white = t->entrants[white].ref,
                                         .black = t->entrants[black].ref,
                                         .opening = next_opening(&t->openings)},
                                 .entrants = {white, black}};
    for (size_t i = 0; i < t->c->known_count && !p->known; i++)
        if (t->c->known[i].number == t->count)
            take_known(t, p, &t->c->known[i]);
    t->count++;
}

void tournament_add_games(struct tournament *t, int a, int b, int games)
{
    for (int k = 0; k < games; k++)
        add_game(t, k % 2 == 0 ? a : b, k % 2 == 0 ? b : a);
}
