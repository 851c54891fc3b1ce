/* From a picture to a file. */
#include "plot_draw.h"

#include "gnuplot.h"
#include "html.h"
#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_UNIT 0.7 /* pixels: letters stay readable */
#define PNG_UNIT   1.5 /* pixels, of a PNG file of the picture's own size */

enum { PNG_MOST = 32767 /* pixels: the limit of Cairo, which draws PNG */ };

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool plot_available(const char *path, bool force, struct error *err)
{
    if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
        return error_set(err, "%s: a plot is written as .svg or .png", path);
    return output_check(path, force, err);
}

/* ---- the size ---- */

/* The pixels of a unit of a picture of its own size. Less than usual in a PNG, which is not to be
 * too high. */
static double own_unit(const struct plot_canvas *c, const struct plot_picture *p)
{
    return c->svg ? 1 : fmin(PNG_UNIT, (double)PNG_MOST / p->height);
}

/* Refuses a size that is too small for the rows of a picture. Says which would do. */
static bool refuse_size(const struct plot_canvas *c, const struct plot_picture *p,
                        struct error *err)
{
    double wide = ceil(LEAST_UNIT * p->width), high = ceil(LEAST_UNIT * p->height);
    if (!c->svg && high >= PNG_MOST)
        return error_set(err,
                         "this picture is too high for a PNG, which has at most %d pixels: "
                         "write it as .svg",
                         PNG_MOST);
    if (high > PLOT_MOST)
        return error_set(err,
                         "%dx%d is too small for this picture, and so is any other size that "
                         "can be given: leave --size out, for its own size",
                         c->pixels_wide, c->pixels_high);
    return error_set(err, "%dx%d is too small for this picture: it takes at least %.0fx%.0f",
                     c->pixels_wide, c->pixels_high, wide, high);
}

/* Finds the canvas of a picture in a file. Fails if the size is too small for its rows. */
static bool make_canvas(struct plot_canvas *c, const struct plot_picture *p,
                        const struct plot_file *file, struct error *err)
{
    *c = (struct plot_canvas){.svg = ends_in(file->path, ".svg"),
                              .theme = plot_theme_of(file->dark)};
    double own = own_unit(c, p);
    c->pixels_wide = file->width > 0 ? file->width : (int)(own * p->width);
    c->pixels_high = file->height > 0 ? file->height : (int)(own * p->height);
    c->unit = fmin((double)c->pixels_wide / p->width, (double)c->pixels_high / p->height);
    if (p->rigid && c->unit < LEAST_UNIT)
        return refuse_size(c, p, err);
    c->unit = fmax(c->unit, LEAST_UNIT);
    c->width = c->pixels_wide / c->unit;
    c->height = c->pixels_high / c->unit;
    return true;
}

/* ---- the file ---- */

/* Copies the picture, with its own title and description if it is SVG. gnuplot writes each on a
 * line. The style keeps the cells of a heat map sharp. */
static bool copy_named(FILE *out, FILE *picture, const struct plot_picture *p)
{
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, picture)) > 0;) {
        if (strncmp(line, "<title>Gnuplot", 14) == 0) {
            fputs("<title>", out);
            html_text(out, p->title);
            fputs("</title>\n", out);
        } else if (strncmp(line, "<desc>Produced by", 17) == 0) {
            fputs("<desc>", out);
            html_text(out, p->description);
            fputs("</desc>\n<style>image { image-rendering: pixelated }</style>\n", out);
        } else
            fwrite(line, 1, (size_t)length, out);
    }
    free(line);
    return feof(picture);
}

static bool copy_all(FILE *out, FILE *picture)
{
    char block[1 << 14];
    for (size_t n; (n = fread(block, 1, sizeof block, picture)) > 0;)
        fwrite(block, 1, n, out);
    return feof(picture);
}

/* Copies the picture as the path says. Whether `out` took it shows when that is closed. */
static bool copy(FILE *out, FILE *picture, const struct plot_picture *p, const char *path,
                 struct error *err)
{
    rewind(picture);
    return (ends_in(path, ".svg") ? copy_named(out, picture, p) : copy_all(out, picture)) ||
           error_set(err, "no memory to read the picture");
}

/* Moves the complete picture into place. */
static bool save(FILE *picture, const struct plot_picture *p, const struct plot_file *file,
                 struct error *err)
{
    struct output o;
    if (file->out != NULL)
        return copy(file->out, picture, p, file->path, err);
    if (!output_open(&o, file->path, err))
        return false;
    if (copy(o.stream, picture, p, file->path, err) && output_check(file->path, file->force, err))
        return output_finish(&o, err) && output_publish(&o, err);
    output_discard(&o);
    return false;
}

/* Draws with two temporary files, either of which may be NULL. */
static bool draw(struct plot_canvas *c, const struct plot_picture *p, const struct plot_file *file,
                 FILE *script, FILE *picture, struct error *err)
{
    if (script == NULL || picture == NULL)
        return error_set(err, "no temporary file for the plot: %s", strerror(errno));
    c->out = script;
    plot_begin(c);
    p->write(c, p->what);
    if (fflush(script) != 0)
        return error_set(err, "no room for the plot's script: %s", strerror(errno));
    rewind(script);
    int seconds = file->seconds > 0 ? file->seconds : PLOT_SECONDS;
    return gnuplot_run(script, picture, seconds, err) && save(picture, p, file, err);
}

bool plot_draw(const struct plot_picture *p, const struct plot_file *file, struct error *err)
{
    struct plot_canvas canvas;
    bool available = file->out != NULL || plot_available(file->path, file->force, err);
    if (!available || !make_canvas(&canvas, p, file, err))
        return false;
    FILE *script = tmpfile(), *picture = tmpfile();
    bool drawn = draw(&canvas, p, file, script, picture, err);
    if (script != NULL)
        fclose(script);
    if (picture != NULL)
        fclose(picture);
    return drawn;
}
