/* A directory of its own for a test's files, and a look at what is in it. */
#ifndef GRAYLING_TESTS_TEMPORARY_H
#define GRAYLING_TESTS_TEMPORARY_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct temporary {
    char directory[64];
    char path[96]; /* of the file named last */
};

/* In memory where that can be had: these files are written often and safely. */
static inline struct temporary temporary_make(void)
{
    struct temporary t = {.directory = "/dev/shm/grayling-test-XXXXXX"};
    if (access("/dev/shm", W_OK | X_OK) != 0)
        strcpy(t.directory, "/tmp/grayling-test-XXXXXX");
    cr_assert_not_null(mkdtemp(t.directory));
    return t;
}

/* The path of a file in the directory, good until the next call. */
static inline const char *temporary_file(struct temporary *t, const char *name)
{
    snprintf(t->path, sizeof t->path, "%s/%.30s", t->directory, name);
    return t->path;
}

/* How many files there are. */
static inline int temporary_count(const struct temporary *t)
{
    int count = 0;
    DIR *d = opendir(t->directory);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static inline void temporary_remove(struct temporary *t)
{
    DIR *d = opendir(t->directory);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlink(temporary_file(t, e->d_name));
    closedir(d);
    rmdir(t->directory);
}

static inline void temporary_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert_not_null(f);
    fputs(text, f);
    fclose(f);
}

#endif
