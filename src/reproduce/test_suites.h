/* The suites of test positions that experiments search: where the world keeps them, and how many
 * positions they should hold. They are not part of the project. */
#ifndef GRAYLING_TEST_SUITES_H
#define GRAYLING_TEST_SUITES_H

#include "epd.h"

enum test_suite {
    SUITE_CRAFTY, /* the six positions of david-2008, Appendix A: in the program itself */
    SUITE_ECM,
    SUITE_WCS,
    SUITE_WAC,
    SUITE_WAC_BOOK, /* with the keys of the book */
    SUITE_MATE_4,
    SUITE_MATE_5,
    SUITE_ZUGZWANG,
    TEST_SUITES
};

/* "Encyclopedia of Chess Middlegames". */
const char *test_suite_title(enum test_suite suite);

/* Appends the positions that can be solved to `d`, which is zeroed, from the files in `directory`.
 * False when a file is absent, the reason saying what it is, where to find it and how many
 * positions it should hold, and when it holds other than so many. */
bool test_suite_load(enum test_suite suite, const char *directory, struct dataset *d,
                     struct error *err);

/* Which of a suite's positions an experiment takes. */
struct test_choice {
    int count;        /* so many, evenly spread; 0: all */
    bool with_pieces; /* only where each side has more than king and pawns */
};

/* Leaves of `d` what the choice takes, in their order. */
void test_suite_choose(struct dataset *d, const struct test_choice *choice);

#endif
