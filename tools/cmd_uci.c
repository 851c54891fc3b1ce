/* grayling uci: the engine for a GUI or a match runner. grayling bench: its speed. */
#include "command.h"

#include "programs.h"

static const struct option_row option_rows[] = {
    {"tune", NULL, AS_FLAG, 0, sizeof(bool),
     "play with default-eval and default-search, and make each of their parameters an option"},
    {0}};

static const struct command uci = {
    "uci",
    "usage: grayling uci [--tune]\n\n"
    "Plays chess over UCI on standard input and output, like the program\n"
    "grayling-uci, with games-eval and games-search, its strongest set. EvalFile and\n"
    "SearchFile take a parameter file: its path, or its name if it comes with the\n"
    "program. The end of the input is quit: searches are stopped at once. Beside the\n"
    "protocol there are 'go perft N', 'd' (the position) and 'eval' (what each term\n"
    "of the evaluation contributes).\n",
    option_rows,
    "  grayling uci <<< eval\n",
    {NULL, "nothing", 0, 0}};

int cmd_uci(int argc, char **argv)
{
    bool tune = false;
    struct error err;
    const int code = options_read(&uci, &argc, &argv, &tune);
    if (code != OPTIONS_READ)
        return code;
    return uci_console_run(tune, &err) ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
}

static const struct command bench = {
    "bench",
    "usage: grayling bench\n\n"
    "Runs a fixed workload on one core, with paper-eval and paper-search: perft,\n"
    "1-ply self-play, moves matched and searches of a fixed depth. The last line\n"
    "gives the nodes (moves made) and the nodes per second. The nodes are the same on\n"
    "every machine: only another search, evaluation or move generation changes them.\n",
    NULL,
    "  grayling bench\n",
    {NULL, "nothing", 0, 0}};

int cmd_bench(int argc, char **argv)
{
    struct error err;
    const int code = options_read(&bench, &argc, &argv, NULL);
    if (code != OPTIONS_READ)
        return code;
    return bench_run(&err) ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
}
