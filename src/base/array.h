/* Arrays that grow an item at a time. */
#ifndef GRAYLING_ARRAY_H
#define GRAYLING_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more item behind `count` items of an allocated array, or of NULL: always for a power of
 * two. `items` is the variable that points to them. False without memory; they are as they were then. */
#define array_grow(items, count) array_make_room(&(items), (size_t)(count), sizeof *(items))
bool array_make_room(void *items, size_t count, size_t size);

#endif
