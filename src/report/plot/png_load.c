#include "png.h"

#include <dlfcn.h>

png_write *png_load(struct error *err)
{
    void *module = dlopen(PNG_MODULE, RTLD_NOW);
    png_write *const *write = module == NULL ? NULL : dlsym(module, PNG_WRITE);
    if (write != NULL)
        return *write;
    error_set(err,
              "this grayling works without PNG here (%s); write the plot as .svg, or install "
              "librsvg2-dev and build it again with 'meson configure build -Dpng=enabled "
              "&& ninja -C build'",
              dlerror());
    return NULL;
}
