/* The objective values of what a run is compared with, as it keeps them: the properties `default_measure`,
 * `default_held_out`, `default_compared` and `default_error`. */
#ifndef GRAYLING_DEFAULTS_KEPT_H
#define GRAYLING_DEFAULTS_KEPT_H

#include "store.h"

/* NOT_MEASURED: unknown, or nothing is held out. */
struct defaults_kept {
    int64_t measure, held_out;
    int64_t
        compared;  /* the generation whose best organism was compared with them on held-out data */
    int64_t error; /* of that difference of both values, paired by position: the standard error,
                         in thousandths */
};

struct defaults_kept defaults_kept_get(struct store *s);

/* Puts what is measured, within a transaction. */
bool defaults_kept_put(struct store *s, const struct defaults_kept *d, struct error *err);

#endif
