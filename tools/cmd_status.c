/* grayling status: the state of a run, in progress or not. */
#include "command.h"

#include "status_text.h"

static const char help[] =
    "usage: grayling status RUN.db\n\n"
    "Prints the state of a run, its generation, best organism and time left. The run\n"
    "may be in progress.\n\n"
    "example:\n"
    "  grayling status paper-seed1.db\n";

int cmd_status(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    struct status status;
    struct error err;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c != 'h')
            return command_bad_option("status", c, argv);
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc - optind != 1)
        return command_misuse("status", "expected one run, not %d", argc - optind);
    if (!status_read(argv[optind], &status, &err))
        return command_fail(EXIT_BAD, &err);
    status_print(argv[optind], &status);
    status_free(&status);
    return EXIT_DONE;
}
