#include "settings_plan.h"

const struct uci_settings *settings_plan(struct plan *p, const struct uci_settings *settings)
{
    struct uci_settings *s = plan_structs(p, settings, 1, sizeof *s);
    if (s == NULL)
        return NULL;
    struct uci_value *values = plan_structs(p, s->values, (size_t)s->value_count, sizeof *values);
    s->command = plan_text(p, s->command);
    for (int i = 0; i < s->value_count; i++) {
        values[i].name = plan_text(p, values[i].name);
        values[i].value = plan_text(p, values[i].value);
    }
    s->values = values;
    return s;
}
