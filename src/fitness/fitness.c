#include "fitness.h"

#include "ranks.h"
#include "recipe.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- on other ranks ---- */

/* Sends a file, and puts the name of its data in place of its path. Seeds are not read. */
static bool send_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    char name[RANK_DATA_NAME];
    size_t size;
    (void)context;
    if (strcmp(role, "seeds") == 0)
        return true;
    char *bytes = values_bytes(path, &size, err);
    if (bytes == NULL)
        return false;
    ranks_put_data(bytes, size, name);
    free(bytes);
    snprintf(path, RECIPE_PATH, "%s", name);
    return true;
}

/* Describes the fitness to the other ranks, as the recipe with names of data for the files. */
static bool share(const struct recipe *recipe, int threads, struct error *err)
{
    struct recipe sent = *recipe;
    if (!ranks_many())
        return true;
    if (!recipe_each_file(&sent, send_file, NULL, err))
        return false;
    char *text = recipe_text(&sent);
    if (text == NULL)
        return error_set(err, "no memory for the recipe");
    ranks_share(fitness_builder.name, text, strlen(text), threads);
    free(text);
    return true;
}

/* Puts the path of data in place of its name. */
static bool find_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    const char *data = ranks_data_path(path);
    (void)context, (void)role, (void)err;
    if (data != NULL)
        snprintf(path, RECIPE_PATH, "%s", data);
    return true;
}

static void *build(const void *bytes, size_t size, int threads, struct error *err)
{
    struct recipe recipe;
    (void)size;
    return recipe_from_text("recipe", bytes, &recipe, err) &&
                   recipe_each_file(&recipe, find_file, NULL, err)
               ? fitness_create(&recipe, threads, err)
               : NULL;
}

static void destroy(void *built)
{
    struct fitness *f = built;
    f->method->destroy(f);
}

const struct ranks_builder fitness_builder = {"fitness", build, destroy};

/* ---- creation ---- */

struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    static struct fitness *(*const create[])(const struct recipe *, int, struct error *) = {
        [MEASURE_MOVE_MATCH] = position_fitness_create,
        [MEASURE_NODES_TO_SOLUTION] = nodes_to_solution_create,
        [MEASURE_GAMES] = coevolution_create,
        [MEASURE_MENTOR] = position_fitness_create,
        [MEASURE_RESULTS] = position_fitness_create,
    };
    if (!share(recipe, threads, err))
        return NULL;
    struct fitness *f = create[recipe->measure](recipe, threads, err);
    if (ranks_shared(f != NULL, err))
        return f;
    if (f != NULL)
        f->method->destroy(f);
    return NULL;
}
