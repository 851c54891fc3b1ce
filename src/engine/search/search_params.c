#include "search_params.h"

#include "param.h"

#include <stddef.h>
#include <string.h>

/* Conditions are stored as text; ALWAYS becomes the empty string. */
#define ALWAYS
#define TEXT(condition) #condition
#define PARAM(name, bits, min, max, initial, sign, active_if, meaning)                             \
    {#name, bits, min, max, initial, sign, TEXT(active_if), meaning},

static const struct param params[SEARCH_PARAMS] = {
#include "search_params.def"

#include "modern_params.def"

#include "nullmove_params.def"

#include "added_params.def"

#include "nullmove_added_params.def"
};

static const struct param modern_params[] = {
#include "search_params.def"

#include "modern_params.def"

#include "added_params.def"
};

static const struct param nullmove_params[] = {
#include "search_params.def"

#include "nullmove_params.def"

#include "nullmove_added_params.def"
};

#undef PARAM
#undef TEXT
#undef ALWAYS

enum {
    MODERN_PARAMS = sizeof modern_params / sizeof modern_params[0],
    NULLMOVE_PARAMS = sizeof nullmove_params / sizeof nullmove_params[0],
    NULLMOVE_ADDED_PARAMS = SEARCH_PARAMS - FIRST_NULLMOVE_ADDED_PARAM
};

const struct param_table search_table = {"search", params, PAPER_SEARCH_PARAMS};
const struct param_table modern_table = {"search-modern", modern_params, MODERN_PARAMS,
                                         .required = MODERN_SEARCH_PARAMS};
const struct param_table nullmove_table = {"search-nullmove", nullmove_params, NULLMOVE_PARAMS,
                                           .required = NULLMOVE_PARAMS - NULLMOVE_ADDED_PARAMS};
const struct param_table search_all_table = {"search-all", params, SEARCH_PARAMS,
                                             .required = FIRST_ADDED_PARAM};

const struct param_table *const search_tables[] = {&search_table, &modern_table, &nullmove_table,
                                                   &search_all_table, NULL};

const struct param_table *search_table_of_kind(const char *kind)
{
    for (int i = 0; search_tables[i] != NULL; i++)
        if (strcmp(search_tables[i]->kind, kind) == 0)
            return search_tables[i];
    return NULL;
}

struct search_params search_initial_params(void)
{
    struct search_params p;
    for (int i = 0; i < SEARCH_PARAMS; i++)
        p.value[i] = params[i].initial;
    return p;
}

/* Each method has a parameter whose 0 turns it off. */
struct search_params search_plain_params(void)
{
    return (struct search_params){{0}};
}

struct search_params search_params_from(const struct param_table *table, const int32_t *values)
{
    struct search_params p = search_plain_params();
    const struct param_table *whole = search_table_of_kind(table->kind);
    for (int i = 0; i < whole->count; i++) {
        const struct param *row = &whole->params[i];
        p.value[param_find_from(&search_all_table, row->name, i)] =
            i < table->count ? values[i] : row->initial;
    }
    return p;
}

/* True if the parameters from `first` up to `end` turn no method on: each is 0, or another's value
 * leaves it without effect. */
static bool all_off(const struct search_params *p, int first, int end)
{
    for (int i = first; i < end; i++)
        if (p->value[i] != 0 && inactive_by(&search_all_table, p->value, i) < 0)
            return false;
    return true;
}

size_t search_params_length(const struct search_params *p)
{
    if (!all_off(p, FIRST_NULLMOVE_ADDED_PARAM, SEARCH_PARAMS))
        return SEARCH_PARAMS;
    return all_off(p, FIRST_ADDED_PARAM, FIRST_NULLMOVE_ADDED_PARAM) ? FIRST_ADDED_PARAM
                                                                     : FIRST_NULLMOVE_ADDED_PARAM;
}
