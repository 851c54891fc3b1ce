#include "reproduction.h"

#include <string.h>

const struct reproduction *const reproductions[] = {
#define R(name) &name,
    REPRODUCTIONS
#undef R
        NULL,
};

bool reproduction_is_meant(const struct reproduction *r, const char *name)
{
    size_t length = strlen(name);
    return strncmp(r->name, name, length) == 0 &&
           (r->name[length] == '\0' || r->name[length] == '-');
}
