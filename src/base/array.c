#include "array.h"

#include <stdlib.h>
#include <string.h>

bool array_make_room(void *items, size_t count, size_t size)
{
    void *array;
    if ((count & (count - 1)) != 0)
        return true;
    memcpy(&array, items, sizeof array);
    array = realloc(array, (count == 0 ? 1 : 2 * count) * size);
    if (array != NULL)
        memcpy(items, &array, sizeof array);
    return array != NULL;
}
