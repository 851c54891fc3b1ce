/* The suites of test positions for the experiments. tables/suites.yaml has where to find them, and how many
 * positions they must hold; they are not part of the project. */
#ifndef GRAYLING_TEST_SUITES_H
#define GRAYLING_TEST_SUITES_H

#include "epd.h"
#include "yaml_document.h"

/* The number of a suite's solvable positions. `data` is that of lab_table.h. */
size_t test_suite_size(const struct yaml_node *data, const char *suite);

/* Loads the solvable positions of a suite, from the data themselves or from the files in `directory`, into
 * `d`, which must be zeroed. Fails if a file is missing or has the wrong number of positions. The error
 * says what the file is, where to find it and how many positions it must hold. */
bool test_suite_load(const struct yaml_node *data, const char *suite, const char *directory,
                     struct dataset *d, struct error *err);

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
