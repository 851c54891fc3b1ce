/* grayling: evolve the parameters of a chess engine. */
#include "command.h"
#include "streams.h"
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

static void print_help(FILE *out)
{
    fputs("usage: grayling COMMAND [ARGUMENTS]\n\n"
          "Grayling evolves the parameters of a chess engine with a genetic algorithm.\n\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-9s  %s\n", commands[i].name, commands[i].summary);
    fputs("\n'grayling COMMAND --help' explains a command, with an example.\n"
          "Exit codes: 0 done, 1 failed, 2 bad usage or bad input, 130 interrupted (run saved).\n",
          out);
}

/* Runs the command that the arguments name. Returns the exit code. */
static int run(int argc, char **argv)
{
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
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "grayling: no command '%s'; 'grayling --help' lists them\n", argv[1]);
    return EXIT_BAD;
}

int main(int argc, char **argv)
{
    streams_begin();
    return streams_end("grayling", run(argc, argv));
}
