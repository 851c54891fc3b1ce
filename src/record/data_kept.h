/* The recipe of a run, and the files that a run or a match reads, as its store keeps them: role, path as seen from
 * the store, and SHA-256.
 *
 * Paths are relative to the directory of the store, so that runs and data may be moved together. That of another
 * stage of the same file is "#STAGE", so that the file may be renamed, copied or compressed. A kept file that is
 * not there is looked for as seen from where the run began, then by name and checksum among those that come with
 * the program; one that is nowhere has the path beside the store. */
#ifndef GRAYLING_DATA_KEPT_H
#define GRAYLING_DATA_KEPT_H

#include "paths.h"
#include "recipe.h"
#include "store.h"

/* An open store, the context of these visits of files, and its path. */
struct data_kept_view {
    struct store *store;
    const char *path;
};

/* Puts the path where a kept file is now in place of the kept one. */
recipe_visit data_kept_visit;

/* Keeps where a run or a night begins, within a transaction. */
bool data_kept_begin(struct store *s, const char *store_path, struct error *err);

/* Keeps a file of a recipe or a match, within a transaction; the context is a struct data_kept_view. The space
 * and the seeds of a run have tables of their own. */
recipe_visit data_kept_put;

/* Refuses a kept file that has changed since, or is nowhere. `s` is a store of the file at `store_path`;
 * `owner` is "run", "match" or "stage"; `advice` what helps besides the old file. */
bool data_kept_check(struct store *s, const char *store_path, const char *owner, const char *advice,
                     struct error *err);

/* -- the recipe of a run: it states all values, and its paths are as seen from the store */

/* Loads the recipe of the run at `path`, opened as `s`, with absolute paths. Fails for a night. */
bool run_recipe_load(struct store *s, const char *path, struct recipe *recipe, struct error *err);

/* Returns the text to store for a run at `path`, of a recipe with absolute paths. The caller frees it. */
char *run_recipe_text(const char *path, const struct recipe *recipe, struct error *err);

#endif
