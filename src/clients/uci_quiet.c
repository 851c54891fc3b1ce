#include "uci_quiet.h"

#include <stdio.h>
#include <string.h>

/* Sets an option and notes it. */
static bool set(struct uci_client *c, const struct uci_option *option, const char *value,
                char *text, size_t size, struct error *err)
{
    size_t used = text == NULL ? 0 : strlen(text);
    if (text != NULL)
        snprintf(text + used, size - used, "%s%s %s", used == 0 ? "" : ", ", option->name, value);
    return uci_client_set(c, option->name, value, err);
}

/* Sets the size of the table, within the engine's range. */
static bool set_hash(struct uci_client *c, int hash_mib, char *text, size_t size, struct error *err)
{
    const struct uci_option *hash = uci_client_find(c, "Hash");
    char mib[24];
    if (hash == NULL || hash->type != UCI_SPIN || hash_mib == 0)
        return true;
    int64_t fitting = hash_mib < hash->min ? hash->min : hash_mib;
    snprintf(mib, sizeof mib, "%lld", (long long)(fitting > hash->max ? hash->max : fitting));
    return set(c, hash, mib, text, size, err);
}

bool uci_quieten(struct uci_client *c, int hash_mib, char *text, size_t size, struct error *err)
{
    static const struct {
        const char *name, *value;
        enum uci_option_type type;
    } quiet[] = {
        {"Threads", "1", UCI_SPIN},
        {"Number of Threads", "1", UCI_SPIN},
        {"MultiPV", "1", UCI_SPIN},
        {"OwnBook", "false", UCI_CHECK},
        {"Ponder", "false", UCI_CHECK},
        {"UCI_Chess960", "false", UCI_CHECK},
        {"UCI_LimitStrength", "false", UCI_CHECK},
    };
    if (text != NULL)
        text[0] = '\0';
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
        const struct uci_option *option = uci_client_find(c, quiet[i].name);
        if (option != NULL && option->type == quiet[i].type &&
            !set(c, option, quiet[i].value, text, size, err))
            return false;
    }
    return set_hash(c, hash_mib, text, size, err);
}
