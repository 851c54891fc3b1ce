/* A searcher for the positions of a suite: the engine, or Beal's generalised quiescence. */
#ifndef GRAYLING_SEARCHER_H
#define GRAYLING_SEARCHER_H

#include "solve.h"

enum search_method {
    SEARCH_ENGINE, /* engine.h; after it, the orders of Beal's search */
    SEARCH_BEAL1,  /* beal.h: QUIESCE over the evaluation */
    SEARCH_BEAL2,  /* QUIESCE over QUIESCE, the experiment of beal-1990 (section 7) */
    SEARCH_BEAL3,  /* QUIESCE over that, the third order */
    SEARCH_METHODS
};

/* The user's names: "engine", "beal1", "beal2", "beal3". */
const char *search_method_name(enum search_method method);

/* Finds a method by name. On failure the reason lists the names. */
bool search_method_from_name(const char *name, enum search_method *method, struct error *err);

/* Checks that a method can search with an evaluation: Beal's search reads the paper's alone. */
bool search_method_check(enum search_method method, const struct evaluation *evaluation,
                         struct error *err);

/* Owned by the caller. Only the member that the method needs is set; the other is NULL. */
struct searcher {
    struct engine *engine;
    struct beal *beal;
};

/* Creates a searcher with this evaluation (search_method_check) and a transposition table of
 * `hash_mib` MiB. On failure nothing is allocated. */
bool searcher_init(struct searcher *s, enum search_method method, int hash_mib,
                   const struct evaluation *evaluation, struct error *err);
void searcher_finish(struct searcher *s); /* accepts a zeroed one */

/* Searches the position with a cleared searcher. `params` are for the engine; Beal's search has no
 * parameters. */
struct solved searcher_solve(struct searcher *s, const struct search_params *params,
                             const struct epd *epd, const struct solve_limits *limits);

#endif
