/* The values of positions for a group of organisms at once: what compiled_value gives, by the
 * replay's kernels and so exactly, for a set of values (compiled_create_values). */
#ifndef GRAYLING_COMPILED_VALUES_H
#define GRAYLING_COMPILED_VALUES_H

#include "compiled.h"

enum { VALUE_GROUP = 32 }; /* organisms in a group */

struct value_group;

/* `set` is borrowed until value_group_destroy. `replay` NULL selects the best kernel. NULL with the
 * reason if memory is short. A group is for one thread. */
struct value_group *value_group_create(const struct compiled_set *set, const struct replay *replay,
                                       struct error *err);
void value_group_destroy(struct value_group *g); /* accepts NULL */

/* Sets the organisms: `count` rows of weights, 1 to VALUE_GROUP. */
void value_group_set(struct value_group *g, const int32_t *weights, int count);

/* Writes the value of position i for the side to move to values[organisms], in the unit of the
 * weights; mates as in evaluate.h. False if a count of our own evaluation does not fit a byte
 * there. */
bool value_group_read(struct value_group *g, size_t i, double values[VALUE_GROUP]);

#endif
