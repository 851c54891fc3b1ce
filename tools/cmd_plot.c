/* grayling plot: a picture of a run, of a comparison or of a match. */
#include "command.h"

#include "parse.h"
#include "plot.h"

enum picture { FITNESS, CONVERGENCE, GENES, PARAMETERS, PAIRINGS, ANY };

static const char *const names[] = {
    [FITNESS] = "fitness",       [CONVERGENCE] = "convergence", [GENES] = "genes",
    [PARAMETERS] = "parameters", [PAIRINGS] = "pairings",       [ANY] = NULL,
};

static const char *const themes[] = {"light", "dark", NULL};

struct request {
    const char *run;
    int what;              /* enum picture */
    int theme;             /* 1: dark */
    struct plot_file file; /* its path is NULL if none is given */
};

/* ---- what is drawn ----
 *
 * Each returns EXIT_DONE; EXIT_BAD where there is no such picture; EXIT_FAILED if it cannot be drawn. */

static int refuse(const struct request *q, const char *is, const char *can, struct error *err)
{
    error_set(err, "%s is %s: --what can be %s", q->run, is, can);
    return EXIT_BAD;
}

static int draw_run(const struct request *q, struct error *err)
{
    bool drawn;
    if (q->what == PAIRINGS)
        return refuse(q, "a run without a match", "fitness, convergence, genes or parameters", err);
    if (q->what == ANY || q->what == FITNESS) {
        struct run_summary summary;
        if (!run_summary_read(q->run, &summary, err))
            return EXIT_BAD;
        drawn = plot_fitness(&summary, &q->file, err);
        run_summary_free(&summary);
    } else {
        struct report report;
        if (!report_read(q->run, &report, err))
            return EXIT_BAD;
        const int all = report.genome.count;
        drawn = q->what == CONVERGENCE ? plot_convergence(&report, all, &q->file, err)
                : q->what == GENES     ? plot_genes(&report, all, &q->file, err)
                                       : plot_parameters(&report, 0, all, &q->file, err);
        report_free(&report);
    }
    return drawn ? EXIT_DONE : EXIT_FAILED;
}

static int draw_comparison(const struct request *q, const struct night_report *r, struct error *err)
{
    struct comparison comparison;
    if (q->what != ANY && q->what != FITNESS)
        return refuse(q, "a comparison", "fitness; of its runs, NIGHT.db#STAGE, others", err);
    comparison_make(&comparison, r);
    return plot_comparison(&comparison, r->night.recipe.name, &q->file, err) ? EXIT_DONE
                                                                             : EXIT_FAILED;
}

/* Draws the match of a night: the stage with this name, or else the last one that has begun. */
static int draw_match(const struct request *q, const struct night_report *r, const char *stage,
                      struct error *err)
{
    const struct night_report_stage *match = NULL;
    for (int i = 0; i < r->night.recipe.stage_count; i++) {
        const struct night_report_stage *s = &r->stages[i];
        if (stage != NULL ? strcmp(s->stage->name, stage) == 0 : s->pairing_count > 0)
            match = s;
    }
    if (match == NULL || (q->what != ANY && q->what != PAIRINGS))
        return refuse(q, stage != NULL ? "a match" : "a night of several runs",
                      match != NULL ? "pairings; of its runs, NIGHT.db#STAGE, others"
                                    : "pairings, once its match has begun",
                      err);
    return plot_pairings(match, r->night.recipe.name, &q->file, err) ? EXIT_DONE : EXIT_FAILED;
}

/* The stage of a path NIGHT.db#STAGE that is a match, and the path of the night; NULL of other paths. */
static const char *match_of(const char *run, char path[NIGHT_PATH])
{
    struct night_summary night;
    struct error ignored;
    const char *name = night_split(run, path);
    if (name == NULL || !night_summary_read(path, &night, &ignored))
        return NULL;
    const struct night_stage *stage = night_stage_find(&night.recipe, name);
    const bool match = stage != NULL && stage->is_match;
    night_summary_free(&night);
    return match ? name : NULL;
}

static int draw(const struct request *q)
{
    struct error err;
    struct night_report report;
    char path[NIGHT_PATH];
    const char *stage = match_of(q->run, path);
    int code = EXIT_BAD;
    if (!plot_available(q->file.path, q->file.force, &err))
        return command_fail(EXIT_BAD, &err);
    if (stage == NULL && !night_is(q->run))
        code = draw_run(q, &err);
    else if (night_report_read(stage != NULL ? path : q->run, NULL, &report, &err)) {
        code = stage == NULL && comparison_applies(&report.night.recipe)
                   ? draw_comparison(q, &report, &err)
                   : draw_match(q, &report, stage, &err);
        night_report_free(&report);
    }
    if (code != EXIT_DONE)
        return command_fail((enum exit_code)code, &err);
    command_tell("plot", q->file.path);
    return EXIT_DONE;
}

/* Reads "800x600". */
static bool take_size(void *target, const char *text, struct error *err)
{
    struct plot_file *file = target;
    char width[8];
    const char *mark = strchr(text, 'x');
    int64_t wide, high;
    snprintf(width, sizeof width, "%.*s", (int)strcspn(text, "x"), text);
    if (mark == NULL || mark - text >= (ptrdiff_t)sizeof width || !parse_int64(width, &wide) ||
        !parse_int64(mark + 1, &high) || wide < PLOT_LEAST_WIDTH || high < PLOT_LEAST_HEIGHT ||
        wide > PLOT_MOST || high > PLOT_MOST)
        return error_set(err, "takes a size from %dx%d to %dx%d, not '%s'", PLOT_LEAST_WIDTH,
                         PLOT_LEAST_HEIGHT, PLOT_MOST, PLOT_MOST, text);
    file->width = (int)wide;
    file->height = (int)high;
    return true;
}

#define AT(member) OPTION_AT(struct request, member)

static const struct option_row option_rows[] = {
    {"output", "FILE", AS_TEXT, AT(file.path), "the picture; the extension selects the format",
     .letter = 'o'},
    {"what", "PICTURE", AS_CHOICE, AT(what), "what to draw (default: the first above that fits)",
     .letter = 'w', .choices = names},
    {"size", "WxH", AS_CALL, AT(file), "width and height in pixels, from 320x200 to 8000x8000",
     .take = take_size},
    {"theme", "THEME", AS_CHOICE, AT(theme), "light or dark (default: light)", .choices = themes},
    {"force", NULL, AS_FLAG, AT(file.force), "overwrite FILE"},
    {0}};

static const struct command cmd = {
    "plot",
    "usage: grayling plot RUN.db -o FILE.svg|FILE.png [--what PICTURE] [--size WxH]\n"
    "                     [--theme light|dark] [--force]\n\n"
    "Draws a run or a stage (NIGHT.db#STAGE), a comparison, or a night, as its page\n"
    "does. The pictures:\n\n"
    "  fitness       of a run, each generation's best organism and its mean; of a\n"
    "                comparison, the best so far of each stage by evaluations\n"
    "  convergence   of a run, how many organisms agree on each bit\n"
    "  genes         of a run, where each value ended within its range\n"
    "  parameters    of a run, the course of each value\n"
    "  pairings      of a night, the Elo of each pairing with its 95 % interval\n",
    option_rows,
    "examples:\n"
    "  grayling plot paper-seed1.db -o paper.svg\n"
    "  grayling plot paper-seed1.db --what genes --theme dark -o genes.png\n",
    {"RUN.db", "one run", 1, 1}};

int cmd_plot(int argc, char **argv)
{
    struct request q = {.what = ANY};
    const int code = options_read(&cmd, &argc, &argv, &q);
    if (code != OPTIONS_READ)
        return code;
    if (q.file.path == NULL)
        return command_misuse("plot", "-o FILE.svg or FILE.png is missing");
    q.run = argv[0];
    q.file.dark = q.theme == 1;
    return draw(&q);
}
