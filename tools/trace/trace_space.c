#include "trace_space.h"

#include "command_line.h"
#include "output.h"
#include "space_engine.h"

#include <stdlib.h>

static void print(FILE *out, void *context)
{
    struct error ignored; /* output_write looks at the stream */
    space_write(out, context,
                "The weights of an evaluation, with its own ranges.\n"
                "Delete the lines that should keep their values, and narrow the ranges.",
                &ignored);
}

bool trace_space_write(const char *output, const char *command, const struct trace_weights *w,
                       struct error *err)
{
    struct space space = {.table = w->table};
    char *placed = command_for_file(output, command, err);
    space.table.command = placed;
    bool written = placed != NULL && output_write(output, print, &space, err);
    free(placed);
    return written;
}
