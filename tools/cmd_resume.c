#include "command.h"

int cmd_resume(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
