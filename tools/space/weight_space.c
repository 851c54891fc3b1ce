#include "weight_space.h"

#include "params_file.h"
#include "space_engine.h"

#include <inttypes.h>
#include <stdlib.h>

bool weight_space_read(const char *path, const struct weight_ranges *ranges, struct weight_space *w,
                       struct error *err)
{
    w->path = path;
    w->ranges = *ranges;
    w->table = params_read_any(path, evaluation_tables, w->values, err);
    return w->table != NULL;
}

/* ---- ranges ---- */

/* The largest |value| of the weights of the same term. Each of the paper's weights is a term. */
static int32_t largest_of_term(const struct weight_space *w, int weight)
{
    int32_t largest = 0;
    int first = weight, end = weight + 1;
    if (w->table == &modern_eval_table)
        modern_term_weights(weight, &first, &end);
    for (int i = first; i < end; i++)
        if (abs(w->values[i]) > largest)
            largest = abs(w->values[i]);
    return largest;
}

/* The table's range, or one as wide as the values of the weight's term suggest: 2^n values to both sides
 * of 0, or from 0 on, where 2^n is above 1.4 times the largest. It needs bits, and steps of 1. */
static struct param full_range(const struct weight_space *w, int weight)
{
    const struct param *p = &w->table->params[weight];
    struct param range = *p;
    const int64_t largest = largest_of_term(w, weight);
    const int sign = p->min < 0 ? 1 : 0; /* a bit of its own */
    int bits = sign + 1;
    while (bits < p->bits && 10 * (INT64_C(1) << (bits - sign)) <= 14 * largest)
        bits++;
    if (!w->ranges.narrow || bits >= p->bits)
        return range;
    range.bits = bits;
    range.min = sign != 0 ? -(1 << (bits - 1)) : p->min;
    range.max = range.min + (1 << bits) - 1;
    return range;
}

/* The same range in so many bits: with a step if it has more. */
static struct param with_bits(const struct param *p, int bits)
{
    struct param range = *p;
    if (bits == 0 || bits >= p->bits)
        return range;
    range.bits = bits;
    range.step = 1 << (p->bits - bits);
    range.max = param_largest(&range);
    return range;
}

/* ---- output ---- */

void weight_space_print(FILE *out, void *context)
{
    const struct weight_space *w = context;
    fprintf(out, "# The weights of %s that are not 0. All others are 0.\nkind: %s\nparameters:\n",
            w->path, w->table->kind);
    for (int i = 0; i < w->table->count; i++) {
        if (w->values[i] == 0 && params_omit_zeros(w->table))
            continue;
        const struct param range = full_range(w, i);
        const struct param p = with_bits(&range, w->ranges.bits);
        space_write_ours(out, &p);
    }
}
