#include "search_params.h"

#include <string.h>

static const struct param params[SEARCH_PARAMS] = {
#define PARAM(name, bits, min, max, initial, sign, meaning)                                        \
    [name] = {#name, bits, min, max, initial, sign, meaning},
#include "modern_params.def"
#include "search_params.def"
#undef PARAM
};

const struct param_table search_table = {"search", params, PAPER_SEARCH_PARAMS};
const struct param_table modern_table = {"search-modern", params, SEARCH_PARAMS};

struct search_params search_initial_params(void)
{
    struct search_params p;
    for (int i = 0; i < SEARCH_PARAMS; i++)
        p.value[i] = params[i].initial;
    return p;
}

/* Every method has a parameter whose 0 turns it off. */
struct search_params search_plain_params(void)
{
    return (struct search_params){{0}};
}

struct search_params search_params_from(const struct param_table *table, const int32_t *values)
{
    struct search_params p = search_plain_params();
    memcpy(p.value, values, (size_t)table->count * sizeof *values);
    return p;
}
