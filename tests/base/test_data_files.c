/* Files that come with the program, found by their names. */
#include "data_files.h"

#include "scratch.h"

#include <sys/stat.h>

/* A folder with data of its own, which GRAYLING_DATA names; the working directory is empty. */
static struct error err;

static void enter(void)
{
    static const char *const folders[] = {"params", "params/recipes", "data", "here", "here/data"};
    static const char *const files[] = {"params/recipes/mine.yaml", "params/own-eval.yaml",
                                        "params/own-space.yaml",    "data/own.epd",
                                        "data/own-results.epd.zst", "data/notes.txt"};
    scratch_begin();
    setenv("GRAYLING_DATA", directory, 1);
    cr_assert(chdir(directory) == 0);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        cr_assert(mkdir(folders[i], 0777) == 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        scratch_write(files[i], "");
    cr_assert(chdir("here") == 0);
}

static void leave(void)
{
    cr_assert(chdir("/") == 0);
    scratch_end();
}

TestSuite(data_files, .init = enter, .fini = leave);

/* Asserts that a name is found under GRAYLING_DATA. */
static void assert_found(const char *name, unsigned kinds, const char *expected)
{
    char path[PATH_SIZE];
    MUST(data_file_find(name, kinds, path, &err));
    cr_assert_str_eq(path, text_of("%s/%s", directory, expected), "%s is %s", name, path);
}

Test(data_files, are_found_by_kind_and_name)
{
    assert_found("mine", DATA_RECIPES, "params/recipes/mine.yaml");
    assert_found("own-eval", DATA_PARAMS, "params/own-eval.yaml");
    assert_found("own-space", DATA_SPACES, "params/own-space.yaml");
    assert_found("own", DATA_VALUES, "data/own.epd");
    assert_found("own-results", DATA_POSITIONS, "data/own-results.epd.zst");
}

Test(data_files, of_a_set_are_found_by_its_name)
{
    scratch_write("params/own-search.yaml", "");
    assert_found("own", DATA_EVALUATIONS, "params/own-eval.yaml");
    assert_found("own", DATA_SEARCHES, "params/own-search.yaml");
    assert_found("own-eval", DATA_SEARCHES, "params/own-eval.yaml");
}

Test(data_files, of_the_source_tree_are_found_from_a_build_directory)
{
    char path[PATH_SIZE];
    MUST(data_file_find("quick", DATA_RECIPES, path, &err));
    cr_assert_str_eq(path, text_of("%s/params/recipes/quick.yaml", getenv("GRAYLING_SOURCE")), "%s",
                     path);
}

Test(data_files, give_way_to_a_file_that_exists)
{
    char path[PATH_SIZE];
    scratch_write("here/mine", "");
    cr_assert(data_file_find("mine", DATA_RECIPES, path, &err));
    cr_assert_str_eq(path, "mine");
}

Test(data_files, are_found_beside_a_folder_of_the_same_name)
{
    scratch_write("data/data.epd", "");
    assert_found("data", DATA_POSITIONS, "data/data.epd");
}

Test(data_files, with_a_folder_or_an_ending_are_taken_as_named)
{
    static const char *const names[] = {"-", "mine.yaml", "./mine", "no/such", "x.db#search", ""};
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cr_assert(data_file_find(names[i], DATA_RECIPES, path, &err));
        cr_assert_str_eq(path, names[i]);
    }
}

Test(data_files, that_are_unknown_are_listed)
{
    char path[PATH_SIZE];
    cr_assert_not(data_file_find("qick", DATA_RECIPES, path, &err));
    SAID("no recipe is named 'qick', and there is no such file; did you mean "
         "quick? There are mine, coevolution-");
    cr_assert_not(data_file_find("own-space", DATA_VALUES, path, &err));
    SAID("no parameter file or file of positions is named");
}

Test(data_files, list_each_name_once)
{
    struct data_files files;
    int found = 0;
    scratch_write("params/recipes/quick.yaml", "");
    MUST(data_files_list(&files, DATA_RECIPES, &err));
    for (size_t i = 0; i < files.count; i++)
        if (strcmp(files.items[i].name, "quick") == 0) {
            found++;
            cr_assert(strstr(files.items[i].path, directory) == files.items[i].path);
        }
    cr_assert_eq(found, 1);
    data_files_free(&files);
}
