#include "engines.h"

#include <stdlib.h>

void engines_destroy(struct engine **engines, int count)
{
    for (int i = 0; engines != NULL && i < count; i++)
        engine_destroy(engines[i]);
    free(engines);
}

struct engine **engines_create(int count, int hash_mib, const struct evaluation *evaluation,
                               struct error *err)
{
    struct engine **engines = calloc((size_t)count, sizeof(struct engine *));
    bool good = engines != NULL || error_set(err, "no memory for %d engines", count);
    for (int i = 0; good && i < count; i++) {
        engines[i] = engine_create(hash_mib, err);
        good = engines[i] != NULL;
        if (good)
            engine_set_evaluation(engines[i], evaluation);
    }
    if (good)
        return engines;
    engines_destroy(engines, count);
    return NULL;
}
