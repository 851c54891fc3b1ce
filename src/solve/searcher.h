/* What searches the positions of a suite: the engine, or Beal's generalised quiescence. */
#ifndef GRAYLING_SEARCHER_H
#define GRAYLING_SEARCHER_H

#include "solve.h"

enum search_method {
    SEARCH_ENGINE, /* engine.h */
    SEARCH_BEAL1,  /* beal.h: QUIESCE over the evaluation */
    SEARCH_BEAL2,  /* QUIESCE over QUIESCE, the experiment of beal-1990 (section 7) */
    SEARCH_METHODS
};

/* "engine", "beal1", "beal2": how a user names it. */
const char *search_method_name(enum search_method method);

/* The method of a name; the reason of a failure lists them. */
bool search_method_from_name(const char *name, enum search_method *method, struct error *err);

/* Owned by the caller; the one that the method does not need is NULL. */
struct searcher {
    struct engine *engine;
    struct beal *beal;
};

/* A searcher with this evaluation and a table of `hash_mib` MiB. On failure nothing is owned. */
bool searcher_init(struct searcher *s, enum search_method method, int hash_mib,
                   const struct eval_weights *weights, struct error *err);
void searcher_finish(struct searcher *s); /* accepts a zeroed one */

/* Searches the position as in a new searcher. The parameters are the engine's; Beal's search has
 * none. */
struct solved searcher_solve(struct searcher *s, const struct search_params *params,
                             const struct epd *epd, const struct solve_limits *limits);

#endif
