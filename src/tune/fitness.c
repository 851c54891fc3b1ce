#include "fitness.h"

struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    return move_match_create(recipe, threads, err);
}
