/* The tables and figures of the papers, each with the experiment that reproduces it. */
#ifndef GRAYLING_REPRODUCTION_H
#define GRAYLING_REPRODUCTION_H

#include "experiment.h"

struct reproduction {
    const char *name;  /* "david-2008-table-2": the paper and the table */
    const char *title; /* what it shows */
    /* Measures, and shows one or more grids. Returns false with an error, or without one if
     * stopped. */
    bool (*run)(struct experiment *x, const struct reproduction *r, struct error *err);
    const void *plan; /* for `run`; its type depends on the kind of experiment */
};

/* All reproductions, paper by paper; NULL after the last. */
extern const struct reproduction *const reproductions[];

/* The reproductions, each a constant in its own file. */
#define REPRODUCTIONS                                                                              \
    R(beal_1990_table_1)                                                                           \
    R(beal_1990_section_5)                                                                         \
    R(beal_1990_section_6)                                                                         \
    R(beal_1990_section_9)                                                                         \
    R(david_2002_table_1)                                                                          \
    R(david_2002_table_2)                                                                          \
    R(david_2002_table_3)                                                                          \
    R(david_2002_table_4)                                                                          \
    R(david_2002_table_5)                                                                          \
    R(david_2002_table_6)                                                                          \
    R(david_2002_differences)                                                                      \
    R(david_2002_games)                                                                            \
    R(david_2002_variants)                                                                         \
    R(david_2002_variants_solved)                                                                  \
    R(david_2008_table_2)                                                                          \
    R(david_2008_table_3)                                                                          \
    R(david_2008_table_4)                                                                          \
    R(david_2008_table_5)                                                                          \
    R(david_2008_table_6)                                                                          \
    R(david_2008_table_7)                                                                          \
    R(david_2008_checks)                                                                           \
    R(david_2014_figure_2)                                                                         \
    R(david_2014_figure_3)                                                                         \
    R(david_2014_figure_4)                                                                         \
    R(david_2014_phase_2)                                                                          \
    R(david_2014_players)                                                                          \
    R(david_2014_table_2)                                                                          \
    R(david_2014_table_3)                                                                          \
    R(david_2014_table_4)                                                                          \
    R(ecm_engines)                                                                                 \
    R(zugzwang)                                                                                    \
    R(selective_methods)                                                                           \
    R(selective_methods_solved)

#define R(name) extern const struct reproduction name;
REPRODUCTIONS
#undef R

/* True if `name` selects the reproduction: it is the name, or its beginning up to a hyphen. */
bool reproduction_is_meant(const struct reproduction *r, const char *name);

#endif
