/* Solves test positions with the parameters of organisms: our engine in this process, or another one
 * over UCI. Each worker has a solver of its own. */
#ifndef GRAYLING_SOLVER_H
#define GRAYLING_SOLVER_H

#include "solve.h"

struct solver;

/* Everything is borrowed for the life of the solver. */
struct solver_settings {
    const struct param_table *table;     /* the parameters of organisms */
    const struct uci_settings *engine;   /* another engine and its constants; NULL: ours */
    int hash_mib;                        /* of our engine */
    const struct evaluation *evaluation; /* of our engine */
};

/* Creates a solver. NULL, with the reason, if the engine cannot be started. */
struct solver *solver_create(const struct solver_settings *settings, struct error *err);
void solver_destroy(struct solver *s); /* accepts NULL */

/* Sets the parameters: values[table->count]. Another engine gets new ones in a new process. False,
 * with the reason, if an engine refuses a value, or cannot be started with its constants. */
bool solver_set(struct solver *s, const int32_t *values, struct error *err);

/* Searches a position as solve.h has it. After a fault of another engine, which is in the result,
 * the engine is started anew, and `log` (may be NULL) has the reason and the end of the conversation;
 * the caller frees it. An engine that the parameters keep from starting has a fault in each position.
 * False, with the reason, if there was no memory to ask an engine. */
bool solver_solve(struct solver *s, const struct epd *epd, const struct solve_limits *limits,
                  struct solved *solved, char **log, struct error *err);

#endif
