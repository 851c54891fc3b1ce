/* The genes of a run, and the engine that they belong to: kept when it begins, compared with those of its
 * space whenever it goes on. */
#ifndef GRAYLING_RUN_GENES_H
#define GRAYLING_RUN_GENES_H

#include "recipe.h"
#include "store.h"

/* Keeps the genes, and which of them the optimiser takes together, if it does. Within a transaction. */
bool run_genes_put(struct store *s, const struct recipe *recipe, const struct param_table *space,
                   struct error *err);

/* Refuses genes, or an engine, that differ from those kept. A moved folder with run, space and engine has the
 * same engine. */
bool run_genes_check(struct store *s, const struct param_table *now, struct error *err);

#endif
