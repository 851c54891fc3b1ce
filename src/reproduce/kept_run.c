#include "kept_run.h"

#include "checksum.h"
#include "store.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* Replaces a path, so that only its presence is compared. */
static bool hide_path(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    (void)context;
    (void)role;
    (void)err;
    memset(path, 0, RECIPE_PATH);
    memcpy(path, "file", sizeof "file");
    return true;
}

/* The text of a recipe without its name and paths. The caller frees it. */
static char *values_text(const struct recipe *recipe, struct error *err)
{
    struct recipe bare = *recipe;
    memset(bare.name, 0, sizeof bare.name);
    recipe_each_file(&bare, hide_path, NULL, err);
    char *text = recipe_text(&bare);
    if (text == NULL)
        error_set(err, "no memory for a recipe");
    return text;
}

/* The first line, without its indentation, that differs from another text. */
static const char *first_difference(const char *text, const char *other, int *length)
{
    size_t at = 0;
    while (text[at] != '\0' && text[at] == other[at])
        at++;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    at += strspn(text + at, " ");
    *length = (int)strcspn(text + at, "\n");
    return text + at;
}

static bool same_values(const char *path, const struct recipe *kept, const struct recipe *wanted,
                        struct error *err)
{
    char *then = values_text(kept, err), *now = then == NULL ? NULL : values_text(wanted, err);
    bool good = now != NULL;
    if (good && strcmp(then, now) != 0) {
        int lengths[2];
        const char *had = first_difference(then, now, &lengths[0]);
        const char *asked = first_difference(now, then, &lengths[1]);
        good = error_set(err,
                         "%s is a run of another recipe than %s: it has \"%.*s\", and not "
                         "\"%.*s\"; move it away",
                         path, wanted->name, lengths[0], had, lengths[1], asked);
    }
    free(then);
    free(now);
    return good;
}

/* ---- files ---- */

enum { ROLE_MAX = 32 };

/* A file of a recipe: the one of its role after `before` others. */
struct role_file {
    const char *role;
    int before;
    char path[RECIPE_PATH]; /* empty: not found */
};

static bool find_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    struct role_file *file = context;
    (void)err;
    if (strcmp(role, file->role) == 0 && file->before-- == 0)
        memcpy(file->path, path, RECIPE_PATH);
    return true;
}

/* The kept files, one after another. */
struct checking {
    const char *path; /* of the run */
    const struct recipe *wanted;
    char role[ROLE_MAX];
    int before; /* files of that role so far */
};

/* Compares a kept file with that of the wanted recipe. */
static bool same_file(void *context, const char *role, const char *path, const char *sha256,
                      struct error *err)
{
    struct checking *c = context;
    struct recipe wanted = *c->wanted;
    char now[CHECKSUM_MAX];
    c->before = strcmp(role, c->role) == 0 ? c->before + 1 : 0;
    snprintf(c->role, sizeof c->role, "%s", role);
    struct role_file file = {.role = role, .before = c->before};
    if (strcmp(role, "opponent") == 0)
        return true;
    recipe_each_file(&wanted, find_file, &file, err);
    if (file.path[0] == '\0')
        return error_set(err, "%s has %s (%s), which %s does not have; move it away", c->path, path,
                         role, wanted.name);
    return values_checksum(file.path, now, err) &&
           (strcmp(now, sha256) == 0 ||
            error_set(err,
                      "%s is a run on another %s (%s): its SHA-256 was %s and is %s; put the old "
                      "file back, or move the run away",
                      c->path, file.path, role, sha256, now));
}

static bool same_files(const char *path, const struct recipe *wanted, struct error *err)
{
    struct checking c = {.path = path, .wanted = wanted};
    struct store *s = store_open(path, STORE_READ, err);
    bool same = s != NULL && store_each_data(s, same_file, &c, err);
    store_close(s);
    return same;
}

bool kept_run_is_of(const char *path, const struct recipe *kept, const struct recipe *wanted,
                    struct error *err)
{
    return same_values(path, kept, wanted, err) && same_files(path, wanted, err);
}
