/* The log of a failed game: a game that a player lost because its process crashed, hung or gave an
 * illegal move. */
#ifndef GRAYLING_MATCH_FAILURE_H
#define GRAYLING_MATCH_FAILURE_H

#include "match.h"

/* Appends the reason, the position, the moves that led to it, and the end of the conversation with
 * the process to a file. */
bool match_failure_add(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err);

#endif
