/* The description of a tunable parameter, which the engine and the tuner share.
 *
 * Each parameter is one line of a table (the .def files of src/engine), from which the enum, the genome, the
 * names in YAML files, the UCI options and the documentation follow. */
#ifndef GRAYLING_PARAM_H
#define GRAYLING_PARAM_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How a value is written for its engine: the types of UCI options. */
enum param_type {
    PARAM_SPIN,  /* a whole number */
    PARAM_CHECK, /* 0: false, 1: true */
    PARAM_COMBO, /* the index of a choice */
    PARAM_STRING, /* a decimal number with `decimals` digits, or without them the index of a choice */
    PARAM_TYPES
};

/* Values range from `min` to `max`, inclusive. `bits` is the length of the gene in the chromosome.
 * A parameter of 0 bits is a constant: it is listed, but never tuned or exported as tunable.
 * `sign` is +1 for a bonus and -1 for a penalty. In our own tables genes are >= 0, and the code that
 * uses the value applies the sign; the weights of the modern evaluation, all with +1, may be below 0.
 *
 * The members after `meaning` describe parameters of other engines, and are 0 in our own tables, but for
 * `group`. `group` and `c` are read with a space of any kind. */
struct param {
    const char *name;
    int bits;
    int32_t min, max;
    int32_t initial; /* the default */
    int sign;
    const char *active_if; /* "LMR_USE >= 1": when it has an effect; NULL or "": always */
    const char *meaning;   /* a description in one line */
    enum param_type type;
    int32_t step;        /* values are min, min + step, min + 2 step, ...; 0 counts as 1 */
    int decimals;        /* the engine is given value / 10^decimals, with so many digits */
    const char *choices; /* texts of the values 0, 1, ..., each ended by a newline; NULL: none */
    const char *group;   /* terms that belong together have the same text; NULL: none */
    double
        c; /* how far a tuner perturbs the parameter, in the units of `min` and `max` and not in steps: a
                 distance that changes play by some Elo. Above 0, at most half the range; 0: not given */
};

enum { PARAM_TEXT = 256 }; /* room for the text of a value */

/* A named, ordered set of parameters. A parameter file states the `kind` of its table. Of another engine, `command`
 * starts it; a table of weights may also say how to start a UCI engine that `plays` with them. */
struct param_table {
    const char *kind; /* "evaluation", "search"; "uci", "trace" for parameters of other engines */
    const struct param *params;
    int count;
    const char *command, *plays; /* NULL for our own tables */
    /* The parameters before this index must be in each file and run; the others were added later,
     * and are `initial` where they are omitted. 0: all must be there. */
    int required;
    /* A command's program was named by a path relative to the file that the table is from, and so moves with it. */
    bool command_moves, plays_moves;
    /* The parameters have units of their own, so that as many values say nothing: options of another
     * engine, where our own tables, and traces, have weights in one unit. */
    bool mixed;
};

/* True if two parameters belong together: to one group, or both to none. */
static inline bool param_same_group(const struct param *a, const struct param *b)
{
    return strcmp(a->group == NULL ? "" : a->group, b->group == NULL ? "" : b->group) == 0;
}

/* True if a file or a run may omit the parameter at this index. */
static inline bool param_is_added(const struct param_table *table, int index)
{
    return table->required > 0 && index >= table->required;
}

/* True if the values are choices, which have no mean: texts, or true and false. */
static inline bool param_is_choice(const struct param *p)
{
    return p->type == PARAM_CHECK || p->choices != NULL;
}

/* Returns the step between neighbouring values, 1 or more. */
static inline int32_t param_step(const struct param *p)
{
    return p->step > 1 ? p->step : 1;
}

/* Returns the number of steps from `min` to the largest value: the values less one. */
static inline uint32_t param_steps(const struct param *p)
{
    return (uint32_t)(((int64_t)p->max - p->min) / param_step(p));
}

/* Returns the value that is so many steps above `min`, or the largest if there are fewer: `max`, or the last before it. */
static inline int32_t param_at(const struct param *p, uint32_t steps)
{
    steps = steps < param_steps(p) ? steps : param_steps(p);
    return (int32_t)(p->min + (int64_t)steps * param_step(p));
}
#define param_largest(p) param_at(p, UINT32_MAX)

/* Returns the number of steps to the value nearest to x, which is within the range; halfway, to the higher one. */
uint32_t param_nearest(const struct param *p, double x);

/* Returns the bits that a gene needs for all values: 0 if there is but one. */
int param_bits(const struct param *p);

/* Writes a value as its engine reads it: "7", "true", "Fail High", "0.25". Returns `text`. */
const char *param_value_text(const struct param *p, int32_t value, char text[PARAM_TEXT]);

/* Parses such a text. False if it is no value of this type; does not check range and step. */
bool param_parse_value(const struct param *p, const char *text, int32_t *value);

/* True if so many bytes can be a name or a choice: clean (foreign_text.h), and shorter than PARAM_TEXT. */
bool param_is_text(const char *text, size_t length);

/* Checks the texts of a row from outside, its condition, type and choices, not its range and bits. */
bool param_check(const struct param *p, struct error *err);

/* Returns the index of the parameter with this name, or -1. Looks from index `at` on and then from 0: quick for names
 * in the order of the table. */
int param_find_from(const struct param_table *table, const char *name, int at);
#define param_find(table, name) param_find_from(table, name, 0)

/* Lists the kinds of a NULL-terminated array of tables, as "search, search-modern or search-all", in `size` bytes. */
void param_list_kinds(const struct param_table *const *tables, char *text, size_t size);

/* Inactive parameters: the values of others leave them without effect, as LMR_USE = 0 does to LMR_BASE.
 * The condition, `active_if`, is a subset of C:
 *
 *     condition  = comparison { " && " comparison }
 *     comparison = NAME " >= " ( NAME | NUMBER )
 *
 * A comparison that names a parameter missing from the table is true. param_check refuses other texts. */

/* Returns the index of the parameter whose value makes `param` inactive, on the left side of the first comparison that
 * is false; -1 if `param` is active. `values` are in the order of the table. */
int inactive_by(const struct param_table *table, const int32_t *values, int param);

#endif
