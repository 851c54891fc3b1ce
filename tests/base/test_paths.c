/* Paths that a run keeps: relative to its database and back. */
#include "install_paths.h"
#include "paths.h"

#include <criterion/criterion.h>
#include <string.h>

static void assert_relative(const char *directory, const char *path, const char *expected)
{
    struct error err;
    char relative[PATH_SIZE];
    cr_assert(path_relative(directory, path, relative, &err), "%s", err.text);
    cr_assert_str_eq(relative, expected, "%s from %s is %s", path, directory, relative);
}

Test(paths, are_seen_from_a_directory)
{
    assert_relative("/a/runs", "/a/runs/x.epd", "x.epd");
    assert_relative("/a/runs", "/a/data/x.epd", "../data/x.epd");
    assert_relative("/a/docs/runs", "/a/data/x.epd", "../../data/x.epd");
    assert_relative("/a/run", "/a/runs/x.epd", "../runs/x.epd");
    assert_relative("/", "/a/x.epd", "a/x.epd");
    assert_relative("/a", "/x.epd", "../x.epd");
    assert_relative("/a", "", "");
}

Test(paths, of_installed_files_stay_absolute)
{
    assert_relative("/a/runs", INSTALLED_DATA "/data/x.epd", INSTALLED_DATA "/data/x.epd");
    cr_assert_eq(INSTALLED_DATA[0], '/');
}

Test(paths, come_back)
{
    static const char *const cases[][3] = {{"/a/runs", "../data/x.epd", "/a/data/x.epd"},
                                           {"/a/b/runs", "../../data/x.epd", "/a/data/x.epd"},
                                           {"/", "a/x.epd", "/a/x.epd"},
                                           {"/a", "../x.epd", "/x.epd"},
                                           {"/a/runs", "/b/x.epd", "/b/x.epd"},
                                           {"/a/runs", "", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err;
        char absolute[PATH_SIZE];
        cr_assert(path_absolute(cases[i][0], cases[i][1], absolute, &err), "%s", err.text);
        cr_assert_str_eq(absolute, cases[i][2]);
    }
}

Test(paths, find_a_directory)
{
    struct error err;
    char directory[PATH_SIZE];
    cr_assert(path_directory("/run.db", directory, &err));
    cr_assert_str_eq(directory, "/");
    cr_assert(path_directory("run.db", directory, &err));
    cr_assert_eq(directory[0], '/');
    cr_assert_not(path_directory("/no/such/place/run.db", directory, &err));
    cr_assert(strstr(err.text, "/no/such/place") != NULL, "%s", err.text);
}

Test(paths, that_are_too_long_are_refused)
{
    struct error err;
    char path[2 * PATH_SIZE], out[PATH_SIZE];
    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    cr_assert_not(path_relative("/a", path, out, &err));
    cr_assert_not(path_absolute("/a", path + 1, out, &err));
    cr_assert(strstr(err.text, "longer than 1023 bytes") != NULL, "%s", err.text);
}
