#include "named_engine.h"

#include "engine_options.h"
#include "trust.h"

#include <string.h>

/* Appends the caller's values: the last of a name counts. */
static bool add_values(struct uci_values *v, const struct uci_value *more, int count,
                       struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!uci_values_add(v, more[i].name, more[i].value))
            return error_set(err, "out of memory");
    return true;
}

/* Reads a file of options, which has to name a command that may be started. */
static bool read_file(const char *path, struct engine_options *o, struct error *err)
{
    return engine_options_read(path, o, err) &&
           (o->command != NULL ||
            error_set(err, "%s: command: missing; it says what to start", path)) &&
           trust_command(path, o->command, err);
}

bool named_engine_read(struct engine_setup *s, const char *option, const char *name,
                       const struct uci_value *more, int count, struct engine_hash hash,
                       struct error *err)
{
    struct engine_options o = {0};
    bool file = engine_options_is(name);
    bool good =
        (!file || read_file(name, &o, err)) && add_values(&o.values, more, count, err) &&
        engine_setup_read(s, file ? o.command : name, o.values.items, o.values.count, hash, err);
    engine_options_free(&o);
    return good || error_prefix(err, "%s: ", option);
}

struct engine_hash engine_hash_given(int mib)
{
    enum { USUAL = 16 };
    return mib > 0 ? (struct engine_hash){mib, "--hash"} : (struct engine_hash){USUAL, NULL};
}
