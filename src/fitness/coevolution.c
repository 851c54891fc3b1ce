/* The fitness of phase 2 (david-2014, section III-C): the organisms of a population play each
 * other. All are evaluations that share one search or, beyond the paper, searches that share one
 * evaluation, or settings of another engine; the kind of the space decides (lineup.h).
 *
 *   1. Round robin: each pair of organisms plays `games` games, half with each colour, from
 *      different openings. A generation uses no opening twice; each generation shuffles the book
 *      again.
 *   2. Each organism plays `seed_games` games with each member of the initial population, and games
 *      with the hall of fame: the latest different champions of earlier generations. This preserves
 *      earlier progress (Rosin and Belew 1997).
 *   3. Rematch: the leader plays `rematch` more games against each other organism and each member
 *      of the initial population; they count for the leader only. If another organism leads then,
 *      it plays a rematch too, until the leader has played one. Otherwise the elite is often the
 *      luckiest of equal organisms.
 *   4. The objective value is the share of half points, scaled to the half points of all games that
 *      steps 1 to 3 can have.
 *
 * The held-out value is the score against a fixed opponent, from openings that no generation
 * uses. */
#include "competition.h"
#include "count.h"
#include "engine_fault.h"
#include "fitness_kinds.h"
#include "jobs.h"
#include "lineup.h"
#include "match_broken.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a worker needs to play. */
struct game_worker {
    struct seats *seats;
    struct game game;
};

/* A game is won when both sides agree for this many moves of each. */
enum { WIN_MOVES = 4 };

/* Milliseconds by which another engine may exceed its time: engines look at the clock now and then. */
enum { GRACE = 200 };

enum { BROKEN_PATH = 1100 };

struct coevolution {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct lineup lineup;
    struct game_limits limits;
    struct game_adjudication adjudication; /* for games between organisms */
    uint64_t seed;
    int population, games, rematch, seeds, seed_games, hall, hall_games;
    int opponent_games; /* 0: no opponent */
    struct book book;
    size_t reserved;               /* number of openings for games with the opponent: */
    uint32_t *openings;            /* the first ones; the others are for the organisms */
    uint32_t *shuffled;            /* the others, in the order of this generation */
    struct jobs *jobs;             /* plays games */
    char broken_path[BROKEN_PATH]; /* the crash report of a broken game (match_broken.h) */
};

/* A participant of a tournament. */
struct entrant {
    struct player_ref ref;
    const int32_t *values; /* NULL for the opponent */
};

/* A scheduled game, and its result once it is played. */
struct scheduled_game {
    struct game_record row;
    int entrants[2]; /* White and Black */
    bool known;
};

/* A tournament: the games of a generation. */
struct tournament {
    struct coevolution *m;
    const struct competition *c; /* NULL for games with the opponent, which the watcher follows */
    const struct fitness_watcher *watcher;
    const volatile sig_atomic_t *stop;
    struct entrant *entrants; /* organisms, then initial population, then champions */
    int entrant_count;
    struct scheduled_game *games;
    int count, room;
    bool stopped;    /* the observer asked to stop */
    int64_t *points; /* half points of each organism */
    int64_t *played; /* and the games that count for it */
    bool *rematched;
};

/* A game of a batch. */
struct batch_game {
    int32_t number; /* number of the scheduled game */
    int32_t opening;
    int32_t entrants[2]; /* White and Black */
};

/* The result of a game. */
struct outcome {
    struct game_record record;
    enum uci_end fault; /* of another engine, which lost by it; else UCI_MOVE */
};

/* The input of a batch of games: for each entrant the kind and index of its player and its values,
 * then the games. */
struct game_batch {
    char broken_path[BROKEN_PATH], fault_folder[FAULT_FOLDER];
    int32_t entrant_count;
    int32_t numbers[];
};

/* ---- a game ---- */

/* The number of genes of an organism. */
static size_t genes_of(const struct coevolution *m)
{
    return (size_t)m->lineup.space.table.count;
}

/* The number of integers of an entrant in the block. */
static size_t entrant_numbers(const struct coevolution *m)
{
    return 2 + genes_of(m);
}

/* Reads an entrant from the block. */
static struct entrant entrant_of(const struct coevolution *m, const struct game_batch *c,
                                 int32_t entrant)
{
    const int32_t *numbers = c->numbers + (size_t)entrant * entrant_numbers(m);
    return (struct entrant){{(enum player_kind)numbers[0], numbers[1]}, numbers + 2};
}

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
    return match_broken_fail(c->broken_path, &match, 0, g, err);
}

/* The fault by which the side to move at the end lost the game. */
static enum uci_end fault_of(const struct game *g)
{
    return g->end == GAME_EXITED    ? UCI_EXITED
           : g->end == GAME_HUNG    ? UCI_HUNG
           : g->end == GAME_ILLEGAL ? UCI_ILLEGAL
                                    : UCI_MOVE;
}

/* Keeps the report of a fault: the position, the parameters and the conversation. */
static void keep_fault(const struct coevolution *m, const struct game_batch *c,
                       const struct entrant entrants[2], const struct game *g)
{
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
                      fault_of(g), fen, g->failure);
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
    const int32_t *games = c->numbers + (size_t)c->entrant_count * entrant_numbers(m);
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
    o->fault = fault_of(&b->game);
    if (o->fault != UCI_MOVE)
        keep_fault(m, c, entrants, &b->game);
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

static const struct job_kind game_job = {.result_size = sizeof(struct outcome),
                                         .begin = begin_worker,
                                         .finish = finish_worker,
                                         .work = play};

/* ---- a list of games ---- */

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
    return !t->stopped;
}

/* Writes the entrants to the block; returns the address of the games. */
static struct batch_game *write_entrants(const struct tournament *t, struct game_batch *c)
{
    const size_t genes = genes_of(t->m);
    int32_t *at = c->numbers;
    memcpy(c->broken_path, t->m->broken_path, sizeof c->broken_path);
    memcpy(c->fault_folder, t->m->base.fault_folder, sizeof c->fault_folder);
    c->entrant_count = t->entrant_count;
    for (int i = 0; i < t->entrant_count; i++, at += genes) {
        *at++ = (int32_t)t->entrants[i].ref.kind;
        *at++ = t->entrants[i].ref.index;
        if (t->entrants[i].values != NULL)
            memcpy(at, t->entrants[i].values, genes * sizeof *at);
    }
    return (struct batch_game *)at;
}

/* Creates the block of the unknown games from number `first` on; *count is their number. NULL if
 * memory is short. */
static struct game_batch *new_batch(const struct tournament *t, int first, size_t *count,
                                    size_t *size)
{
    *size = sizeof(struct game_batch) +
            (size_t)t->entrant_count * entrant_numbers(t->m) * sizeof(int32_t) +
            (size_t)(t->count - first) * sizeof(struct batch_game);
    *count = 0;
    struct game_batch *c = calloc(1, *size);
    if (c == NULL)
        return NULL;
    struct batch_game *games = write_entrants(t, c);
    for (int i = first; i < t->count; i++) {
        const struct scheduled_game *p = &t->games[i];
        if (!p->known)
            games[(*count)++] =
                (struct batch_game){i, p->row.opening, {p->entrants[WHITE], p->entrants[BLACK]}};
    }
    return c;
}

/* Plays the scheduled games from number `first` on. */
static bool play_all(struct tournament *t, int first)
{
    struct coevolution *m = t->m;
    size_t count, size;
    struct game_batch *games_block = new_batch(t, first, &count, &size);
    if (games_block == NULL)
        return error_set(&m->base.failed, "no memory for %d games", t->count - first);
    const struct jobs_batch batch = {.count = count,
                                     .block = games_block,
                                     .block_size = size,
                                     .stop = t->stop,
                                     .taker = t,
                                     .take = take};
    bool done = jobs_run(m->jobs, &batch, &m->base.failed) == JOBS_DONE;
    free(games_block);
    return done && !t->stopped;
}

/* The opening of the next game: one that this generation has not used, as long as there is one. */
static int next_opening(const struct tournament *t)
{
    const struct coevolution *m = t->m;
    size_t count = m->book.count - m->reserved;
    return (int)m->openings[m->reserved + m->shuffled[(size_t)t->count % count]];
}

/* Schedules a game between two entrants, or takes its result if it is known. */
static void add_game(struct tournament *t, int white, int black)
{
    assert(t->count < t->room);
    struct scheduled_game *p = &t->games[t->count];
    *p = (struct scheduled_game){.row = {.number = t->count,
                                         .white = t->entrants[white].ref,
                                         .black = t->entrants[black].ref,
                                         .opening = next_opening(t)},
                                 .entrants = {white, black}};
    for (size_t i = 0; i < t->c->known_count && !p->known; i++)
        if (t->c->known[i].number == t->count) {
            p->row = t->c->known[i];
            p->known = true;
        }
    t->count++;
}

/* Schedules `games` games between two entrants. The first entrant has White in the first game. */
static void add_games(struct tournament *t, int a, int b, int games)
{
    for (int k = 0; k < games; k++)
        add_game(t, k % 2 == 0 ? a : b, k % 2 == 0 ? b : a);
}

/* ---- schedule ---- */

/* The number of genes of this many organisms. */
static size_t genes(const struct tournament *t, int organisms)
{
    return (size_t)organisms * genes_of(t->m);
}

/* Adds an entrant; returns its index. */
static int add_entrant(struct tournament *t, enum player_kind kind, int index,
                       const int32_t *values)
{
    t->entrants[t->entrant_count] = (struct entrant){{kind, index}, values};
    return t->entrant_count++;
}

/* Adds the organisms and the initial population. */
static void add_entrants(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        add_entrant(t, PLAYER_ORGANISM, i, t->c->organisms + genes(t, i));
    for (int s = 0; s < t->c->seed_count; s++)
        add_entrant(t, PLAYER_SEED, s, t->c->seeds + genes(t, s));
}

/* The entrant index of a member of the initial population. */
static int seed_entrant(const struct tournament *t, int s)
{
    return t->c->count + s;
}

static const int32_t *champion(const struct tournament *t, int generation)
{
    return t->c->champions + genes(t, generation);
}

static bool same_champion(const struct tournament *t, int a, int b)
{
    return memcmp(champion(t, a), champion(t, b), genes(t, 1) * sizeof(int32_t)) == 0;
}

/* 1: round robin. */
static void add_round(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        for (int j = i + 1; j < t->c->count; j++)
            add_games(t, i, j, t->m->games);
}

/* True if no later champion has the same values. */
static bool is_last_of_equals(const struct tournament *t, int generation)
{
    for (int later = generation + 1; later < t->c->generation; later++)
        if (same_champion(t, generation, later))
            return false;
    return true;
}

/* 2: games with the initial population. */
static void add_seeds(struct tournament *t)
{
    for (int s = 0; s < t->c->seed_count && t->m->seed_games > 0; s++)
        for (int i = 0; i < t->c->count; i++)
            add_games(t, i, seed_entrant(t, s), t->m->seed_games);
}

/* 2: games with the hall of fame. */
static void add_hall(struct tournament *t)
{
    int seated = 0;
    for (int g = t->c->generation - 1; g >= 0 && seated < t->m->hall; g--) {
        if (!is_last_of_equals(t, g))
            continue;
        seated++;
        int entrant = add_entrant(t, PLAYER_CHAMPION, g, champion(t, g));
        for (int i = 0; i < t->c->count; i++)
            add_games(t, i, entrant, t->m->hall_games);
    }
}

/* 3: rematch of the leader against everyone else; against the initial population only if its games
 * count. */
static void add_rematch(struct tournament *t, int leader)
{
    for (int i = 0; i < t->c->count; i++)
        if (i != leader)
            add_games(t, leader, i, t->m->rematch);
    for (int s = 0; s < t->c->seed_count && t->m->seed_games > 0; s++)
        add_games(t, leader, seed_entrant(t, s), t->m->rematch);
}

/* ---- points ---- */

/* Counts an organism's points in a game. `only` >= 0 restricts the count to that organism. */
static void count_player(struct tournament *t, struct player_ref player, int points, int only)
{
    if (player.kind != PLAYER_ORGANISM || (only >= 0 && player.index != only))
        return;
    t->points[player.index] += points;
    t->played[player.index]++;
}

/* Counts the games from number `first` on for one organism, or for all (`only` < 0). */
static void count_points(struct tournament *t, int first, int only)
{
    for (int n = first; n < t->count; n++) {
        const struct game_record *row = &t->games[n].row;
        count_player(t, row->white, row->result, only);
        count_player(t, row->black, 2 - row->result, only);
    }
}

/* The organism with the largest share of its points; the first of equals. */
static int leader_of(const struct tournament *t)
{
    int leader = 0;
    for (int i = 1; i < t->c->count; i++)
        if (t->points[i] * t->played[leader] > t->points[leader] * t->played[i])
            leader = i;
    return leader;
}

/* The number of a leader's opponents in a rematch. */
static int opponents(const struct coevolution *m)
{
    return m->population - 1 + (m->seed_games > 0 ? m->seeds : 0);
}

/* The half points of all games that an organism can have. */
static int64_t full_points(const struct coevolution *m)
{
    return 2 * ((int64_t)(m->population - 1) * m->games + (int64_t)m->seeds * m->seed_games +
                (int64_t)m->hall * m->hall_games + (int64_t)opponents(m) * m->rematch);
}

/* 4: rounded shares of the points. */
static void write_values(const struct tournament *t, int64_t *values)
{
    for (int i = 0; i < t->c->count; i++)
        values[i] = (t->points[i] * full_points(t->m) + t->played[i]) / (2 * t->played[i]);
}

/* ---- a generation ---- */

static bool play_generation(struct tournament *t)
{
    struct coevolution *m = t->m;
    add_entrants(t);
    add_round(t);
    add_seeds(t);
    add_hall(t);
    if (!play_all(t, 0))
        return false;
    count_points(t, 0, -1);
    for (int leader = leader_of(t); m->rematch > 0 && !t->rematched[leader];
         leader = leader_of(t)) {
        int first = t->count;
        add_rematch(t, leader);
        if (!play_all(t, first))
            return false;
        count_points(t, first, leader);
        t->rematched[leader] = true;
    }
    return true;
}

/* The largest possible number of games in a generation. */
static int max_games(const struct coevolution *m)
{
    int round = m->population * (m->population - 1) / 2 * m->games;
    return round + m->population * (m->seeds * m->seed_games + m->hall * m->hall_games +
                                    opponents(m) * m->rematch);
}

static bool compete(struct fitness *f, const struct competition *c, int64_t *values)
{
    struct coevolution *m = (struct coevolution *)f;
    size_t count = (size_t)c->count;
    struct tournament t = {
        .m = m,
        .c = c,
        .stop = c->stop,
        .room = max_games(m),
        .entrants = calloc(count + (size_t)(c->seed_count + m->hall), sizeof *t.entrants),
        .games = calloc((size_t)max_games(m), sizeof *t.games),
        .points = calloc(count, sizeof *t.points),
        .played = calloc(count, sizeof *t.played),
        .rematched = calloc(count, sizeof *t.rematched),
    };
    bool done = t.entrants != NULL && t.games != NULL && t.points != NULL && t.played != NULL &&
                t.rematched != NULL;
    if (!done)
        error_set(&f->failed, "no memory for the games of %d organisms", c->count);
    book_shuffle(m->seed, (uint64_t)c->generation, m->book.count - m->reserved, m->shuffled);
    done = done && play_generation(&t);
    if (done)
        write_values(&t, values);
    free(t.entrants);
    free(t.games);
    free(t.points);
    free(t.played);
    free(t.rematched);
    return done;
}

static void report_broken_to(struct fitness *f, const char *path)
{
    struct coevolution *m = (struct coevolution *)f;
    snprintf(m->broken_path, sizeof m->broken_path, "%s", path);
}

static const struct competition_method competition = {
    .compete = compete,
    .report_broken_to = report_broken_to,
};

/* ---- the opponent ---- */

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct coevolution *m = (struct coevolution *)f;
    if (m->opponent_games == 0)
        return -1;
    struct entrant entrants[2] = {{{PLAYER_ORGANISM, -1}, genes}, {{PLAYER_OPPONENT, -1}, NULL}};
    struct tournament t = {.m = m,
                           .watcher = watcher,
                           .stop = watcher->stop,
                           .entrants = entrants,
                           .entrant_count = 2,
                           .count = m->opponent_games};
    t.games = calloc((size_t)t.count, sizeof *t.games);
    if (t.games == NULL) {
        error_set(&f->failed, "no memory for %d games", t.count);
        return -1;
    }
    for (int k = 0; k < t.count; k++)
        t.games[k] =
            (struct scheduled_game){.row = {.number = k, .opening = (int)m->openings[k / 2]},
                                    .entrants = {k % 2, 1 - k % 2}};
    int64_t points = play_all(&t, 0) ? 0 : -1;
    for (int k = 0; k < t.count && points >= 0; k++)
        points += k % 2 == 0 ? t.games[k].row.result : 2 - t.games[k].row.result;
    free(t.games);
    return points;
}

/* ---- the method ---- */

static int64_t score(const struct fitness *f, int64_t value)
{
    (void)f;
    return value;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct coevolution *m = (const struct coevolution *)f;
    char games[COUNTED_MAX], number[COUNTED_MAX];
    const bool timed = m->limits.movetime > 0;
    int used = snprintf(
        text, size, "%s%s%s per pair, %" PRIu64 " %s a move, %s", m->lineup.engine.name,
        m->lineup.engine.name[0] != '\0' ? ": " : "", format_things(m->games, "game", games),
        timed ? (uint64_t)m->limits.movetime : m->limits.nodes, timed ? "ms" : "nodes",
        format_things((int64_t)(m->book.count - m->reserved), "opening", number));
    if (m->seeds > 0 && m->seed_games > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d of each with %s", m->seed_games,
                         format_things(m->seeds, "seed", number));
    if (m->hall > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d of each with %s", m->hall_games,
                         format_things(m->hall, "champion", number));
    if (m->rematch > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d in a rematch", m->rematch);
    if (m->adjudication.win_score > 0)
        used += snprintf(text + used, size - (size_t)used, ", won at %d centipawns",
                         m->adjudication.win_score);
    if (m->opponent_games > 0)
        snprintf(text + used, size - (size_t)used, ", %d against the opponent", m->opponent_games);
}

static void destroy(struct fitness *f)
{
    if (f == NULL)
        return;
    struct coevolution *m = (struct coevolution *)f;
    jobs_destroy(m->jobs);
    free(m->openings);
    free(m->shuffled);
    book_free(&m->book);
    lineup_free(&m->lineup);
    free(m);
}

static const struct fitness_method method = {
    .name = "coevolution",
    .value = &objective_points,
    .work = "game",
    .competition = &competition,
    .measure_held_out = measure_held_out,
    .score = score,
    .describe = describe,
    .destroy = destroy,
};

/* ---- creation ---- */

/* Reads the book and divides it between opponent and organisms. Fails if `unique` and a generation
 * would need an opening twice. */
static bool load_openings(struct coevolution *m, const char *path, bool unique, struct error *err)
{
    enum { PLIES = 16, RESERVED_PASS = -1 };
    if (!book_read(&m->book, path, PLIES, err))
        return false;
    m->reserved = (size_t)m->opponent_games / 2;
    size_t needed = m->reserved + (unique ? (size_t)max_games(m) : 1);
    if (m->book.count < needed)
        return error_set(err,
                         "%s: %zu openings; a generation needs %zu different ones (%zu of them for "
                         "the opponent), or fitness.unique: no",
                         path, m->book.count, needed, m->reserved);
    m->openings = calloc(m->book.count, sizeof *m->openings);
    m->shuffled = calloc(m->book.count, sizeof *m->shuffled);
    if (m->openings == NULL || m->shuffled == NULL)
        return error_set(err, "no memory for %zu openings", m->book.count);
    book_shuffle(m->seed, (uint64_t)RESERVED_PASS, m->book.count, m->openings);
    return true;
}

static bool prepare(struct coevolution *m, const struct recipe *recipe, struct error *err)
{
    if (!lineup_read(&m->lineup, recipe, err))
        return false;
    m->base.space = m->lineup.space.table;
    m->base.approximate = m->lineup.engine.command != NULL || m->lineup.rival.command != NULL;
    if (recipe->movetime > 0 && m->lineup.engine.command == NULL)
        return error_set(err, "fitness.movetime is for another engine; ours plays by nodes, which "
                              "repeats exactly");
    m->opponent_games = m->lineup.has_opponent ? recipe->opponent_games : 0;
    m->base.train_size = full_points(m);
    m->base.held_out_size = 2 * (int64_t)m->opponent_games;
    if (!load_openings(m, recipe->openings, recipe->unique != 0, err))
        return false;
    m->jobs = jobs_create(&game_job, m, m->base.threads, err);
    return m->jobs != NULL;
}

struct fitness *coevolution_create(const struct recipe *recipe, int threads, struct error *err)
{
    struct coevolution *m = calloc(1, sizeof *m);
    if (m == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    *m = (struct coevolution){
        .base = {.method = &method, .threads = threads},
        .limits = {.nodes = recipe->movetime > 0 ? 0 : (uint64_t)recipe->limit,
                   .movetime = recipe->movetime,
                   .grace = recipe->movetime > 0 ? GRACE : 0},
        .adjudication = {.win_score = recipe->win_score, .win_moves = WIN_MOVES},
        .seed = recipe->seed,
        .population = recipe->optimiser.population,
        .games = recipe->games,
        .rematch = recipe->rematch,
        .seeds = recipe->seed_count,
        .seed_games = recipe->seed_games,
        .hall = recipe->hall,
        .hall_games = recipe->hall_games,
    };
    if (prepare(m, recipe, err))
        return &m->base;
    destroy(&m->base);
    return NULL;
}
