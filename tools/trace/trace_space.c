#define _XOPEN_SOURCE 700 /* realpath */
#include "trace_space.h"

#include "output.h"
#include "paths.h"
#include "space_engine.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND = PATH_SIZE + 1024 };

/* Writes the command as seen from the folder of `output`. Commands that are found on the PATH, and
 * absolute paths, are copied. */
static bool place_command(const char *output, const char *command, char placed[COMMAND],
                          struct error *err)
{
    char folder[PATH_SIZE], program[PATH_SIZE], *absolute, relative[PATH_SIZE];
    const size_t word = strcspn(command, " \t");
    snprintf(placed, COMMAND, "%s", command);
    snprintf(program, sizeof program, "%.*s", (int)word, command);
    if (command[0] == '/' || strchr(program, '/') == NULL || !output_is_file(output) ||
        (absolute = realpath(program, NULL)) == NULL)
        return true;
    bool good =
        path_directory(output, folder, err) && path_relative(folder, absolute, relative, err);
    free(absolute);
    if (good)
        snprintf(placed, COMMAND, "%s%s%s", strchr(relative, '/') == NULL ? "./" : "", relative,
                 command + word);
    return good;
}

static void print(FILE *out, void *context)
{
    struct error ignored; /* output_write looks at the stream */
    space_write(out, context,
                "The weights of an evaluation, with its own ranges.\n"
                "Delete the lines that shall keep their values, and narrow the ranges.",
                &ignored);
}

bool trace_space_write(const char *output, const char *command, const struct trace_weights *w,
                       struct error *err)
{
    char placed[COMMAND];
    struct space space = {.table = w->table};
    if (!place_command(output, command, placed, err))
        return false;
    space.table.command = placed;
    return output_write(output, print, &space, err);
}
