/* grayling-uci: the engine for a GUI or a match runner. */
#include "uci_console.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

static const char help[] = "usage: grayling-uci\n\n"
                           "A chess engine that speaks UCI on standard input and output.\n\n"
                           "  grayling-uci <<< 'go movetime 1000'\n";

int main(int argc, char **argv)
{
    struct error err;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("grayling-uci " GRAYLING_VERSION);
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "grayling-uci: unexpected argument '%s'; see grayling-uci --help\n",
                argv[1]);
        return 2;
    }
    if (uci_console_run(&err))
        return 0;
    fprintf(stderr, "grayling-uci: %s\n", err.text);
    return 1;
}
