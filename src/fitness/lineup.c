#include "lineup.h"

#include "count.h"
#include "engine_options.h"
#include "jobs.h"
#include "movegen.h"
#include "player.h"
#include "space_engine.h"
#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the recipe ---- */

static bool evolves_evaluation(const struct lineup *l)
{
    return evaluation_table_of_kind(l->space.table.kind) != NULL;
}

/* Loads what evolves: the evaluation, or the kind of the space file. */
static bool load_space(struct lineup *l, const char *path, struct error *err)
{
    if (path[0] == '\0')
        return space_of_table(&eval_table, &l->space, err);
    if (!space_read(path, recipe_tables, &l->space, err))
        return false;
    if (strcmp(l->space.table.kind, space_kind_trace) != 0)
        return true;
    l->space.table.command = l->space.table.plays;
    l->space.table.command_moves = l->space.table.plays_moves;
    return l->space.table.command != NULL ||
           error_set(
               err, "%s: plays: missing; games need a UCI engine that has these weights as options",
               path);
}

/* Loads the half that all players of our engine share. */
static bool load_common(struct lineup *l, const struct recipe *recipe, struct error *err)
{
    const char *half = evolves_evaluation(l) ? "evaluation" : "search";
    const char *given = evolves_evaluation(l) ? recipe->evaluation : recipe->search;
    if (!space_is_foreign(&l->space.table) && given[0] != '\0')
        return error_set(err, "fitness.%s: the %s is what evolves here; leave it out", half, half);
    return values_evaluation(recipe->evaluation, &l->common.evaluation, err) &&
           values_search_params(recipe->search, &l->common.search, err);
}

/* Loads the opponent, ours or another engine. One of ours has the common half too; against another engine's
 * options it is an evaluation. */
static bool load_opponent(struct lineup *l, const struct recipe *recipe, struct error *err)
{
    const char *path = recipe->opponent;
    const struct engine_hash hash = {l->hash, "fitness.hash"};
    struct engine_options o;
    l->opponent = l->common;
    l->has_opponent = path[0] != '\0';
    if (!l->has_opponent)
        return true;
    if (!engine_options_is(path))
        return evolves_evaluation(l) || space_is_foreign(&l->space.table)
                   ? values_evaluation(path, &l->opponent.evaluation, err)
                   : values_search_params(path, &l->opponent.search, err);
    if (!engine_options_read(path, &o, err))
        return false;
    bool read =
        o.command == NULL
            ? error_set(err, "%s: command: missing; the opponent is an engine to start", path)
            : engine_setup_read(&l->rival, o.command, o.values.items, o.values.count, hash, err);
    engine_options_free(&o);
    return read;
}

static bool send_value(struct player *p, const struct param *gene, int32_t value, struct error *err)
{
    char text[PARAM_TEXT];
    const struct uci_value option = {gene->name, param_value_text(gene, value, text)};
    return gene->bits == 0 || player_process_set(p, &option, 1, err);
}

/* Gives a process the defaults of the genes or, for `others`, their upper bounds. */
static bool send_probe(struct player *p, const struct param_table *table, bool others,
                       struct error *err)
{
    for (const struct param *gene = table->params; gene < table->params + table->count; gene++)
        if (!send_value(p, gene, others ? gene->max : gene->initial, err))
            return false;
    return true;
}

/* Plays a short game between two processes with the defaults or other values. */
static bool play_short(struct player *const pair[2], const struct param_table *table, bool others,
                       struct game *g, struct error *err)
{
    enum { DEPTH = 4, PLIES = 24 };
    const char *rest;
    struct opening initial = {.plies = 0};
    const struct game_conditions conditions = {.limits = {.depth = DEPTH},
                                               .adjudication = {.max_plies = PLIES}};
    return position_from_fen(&initial.start, FEN_START, &rest, err) &&
           send_probe(pair[WHITE], table, others, err) &&
           send_probe(pair[BLACK], table, others, err) &&
           game_play(pair, &initial, &conditions, g, err) && g->failure[0] == '\0';
}

static bool same_moves(const struct game *a, const struct game *b)
{
    bool same = a->plies == b->plies && a->nodes == b->nodes;
    for (int i = 0; same && i < a->plies; i++)
        same = a->moves[i].move == b->moves[i].move && a->moves[i].score == b->moves[i].score;
    return same;
}

/* True if a process that has played with other values plays as a new one: two processes play a short game, another
 * one with other values, and the first again, in which no move, score or node may differ. GNU Chess reads some
 * options at its first `isready` alone: there a new process, which has all values by then, plays otherwise. One
 * that fails at the test does not go on. */
static bool goes_on(const struct lineup *l)
{
    struct error err;
    enum { FIRST, OTHER, AGAIN, ANEW, GAMES };
    struct game games[GAMES] = {{.plies = 0}};
    struct player *pair[2] = {player_process_create(&l->engine.settings, &err),
                              player_process_create(&l->engine.settings, &err)};
    const struct param_table *table = &l->space.table;
    bool same = pair[WHITE] != NULL && pair[BLACK] != NULL;
    for (int i = FIRST; same && i < GAMES; i++) {
        for (int side = WHITE; i == ANEW && side <= BLACK; side++)
            player_process_renew(pair[side]);
        same = play_short(pair, table, i == OTHER || i == ANEW, &games[i], &err) &&
               (i < AGAIN || same_moves(&games[i - AGAIN], &games[i]));
    }
    for (int side = WHITE; side <= BLACK; side++)
        player_destroy(pair[side]);
    for (int i = FIRST; i < GAMES; i++)
        game_free(&games[i]);
    return same;
}

bool lineup_read(struct lineup *l, const struct recipe *recipe, struct error *err)
{
    *l = (struct lineup){.hash = recipe->hash};
    if (load_space(l, recipe->space, err) && load_common(l, recipe, err) &&
        load_opponent(l, recipe, err) &&
        (!space_is_foreign(&l->space.table) ||
         space_engine_setup(&l->space.table, l->hash, &l->engine, err))) {
        l->lives = space_is_foreign(&l->space.table) && goes_on(l);
        return true;
    }
    lineup_free(l);
    return false;
}

/* ---- the limits ---- */

/* The moves of a trial: at least LEAST, then until they have taken enough time. */
enum { LEAST = 3, MOST = 16, ENOUGH_TIME = 500000, TRIED_MS = 1000, TRIED_NODES = 1000000 };

/* An engine at its limits. */
struct trial {
    const struct engine_setup *setup;
    const struct param_table *table; /* of its genes; NULL: it has none */
    const struct game_limits *limits;
};

/* What processes used of them: milliseconds, or nodes. */
struct trial_moves {
    int count;
    int64_t used[];
};

/* Lets a player move for both sides from the usual start. */
static void try_moves(struct player *p, const struct game_limits *limits, struct trial_moves *t)
{
    struct game_move moves[MOST];
    struct game_limits patient = *limits;
    struct position start, now;
    struct undo undo;
    struct error err;
    int64_t time = 0;
    bool on = position_from_fen(&start, FEN_START, NULL, NULL) && p->method->new_game(p, &err);
    patient.grace = TRIED_MS; /* beyond it an engine has as long as for any answer */
    now = start;
    while (on && t->count < MOST && (t->count < LEAST || time < ENOUGH_TIME)) {
        const struct player_turn turn = {.position = &now,
                                         .start = &start,
                                         .moves = moves,
                                         .plies = t->count,
                                         .limits = &patient};
        const struct player_answer a = p->method->move(p, &turn, &err);
        if (a.end != UCI_MOVE)
            break;
        time += a.time;
        t->used[t->count] = limits->movetime > 0 ? a.time / 1000 : (int64_t)a.nodes;
        moves[t->count++] = a.move;
        position_make(&now, a.move.move, &undo);
        on = movegen_count(&now) > 0;
    }
}

/* Starts a process with the defaults and tries it. One that fails shows nothing. */
static bool try_process(struct job *job, void *result, struct error *err)
{
    const struct trial *trial = job->context;
    struct player *p = player_process_create(&trial->setup->settings, NULL);
    (void)err;
    if (p != NULL && (trial->table == NULL || send_probe(p, trial->table, false, NULL)))
        try_moves(p, trial->limits, result);
    player_destroy(p);
    return true;
}

/* Adds the moves of a process to those of all. */
static bool take_moves(void *taker, size_t number, void *result)
{
    struct trial_moves *all = taker;
    const struct trial_moves *t = result;
    (void)number;
    memcpy(all->used + all->count, t->used, (size_t)t->count * sizeof *t->used);
    all->count += t->count;
    return true;
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Tries an engine once. Sets what a tenth of its moves, a half and nine tenths use at most, if any. */
static bool try_engine(const struct trial *trial, int threads, int64_t used[3], struct error *err)
{
    enum { ROOM = sizeof(struct trial_moves) + MOST * sizeof(int64_t) };
    static const struct job_kind kind = {.result_size = ROOM, .work = try_process};
    struct trial_moves *all = calloc((size_t)threads, ROOM);
    const struct jobs_batch batch = {.count = (size_t)threads, .taker = all, .take = take_moves};
    const bool tried = all != NULL ? jobs_run_once(&kind, trial, threads, &batch, err) == JOBS_DONE
                                   : error_set(err, "no memory for a trial");
    if (tried && all->count > 0) {
        qsort(all->used, (size_t)all->count, sizeof *all->used, by_size);
        used[0] = all->used[all->count / 10];
        used[1] = all->used[all->count / 2];
        used[2] = all->used[all->count - 1 - all->count / 10];
    }
    free(all);
    return tried;
}

/* Tries an engine, twice if it does not keep the limits: the machine may have been busy. Clocks and depths are
 * not tried. */
static bool keeps_limits(const struct trial *trial, int threads, struct error *err)
{
    enum { GRAIN = 10000 }; /* nodes between two looks of an engine at its limit */
    char low[COUNT_MAX], high[COUNT_MAX], limit[COUNT_MAX];
    const struct game_limits *l = trial->limits;
    const bool timed = l->movetime > 0;
    const int64_t given = timed ? l->movetime : (int64_t)l->nodes;
    const int64_t margin = timed ? l->grace : GRAIN;
    const int64_t most = given + (given > margin ? given : margin);
    int64_t used[3] = {0}, unit = 1;
    if (trial->setup->command == NULL || given == 0 || given > (timed ? TRIED_MS : TRIED_NODES))
        return true;
    for (int i = 0; i < 2; i++)
        if (!try_engine(trial, threads, used, err))
            return false;
        else if (used[1] <= most)
            return true;
    while (used[2] / unit >= 99) /* two digits, followed by zeros */
        unit *= 10;
    return error_set(
        err, "%s used %s to %s %s of %s a move; give fitness.%s %" PRId64 " or more, or %s",
        trial->setup->name, format_count(used[0], low), format_count(used[2], high),
        timed ? "ms" : "nodes", format_count(given, limit), timed ? "movetime" : "limit",
        (used[2] / unit + 1) * unit, timed ? "a fitness.limit of nodes" : "a fitness.movetime");
}

bool lineup_keeps_limits(const struct lineup *l, const struct game_limits *limits, int threads,
                         struct error *err)
{
    const struct trial engine = {&l->engine, &l->space.table, limits},
                       rival = {&l->rival, NULL, limits};
    return keeps_limits(&engine, threads, err) && keeps_limits(&rival, threads, err);
}

void lineup_free(struct lineup *l)
{
    space_free(&l->space);
    engine_setup_free(&l->engine);
    engine_setup_free(&l->rival);
}

struct whole_player lineup_whole(const struct lineup *l, const int32_t *values)
{
    struct whole_player player = l->common;
    if (values == NULL)
        return l->opponent;
    if (evolves_evaluation(l))
        player.evaluation = evaluation_from(&l->space.table, values);
    else if (!space_is_foreign(&l->space.table))
        player.search = search_params_from(&l->space.table, values);
    return player;
}

/* ---- the players of a worker ---- */

/* The players of one side; each is NULL until it is needed. */
struct seat {
    struct player *ours, *engine, *rival;
    int32_t *values; /* those that the engine's process has */
};

struct seats {
    const struct lineup *lineup;
    struct seat sides[2];
    int32_t values[]; /* of both */
};

struct seats *seats_create(const struct lineup *l, struct error *err)
{
    const size_t genes = (size_t)l->space.table.count;
    struct seats *s = calloc(1, sizeof *s + 2 * genes * sizeof *s->values);
    if (s == NULL)
        return error_null(err, "no memory for a game");
    s->lineup = l;
    s->sides[WHITE].values = s->values;
    s->sides[BLACK].values = s->values + genes;
    return s;
}

void seats_destroy(struct seats *s)
{
    for (int side = WHITE; s != NULL && side <= BLACK; side++) {
        player_destroy(s->sides[side].ours);
        player_destroy(s->sides[side].engine);
        player_destroy(s->sides[side].rival);
    }
    free(s);
}

/* Seats an organism of another engine. An engine that keeps what it computed with other values, or reads
 * some when it starts, gets a new process. One that does not start keeps its seat: it loses its game. */
static struct player *take_engine(struct seats *s, struct seat *seat, const int32_t *values,
                                  struct error *err)
{
    const struct param_table *table = &s->lineup->space.table;
    const size_t size = (size_t)table->count * sizeof *values;
    if (seat->engine != NULL && memcmp(seat->values, values, size) == 0)
        return seat->engine;
    const int32_t *before = seat->engine != NULL ? seat->values : NULL;
    if (before == NULL)
        seat->engine = player_process_create(&s->lineup->engine.settings, err);
    if (seat->engine != NULL && !s->lineup->lives)
        player_process_renew(seat->engine); /* it has the values before its first `isready` */
    for (int i = 0; seat->engine != NULL && i < table->count; i++)
        if ((before == NULL || before[i] != values[i]) &&
            !send_value(seat->engine, &table->params[i], values[i], err)) {
            player_destroy(seat->engine);
            seat->engine = NULL;
        }
    memcpy(seat->values, values, size);
    return seat->engine;
}

struct player *seats_take(struct seats *s, enum color side, const int32_t *values,
                          struct error *err)
{
    struct seat *seat = &s->sides[side];
    if (values != NULL && space_is_foreign(&s->lineup->space.table))
        return take_engine(s, seat, values, err);
    if (values == NULL && s->lineup->rival.command != NULL) {
        if (seat->rival == NULL)
            seat->rival = player_process_create(&s->lineup->rival.settings, err);
        return seat->rival;
    }
    if (seat->ours == NULL)
        seat->ours = player_engine_create(s->lineup->hash, err);
    if (seat->ours != NULL) {
        const struct whole_player whole = lineup_whole(s->lineup, values);
        player_engine_set(seat->ours, &whole.evaluation, &whole.search);
    }
    return seat->ours;
}
