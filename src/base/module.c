#include "module.h"

#include <dlfcn.h>
#include <stdio.h>

const void *module_load(const char *name, const char *without, struct error *err)
{
    char text[64];
    snprintf(text, sizeof text, "libgrayling-%s.so", name);
    /* As if the program were linked to it: MPI's own modules look for its names among those of all. */
    void *module = dlopen(text, RTLD_NOW | RTLD_GLOBAL);
    snprintf(text, sizeof text, "grayling_%s", name);
    const void *object = module == NULL ? NULL : dlsym(module, text);
    return object != NULL ? object : error_null(err, "%s (%s)", without, dlerror());
}
