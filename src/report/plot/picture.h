/* From a picture to a file or a page. Private to this room but for plot.h. */
#ifndef GRAYLING_PICTURE_H
#define GRAYLING_PICTURE_H

#include "canvas.h"
#include "plot.h"

/* A picture to draw. Title, note and description (of an SVG file) may be any text. The functions get `what`. */
struct picture {
    const char *title, *description;
    const char *note;              /* below the title of a file; NULL: none */
    const struct canvas_key *keys; /* its legend */
    int key_count;
    double foot; /* units below, for the axis */
    /* Its own height, between legend and foot. */
    double (*height)(const struct canvas *c, const void *what);
    /* Draws it at this height, or at any other unless it is rigid. */
    void (*draw)(const struct canvas *c, const void *what);
    const void *what;
    bool rigid; /* its rows need this height, so it only scales as a whole */
};

/* Draws a picture under the rules of plot.h. */
bool picture_draw(const struct picture *p, const struct plot_file *file, struct error *err);

#endif
