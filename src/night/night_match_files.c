#include "night_match_files.h"

#include "data_kept.h"
#include "paths.h"

/* Context of put_file. */
struct file_list {
    struct store *store;
    const char *directory;
};

static bool put_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    const struct file_list *list = context;
    return data_kept_put(list->store, list->directory, role, path, err);
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
    known->count++;
    return data_kept_check(known->directory, role, path, sha256, "match", "begin a new night", err);
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
