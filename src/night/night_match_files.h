/* The files that a match reads, its openings and its players' parameters, by their checksums. */
#ifndef GRAYLING_NIGHT_MATCH_FILES_H
#define GRAYLING_NIGHT_MATCH_FILES_H

#include "night_stages.h"

/* Stores the checksums of a match's files, with their paths relative to the store at `path`. */
bool night_match_put_files(struct store *s, const char *path, const struct night_recipe *recipe,
                           const struct night_stage *match, struct error *err);

/* Fails if one of these files has changed since. A match that an older version began has no checksums: it
 * gets those of its files as they are now. */
bool night_match_check_files(struct store *s, const char *path, const struct night_recipe *recipe,
                             const struct night_stage *match, struct error *err);

#endif
