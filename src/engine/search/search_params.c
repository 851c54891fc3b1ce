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

#include "added_params.def"
};

static const struct param modern_params[] = {
#include "search_params.def"

#include "modern_params.def"

#include "added_params.def"
};

static const struct param nullmove_params[] = {
#include "search_params.def"

#include "nullmove_params.def"
};

#undef PARAM
#undef TEXT
#undef ALWAYS

enum {
    MODERN_PARAMS = sizeof modern_params / sizeof modern_params[0],
    NULLMOVE_PARAMS = sizeof nullmove_params / sizeof nullmove_params[0]
};

const struct param_table search_table = {"search", params, PAPER_SEARCH_PARAMS};
const struct param_table modern_table = {
    "search-modern", modern_params, MODERN_PARAMS, NULL, NULL, MODERN_SEARCH_PARAMS};
const struct param_table nullmove_table = {"search-nullmove", nullmove_params, NULLMOVE_PARAMS};
const struct param_table search_all_table = {"search-all", params, SEARCH_PARAMS,
                                             NULL,         NULL,   FIRST_ADDED_PARAM};

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

/* The parameter at an index of the table of this kind. */
static int param_at(const char *kind, int index)
{
    if (strcmp(kind, nullmove_table.kind) == 0 && index >= PAPER_SEARCH_PARAMS)
        return index + MODERN_SEARCH_PARAMS - PAPER_SEARCH_PARAMS;
    if (strcmp(kind, modern_table.kind) == 0 && index >= MODERN_SEARCH_PARAMS)
        return index + FIRST_ADDED_PARAM - MODERN_SEARCH_PARAMS;
    return index;
}

struct search_params search_params_from(const struct param_table *table, const int32_t *values)
{
    struct search_params p = search_plain_params();
    for (int i = 0; i < table->count; i++)
        p.value[param_at(table->kind, i)] = values[i];
    return p;
}

/* A method is off where all parameters that are always active are 0. */
size_t search_params_length(const struct search_params *p)
{
    for (int i = FIRST_ADDED_PARAM; i < SEARCH_PARAMS; i++)
        if (params[i].active_if[0] == '\0' && p->value[i] != 0)
            return SEARCH_PARAMS;
    return FIRST_ADDED_PARAM;
}
