/* A module in the place of that which draws PNG files: it writes their first bytes, and the document as it is. To draw it
 * takes half of the time of a small run. */
#include "png.h"

static bool write_png(FILE *out, const char *svg, size_t length, struct error *err)
{
    (void)err;
    fputs("\x89PNG\r\n\x1a\n", out);
    fwrite(svg, 1, length, out);
    return true;
}

extern png_write *const grayling_png;
png_write *const grayling_png = write_png;
