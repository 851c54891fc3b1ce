#include "command.h"

int cmd_bench(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
