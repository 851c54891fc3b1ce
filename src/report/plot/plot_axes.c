#include "plot_axes.h"

#include <math.h>

/* Writes gnuplot's function y: broken_scale_place as an expression. */
static void write_function(FILE *out, const struct broken_scale *s)
{
    double low = broken_scale_place(s, s->main.low), high = broken_scale_place(s, s->main.high);
    double slope = (high - low) / (s->main.high - s->main.low), gap[2];
    if (s->side == NOT_BROKEN) {
        fprintf(out, "y(v) = (v - %.9g) * %.9g\n", s->main.low, slope);
        return;
    }
    broken_scale_gap(s, gap);
    bool below = s->side == BROKEN_BELOW;
    double edge = below ? s->main.low : s->main.high, from = below ? gap[0] : gap[1];
    double to = below ? 0 : 1;
    fprintf(out, "y(v) = v %s %.9g ? %.9g + (v - %.9g) * %.9g : %.9g + (v - %.9g) * %.9g\n",
            below ? "<" : ">", edge, from, edge, (to - from) / (s->end - edge), low, s->main.low,
            slope);
}

/* Marks the break: two dashed lines across, and a cut in the axis. */
static void write_break(const struct plot_canvas *c, const struct broken_scale *s)
{
    double gap[2];
    if (s->side == NOT_BROKEN)
        return;
    broken_scale_gap(s, gap);
    for (int i = 0; i < 2; i++)
        fprintf(c->out,
                "set arrow from graph 0,first %.6g to graph 1,first %.6g nohead back dashtype 2 "
                "linewidth 1 linecolor rgb '%s'\n"
                "set arrow from graph -0.008,first %.6g to graph 0.008,first %.6g nohead front "
                "linewidth 1.4 linecolor rgb '%s'\n",
                gap[i], gap[i], c->theme->muted, gap[i] - 0.01, gap[i] + 0.01, c->theme->ink);
    fprintf(c->out,
            "set arrow from graph 0,first %.6g to graph 0,first %.6g nohead front linewidth 2.5 "
            "linecolor rgb '%s'\n",
            gap[0] + 0.002, gap[1] - 0.002, c->theme->paper);
}

void plot_broken_axis(const struct plot_canvas *c, const struct broken_scale *scale)
{
    double ticks[BROKEN_TICKS];
    int count = broken_scale_ticks(scale, ticks);
    write_function(c->out, scale);
    fputs("set yrange [0:1]\nset ytics (", c->out);
    for (int i = 0; i < count; i++) {
        bool zero = fabs(ticks[i]) < scale->main.step / 2;
        fprintf(c->out, "%s'%.*f' %.6g", i > 0 ? ", " : "", scale->main.decimals,
                zero ? 0.0 : ticks[i], broken_scale_place(scale, ticks[i]));
    }
    fputs(")\n", c->out);
    write_break(c, scale);
}
