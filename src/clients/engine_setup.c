#include "engine_setup.h"

#include "foreign_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Options that we set. */
static const struct {
    const char *name, *value; /* NULL: the size of the table */
    enum uci_option_type type;
} ours[] = {
    {"Hash", NULL, UCI_SPIN},
    {"Threads", "1", UCI_SPIN},
    {"Number of Threads", "1", UCI_SPIN},
    {"OwnBook", "false", UCI_CHECK},
    {"Book", "false", UCI_CHECK},
    {"Ponder", "false", UCI_CHECK},
};

enum { OURS = sizeof ours / sizeof ours[0] };

bool engine_setup_sets(const struct uci_option *option)
{
    for (int i = 0; i < OURS; i++)
        if (option->type == ours[i].type && strcasecmp(option->name, ours[i].name) == 0)
            return true;
    return false;
}

const char *engine_usual_command(const char *command)
{
    return strcmp(command, "gnuchess") == 0 ? "gnuchess -u" : command;
}

/* Appends a copy of a value. */
static bool add(struct engine_setup *s, const char *name, const char *value)
{
    return uci_values_add(&s->values, name, strlen(name), value, strlen(value));
}

/* Lists our values for the options that the engine has, then the user's. */
static bool list_values(struct engine_setup *s, const struct uci_client *c,
                        const struct uci_value *values, int count, int hash_mib)
{
    char hash[16];
    bool good = true;
    snprintf(hash, sizeof hash, "%d", hash_mib);
    for (int i = 0; good && i < OURS; i++) {
        const struct uci_option *o = uci_client_find(c, ours[i].name);
        bool known = o != NULL && o->type == ours[i].type && (ours[i].value || hash_mib > 0);
        if (known && uci_values_find(values, count, ours[i].name) < 0)
            good = add(s, o->name, ours[i].value != NULL ? ours[i].value : hash);
    }
    for (int i = 0; good && i < count; i++)
        good = add(s, values[i].name, values[i].value);
    return good;
}

/* Lists the values and lets the engine check them. */
static bool try_values(struct engine_setup *s, struct uci_client *c, const struct uci_value *values,
                       int count, int hash_mib, struct error *err)
{
    foreign_text_copy(s->name, sizeof s->name, uci_client_name(c));
    if (!list_values(s, c, values, count, hash_mib))
        return error_set(err, "no memory for the options of %s", s->name);
    for (int i = 0; i < s->values.count; i++)
        if (!uci_client_set(c, s->values.items[i].name, s->values.items[i].value, err))
            return false;
    return uci_client_new_game(c, err);
}

bool engine_setup_read(struct engine_setup *s, const char *command, const struct uci_value *values,
                       int count, int hash_mib, struct error *err)
{
    *s = (struct engine_setup){.command = strdup(engine_usual_command(command))};
    bool good = s->command != NULL || error_set(err, "no memory for %s", command);
    s->settings.command = s->command;
    struct uci_client *c = good ? uci_client_start(&s->settings, err) : NULL;
    good = c != NULL && try_values(s, c, values, count, hash_mib, err);
    uci_client_stop(c);
    s->settings.values = s->values.items;
    s->settings.value_count = s->values.count;
    if (!good)
        engine_setup_free(s);
    return good;
}

void engine_setup_free(struct engine_setup *s)
{
    uci_values_free(&s->values);
    free(s->command);
    *s = (struct engine_setup){.name = ""};
}
