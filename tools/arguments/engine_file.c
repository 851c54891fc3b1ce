#include "engine_file.h"

#include "command_line.h"
#include "engine_options.h"
#include "output.h"
#include "space_engine.h"
#include "trust.h"

#include <stdlib.h>
#include <string.h>

const char *space_plays(const struct param_table *table)
{
    return strcmp(table->kind, space_kind_trace) == 0 ? table->plays : table->command;
}

/* Replaces a command by the same as seen from the file; NULL stays. */
static bool place(const char *output, const char **command, char **placed, struct error *err)
{
    *placed = *command == NULL ? NULL : command_for_file(output, *command, false, err);
    const bool good = *command == NULL || *placed != NULL;
    *command = *placed;
    return good;
}

bool space_file_write(const char *output, const struct space *space, const char *comment,
                      struct error *err)
{
    struct space copy = *space;
    struct output o;
    char *command = NULL, *plays = NULL;
    bool written = place(output, &copy.table.command, &command, err) &&
                   place(output, &copy.table.plays, &plays, err) && output_open(&o, output, err);
    if (written) {
        space_write(o.stream, &copy, comment);
        written = output_finish(&o, err) && output_publish(&o, err);
    }
    free(command);
    free(plays);
    return written;
}

bool named_engine_read(struct engine_setup *s, const char *option, const char *name,
                       const struct uci_value *more, int count, struct engine_hash hash,
                       struct error *err)
{
    struct engine_options o = {0};
    const bool file = engine_options_is(name);
    bool good = !file || (engine_options_read(name, &o, err) &&
                          (o.command != NULL ||
                           error_set(err, "%s: command: missing; it says what to start", name)) &&
                          trust_command(name, o.command, err));
    for (int i = 0; good && i < count; i++) /* the last of a name counts */
        good = uci_values_add(&o.values, more[i].name, more[i].value) ||
               error_set(err, "out of memory");
    good = good &&
           engine_setup_read(s, file ? o.command : name, o.values.items, o.values.count, hash, err);
    engine_options_free(&o);
    return good || error_prefix(err, "%s: ", option);
}

struct engine_hash engine_hash_given(int mib)
{
    enum { USUAL = 16 };
    return mib > 0 ? (struct engine_hash){mib, "--hash"} : (struct engine_hash){USUAL, NULL};
}
