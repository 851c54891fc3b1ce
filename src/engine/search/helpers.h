/* Helpers: the further threads of a search (lazy SMP).
 *
 * Each helper searches the root position of the main search with its own killers, history and
 * caches, and shares the transposition table. It leaves out some iterations, others than its
 * neighbours, so that helpers are at different depths. What they find reaches the main search through
 * the table alone; their results are not used. Searches with helpers do not repeat.
 *
 *     main     helpers_begin ... tree_deepen ... helpers_end
 *     helper         tree_deepen ... asks at each poll whether it is over */
#ifndef GRAYLING_HELPERS_H
#define GRAYLING_HELPERS_H

#include "tree.h"

struct helpers;

/* ---- life cycle ---- */

/* Creates helpers without threads; these exist only while a search runs. NULL and `err` without
 * memory. */
struct helpers *helpers_create(int count, struct error *err);
void helpers_destroy(struct helpers *h); /* accepts NULL */

/* ---- for engine.c: each accepts NULL and does nothing ---- */

/* Forgets what the helpers learned; `evaluation`: also what they keep of evaluations. */
void helpers_clear(struct helpers *h, bool evaluation);

/* Starts the helpers on the search that `t` is about to begin, its root moves listed. If a helper's
 * thread cannot be created, the search runs without it. `t` may not be moved until helpers_end. */
void helpers_begin(struct helpers *h, const struct tree *t);

/* Stops the helpers and waits for them, about a thousand nodes each. */
void helpers_end(struct helpers *h);

#endif
