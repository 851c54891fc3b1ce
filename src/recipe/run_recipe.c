#include "run_recipe.h"

#include "paths.h"

#include <stdlib.h>

/* Converts every path of a recipe. */
static bool rewrite_paths(struct recipe *r, path_rewrite *rewrite, const char *directory,
                          struct error *err)
{
    struct path_view view = {rewrite, directory};
    return recipe_each_file(r, recipe_view_path, &view, err);
}

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
    char *text = store_get(s, "recipe"), directory[PATH_SIZE];
    bool loaded =
        text != NULL ? recipe_from_text(path, text, recipe, err) : fail_recipe(s, path, err);
    free(text);
    return loaded && path_directory(path, directory, err) &&
           rewrite_paths(recipe, path_absolute, directory, err);
}

char *run_recipe_text(const char *path, const struct recipe *recipe, struct error *err)
{
    struct recipe stored = *recipe;
    char directory[PATH_SIZE];
    if (!path_directory(path, directory, err) ||
        !rewrite_paths(&stored, path_relative, directory, err))
        return NULL;
    char *text = recipe_text(&stored);
    if (text == NULL)
        error_set(err, "no memory for the recipe");
    return text;
}
