#include "quiesce.h"

#include "attacks.h"
#include "see.h"

/* The plies of quiescence at which captures on any square are searched. */
enum { CAPTURE_PLIES = 3 };

bool quiesce_searches(const struct position *p, Move m, int ply, int target)
{
    if (move_is_promotion(m) && move_promotion(m) != QUEEN)
        return false;
    if (ply == 0 || move_to(m) == target)
        return see_at_least(p, m, 0);
    return ply < CAPTURE_PLIES && see_at_least(p, m, 1);
}

/* Removes the moves that the rule does not search. */
static void filter(const struct position *p, int ply, int target, struct move_list *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (quiesce_searches(p, list->moves[i], ply, target))
            list->moves[kept++] = list->moves[i];
    list->count = kept;
}

enum quiesce_status quiesce_moves(const struct position *p, int ply, int target,
                                  struct move_list *list)
{
    list->count = 0;
    enum quiesce_status status = leaf_status(p);
    if (status != QUIESCE_STAND_PAT)
        return status;
    if (ply == 0 && position_in_check(p)) {
        movegen_legal(p, list);
        return QUIESCE_MUST_MOVE;
    }
    movegen_captures(p, list);
    filter(p, ply, target, list);
    return QUIESCE_STAND_PAT;
}

enum quiesce_status leaf_status(const struct position *p)
{
    if (position_insufficient_material(p))
        return QUIESCE_DRAWN;
    if (movegen_any(p))
        return QUIESCE_STAND_PAT;
    return position_in_check(p) ? QUIESCE_MATED : QUIESCE_DRAWN;
}

int32_t leaf_constant(enum quiesce_status status, int ply)
{
    return status == QUIESCE_MATED ? -MATE + ply + 1 : 0;
}
