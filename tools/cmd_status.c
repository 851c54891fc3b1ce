/* grayling status: the state of a run, in progress or not. */
#include "command.h"

#include "status_json.h"
#include "status_text.h"

#include <string.h>

static const char help[] =
    "usage: grayling status RUN.db [--format text|json]\n\n"
    "Prints the state of a run, its generation, best organism and time left. The run\n"
    "may be in progress.\n\n"
    "      --format FORMAT  text, or json: one object, with the stages of a night\n\n"
    "A run is running, stopped (by Ctrl-C or a signal), ended (by its time),\n"
    "complete, failed (with the reason, such as a full disk), or has died: its\n"
    "process vanished. 'grayling resume' continues it; a complete run with\n"
    "--generations, and a night's match with --games.\n\n"
    "example:\n"
    "  grayling status paper-seed1.db\n";

int cmd_status(int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct status status;
    bool json = false;
    struct error err;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("status", c, argv, options);
        if (c == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        json = strcmp(optarg, "json") == 0;
        if (!json && strcmp(optarg, "text") != 0)
            return command_misuse("status", "--format takes text or json, not '%s'", optarg);
    }
    if (argc - optind != 1)
        return command_misuse("status", "expected one run, not %d", argc - optind);
    if (!status_read(argv[optind], &status, &err))
        return command_fail(EXIT_BAD, &err);
    if (json)
        status_json_write(stdout, argv[optind], &status);
    else
        status_print(argv[optind], &status);
    status_free(&status);
    return EXIT_DONE;
}
