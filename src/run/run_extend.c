#include "run_work.h"

#include "data_kept.h"

#include <stdio.h>
#include <stdlib.h>

bool run_put_generations(struct store *s, const char *path, const struct recipe *recipe,
                         struct error *err)
{
    char number[32];
    snprintf(number, sizeof number, "%d", recipe->generations);
    char *text = run_recipe_text(path, recipe, err);
    bool put = text != NULL && store_begin(s, err) && store_put(s, "recipe", text, err) &&
               store_put(s, "generations", number, err) && store_commit(s, err);
    free(text);
    return put;
}

bool run_lengthen(struct recipe *recipe, const char *path, int generations, struct error *err)
{
    if (generations < recipe->generations)
        return error_set(err, "%s has %d generations; --generations takes a larger number", path,
                         recipe->generations);
    recipe->generations = generations;
    return true;
}

/* Reduces a population to so many organisms, or the next number that its optimiser takes. */
static bool reduce(struct recipe *recipe, int64_t measured)
{
    struct optimiser_settings *o = &recipe->optimiser;
    const int all = o->population;
    for (o->population = (int)measured; o->population < all; o->population++)
        if (o->population >= recipe->seed_count && optimiser_check(o, NULL))
            return true;
    return false;
}

bool run_settle(const char *store_path, struct error *err)
{
    struct recipe recipe;
    struct store *s = store_open(store_path, STORE_WRITE, err);
    bool settled = s != NULL && run_recipe_load(s, store_path, &recipe, err);
    if (settled && store_last_generation(s) < 0 && recipe.measure != MEASURE_GAMES &&
        recipe.batch == 0 && reduce(&recipe, store_count_genomes(s)))
        settled = run_put_generations(s, store_path, &recipe, err);
    store_close(s);
    return settled;
}
