/* The fitness of phase 2 (david-2014, section III-C): organisms of one population play each other.
 * They are evaluations, all with one search, or, beyond the paper, searches, all with one
 * evaluation: what the space is of.
 *
 *   1  Each two organisms play `games` games from different openings, colours half and half. No
 *      opening comes twice in a generation; each generation shuffles the book anew.
 *   2  Each organism plays the seeds, `seed_games` each, and the hall of fame, the latest different
 *      champions of earlier generations, so that what was once learned is still worth something
 *      (Rosin and Belew 1997).
 *   3  The leader plays `rematch` more games against each other organism and seed, which count for
 *      it alone; whoever leads then does the same, until the leader has done so. Without it the
 *      elite is often just the luckiest of equals.
 *   4  A measure is the share of half points, out of as many as there would be with all the games
 *      of 1 to 3.
 *
 * What is held out is the score against a fixed opponent, from openings that no generation uses. */
#include "competition.h"
#include "engines.h"
#include "evaluate.h"
#include "fitness_kinds.h"
#include "jobs.h"
#include "match_broken.h"
#include "params_file.h"
#include "values.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A worker's room to play in. */
struct board {
    struct engine **engines; /* two */
    struct game game;
};

/* A whole player. */
struct player {
    struct eval_weights weights;
    struct search_params search;
};

enum { MOST_GENES = (int)EVAL_TERMS > (int)SEARCH_PARAMS ? (int)EVAL_TERMS : (int)SEARCH_PARAMS };

/* For how many moves of each side both must say that a game is won. */
enum { WIN_MOVES = 4 };

enum { BROKEN_PATH = 1100 };

struct coevolution {
    struct fitness base;             /* first, so that a struct fitness * is one */
    const struct param_table *table; /* of what evolves, an evaluation or a search */
    struct param params[MOST_GENES];
    struct player common; /* what all have: the half that evolves is not looked at */
    struct game_limits limits;
    struct game_adjudication adjudication; /* of games that decide fitness */
    uint64_t seed;
    int population, games, rematch, seeds, seed_games, hall, hall_games;
    int opponent_games; /* 0: no opponent */
    struct player opponent;
    struct book book;
    size_t reserved;               /* openings for the opponent, */
    uint32_t *openings;            /* the first of this order; the rest is for the organisms */
    uint32_t *shuffled;            /* the order of the rest in a generation */
    int hash;                      /* MiB, of each engine */
    struct jobs *jobs;             /* games */
    char broken_path[BROKEN_PATH]; /* the crash report of a broken game (match_broken.h) */
};

/* Someone who plays. */
struct entrant {
    struct player_ref ref;
    const int32_t *values; /* none of the opponent's */
};

/* A game to be played, or played. */
struct pairing {
    struct game_record row;
    int entrants[2]; /* White and Black */
    bool known;
};

/* A generation being measured. */
struct tournament {
    struct coevolution *m;
    const struct competition *c; /* NULL: games with the opponent */
    const volatile sig_atomic_t *stop;
    struct entrant *entrants; /* the organisms first, then the seeds, then champions */
    int entrant_count;
    struct pairing *pairings;
    int count, room;
    bool given_up;   /* the observer has said so */
    int64_t *points; /* by organism: half points, */
    int64_t *played; /* and games that count for it */
    bool *rematched;
};

/* A game of a batch. */
struct bout {
    int32_t number; /* of its pairing */
    int32_t opening;
    int32_t entrants[2]; /* White and Black */
};

/* The block of a batch of games. Its numbers are, for each entrant, its player's kind and index and
 * its values; the bouts follow. */
struct card {
    char broken_path[BROKEN_PATH];
    int32_t entrant_count;
    int32_t numbers[];
};

/* ---- a game ---- */

static bool evolves_evaluation(const struct coevolution *m)
{
    return m->table == &eval_table;
}

/* How many numbers of a card an entrant has. */
static size_t entrant_numbers(const struct coevolution *m)
{
    return 2 + (size_t)m->table->count;
}

/* An entrant of a card. */
static struct entrant entrant_of(const struct coevolution *m, const struct card *c, int32_t entrant)
{
    const int32_t *numbers = c->numbers + (size_t)entrant * entrant_numbers(m);
    return (struct entrant){{(enum player_kind)numbers[0], numbers[1]}, numbers + 2};
}

/* The whole player that an entrant is. */
static struct player player_of(const struct coevolution *m, struct entrant e)
{
    struct player player = m->common;
    if (e.ref.kind == PLAYER_OPPONENT)
        return m->opponent;
    if (evolves_evaluation(m))
        memcpy(player.weights.value, e.values, sizeof player.weights.value);
    else
        player.search = search_params_from(m->table, e.values);
    return player;
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

/* Leaves a game behind that shows a bug of the engine's; always false. */
static bool report_broken(const struct coevolution *m, const struct card *c,
                          const struct entrant entrants[2], const struct game *g, struct error *err)
{
    struct match_settings settings = {.book_name = "", .seed = m->seed, .limits = m->limits};
    for (int side = WHITE; side <= BLACK; side++) {
        struct match_player *player = &settings.players[side];
        name_player(entrants[side].ref, player->name, sizeof player->name);
        const struct player whole = player_of(m, entrants[side]);
        player->weights = whole.weights;
        player->params = whole.search;
    }
    const struct match match = {.settings = &settings};
    return match_broken_fail(c->broken_path, &match, 0, g, err);
}

/* Plays a bout of the card; the result is a row with what came of it. False when it was stopped or
 * has failed. */
static bool play(struct job *job, void *result, struct error *err)
{
    const struct coevolution *m = job->context;
    const struct card *c = job->block;
    const int32_t *bouts = c->numbers + (size_t)c->entrant_count * entrant_numbers(m);
    const struct bout *bout = (const struct bout *)bouts + job->number;
    const struct entrant entrants[2] = {entrant_of(m, c, bout->entrants[WHITE]),
                                        entrant_of(m, c, bout->entrants[BLACK])};
    struct game_conditions conditions = {.limits = m->limits, .stop = job->stop};
    struct board *b = job->worker;
    struct game_record *row = result;
    for (int side = WHITE; side <= BLACK; side++) {
        const struct player player = player_of(m, entrants[side]);
        engine_set_weights(b->engines[side], &player.weights);
        engine_set_params(b->engines[side], &player.search);
    }
    if (entrants[WHITE].ref.kind != PLAYER_OPPONENT && entrants[BLACK].ref.kind != PLAYER_OPPONENT)
        conditions.adjudication = m->adjudication; /* games with the opponent are reported */
    if (!game_play(b->engines, &m->book.items[bout->opening], &conditions, &b->game, err))
        return false;
    if (b->game.end == GAME_BROKEN)
        return report_broken(m, c, entrants, &b->game, err);
    *row = (struct game_record){.number = bout->number,
                                .result = (int)b->game.result,
                                .plies = b->game.plies,
                                .nodes = (int64_t)b->game.nodes};
    return b->game.end != GAME_ABANDONED;
}

static void finish_board(void *worker)
{
    struct board *b = worker;
    engines_destroy(b->engines, 2);
    game_free(&b->game);
    free(b);
}

/* Two engines for a worker; a game sets the weights of its players. */
static void *begin_board(const void *context, struct error *err)
{
    const struct coevolution *m = context;
    const struct eval_weights any = eval_initial_weights();
    struct board *b = calloc(1, sizeof *b);
    if (b == NULL) {
        error_set(err, "no memory for a game");
        return NULL;
    }
    b->engines = engines_create(2, m->hash, &any, err);
    if (b->engines != NULL)
        return b;
    free(b);
    return NULL;
}

static const struct job_kind game_job = {.result_size = sizeof(struct game_record),
                                         .begin = begin_board,
                                         .finish = finish_board,
                                         .work = play};

/* ---- a list of games ---- */

/* Takes a game, and tells the observer of it. */
static bool take(void *taker, size_t number, void *result)
{
    struct tournament *t = taker;
    const struct game_record *played = result;
    struct game_record *row = &t->pairings[played->number].row;
    (void)number;
    row->result = played->result;
    row->plies = played->plies;
    row->nodes = played->nodes;
    if (t->c != NULL)
        t->given_up = !t->c->played(t->c->context, row, t->count);
    return !t->given_up;
}

/* Writes the entrants onto a card; returns where the bouts begin. */
static struct bout *write_entrants(const struct tournament *t, struct card *c)
{
    const size_t genes = (size_t)t->m->table->count;
    int32_t *at = c->numbers;
    memcpy(c->broken_path, t->m->broken_path, sizeof c->broken_path);
    c->entrant_count = t->entrant_count;
    for (int i = 0; i < t->entrant_count; i++, at += genes) {
        *at++ = (int32_t)t->entrants[i].ref.kind;
        *at++ = t->entrants[i].ref.index;
        if (t->entrants[i].values != NULL)
            memcpy(at, t->entrants[i].values, genes * sizeof *at);
    }
    return (struct bout *)at;
}

/* The card of the games from `first` on that are not known, `*count` of them; NULL when there is no
 * memory. */
static struct card *new_card(const struct tournament *t, int first, size_t *count, size_t *size)
{
    *size = sizeof(struct card) +
            (size_t)t->entrant_count * entrant_numbers(t->m) * sizeof(int32_t) +
            (size_t)(t->count - first) * sizeof(struct bout);
    *count = 0;
    struct card *c = calloc(1, *size);
    if (c == NULL)
        return NULL;
    struct bout *bouts = write_entrants(t, c);
    for (int i = first; i < t->count; i++) {
        const struct pairing *p = &t->pairings[i];
        if (!p->known)
            bouts[(*count)++] =
                (struct bout){i, p->row.opening, {p->entrants[WHITE], p->entrants[BLACK]}};
    }
    return c;
}

/* Plays the games of the list from `first` on. */
static bool play_all(struct tournament *t, int first)
{
    struct coevolution *m = t->m;
    size_t count, size;
    struct card *card = new_card(t, first, &count, &size);
    if (card == NULL)
        return error_set(&m->base.failed, "no memory for %d games", t->count - first);
    const struct jobs_batch batch = {.count = count,
                                     .block = card,
                                     .block_size = size,
                                     .stop = t->stop,
                                     .taker = t,
                                     .take = take};
    bool done = jobs_run(m->jobs, &batch, &m->base.failed) == JOBS_DONE;
    free(card);
    return done && !t->given_up;
}

/* The opening of the next game: one that this generation has not used, while there is any. */
static int next_opening(const struct tournament *t)
{
    const struct coevolution *m = t->m;
    size_t count = m->book.count - m->reserved;
    return (int)m->openings[m->reserved + m->shuffled[(size_t)t->count % count]];
}

/* Adds a game between two entrants to the list, as known if it was played before. */
static void add_game(struct tournament *t, int white, int black)
{
    assert(t->count < t->room);
    struct pairing *p = &t->pairings[t->count];
    *p = (struct pairing){.row = {.number = t->count,
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

/* Adds `games` games between two entrants, the first having White in the first. */
static void add_games(struct tournament *t, int a, int b, int games)
{
    for (int k = 0; k < games; k++)
        add_game(t, k % 2 == 0 ? a : b, k % 2 == 0 ? b : a);
}

/* ---- who plays whom ---- */

/* How many genes so many organisms have. */
static size_t genes(const struct tournament *t, int organisms)
{
    return (size_t)organisms * (size_t)t->m->table->count;
}

/* Enters a player, and returns its place. */
static int enter(struct tournament *t, enum player_kind kind, int index, const int32_t *values)
{
    t->entrants[t->entrant_count] = (struct entrant){{kind, index}, values};
    return t->entrant_count++;
}

/* Enters the organisms and the seeds. */
static void enter_all(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        enter(t, PLAYER_ORGANISM, i, t->c->organisms + genes(t, i));
    for (int s = 0; s < t->c->seed_count; s++)
        enter(t, PLAYER_SEED, s, t->c->seeds + genes(t, s));
}

/* The place of a seed. */
static int seed(const struct tournament *t, int s)
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

/* 1: all against all. */
static void add_round(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        for (int j = i + 1; j < t->c->count; j++)
            add_games(t, i, j, t->m->games);
}

/* Whether a champion differs from all later ones. */
static bool is_latest_of_its_kind(const struct tournament *t, int generation)
{
    for (int later = generation + 1; later < t->c->generation; later++)
        if (same_champion(t, generation, later))
            return false;
    return true;
}

/* 2: the seeds. */
static void add_seeds(struct tournament *t)
{
    for (int s = 0; s < t->c->seed_count && t->m->seed_games > 0; s++)
        for (int i = 0; i < t->c->count; i++)
            add_games(t, i, seed(t, s), t->m->seed_games);
}

/* 2: the hall of fame. */
static void add_hall(struct tournament *t)
{
    int seated = 0;
    for (int g = t->c->generation - 1; g >= 0 && seated < t->m->hall; g--) {
        if (!is_latest_of_its_kind(t, g))
            continue;
        seated++;
        int entrant = enter(t, PLAYER_CHAMPION, g, champion(t, g));
        for (int i = 0; i < t->c->count; i++)
            add_games(t, i, entrant, t->m->hall_games);
    }
}

/* 3: the leader once more against everyone else, the seeds too where they count. */
static void add_rematch(struct tournament *t, int leader)
{
    for (int i = 0; i < t->c->count; i++)
        if (i != leader)
            add_games(t, leader, i, t->m->rematch);
    for (int s = 0; s < t->c->seed_count && t->m->seed_games > 0; s++)
        add_games(t, leader, seed(t, s), t->m->rematch);
}

/* ---- points ---- */

/* Counts a player's points in a game, if it is an organism, and the one asked for (`only` < 0:
 * any). */
static void count_player(struct tournament *t, struct player_ref player, int points, int only)
{
    if (player.kind != PLAYER_ORGANISM || (only >= 0 && player.index != only))
        return;
    t->points[player.index] += points;
    t->played[player.index]++;
}

/* Counts the games from `first` on for one organism, or for all (`only` < 0). */
static void count_points(struct tournament *t, int first, int only)
{
    for (int n = first; n < t->count; n++) {
        const struct game_record *row = &t->pairings[n].row;
        count_player(t, row->white, row->result, only);
        count_player(t, row->black, 2 - row->result, only);
    }
}

/* The organism with the largest share of its points; of equals the first. */
static int leader_of(const struct tournament *t)
{
    int leader = 0;
    for (int i = 1; i < t->c->count; i++)
        if (t->points[i] * t->played[leader] > t->points[leader] * t->played[i])
            leader = i;
    return leader;
}

/* How many different opponents a leader has in a rematch. */
static int opponents(const struct coevolution *m)
{
    return m->population - 1 + (m->seed_games > 0 ? m->seeds : 0);
}

/* Half points that an organism could have made with all the games that there may be. */
static int64_t full_points(const struct coevolution *m)
{
    return 2 * ((int64_t)(m->population - 1) * m->games + (int64_t)m->seeds * m->seed_games +
                (int64_t)m->hall * m->hall_games + (int64_t)opponents(m) * m->rematch);
}

/* 4: shares of the points, rounded. */
static void write_values(const struct tournament *t, int64_t *values)
{
    for (int i = 0; i < t->c->count; i++)
        values[i] = (t->points[i] * full_points(t->m) + t->played[i]) / (2 * t->played[i]);
}

/* ---- a generation ---- */

static bool play_generation(struct tournament *t)
{
    struct coevolution *m = t->m;
    enter_all(t);
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

/* The most games that a generation may have. */
static int most_games(const struct coevolution *m)
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
        .room = most_games(m),
        .entrants = calloc(count + (size_t)(c->seed_count + m->hall), sizeof *t.entrants),
        .pairings = calloc((size_t)most_games(m), sizeof *t.pairings),
        .points = calloc(count, sizeof *t.points),
        .played = calloc(count, sizeof *t.played),
        .rematched = calloc(count, sizeof *t.rematched),
    };
    bool done = t.entrants != NULL && t.pairings != NULL && t.points != NULL && t.played != NULL &&
                t.rematched != NULL;
    if (!done)
        error_set(&f->failed, "no memory for the games of %d organisms", c->count);
    book_shuffle(m->seed, (uint64_t)c->generation, m->book.count - m->reserved, m->shuffled);
    done = done && play_generation(&t);
    if (done)
        write_values(&t, values);
    free(t.entrants);
    free(t.pairings);
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
                           .stop = watcher->stop,
                           .entrants = entrants,
                           .entrant_count = 2,
                           .count = m->opponent_games};
    t.pairings = calloc((size_t)t.count, sizeof *t.pairings);
    if (t.pairings == NULL) {
        error_set(&f->failed, "no memory for %d games", t.count);
        return -1;
    }
    for (int k = 0; k < t.count; k++)
        t.pairings[k] = (struct pairing){.row = {.number = k, .opening = (int)m->openings[k / 2]},
                                         .entrants = {k % 2, 1 - k % 2}};
    int64_t points = play_all(&t, 0) ? 0 : -1;
    for (int k = 0; k < t.count && points >= 0; k++)
        points += k % 2 == 0 ? t.pairings[k].row.result : 2 - t.pairings[k].row.result;
    free(t.pairings);
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
    int used = snprintf(text, size, "%d games of each two, %" PRIu64 " nodes a move, %zu openings",
                        m->games, m->limits.nodes, m->book.count - m->reserved);
    if (m->seeds > 0 && m->seed_games > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d of each with %d seeds",
                         m->seed_games, m->seeds);
    if (m->hall > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d of each with %d champions",
                         m->hall_games, m->hall);
    if (m->rematch > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d more of the leader", m->rematch);
    if (m->adjudication.win_score > 0)
        used += snprintf(text + used, size - (size_t)used, ", won at %d centipawns",
                         m->adjudication.win_score);
    if (m->opponent_games > 0)
        snprintf(text + used, size - (size_t)used, ", %d with the opponent", m->opponent_games);
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
    free(m);
}

static const struct fitness_method method = {
    .name = "coevolution",
    .value = &objective_points,
    .competition = &competition,
    .measure_held_out = measure_held_out,
    .score = score,
    .describe = describe,
    .destroy = destroy,
};

/* ---- creation ---- */

/* Reads the book and parts it; a generation must not use an opening twice. */
static bool load_openings(struct coevolution *m, const char *path, bool unique, struct error *err)
{
    enum { PLIES = 16, RESERVED_PASS = -1 };
    if (!book_read(&m->book, path, PLIES, err))
        return false;
    m->reserved = (size_t)m->opponent_games / 2;
    size_t needed = m->reserved + (unique ? (size_t)most_games(m) : 1);
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

/* What evolves, the evaluation or what the space file is of, with the recipe's bits and ranges. */
static bool load_space(struct coevolution *m, const char *path, struct error *err)
{
    m->table = &eval_table;
    memcpy(m->params, eval_table.params, EVAL_TERMS * sizeof m->params[0]);
    if (path[0] != '\0')
        m->table = params_read_any_space(path, values_tables, m->params, err);
    if (m->table == NULL)
        return false;
    m->base.space = (struct param_table){m->table->kind, m->params, m->table->count};
    return true;
}

/* The half that all have. */
static bool load_common(struct coevolution *m, const struct recipe *recipe, struct error *err)
{
    const char *half = evolves_evaluation(m) ? "evaluation" : "search";
    if ((evolves_evaluation(m) ? recipe->evaluation : recipe->search)[0] != '\0')
        return error_set(err, "fitness.%s: the %s is what evolves here; leave it out", half, half);
    return values_weights(recipe->evaluation, &m->common.weights, err) &&
           values_search_params(recipe->search, &m->common.search, err);
}

/* The opponent has the common half too. */
static bool load_opponent(struct coevolution *m, const struct recipe *recipe, struct error *err)
{
    m->opponent = m->common;
    if (recipe->opponent[0] == '\0')
        return true;
    m->opponent_games = recipe->opponent_games;
    return evolves_evaluation(m) ? values_weights(recipe->opponent, &m->opponent.weights, err)
                                 : values_search_params(recipe->opponent, &m->opponent.search, err);
}

static bool prepare(struct coevolution *m, const struct recipe *recipe, struct error *err)
{
    if (!load_space(m, recipe->space, err) || !load_common(m, recipe, err) ||
        !load_opponent(m, recipe, err))
        return false;
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
        .limits = {.nodes = (uint64_t)recipe->limit},
        .hash = recipe->hash,
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
