/* grayling check: whether runs are as they were written. */
#include "command.h"

#include "count.h"
#include "foreign_text.h"
#include "store.h"

#include <string.h>

static const char help[] =
    "usage: grayling check RUN.db...\n\n"
    "Reads each run whole: the checksum of each page, the structure of the file, and\n"
    "that nothing is missing to which a row refers. Every other command checks what\n"
    "it reads; this one finds damage before it is needed. It replays nothing: that\n"
    "does 'grayling verify'. The exit code is 2 if a run is damaged.\n\n"
    "A run to which another program wrote cannot be checked: its checksums are of\n"
    "what was there before. 'grayling resume' renews them. The exit code is 2 then\n"
    "too.\n\n"
    "example:\n"
    "  grayling check runs/night.db\n";

/* Checks one run and prints what is found. */
static int check(const char *path)
{
    struct error err;
    struct store_check found;
    char pages[COUNTED_MAX], runs[COUNTED_MAX];
    if (!store_check(path, &found, &err))
        return command_fail(EXIT_BAD, &err);
    format_things(found.runs, "run", runs);
    format_things(found.pages, "page", pages);
    if (found.broken) {
        error_set(
            &err,
            "%s cannot be checked: another program wrote to it, so its checksums say nothing; "
            "its structure, %s of %s, is in order; 'grayling resume' renews the checksums",
            path, runs, pages);
        return command_fail(EXIT_BAD, &err);
    }
    printf("%s: sound, %s of %s, each with its checksum\n", shown_text(path), runs, pages);
    return EXIT_DONE;
}

int cmd_check(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("check", c, argv, options);
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (optind == argc)
        return command_misuse("check", "expected a run");
    int code = EXIT_DONE;
    for (int i = optind; i < argc; i++)
        if (check(argv[i]) != EXIT_DONE)
            code = EXIT_BAD;
    return code;
}
