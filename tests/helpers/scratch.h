/* Files that a test writes for itself, in a directory of its own, and a look at what is in it; and what a call that
 * may fail leaves in `err`. */
#ifndef GRAYLING_TEST_SCRATCH_H
#define GRAYLING_TEST_SCRATCH_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64];

/* Makes the directory, in memory where that can be had: these files are written often and safely. */
static inline void scratch_begin(void)
{
    const bool memory = access("/dev/shm", W_OK | X_OK) == 0;
    snprintf(directory, sizeof directory, "%s/grayling-XXXXXX", memory ? "/dev/shm" : "/tmp");
    cr_assert_not_null(mkdtemp(directory));
}

/* A text as printf has it, good until the test ends: it is kept in a chain, and so is no leak. */
__attribute__((format(printf, 1, 2))) static inline char *text_of(const char *format, ...)
{
    static struct text {
        struct text *before;
        char bytes[4096];
    } * last;
    struct text *text = malloc(sizeof *text);
    va_list rest;
    cr_assert_not_null(text);
    va_start(rest, format);
    cr_assert_lt(vsnprintf(text->bytes, sizeof text->bytes, format, rest), 4096);
    va_end(rest);
    text->before = last;
    last = text;
    return text->bytes;
}

/* The path of a file of the directory. */
static inline char *scratch_path(const char *name)
{
    return text_of("%s/%s", directory, name);
}

/* Writes a file of the directory; returns its path. */
static inline char *scratch_write_bytes(const char *name, const void *bytes, size_t size)
{
    char *path = scratch_path(name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    return path;
}

static inline char *scratch_write(const char *name, const char *text)
{
    return scratch_write_bytes(name, text, strlen(text));
}

/* Writes a script that can be run. */
static inline char *scratch_program(const char *name, const char *text)
{
    char *path = scratch_write(name, text);
    cr_assert_eq(chmod(path, 0755), 0);
    return path;
}

/* The content of a text file, good until the next call. */
static inline const char *scratch_read(const char *path)
{
    static char text[1 << 22];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* How many files there are. */
static inline int scratch_count(void)
{
    int count = 0;
    DIR *d = opendir(directory);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

/* Removes the directory and all that is in it. */
static inline void scratch_end(void)
{
    cr_assert_eq(system(text_of("rm -rf '%s'", directory)), 0);
}

/* Gives each test of a suite such a directory; and does something at its end. */
#define SCRATCH_SUITE(suite) TestSuite(suite, .init = scratch_begin, .fini = scratch_end)
#define SCRATCH_SUITE_ENDS(suite, finish)                                                          \
    static void suite##_end(void)                                                                  \
    {                                                                                              \
        finish;                                                                                    \
        scratch_end();                                                                             \
    }                                                                                              \
    TestSuite(suite, .init = scratch_begin, .fini = suite##_end)

/* The call must succeed, or its reason is told. */
#define MUST(call) cr_assert(call, "%s", err.text)
/* The reason has these words. */
#define SAID(words)                                                                                \
    cr_expect_not_null(strstr(err.text, words), "expected '%s' in: %s", words, err.text)

#endif
