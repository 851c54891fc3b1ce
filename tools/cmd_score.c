#include "command.h"

int cmd_score(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
