/* The module that draws PNG files. */
#include "png.h"

#include <librsvg/rsvg.h>

/* For cairo: writes bytes of the file. */
static cairo_status_t put(void *out, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, out) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws a document on a surface of its size. */
static bool render(RsvgHandle *handle, FILE *out, struct error *err)
{
    double wide, high;
    rsvg_handle_get_intrinsic_size_in_pixels(handle, &wide, &high);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)wide, (int)high);
    cairo_t *cairo = cairo_create(surface);
    const RsvgRectangle all = {0, 0, wide, high};
    GError *failed = NULL;
    rsvg_handle_render_document(handle, cairo, &all, &failed);
    cairo_status_t status = cairo_status(cairo);
    if (failed == NULL && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, put, out);
    if (failed != NULL)
        error_set(err, "cannot draw the plot: %s", failed->message);
    else if (status != CAIRO_STATUS_SUCCESS)
        error_set(err, "cannot draw the plot: %s", cairo_status_to_string(status));
    bool drawn = failed == NULL && status == CAIRO_STATUS_SUCCESS;
    g_clear_error(&failed);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return drawn;
}

static bool write_png(FILE *out, const char *svg, size_t length, struct error *err)
{
    GError *failed = NULL;
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg, length, &failed);
    if (handle == NULL) {
        error_set(err, "cannot draw the plot: %s", failed->message);
        g_error_free(failed);
        return false;
    }
    bool drawn = render(handle, out, err);
    g_object_unref(handle);
    return drawn;
}

extern png_write *const grayling_png;
png_write *const grayling_png = write_png;
