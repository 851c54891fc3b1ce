/* grayling report: one page about a run, a night or a comparison. */
#include "command.h"

#include "foreign_text.h"
#include "interrupt.h"
#include "live_page.h"
#include "outcome.h"
#include "output.h"
#include "paths.h"
#include "report_file.h"

#include <string.h>

static const char help[] =
    "usage: grayling report RUN.db|NIGHT.db|NIGHT.db#STAGE [-o FILE.html] [OPTIONS]\n"
    "       grayling report RUN.db RUN.db [-o FILE.html] [OPTIONS]\n\n"
    "Writes one self-contained HTML page about a run: how the values went that moved\n"
    "most, the fitness by generation, all parameters by what a change costs, files to\n"
    "download, each gene's convergence, and the recipe. The run may still be in\n"
    "progress. Of two runs, or of stages of nights, it writes one page: both results,\n"
    "both curves, and a table of both runs' parameters.\n\n"
    "  -o, --output FILE  output file; '-' is standard output (default: RUN.html\n"
    "                     beside the run, which replaces a report that nobody has\n"
    "                     changed; of two RUN-OTHER.html beside the first)\n"
    "      --follow       rewrite the page while the run goes on, as 'evolve --page'\n"
    "                     does; Ctrl-C ends this, and the run goes on\n"
    "      --force        overwrite FILE\n\n"
    "The page of a night shows all its stages, and how much its match says each is\n"
    "worth. The page of a comparison has a table and a picture of the results of each\n"
    "stage.\n\n"
    "example:\n"
    "  grayling report runs/quick.db\n";

struct options {
    const char *run;    /* NULL: help is requested */
    const char *second; /* NULL: a page of one run */
    const char *output; /* NULL: not given */
    bool force, follow;
};

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"follow", no_argument, NULL, 'f'},
                                            {"force", no_argument, NULL, 'F'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("report", c, argv, options);
        if (c == 'h')
            return EXIT_DONE;
        if (c == 'o')
            o->output = optarg;
        o->force = o->force || c == 'F';
        o->follow = o->follow || c == 'f';
    }
    if (argc - optind != 1 && argc - optind != 2)
        return command_misuse("report", "expected one run or two, not %d", argc - optind);
    if (argc - optind == 2 && o->follow)
        return command_misuse("report", "--follow takes one run, not two");
    o->run = argv[optind];
    o->second = argv[optind + 1];
    return EXIT_DONE;
}

/* Chooses the file of the page. Refuses an existing file, except an unmodified report beside the
 * run. */
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

/* Checks the output before the run is read. */
static int report(const struct options *o)
{
    struct error err;
    char output[OUTCOME_PATH];
    if (!choose_output(o, output, &err))
        return command_fail(EXIT_BAD, &err);
    if (o->follow)
        return follow(o, output);
    int code = report_file_write(o->run, o->second, output, &err);
    if (code != EXIT_DONE)
        return command_fail((enum exit_code)code, &err);
    command_tell("report", output);
    return EXIT_DONE;
}

int cmd_report(int argc, char **argv)
{
    struct options o = {.run = NULL};
    int code = read_options(argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.run != NULL)
        return report(&o);
    fputs(help, stdout);
    return EXIT_DONE;
}
