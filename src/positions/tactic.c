#include "tactic.h"

#include "see.h"
#include "solve.h"

#include <stdlib.h>
#include <string.h>

enum { EARLY_MOVES = 32 };

struct search_params tactic_modern_params(void)
{
    struct search_params p = search_initial_params();
    p.value[LMR_USE] = 1;
    p.value[QUIESCENCE_CHECKS] = 1;
    p.value[QUIESCENCE_EVASIONS] = 1;
    p.value[SINGULAR_DEPTH] = 6;
    p.value[ASPIRATION_WINDOW] = 60;
    p.value[MULTI_CUT_USE] = 0;
    return p;
}

/* An examination in progress. */
struct examination {
    const struct tactic_settings *settings;
    const struct position *position;
    const struct job *job;
    /* The look: the solver's latest best moves within its first `shallow` nodes, and its present one. */
    Move early[EARLY_MOVES];
    int early_count;
    Move now;
    int32_t score_before, score_now;
    /* The judgement: the two best lines as of the last complete iteration. */
    Move best;
    int32_t score[2];
    int stood; /* iterations in a row that ended with this best move */
    enum tactic_verdict verdict;
};

static bool must_stop(void *context)
{
    return job_is_stopped(((const struct examination *)context)->job);
}

/* ---- 1. look ---- */

/* Records a best move; of early ones drops the oldest if there is no room. */
static bool look_best(void *context, Move best, int depth, uint64_t nodes)
{
    struct examination *x = context;
    (void)depth;
    x->now = best;
    if (nodes > x->settings->shallow)
        return true;
    if (x->early_count == EARLY_MOVES)
        memmove(x->early, x->early + 1, (size_t)--x->early_count * sizeof x->early[0]);
    x->early[x->early_count++] = best;
    return true;
}

static bool look_line(void *context, const struct search_line *line)
{
    struct examination *x = context;
    if (line->bound != BOUND_EXACT)
        return true;
    if (line->nodes <= x->settings->shallow)
        x->score_before = line->score;
    x->score_now = line->score;
    return true;
}

/* Looks at the position: steady, or found so far. */
static enum tactic_verdict look(struct examination *x, struct engine *e)
{
    const struct search_limits limits = {.nodes = x->settings->look};
    const struct search_observer observer = {
        .context = x, .stop = must_stop, .best = look_best, .line = look_line};
    engine_set_params(e, &x->settings->solver);
    engine_search(e, x->position, NULL, &limits, &observer);
    const bool changed = x->early_count == 0 || x->early[x->early_count - 1] != x->now;
    return !changed && abs(x->score_now - x->score_before) < x->settings->margin / 2 ? TACTIC_STEADY
                                                                                     : TACTIC_FOUND;
}

/* ---- 2 to 4. judgement ---- */

/* True if the best move is found without a search. */
static bool is_plain(const struct examination *x)
{
    for (int i = 0; i < x->early_count; i++)
        if (x->early[i] == x->best)
            return true;
    return move_is_capture(x->best) && see_at_least(x->position, x->best, see_values[PAWN]);
}

/* The verdict on the lines if this lead is required. */
static enum tactic_verdict verdict_at(const struct examination *x, int32_t margin)
{
    const int32_t bound = x->settings->bound;
    return x->score[0] - x->score[1] < margin            ? TACTIC_FLAT
           : x->score[1] > bound || x->score[0] < -bound ? TACTIC_DECIDED
           : is_plain(x)                                 ? TACTIC_PLAIN
                                                         : TACTIC_FOUND;
}

/* Processes a line; the second completes an iteration (deepening.c). False: more nodes do not pay. */
static bool judge_line(void *context, const struct search_line *line)
{
    struct examination *x = context;
    const struct tactic_settings *s = x->settings;
    if (line->bound != BOUND_EXACT)
        return true;
    x->score[line->index] = line->score;
    if (line->index == 0) {
        x->stood = line->moves[0] == x->best ? x->stood + 1 : 1;
        x->best = line->moves[0];
        return true;
    }
    if (line->nodes > s->deep / 4)
        x->verdict = verdict_at(x, s->margin / 2);
    else if (line->nodes > s->deep / 16 && x->score[0] - x->score[1] < s->margin / 3)
        x->verdict = TACTIC_FLAT;
    return x->verdict == TACTIC_FOUND;
}

static enum tactic_verdict judge(struct examination *x, struct engine *e)
{
    const struct search_limits limits = {.nodes = x->settings->deep, .lines = 2};
    const struct search_observer observer = {.context = x, .stop = must_stop, .line = judge_line};
    engine_set_params(e, &x->settings->judge);
    engine_search(e, x->position, NULL, &limits, &observer);
    return x->verdict != TACTIC_FOUND ? x->verdict
           : x->stood < 2             ? TACTIC_FLAT
                                      : verdict_at(x, x->settings->margin);
}

/* ---- 5. agreement ---- */

/* Lets the solver search for the judge's move. */
static enum tactic_verdict agree(const struct examination *x, struct engine *e)
{
    const struct tactic_settings *s = x->settings;
    const struct epd epd = {.position = *x->position, .best = {x->best}, .best_count = 1};
    const struct solve_limits limits = {.nodes = s->deep, .stop = x->job->stop};
    engine_set_params(e, &s->solver);
    const struct solved solved = solve_position(e, &epd, &limits);
    return solved.best == x->best && solved.first.nodes > s->shallow &&
                   solved.score - x->score[1] >= s->margin / 2
               ? TACTIC_FOUND
               : TACTIC_DOUBTFUL;
}

/* ---- all steps ---- */

struct tactic_result tactic_examine(struct engine *e, const struct tactic_settings *settings,
                                    const struct position *p, const struct job *job)
{
    struct examination x = {.settings = settings, .position = p, .job = job, .best = NO_MOVE};
    enum tactic_verdict verdict = look(&x, e);
    if (verdict == TACTIC_FOUND && !job_is_stopped(job))
        verdict = judge(&x, e);
    if (verdict == TACTIC_FOUND && !job_is_stopped(job))
        verdict = agree(&x, e);
    if (job_is_stopped(job))
        verdict = TACTIC_ABANDONED;
    return (struct tactic_result){.verdict = verdict,
                                  .key = verdict == TACTIC_FOUND ? x.best : NO_MOVE};
}
