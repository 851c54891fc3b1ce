/* The table of recipe keys, a line for each. For the recipe's own files. */
#ifndef GRAYLING_RECIPE_KEYS_H
#define GRAYLING_RECIPE_KEYS_H

#include "recipe.h"

#include <stddef.h>

/* The kind of a value, and the type of its field in struct recipe. */
enum value_kind {
    VALUE_NAME,   /* char[RECIPE_NAME] */
    VALUE_FILE,   /* char[RECIPE_PATH] */
    VALUE_SPACE,  /* char[RECIPE_PATH]: a file, or the kind of a table of ours (recipe_is_kind) */
    VALUE_FILES,  /* char[RECIPE_FILES][RECIPE_PATH], with an int count */
    VALUE_CLOCK,  /* char[RECIPE_CLOCK]: a time control, or empty */
    VALUE_SEED,   /* uint64_t, to 2^63 - 1 */
    VALUE_WHOLE,  /* int */
    VALUE_EVEN,   /* int */
    VALUE_REAL,   /* double; of a share with `choice`, its words for 0 and 1 may stand for them */
    VALUE_CHOICE, /* an enum from 0 to `max` */
};

struct key {
    const char *path;
    unsigned owners; /* a bit for each enum recipe_measure that has the key, and from bit
                      * OPTIMISER_BITS on for each enum optimiser_kind; none there means all */
    enum value_kind kind;
    size_t field; /* its offset in struct recipe */
    size_t count; /* of VALUE_FILES: the offset of their number */
    double min, max;
    const char *(*choice)(int);
    const char *initial; /* the default; NULL: the key is required */
    const char *meaning;
};

enum { OPTIMISER_BITS = 8 };

/* All keys; those of a section are adjacent, and lines for several optimisers that share a path. */
extern const struct key recipe_keys[];
extern const int recipe_key_count;

/* A default for one phase (david-2014, sections III-C and IV). */
struct phase_default {
    enum recipe_phase phase;
    const char *path, *initial;
};
extern const struct phase_default recipe_phase_defaults[];
extern const int recipe_phase_default_count;

const char *recipe_phase_name(int phase);
const char *recipe_measure_name(int measure);
const char *recipe_optimiser_name(int optimiser);

/* True if recipes with this measure, or with this optimiser, have the key. */
bool recipe_key_of_measure(const struct key *key, enum recipe_measure measure);
bool recipe_key_of_optimiser(const struct key *key, enum optimiser_kind kind);

/* The present name of a key's path or phase: "ga.start" for "ga.defaults", "games" for "coevolution". */
const char *recipe_present_name(const char *name);

/* The key with this path or former path, or NULL; of several lines that of this optimiser, or any if it has none. */
const struct key *recipe_find_key(const char *path, enum optimiser_kind kind);

/* Joins the names of the first `count` bits of owners with " or "; "" if all are set. */
void recipe_list_owners(unsigned owners, int count, const char *(*name)(int), char *text,
                        size_t size);
/* The same of a key's optimisers, as "spsa or gradient-descent". */
static inline void recipe_list_optimisers(unsigned owners, char *text, size_t size)
{
    recipe_list_owners(owners >> OPTIMISER_BITS, OPTIMISERS, recipe_optimiser_name, text, size);
}

/* Describes the valid values of a key in words. */
void recipe_describe_expected(const struct key *key, char *text, size_t size);

#endif
