/* grayling report: one page about a run. */
#include "command.h"

#include "output.h"
#include "report_page.h"

#include <limits.h>
#include <string.h>

static const char help[] =
    "usage: grayling report RUN.db [-o FILE.html] [--force]\n\n"
    "Writes one HTML page about a run that needs nothing else, no network and no other file: the\n"
    "fitness by generation, each gene's convergence, the evolved values beside the paper's, which "
    "of\n"
    "them want a second look, and the recipe. The run may be going on meanwhile.\n\n"
    "  -o, --output FILE  where to (default: beside the run, RUN.html; '-': standard output)\n"
    "      --force        overwrite FILE\n\n"
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

/* The run's name with .html for .db; a stage of it, RUN.db#STAGE, as RUN-STAGE.html. */
static bool default_output(const char *run, char output[PATH_MAX], struct error *err)
{
    const char *mark = strrchr(run, '#'), *stage = mark != NULL ? mark + 1 : "";
    size_t length = mark != NULL ? (size_t)(mark - run) : strlen(run);
    if (length > 3 && strncmp(run + length - 3, ".db", 3) == 0)
        length -= 3;
    return (size_t)snprintf(output, PATH_MAX, "%.*s%s%s.html", (int)length, run,
                            mark != NULL ? "-" : "", stage) < PATH_MAX ||
           error_set(err, "the run's name is too long");
}

/* What is printed, and about which file. */
struct printing {
    const struct report *report;
    const char *file;
};

static void print_page(FILE *out, void *context)
{
    const struct printing *p = context;
    report_page_write(out, p->report, p->file);
}

/* What is wrong with the output is said before the run is read. */
static int report(const struct options *o)
{
    struct error err;
    struct report r;
    char beside[PATH_MAX];
    const char *output = o->output != NULL ? o->output : beside, *slash = strrchr(o->run, '/');
    if ((o->output == NULL && !default_output(o->run, beside, &err)) ||
        !output_check(output, o->force, &err) || !report_read(o->run, &r, &err))
        return command_fail(EXIT_BAD, &err);
    struct printing printing = {&r, slash == NULL ? o->run : slash + 1};
    bool written = output_write(output, print_page, &printing, &err);
    report_free(&r);
    return written ? EXIT_DONE : command_fail(EXIT_FAILED, &err);
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
