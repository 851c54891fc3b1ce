/* grayling bench: the fixed workload of bench.h. */
#include "command.h"

#include "bench.h"

static const char help[] =
    "usage: grayling bench\n\n"
    "Runs a fixed workload on one core: perft, 1-ply self-play with random weights,\n"
    "matching moves in the compiled positions of those games, and fixed-depth\n"
    "searches of some of them. The set is paper-eval and paper-search, whatever\n"
    "grayling-uci plays with. The last line gives the nodes (moves made) and the\n"
    "nodes per second. The node count is the same on every machine and with every\n"
    "compiler. It changes only when move generation, the evaluation or the search\n"
    "changes.\n\n"
    "  grayling bench\n";

int cmd_bench(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    struct error err;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c != 'h')
            return command_bad_option("bench", c, argv, options);
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (optind < argc)
        return command_misuse("bench", "unexpected argument '%s'", argv[optind]);
    return bench_run(&err) ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
}
