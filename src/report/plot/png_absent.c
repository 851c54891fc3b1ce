/* The PNG of a program that is built without librsvg. */
#include "picture.h"

bool png_available(struct error *err)
{
    return error_set(err,
                     "this grayling is built without PNG; write the plot as .svg, or install "
                     "librsvg2-dev and build it again with 'meson configure build -Dpng=enabled "
                     "&& ninja -C build'");
}

bool png_write(FILE *out, const char *svg, size_t length, struct error *err)
{
    (void)out;
    (void)svg;
    (void)length;
    return png_available(err);
}
