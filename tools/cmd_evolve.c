#include "command.h"

int cmd_evolve(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
