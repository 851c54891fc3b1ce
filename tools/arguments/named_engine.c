#include "named_engine.h"

#include "engine_options.h"
#include "trust.h"

#include <string.h>

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
