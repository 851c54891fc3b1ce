/* An engine with these parameters. */
#ifndef GRAYLING_ENGINE_WITH_H
#define GRAYLING_ENGINE_WITH_H

#include "engine.h"

#include <criterion/criterion.h>

static inline struct engine *engine_with(int hash_mib, struct search_params params)
{
    struct error err;
    struct engine *e = engine_create(hash_mib, &err);
    cr_assert_not_null(e, "%s", err.text);
    engine_set_params(e, &params);
    return e;
}

#endif
