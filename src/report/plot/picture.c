#include "picture.h"

#include "html.h"
#include "module.h"
#include "output.h"
#include "png.h"
#include "text_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NARROW     600.0 /* units */
#define FILE_WIDTH 900.0 /* units, of a file of the picture's own size */
#define LEAST_UNIT 0.7   /* pixels: letters stay readable */
#define PNG_UNIT   1.5   /* pixels, of a PNG file of the picture's own size */
#define EPSILON    1e-6  /* of rounded sizes */

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

png_write *png_load(struct error *err)
{
    png_write *const *write = module_load(
        "png",
        "this grayling works without PNG here: write the plot as .svg, or install librsvg2-dev and "
        "build it again with 'meson configure build -Dpng=enabled && ninja -C build'",
        err);
    return write != NULL ? *write : NULL;
}

bool plot_available(const char *path, bool force, struct error *err)
{
    if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
        return error_set(err, "%s: a plot is written as .svg or .png", path);
    return (ends_in(path, ".svg") || png_load(err) != NULL) && output_check(path, force, err);
}

/* ---- a page ---- */

/* Writes the title of a file and the legend on a canvas, whose height follows from the picture if it is 0. */
static void begin_canvas(struct canvas *c, const struct picture *p)
{
    const double room = c->width - 2 * CANVAS_SIDE;
    c->narrow = c->width < NARROW;
    c->top = c->in_page ? CANVAS_SIDE : p->note == NULL ? 36 : 54;
    if (!c->in_page) {
        canvas_text(c, c->width / 2, 20, CANVAS_TITLE, "middle", room, p->title);
        canvas_text(c, c->width / 2, 40, CANVAS_LABEL, "middle muted", room,
                    p->note != NULL ? p->note : "");
    }
    canvas_legend(c, p->keys, p->key_count);
    const double own = p->height(c, p->what);
    if (c->height <= 0)
        c->height = c->top + own + p->foot;
    c->bottom = c->height - p->foot;
    c->unit = (c->bottom - c->top) / own;
}

/* The height of the picture on a canvas of this width. */
static double height_of(const struct picture *p, double width, bool in_page)
{
    struct canvas c = {.width = width, .in_page = in_page};
    begin_canvas(&c, p);
    return c.height;
}

/* Draws the picture for a wide window and for a phone. */
static void draw_in_page(FILE *out, const struct picture *p)
{
    static const struct {
        const char *css;
        double width;
    } sizes[] = {{"wide", 800}, {"narrow", 400}};
    fputs("<figure class=\"picture\">\n", out);
    for (int i = 0; i < 2; i++) {
        struct canvas c = {.out = out, .width = sizes[i].width, .in_page = true};
        c.height = height_of(p, c.width, true);
        html_print(out,
                   "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n",
                   sizes[i].css, c.width, c.height, p->title);
        begin_canvas(&c, p);
        p->draw(&c, p->what);
        fputs("</svg>\n", out);
    }
    fputs("</figure>\n", out);
}

/* ---- the size of a file ---- */

struct size {
    int wide, high; /* pixels */
    double unit;    /* pixels */
};

/* Finds the size of a picture in a file. Fails if the one asked for is too small for its rows. */
static bool find_size(struct size *s, const struct picture *p, const struct plot_file *file,
                      struct error *err)
{
    const double height = height_of(p, FILE_WIDTH, false);
    const bool svg = ends_in(file->path, ".svg");
    const double unit = svg ? 1 : fmin(PNG_UNIT, PNG_MOST / height);
    s->wide = file->width > 0 ? file->width : (int)(unit * FILE_WIDTH);
    s->high = file->height > 0 ? file->height : (int)(unit * height + EPSILON);
    s->unit = fmin(s->wide / FILE_WIDTH, s->high / height);
    if (p->rigid && s->unit < LEAST_UNIT - EPSILON) {
        double wide = ceil(LEAST_UNIT * FILE_WIDTH), high = ceil(LEAST_UNIT * height);
        if (!svg && high >= PNG_MOST)
            return error_set(err,
                             "this picture is too high for a PNG, which has at most %d pixels: "
                             "write it as .svg",
                             PNG_MOST);
        if (high > PLOT_MOST)
            return error_set(err,
                             "%dx%d is too small for this picture, and so is any other size that "
                             "can be given: leave --size out, for its own size",
                             s->wide, s->high);
        return error_set(err, "%dx%d is too small for this picture: it takes at least %.0fx%.0f",
                         s->wide, s->high, wide, high);
    }
    s->unit = fmax(s->unit, LEAST_UNIT);
    return true;
}

/* ---- a file ---- */

static void write_svg(FILE *out, const struct picture *p, const struct size *s, bool dark)
{
    struct canvas c = {.out = out, .width = s->wide / s->unit, .height = s->high / s->unit};
    html_print(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"%d\" "
               "height=\"%d\" viewBox=\"0 0 %.6g %.6g\" "
               "font-family=\"DejaVu Sans, Helvetica, sans-serif\">\n<title>%s</title>\n"
               "<desc>%s</desc>\n<style>\n",
               s->wide, s->high, c.width, c.height, p->title, p->description);
    canvas_write_style(out, dark);
    fputs("</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", out);
    begin_canvas(&c, p);
    p->draw(&c, p->what);
    fputs("</svg>\n", out);
}

struct drawing {
    const char *svg;
    size_t length;
    bool png;
};

static bool print(FILE *out, const void *context, struct error *err)
{
    const struct drawing *d = context;
    png_write *const write = d->png ? png_load(err) : NULL;
    if (d->png)
        return write != NULL && write(out, d->svg, d->length, err);
    fwrite(d->svg, 1, d->length, out);
    return true;
}

bool picture_draw(const struct picture *p, const struct plot_file *file, struct error *err)
{
    struct size size;
    char *svg = NULL;
    size_t length;
    if (file->path == NULL) {
        draw_in_page(file->out, p);
        return true;
    }
    if ((file->out == NULL && !plot_available(file->path, file->force, err)) ||
        !find_size(&size, p, file, err))
        return false;
    FILE *text = text_stream(&svg, &length);
    if (text != NULL)
        write_svg(text, p, &size, file->dark);
    bool drawn = text_close(text, "the plot", err);
    const struct drawing d = {svg, length, ends_in(file->path, ".png")};
    drawn = drawn && (file->out != NULL ? print(file->out, &d, err)
                                        : output_write_or_fail(file->path, print, &d, err));
    free(svg);
    return drawn;
}
