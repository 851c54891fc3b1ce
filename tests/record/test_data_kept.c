/* Paths as a store keeps them: another stage of its file is found whatever the file is called. */
#include "data_kept.h"

#include "scratch.h"

#include <criterion/criterion.h>
#include <sys/stat.h>

static struct error err;
static struct store *began; /* of a run that began in the folder `began` */

static void begin(void)
{
    scratch_begin();
    cr_assert_eq(chdir(directory), 0);
    scratch_write("night.db", "");
    cr_assert_eq(mkdir("began", 0700), 0);
    struct store *s = store_create("began/run.db", false, &err);
    MUST(s != NULL && data_kept_begin(s, "began/run.db", &err) && store_publish(s, &err));
    began = store_open("began/run.db", STORE_READ, &err);
    MUST(began);
}

static void end(void)
{
    store_close(began);
    scratch_end();
}

TestSuite(data_kept, .init = begin, .fini = end);

/* Expects what the store keeps of a path, both named from the directory. */
static void expect_kept(const char *store, const char *path, const char *expected)
{
    static struct recipe recipe;
    MUST(recipe_from_text("r.yaml", "name: n\nphase: evaluation\ndata: {train: [x]}\n", &recipe,
                          &err));
    strcpy(recipe.train[0], scratch_path(path));
    char *text = run_recipe_text(scratch_path(store), &recipe, &err);
    MUST(text);
    MUST(recipe_from_text("r.yaml", text, &recipe, &err));
    cr_expect_str_eq(recipe.train[0], expected);
    free(text);
}

/* Expects the path that the store finds, named from the directory. */
static void expect_found(const char *store, const char *kept, const char *expected)
{
    char found[PATH_SIZE];
    strcpy(found, kept);
    MUST(data_kept_visit(&(struct data_kept_view){began, scratch_path(store)}, "train", found,
                         &err));
    cr_expect_str_eq(found, scratch_path(expected), "%s in %s", kept, store);
}

/* Gives the night another name. */
static void rename_night(const char *name)
{
    cr_assert_eq(rename("night.db", name), 0);
}

Test(data_kept, a_stage_of_the_own_file_is_kept_without_its_name)
{
    expect_kept("night.db#search", "night.db#coevolve", "#coevolve");
    expect_kept("night.db#search", "other.db#coevolve", "other.db#coevolve");
    expect_kept("night.db#search", "below/night.db#coevolve", "below/night.db#coevolve");
    expect_kept("night.db#search", "train.epd", "train.epd");
    expect_kept("night.db", "night.db#coevolve", "#coevolve");
}

Test(data_kept, it_is_found_under_any_name)
{
    expect_found("night.db#search", "#coevolve", "night.db#coevolve");
    expect_found("night.db#search", "train.epd", "train.epd");
    rename_night("renamed.db");
    expect_found("renamed.db#search", "#coevolve", "renamed.db#coevolve");
    expect_found("renamed.db#search", "other.db#coevolve", "other.db#coevolve");
}

Test(data_kept, a_file_may_look_like_a_stage)
{
    scratch_write("#coevolve", "");
    expect_found("night.db#search", "#coevolve", "#coevolve");
}

Test(data_kept, a_file_is_found_from_where_the_run_began)
{
    expect_found("night.db", "train.epd", "train.epd");
    scratch_write("began/train.epd", "");
    expect_found("night.db", "train.epd", "began/train.epd");
    scratch_write("train.epd", "");
    expect_found("night.db", "train.epd", "train.epd");
}
