#include "command.h"

int cmd_perft(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
