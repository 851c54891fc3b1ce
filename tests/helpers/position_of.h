/* The position of a FEN that a test writes down. */
#ifndef GRAYLING_POSITION_OF_H
#define GRAYLING_POSITION_OF_H

#include "position.h"

#include <criterion/criterion.h>

static inline struct position position_of(const char *fen)
{
    struct position p;
    struct error err = {""};
    cr_assert(position_from_fen(&p, fen, NULL, &err), "%s: %s", fen, err.text);
    return p;
}

#endif
