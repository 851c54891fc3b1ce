/* grayling-uci: the engine for a GUI or a match runner. */
#include "foreign_text.h"
#include "programs.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: grayling-uci [--tune | bench]\n\n"
    "A chess engine that speaks UCI on standard input and output. It plays with\n"
    "games-eval and games-search, its strongest set. Beside the protocol there are\n"
    "'go perft N', 'd' (the position) and 'eval' (what each term of the evaluation\n"
    "contributes).\n\n"
    "  --tune   play with default-eval and default-search, and make each of their\n"
    "           parameters an option\n"
    "  bench    run the fixed workload of 'grayling bench' instead\n\n"
    "  grayling-uci <<< eval\n";

static int run(int argc, char **argv)
{
    struct error err;
    const bool is_bench = argc > 1 && strcmp(argv[1], "bench") == 0;
    const bool tune = argc > 1 && strcmp(argv[1], "--tune") == 0;
    const int known = is_bench || tune ? 2 : 1;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("grayling-uci " GRAYLING_VERSION);
        return 0;
    }
    if (argc > known) {
        fprintf(stderr, "grayling-uci: unexpected argument '%s'; see grayling-uci --help\n",
                shown_text(argv[known]));
        return 2;
    }
    if (is_bench ? bench_run(&err) : uci_console_run(tune, &err))
        return 0;
    fprintf(stderr, "grayling-uci: %s\n", err.text);
    return 1;
}

int main(int argc, char **argv)
{
    return program_main("grayling-uci", run, argc, argv);
}
