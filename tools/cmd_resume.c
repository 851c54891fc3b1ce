/* grayling resume: continues a run. */
#include "command.h"

#include "finish.h"
#include "night.h"
#include "night_view.h"
#include "trust.h"

static const char help[] =
    "usage: grayling resume RUN.db|NIGHT.db|NIGHT.db#STAGE [OPTIONS]\n\n"
    "Continues a run that was interrupted; the result is the same as without the\n"
    "interruption. With more time, the stages of a night that ended by their time go\n"
    "on too. NIGHT.db#STAGE continues one stage alone.\n\n"
    "      --hours H        stop after H hours, of a night from now on, and write the\n"
    "                       best so far\n"
    "      --until HH:MM    stop at this time likewise; or 'YYYY-MM-DD HH:MM'\n"
    "      --generations N  make a run, or the stages of a comparison, this long\n"
    "      --games N        make the matches of a night N games a pairing long\n"
    "      --again STAGE    extend a stage of a night although later stages began\n"
    "                       from its result; those are computed anew\n"
    "      --page FILE.html, --at-end COMMAND  as in 'evolve'\n"
    "      --threads N      number of threads (all cores, or OMP_NUM_THREADS)\n"
    "      --trust          start the engine of somebody else's run\n"
    "      --force          overwrite changed files beside the run\n"
    "      --check-share P, --job-limit S  as in 'evolve'\n\n"
    "  grayling resume paper-seed1.db --until 07:00\n"
    "  grayling resume night-seed1.db --again search --hours 3\n";

/* A run, and what is asked of it. */
struct options {
    struct run_view view;
    struct night_request request;
};

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct options *o, int id, const char *text)
{
    switch (id) {
    case 't':
        return command_int("resume", "--threads", text, 1, 1024, &o->view.threads);
    case 'H':
        return command_hours("resume", text, &o->view.hours);
    case 'u':
        o->view.until = text;
        return true;
    case 'g':
        return command_int("resume", "--generations", text, 1, 1000000, &o->request.generations);
    case 'm':
        return command_int("resume", "--games", text, 2, 1000000, &o->request.games);
    case 'a':
        o->request.again = text;
        return true;
    case 'p':
        o->view.page.path = text;
        return true;
    case 'e':
        return command_at_end("resume", text, &o->view.at_end);
    case 'c':
        return command_check_share("resume", text);
    case 'j':
        return command_job_limit("resume", text);
    case 'T':
        trust_all();
        return true;
    default:
        o->view.force = true;
        return true;
    }
}

/* Checks options that do not go together. */
static int check_options(const struct options *o)
{
    if (o->request.games % 2 != 0)
        return command_misuse("resume", "--games takes an even number, not %d", o->request.games);
    return EXIT_DONE;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. Without a run, help is requested. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"until", required_argument, NULL, 'u'},
                                            {"hours", required_argument, NULL, 'H'},
                                            {"generations", required_argument, NULL, 'g'},
                                            {"games", required_argument, NULL, 'm'},
                                            {"again", required_argument, NULL, 'a'},
                                            {"page", required_argument, NULL, 'p'},
                                            {"at-end", required_argument, NULL, 'e'},
                                            {"check-share", required_argument, NULL, 'c'},
                                            {"job-limit", required_argument, NULL, 'j'},
                                            {"trust", no_argument, NULL, 'T'},
                                            {"force", no_argument, NULL, 'F'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("resume", c, argv, options);
        if (c == 'h')
            return EXIT_DONE;
        if (!take_option(o, c, optarg))
            return EXIT_BAD;
    }
    if (argc - optind != 1)
        return command_misuse("resume", "expected one run, not %d", argc - optind);
    o->view.store_path = argv[optind];
    return check_options(o);
}

/* Resumes a run that is no night. */
static int resume_run(struct options *o)
{
    struct error err = {""};
    struct run_view *view = &o->view;
    if (o->request.again != NULL || o->request.games > 0) {
        error_set(&err, "%s is no night: --again and --games are for nights", view->store_path);
        return command_fail(EXIT_BAD, &err);
    }
    if (!trust_run(view->store_path, &err) || !run_view_check(view, &err) ||
        !run_view_begin(view, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = run_view_observer(view);
    enum run_end end =
        run_resume_longer(view->store_path, o->request.generations, view->threads, &observer, &err);
    return run_view_finish(view, end, &err);
}

/* Resumes a night, or a stage of one. */
static int resume(struct options *o)
{
    struct error err = {""};
    char night[NIGHT_PATH];
    if (!store_writable(o->view.store_path, &err))
        return command_fail(EXIT_BAD, &err);
    o->request.only = night_split(o->view.store_path, night);
    if (o->request.only != NULL)
        o->view.store_path = night;
    else if (!night_is(o->view.store_path))
        return resume_run(o);
    if (o->request.only != NULL && o->request.again != NULL)
        return command_misuse("resume", "--again is for the whole night %s", night);
    return night_view_resume(&o->view, &o->request);
}

int cmd_resume(int argc, char **argv)
{
    struct options o = {.view.threads = command_threads()};
    int code = read_options(argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.view.store_path != NULL)
        return resume(&o);
    fputs(help, stdout);
    return EXIT_DONE;
}
