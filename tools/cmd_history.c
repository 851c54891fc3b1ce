/* grayling history: a run's generations as a table. */
#include "command.h"

#include "run_history.h"

#include <string.h>

static const char help[] =
    "usage: grayling history RUN.db|NIGHT.db|NIGHT.db#STAGE [--format csv|json]\n\n"
    "Writes one row a generation: the best organism, its objective values, mean,\n"
    "deviation and diversity of the population, seconds, the time of its end, and\n"
    "the evaluations and genomes so far. A night has the rows of all its stages,\n"
    "with the stage in the first column; a closing match (NIGHT.db#match) has one\n"
    "row a game. The run may be in progress.\n\n"
    "      --format FORMAT  csv (RFC 4180), or json: a list of objects\n\n"
    "example:\n"
    "  grayling history night-seed1.db#coevolve --format csv\n";

struct options {
    const char *run; /* NULL: help is requested */
    enum table_format format;
};

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("history", c, argv, options);
        if (c == 'h')
            return EXIT_DONE;
        o->format = strcmp(optarg, "json") == 0 ? TABLE_JSON : TABLE_CSV;
        if (o->format == TABLE_CSV && strcmp(optarg, "csv") != 0)
            return command_misuse("history", "--format takes csv or json, not '%s'", optarg);
    }
    if (argc - optind != 1)
        return command_misuse("history", "expected one run, not %d", argc - optind);
    o->run = argv[optind];
    return EXIT_DONE;
}

int cmd_history(int argc, char **argv)
{
    struct options o = {.format = TABLE_CSV};
    struct error err;
    int code = read_options(argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.run == NULL) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    return run_history_write(stdout, o.format, o.run, &err) ? EXIT_DONE
                                                            : command_fail(EXIT_BAD, &err);
}
