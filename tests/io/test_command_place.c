/* Commands in files: programs relative to the file. */
#include "command_place.h"

#include "scratch.h"

#include <sys/stat.h>

static char directory[SCRATCH_PATH];

static void begin(void)
{
    scratch_begin(directory);
    cr_assert(chdir(directory) == 0 && mkdir("some files", 0777) == 0 &&
              mkdir("engines", 0777) == 0);
}

static void end(void)
{
    cr_assert_eq(chdir("/"), 0);
    scratch_end(directory);
}

TestSuite(command_place, .init = begin, .fini = end);

/* The command that one of the two functions makes of a command. */
static void expect(char *(*place)(const char *file, const char *command, struct error *err),
                   const char *file, const char *command, const char *expected)
{
    struct error err = {""};
    char *placed = place(file, command, &err);
    cr_assert_not_null(placed, "%s", err.text);
    cr_expect_str_eq(placed, expected);
    free(placed);
}

Test(command_place, a_program_of_a_file_gets_its_folder)
{
    expect(command_of_file, "a/b/space.yaml", "./engine -u", "a/b/./engine -u");
    expect(command_of_file, "a/b/space.yaml", "../engine", "a/b/../engine");
    expect(command_of_file, "space.yaml", "./engine", "./engine");
    expect(command_of_file, "My Engines/o'k.yaml", "'./my engine' 'a b'",
           "My\\ Engines/./my\\ engine 'a b'");
}

Test(command_place, a_program_of_a_file_can_get_its_absolute_folder)
{
    char here[SCRATCH_PATH], expected[2 * SCRATCH_PATH];
    cr_assert_not_null(getcwd(here, sizeof here));
    snprintf(expected, sizeof expected, "%s/some\\ files/../engine -u", here);
    expect(command_of_file_anywhere, "some files/space.yaml", "../engine -u", expected);
    expect(command_of_file_anywhere, "/space.yaml", "./engine", "/./engine");
    expect(command_of_file_anywhere, "engines/space.yaml", "toga2 -u", "toga2 -u");
}

Test(command_place, other_programs_of_a_file_stay)
{
    expect(command_of_file, "a/space.yaml", "toga2", "toga2");
    expect(command_of_file, "a/space.yaml", "python3 ./engine.py", "python3 ./engine.py");
    expect(command_of_file, "a/space.yaml", "/usr/games/toga2", "/usr/games/toga2");
    expect(command_of_file, "a/space.yaml", "'/opt/my engine' -u", "'/opt/my engine' -u");
}

Test(command_place, a_command_that_cannot_be_split_is_named)
{
    struct error err = {""};
    cr_expect_null(command_of_file("a/space.yaml", "'./engine", &err));
    cr_expect_str_eq(err.text, "a/space.yaml: the command './engine: the quote ' is not closed");
}

Test(command_place, a_program_is_seen_from_the_file_that_names_it)
{
    expect(command_for_file, "engines/space.yaml", "./engine -u", "../engine -u");
    expect(command_for_file, "space.yaml", "./engine", "./engine");
    expect(command_for_file, "engines/space.yaml", "engines/engine", "./engine");
    expect(command_for_file, "engines/space.yaml", "'some files/my engine' a",
           "../some\\ files/my\\ engine a");
}

Test(command_place, other_programs_are_named_as_before)
{
    expect(command_for_file, "-", "./engine", "./engine");
    expect(command_for_file, "engines/space.yaml", "toga2 -u", "toga2 -u");
    expect(command_for_file, "engines/space.yaml", "/usr/games/toga2", "/usr/games/toga2");
}

/* A program may ask by which name it was started: python in a virtual environment does. */
Test(command_place, a_link_to_a_program_is_not_followed)
{
    cr_assert_eq(symlink("/bin/sh", "engines/link"), 0);
    expect(command_for_file, "space.yaml", "engines/link", "engines/link");
}

Test(command_place, a_folder_that_is_not_there_is_named)
{
    struct error err = {""};
    cr_expect_null(command_for_file("nowhere/space.yaml", "./engine", &err));
    cr_expect_not_null(strstr(err.text, "nowhere: "), "%s", err.text);
}

Test(command_place, a_program_that_moves_is_seen_from_another_file)
{
    char here[SCRATCH_PATH], command[2 * SCRATCH_PATH];
    cr_assert_not_null(getcwd(here, sizeof here));
    snprintf(command, sizeof command, "%s/engines/./engine -u", here);
    expect(command_moved_to_file, "run.db", command, "engines/engine -u");
    expect(command_moved_to_file, "engines/run.db", command, "./engine -u");
    expect(command_moved_to_file, "some files/run.db", command, "../engines/engine -u");
    expect(command_moved_to_file, "run.db", "engines/../engine", "./engine");
    expect(command_moved_to_file, "run.db", "/no/such/folder/engine", "/no/such/folder/engine");
    cr_expect(command_is_relative("./engine") && command_is_relative("'../my engine' -u"));
    cr_expect_not(command_is_relative("toga2 ./book") || command_is_relative("/usr/games/toga2"));
}
