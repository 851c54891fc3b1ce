#include "fitness.h"

#include "recipe.h"

struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    static struct fitness *(*const create[])(const struct recipe *, int, struct error *) = {
        [MEASURE_MOVE_MATCH] = move_match_create,
    };
    return create[recipe->measure](recipe, threads, err);
}
