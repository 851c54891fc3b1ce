/* Command lines are split as a shell splits simple ones. */
#include "command_line.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- command words ---- */

static void expect_words(const char *text, const char *const expected[])
{
    struct error err;
    char **words = command_words(text, &err);
    cr_assert_not_null(words, "%s: %s", text, err.text);
    int i = 0;
    for (; expected[i] != NULL; i++) {
        cr_assert_not_null(words[i], "%s: word %d", text, i);
        cr_expect_str_eq(words[i], expected[i]);
    }
    cr_expect_null(words[i]);
    free(words);
}

Test(command_words, are_those_of_a_simple_command_line)
{
    expect_words("mail", (const char *const[]){"mail", NULL});
    expect_words(" a\tb \n", (const char *const[]){"a", "b", NULL});
    expect_words("'a b' \"c d\"e f\\ g", (const char *const[]){"a b", "c de", "f g", NULL});
    expect_words("'' \"\"", (const char *const[]){"", "", NULL});
    expect_words("'a\\' \"b\\\"c\\\\d\\e\"", (const char *const[]){"a\\", "b\"c\\d\\e", NULL});
    expect_words("$HOME * a|b ;", (const char *const[]){"$HOME", "*", "a|b", ";", NULL});
    expect_words("a b c d e f g h",
                 (const char *const[]){"a", "b", "c", "d", "e", "f", "g", "h", NULL});
    expect_words("a\\", (const char *const[]){"a\\", NULL});
}

Test(command_words, refuse_what_is_not_closed)
{
    struct error err;
    cr_expect_null(command_words("a 'b", &err));
    cr_expect_str_eq(err.text, "the quote ' is not closed");
    cr_expect_null(command_words("a \"b\\\"", &err));
    cr_expect_str_eq(err.text, "the quote \" is not closed");
    cr_expect_null(command_words(" ", &err));
    cr_expect_str_eq(err.text, "there is no command");
}

/* ---- program ---- */

static const char *executable;

/* Makes a folder with a file of this mode, and has it on the PATH behind others. */
static void make(const char *name, mode_t mode)
{
    scratch_begin();
    executable = scratch_write(name, "#!/bin/sh\n");
    cr_assert_eq(chmod(executable, mode), 0);
    cr_assert_eq(setenv("PATH", text_of("%s:/nowhere::%s", getenv("PATH"), directory), 1), 0);
}

/* A program is not found, for this reason. */
static void expect_refusal(const char *name, const char *reason)
{
    struct error err = {""};
    char found[PROGRAM_PATH];
    cr_expect_not(program_find(name, found, &err));
    SAID(reason);
    SAID(name);
}

Test(program, is_found_on_the_path)
{
    char found[PROGRAM_PATH];
    make("an-engine", 0755);
    cr_expect(program_find("an-engine", found, NULL));
    cr_expect_str_eq(found, executable);
    cr_expect(program_find(executable, found, NULL));
    cr_expect_str_eq(found, executable);
    scratch_end();
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
    expect_refusal(executable, "it is not executable");
    expect_refusal(directory, "Is a directory");
    scratch_end();
}

/* ---- command place ---- */

static void begin(void)
{
    scratch_begin();
    cr_assert(chdir(directory) == 0 && mkdir("some files", 0777) == 0 &&
              mkdir("engines", 0777) == 0);
}

static void end(void)
{
    cr_assert_eq(chdir("/"), 0);
    scratch_end();
}

TestSuite(command_place, .init = begin, .fini = end);

/* The command that one of the two functions makes of a command. */
/* The functions as one of file and command. */
static char *of_file(const char *file, const char *command, struct error *err)
{
    return command_of_file(file, command, NULL, err);
}

static char *for_file(const char *file, const char *command, struct error *err)
{
    return command_for_file(file, command, false, err);
}

static char *moved_to_file(const char *file, const char *command, struct error *err)
{
    return command_for_file(file, command, true, err);
}

static void expect(char *(*place)(const char *file, const char *command, struct error *err),
                   const char *file, const char *command, const char *expected)
{
    struct error err = {""};
    char *placed = place(file, command, &err);
    MUST(placed);
    cr_expect_str_eq(placed, expected);
    free(placed);
}

Test(command_place, a_relative_program_of_a_file_gets_its_folder)
{
    expect(of_file, "a/b/space.yaml", "./engine -u", "a/b/./engine -u");
    expect(of_file, "a/b/space.yaml", "../engine", "a/b/../engine");
    expect(of_file, "space.yaml", "./engine", "./engine");
    expect(of_file, "My Engines/o'k.yaml", "'./my engine' 'a b'",
           "My\\ Engines/./my\\ engine 'a b'");
    expect(of_file, "a\t'\"\\/o.yaml", "./b\\\\", "a\\\t\\'\\\"\\\\/./b\\\\");
    expect(of_file, "a/space.yaml", "toga2", "toga2");
    expect(of_file, "a/space.yaml", "python3 ./engine.py", "python3 ./engine.py");
    expect(of_file, "a/space.yaml", "/usr/games/toga2", "/usr/games/toga2");
    expect(of_file, "a/space.yaml", "'/opt/my engine' -u", "'/opt/my engine' -u");
}

Test(command_place, a_program_of_a_file_can_get_its_absolute_folder)
{
    expect(command_of_file_anywhere, "some files/space.yaml", "../engine -u",
           scratch_path("some\\ files/../engine -u"));
    expect(command_of_file_anywhere, "/space.yaml", "./engine", "/./engine");
    expect(command_of_file_anywhere, "engines/space.yaml", "toga2 -u", "toga2 -u");
}

Test(command_place, a_command_that_cannot_be_split_is_named)
{
    struct error err = {""};
    cr_expect_null(of_file("a/space.yaml", "'./engine", &err));
    cr_expect_str_eq(err.text, "a/space.yaml: the command './engine: the quote ' is not closed");
}

/* A link is not followed: a program may ask by which name it was started, as python in a virtual environment
 * does. */
Test(command_place, a_program_is_seen_from_the_file_that_names_it)
{
    cr_assert_eq(symlink("/bin/sh", "engines/link"), 0);
    expect(for_file, "engines/space.yaml", "./engine -u", "../engine -u");
    expect(for_file, "space.yaml", "./engine", "./engine");
    expect(for_file, "engines/space.yaml", "engines/engine", "./engine");
    expect(for_file, "engines/space.yaml", "'some files/my engine' a",
           "../some\\ files/my\\ engine a");
    expect(for_file, "space.yaml", "engines/link", "engines/link");
    expect(for_file, "-", "./engine", "./engine");
    expect(for_file, "engines/space.yaml", "toga2 -u", "toga2 -u");
    expect(for_file, "engines/space.yaml", "/usr/games/toga2", "/usr/games/toga2");
}

Test(command_place, a_folder_that_is_not_there_is_named)
{
    struct error err = {""};
    cr_expect_null(for_file("nowhere/space.yaml", "./engine", &err));
    SAID("nowhere: ");
}

Test(command_place, a_program_that_moves_is_seen_from_another_file)
{
    const char *command = scratch_path("engines/./engine -u");
    expect(moved_to_file, "run.db", command, "engines/engine -u");
    expect(moved_to_file, "engines/run.db", command, "./engine -u");
    expect(moved_to_file, "some files/run.db", command, "../engines/engine -u");
    expect(moved_to_file, "run.db", "engines/../engine", "./engine");
    expect(moved_to_file, "run.db", "/no/such/folder/engine", "/no/such/folder/engine");
}
