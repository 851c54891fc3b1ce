/* A run of one gene, whose name is its own path, for tests that need no more of it. */
#ifndef GRAYLING_TESTS_GAIN_RUN_H
#define GRAYLING_TESTS_GAIN_RUN_H

#include "store.h"

#include <criterion/criterion.h>

static const struct param params[] = {{"GAIN", 11, 0, 2047, 500, +1, NULL, "what is won"}};
static const struct param_table table = {"test", params, 1};

static inline void make_run(const char *path)
{
    struct error err = {""};
    struct store *s = store_create(path, false, &err);
    cr_assert(s != NULL && store_put(s, "name", path, &err) && store_put_genes(s, &table, &err) &&
                  store_publish(s, &err),
              "%s", err.text);
}

#endif
