/* The moves of a node one at a time, best prospects first, each stage generated when it is reached:
 *
 *   1. the hash move
 *   2. good captures and queen promotions (SEE >= 0), by what they take and with what (MVV/LVA)
 *   3. killers
 *   4. quiet moves, by history
 *   5. bad captures
 *
 * In check: the hash move, then all evasions, captures first, quiet ones by history. */
#ifndef GRAYLING_PICKER_H
#define GRAYLING_PICKER_H

#include "ordering.h"

enum pick_stage {
    PICK_HASH,
    PICK_CAPTURES,
    PICK_GOOD,
    PICK_KILLERS,
    PICK_QUIETS,
    PICK_QUIET,
    PICK_BAD,
    PICK_EVASIONS,
    PICK_EVASION,
    PICK_END,
};

/* Points into the search; lives on the stack while its node does. */
struct picker {
    const struct position *position;
    const struct ordering *ordering;
    const struct context *context;
    enum pick_stage stage;
    Move hash, killers[2];
    int next, bad_next, bad_count;
    struct move_list list;
    int32_t scores[MAX_MOVES];
    Move bad[64]; /* captures that lose material; more than 64 are given as good ones */
};

/* Prepares to give the moves of the position at `ply`. A hash move that is not legal is ignored. */
void picker_init(struct picker *k, const struct position *p, const struct ordering *o,
                 const struct context *c, int ply, Move hash, bool in_check);

/* The next move, NO_MOVE after the last. Each legal move comes once. The position must stand as it
 * did at picker_init. */
Move picker_next(struct picker *k);

/* A move that neither takes anything nor promotes to a queen: what movegen_quiets lists. */
static inline bool is_quiet(Move m)
{
    return !move_is_capture(m) && !(move_is_promotion(m) && move_promotion(m) == QUEEN);
}

/* Takes the best scored of the moves of a list from `next` on, of equals the first; what stood at
 * `next` goes to its place. */
Move scored_take(struct move_list *list, int32_t *scores, int next);

/* What a capture or promotion is worth by what it takes and with what: the order of quiescence. */
int32_t capture_order(const struct position *p, Move m);

#endif
