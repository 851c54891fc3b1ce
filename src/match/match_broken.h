/* Reports of games that end badly. */
#ifndef GRAYLING_MATCH_BROKEN_H
#define GRAYLING_MATCH_BROKEN_H

#include "match.h"

/* The crash report of a broken game, in which an engine returned no legal move: writes the position, the
 * moves that led to it, the settings of the match and the parameters of
 * both players to a file. Replaces an existing file. */
bool match_broken_write(const char *path, const struct match *m, int64_t number,
                        const struct game *g, struct error *err);

/* Writes the report and sets an error that names the file. Always returns false. */
bool match_broken_fail(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err);

/* Appends a game that a player lost because its process crashed, hung or gave an illegal move, to a log:
 * the reason, the position, the moves that led to it, and the end of the conversation with the process. */
bool match_failure_add(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err);

#endif
