#include "uci_score.h"

#include "see.h"

#include <math.h>

enum { EVEN = 712, SPREAD_BARE = 120, SPREAD_FULL = 892 }; /* a; b without pieces, and with all */

int32_t uci_score_shown(enum evaluation_kind kind, int32_t score)
{
    return kind == EVALUATION_MODERN ? (int32_t)lround(100.0 * score / EVEN) : score;
}

/* The spread b, in the unit shown. More pieces than the initial ones are as good as all. */
static double spread(const struct position *p)
{
    const int all = 2 * (8 * see_values[PAWN] + 2 * see_values[KNIGHT] + 2 * see_values[BISHOP] +
                         2 * see_values[ROOK] + see_values[QUEEN]);
    int sum = 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        sum += see_values[kind] * bits_count(p->by_kind[kind]);
    const double material = sum < all ? (double)sum / all : 1;
    return 100 * (SPREAD_BARE + (SPREAD_FULL - SPREAD_BARE) * material) / EVEN;
}

/* The chance to win, in thousandths. */
static int chance(double shown, double spread)
{
    return (int)lround(1000 / (1 + exp((100 - shown) / spread)));
}

struct uci_wdl uci_score_wdl(const struct position *root, int32_t shown)
{
    const double b = spread(root);
    const int win = chance(shown, b), loss = chance(-(double)shown, b);
    return (struct uci_wdl){win, 1000 - win - loss, loss};
}
