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
 *      With `mates`, beyond the paper, organisms 2k and 2k + 1 play each other and nobody else. The two
 *      lie on both sides of an estimate (spsa.c,
 *      evolution_strategy.c), so their games tell the slope between them with no
 *      other noise than their own. The last organism plays the start: organism 0 of generation 0, in
 *      which nothing is played. Its openings are others, in the same proportion as its games: what it
 *      gains must hold on those, too.
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

#include "count.h"
#include "fitness_kinds.h"
#include "games_plan.h"
#include "parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds by which another engine may exceed its time for a move, as engines look at the clock now and
 * then; and its clock, as in matches: an engine whose time management evolves would learn to use more. */
enum { MOVE_GRACE = 200, CLOCK_GRACE = 50 };

/* ---- the method ---- */

static int64_t score(const struct fitness *f, int64_t value)
{
    (void)f;
    return value;
}

/* Writes how long players think: "2,000 nodes a move", "8+0.08 s a game, which does not repeat". */
static void describe_limits(const struct coevolution *m, FILE *out)
{
    const struct game_limits *l = &m->limits;
    if (l->time > 0)
        fprintf(out, "%g+%g s a game", (double)l->time / 1000, (double)l->increment / 1000);
    else if (l->movetime > 0)
        fprintf(out, "%" PRId64 " ms a move", l->movetime);
    else if (l->depth > 0)
        fprintf(out, "%d plies a move", l->depth);
    else
        fprintf(out, "%" PRIu64 " nodes a move", l->nodes);
    if (l->nodes == 0 && l->depth == 0)
        fputs(", which does not repeat", out);
}

static void describe_adjudication(const struct game_adjudication *a, FILE *out)
{
    if (a->win_score > 0)
        fprintf(out, ", won at %d centipawns", a->win_score);
    if (a->draw_score > 0)
        fprintf(out, ", drawn within %d from move %d", a->draw_score, a->draw_from);
}

/* Writes the description as far as it fits. */
static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct coevolution *m = (const struct coevolution *)f;
    const char *engine = m->lineup.engine.name;
    char number[COUNTED_MAX];
    text[0] = text[size - 1] = '\0';
    FILE *out = fmemopen(text, size - 1, "w");
    if (out == NULL)
        return;
    fprintf(out, "%s%s%s per pair", engine, engine[0] != '\0' ? ": " : "",
            format_things(m->games, "game", number));
    if (m->neighbours > 0)
        fprintf(out, ", each with %s", format_things(m->neighbours, "neighbour", number));
    fputs(m->mates ? " of mates, " : ", ", out);
    describe_limits(m, out);
    fprintf(out, ", %s", format_things((int64_t)(m->book.count - m->reserved), "opening", number));
    if (m->lineup.engine.command != NULL && !m->lineup.lives)
        fputs(", a new process for other values, as one does not take them as new ones do", out);
    if (m->seeds > 0 && m->seed_games > 0)
        fprintf(out, ", %d of each with %s", m->seed_games,
                format_things(m->seeds, "seed", number));
    if (m->hall > 0)
        fprintf(out, ", %d of each with %s", m->hall_games,
                format_things(m->hall, "champion", number));
    if (m->start_games > 0)
        fprintf(out, ", %d against the start", m->start_games);
    if (m->rematch > 0)
        fprintf(out, ", %d in a rematch", m->rematch);
    describe_adjudication(&m->adjudication, out);
    if (m->opponent_games > 0)
        fprintf(out, ", %d against the opponent", m->opponent_games);
    fclose(out);
}

static void destroy(struct fitness *f)
{
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
    .compete = generation_compete,
    .plays = true,
    .measure_held_out = opponent_points,
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
    if (!book_read(&m->book, path, PLIES, err) ||
        !book_suits(&m->book, &m->lineup.engine.settings, err) ||
        !book_suits(&m->book, &m->lineup.rival.settings, err))
        return false;
    m->reserved = (size_t)m->opponent_games / 2;
    const size_t games = (size_t)m->most_games, start = (size_t)m->start_games;
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
    return m->most_games <= GENERATION_GAMES ||
           error_set(err,
                     "a generation may have %" PRId64 " games, and at most %d are possible; take "
                     "a smaller ga.population, or fewer fitness.neighbours, fitness.games, "
                     "fitness.rematch, fitness.seed_games or fitness.hall",
                     m->most_games, GENERATION_GAMES);
}

/* The limits of a move or a game. `apart` is true if a player is in a process of its own. */
static struct game_limits limits_of(const struct recipe *r, bool apart)
{
    struct game_limits l = {0};
    if (parse_clock(r->tc, &l.time, &l.increment))
        l.grace = apart ? CLOCK_GRACE : 0;
    else if (r->movetime > 0) {
        l.movetime = r->movetime;
        l.grace = MOVE_GRACE;
    } else if (r->depth > 0)
        l.depth = r->depth;
    else
        l.nodes = (uint64_t)r->limit;
    return l;
}

static bool prepare(struct coevolution *m, const struct recipe *recipe, struct error *err)
{
    if (!check_games(m, err))
        return false;
    if (!lineup_read(&m->lineup, recipe, err))
        return false;
    const bool apart = m->lineup.engine.command != NULL || m->lineup.rival.command != NULL;
    m->base.space = m->lineup.space.table;
    m->base.approximate = apart || recipe_is_timed(recipe);
    m->limits = limits_of(recipe, apart);
    if (m->limits.movetime > 0 && m->lineup.engine.command == NULL)
        return error_set(err, "fitness.movetime is for another engine; ours plays by nodes, which "
                              "repeats exactly, or by a clock (fitness.tc)");
    if (!lineup_keeps_limits(&m->lineup, &m->limits, m->base.threads, err))
        return false;
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
        .adjudication = {.win_score = recipe->win_score,
                         .win_moves = recipe->win_moves,
                         .draw_score = recipe->draw_score,
                         .draw_moves = recipe->draw_score > 0 ? recipe->draw_moves : 0,
                         .draw_from = recipe->draw_from},
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
        .most_games = games_plan_of(recipe, 0).each,
        .hall_games = recipe->hall_games,
    };
    if (prepare(m, recipe, err))
        return &m->base;
    destroy(&m->base);
    return NULL;
}
