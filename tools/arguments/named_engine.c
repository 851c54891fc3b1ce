#include "named_engine.h"

#include "engine_options.h"

#include <string.h>

/* Appends the caller's values: the last of a name counts. */
static bool add_values(struct uci_values *v, const struct uci_value *more, int count,
                       struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!uci_values_add(v, more[i].name, strlen(more[i].name), more[i].value,
                            strlen(more[i].value)))
            return error_set(err, "out of memory");
    return true;
}

bool named_engine_read(struct engine_setup *s, const char *option, const char *name,
                       const struct uci_value *more, int count, int hash_mib, struct error *err)
{
    struct engine_options o = {0};
    bool file = engine_options_is(name);
    if (file && !engine_options_read(name, &o, err))
        return error_prefix(err, "%s: ", option);
    const char *command = file ? o.command : name;
    bool good =
        (command != NULL || error_set(err, "%s: command: missing; it says what to start", name)) &&
        add_values(&o.values, more, count, err) &&
        engine_setup_read(s, command, o.values.items, o.values.count, hash_mib, err);
    engine_options_free(&o);
    return good || error_prefix(err, "%s: ", option);
}
