/* grayling plot: fitness per generation as a picture. */
#include "command.h"

#include "plot.h"

#include <unistd.h>

static const char help[] =
    "usage: grayling plot RUN.db -o FILE.svg|FILE.png [--force]\n\n"
    "Draws the objective value of each generation's best organism, on training and on held-out\n"
    "data, and the population's mean with one standard deviation. For a comparison (a night\n"
    "whose stages differ in their optimisers) it draws the best so far by evaluations: the mean\n"
    "over the runs of each stage with one standard deviation. Needs gnuplot.\n\n"
    "  -o, --output FILE  the picture; the extension selects the format\n"
    "      --force        overwrite FILE\n\n"
    "example:\n"
    "  grayling plot paper-seed1.db -o paper.svg\n";

/* Draws the generations of a run. */
static int plot_one(const struct run_output *o)
{
    struct error err;
    struct run_summary summary;
    if (!run_summary_read(o->run, &summary, &err))
        return command_fail(EXIT_BAD, &err);
    bool drawn = plot_run(&summary, o->output, o->force, &err);
    run_summary_free(&summary);
    return drawn ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
}

/* Draws the stages of a night in one picture, if they can be compared. */
static int plot_night(const struct run_output *o)
{
    struct error err;
    struct night_report report;
    struct comparison comparison;
    if (!night_report_read(o->run, &report, &err))
        return command_fail(EXIT_BAD, &err);
    int code = EXIT_DONE;
    if (!comparison_applies(&report.night.recipe)) {
        error_set(&err,
                  "%s is a night of several runs that cannot be compared; name one of them, as "
                  "%s#%s",
                  o->run, o->run, report.night.recipe.stages[0].name);
        code = command_fail(EXIT_BAD, &err);
    } else {
        comparison_make(&comparison, &report);
        if (!plot_comparison(&comparison, report.night.recipe.name, o->output, o->force, &err))
            code = command_fail(EXIT_FAILED, &err);
    }
    night_report_free(&report);
    return code;
}

/* Checks the output before the run is read. */
static int plot(const struct run_output *o)
{
    struct error err;
    if (!plot_available(o->output, o->force, &err))
        return command_fail(EXIT_BAD, &err);
    return (night_is(o->run) ? plot_night : plot_one)(o);
}

int cmd_plot(int argc, char **argv)
{
    struct run_output o;
    int code = command_run_output("plot", argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.run == NULL) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (o.output == NULL)
        return command_misuse("plot", "-o FILE.svg or FILE.png is missing");
    return plot(&o);
}
