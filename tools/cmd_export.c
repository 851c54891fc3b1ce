#include "command.h"

int cmd_export(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
