#include "run_recipe.h"

#include "data_kept.h"

#include <stdlib.h>

/* Says why a stored run has no recipe. */
static bool fail_recipe(struct store *s, const char *path, struct error *err)
{
    char *night = store_get(s, "night");
    free(night);
    if (night != NULL)
        return error_set(err,
                         "%s has several stages; name one of them, as %s#STAGE (`grayling "
                         "status %s` lists them)",
                         path, path, path);
    if (store_count_match_players(s) > 0)
        return error_set(err,
                         "%s is a match: it has games, and no generations or parameters (`grayling "
                         "status %s` shows its results)",
                         path, path);
    return error_set(err, "%s is damaged (no recipe)", path);
}

bool run_recipe_load(struct store *s, const char *path, struct recipe *recipe, struct error *err)
{
    char *text = store_get(s, "recipe");
    bool loaded =
        text != NULL ? recipe_from_text(path, text, recipe, err) : fail_recipe(s, path, err);
    free(text);
    return loaded &&
           recipe_each_file(recipe, data_kept_visit, &(struct data_kept_view){s, path}, err);
}

char *run_recipe_text(const char *path, const struct recipe *recipe, struct error *err)
{
    struct recipe stored = *recipe;
    struct path_view view = {data_kept_path, path};
    if (!recipe_each_file(&stored, recipe_view_path, &view, err))
        return NULL;
    char *text = recipe_text(&stored);
    if (text == NULL)
        error_set(err, "no memory for the recipe");
    return text;
}
