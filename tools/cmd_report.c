/* grayling report: one page about a run, a night or a comparison. */
#include "command.h"

#include "outcome.h"
#include "output.h"
#include "report_file.h"

static const char help[] =
    "usage: grayling report RUN.db|NIGHT.db|NIGHT.db#STAGE [-o FILE.html] [--force]\n\n"
    "Writes one HTML page about a run that needs nothing else, no network and no other file: the\n"
    "fitness by generation, each gene's convergence, the evolved values beside the paper's, which "
    "of\n"
    "them want a second look, and the recipe. The run may be going on meanwhile.\n\n"
    "  -o, --output FILE  where to (default: beside the run, RUN.html, in place of a report that\n"
    "                     nobody has changed; '-': standard output)\n"
    "      --force        overwrite FILE\n\n"
    "The page of a night has all its stages, and what its match says each was worth; that of a\n"
    "comparison has a table and a picture of what each stage found.\n\n"
    "example:\n"
    "  grayling report runs/quick.db\n";

struct options {
    const char *run, *output;
    bool force, show_help;
};

/* Reads the command line; EXIT_DONE, or the code to leave with. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'F'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("report", c, argv);
        if (c == 'o')
            o->output = optarg;
        o->force = o->force || c == 'F';
        o->show_help = o->show_help || c == 'h';
    }
    if (o->show_help)
        return EXIT_DONE;
    if (argc - optind != 1)
        return command_misuse("report", "expected one run, not %d", argc - optind);
    o->run = argv[optind];
    return EXIT_DONE;
}

/* Where the page goes. What is there is kept, but for a report beside the run that nobody has
 * changed. */
static bool choose_output(const struct options *o, char output[OUTCOME_PATH], struct error *err)
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
static int report(const struct options *o)
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
    struct options o = {0};
    int code = read_options(argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (!o.show_help)
        return report(&o);
    fputs(help, stdout);
    return EXIT_DONE;
}
