#include "pawn_worth.h"

#include <math.h>

/* The four pieces by convention: 3, 3, 5 and 9 pawns. */
enum { CENTIPAWNS = 100, PIECES_IN_PAWNS = 20 };

double pieces_of(const int32_t values[EVAL_TERMS])
{
    double sum = 0;
    for (int t = KNIGHT_VALUE; t <= QUEEN_VALUE; t++)
        sum += values[t];
    return sum;
}

struct spread random_pieces(void)
{
    double mean = 0, variance = 0;
    for (int t = KNIGHT_VALUE; t <= QUEEN_VALUE; t++) {
        double values = eval_table.params[t].max - eval_table.params[t].min + 1;
        mean += (eval_table.params[t].min + eval_table.params[t].max) / 2.0;
        variance += (values * values - 1) / 12;
    }
    return (struct spread){mean, sqrt(variance)};
}

double pawn_worth(double pieces)
{
    return CENTIPAWNS * PIECES_IN_PAWNS / pieces;
}

struct spread pawn_worth_of(struct spread pieces)
{
    double worth = pawn_worth(pieces.mean);
    return (struct spread){worth, worth * pieces.deviation / pieces.mean};
}
