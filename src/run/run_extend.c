#include "run_work.h"

#include "run_recipe.h"

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
