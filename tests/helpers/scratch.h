/* Files that a test writes for itself, in a directory of its own under $TMPDIR or /tmp. */
#ifndef GRAYLING_TEST_SCRATCH_H
#define GRAYLING_TEST_SCRATCH_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCH_PATH = 512 };

/* Makes the directory. */
static inline void scratch_begin(char directory[SCRATCH_PATH])
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory, SCRATCH_PATH, "%.400s/grayling-XXXXXX", parent != NULL ? parent : "/tmp");
    cr_assert_not_null(mkdtemp(directory));
}

/* Writes a file of the directory; `path` receives its name. */
static inline void scratch_write(const char *directory, const char *name, const char *text,
                                 char path[SCRATCH_PATH])
{
    snprintf(path, SCRATCH_PATH, "%.450s/%.60s", directory, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    cr_assert_geq(fputs(text, file), 0);
    cr_assert_eq(fclose(file), 0);
}

/* The content of a text file, good until the next call. */
static inline const char *scratch_read(const char *path)
{
    static char text[1 << 17];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Removes the directory and the files in it. */
static inline void scratch_end(const char *directory)
{
    char command[SCRATCH_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cr_assert_eq(system(command), 0);
}

/* Gives each test of a suite such a directory, `directory`; and does something at its end. */
#define SCRATCH_SUITE(suite) SCRATCH_SUITE_ENDS(suite, (void)0)
#define SCRATCH_SUITE_ENDS(suite, finish)                                                          \
    static char directory[SCRATCH_PATH];                                                           \
    static void begin(void)                                                                        \
    {                                                                                              \
        scratch_begin(directory);                                                                  \
    }                                                                                              \
    static void end(void)                                                                          \
    {                                                                                              \
        finish;                                                                                    \
        scratch_end(directory);                                                                    \
    }                                                                                              \
    TestSuite(suite, .init = begin, .fini = end)

#endif
