#include "command.h"

int cmd_sample(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
