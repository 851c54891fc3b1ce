/* A tunable parameter as its table describes it.
 *
 * Each parameter stands on one line of a table (`eval_params.def`, `search_params.def` and the
 * others of src/engine); the enum, the genome, the names in YAML files, the UCI options and the
 * documentation all come from that line. The engine and the tuner share this type. */
#ifndef GRAYLING_PARAM_H
#define GRAYLING_PARAM_H

#include <stddef.h>
#include <stdint.h>

/* Values run from `min` to `max`, both included. `bits` is the length of the gene in the
 * chromosome; 0 bits is a constant, shown but never tuned or exported as tunable.
 * `sign` is +1 for a bonus and -1 for a penalty: genes are >= 0 and the sign is applied by the
 * user of the value. `active_if` reads "LMR_USE >= 1": inactive.h has its grammar. */
struct param {
    const char *name;
    int bits;
    int32_t min, max;
    int32_t initial; /* the value when a file does not say otherwise */
    int sign;
    const char *active_if; /* the condition under which it has an effect; NULL or "": always */
    const char *meaning;   /* one line, for people */
};

/* A named, ordered set of parameters: the `kind` that a parameter file states. */
struct param_table {
    const char *kind; /* "evaluation", "search" */
    const struct param *params;
    int count;
};

/* The index of the parameter called `name`, or -1. */
int param_find(const struct param_table *table, const char *name);

/* "evaluation", or "search, search-modern or search-all": the kinds of tables of which NULL is the
 * last, cut to `size` bytes. */
void param_list_kinds(const struct param_table *const *tables, char *text, size_t size);

#endif
