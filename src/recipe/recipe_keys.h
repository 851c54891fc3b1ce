/* The table of a recipe's keys: one line each, and everything about a key follows from its line.
 * Only the recipe's own files include this. */
#ifndef GRAYLING_RECIPE_KEYS_H
#define GRAYLING_RECIPE_KEYS_H

#include "recipe.h"

#include <stddef.h>

/* What a value may be, and which type its field in struct recipe has. */
enum value_kind {
    VALUE_NAME,   /* char[RECIPE_NAME] */
    VALUE_FILE,   /* char[RECIPE_PATH] */
    VALUE_FILES,  /* char[RECIPE_FILES][RECIPE_PATH], followed by an int count */
    VALUE_SEED,   /* uint64_t, to 2^63 - 1 */
    VALUE_WHOLE,  /* int */
    VALUE_EVEN,   /* int */
    VALUE_REAL,   /* double */
    VALUE_CHOICE, /* an enum from 0 to `max` */
};

struct key {
    const char *path;
    unsigned owners; /* a bit for each enum recipe_measure that it is a key of, and, from bit
                      * OPTIMISER_BITS on, for each enum optimiser_kind; none there: of all */
    enum value_kind kind;
    size_t field; /* where it goes in struct recipe */
    double min, max;
    const char *(*choice)(int);
    const char *initial; /* the value when absent; NULL: it must be there */
    const char *meaning;
};

enum { OPTIMISER_BITS = 8 };

/* Every key, those of one section together, and how many. Optimisers whose settings have the same
 * path have a line each, one after the other. */
extern const struct key recipe_keys[];
extern const int recipe_key_count;

/* A default that is another in a phase (david-2014, sections III-C and IV). */
struct phase_default {
    enum recipe_phase phase;
    const char *path, *initial;
};
extern const struct phase_default recipe_phase_defaults[];
extern const int recipe_phase_default_count;

/* Where the value of a key stands in a recipe. */
static inline void *recipe_field(const struct key *key, struct recipe *r)
{
    return (char *)r + key->field;
}

static inline const void *recipe_value(const struct key *key, const struct recipe *r)
{
    return (const char *)r + key->field;
}

/* The names of phases and measures. */
const char *recipe_phase_name(int phase);
const char *recipe_measure_name(int measure);

/* Whether recipes of this measure, or of this optimiser, have the key. */
bool recipe_key_of_measure(const struct key *key, enum recipe_measure measure);
bool recipe_key_of_optimiser(const struct key *key, enum optimiser_kind kind);

/* The key with this path, or NULL. Of several lines, that of this optimiser, or any if it has
 * none. */
const struct key *recipe_find_key(const char *path, enum optimiser_kind kind);

/* The owners of all keys with this path. */
unsigned recipe_path_owners(const char *path);

/* Whether some key lies inside this path. */
bool recipe_is_section(const char *path);

/* "population, generations, ...": the keys and sections directly inside a section ("": the whole
 * recipe). */
void recipe_list_section(const char *section, char *text, size_t size);

/* "nodes_to_solution or games", "spsa or gradient-descent": the measures that a key is of, and the
 * optimisers of a key or path, "" where it is of all. */
void recipe_list_measures(const struct key *key, char *text, size_t size);
void recipe_list_optimisers(unsigned owners, char *text, size_t size);

/* What would be right for this key, in words. */
void recipe_describe_expected(const struct key *key, char *text, size_t size);

#endif
