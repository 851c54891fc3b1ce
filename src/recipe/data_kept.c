#include "data_kept.h"

#include "checksum.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool data_kept_path(const char *store_path, const char *path, char kept[PATH_SIZE],
                    struct error *err)
{
    char directory[PATH_SIZE], own[PATH_SIZE];
    if (!path_directory(store_path, directory, err) || !own_name(store_path, own, err) ||
        !path_relative(directory, path, kept, err))
        return false;
    const char *mark = kept + strlen(own);
    if (strncmp(kept, own, strlen(own)) == 0 && *mark == '#' && store_is_stage_name(mark + 1))
        memmove(kept, mark, strlen(mark) + 1);
    return true;
}

/* True if the store is a stage of its file. */
static bool is_stage(const char *store_path)
{
    char *file = store_path_of_file(store_path);
    bool is = file != NULL && strcmp(file, store_path) != 0;
    free(file);
    return is;
}

/* True if there is no such file, and for a stage not the file that it would be in. */
static bool is_gone(const char *path)
{
    char *file = store_path_of_file(path);
    bool gone = file == NULL || access(file, F_OK) != 0;
    free(file);
    return gone;
}

/* True if a kept path means a stage of the store's own file. `mark` is where its "#STAGE" begins, and
 * `given` what it is without that meaning. */
static bool means_own(const char *store_path, const char *kept, const char *mark, const char *given)
{
    if (mark == kept)
        return access(given, F_OK) != 0;
    return strchr(kept, '/') == NULL && is_stage(store_path) && is_gone(given);
}

bool data_kept_find(const char *store_path, const char *kept, char path[PATH_SIZE],
                    struct error *err)
{
    char directory[PATH_SIZE], given[PATH_SIZE], name[PATH_SIZE], own[PATH_SIZE + STORE_STAGE];
    if (!path_directory(store_path, directory, err) || !path_absolute(directory, kept, given, err))
        return false;
    const char *mark = strrchr(kept, '#');
    if (mark == NULL || !store_is_stage_name(mark + 1) ||
        !means_own(store_path, kept, mark, given)) {
        strcpy(path, given);
        return true;
    }
    if (!own_name(store_path, name, err))
        return false;
    snprintf(own, sizeof own, "%s%s", name, mark);
    return path_absolute(directory, own, path, err);
}

/* ---- files ---- */

bool data_kept_put(struct store *s, const char *store_path, const char *role, const char *path,
                   struct error *err)
{
    char sha256[CHECKSUM_MAX], kept[PATH_SIZE];
    return values_checksum(path, sha256, err) && data_kept_path(store_path, path, kept, err) &&
           store_put_data(s, role, kept, sha256, err);
}

bool data_kept_check(const char *store_path, const char *role, const char *path, const char *sha256,
                     const char *owner, const char *advice, struct error *err)
{
    char found[CHECKSUM_MAX], absolute[PATH_SIZE];
    if (!data_kept_find(store_path, path, absolute, err) || !values_checksum(absolute, found, err))
        return error_prefix(err, "cannot reload the %s's data: ", owner);
    return strcmp(found, sha256) == 0 ||
           error_set(err,
                     "%s (%s) has changed since the %s began: its SHA-256 was %s and is %s; put "
                     "the old file back, or %s",
                     absolute, role, owner, sha256, found, advice);
}
