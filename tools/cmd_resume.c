/* grayling resume: continues a run. */
#include "command.h"

#include "finish.h"
#include "night.h"
#include "night_view.h"

static const char help[] =
    "usage: grayling resume RUN.db [OPTIONS]\n\n"
    "Continues a run that was interrupted by Ctrl-C, --until, a crash, a full disk or a power\n"
    "cut. The run holds its recipe and the checksums of its data; resume refuses data that has\n"
    "changed. The result is the same as without the interruption.\n\n"
    "      --threads N    number of threads (all cores, or OMP_NUM_THREADS)\n"
    "      --until HH:MM  stop at this time ('YYYY-MM-DD HH:MM' gives a date too) and write the\n"
    "                     best organism so far\n"
    "      --hours H      stop after H hours likewise; for a night or a comparison, its time\n"
    "                     budget from now on\n"
    "      --force        overwrite changed files beside the run (RUN.yaml, .svg, .png, .html)\n\n"
    "example:\n"
    "  grayling resume paper-seed1.db --until 07:00\n";

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct run_view *view, int id, const char *text)
{
    int64_t threads = view->threads;
    if (id == 't' && !command_number("resume", "--threads", text, 1, 1024, &threads))
        return false;
    view->threads = (int)threads;
    if (id == 'H')
        return command_hours("resume", text, &view->hours);
    if (id == 'u')
        view->until = text;
    if (id == 'F')
        view->force = true;
    return true;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. Without a run, help is requested. */
static int read_options(int argc, char **argv, struct run_view *view)
{
    static const struct option options[] = {
        {"threads", required_argument, NULL, 't'}, {"until", required_argument, NULL, 'u'},
        {"hours", required_argument, NULL, 'H'},   {"force", no_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},          {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("resume", c, argv);
        if (c == 'h')
            return EXIT_DONE;
        if (!take_option(view, c, optarg))
            return EXIT_BAD;
    }
    if (argc - optind != 1)
        return command_misuse("resume", "expected one run, not %d", argc - optind);
    view->store_path = argv[optind];
    return EXIT_DONE;
}

int cmd_resume(int argc, char **argv)
{
    struct error err = {""};
    struct run_view view = {.threads = command_threads()};
    int code = read_options(argc, argv, &view);
    if (code != EXIT_DONE)
        return code;
    if (view.store_path == NULL) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (!store_writable(view.store_path, &err))
        return command_fail(EXIT_BAD, &err);
    if (night_is(view.store_path))
        return night_view_resume(&view);
    if (!run_view_check(&view, &err) || !run_view_begin(&view, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = run_view_observer(&view);
    enum run_end end = run_resume(view.store_path, view.threads, &observer, &err);
    return run_view_finish(&view, end, &err);
}
