/* The fitness of phase 2 (david-2014, section III-C): the organisms of a population play each
 * other. All are evaluations that share one search or, beyond the paper, searches that share one
 * evaluation, or settings of another engine; the kind of the space decides (lineup.h).
 *
 *   1. Round robin: each pair of organisms plays `games` games, two from each opening with colours
 *      reversed, so that the two games are one sample, and an opening that favours a colour does no
 *      harm. The openings stand in one random order; each generation goes on in it where the one
 *      before ended, and from its end at its beginning. Without `pairs`, as runs of older programs,
 *      each game has an opening of its own, and each generation another order.
 *      With `neighbours`, beyond the paper, each generation draws a circle of all organisms, and
 *      each plays only so many, half of them on either side. Optimisers that average over organisms
 *      gain more by another generation than by more games of each.
 *      With `mates`, beyond the paper, organisms 2k and 2k + 1 play each other and nobody else,
 *      and the last organism plays the start: organism 0 of generation 0, in which nothing is played. Its
 *      openings are others, in the same proportion as its games: what it gains must hold on those, too. The two lie on both sides of an estimate (spsa.c), so their games tell the
 *      slope between them with no other noise than their own.
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
#include "coevolution.h"

#include "coevolution_game.h"
#include "count.h"
#include "fitness_kinds.h"
#include "generation.h"
#include "tournament.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A game is won when both sides agree for this many moves of each. */
enum { WIN_MOVES = 4 };

/* Milliseconds by which another engine may exceed its time: engines look at the clock now and then. */
enum { GRACE = 200 };

/* ---- a generation ---- */

static bool compete(struct fitness *f, const struct competition *c, int64_t *values)
{
    return generation_compete((struct coevolution *)f, c, values);
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
    int64_t points = tournament_play(&t, 0) ? 0 : -1;
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
    char circle[COUNTED_MAX + sizeof ", each with "] = "";
    if (m->neighbours > 0)
        snprintf(circle, sizeof circle, ", each with %s",
                 format_things(m->neighbours, "neighbour", number));
    if (m->mates)
        snprintf(circle, sizeof circle, " of mates");
    int used = snprintf(
        text, size, "%s%s%s per pair%s, %" PRIu64 " %s a move, %s", m->lineup.engine.name,
        m->lineup.engine.name[0] != '\0' ? ": " : "", format_things(m->games, "game", games),
        circle, timed ? (uint64_t)m->limits.movetime : m->limits.nodes, timed ? "ms" : "nodes",
        format_things((int64_t)(m->book.count - m->reserved), "opening", number));
    if (m->lineup.engine.command != NULL && !m->lineup.lives)
        used += snprintf(text + used, size - (size_t)used,
                         ", a new process for other values, as one keeps what it computed");
    if (m->seeds > 0 && m->seed_games > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d of each with %s", m->seed_games,
                         format_things(m->seeds, "seed", number));
    if (m->hall > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d of each with %s", m->hall_games,
                         format_things(m->hall, "champion", number));
    if (m->start_games > 0)
        used +=
            snprintf(text + used, size - (size_t)used, ", %d against the start", m->start_games);
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
    free(m->circle);
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

/* Reads the book and divides it between opponent, organisms and start. Fails if `unique` and an opening
 * would come again in a generation. */
static bool load_openings(struct coevolution *m, const char *path, bool unique, struct error *err)
{
    enum { PLIES = 16, RESERVED_PASS = -1 };
    if (!book_read(&m->book, path, PLIES, err))
        return false;
    m->reserved = (size_t)m->opponent_games / 2;
    const size_t games = (size_t)generation_most_games(m), start = (size_t)m->start_games;
    size_t needed = m->reserved + (!unique ? 1 + (start > 0) : m->pairs ? games / 2 : games);
    if (m->book.count < needed)
        return error_set(err,
                         "%s: %zu openings; a generation needs %zu different ones (%zu of them for "
                         "the opponent), or fitness.unique: no",
                         path, m->book.count, needed, m->reserved);
    m->started = (m->book.count - m->reserved) * start / games;
    m->started += start > 0 && m->started == 0;
    m->taught = m->book.count - m->reserved - m->started;
    m->openings = calloc(m->book.count, sizeof *m->openings);
    m->shuffled = calloc(m->book.count, sizeof *m->shuffled);
    m->circle = calloc((size_t)m->population, sizeof *m->circle);
    if (m->openings == NULL || m->shuffled == NULL || m->circle == NULL)
        return error_set(err, "no memory for %zu openings", m->book.count);
    book_shuffle(m->seed, (uint64_t)RESERVED_PASS, m->book.count, m->openings);
    return true;
}

/* Checks that a generation's games can be listed. */
static bool check_games(const struct coevolution *m, struct error *err)
{
    const int64_t most = generation_most_games(m);
    return most <= GENERATION_GAMES ||
           error_set(err,
                     "a generation may have %" PRId64 " games, and at most %d are possible; take "
                     "a smaller ga.population, or fewer fitness.neighbours, fitness.games, "
                     "fitness.rematch, fitness.seed_games or fitness.hall",
                     most, GENERATION_GAMES);
}

static bool prepare(struct coevolution *m, const struct recipe *recipe, struct error *err)
{
    if (!check_games(m, err))
        return false;
    if (!lineup_read(&m->lineup, recipe, err))
        return false;
    m->base.space = m->lineup.space.table;
    m->base.approximate = m->lineup.engine.command != NULL || m->lineup.rival.command != NULL;
    if (recipe->movetime > 0 && m->lineup.engine.command == NULL)
        return error_set(err, "fitness.movetime is for another engine; ours plays by nodes, which "
                              "repeats exactly");
    m->opponent_games = m->lineup.has_opponent ? recipe->opponent_games : 0;
    m->base.train_size = generation_points(m);
    m->base.held_out_size = 2 * (int64_t)m->opponent_games;
    if (!load_openings(m, recipe->openings, recipe->unique != 0, err))
        return false;
    m->jobs = jobs_create(&coevolution_game_job, m, m->base.threads, err);
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
        .pairs = recipe->pairs != 0 || recipe->mates != 0,
        .neighbours = recipe->neighbours,
        .opponents = recipe_opponents(recipe),
        .mates = recipe->mates != 0,
        .start_games = recipe->mates != 0 ? recipe->start_games : 0,
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
