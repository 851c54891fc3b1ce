#include "command.h"

int cmd_verify(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
