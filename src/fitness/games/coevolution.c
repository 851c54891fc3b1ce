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
 * The held-out value is the score against a fixed opponent, from openings that no generation uses. */
#include "coevolution.h"

#include "count.h"
#include "fitness.h"
#include "games_plan.h"
#include "parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds by which another engine may exceed its time for a move, as engines look at the clock now and
 * then; and its clock, as in matches: an engine whose time management evolves would learn to use more. */
enum { MOVE_GRACE = 200, CLOCK_GRACE = 50 };

enum { GENERATION_GAMES = 100000000 };

/* ---- the method ---- */

static int64_t score(const struct fitness *f, int64_t value)
{
    (void)f;
    return value;
}

/* Writes the description as far as it fits. */
static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct coevolution *m = (const struct coevolution *)f;
    const struct recipe *r = &m->recipe;
    const struct game_limits *l = &m->limits;
    const char *engine = m->lineup.engine.name;
    char number[COUNTED_MAX];
    text[0] = text[size - 1] = '\0';
    FILE *out = fmemopen(text, size - 1, "w");
    if (out == NULL)
        return;
    fprintf(out, "%s%s%s per pair", engine, engine[0] != '\0' ? ": " : "",
            format_things(r->games, "game", number));
    if (r->neighbours > 0)
        fprintf(out, ", each with %s", format_things(r->neighbours, "neighbour", number));
    fputs(r->mates ? " of mates, " : ", ", out);
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
    fprintf(out, ", %s", format_things((int64_t)(m->book.count - m->reserved), "opening", number));
    if (m->lineup.engine.command != NULL && !m->lineup.lives)
        fputs(", a new process for other values, as one does not take them as new ones do", out);
    if (r->seed_count > 0 && r->seed_games > 0)
        fprintf(out, ", %d of each with %s", r->seed_games,
                format_things(r->seed_count, "seed", number));
    if (r->hall > 0)
        fprintf(out, ", %d of each with %s", r->hall_games,
                format_things(r->hall, "champion", number));
    if (r->start_games > 0)
        fprintf(out, ", %d against the start", r->start_games);
    if (r->rematch > 0)
        fprintf(out, ", %d in a rematch", r->rematch);
    if (r->win_score > 0)
        fprintf(out, ", won at %d centipawns", r->win_score);
    if (r->draw_score > 0)
        fprintf(out, ", drawn within %d from move %d", r->draw_score, r->draw_from);
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

/* Reads the book and divides it between opponent, organisms and start. Fails if an opening must not come twice, and
 * one would in a generation. */
static bool load_openings(struct coevolution *m, struct error *err)
{
    const struct recipe *r = &m->recipe;
    enum { PLIES = 16, RESERVED_PASS = -1 };
    if (!book_read(&m->book, r->openings, PLIES, err) ||
        !book_suits(&m->book, &m->lineup.engine.settings, err) ||
        !book_suits(&m->book, &m->lineup.rival.settings, err))
        return false;
    m->reserved = (size_t)m->opponent_games / 2;
    const size_t games = (size_t)m->most_games, start = (size_t)r->start_games;
    size_t needed = m->reserved + (!r->unique ? 1 + (start > 0) : r->pairs ? games / 2 : games);
    if (m->book.count < needed)
        return error_set(err,
                         "%s: %zu openings; a generation needs %zu different ones (%zu of them for "
                         "the opponent), or fitness.unique: no",
                         r->openings, m->book.count, needed, m->reserved);
    m->started = (m->book.count - m->reserved) * start / games;
    m->started += start > 0 && m->started == 0;
    m->taught = m->book.count - m->reserved - m->started;
    m->openings = calloc(m->book.count, sizeof *m->openings);
    m->shuffled = calloc(m->book.count, sizeof *m->shuffled);
    m->circle = calloc((size_t)r->optimiser.population, sizeof *m->circle);
    if (m->openings == NULL || m->shuffled == NULL || m->circle == NULL)
        return error_set(err, "no memory for %zu openings", m->book.count);
    book_shuffle(r->seed, (uint64_t)RESERVED_PASS, m->book.count, m->openings);
    return true;
}

static bool prepare(struct coevolution *m, struct error *err)
{
    const struct recipe *r = &m->recipe;
    struct game_limits *l = &m->limits;
    if (m->most_games > GENERATION_GAMES)
        return error_set(err,
                         "a generation may have %" PRId64
                         " games, and at most %d are possible; take "
                         "a smaller ga.population, or fewer fitness.neighbours, fitness.games, "
                         "fitness.rematch, fitness.seed_games or fitness.hall",
                         m->most_games, GENERATION_GAMES);
    if (!lineup_read(&m->lineup, r, err))
        return false;
    const bool apart = m->lineup.engine.command != NULL || m->lineup.rival.command != NULL;
    m->base.space = m->lineup.space.table;
    m->base.approximate = apart || recipe_is_timed(r);
    if (parse_clock(r->tc, &l->time, &l->increment))
        l->grace = apart ? CLOCK_GRACE : 0;
    else if (r->movetime > 0)
        *l = (struct game_limits){.movetime = r->movetime, .grace = MOVE_GRACE};
    else if (r->depth > 0)
        l->depth = r->depth;
    else
        l->nodes = (uint64_t)r->limit;
    if (l->movetime > 0 && m->lineup.engine.command == NULL)
        return error_set(err, "fitness.movetime is for another engine; ours plays by nodes, which "
                              "repeats exactly, or by a clock (fitness.tc)");
    if (!lineup_keeps_limits(&m->lineup, l, m->base.threads, err))
        return false;
    m->opponent_games = m->lineup.has_opponent ? r->opponent_games : 0;
    m->base.train_size = generation_points(m);
    m->base.held_out_size = 2 * (int64_t)m->opponent_games;
    if (!load_openings(m, err))
        return false;
    m->jobs = jobs_create(&coevolution_game_job, m, m->base.threads, err);
    return m->jobs != NULL;
}

struct fitness *coevolution_create(const struct recipe *recipe, int threads, struct error *err)
{
    struct coevolution *m = calloc(1, sizeof *m);
    if (m == NULL)
        return error_null(err, "no memory for the fitness");
    m->base = (struct fitness){.method = &method, .threads = threads};
    m->recipe = *recipe;
    m->recipe.pairs = recipe->pairs || recipe->mates;
    m->recipe.start_games = recipe->mates ? recipe->start_games : 0;
    m->adjudication =
        (struct game_adjudication){.win_score = recipe->win_score,
                                   .win_moves = recipe->win_moves,
                                   .draw_score = recipe->draw_score,
                                   .draw_moves = recipe->draw_score > 0 ? recipe->draw_moves : 0,
                                   .draw_from = recipe->draw_from};
    m->most_games = games_plan_of(recipe, 0).each;
    if (prepare(m, err))
        return &m->base;
    destroy(&m->base);
    return NULL;
}
