#include "fitness_kinds.h"

#include "fitness_share.h"

/* Creates the fitness on this rank. */
static struct fitness *create_here(const struct recipe *recipe, int threads, struct error *err)
{
    static struct fitness *(*const create[])(const struct recipe *, int, struct error *) = {
        [MEASURE_MOVE_MATCH] = move_match_create,
        [MEASURE_NODES_TO_SOLUTION] = nodes_to_solution_create,
        [MEASURE_GAMES] = coevolution_create,
        [MEASURE_MENTOR] = mentor_create,
        [MEASURE_RESULTS] = game_results_create,
    };
    return create[recipe->measure](recipe, threads, err);
}

struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    if (!fitness_share(recipe, threads, err))
        return NULL;
    struct fitness *f = create_here(recipe, threads, err);
    if (ranks_shared(f != NULL, f != NULL && !f->approximate, err))
        return f;
    if (f != NULL)
        f->method->destroy(f);
    return NULL;
}
