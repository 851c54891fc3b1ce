#include "init.h"

#include "calibrate_space.h"
#include "clock.h"
#include "foreign_text.h"
#include "interrupt.h"
#include "space_engine.h"
#include "text_stream.h"
#include "version.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what is left out ---- */

/* Takes those parameters out of the space of which `which` is true, and names them in its comment. */
static void leave_out(struct init *x, bool (*which)(const struct init *x, int i), const char *why)
{
    enum { COLUMNS = 100 };
    struct param *params = x->space.params;
    char *text = NULL;
    size_t size;
    FILE *names = text_stream(&text, &size);
    int kept = 0, left = 0;
    for (int i = 0; i < x->space.table.count; i++) {
        if (which(x, i)) {
            if (names != NULL)
                fprintf(names, "%s%s", left++ > 0 ? ", " : "", params[i].name);
            continue;
        }
        if (x->influence != NULL)
            x->influence[kept] = x->influence[i];
        params[kept++] = params[i];
    }
    x->space.table.count = kept;
    const bool whole = names != NULL && fclose(names) == 0;
    if (whole && left > 0) {
        const int column = fprintf(x->notes, "\nLeft out, %s: ", why) - 1;
        text_wrap(x->notes, text, column, 2, COLUMNS);
    }
    free(text);
}

/* True for a constant that the file of the engine does not set. */
static bool is_usage(const struct init *x, int i)
{
    return !init_evolves(x, i) && uci_values_find(x->options.values.items, x->options.values.count,
                                                  x->space.table.params[i].name) < 0;
}

static bool is_choice(const struct init *x, int i)
{
    return init_evolves(x, i) && param_is_choice(&x->space.table.params[i]);
}

static bool is_of_search(const struct init *x, int i)
{
    return init_evolves(x, i) && space_is_search(x->space.table.params[i].name);
}

static bool is_idle(const struct init *x, int i)
{
    return init_evolves(x, i) && x->influence[i] <= 0;
}

static bool has_genes(const struct init *x, struct error *err)
{
    for (int i = 0; i < x->space.table.count; i++)
        if (init_evolves(x, i))
            return true;
    return error_set(err,
                     "%s: nothing is left to evolve of its %d UCI options; it has to announce the "
                     "constants that may change, as options of type spin",
                     x->name, x->options_all);
}

/* ---- the values of a file ---- */

/* Takes a value that the file gives: where a parameter begins, or a constant. A text, or what a run would set, is
 * a constant; the list of values owns its text. */
static bool take_value(struct init *x, struct uci_value v, struct error *err)
{
    char line[PARAM_TEXT + 1];
    struct param *params = x->space.params, *p = params;
    struct uci_values *values = &x->options.values;
    while (p < params + x->space.table.count && strcasecmp(p->name, v.name) != 0)
        p++;
    if (p == params + x->space.table.count) /* there is room for all options of the engine */
        params[x->space.table.count++].name = v.name;
    else if (p->type != PARAM_STRING)
        return param_parse_value(p, v.value, &p->initial) ||
               error_set(err, "%s: %s is no value of %s", x->engine, v.value, v.name);
    snprintf(line, sizeof line, "%s\n", v.value);
    if (!uci_values_add(values, v.name, line))
        return error_set(err, "no memory for a space");
    *p = (struct param){.name = p->name,
                        .sign = 1,
                        .meaning = "",
                        .type = PARAM_STRING,
                        .choices = values->items[values->count - 1].value};
    return true;
}

/* ---- ranges ---- */

/* Takes a range around the default: from nothing to twice of it, or of a default near 0 an eighth of the range to
 * both sides. A short range stays. */
static void narrow(struct param *p)
{
    enum { SHORT = 32 };
    const int64_t range = (int64_t)p->max - p->min;
    const int64_t little = range / 8 < SHORT ? range / 8 : SHORT;
    const int64_t size = p->initial < 0 ? -(int64_t)p->initial : p->initial;
    const int64_t half = size > little ? size : little;
    if (p->bits == 0 || p->type != PARAM_SPIN || range <= SHORT)
        return;
    if (p->initial - half > p->min)
        p->min = (int32_t)(p->initial - half);
    if (p->initial + half < p->max)
        p->max = (int32_t)(p->initial + half);
    p->bits = param_bits(p);
}

bool init_read_space(struct init *x, struct error *err)
{
    const struct uci_settings settings = {.command = x->command};
    const double begun = clock_seconds();
    struct uci_client *client = uci_client_start(&settings, err);
    x->start = clock_seconds() - begun;
    x->notes = text_stream(&x->comment, &x->comment_size);
    bool good = client != NULL && (x->notes != NULL || error_set(err, "no memory for a space"));
    good = good && space_of_engine(client, x->command, stderr, &x->space, err);
    if (good) {
        const struct uci_option *hash = uci_client_find(client, "Hash");
        foreign_text_copy(x->name, sizeof x->name, uci_client_name(client));
        uci_client_options(client, &x->options_all);
        x->hash = hash != NULL && hash->type == UCI_SPIN && hash->min > 4 ? (int)hash->min : 4;
        fprintf(x->notes, "%s: the options that may change, by grayling init " GRAYLING_VERSION ".",
                x->name);
    }
    for (int i = 0, given = x->options.values.count; good && i < given; i++) {
        const struct uci_value v = x->options.values.items[i];
        good = uci_client_takes(client, v.name, v.value, err) && take_value(x, v, err);
    }
    uci_client_stop(client);
    if (!good)
        return false;
    leave_out(x, is_usage, "as they say how the engine is used and not how it plays");
    if (x->by == BY_GAMES)
        leave_out(x, is_choice, "as games follow numbers, not switches and choices");
    for (int i = 0; i < x->space.table.count; i++)
        narrow(x->space.params + i);
    return has_genes(x, err);
}

/* ---- how far moves change ---- */

/* The positions for which the comparison takes so many seconds, with so many rounds (calibration.h). */
static size_t affordable(const struct init *x, double seconds, int rounds)
{
    enum {
        FIRST = 3,
        MOST = 500,
        JOB = 50 /* between two processes of an engine that needs new ones */
    };
    const double asking = 0.002 + (x->lives ? 0 : x->start / JOB); /* beside the search */
    double probes = FIRST;
    for (int i = 0; i < x->space.table.count; i++)
        if (init_evolves(x, i))
            probes += param_is_choice(&x->space.table.params[i])
                          ? param_steps(&x->space.table.params[i])
                          : 2 * (1 + (uint32_t)rounds);
    return (size_t)fmin(MOST, seconds * x->threads / (probes * (x->quick_seconds + asking)));
}

/* Takes what the comparison found: the perturbations, and what each parameter changes. */
static bool take_calibration(struct init *x, const struct calibration *found, struct error *err)
{
    struct param *params = x->space.params;
    x->influence = calloc((size_t)x->space.table.count + 1, sizeof *x->influence);
    if (x->influence == NULL)
        return error_set(err, "no memory for a space");
    for (int i = 0; i < x->space.table.count; i++) {
        const struct calibrated *g = &found->genes[i];
        x->influence[i] = calibration_is_idle(found, i) ? 0 : fmax(g->down, g->up);
        if (g->c > 0)
            params[i].c = fmax(0.5, g->c); /* half a step */
    }
    leave_out(x, is_idle, "as no move changes with them");
    return true;
}

/* Positions with which a comparison says something, and with which it says enough. */
enum { FEW = 40, ENOUGH = 100 };

/* Compares moves with other values of each parameter. A comparison that takes too long leaves the guess. */
static bool compare(struct init *x, double seconds, struct lineup *lineup, struct error *err)
{
    int rounds = CALIBRATION_ROUNDS;
    while (rounds > 0 && affordable(x, seconds, rounds) < ENOUGH)
        rounds--;
    const size_t count = affordable(x, seconds, rounds);
    if ((x->quick.nodes == 0 && x->quick.depth == 0) || count < FEW)
        return true;
    struct calibration found = {.genes = NULL};
    struct position *positions = NULL;
    int32_t *values = calloc((size_t)x->space.table.count + 1, sizeof *values);
    struct calibration_settings settings = {.lineup = lineup,
                                            .values = values,
                                            .nodes = x->quick.nodes,
                                            .depth = x->quick.depth,
                                            .share = 0.05,
                                            .rounds = rounds,
                                            .threads = x->threads,
                                            .stop = x->stop};
    bool good = values != NULL || error_set(err, "no memory for values");
    good = good && ordinary_positions("train-1", count, &positions, &settings.count, err) &&
           interrupt_in(1.5 * seconds, err);
    for (int i = 0; good && i < x->space.table.count; i++)
        values[i] = x->space.table.params[i].initial;
    settings.positions = positions;
    const enum jobs_end end = good ? calibrate_shown(&settings, &found, err) : JOBS_FAILED;
    good = end == JOBS_DONE ? take_calibration(x, &found, err) : interrupt_take_alarm();
    interrupt_in(24 * 3600, NULL); /* instead of the alarm that is not needed any more */
    calibration_free(&found);
    free(positions);
    free(values);
    return good;
}

bool init_thin_space(struct init *x, double seconds, struct error *err)
{
    struct lineup lineup;
    struct recipe recipe = {.hash = x->hash};
    if (x->limits.depth > 0 && x->by == BY_GAMES)
        leave_out(x, is_of_search,
                  "as at a limit of plies the search that prunes less plays better");
    struct param *params =
        x->space.params; /* an eighth of the range, where nothing better is known */
    for (int i = 0; i < x->space.table.count; i++)
        if (init_evolves(x, i) && !param_is_choice(&params[i]))
            params[i].c = fmax(0.5, ((double)params[i].max - params[i].min) / 8);
    const bool compares = affordable(x, seconds, 0) >= FEW;
    if (!has_genes(x, err) || !init_write(x, NULL, err) ||
        !init_path(x, NULL, "space.yaml", recipe.space, err))
        return false;
    if (!compares && x->by != BY_GAMES)
        return true;
    if (!lineup_read(&lineup, &recipe, err))
        return false;
    x->lives = lineup.lives;
    const bool good = compare(x, seconds, &lineup, err);
    lineup_free(&lineup);
    return good && has_genes(x, err);
}
