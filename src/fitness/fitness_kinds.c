#include "fitness_kinds.h"

struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    static struct fitness *(*const create[])(const struct recipe *, int, struct error *) = {
        [MEASURE_MOVE_MATCH] = move_match_create,
        [MEASURE_NODES_TO_SOLUTION] = nodes_to_solution_create,
        [MEASURE_GAMES] = coevolution_create,
        [MEASURE_MENTOR] = mentor_create,
    };
    return create[recipe->measure](recipe, threads, err);
}
