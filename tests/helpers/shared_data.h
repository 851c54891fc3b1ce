/* Suites and games that are kept beside the project, in $GRAYLING_SHARED or ../shared/data. */
#ifndef GRAYLING_SHARED_DATA_H
#define GRAYLING_SHARED_DATA_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHARED_PATH = 1024 };

/* The path of a file of the shared data. */
static inline void shared_data_path(const char *name, char path[SHARED_PATH])
{
    const char *shared = getenv("GRAYLING_SHARED"), *source = getenv("GRAYLING_SOURCE");
    if (shared != NULL)
        snprintf(path, SHARED_PATH, "%s/%s", shared, name);
    else
        snprintf(path, SHARED_PATH, "%s/../shared/data/%s", source != NULL ? source : ".", name);
}

/* Skips the test, and says so, where the shared data is absent. */
static inline void shared_data_need(void)
{
    char path[SHARED_PATH];
    shared_data_path("perft-standard-128.epd", path);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        cr_skip_test("%s is not here: set GRAYLING_SHARED to the folder of the suites", path);
    fclose(file);
}

/* Opens a file of the shared data, which must be there. */
static inline FILE *shared_data_open(const char *name)
{
    char path[SHARED_PATH];
    shared_data_path(name, path);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    return file;
}

#endif
