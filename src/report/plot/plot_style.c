/* The look of the pictures: colours, letters, frame. */
#include "foreign_text.h"
#include "plot_draw.h"

#include <stdlib.h>
#include <string.h>

/* The width of a letter as a part of its size: of a capital, and of others. */
#define CAPITAL 0.69
#define LETTER  0.6

/* A legend: the size of its letters, and units between its rows, its entries, a sign and its
 * text. */
#define KEY_SIZE  12.0
#define KEY_ROW   20.0
#define KEY_SPACE 22.0
#define KEY_SIGN  8.0

/* Colours of series for the colour-blind (Okabe and Ito 2008; lighter ones on a dark ground). */
static const struct plot_theme light = {
    .paper = "#ffffff",
    .ink = "#1d2228",
    .muted = "#5c6670",
    .line = "#e0e4e8",
    .leads = "#0b5fa5",
    .compares = "#b84a00",
    .behind = "#6a747e",
    .series = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#606060", "#b07800", "#2b9fd9",
               "#000000"},
    .shades = {"#e8f2f5", "#b2e0f0", "#7ecbed", "#50b4e6", "#2e9ad9", "#2180c5", "#2666aa",
               "#2b4f87", "#2a3a60"},
};

static const struct plot_theme dark = {
    .paper = "#14171b",
    .ink = "#e4e8ec",
    .muted = "#9ba6b1",
    .line = "#353d46",
    .leads = "#6cb6f5",
    .compares = "#ff9b5e",
    .behind = "#a6b0ba",
    .series = {"#4fa8e0", "#ff8a3d", "#35c79a", "#e59cc4", "#a8a8a8", "#f0b429", "#8fd3f7",
               "#f2f2f2"},
    .shades = {"#1b233f", "#203763", "#1c4e85", "#0c67a3", "#0082bb", "#0b9dce", "#3eb8db",
               "#6fd1e5", "#a2e7ef"},
};

const struct plot_theme *plot_theme_of(bool is_dark)
{
    return is_dark ? &dark : &light;
}

/* ---- text ---- */

void plot_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    const char *shown = shown_text(text);
    for (const char *c = shown; *c != '\0'; c++) {
        if (*c == '\'')
            fputc('\'', out);
        if (*c == '>' && c - shown >= 2 && c[-1] == ']' && c[-2] == ']')
            fputc(' ', out); /* an SVG of gnuplot has texts as CDATA, which "]]>" would end */
        fputc(*c, out);
    }
    fputc('\'', out);
}

/* True for a byte that begins a character of UTF-8. */
static bool begins(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* The width of a character by its first byte, as a part of its size. */
static double width_of(char byte)
{
    return !begins(byte) ? 0 : byte >= 'A' && byte <= 'Z' ? CAPITAL : LETTER;
}

double plot_width(const char *text, double size)
{
    double width = 0;
    for (; *text != '\0'; text++)
        width += size * width_of(*text);
    return width;
}

/* Copies a text. If it is wider than `room`, ends it with an ellipsis that fits. */
static void cut(const char *text, double size, double room, char *copy, size_t bytes)
{
    size_t length = strlen(text);
    if (plot_width(text, size) > room || length >= bytes) {
        double width = size;
        for (length = 0; length + sizeof "…" < bytes && text[length] != '\0'; length++) {
            width += size * width_of(text[length]);
            if (width > room && begins(text[length]))
                break;
        }
    }
    snprintf(copy, bytes, "%.*s%s", (int)length, text, text[length] != '\0' ? "…" : "");
}

/* The number for gnuplot's font: pixels as SVG, points as PNG. */
static double font_size(const struct plot_canvas *c, double size)
{
    return size * c->unit * (c->svg ? 1 : 0.735);
}

void plot_label(const struct plot_canvas *c, double x, double y, enum plot_align align, double size,
                const char *color, double room, const char *text)
{
    static const char *const sides[] = {
        [PLOT_LEFT] = "left", [PLOT_CENTRE] = "center", [PLOT_RIGHT] = "right"};
    char shown[512];
    cut(text, size, room, shown, sizeof shown);
    fputs("set label ", c->out);
    plot_quote(c->out, shown);
    fprintf(c->out, " at screen %.6g,%.6g %s front noenhanced font ',%.4g' textcolor rgb '%s'\n",
            x / c->width, 1 - y / c->height, sides[align], font_size(c, size), color);
}

void plot_title(const struct plot_canvas *c, const char *title)
{
    plot_label(c, c->width / 2, 20, PLOT_CENTRE, PLOT_TEXT, c->theme->ink, c->width - 24, title);
}

double plot_legend(const struct plot_canvas *c, const struct plot_key *keys, int count, double left,
                   double top)
{
    double x = left, y = top;
    for (int i = 0; i < count; i++) {
        double sign = plot_width(keys[i].sign, KEY_SIZE) + KEY_SIGN;
        double text = plot_width(keys[i].text, KEY_SIZE);
        if (x > left && x + sign + text > c->width - 8) {
            x = left;
            y += KEY_ROW;
        }
        plot_label(c, x, y, PLOT_LEFT, KEY_SIZE, keys[i].color, c->width, keys[i].sign);
        plot_label(c, x + sign, y, PLOT_LEFT, KEY_SIZE, c->theme->ink, c->width - x - sign,
                   keys[i].text);
        x += sign + text + KEY_SPACE;
    }
    return y + KEY_ROW - top;
}

/* ---- colours ---- */

const char *plot_tint(const struct plot_canvas *c, const char *color, double share, char mixed[8])
{
    unsigned ink = (unsigned)strtoul(color + 1, NULL, 16);
    unsigned paper = (unsigned)strtoul(c->theme->paper + 1, NULL, 16), sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double part = share * (ink >> shift & 0xff) + (1 - share) * (paper >> shift & 0xff);
        sum |= (unsigned)part << shift;
    }
    snprintf(mixed, 8, "#%06x", sum & 0xffffff);
    return mixed;
}

/* ---- the frame ---- */

/* Writes a label in the letters of an axis, after its text. */
static void end_axis_name(const struct plot_canvas *c, const char *place)
{
    fprintf(c->out, " at %s center front noenhanced font ',%.4g' textcolor rgb '%s'\n", place,
            font_size(c, 13), c->theme->ink);
}

void plot_axis_names(const struct plot_canvas *c, const char *x, const char *y)
{
    char place[64];
    if (x != NULL) {
        fputs("set label ", c->out);
        plot_quote(c->out, x);
        snprintf(place, sizeof place, "graph 0.5,screen %.6g", 14 / c->height);
        end_axis_name(c, place);
    }
    if (y != NULL) {
        fputs("set label ", c->out);
        plot_quote(c->out, y);
        snprintf(place, sizeof place, "screen %.6g,graph 0.5 rotate by 90", 18 / c->width);
        end_axis_name(c, place);
    }
}

void plot_begin(const struct plot_canvas *c)
{
    const struct plot_theme *t = c->theme;
    fprintf(c->out,
            "set encoding utf8\nset terminal %s size %d,%d font 'DejaVu Sans%s,%.4g' "
            "linewidth %.4g background '%s'",
            c->svg ? "svg" : "pngcairo", c->pixels_wide, c->pixels_high,
            c->svg ? ",Helvetica,sans-serif" : "", font_size(c, 13), c->unit, t->paper);
    if (!c->svg) /* those of SVG are larger, and grow with the letters */
        fprintf(c->out, " pointscale %.4g", 1.4 * c->unit);
    fputs("\n", c->out);
    fprintf(c->out,
            "set border 3 linecolor rgb '%s'\nset tics nomirror out scale 0.5 textcolor rgb '%s'\n"
            "unset key\n"
            "set grid ytics linetype 1 linecolor rgb '%s' linewidth 1\n",
            t->muted, t->muted, t->line);
}

void plot_area(const struct plot_canvas *c, double left, double right, double top, double bottom)
{
    fprintf(c->out,
            "set lmargin at screen %.6g\nset rmargin at screen %.6g\nset tmargin at screen %.6g\n"
            "set bmargin at screen %.6g\n",
            left / c->width, right / c->width, 1 - top / c->height, 1 - bottom / c->height);
}
