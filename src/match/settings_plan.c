#include "settings_plan.h"

#include <stdlib.h>

void settings_plan_put(struct plan_writer *w, const struct uci_settings *settings)
{
    const bool there = settings != NULL;
    plan_put(w, &there, sizeof there);
    if (!there)
        return;
    plan_put(w, settings, sizeof *settings);
    plan_put_text(w, settings->command);
    for (int i = 0; i < settings->value_count; i++) {
        plan_put_text(w, settings->values[i].name);
        plan_put_text(w, settings->values[i].value);
    }
}

/* Reads the values of options. */
static void get_values(struct plan_reader *r, struct uci_settings *s, int count)
{
    struct uci_value *values = calloc((size_t)count + 1, sizeof *values);
    s->values = values;
    r->good = r->good && values != NULL;
    for (; r->good && s->value_count < count; s->value_count++) {
        values[s->value_count].name = plan_get_text(r);
        values[s->value_count].value = plan_get_text(r);
    }
}

struct uci_settings *settings_plan_get(struct plan_reader *r)
{
    bool there;
    plan_get(r, &there, sizeof there);
    struct uci_settings *s = there ? calloc(1, sizeof *s) : NULL;
    r->good = r->good && (s != NULL || !there);
    if (s == NULL)
        return NULL;
    plan_get(r, s, sizeof *s);
    const int count = s->value_count;
    s->values = NULL;
    s->value_count = 0;
    s->command = plan_get_text(r);
    get_values(r, s, count);
    return s;
}

void settings_plan_free(struct uci_settings *s)
{
    if (s == NULL)
        return;
    for (int i = 0; i < s->value_count; i++) {
        free((void *)(uintptr_t)s->values[i].name);
        free((void *)(uintptr_t)s->values[i].value);
    }
    free((void *)(uintptr_t)s->values);
    free((void *)(uintptr_t)s->command);
    free(s);
}
