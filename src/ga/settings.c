#include "settings.h"

#include "genome.h"
#include "population.h"

#include <stddef.h>
#include <string.h>

/* A setting: its range and its default. */
struct setting {
    unsigned kinds;   /* a bit for each enum optimiser_kind that has it; 0: all */
    const char *path; /* of its field; the last word names it */
    bool is_real;
    size_t field;
    double low, high, initial;
};

#define FIELD(field) offsetof(struct optimiser_settings, field)
#define BIT(kind)    1u << OPTIMISER_##kind
#define SETTING_REAL(kinds, key, field, low, high, initial, text)                                  \
    {kinds, #field, true, FIELD(field), low, high, initial},
#define SETTING_WHOLE(kinds, key, field, low, high, initial, text)                                 \
    {kinds, #field, false, FIELD(field), low, high, initial},
#define SETTING_CHOICE(kinds, key, field, names, last, initial, word, text)                        \
    {kinds, #field, false, FIELD(field), 0, last, initial},

static const struct setting settings[] = {
#include "genetic_settings.def"
#include "method_settings.def"
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

void settings_set_defaults(struct optimiser_settings *s)
{
    for (int i = 0; i < SETTINGS; i++) {
        void *field = (char *)s + settings[i].field;
        if (settings[i].is_real)
            *(double *)field = settings[i].initial;
        else
            *(int *)field = (int)settings[i].initial;
    }
}

bool settings_within(const char *field, double value, double low, double high, struct error *err)
{
    if (value >= low && value <= high)
        return true;
    return error_set(err, "%s is %.7g; it must be from %.7g to %.7g", field, value, low, high);
}

bool settings_check(const struct optimiser_settings *s, struct error *err)
{
    for (int i = 0; i < SETTINGS; i++) {
        const struct setting *own = &settings[i];
        const void *field = (const char *)s + own->field;
        const char *dot = strrchr(own->path, '.');
        if ((own->kinds == 0 || (own->kinds >> s->kind & 1) != 0) &&
            !settings_within(dot == NULL ? own->path : dot + 1,
                             own->is_real ? *(const double *)field : *(const int *)field, own->low,
                             own->high, err))
            return false;
    }
    return true;
}
