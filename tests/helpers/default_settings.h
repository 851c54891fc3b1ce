/* The settings of an optimiser as a recipe has them that names none. */
#ifndef GRAYLING_TESTS_DEFAULT_SETTINGS_H
#define GRAYLING_TESTS_DEFAULT_SETTINGS_H

#include "optimiser.h"

/* A population of 100, and the defaults of all methods' settings. */
static inline struct optimiser_settings optimiser_default_settings(enum optimiser_kind kind)
{
    struct optimiser_settings s = {.kind = kind, .population = 100, .fill = FILL_RANDOM};
#define SETTING_REAL(kinds, key, field, low, high, initial, text)           s.field = initial;
#define SETTING_WHOLE(kinds, key, field, low, high, initial, text)          s.field = initial;
#define SETTING_CHOICE(kinds, key, field, names, last, initial, word, text) s.field = initial;
#include "genetic_settings.def"
#include "method_settings.def"
#undef SETTING_REAL
#undef SETTING_WHOLE
#undef SETTING_CHOICE
    return s;
}

#endif
