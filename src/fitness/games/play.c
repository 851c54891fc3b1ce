/* Plays the games of a tournament, as jobs. */
#include "coevolution.h"

#include "count.h"
#include "engine_fault.h"
#include "game_pgn.h"
#include "match.h"
#include "paths.h"
#include "uci_client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a game, as a job ---- */

/* The input of a batch of games, one block without pointers. */
struct game_batch {
    char broken_path[FAULT_PATH];
    int32_t entrant_count;
    /* For each entrant the kind and index of its player and its values, then the struct scheduled_game. */
    int32_t numbers[];
};

/* The result of a game. The report of a fault follows, or the text of a game that is kept. */
struct outcome {
    struct game_record row;
    enum engine_fault fault; /* of another engine, which lost by it */
};

/* The number of integers before those of an entrant in the block, or, after all, before the games. */
static size_t before(const struct coevolution *m, int entrant)
{
    return (size_t)entrant * (2 + coevolution_genes(m, 1));
}

static struct entrant entrant_of(const struct coevolution *m, const struct game_batch *b,
                                 int entrant)
{
    const int32_t *numbers = b->numbers + before(m, entrant);
    const enum player_kind kind = (enum player_kind)numbers[0];
    return (struct entrant){{kind, numbers[1]}, kind == PLAYER_OPPONENT ? NULL : numbers + 2};
}

/* What a worker needs to play. */
struct game_worker {
    struct seats *seats;
    struct game game;
};

static void name_entrant(struct player_ref ref, char name[MATCH_NAME_MAX])
{
    static const char *const kinds[] = {"organism", "seed", "champion of generation", "opponent"};
    char number[16] = "";
    if (ref.index >= 0)
        snprintf(number, sizeof number, " %d", ref.index);
    snprintf(name, MATCH_NAME_MAX, "%s%s", kinds[ref.kind], number);
}

/* Writes the crash report of a broken game. Always returns false. */
static bool report_broken(const struct coevolution *m, const struct game_batch *c,
                          const struct entrant entrants[2], const struct game *g, struct error *err)
{
    struct match_settings settings = {.book_name = "", .seed = m->recipe.seed, .limits = m->limits};
    for (int side = WHITE; side <= BLACK; side++) {
        struct match_player *player = &settings.players[side];
        name_entrant(entrants[side].ref, player->name);
        const struct whole_player whole = lineup_whole(&m->lineup, entrants[side].values);
        player->eval = whole.evaluation;
        player->params = whole.search;
    }
    const struct match match = {.settings = &settings};
    return match_broken_fail(c->broken_path, &match, 0, g, err);
}

/* Reports a fault: position, parameters and conversation. Returns the outcome in its new place. */
static struct outcome *report_fault(const struct coevolution *m, struct job *job,
                                    const struct entrant entrants[2],
                                    struct player *const players[2], struct game *g,
                                    struct error *err)
{
    const struct player *loser = players[game_last_side(g)];
    if (g->end == GAME_TIME)
        snprintf(g->failure, GAME_FAILURE, "used %" PRId64 " ms for this move\n%s",
                 g->last_time / 1000, loser->method->log(loser));
    char fen[FEN_MAX];
    const struct param_table none = {.kind = space_kind_uci};
    const int32_t *values = entrants[game_last_side(g)].values;
    struct position p = g->start;
    for (int i = 0; i < g->plies; i++) {
        struct undo undo;
        position_make(&p, g->moves[i].move, &undo);
    }
    position_to_fen(&p, fen);
    return engine_fault_report(job, sizeof(struct outcome),
                               values == NULL ? &none : &m->lineup.space.table, values,
                               engine_fault_of_game(g->end), fen, g->failure, err);
}

/* Appends a game as PGN to its outcome. */
static bool append_text(const struct coevolution *m, struct job *job,
                        const struct entrant entrants[2], const struct game *g, struct error *err)
{
    char names[2][MATCH_NAME_MAX], *result = NULL;
    for (enum color side = WHITE; side <= BLACK; side++)
        name_entrant(entrants[side].ref, names[side]);
    const struct game_pgn_tags tags = {
        .event = m->recipe.name,
        .players = {{.name = names[WHITE]}, {.name = names[BLACK]}},
        .limits = m->limits,
        .adjudication = m->adjudication,
        .openings = path_name(m->recipe.openings),
        .seed = m->recipe.seed,
    };
    char *text = game_pgn_text(g, &tags, err);
    if (text != NULL &&
        (result = job_grow(job, sizeof(struct outcome) + strlen(text) + 1, err)) != NULL)
        strcpy(result + sizeof(struct outcome), text);
    free(text);
    return result != NULL;
}

/* Plays a game of the batch. False if it was stopped or failed. */
static bool play(struct job *job, void *result, struct error *err)
{
    const struct coevolution *m = job->context;
    const struct game_batch *c = job->block;
    struct scheduled_game scheduled; /* which may lie anywhere in the block */
    memcpy(&scheduled,
           (const char *)(c->numbers + before(m, c->entrant_count)) +
               job->number * sizeof scheduled,
           sizeof scheduled);
    const struct entrant entrants[2] = {entrant_of(m, c, scheduled.entrants[WHITE]),
                                        entrant_of(m, c, scheduled.entrants[BLACK])};
    struct game_conditions conditions = {.limits = m->limits, .stop = job->stop};
    struct game_worker *b = job->worker;
    struct player *players[2];
    struct outcome *o = result;
    if (entrants[WHITE].values != NULL && entrants[BLACK].values != NULL)
        conditions.adjudication = m->adjudication; /* games with the opponent are not adjudicated */
    for (enum color side = WHITE; side <= BLACK; side++)
        if ((players[side] = seats_take(b->seats, side, entrants[side].values, err)) == NULL)
            return false;
    if (!game_play(players, &m->book.items[scheduled.row.opening], &conditions, &b->game, err))
        return false;
    if (b->game.end == GAME_BROKEN)
        return report_broken(m, c, entrants, &b->game, err);
    o->fault = engine_fault_of_game(b->game.end);
    o->row = scheduled.row;
    o->row.result = (int)b->game.result;
    o->row.plies = b->game.plies;
    o->row.nodes = (int64_t)b->game.nodes;
    if (o->fault != FAULT_NONE)
        return report_fault(m, job, entrants, players, &b->game, err) != NULL;
    return b->game.end != GAME_ABANDONED &&
           (m->recipe.keep == 0 || append_text(m, job, entrants, &b->game, err));
}

static void finish_worker(void *worker)
{
    struct game_worker *b = worker;
    seats_destroy(b->seats);
    game_free(&b->game);
    free(b);
}

static void *begin_worker(const void *context, struct error *err)
{
    const struct coevolution *m = context;
    struct game_worker *b = calloc(1, sizeof *b);
    if (b == NULL)
        return error_null(err, "no memory for a game");
    if ((b->seats = seats_create(&m->lineup, err)) != NULL)
        return b;
    finish_worker(b);
    return NULL;
}

const struct job_kind coevolution_game_job = {.result_size = sizeof(struct outcome),
                                              .begin = begin_worker,
                                              .finish = finish_worker,
                                              .work = play,
                                              .name = "coevolution"};

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
    struct outcome *o = result;
    (void)number;
    t->games[o->row.number].row = o->row;
    engine_faults_add(&t->m->base.faults, o->fault);
    if (o->fault != FAULT_NONE)
        engine_fault_keep(t->m->base.fault_folder, o->fault, (const char *)(o + 1));
    else if (t->m->recipe.keep != 0)
        o->row.text = (char *)(o + 1);
    t->stopped = !t->c->played(t->c->context, &o->row, t->count);
    judge_faults(t->m, o->fault);
    t->stopped = t->stopped || t->m->base.failed.text[0] != '\0';
    return !t->stopped;
}

bool tournament_play(struct tournament *t, int first)
{
    struct coevolution *m = t->m;
    struct jobs_batch batch = {.block_size = sizeof(struct game_batch) +
                                             before(m, t->entrant_count) * sizeof(int32_t) +
                                             (size_t)(t->count - first) * sizeof *t->games,
                               .stop = t->c->stop,
                               .taker = t,
                               .take = take};
    if (t->refused)
        return false;
    struct game_batch *b = calloc(1, batch.block_size);
    if (b == NULL)
        return error_set(&m->base.failed, "no memory for %d games", t->count - first);
    memcpy(b->broken_path, m->base.broken_path, sizeof b->broken_path);
    b->entrant_count = t->entrant_count;
    for (int i = 0; i < t->entrant_count; i++) {
        int32_t *numbers = b->numbers + before(m, i);
        numbers[0] = (int32_t)t->entrants[i].ref.kind;
        numbers[1] = t->entrants[i].ref.index;
        if (t->entrants[i].values != NULL)
            memcpy(numbers + 2, t->entrants[i].values, coevolution_genes(m, 1) * sizeof *numbers);
    }
    char *games = (char *)(b->numbers + before(m, t->entrant_count));
    for (int i = first; i < t->count; i++)
        if (!t->games[i].known)
            memcpy(games + batch.count++ * sizeof *t->games, &t->games[i], sizeof *t->games);
    batch.block = b;
    bool done = jobs_run(m->jobs, &batch, &m->base.failed) == JOBS_DONE;
    free(b);
    return done && !t->stopped;
}
