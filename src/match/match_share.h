/* The games of a match on other ranks (ranks.h): the description has both players, the conditions and
 * the openings. */
#ifndef GRAYLING_MATCH_SHARE_H
#define GRAYLING_MATCH_SHARE_H

#include "jobs.h"
#include "match.h"
#include "ranks.h"

/* Creates the list of games, in as many threads as the settings say, and on all ranks. NULL with the
 * reason. */
struct jobs *match_share(const struct match *m, const struct job_kind *games, struct error *err);

/* Builds it on another rank. */
extern const struct ranks_builder match_builder;

/* The list of games here (match.c). */
struct jobs *match_create_jobs(const struct match *m, struct error *err);

#endif
