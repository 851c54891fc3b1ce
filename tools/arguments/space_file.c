#include "space_file.h"

#include "command_line.h"
#include "output.h"
#include "space_engine.h"

#include <stdlib.h>
#include <string.h>

const char *space_plays(const struct param_table *table)
{
    return strcmp(table->kind, space_kind_trace) == 0 ? table->plays : table->command;
}

/* A space with its comment, for `print`. */
struct commented {
    const struct space *space;
    const char *comment;
};

static void print(FILE *out, void *context)
{
    const struct commented *c = context;
    space_write(out, c->space, c->comment);
}

/* Replaces a command by the same as seen from the file; NULL stays. */
static bool place(const char *output, const char **command, char **placed, struct error *err)
{
    *placed = *command == NULL ? NULL : command_for_file(output, *command, err);
    const bool good = *command == NULL || *placed != NULL;
    *command = *placed;
    return good;
}

bool space_file_write(const char *output, const struct space *space, const char *comment,
                      struct error *err)
{
    struct space copy = *space;
    char *command = NULL, *plays = NULL;
    const bool written = place(output, &copy.table.command, &command, err) &&
                         place(output, &copy.table.plays, &plays, err) &&
                         output_write(output, print, &(struct commented){&copy, comment}, err);
    free(command);
    free(plays);
    return written;
}
