#include "canvas.h"

#include "html.h"

#include <math.h>
#include <string.h>

/* picture.css, compiled in. */
extern const char picture_style[];

/* ---- colours ---- */

/* The stages' are for the colour-blind (Okabe and Ito 2008; lighter ones on a dark ground). */
static const struct {
    const char *name, *light, *dark;
} colors[] = {
    {"paper", "#ffffff", "#14171b"}, {"ink", "#1d2228", "#e4e8ec"},
    {"muted", "#5c6670", "#9ba6b1"}, {"line", "#d5dbe1", "#353d46"},
    {"best", "#0b5fa5", "#6cb6f5"},  {"held-out", "#b84a00", "#ff9b5e"},
    {"mean", "#6a747e", "#a6b0ba"},  {"s0", "#0072b2", "#4fa8e0"},
    {"s1", "#d55e00", "#ff8a3d"},    {"s2", "#009e73", "#35c79a"},
    {"s3", "#cc79a7", "#e59cc4"},    {"s4", "#606060", "#a8a8a8"},
    {"s5", "#b07800", "#f0b429"},    {"s6", "#2b9fd9", "#8fd3f7"},
    {"s7", "#000000", "#f2f2f2"},    {"h0", "#e8f2f5", "#1b233f"},
    {"h1", "#b2e0f0", "#203763"},    {"h2", "#7ecbed", "#1c4e85"},
    {"h3", "#50b4e6", "#0c67a3"},    {"h4", "#2e9ad9", "#0082bb"},
    {"h5", "#2180c5", "#0b9dce"},    {"h6", "#2666aa", "#3eb8db"},
    {"h7", "#2b4f87", "#6fd1e5"},    {"h8", "#2a3a60", "#a2e7ef"},
};

enum { COLORS = sizeof colors / sizeof colors[0] };

void canvas_write_style(FILE *out, bool dark)
{
    static const char variable[] = "var(--";
    for (const char *at = picture_style, *next; *at != '\0'; at = next) {
        next = strstr(at, variable);
        if (next == NULL)
            next = at + strlen(at);
        fwrite(at, 1, (size_t)(next - at), out);
        if (*next == '\0')
            return;
        const char *name = next + sizeof variable - 1, *end = strchr(name, ')');
        for (int i = 0; i < COLORS; i++)
            if (strncmp(name, colors[i].name, (size_t)(end - name)) == 0 &&
                colors[i].name[end - name] == '\0')
                fputs(dark ? colors[i].dark : colors[i].light, out);
        next = end + 1;
    }
}

static void write_variables(FILE *out, bool dark)
{
    fputs(":root { ", out);
    for (int i = 0; i < COLORS; i++)
        fprintf(out, "--%s: %s; ", colors[i].name, dark ? colors[i].dark : colors[i].light);
    fputs("}\n", out);
}

void canvas_write_page_style(FILE *out)
{
    write_variables(out, false);
    fputs("@media screen and (prefers-color-scheme: dark) {\n", out);
    write_variables(out, true);
    fprintf(out, "}\n%s", picture_style);
}

/* ---- text ---- */

/* The width of a character by its first byte, as a part of its size; 0 for the rest of its bytes. */
static double width_of(char byte)
{
    bool begins = ((unsigned char)byte & 0xc0) != 0x80;
    return !begins ? 0 : byte >= 'A' && byte <= 'Z' ? 0.69 : 0.6;
}

double canvas_width(const char *text, double size)
{
    double width = 0;
    for (; *text != '\0'; text++)
        width += size * width_of(*text);
    return width;
}

void canvas_text(const struct canvas *c, double x, double y, double size, const char *css,
                 double room, const char *text)
{
    if (c->out == NULL || text[0] == '\0')
        return;
    size_t length = strlen(text);
    if (canvas_width(text, size) > room) { /* as much as fits before an ellipsis */
        double width = size;
        for (length = 0; text[length] != '\0'; length++) {
            width += size * width_of(text[length]);
            if (width > room && width_of(text[length]) > 0)
                break;
        }
    }
    html_print(c->out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" class=\"%s\">%.*s%s</text>\n",
               x, y + 0.36 * size, size, css, (int)length, text, text[length] != '\0' ? "…" : "");
}

void canvas_legend(struct canvas *c, const struct canvas_key *keys, int count)
{
    const double row = 20, sign = 22, space = 20;
    double x = CANVAS_SIDE, y = c->top + row / 2;
    for (int i = 0; i < count; i++) {
        double wide = sign + 6 + canvas_width(keys[i].text, CANVAS_NAME);
        if (x > CANVAS_SIDE && x + wide > c->width) {
            x = CANVAS_SIDE;
            y += row;
        }
        if (keys[i].sign == SIGN_BAND && c->out != NULL)
            fprintf(c->out,
                    "<rect class=\"band key %s\" x=\"%.1f\" y=\"%.1f\" width=\"%g\" "
                    "height=\"12\"/>\n",
                    keys[i].css, x, y - 6, sign);
        else
            canvas_mark(c, keys[i].sign, keys[i].css, x + sign / 2, y);
        canvas_text(c, x + sign + 6, y, CANVAS_NAME, "", c->width - x - sign - 6, keys[i].text);
        x += wide + space;
    }
    if (count > 0)
        c->top = y + row / 2 + 6;
}

/* ---- shapes ---- */

void canvas_line(const struct canvas *c, const char *css, double x1, double y1, double x2,
                 double y2)
{
    fprintf(c->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", css, x1, y1, x2, y2);
}

void canvas_mark(const struct canvas *c, enum canvas_sign sign, const char *css, double x, double y)
{
    static const struct {
        const char *css, *shape;
    } shapes[] = {[SIGN_LINE] = {"curve", "m-11 0h22"},
                  [SIGN_THIN] = {"curve thin", "m-11 0h22"},
                  [SIGN_DASHES] = {"curve dashes", "m-11 0h22"},
                  [SIGN_DOT] = {"dot", "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z"},
                  [SIGN_DIAMOND] = {"dot", "m-5 0l5 5l5 -5l-5 -5z"},
                  [SIGN_CROSS] = {"curve", "m-4 -4l8 8m-8 0l8 -8"}};
    if (c->out != NULL)
        fprintf(c->out, "<path class=\"%s %s\" d=\"M%.1f %.1f%s\"/>\n", shapes[sign].css, css, x, y,
                shapes[sign].shape);
}

/* ---- axes ---- */

double area_across(const struct area *a, double value)
{
    return a->left + (a->right - a->left) * scale_place(&a->x, value);
}

double area_down(const struct area *a, double value)
{
    return a->bottom - (a->bottom - a->top) * scale_place(&a->y, value);
}

void canvas_axis_beside(const struct canvas *c, const struct area *a)
{
    double ticks[SCALE_TICKS], gap[2];
    char text[SCALE_TEXT];
    int count = scale_ticks(&a->y, ticks);
    for (int i = 0; i < count; i++) {
        double y = area_down(a, ticks[i]);
        canvas_line(c, "grid", a->left, y, a->right, y);
        canvas_text(c, a->left - 8, y, CANVAS_LABEL, "end muted", a->left,
                    scale_text(&a->y, ticks[i], text));
    }
    if (a->y.side == NOT_BROKEN)
        return;
    scale_gap(&a->y, gap);
    for (int i = 0; i < 2; i++) {
        double y = a->bottom - (a->bottom - a->top) * gap[i];
        canvas_line(c, "grid break", a->left, y, a->right, y);
    }
}

void canvas_axis_below(const struct canvas *c, const struct area *a, const char *name, bool grid)
{
    double ticks[SCALE_TICKS], end = -INFINITY;
    char text[SCALE_TEXT];
    int count = scale_ticks(&a->x, ticks);
    for (int i = 0; i < count; i++) {
        double x = area_across(a, ticks[i]);
        double wide = canvas_width(scale_text(&a->x, ticks[i], text), CANVAS_LABEL);
        if (grid)
            canvas_line(c, "grid", x, a->top, x, a->bottom);
        if (x - wide / 2 < end)
            continue; /* there is no room beside the tick before */
        canvas_text(c, x, a->bottom + 14, CANVAS_LABEL, "middle muted", c->width, text);
        end = x + wide / 2 + CANVAS_LABEL;
    }
    canvas_text(c, (a->left + a->right) / 2, a->bottom + 34, CANVAS_NAME, "middle",
                a->right - a->left, name);
}
