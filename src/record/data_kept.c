#include "data_kept.h"

#include "checksum.h"
#include "data_files.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The property with the directory where a run or a night began. */
static const char folder_key[] = "folder";

/* ---- paths ---- */

/* Finds the name of the store's file, without its directory. */
static bool own_name(const char *store_path, char name[PATH_SIZE], struct error *err)
{
    char *file = store_path_of_file(store_path);
    if (file == NULL)
        return error_set(err, "no memory for the path of %s", store_path);
    snprintf(name, PATH_SIZE, "%s", path_name(file));
    free(file);
    return true;
}

/* Converts an absolute path to the one that the store at `store_path` keeps. `kept` may be `path`. */
static bool to_kept(const char *store_path, const char *path, char kept[PATH_SIZE],
                    struct error *err)
{
    char directory[PATH_SIZE], own[PATH_SIZE];
    if (!path_directory(store_path, directory, err) || !own_name(store_path, own, err) ||
        !path_relative(directory, path, kept, err))
        return false;
    const char *mark = kept + strlen(own);
    if (strncmp(kept, own, strlen(own)) == 0 && *mark == '#' && path_is_stage_name(mark + 1))
        memmove(kept, mark, strlen(mark) + 1);
    return true;
}

/* True if there is no such file, and for a stage not the file that it would be in. */
static bool is_gone(const char *path)
{
    char *file = store_path_of_file(path);
    bool gone = file == NULL || access(file, F_OK) != 0;
    free(file);
    return gone;
}

/* Finds a kept path as the store at `store_path` has it. "#STAGE" is a stage, unless it is a file. */
static bool find_beside(const char *store_path, const char *kept, char path[PATH_SIZE],
                        struct error *err)
{
    char directory[PATH_SIZE], name[PATH_SIZE], own[PATH_SIZE + STORE_STAGE];
    if (!path_directory(store_path, directory, err) || !path_absolute(directory, kept, path, err))
        return false;
    if (kept[0] != '#' || !path_is_stage_name(kept + 1) || access(path, F_OK) == 0)
        return true;
    if (!own_name(store_path, name, err))
        return false;
    snprintf(own, sizeof own, "%s%s", name, kept);
    return path_absolute(directory, own, path, err);
}

/* Gets the checksum of a kept file; "" if it is unknown. */
static bool know(struct store *s, const char *kept, char known[CHECKSUM_MAX])
{
    const char *role, *path, *sha256;
    struct store_rows r = store_data(s);
    known[0] = '\0';
    while (store_next(&r, "ttt", &role, &path, &sha256))
        if (strcmp(path, kept) == 0)
            snprintf(known, CHECKSUM_MAX, "%s", sha256);
    return store_end(&r, NULL);
}

/* Finds a file of this name and checksum among those that come with the program. "": any checksum. */
static bool find_ours(const char *kept, const char *sha256, char path[PATH_SIZE])
{
    struct data_files files;
    char found[CHECKSUM_MAX];
    bool same = false;
    if (!data_files_list(&files, DATA_PARAMS | DATA_SPACES | DATA_POSITIONS, NULL))
        return false;
    for (size_t i = 0; i < files.count && !same; i++) {
        const char *ours = files.items[i].path;
        same = strcmp(path_name(ours), path_name(kept)) == 0 &&
               (sha256[0] == '\0' ||
                (values_checksum(ours, found, NULL) && strcmp(found, sha256) == 0));
        if (same)
            strcpy(path, ours);
    }
    data_files_free(&files);
    return same;
}

/* Finds a kept file; `path` may be `kept`. `sha256` is its checksum, or NULL: it is looked up. */
static bool find(struct store *s, const char *store_path, const char *kept, const char *sha256,
                 char path[PATH_SIZE], struct error *err)
{
    char here[PATH_SIZE], began[PATH_SIZE], known[CHECKSUM_MAX];
    if (!find_beside(store_path, kept, here, err))
        return false;
    char *folder = is_gone(here) ? store_get(s, folder_key) : NULL;
    const bool there =
        folder != NULL && path_absolute(folder, kept, began, NULL) && !is_gone(began);
    free(folder);
    if (there)
        strcpy(path, began);
    else if (!is_gone(here) || (sha256 == NULL && !know(s, kept, known)) ||
             !find_ours(kept, sha256 != NULL ? sha256 : known, path))
        strcpy(path, here);
    return true;
}

bool data_kept_visit(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    const struct data_kept_view *view = context;
    (void)role;
    return find(view->store, view->path, path, NULL, path, err);
}

bool data_kept_begin(struct store *s, const char *store_path, struct error *err)
{
    char directory[PATH_SIZE];
    return path_directory(store_path, directory, err) && store_put(s, folder_key, directory, err);
}

/* ---- files ---- */

bool data_kept_put(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    const struct data_kept_view *view = context;
    char sha256[CHECKSUM_MAX], kept[PATH_SIZE];
    return strcmp(role, "space") == 0 || strcmp(role, "seeds") == 0 ||
           (values_checksum(path, sha256, err) && to_kept(view->path, path, kept, err) &&
            store_put_data(view->store, role, kept, sha256, err));
}

bool data_kept_check(struct store *s, const char *store_path, const char *owner, const char *advice,
                     struct error *err)
{
    const char *role, *path, *sha256;
    char found[CHECKSUM_MAX], absolute[PATH_SIZE];
    bool good = true;
    struct store_rows r = store_data(s);
    while (good && store_next(&r, "ttt", &role, &path, &sha256)) {
        const bool there = find(s, store_path, path, sha256, absolute, err);
        if (there && is_gone(absolute)) {
            char *folder = store_get(s, folder_key);
            good = error_set(
                err,
                "cannot reload the %s's data (%s): there is no %s%s%s%s%s, and none of this name "
                "and checksum comes with the program",
                owner, role, absolute, folder != NULL ? ", no " : "", folder != NULL ? path : "",
                folder != NULL ? " as seen from " : "", folder != NULL ? folder : "");
            free(folder);
        } else if (!there || !values_checksum(absolute, found, err))
            good = error_prefix(err, "cannot reload the %s's data: ", owner);
        else if (strcmp(found, sha256) != 0)
            good = error_set(err,
                             "%s (%s) has changed since the %s began: its SHA-256 was %s and is "
                             "%s; put the old file back, or %s",
                             absolute, role, owner, sha256, found, advice);
    }
    return store_end(&r, err) && good;
}

/* ---- the recipe ---- */

static bool fail_recipe(struct store *s, const char *path, struct error *err)
{
    char *night = store_get(s, "night");
    free(night);
    if (night != NULL)
        return error_set(err,
                         "%s has several stages; name one of them, as %s#STAGE (`grayling "
                         "status %s` lists them)",
                         path, path, path);
    if (store_count_match_players(s) > 0)
        return error_set(err,
                         "%s is a match: it has games, and no generations or parameters (`grayling "
                         "status %s` shows its results)",
                         path, path);
    return error_set(err, "%s is damaged (no recipe)", path);
}

bool run_recipe_load(struct store *s, const char *path, struct recipe *recipe, struct error *err)
{
    char *text = store_get(s, "recipe");
    bool loaded =
        text != NULL ? recipe_from_text(path, text, recipe, err) : fail_recipe(s, path, err);
    free(text);
    return loaded &&
           recipe_each_file(recipe, data_kept_visit, &(struct data_kept_view){s, path}, err);
}

char *run_recipe_text(const char *path, const struct recipe *recipe, struct error *err)
{
    struct recipe stored = *recipe;
    struct path_view view = {to_kept, path};
    if (!recipe_each_file(&stored, recipe_view_path, &view, err))
        return NULL;
    char *text = recipe_text(&stored);
    if (text == NULL)
        error_set(err, "no memory for the recipe");
    return text;
}
