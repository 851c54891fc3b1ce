/* The worth of a pawn beside the four pieces, in parts of what is usual (david-2014, Figure 3).
 *
 * The paper has the mean value of each piece over ten runs, and no single run. So the worth is always
 * that of mean values, of the runs and of random genes too: 100 x 20 / the mean of N + B + R + Q. The mean
 * of each set's own worth is another figure, greater the more the sets differ. */
#ifndef GRAYLING_PAWN_WORTH_H
#define GRAYLING_PAWN_WORTH_H

#include "evaluate.h"
#include "spread.h"

/* N + B + R + Q of one set of values. */
double pieces_of(const int32_t values[EVAL_TERMS]);

/* N + B + R + Q of random genes: each value of a range is as likely. Exact. */
struct spread random_pieces(void);

/* The worth of a pawn where the four pieces have this mean sum, which is above 0. */
double pawn_worth(double pieces);

/* The same with a standard deviation, to the first order. */
struct spread pawn_worth_of(struct spread pieces);

#endif
