#include "night_match_files.h"

#include "data_kept.h"

/* Files of a store. */
struct file_list {
    struct store *store;
    const char *path; /* of the store */
};

static bool put_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    const struct file_list *list = context;
    return data_kept_put(list->store, list->path, role, path, err);
}

bool night_match_put_files(struct store *s, const char *path, const struct night_recipe *recipe,
                           const struct night_stage *match, struct error *err)
{
    struct night_stage files = *match; /* a visit may change paths */
    return night_match_each_file(recipe, &files, put_file, &(struct file_list){s, path}, err);
}

/* The files that a match began with. */
struct known_files {
    struct file_list list;
    int count;
};

/* Refuses a file that has changed. */
static bool check_file(void *context, const char *role, const char *path, const char *sha256,
                       struct error *err)
{
    struct known_files *known = context;
    known->count++;
    return data_kept_check(known->list.store, known->list.path, role, path, sha256, "match",
                           "begin a new night", err);
}

bool night_match_check_files(struct store *s, const char *path, const struct night_recipe *recipe,
                             const struct night_stage *match, struct error *err)
{
    struct known_files known = {.list = {s, path}};
    if (!store_each_data(s, check_file, &known, err))
        return false;
    return known.count > 0 ||
           (store_begin(s, err) && night_match_put_files(s, path, recipe, match, err) &&
            store_commit(s, err));
}
