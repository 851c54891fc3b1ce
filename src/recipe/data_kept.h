/* The files that a run or a match reads, as its store keeps them: role, path as seen from the store, and
 * SHA-256.
 *
 * A path is relative to the directory of the store, so that runs and data may be moved together. That of
 * another stage of the same file is "#STAGE" without the file's name, so that the file may be renamed,
 * copied or compressed. */
#ifndef GRAYLING_DATA_KEPT_H
#define GRAYLING_DATA_KEPT_H

#include "paths.h"
#include "recipe.h"
#include "store.h"

/* Converts an absolute path to the one that the store at `store_path` keeps. `kept` may be `path`. */
bool data_kept_path(const char *store_path, const char *path, char kept[PATH_SIZE],
                    struct error *err);

/* The inverse, of an open store. `path` may be `kept`. A file that is not there is looked for as seen from
 * where the run began, and then by name and checksum among those that come with the program; one that is
 * nowhere has the path that it would have beside the store. Older versions kept the name of the own file too:
 * where a stage names a file beside it that is gone, that of its own file is meant. */
bool data_kept_find(struct store *s, const char *store_path, const char *kept, char path[PATH_SIZE],
                    struct error *err);

/* The same for each path of a recipe. The context is a struct data_kept_view. */
struct data_kept_view {
    struct store *store;
    const char *path; /* of the store */
};
recipe_visit data_kept_visit;

/* Keeps where a run or a night begins, within a transaction. */
bool data_kept_begin(struct store *s, const char *store_path, struct error *err);

/* Keeps a file, within a transaction. `store_path` is the path of the store. */
bool data_kept_put(struct store *s, const char *store_path, const char *role, const char *path,
                   struct error *err);

/* Refuses a kept file that has changed since, or is nowhere. `s` is a store of the file at `store_path`;
 * `owner` is "run", "match" or "stage"; `advice` what helps besides the old file. */
bool data_kept_check(struct store *s, const char *store_path, const char *role, const char *path,
                     const char *sha256, const char *owner, const char *advice, struct error *err);

#endif
