#include "search_params.h"

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
};

static const struct param nullmove_params[] = {
#include "search_params.def"

#include "nullmove_params.def"
};

#undef PARAM
#undef TEXT
#undef ALWAYS

enum { NULLMOVE_PARAMS = sizeof nullmove_params / sizeof nullmove_params[0] };

const struct param_table search_table = {"search", params, PAPER_SEARCH_PARAMS};
const struct param_table modern_table = {"search-modern", params, MODERN_SEARCH_PARAMS};
const struct param_table nullmove_table = {"search-nullmove", nullmove_params, NULLMOVE_PARAMS};
const struct param_table search_all_table = {"search-all", params, SEARCH_PARAMS};

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
    int others =
        strcmp(table->kind, nullmove_table.kind) == 0 ? MODERN_SEARCH_PARAMS : PAPER_SEARCH_PARAMS;
    size_t size = sizeof *values;
    memcpy(p.value, values, PAPER_SEARCH_PARAMS * size);
    memcpy(&p.value[others], &values[PAPER_SEARCH_PARAMS],
           (size_t)(table->count - PAPER_SEARCH_PARAMS) * size);
    return p;
}
