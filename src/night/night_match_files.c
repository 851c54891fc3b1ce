#include "night_match_files.h"

#include "paths.h"
#include "values.h"

#include <string.h>

/* Context of put_file. */
struct file_list {
    struct store *store;
    const char *directory;
};

static bool put_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    const struct file_list *list = context;
    char sha256[CHECKSUM_MAX], relative[PATH_SIZE];
    return values_checksum(path, sha256, err) &&
           path_relative(list->directory, path, relative, err) &&
           store_put_data(list->store, role, relative, sha256, err);
}

bool night_match_put_files(struct store *s, const char *path, const struct night_recipe *recipe,
                           const struct night_stage *match, struct error *err)
{
    char directory[PATH_SIZE];
    struct night_stage files = *match; /* a visit may change paths */
    return path_directory(path, directory, err) &&
           night_match_each_file(recipe, &files, put_file, &(struct file_list){s, directory}, err);
}

/* The files that a match began with. */
struct known_files {
    const char *directory; /* paths are relative to it */
    int count;
};

/* Refuses a file that has changed. */
static bool check_file(void *context, const char *role, const char *path, const char *sha256,
                       struct error *err)
{
    struct known_files *known = context;
    char found[CHECKSUM_MAX], absolute[PATH_SIZE];
    known->count++;
    if (!path_absolute(known->directory, path, absolute, err) ||
        !values_checksum(absolute, found, err))
        return error_prefix(err, "cannot reload the files of the match: ");
    return strcmp(found, sha256) == 0 ||
           error_set(err,
                     "%s (%s) has changed since the match began: its SHA-256 was %s and is %s; put "
                     "the old file back, or begin a new night",
                     absolute, role, sha256, found);
}

bool night_match_check_files(struct store *s, const char *path, const struct night_recipe *recipe,
                             const struct night_stage *match, struct error *err)
{
    char directory[PATH_SIZE];
    struct known_files known = {.directory = directory};
    if (!path_directory(path, directory, err) || !store_each_data(s, check_file, &known, err))
        return false;
    return known.count > 0 ||
           (store_begin(s, err) && night_match_put_files(s, path, recipe, match, err) &&
            store_commit(s, err));
}
