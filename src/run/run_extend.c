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

/* Makes an open run longer. */
static bool extend(struct store *s, const char *path, int generations, struct error *err)
{
    struct recipe recipe;
    if (!run_recipe_load(s, path, &recipe, err))
        return false;
    const int before = recipe.generations;
    return run_lengthen(&recipe, path, generations, err) &&
           (generations == before || run_put_generations(s, path, &recipe, err));
}

bool run_extend(const char *store_path, int generations, struct error *err)
{
    struct store *s = store_open(store_path, STORE_WRITE, err);
    bool extended = s != NULL && extend(s, store_path, generations, err);
    store_close(s);
    return extended;
}
