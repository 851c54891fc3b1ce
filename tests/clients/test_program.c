/* Programs are found by name, and the reason is told if they are not. */
#include "program.h"

#include "scratch.h"

#include <sys/stat.h>

static char directory[SCRATCH_PATH], file[SCRATCH_PATH], path[8 * SCRATCH_PATH];

/* Makes a folder with a file of this mode, and has it on the PATH behind others. */
static void make(const char *name, mode_t mode)
{
    scratch_begin(directory);
    scratch_write(directory, name, "#!/bin/sh\n", file);
    cr_assert_eq(chmod(file, mode), 0);
    snprintf(path, sizeof path, "%s:/nowhere::%s", getenv("PATH"), directory);
    cr_assert_eq(setenv("PATH", path, 1), 0);
}

/* A program is not found, for this reason. */
static void expect_refusal(const char *name, const char *reason)
{
    struct error err = {""};
    char found[PROGRAM_PATH];
    cr_expect_not(program_find(name, found, &err));
    cr_expect_not_null(strstr(err.text, reason), "\"%s\" instead of \"%s\"", err.text, reason);
    cr_expect_not_null(strstr(err.text, name), "%s", err.text);
}

Test(program, is_found_on_the_path)
{
    char found[PROGRAM_PATH];
    make("an-engine", 0755);
    cr_expect(program_find("an-engine", found, NULL));
    cr_expect_str_eq(found, file);
    cr_expect(program_find(file, found, NULL));
    cr_expect_str_eq(found, file);
    scratch_end(directory);
}

Test(program, that_is_absent_is_named)
{
    expect_refusal("no-such-program", "there is no such program on the PATH or in /usr/games");
    expect_refusal("/no/such/program", "No such file or directory");
}

Test(program, that_cannot_be_executed_is_named)
{
    make("a-text", 0644);
    expect_refusal("a-text", "there is no such program");
    expect_refusal(file, "it is not executable");
    expect_refusal(directory, "Is a directory");
    scratch_end(directory);
}
