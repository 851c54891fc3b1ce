/* The files that a run or a match reads, as its store keeps them: role, path as seen from the store, and
 * SHA-256. */
#ifndef GRAYLING_DATA_KEPT_H
#define GRAYLING_DATA_KEPT_H

#include "store.h"

/* Keeps a file, within a transaction. `directory` is that of the store. */
bool data_kept_put(struct store *s, const char *directory, const char *role, const char *path,
                   struct error *err);

/* Refuses a kept file that has changed since. `owner` is "run", "match" or "stage"; `advice` what helps
 * besides the old file. */
bool data_kept_check(const char *directory, const char *role, const char *path, const char *sha256,
                     const char *owner, const char *advice, struct error *err);

#endif
