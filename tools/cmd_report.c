/* grayling report: one page about a run, a night or a comparison. */
#include "command.h"

#include "outcome.h"
#include "output.h"
#include "report_file.h"

static const char help[] =
    "usage: grayling report RUN.db|NIGHT.db|NIGHT.db#STAGE [-o FILE.html] [--force]\n\n"
    "Writes one HTML page about a run that needs nothing else, no network and no other file: the\n"
    "fitness by generation, each gene's convergence, the evolved values beside the paper's, which of\n"
    "them want a second look, and the recipe. The run may be going on meanwhile.\n\n"
    "  -o, --output FILE  where to (default: beside the run, RUN.html, in place of a report that\n"
    "                     nobody has changed; '-': standard output)\n"
    "      --force        overwrite FILE\n\n"
    "The page of a night has all its stages, and what its match says each was worth; that of a\n"
    "comparison has a table and a picture of what each stage found.\n\n"
    "example:\n"
    "  grayling report runs/quick.db\n";

/* Where the page goes. What is there is kept, but for a report beside the run that nobody has
 * changed. */
static bool choose_output(const struct run_output *o, char output[OUTCOME_PATH], struct error *err)
{
    if (o->output == NULL)
        return outcome_path(o->run, ".html", output, err) &&
               outcome_check(o->run, output, o->force, err);
    if (!output_check(o->output, o->force, err))
        return false;
    snprintf(output, OUTCOME_PATH, "%s", o->output);
    return true;
}

/* What is wrong with the output is said before the run is read. */
static int report(const struct run_output *o)
{
    struct error err;
    char output[OUTCOME_PATH];
    if (!choose_output(o, output, &err))
        return command_fail(EXIT_BAD, &err);
    int code = report_file_write(o->run, output, &err);
    return code == EXIT_DONE ? EXIT_DONE : command_fail((enum exit_code)code, &err);
}

int cmd_report(int argc, char **argv)
{
    struct run_output o;
    int code = command_run_output("report", argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.run != NULL)
        return report(&o);
    fputs(help, stdout);
    return EXIT_DONE;
}
