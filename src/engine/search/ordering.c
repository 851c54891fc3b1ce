#include "ordering.h"

#include "see.h"

#include <assert.h>
#include <string.h>

void ordering_clear(struct ordering *o)
{
    memset(o, 0, sizeof *o);
}

/* Adds a bonus to an entry; the bonus shrinks as the entry nears the limit. */
static void update_entry(int16_t *entry, int bonus)
{
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_LIMIT);
}

/* Updates the entries of a side's move, to `piece` (piece_square), in every table. */
static void update_move(struct ordering *o, int side, const struct context *c, Move m, int piece,
                        int bonus)
{
    update_entry(&o->history[side][threats_index(c, m)][m & 4095], bonus);
    if (c->pawns > 0)
        update_entry(&o->pawns[c->pawns][side][piece], bonus);
    for (int i = 0; i < CONTINUATIONS; i++)
        if (c->before[i] >= 0)
            update_entry(&o->continuation[i][c->before[i]][piece], bonus);
}

void ordering_add_killer(struct ordering *o, int ply, Move m)
{
    if (o->killers[ply][0] == m)
        return;
    o->killers[ply][1] = o->killers[ply][0];
    o->killers[ply][0] = m;
}

/* What a fail-high at `depth` quarter plies adds to a history. */
static int bonus_of(const struct ordering *o, int depth)
{
    const int plies = depth / PLY + 1;
    const int bonus =
        o->reward_slope == 0 ? 16 * plies * plies : o->reward_slope * (3 * plies - 2) / 3;
    return bonus < 1600 ? bonus : 1600;
}

static int16_t *capture_entry(struct ordering *o, const struct position *p, Move m)
{
    return &o->captures[p->side][piece_square(p->board[move_from(m)], move_to(m))]
                       [position_captured(p, m)];
}

void ordering_reward_captures(struct ordering *o, const struct position *p, int depth, Move best,
                              const Move *tried, int count)
{
    const int bonus = bonus_of(o, depth);
    if (!is_quiet(best))
        update_entry(capture_entry(o, p, best), bonus);
    for (int i = 0; i < count; i++)
        update_entry(capture_entry(o, p, tried[i]), -bonus);
}

void ordering_reward(struct ordering *o, const struct position *p, const struct context *c,
                     int depth, Move best, const Move *tried, int count)
{
    for (int i = -1; i < count; i++) {
        const Move m = i < 0 ? best : tried[i];
        const int piece = piece_square(p->board[move_from(m)], move_to(m));
        update_move(o, p->side, c, m, piece, i < 0 ? bonus_of(o, depth) : -bonus_of(o, depth));
    }
}

void ordering_reward_before(struct ordering *o, const struct position *p, const struct context *c,
                            int depth, Move m, int piece)
{
    update_move(o, color_other(p->side), c, m, piece, bonus_of(o, depth) * o->reward_before / 4);
}

void ordering_reward_rise(struct ordering *o, const struct position *p, const struct context *c,
                          Move m, int bonus)
{
    enum { MOST = 1200 };
    int16_t *entry = &o->history[color_other(p->side)][threats_index(c, m)][m & 4095];
    update_entry(entry, limited(bonus, MOST));
}

int32_t mvv_lva_score(const struct position *p, Move m)
{
    int gain = see_values[position_captured(p, m)];
    if (move_is_promotion(m))
        gain += see_values[move_promotion(m)] - see_values[PAWN];
    return gain * 8 - p->board[move_from(m)];
}

int32_t capture_score(const struct ordering *o, const struct position *p, Move m)
{
    const int32_t score = mvv_lva_score(p, m);
    if (o->capture_weight == 0)
        return score;
    const int piece = piece_square(p->board[move_from(m)], move_to(m));
    return score + o->capture_weight * o->captures[p->side][piece][position_captured(p, m)] / 64;
}

void picker_init(struct picker *k, const struct position *p, const struct ordering *o,
                 const struct context *c, int ply, Move hash, bool in_check)
{
    k->position = p;
    k->ordering = o;
    k->context = c;
    k->hash = hash != NO_MOVE && movegen_is_legal(p, hash) ? hash : NO_MOVE;
    k->killers[0] = o->killers[ply][0];
    k->killers[1] = o->killers[ply][1];
    k->bad_next = k->bad_count = 0;
    k->next = 0;
    k->checks = NULL;
    k->stage = k->hash != NO_MOVE ? PICK_HASH : in_check ? PICK_EVASIONS : PICK_CAPTURES;
    if (k->stage == PICK_HASH)
        k->next = in_check ? PICK_EVASIONS : PICK_CAPTURES;
}

/* ---- lists ---- */

static void score_captures(struct picker *k)
{
    for (int i = 0; i < k->list.count; i++)
        k->scores[i] = capture_score(k->ordering, k->position, k->list.moves[i]);
}

static void score_quiets(struct picker *k)
{
    for (int i = 0; i < k->list.count; i++)
        k->scores[i] = ordering_score(k->ordering, k->position, k->context, k->list.moves[i]);
}

static void score_evasions(struct picker *k)
{
    for (int i = 0; i < k->list.count; i++) {
        Move m = k->list.moves[i];
        if (move_is_capture(m) || move_is_promotion(m))
            k->scores[i] = capture_score(k->ordering, k->position, m) + 10 * HISTORY_LIMIT;
        else
            k->scores[i] = ordering_score(k->ordering, k->position, k->context, m);
    }
}

/* Combines a score with the index, so that the maximum is the first of the best scores. Needs no
 * branch that depends on the scores, and vectorises. */
static int64_t ranked(int32_t score, int place)
{
    return (int64_t)score * MAX_MOVES + (MAX_MOVES - 1 - place);
}

static_assert((MAX_MOVES & (MAX_MOVES - 1)) == 0, "the index is the low bits of a rank");

Move pick_best(struct move_list *list, int32_t *scores, int next)
{
    int64_t greatest = ranked(scores[next], next);
    for (int i = next + 1; i < list->count; i++) {
        int64_t rank = ranked(scores[i], i);
        greatest = rank > greatest ? rank : greatest;
    }
    int best = MAX_MOVES - 1 - (int)(greatest & (MAX_MOVES - 1));
    Move m = list->moves[best];
    list->moves[best] = list->moves[next];
    scores[best] = scores[next];
    return m;
}

/* ---- stages ---- */

static void begin(struct picker *k, enum pick_stage stage)
{
    k->stage = stage;
    k->next = 0;
}

/* The next capture that does not lose material; losing captures are stored for the last stage. */
static Move next_good(struct picker *k)
{
    while (k->next < k->list.count) {
        Move m = pick_best(&k->list, k->scores, k->next++);
        if (m == k->hash)
            continue;
        if (k->bad_count == (int)(sizeof k->bad / sizeof *k->bad) ||
            see_at_least(k->position, m, 0))
            return m;
        k->bad[k->bad_count++] = m;
    }
    return NO_MOVE;
}

static Move next_killer(struct picker *k)
{
    while (k->next < 2) {
        Move m = k->killers[k->next++];
        if (m != NO_MOVE && m != k->hash && is_quiet(m) && movegen_is_legal(k->position, m))
            return m;
        k->killers[k->next - 1] = NO_MOVE;
    }
    return NO_MOVE;
}

/* The next quiet move that was not given as a killer, or the next evasion. */
static Move next_quiet(struct picker *k)
{
    while (k->next < k->list.count) {
        Move m = pick_best(&k->list, k->scores, k->next++);
        if (m != k->hash && !is_killer(k->killers, m) &&
            (k->checks == NULL || move_gives_check(k->position, k->checks, m)))
            return m;
    }
    return NO_MOVE;
}

/* The first stages. */
Move picker_next_good(struct picker *k)
{
    Move m;
    switch (k->stage) {
    case PICK_HASH:
        begin(k, (enum pick_stage)k->next); /* set by picker_init */
        return k->hash;
    case PICK_CAPTURES:
        movegen_captures(k->position, &k->list);
        score_captures(k);
        begin(k, PICK_GOOD);
        __attribute__((fallthrough));
    case PICK_GOOD:
        if ((m = next_good(k)) != NO_MOVE)
            return m;
        begin(k, PICK_KILLERS);
        break;
    default:
        break;
    }
    return NO_MOVE;
}

/* Whether the order of the listed moves is that of picker_next. Killers come first, and the history
 * of the others may change meanwhile. The order of equal scores depends on the moves omitted. */
static bool order_is_known(struct picker *k)
{
    const Move *moves = k->list.moves;
    score_quiets(k);
    for (int i = 1; i < k->list.count; i++)
        for (int j = 0; j < i; j++)
            if (k->scores[i] == k->scores[j] || is_killer(k->killers, moves[i]) ||
                is_killer(k->killers, moves[j]))
                return false;
    return true;
}

bool picker_only_checks(struct picker *k, const struct check_squares *checks)
{
    if (!movegen_quiet_checks(k->position, checks, &k->list) || !order_is_known(k))
        return false;
    k->killers[0] = k->killers[1] = NO_MOVE;
    begin(k, PICK_QUIET);
    return true;
}

void picker_skip_quiets(struct picker *k, const struct check_squares *checks)
{
    if (k->stage != PICK_QUIET || k->checks != NULL)
        return;
    k->checks = checks;
    for (int i = k->next; i < k->list.count; i++)
        if (move_gives_check(k->position, checks, k->list.moves[i]))
            return;
    k->list.count = k->next;
}

/* The other stages. Each yields its moves, then passes to the next stage. */
static Move next_after_good(struct picker *k)
{
    Move m;
    switch (k->stage) {
    case PICK_KILLERS:
        if ((m = next_killer(k)) != NO_MOVE)
            return m;
        movegen_quiets(k->position, &k->list);
        score_quiets(k);
        begin(k, PICK_QUIET);
        __attribute__((fallthrough));
    case PICK_QUIET:
        if ((m = next_quiet(k)) != NO_MOVE)
            return m;
        begin(k, PICK_BAD);
        __attribute__((fallthrough));
    case PICK_BAD:
        return k->bad_next < k->bad_count ? k->bad[k->bad_next++] : NO_MOVE;
    case PICK_EVASIONS:
        movegen_legal(k->position, &k->list);
        score_evasions(k);
        k->killers[0] = k->killers[1] = NO_MOVE; /* they come in their place among the evasions */
        begin(k, PICK_EVASION);
        __attribute__((fallthrough));
    case PICK_EVASION:
        return next_quiet(k);
    default:
        return NO_MOVE;
    }
}

Move picker_next(struct picker *k)
{
    Move m = picker_next_good(k);
    return m != NO_MOVE ? m : next_after_good(k);
}
