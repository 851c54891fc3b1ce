/* grayling uci: the engine for a GUI or a match runner. */
#include "command.h"

#include "uci_console.h"

static const char help[] =
    "usage: grayling uci [--tune]\n\n"
    "Plays chess over UCI on standard input and output, like the program\n"
    "grayling-uci, with games-eval and games-search, its strongest set. EvalFile and\n"
    "SearchFile take a parameter file: its path, or its name if it comes with the\n"
    "program. The end of the input is quit: searches are stopped at once. Beside the\n"
    "protocol there are 'go perft N', 'd' (the position) and 'eval' (what each term\n"
    "of the evaluation contributes).\n\n"
    "      --tune   play with default-eval and default-search, and make each of\n"
    "               their parameters an option\n\n"
    "  grayling uci <<< eval\n";

int cmd_uci(int argc, char **argv)
{
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'}, {"tune", no_argument, NULL, 't'}, {0}};
    bool tune = false;
    struct error err;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (c != 't')
            return command_bad_option("uci", c, argv, options);
        tune = true;
    }
    if (optind < argc)
        return command_misuse("uci", "unexpected argument '%s'", argv[optind]);
    return uci_console_run(tune, &err) ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
}
