#include "tactic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest that is no mate; N less than the other is mate in N plies (PGN, 16.2.4.1). */
enum { SCORE_MAX = 31999, SCORE_MATE = 32767 };

/* ---- a search ---- */

/* The latest report of a variation. */
struct line {
    Move move;
    int depth;
    int32_t score;
    bool exact; /* the score is no bound */
};

/* What a search reported. */
struct course {
    struct line best;
    int since;           /* the iteration from which on `best.move` is best */
    struct line pair[2]; /* both lines of the last iteration that both complete; depth 0: none */
    Move move;           /* that was chosen at the end */
};

/* The score in centipawns; a mate in N plies is N less than the greatest. */
static int32_t score_of(const struct uci_info *info)
{
    if (!info->mate)
        return info->score > SCORE_MAX    ? SCORE_MAX
               : info->score < -SCORE_MAX ? -SCORE_MAX
                                          : info->score;
    int32_t moves = abs(info->score) < 100 ? info->score : info->score > 0 ? 100 : -100;
    return moves > 0 ? SCORE_MATE - (2 * moves - 1) : -SCORE_MATE - 2 * moves;
}

/* Takes a report of a line; the second completes an iteration. A depth alone says nothing. */
static bool follow(void *context, const struct uci_info *info)
{
    struct course *c = context;
    if (!info->judges)
        return true;
    const struct line line = {.move = info->move,
                              .depth = info->depth,
                              .score = score_of(info),
                              .exact = info->has_score && !info->bound};
    if (info->line == 1) {
        c->since = line.move == c->best.move ? c->since : line.depth;
        c->best = line;
    } else if (info->line == 2 && line.depth == c->best.depth && line.exact && c->best.exact) {
        c->pair[0] = c->best;
        c->pair[1] = line;
    }
    return true;
}

/* An examination in progress. */
struct examination {
    const struct tactic_settings *settings;
    const struct position *position;
    struct uci_watcher watcher;
    struct tactic_result *result;
    struct error *err;
    bool lost; /* an engine cannot be started again */
};

/* Writes down a fault, with the position if the reason does not name it, and starts the engine again. */
static void recover(struct examination *x, struct uci_client *client, const struct error *reason)
{
    char fen[FEN_MAX];
    position_to_fen(x->position, fen);
    const bool named = strstr(reason->text, fen) != NULL;
    x->result->verdict = TACTIC_FAULT;
    snprintf(x->result->fault, sizeof x->result->fault, "%.800s%s%s", reason->text,
             named ? "" : ", in ", named ? "" : fen);
    x->lost = !uci_client_restart(client, x->err);
    if (x->lost)
        error_prefix(x->err, "%.400s; it cannot be started again: ", reason->text);
}

/* Searches the position as a new game for so many best lines. False, with the verdict, if the
 * search was stopped or an engine has a fault. */
static bool search(struct examination *x, struct uci_client *client, uint64_t nodes, int lines,
                   struct course *c)
{
    const struct uci_limits limits = {.nodes = nodes};
    struct uci_outcome o = {.end = UCI_HUNG};
    struct error reason = {""};
    *c = (struct course){.move = NO_MOVE};
    x->watcher.context = c;
    if (uci_client_set(client, "MultiPV", lines == 1 ? "1" : "2", &reason) &&
        uci_client_new_game(client, &reason))
        o = uci_client_search(client, x->position, NULL, 0, &limits, &x->watcher, &reason);
    c->move = o.move;
    if (uci_is_abandoned(o.end, &x->watcher))
        x->result->verdict = TACTIC_ABANDONED;
    else if (o.end != UCI_MOVE)
        recover(x, client, &reason);
    return o.end == UCI_MOVE;
}

/* ---- the steps ---- */

/* Ends the examination. Returns false. */
static bool reject(struct examination *x, enum tactic_verdict verdict)
{
    x->result->verdict = verdict;
    return false;
}

/* Steps 1 and 2: the key, which the short search misses and the long one keeps. */
static bool find_key(struct examination *x, struct uci_client *engine)
{
    struct course brief, whole;
    if (!search(x, engine, x->settings->shallow, 1, &brief) ||
        !search(x, engine, x->settings->deep, 1, &whole))
        return false;
    if (whole.move == brief.move)
        return reject(x, TACTIC_STEADY);
    if (whole.best.move != whole.move || whole.best.depth - whole.since + 1 < TACTIC_KEPT)
        return reject(x, TACTIC_UNSETTLED);
    x->result->key = whole.move;
    return true;
}

static bool leads(const struct course *c, Move key, int32_t margin)
{
    return c->move == key && c->pair[0].move == key && c->pair[0].depth > 0 &&
           c->pair[0].score - c->pair[1].score >= margin;
}

/* Steps 3 and 4: the second move. */
static bool compare_moves(struct examination *x, struct uci_client *engine)
{
    const struct tactic_settings *s = x->settings;
    struct course c;
    if (!search(x, engine, s->deep, 2, &c))
        return false;
    if (!leads(&c, x->result->key, s->margin))
        return reject(x, TACTIC_FLAT);
    if (c.pair[1].score > s->bound || c.pair[0].score < -s->bound)
        return reject(x, TACTIC_DECIDED);
    x->result->score = c.pair[0].score;
    return true;
}

/* Step 5. */
static bool ask_second_engine(struct examination *x, struct uci_client *check)
{
    const struct tactic_settings *s = x->settings;
    struct course c;
    if (!search(x, check, s->check_nodes, 2, &c))
        return false;
    return leads(&c, x->result->key, s->margin / 2) || reject(x, TACTIC_DOUBTFUL);
}

bool uci_tactic_examine(struct uci_client *engine, struct uci_client *check,
                        const struct tactic_settings *settings, const struct position *p,
                        const struct job *job, struct tactic_result *result, struct error *err)
{
    struct examination x = {
        .settings = settings,
        .position = p,
        .watcher = {.info = follow, .lines = true, .stop = job->stop, .cancelled = job->cancelled},
        .result = result,
        .err = err};
    *result = (struct tactic_result){.verdict = TACTIC_FOUND, .key = NO_MOVE};
    if (!find_key(&x, engine) || !compare_moves(&x, engine) ||
        (check != NULL && !ask_second_engine(&x, check)))
        result->key = NO_MOVE;
    return !x.lost;
}
