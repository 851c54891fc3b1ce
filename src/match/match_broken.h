/* What is left behind of a game in which an engine returned no legal move, for whoever has to find
 * the bug. */
#ifndef GRAYLING_MATCH_BROKEN_H
#define GRAYLING_MATCH_BROKEN_H

#include "match.h"

/* Writes the position, the moves that led to it, the settings of the match and the parameters of
 * both players into a new file; a file that is there is replaced. */
bool match_broken_write(const char *path, const struct match *m, int64_t number,
                        const struct game *g, struct error *err);

/* Writes it and ends in the error that says so, naming the file: always false. */
bool match_broken_fail(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err);

#endif
