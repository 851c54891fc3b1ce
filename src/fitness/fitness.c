#include "fitness.h"

#include "recipe.h"

struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    static struct fitness *(*const create[])(const struct recipe *, int, struct error *) = {
        [MEASURE_MOVE_MATCH] = move_match_create,
        [MEASURE_NODES_TO_SOLUTION] = nodes_to_solution_create,
        [MEASURE_GAMES] = coevolution_create,
    };
    return create[recipe->measure](recipe, threads, err);
}

enum measure_unit fitness_unit(const struct recipe *recipe)
{
    switch (recipe->measure) {
    case MEASURE_NODES_TO_SOLUTION:
        return recipe->scale == SCALE_LOG ? UNIT_LOG_NODES : UNIT_NODES;
    case MEASURE_GAMES:
        return UNIT_POINTS;
    default:
        return UNIT_SHARE;
    }
}
