/* The options of the engine: those of the protocol, and every parameter of the evaluation and the
 * search under its own name. */
#ifndef GRAYLING_UCI_OPTIONS_H
#define GRAYLING_UCI_OPTIONS_H

#include "engine.h"
#include "uci_words.h"

#include <stdio.h>

/* Reads a parameter file that is of the kind of one of `tables` (NULL behind the last), and
 * returns that one; NULL with the reason. */
typedef const struct param_table *uci_read_params(const char *path,
                                                  const struct param_table *const *tables,
                                                  int32_t *values, struct error *err);

/* What an engine starts with. */
struct uci_defaults {
    struct eval_weights weights;
    struct search_params params;
    int hash, hash_max; /* MiB */
    uci_read_params *read_params;
};

/* The present values, and what of them the engine does not have yet. */
struct uci_options {
    const struct uci_defaults *defaults; /* borrowed */
    struct eval_weights weights;
    struct search_params params;
    int hash, lines;
    int64_t overhead; /* milliseconds */
    bool weights_changed, params_changed, hash_changed, clear;
    int applied, clamped, unknown; /* parameters set one by one, since they were last counted out */
};

/* Everything at its default, and not yet in an engine. */
void uci_options_init(struct uci_options *o, const struct uci_defaults *defaults);

/* Writes the line "option name ..." of the option at `index`; false behind the last. */
bool uci_option_describe(const struct uci_defaults *defaults, int index, struct uci_text *text);

/* Takes "name N [value V]", the words behind `setoption`. Names are the same in upper and lower
 * case. Values beyond a range are brought within it; that, unknown names, and what a file
 * brought or why it could not be read is noted. */
void uci_options_set(struct uci_options *o, struct words *w, struct uci_text *notes);

/* Brings the engine up to date, and counts out the parameters that were set one by one. */
void uci_options_apply(struct uci_options *o, struct engine *e, struct uci_text *notes);

#endif
