#include "coevolution_game.h"

#include "engine_fault.h"
#include "match.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the block of a batch ---- */

struct game_batch {
    char broken_path[BROKEN_PATH], fault_folder[FAULT_FOLDER];
    int32_t entrant_count;
    /* For each entrant the kind and index of its player and its values, then the games. */
    int32_t numbers[];
};

/* The number of integers of an entrant in the block. */
static size_t entrant_numbers(const struct coevolution *m)
{
    return 2 + coevolution_genes(m);
}

struct game_batch *game_batch_create(const struct coevolution *m, const struct entrant *entrants,
                                     int entrant_count, int games, size_t *size)
{
    *size = sizeof(struct game_batch) +
            (size_t)entrant_count * entrant_numbers(m) * sizeof(int32_t) +
            (size_t)games * sizeof(struct batch_game);
    struct game_batch *b = calloc(1, *size);
    if (b == NULL)
        return NULL;
    memcpy(b->broken_path, m->broken_path, sizeof b->broken_path);
    memcpy(b->fault_folder, m->base.fault_folder, sizeof b->fault_folder);
    b->entrant_count = entrant_count;
    for (int i = 0; i < entrant_count; i++) {
        int32_t *numbers = b->numbers + (size_t)i * entrant_numbers(m);
        numbers[0] = (int32_t)entrants[i].ref.kind;
        numbers[1] = entrants[i].ref.index;
        if (entrants[i].values != NULL)
            memcpy(numbers + 2, entrants[i].values, coevolution_genes(m) * sizeof *numbers);
    }
    return b;
}

/* The number of integers before the games. */
static size_t numbers_before_games(const struct coevolution *m, const struct game_batch *b)
{
    return (size_t)b->entrant_count * entrant_numbers(m);
}

struct batch_game *game_batch_games(const struct coevolution *m, struct game_batch *batch)
{
    return (struct batch_game *)(batch->numbers + numbers_before_games(m, batch));
}

/* Reads an entrant from the block. */
static struct entrant entrant_of(const struct coevolution *m, const struct game_batch *c,
                                 int32_t entrant)
{
    const int32_t *numbers = c->numbers + (size_t)entrant * entrant_numbers(m);
    return (struct entrant){{(enum player_kind)numbers[0], numbers[1]}, numbers + 2};
}

/* ---- a game ---- */

/* What a worker needs to play. */
struct game_worker {
    struct seats *seats;
    struct game game;
};

/* The values to play with; NULL for the opponent. */
static const int32_t *values_of(const struct entrant *e)
{
    return e->ref.kind == PLAYER_OPPONENT ? NULL : e->values;
}

/* A player's name for people. */
static void name_player(struct player_ref player, char *text, size_t size)
{
    static const char *const kinds[] = {"organism", "seed", "champion of generation", "opponent"};
    if (player.index < 0)
        snprintf(text, size, "%s", kinds[player.kind]);
    else
        snprintf(text, size, "%s %d", kinds[player.kind], player.index);
}

/* Writes the crash report of a broken game. Always returns false. */
static bool report_broken(const struct coevolution *m, const struct game_batch *c,
                          const struct entrant entrants[2], const struct game *g, struct error *err)
{
    struct match_settings settings = {.book_name = "", .seed = m->seed, .limits = m->limits};
    for (int side = WHITE; side <= BLACK; side++) {
        struct match_player *player = &settings.players[side];
        name_player(entrants[side].ref, player->name, sizeof player->name);
        const struct whole_player whole = lineup_whole(&m->lineup, values_of(&entrants[side]));
        player->eval = whole.evaluation;
        player->params = whole.search;
    }
    const struct match match = {.settings = &settings};
    return c->broken_path[0] == '\0' ? error_set(err, "an engine returned no legal move: a bug")
                                     : match_broken_fail(c->broken_path, &match, 0, g, err);
}

/* Keeps the report of a fault: the position, the parameters and the conversation; of a loss on time also
 * what the move took. */
static void keep_fault(const struct coevolution *m, const struct game_batch *c,
                       const struct entrant entrants[2], struct player *const players[2],
                       struct game *g)
{
    const struct player *loser = players[game_last_side(g)];
    if (g->end == GAME_TIME)
        snprintf(g->failure, GAME_FAILURE, "used %" PRId64 " ms for this move\n%s",
                 g->last_time / 1000, loser->method->log(loser));
    char fen[FEN_MAX];
    const struct param_table none = {.kind = space_kind_uci};
    const int32_t *values = values_of(&entrants[game_last_side(g)]);
    struct position p = g->start;
    for (int i = 0; i < g->plies; i++) {
        struct undo undo;
        position_make(&p, g->moves[i].move, &undo);
    }
    position_to_fen(&p, fen);
    engine_fault_keep(c->fault_folder, values == NULL ? &none : &m->lineup.space.table, values,
                      engine_fault_of_game(g->end), fen, g->failure);
}

/* Seats the players of a game. */
static bool seat(const struct game_worker *b, const struct entrant entrants[2],
                 struct player *players[2], struct error *err)
{
    for (enum color side = WHITE; side <= BLACK; side++)
        if ((players[side] = seats_take(b->seats, side, values_of(&entrants[side]), err)) == NULL)
            return false;
    return true;
}

/* Plays a game of the batch. False if it was stopped or failed. */
static bool play(struct job *job, void *result, struct error *err)
{
    const struct coevolution *m = job->context;
    const struct game_batch *c = job->block;
    const int32_t *games = c->numbers + numbers_before_games(m, c);
    const struct batch_game *scheduled = (const struct batch_game *)games + job->number;
    const struct entrant entrants[2] = {entrant_of(m, c, scheduled->entrants[WHITE]),
                                        entrant_of(m, c, scheduled->entrants[BLACK])};
    struct game_conditions conditions = {.limits = m->limits, .stop = job->stop};
    struct game_worker *b = job->worker;
    struct player *players[2];
    struct outcome *o = result;
    if (entrants[WHITE].ref.kind != PLAYER_OPPONENT && entrants[BLACK].ref.kind != PLAYER_OPPONENT)
        conditions.adjudication = m->adjudication; /* games with the opponent are not adjudicated */
    if (!seat(b, entrants, players, err) ||
        !game_play(players, &m->book.items[scheduled->opening], &conditions, &b->game, err))
        return false;
    if (b->game.end == GAME_BROKEN)
        return report_broken(m, c, entrants, &b->game, err);
    o->fault = engine_fault_of_game(b->game.end);
    if (o->fault != FAULT_NONE)
        keep_fault(m, c, entrants, players, &b->game);
    o->record = (struct game_record){.number = scheduled->number,
                                     .result = (int)b->game.result,
                                     .plies = b->game.plies,
                                     .nodes = (int64_t)b->game.nodes};
    return b->game.end != GAME_ABANDONED;
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
    if (b == NULL) {
        error_set(err, "no memory for a game");
        return NULL;
    }
    if ((b->seats = seats_create(&m->lineup, err)) != NULL)
        return b;
    finish_worker(b);
    return NULL;
}

const struct job_kind coevolution_game_job = {.result_size = sizeof(struct outcome),
                                              .begin = begin_worker,
                                              .finish = finish_worker,
                                              .work = play};
