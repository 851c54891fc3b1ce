/* The suites of test positions for the experiments: where to find them, and how many positions they
 * must hold. They are not part of the project. */
#ifndef GRAYLING_TEST_SUITES_H
#define GRAYLING_TEST_SUITES_H

#include "epd.h"

enum test_suite {
    SUITE_CRAFTY, /* the six positions of david-2008, Appendix A; compiled in */
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

/* The number of its solvable positions. */
size_t test_suite_size(enum test_suite suite);

/* Loads the solvable positions from the files in `directory` into `d`, which must be zeroed. Fails
 * if a file is missing or has the wrong number of positions. The error says what the file is, where
 * to find it and how many positions it must hold. */
bool test_suite_load(enum test_suite suite, const char *directory, struct dataset *d,
                     struct error *err);

/* Which of a suite's positions an experiment uses. */
struct test_choice {
    int count;        /* number of positions, evenly spread; 0: all */
    bool with_pieces; /* only if each side has more than king and pawns */
};

/* Removes the positions outside the choice from `d`; keeps the order of the others. */
void test_suite_choose(struct dataset *d, const struct test_choice *choice);

/* Orders the positions so that the first of them, however many, are spread evenly over the suite. */
bool test_suite_spread(struct dataset *d, struct error *err);

#endif
