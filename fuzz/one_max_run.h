/* A whole small run without chess. */
#ifndef GRAYLING_FUZZ_ONE_MAX_RUN_H
#define GRAYLING_FUZZ_ONE_MAX_RUN_H

#include "one_max.h"
#include "run_work.h"

#include <assert.h>

/* Makes a run of four organisms and three generations at `path`, which it replaces. */
static inline void one_max_run(const char *path)
{
    static const char words[] =
        "name: ones\nseed: 7\ndata: {train: [a.epd]}\nga: {population: 4, generations: 3}\n";
    struct error err = {""};
    struct run_observer nobody = {0};
    struct one_max m = one_max_make(1, false);
    struct recipe recipe = one_max_recipe(4, 3);
    assert(run_create_store(path, true, &recipe, words, &m.base, NULL, &err));
    struct store *s = store_open(path, STORE_WRITE, &err);
    assert(s != NULL && run_loop(&m.base, &recipe, s, false, NULL, &nobody, &err) == RUN_COMPLETE);
    store_close(s);
}

#endif
