/* How much a test of random cases tries. */
#ifndef GRAYLING_TESTS_THOROUGH_H
#define GRAYLING_TESTS_THOROUGH_H

#include <stdlib.h>

/* `few` in the unit suite, `all` in the slow one, which sets GRAYLING_THOROUGH, but at most twice as many. */
static inline int thorough(int few, int all)
{
    return getenv("GRAYLING_THOROUGH") == NULL ? few : all < 2 * few ? all : 2 * few;
}

#endif
