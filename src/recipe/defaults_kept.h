/* The objective values of another engine's defaults, as a run keeps them: the properties
 * `default_measure` and `default_held_out`. */
#ifndef GRAYLING_DEFAULTS_KEPT_H
#define GRAYLING_DEFAULTS_KEPT_H

#include "store.h"

/* NOT_MEASURED: unknown, or nothing is held out. */
struct defaults_kept {
    int64_t measure, held_out;
};

struct defaults_kept defaults_kept_get(struct store *s);

/* Puts what is measured, within a transaction. */
bool defaults_kept_put(struct store *s, const struct defaults_kept *d, struct error *err);

#endif
