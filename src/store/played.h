/* A game that counted for a fitness, in a row. */
#ifndef GRAYLING_PLAYED_H
#define GRAYLING_PLAYED_H

#include <stdint.h>

/* Who played: an organism by its index in the generation, from 0, or one of these. */
enum {
    PLAYER_OPPONENT = -1,         /* the fixed opponent */
    PLAYER_FIRST_SEED = -2,       /* the first seed; the next is less by one */
    PLAYER_FIRST_CHAMPION = -100, /* the best of generation 0; that of generation g is less by g */
};

struct played {
    int number; /* in its generation, from 0 */
    int white, black;
    int opening; /* its place in the book, from 0 */
    int result;  /* half points for White */
    int plies;
    int64_t nodes; /* of both */
};

#endif
