/* grayling uci: the engine for a GUI or a match runner. */
#include "command.h"

#include "uci_console.h"

static const char help[] =
    "usage: grayling uci\n\n"
    "Plays chess over UCI on standard input and output, like the program\n"
    "grayling-uci. Each parameter of the evaluation and the search is an option of\n"
    "the same name. EvalFile and SearchFile take a parameter file: its path, or its\n"
    "name if it comes with the program. The end of the input is quit: searches are\n"
    "stopped at once. Beside the protocol there are 'go perft N', 'd' (the position)\n"
    "and 'eval' (what each term of the evaluation contributes).\n\n"
    "  grayling uci <<< eval\n";

int cmd_uci(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    struct error err;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c != 'h')
            return command_bad_option("uci", c, argv, options);
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (optind < argc)
        return command_misuse("uci", "unexpected argument '%s'", argv[optind]);
    return uci_console_run(&err) ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
}
