/* grayling: evolve the parameters of a chess engine. */
#include "book_maker.h"
#include "command.h"
#include "data_files.h"
#include "fitness_share.h"
#include "foreign_text.h"
#include "label.h"
#include "match_all.h"
#include "match_share.h"
#include "mine.h"
#include "null_move_survey.h"
#include "program_main.h"
#include "solve_share.h"
#include "terminal.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
#define COMMAND(name, summary) {#name, cmd_##name, summary},
    COMMANDS
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* What `grayling help` lists besides. */
static const struct {
    const char *name;
    unsigned kinds;
} topics[] = {
    {"recipes", DATA_RECIPES}, {"parameters", DATA_PARAMS}, {"positions", DATA_POSITIONS}};

enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

static void print_help(FILE *out)
{
    fputs("usage: grayling COMMAND [ARGUMENTS]\n\n"
          "Grayling evolves the parameters of a chess engine with a genetic algorithm.\n\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-9s  %s\n", commands[i].name, commands[i].summary);
    fputs("\n'grayling help COMMAND' explains a command, with an example. 'grayling help\n"
          "recipes', '... parameters' and '... positions' list the files that come with the\n"
          "program and are known by their names.\n\n"
          "Exit codes: 0 done, 1 failed, 2 bad usage or bad input, 130 interrupted (run\n"
          "saved).\n",
          out);
}

/* Runs a command; argv[0] is its name. Returns -1 if there is none of this name. */
static int run_command(int argc, char **argv)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc, argv);
    return -1;
}

/* Prints the names of files that come with the program, and where they are. */
static int list_files(unsigned kinds)
{
    struct error err;
    struct data_files files;
    int width = 0;
    if (!data_files_list(&files, kinds, &err))
        return command_fail(EXIT_FAILED, &err);
    for (size_t i = 0; i < files.count; i++)
        if ((int)strlen(files.items[i].name) > width)
            width = (int)strlen(files.items[i].name);
    for (size_t i = 0; i < files.count; i++)
        printf("%-*s  %s\n", width, shown_text(files.items[i].name),
               shown_text(files.items[i].path));
    data_files_free(&files);
    return EXIT_DONE;
}

static int refuse_command(const char *name)
{
    fprintf(stderr, "grayling: no command '%s'; 'grayling --help' lists them\n", shown_text(name));
    return EXIT_BAD;
}

/* grayling help [COMMAND | TOPIC]; `name` may be NULL. */
static int help(char *name)
{
    char option[] = "--help", *words[] = {name, option, NULL};
    if (name == NULL) {
        print_help(stdout);
        return EXIT_DONE;
    }
    for (int i = 0; i < TOPIC_COUNT; i++)
        if (strcmp(name, topics[i].name) == 0)
            return list_files(topics[i].kinds);
    int code = run_command(2, words);
    return code >= 0 ? code : refuse_command(name);
}

/* Runs the command that the arguments name. Returns the exit code. */
static int run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "uci") != 0) /* whose lines are for programs */
        terminal_fold();
    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("grayling " GRAYLING_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argv[2]);
    int code = run_command(argc - 1, argv + 1);
    return code >= 0 ? code : refuse_command(argv[1]);
}

/* What ranks of a run can be asked to build. */
static const struct ranks_builder *const builders[] = {
    &fitness_builder, &match_builder,     &solve_builder,  &mine_builder, &label_builder,
    &book_builder,    &match_all_builder, &survey_builder, NULL};

/* Runs the command, or serves the rank that does. */
static int run_in_ranks(int argc, char **argv)
{
    struct error err;
    enum ranks_role role = ranks_begin(argc, argv, &err);
    if (role == RANKS_REFUSED)
        return command_fail(EXIT_BAD, &err);
    if (role == RANKS_SILENT)
        return EXIT_BAD;
    if (role == RANKS_OTHER)
        return ranks_serve(builders);
    int code = run(argc, argv);
    return ranks_end(&err) ? code : command_fail(EXIT_FAILED, &err);
}

int main(int argc, char **argv)
{
    int code = program_main("grayling", run_in_ranks, argc, argv);
    ranks_exit_if_broken(code);
    return code;
}
