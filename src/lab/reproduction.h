/* The tables and figures of the papers, each with the experiment that reproduces it. */
#ifndef GRAYLING_REPRODUCTION_H
#define GRAYLING_REPRODUCTION_H

#include "lab_table.h"

/* Reads the data of all reproductions (lab_table.h), which the caller finishes. Each entry of its mapping
 * `tables` is one, paper by paper; the key is its name, "david-2008-table-2": the paper and the table. */
bool reproductions_read(struct yaml_document *data, struct error *err);

/* True if `name` selects the reproduction: it is the name, or its beginning up to a hyphen. */
bool reproduction_is_meant(const struct yaml_node *table, const char *name);

/* Measures, and shows one or more grids. Returns false with an error, or without one if stopped. */
bool reproduction_run(struct experiment *x, const struct yaml_node *table, struct error *err);

/* ---- the experiments, by the `kind` of an entry ----
 *
 * Each fills the table's grid, which has title, corner and columns, and is shown at its end with the entry's
 * notes; "suite" shows its grids itself. False with an error, or without one if stopped. */

bool suite_table_run(struct lab_table *t, struct error *err); /* "suite": methods on suites */
bool differences_run(struct lab_table *t, struct error *err); /* "differences" */
bool peers_run(struct lab_table *t, struct error *err); /* "peers": engines of others on a suite */
bool games_run(struct lab_table *t, struct error *err); /* "games" */
bool moves_matched_run(struct lab_table *t, struct error *err); /* "moves matched": figure 2 */
bool values_run(struct lab_table *t, struct error *err);        /* "values": figure 3 */
bool nodes_run(struct lab_table *t, struct error *err);         /* "nodes": figure 4 */
bool search_values_run(struct lab_table *t, struct error *err); /* "search values": table II */
bool players_run(struct lab_table *t, struct error *err);       /* "players" */
bool quiescence_run(struct lab_table *t, struct error *err);    /* "quiescence": Beal's Table 1 */
bool branching_run(struct lab_table *t, struct error *err);     /* "branching" */
bool fringe_run(struct lab_table *t, struct error *err);        /* "fringe" */
bool assumption_run(struct lab_table *t, struct error *err);    /* "assumption" */
bool zugzwang_run(struct lab_table *t, struct error *err);      /* "zugzwang" */
bool mate_run(struct lab_table *t, struct error *err); /* "mate": a position by each method */

#endif
