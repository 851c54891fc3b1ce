/* Yields the moves of a node one at a time, the most promising first. Each stage is generated when
 * it is reached:
 *
 *   1. the hash move
 *   2. good captures and queen promotions (SEE >= 0), by MVV/LVA
 *   3. killers
 *   4. quiet moves, by history
 *   5. bad captures
 *
 * In check: the hash move, then all evasions: captures first, then quiet moves by history. */
#ifndef GRAYLING_PICKER_H
#define GRAYLING_PICKER_H

#include "ordering.h"

enum pick_stage {
    PICK_HASH,
    PICK_CAPTURES,
    PICK_GOOD,
    PICK_KILLERS,
    PICK_QUIET,
    PICK_BAD,
    PICK_EVASIONS,
    PICK_EVASION,
};

/* Borrows from the search; lives on the stack of its node. */
struct picker {
    const struct position *position;
    const struct ordering *ordering;
    const struct context *context;
    enum pick_stage stage;
    Move hash, killers[2];
    Move ahead; /* the best remaining move of the list, to be prefetched; NO_MOVE if none */
    int next, bad_next, bad_count;
    struct move_list list;
    int32_t scores[MAX_MOVES];
    Move bad[64]; /* captures that lose material; beyond 64, they count as good */
};

/* Starts the moves of the position at `ply`. An illegal hash move is ignored. */
void picker_init(struct picker *k, const struct position *p, const struct ordering *o,
                 const struct context *c, int ply, Move hash, bool in_check);

/* The next move, or NO_MOVE after the last. Each legal move comes once. The position must be the
 * same as at picker_init. */
Move picker_next(struct picker *k);

/* Like picker_next, but NO_MOVE when the killers or the evasions are next. */
Move picker_next_good(struct picker *k);

/* Omits the killers and quiet moves that give no check. Call it when picker_next_good has ended;
 * the position is not in check. False if it omits nothing: also where it cannot tell in which order
 * the checks would come. */
bool picker_only_checks(struct picker *k, const struct check_squares *checks);

/* Whether a move neither captures nor promotes to a queen: a move of movegen_quiets. */
static inline bool is_quiet(Move m)
{
    return !move_is_capture(m) && !(move_is_promotion(m) && move_promotion(m) == QUEEN);
}

/* Takes the move with the highest score among those from index `next` on, the first of equals. The
 * move at `next` takes its place. */
Move pick_best(struct move_list *list, int32_t *scores, int next);

/* The MVV/LVA score of a capture or promotion, which orders quiescence moves. */
int32_t mvv_lva_score(const struct position *p, Move m);

#endif
