#include "result_lines.h"

#include "format.h"
#include "games_plan.h"

static void print_value(FILE *out, const struct run_summary *s, const char *name, int width,
                        int64_t value, int64_t size)
{
    char text[FORMAT_MAX];
    if (value != NOT_MEASURED)
        fprintf(out, "  %-*s%s\n", width, name, objective_full(s->value, value, size, text));
}

/* Prints the values on training and held-out data. */
static void print_pair(FILE *out, const struct run_summary *s, int width, int64_t measure,
                       int64_t held_out)
{
    print_value(out, s, "train", width, measure, s->train_size);
    print_value(out, s, "held-out", width, held_out, s->held_out_size);
}

/* Prints what the run measured or has gained. */
static void print_values(FILE *out, const struct run_summary *s, int width)
{
    const struct generation_row *row = &s->rows[s->best_generation];
    const struct defaults_kept *d = &s->defaults;
    char gain[RUN_GAIN_TEXT];
    if (run_gain_known(&s->gain)) {
        fprintf(out, "  %-*s%s\n", width, "gain", run_gain_text(&s->gain, gain));
        return;
    }
    print_pair(out, s, width, row->measure, row->held_out);
    if (d->measure == NOT_MEASURED)
        return;
    fputs("and by the defaults:\n", out);
    print_pair(out, s, width, d->measure, d->held_out);
}

void result_lines(FILE *out, const struct run_summary *s, int width)
{
    char bounds[GAMES_WARNING];
    print_values(out, s, width);
    if (s->generation > 0 && games_plan_bounds(&s->recipe, &s->space, s->best, bounds))
        fprintf(out, "  %-*s%s\n", width, "warning", bounds);
}
