/* Test positions in the order in which they are searched: those that cost most so far come first. */
#ifndef GRAYLING_TEST_SET_H
#define GRAYLING_TEST_SET_H

#include "epd.h"
#include "recipe.h"

/* Positions with their right moves. Zeroed it is empty; test_set_free frees it. */
struct test_set {
    struct dataset positions;
    int *order;     /* indices of positions, in search order */
    int64_t *spent; /* nodes or milliseconds that each position has cost all organisms so far */
};

/* Lines of files without a test position. */
struct left_out {
    size_t count;
    struct error first;
};

/* Appends the test positions of files, and counts the lines left out. Fails if there is no position. */
bool test_set_read(struct test_set *set, const char paths[][RECIPE_PATH], int count,
                   struct left_out *left_out, struct error *err);
/* Keeps the first `count` positions, or all if `count` is 0. */
void test_set_keep(struct test_set *set, int count);
/* Moves every second position to the held-out ones. */
bool test_set_split(struct test_set *set, struct test_set *held_out, struct error *err);

/* Begins with the positions in file order and no cost; then they no longer change. */
bool test_set_begin(struct test_set *set, struct error *err);
/* Sorts the positions by cost, highest first, stable for equal costs. */
void test_set_sort(struct test_set *set);
/* What the positions are expected to cost, in search order: what they have cost so far. The caller frees it.
 * NULL if nothing is known, or without memory. */
int64_t *test_set_costs(const struct test_set *set);

void test_set_free(struct test_set *set);

#endif
