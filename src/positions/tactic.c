#include "tactic.h"

#include "see.h"
#include "solve.h"

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

static bool asked_to_stop(const struct tactic_settings *s)
{
    return s->stop != NULL && *s->stop != 0;
}

/* ---- 1. look ---- */

/* The solver's best moves within its first `shallow` nodes, and its present one. */
struct look {
    const struct tactic_settings *settings;
    Move early[EARLY_MOVES]; /* the latest best moves of those nodes, the last one at the end */
    int early_count;
    Move now;
    int32_t score_before, score;
};

static bool look_must_stop(void *context)
{
    const struct look *l = context;
    return asked_to_stop(l->settings);
}

/* Appends an early move; drops the oldest if there is no room. */
static void add_early(struct look *l, Move m)
{
    if (l->early_count == EARLY_MOVES)
        memmove(l->early, l->early + 1, (size_t)--l->early_count * sizeof l->early[0]);
    l->early[l->early_count++] = m;
}

/* Records a best move. */
static bool look_best(void *context, Move best, int depth, uint64_t nodes)
{
    struct look *l = context;
    (void)depth;
    if (nodes <= l->settings->shallow)
        add_early(l, best);
    l->now = best;
    return true;
}

/* Records the value of an iteration. */
static bool look_line(void *context, const struct search_line *line)
{
    struct look *l = context;
    if (line->bound != BOUND_EXACT)
        return true;
    if (line->nodes <= l->settings->shallow)
        l->score_before = line->score;
    l->score = line->score;
    return true;
}

static struct look look_at(struct engine *e, const struct tactic_settings *s,
                           const struct position *p)
{
    struct look l = {.settings = s};
    const struct search_limits limits = {.nodes = s->look};
    const struct search_observer observer = {
        .context = &l, .stop = look_must_stop, .best = look_best, .line = look_line};
    engine_set_params(e, &s->solver);
    engine_search(e, p, NULL, &limits, &observer);
    return l;
}

static bool was_early(const struct look *l, Move m)
{
    for (int i = 0; i < l->early_count; i++)
        if (l->early[i] == m)
            return true;
    return false;
}

static int32_t difference(int32_t a, int32_t b)
{
    return a > b ? a - b : b - a;
}

static bool is_steady(const struct tactic_settings *s, const struct look *l)
{
    bool changed = l->early_count == 0 || l->early[l->early_count - 1] != l->now;
    return !changed && difference(l->score, l->score_before) < s->margin / 2;
}

/* ---- 2 to 4. judgement ---- */

/* The two best lines as of the last complete iteration. */
struct judgement {
    const struct tactic_settings *settings;
    const struct position *position;
    const struct look *look;
    Move best;
    int32_t score[2];
    int stood; /* iterations in a row that ended with this best move */
    enum tactic_verdict verdict;
};

static bool leads_by(const struct judgement *j, int32_t margin)
{
    return j->score[0] - j->score[1] >= margin;
}

/* True if one side wins with either line. */
static bool is_decided(const struct judgement *j)
{
    return j->score[1] > j->settings->bound || j->score[0] < -j->settings->bound;
}

/* True if the best move is found without a search. */
static bool is_plain(const struct judgement *j)
{
    return was_early(j->look, j->best) ||
           (move_is_capture(j->best) && see_at_least(j->position, j->best, see_values[PAWN]));
}

/* The verdict on the lines if this lead is required. */
static enum tactic_verdict verdict_at(const struct judgement *j, int32_t margin)
{
    return !leads_by(j, margin) ? TACTIC_FLAT
           : is_decided(j)      ? TACTIC_DECIDED
           : is_plain(j)        ? TACTIC_PLAIN
                                : TACTIC_FOUND;
}

static bool judge_must_stop(void *context)
{
    const struct judgement *j = context;
    return asked_to_stop(j->settings);
}

/* Processes a line; the second one completes an iteration. Exact lines come in pairs, after a complete
 * iteration (deepening.c). Returns false if more nodes are not worthwhile. */
static bool judge_line(void *context, const struct search_line *line)
{
    struct judgement *j = context;
    const struct tactic_settings *s = j->settings;
    if (line->bound != BOUND_EXACT)
        return true;
    j->score[line->index] = line->score;
    if (line->index == 0) {
        j->stood = line->moves[0] == j->best ? j->stood + 1 : 1;
        j->best = line->moves[0];
        return true;
    }
    if (line->nodes > s->deep / 4)
        j->verdict = verdict_at(j, s->margin / 2);
    else if (line->nodes > s->deep / 16 && !leads_by(j, s->margin / 3))
        j->verdict = TACTIC_FLAT;
    return j->verdict == TACTIC_FOUND;
}

static struct judgement judge(struct engine *e, const struct tactic_settings *s,
                              const struct position *p, const struct look *look)
{
    struct judgement j = {
        .settings = s, .position = p, .look = look, .best = NO_MOVE, .verdict = TACTIC_FOUND};
    const struct search_limits limits = {.nodes = s->deep, .lines = 2};
    const struct search_observer observer = {
        .context = &j, .stop = judge_must_stop, .line = judge_line};
    engine_set_params(e, &s->judge);
    engine_search(e, p, NULL, &limits, &observer);
    if (j.verdict == TACTIC_FOUND)
        j.verdict = j.stood < 2 ? TACTIC_FLAT : verdict_at(&j, s->margin);
    return j;
}

/* ---- 5. agreement ---- */

/* Searches the position for the judge's move with the solver. */
static struct solved let_solve(struct engine *e, const struct tactic_settings *s,
                               const struct position *p, Move key)
{
    const struct epd epd = {.position = *p, .best = {key}, .best_count = 1};
    const struct solve_limits limits = {.nodes = s->deep, .stop = s->stop};
    engine_set_params(e, &s->solver);
    return solve_position(e, &epd, &limits);
}

static bool agrees(const struct tactic_settings *s, const struct solved *solved,
                   const struct judgement *j)
{
    return solved->best == j->best && solved->first.nodes > s->shallow &&
           solved->score - j->score[1] >= s->margin / 2;
}

/* ---- all steps ---- */

enum tactic_verdict tactic_examine(struct engine *e, const struct tactic_settings *settings,
                                   const struct position *p, Move *key)
{
    const struct look look = look_at(e, settings, p);
    if (asked_to_stop(settings))
        return TACTIC_ABANDONED;
    if (is_steady(settings, &look))
        return TACTIC_STEADY;
    const struct judgement j = judge(e, settings, p, &look);
    if (asked_to_stop(settings))
        return TACTIC_ABANDONED;
    if (j.verdict != TACTIC_FOUND)
        return j.verdict;
    const struct solved solved = let_solve(e, settings, p, j.best);
    if (solved.abandoned)
        return TACTIC_ABANDONED;
    *key = j.best;
    return agrees(settings, &solved, &j) ? TACTIC_FOUND : TACTIC_DOUBTFUL;
}
