/* The engine's UCI options: those of the protocol, and, for tuners, the parameters of the paper's
 * evaluation and of the search, each under its own name. EvalFile may hold a modern evaluation, which
 * then plays instead of the paper's. */
#ifndef GRAYLING_UCI_OPTIONS_H
#define GRAYLING_UCI_OPTIONS_H

#include "engine.h"
#include "uci_go.h"

#include <stdio.h>

/* Reads a parameter file whose kind is that of one of `tables` (terminated by NULL), and returns
 * that table; NULL and `err` on failure. */
typedef const struct param_table *uci_read_params(const char *path,
                                                  const struct param_table *const *tables,
                                                  int32_t *values, struct error *err);

/* Initial settings of an engine. */
struct uci_defaults {
    struct evaluation evaluation; /* the paper's, if `tune` */
    struct search_params params;
    bool tune;          /* each parameter is an option */
    int hash, hash_max; /* MiB */
    int threads_max;    /* 0: one thread */
    uci_read_params *read_params;
};

/* The current values, and which of them have not been applied to the engine yet. */
struct uci_options {
    const struct uci_defaults *defaults; /* borrowed */
    struct eval_weights weights;         /* of the options, if they are tuned */
    struct evaluation evaluation;        /* what plays */
    struct search_params params;
    int hash, threads, lines, overhead; /* MiB; of a search; MultiPV; milliseconds */
    int show_wdl, ponder, clear;        /* 0 or 1 */
    int chess960;                       /* castling is written as king takes rook */
    int hash_used, threads_used;        /* those of the engine */
    bool weights_changed, evaluation_changed, params_changed;
    int applied, clamped, unknown; /* parameters set by name since the last report */
};

/* Sets every option to its default, not yet applied to an engine. */
void uci_options_init(struct uci_options *o, const struct uci_defaults *defaults);

/* Writes the line "option name ..." of the option at `index`; false past the last option. */
bool uci_option_describe(const struct uci_defaults *defaults, int index, struct uci_text *text);

/* Parses "name N [value V]", the words after `setoption`. Names are case-insensitive. Clamps values
 * to their ranges. Notes clamped values, unknown names, and the result of reading a file. */
void uci_options_set(struct uci_options *o, struct words *w, struct uci_text *notes);

/* Applies changed values to the engine, and reports how many parameters were set by name. */
void uci_options_apply(struct uci_options *o, struct engine *e, struct uci_text *notes);

#endif
