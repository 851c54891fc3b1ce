/* What is drawn from games in a test: files in a directory of its own, and datasets that are freed at its end. */
#ifndef GRAYLING_TEST_DRAWN_H
#define GRAYLING_TEST_DRAWN_H

#include "epd.h"
#include "random_games.h"
#include "scratch.h"

static const char *path; /* of the games, if they are in one file */
static struct dataset drawn_sets[16];
static int drawn_count;

static inline void drawn_end(void)
{
    while (drawn_count > 0)
        dataset_free(&drawn_sets[--drawn_count]);
    scratch_end();
}

/* Leaves a dataset to drawn_end. */
static inline struct dataset drawn_keep(struct dataset d)
{
    cr_assert_lt(drawn_count, 16);
    drawn_sets[drawn_count++] = d;
    return d;
}

/* Reads a file of data/. */
static inline struct dataset drawn_own(const char *name, enum epd_need need)
{
    struct dataset d = {0};
    struct error err = {""};
    MUST(dataset_load(&d, text_of("%s/data/%s", getenv("GRAYLING_SOURCE"), name), need, &err));
    return drawn_keep(d);
}

#endif
