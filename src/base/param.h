/* The description of a tunable parameter.
 *
 * Each parameter is one line of a table (`eval_params.def`, `search_params.def` and the other .def
 * files of src/engine). The enum, the genome, the names in YAML files, the UCI options and the
 * documentation are generated from that line. The engine and the tuner share this type. */
#ifndef GRAYLING_PARAM_H
#define GRAYLING_PARAM_H

#include <stddef.h>
#include <stdint.h>

/* Values range from `min` to `max`, inclusive. `bits` is the length of the gene in the chromosome.
 * A parameter of 0 bits is a constant: it is listed, but never tuned or exported as tunable.
 * `sign` is +1 for a bonus and -1 for a penalty. Genes are >= 0, and the code that uses the value
 * applies the sign. inactive.h gives the grammar of `active_if`. */
struct param {
    const char *name;
    int bits;
    int32_t min, max;
    int32_t initial; /* the default */
    int sign;
    const char *active_if; /* "LMR_USE >= 1": when it has an effect; NULL or "": always */
    const char *meaning;   /* a description in one line */
};

/* A named, ordered set of parameters. A parameter file states the `kind` of its table. */
struct param_table {
    const char *kind; /* "evaluation", "search" */
    const struct param *params;
    int count;
};

/* Returns the index of the parameter with this name, or -1. */
int param_find(const struct param_table *table, const char *name);

/* Lists the kinds of a NULL-terminated array of tables, as "evaluation" or "search, search-modern
 * or search-all". Truncates the text to `size` bytes. */
void param_list_kinds(const struct param_table *const *tables, char *text, size_t size);

#endif
