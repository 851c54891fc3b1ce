#include "engine_setup.h"

#include "foreign_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Options that we set; a check to false. */
static const struct {
    const char *name;
    enum uci_option_type type;
    int value; /* of a spin; 0: the size of the table */
} ours[] = {
    {"Hash", UCI_SPIN, 0},     {"Threads", UCI_SPIN, 1}, {"Number of Threads", UCI_SPIN, 1},
    {"OwnBook", UCI_CHECK, 0}, {"Book", UCI_CHECK, 0},   {"Ponder", UCI_CHECK, 0},
};

enum { OURS = sizeof ours / sizeof ours[0] };

bool engine_setup_sets(const struct uci_option *option)
{
    for (int i = 0; i < OURS; i++)
        if (option->type == ours[i].type && strcasecmp(option->name, ours[i].name) == 0)
            return true;
    return strcasecmp(option->name, UCI_CHESS960) == 0;
}

const char *engine_usual_command(const char *command)
{
    return strcmp(command, "gnuchess") == 0 ? "gnuchess -u" : command;
}

/* Lists our values for the options that the engine has, the nearest that it takes, then the user's. */
static bool list_values(struct engine_setup *s, const struct uci_client *c,
                        const struct uci_value *values, int count, struct engine_hash hash)
{
    bool good = true;
    for (int i = 0; good && i < OURS; i++) {
        char text[24];
        const struct uci_option *o = uci_client_find(c, ours[i].name);
        const bool is_hash = ours[i].type == UCI_SPIN && ours[i].value == 0;
        const bool exact = is_hash && hash.option != NULL;
        int64_t value = is_hash ? hash.mib : ours[i].value;
        if (o == NULL || o->type != ours[i].type || (is_hash && hash.mib == 0) ||
            (o->type == UCI_SPIN && o->min > o->max && !exact) ||
            uci_values_find(values, count, ours[i].name) >= 0)
            continue;
        if (!exact)
            value = value < o->min ? o->min : value > o->max ? o->max : value;
        snprintf(text, sizeof text, "%" PRId64, value);
        good = uci_values_add(&s->values, o->name, o->type == UCI_CHECK ? "false" : text);
    }
    for (int i = 0; good && i < count; i++)
        good = uci_values_add(&s->values, values[i].name, values[i].value);
    return good;
}

bool engine_setup_read(struct engine_setup *s, const char *command, const struct uci_value *values,
                       int count, struct engine_hash hash, struct error *err)
{
    *s = (struct engine_setup){.command = strdup(engine_usual_command(command))};
    bool good = s->command != NULL || error_set(err, "no memory for %s", command);
    s->settings.command = s->command;
    struct uci_client *c = good ? uci_client_start(&s->settings, err) : NULL;
    if ((good = c != NULL)) {
        foreign_text_copy(s->name, sizeof s->name, uci_client_name(c));
        s->settings.chess960 = uci_client_find(c, UCI_CHESS960) != NULL;
        good = list_values(s, c, values, count, hash) ||
               error_set(err, "no memory for the options of %s", s->name);
    }
    for (int i = 0; good && i < s->values.count; i++) {
        good = uci_client_set(c, s->values.items[i].name, s->values.items[i].value, err);
        if (!good && i < s->values.count - count && hash.option != NULL)
            error_prefix(err, "%s: ", hash.option);
    }
    good = good && uci_client_new_game(c, err);
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
