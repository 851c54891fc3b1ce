/* grayling report: one page about a run, a night or a comparison. */
#include "command.h"

#include "live_page.h"
#include "outcome.h"
#include "report_file.h"

struct options {
    const char *run;
    const char *second; /* NULL: a page of one run */
    const char *output; /* NULL: not given */
    bool force, follow;
};

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row option_rows[] = {
    {"output", "FILE", AS_TEXT, AT(output),
     "output file; '-' is standard output (default: RUN.html beside the run, which replaces a "
     "report that nobody has changed; of two RUN-OTHER.html beside the first)",
     .letter = 'o'},
    {"follow", NULL, AS_FLAG, AT(follow),
     "rewrite the page while the run goes on, as 'evolve --page' does; Ctrl-C ends this, and the "
     "run goes on"},
    {"force", NULL, AS_FLAG, AT(force), "overwrite FILE"},
    {0}};

static const struct command cmd = {
    "report",
    "usage: grayling report RUN.db|NIGHT.db|NIGHT.db#STAGE [-o FILE.html] [OPTIONS]\n"
    "       grayling report RUN.db RUN.db [-o FILE.html] [OPTIONS]\n\n"
    "Writes one self-contained HTML page about a run: how the values went that moved\n"
    "most, the fitness by generation, all parameters by what a change costs, files to\n"
    "download, each gene's convergence, and the recipe. The run may still be in\n"
    "progress. Of two runs, or of stages of nights, it writes one page: both results,\n"
    "both curves, and a table of both runs' parameters. The page of a night or a\n"
    "comparison has all its stages.\n",
    option_rows,
    "example:\n"
    "  grayling report runs/quick.db\n",
    {"RUN.db", "one run or two", 1, 2}};

/* Chooses the file of the page. Refuses an existing file, except an unmodified report beside the run. */
static bool choose_output(const struct options *o, char output[OUTCOME_PATH], struct error *err)
{
    char ending[OUTCOME_PATH] = ".html";
    if (o->second != NULL) {
        const char *name = path_name(o->second), *end = strstr(name, ".db");
        snprintf(ending, sizeof ending, "-%.*s.html",
                 (int)(end != NULL ? (size_t)(end - name) : strlen(name)), name);
    }
    if (o->output == NULL)
        return outcome_path(o->run, ending, output, err) &&
               outcome_check(o->run, output, o->force, err);
    if (!output_check(o->output, o->force, err))
        return false;
    snprintf(output, OUTCOME_PATH, "%s", o->output);
    return true;
}

/* Rewrites the page until the run ends. */
static int follow(const struct options *o, const char *output)
{
    struct error err;
    if (!output_is_file(output))
        return command_misuse("report", "--follow needs a file, which it replaces again and again");
    printf("writes %s until the run ends; Ctrl-C ends this, and the run goes on\n",
           shown_text(output));
    fflush(stdout);
    int code = live_page_follow(o->run, output, interrupt_watch(), &err);
    return code == EXIT_DONE ? EXIT_DONE : command_fail((enum exit_code)code, &err);
}

int cmd_report(int argc, char **argv)
{
    struct options o = {.run = NULL};
    struct error err;
    char output[OUTCOME_PATH];
    const int code = options_read(&cmd, &argc, &argv, &o);
    if (code != OPTIONS_READ)
        return code;
    if (argc == 2 && o.follow)
        return command_misuse("report", "--follow takes one run, not two");
    o.run = argv[0];
    o.second = argc == 2 ? argv[1] : NULL;
    if (!choose_output(&o, output, &err)) /* before the run is read */
        return command_fail(EXIT_BAD, &err);
    if (o.follow)
        return follow(&o, output);
    struct report_text text;
    if (!report_text_compose(o.run, o.second, NULL, &text, &err))
        return command_fail(EXIT_BAD, &err);
    return command_wrote(report_text_write(&text, output, &err), "report", output, &err);
}
