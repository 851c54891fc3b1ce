/* The null-move methods that david-2002 and david-2008 compare, as search parameters. Depth
 * reductions are in plies. */
#ifndef GRAYLING_NULL_MOVE_METHODS_H
#define GRAYLING_NULL_MOVE_METHODS_H

#include "search_params.h"

enum null_move_method {
    NO_NULL_MOVE,
    STANDARD_1, /* cuts on a fail-high; R = 1 */
    STANDARD_2,
    STANDARD_3,
    STANDARD_4,
    ADAPTIVE_2_3, /* R = 3 if more than 6 plies remain, else 2 (after Heinz 1999) */
    ADAPTIVE_3_4,
    VERIFIED_3, /* david-2002, section 3 */
    /* the same with the table's reuse, in part and whole (verified_null_move.h) */
    VERIFIED_STORE_3,
    VERIFIED_PROBE_3,
    VERIFIED_REUSE_3,
    /* david-2002, section 5: the rejected variants, here with R = 3 */
    REDUCING_2,          /* never cuts, but reduces by two plies */
    REDUCING_1,          /* never cuts, but reduces by one */
    VERIFIED_REDUCING_3, /* verified; below that, reduces by two plies instead of cutting */
    /* david-2008, section 3: extended null-move reductions, R = 3~4 and DR = 4 unless the name says
     * otherwise */
    REDUCTIONS_DR_1,
    REDUCTIONS_DR_2,
    REDUCTIONS_DR_3,
    REDUCTIONS_3_4,
    REDUCTIONS_R_4,
    REDUCTIONS_UNGUARDED, /* R = 3~4, with null moves in pawn endings too */
    NULL_MOVE_METHODS
};

/* "Std R = 2", "NMR R = 3~4": the column headings of the papers. */
const char *null_move_method_name(enum null_move_method method);

/* The plain search with the quiescence and move ordering of david-2002, section 4, as far as the paper
 * describes them: all captures, a check at a leaf extended by a ply, history alone; its table is not
 * said to serve quiescence. */
struct search_params david_2002_params(void);

/* The parameters of `base` with its null move replaced by the method. */
struct search_params null_move_method_params(enum null_move_method method,
                                             const struct search_params *base);

#endif
