/* grayling verify: replays a run from its seed and compares, or compares it with evidence. */
#include "command.h"

#include "evidence.h"
#include "foreign_text.h"
#include "format.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "run.h"
#include "scratch.h"
#include "trust.h"

static const char help[] =
    "usage: grayling verify RUN.db [--sample N] [--threads N]\n"
    "       grayling verify RUN.db --expect EVIDENCE.yaml\n"
    "       grayling verify --expect EVIDENCE.yaml [-o RUN.db] [--threads N]\n\n"
    "Replays a run from its seed and compares it with the stored one: each population\n"
    "must follow from the one before it, and each organism must measure the same.\n"
    "Stops at the first difference with exit code 1, and names its generation and\n"
    "organism. With --expect, compares recipe, organisms and outcome with an evidence\n"
    "file, which 'grayling export --format evidence' writes. Without RUN.db, repeats\n"
    "the run of that file first.\n\n"
    "      --sample N   measure only N organisms of each generation, including its\n"
    "                   best; of generations that are measured as a whole (games, or\n"
    "                   fitness.batch) only so many in proportion\n"
    "      --expect EVIDENCE.yaml  evidence that the run must match\n"
    "  -o, --output RUN.db  keep the repeated run (default: a temporary folder,\n"
    "                       TMPDIR or /tmp)\n"
    "      --threads N  number of threads (all cores, or OMP_NUM_THREADS)\n"
    "      --trust      start the engine of somebody else's run\n\n"
    "example:\n"
    "  grayling verify paper-seed1.db --sample 5\n"
    "  grayling verify --expect docs/runs/paper-seed1.evidence.yaml\n";

struct options {
    const char *path;   /* NULL: not given */
    const char *expect; /* the same */
    const char *output; /* the same */
    int64_t sample, threads;
    bool show_help;
};

/* Reads the run, which is optional with --expect. */
static int take_run(int count, char **arguments, struct options *o)
{
    if (count != 1 && (count != 0 || o->expect == NULL))
        return command_misuse("verify", "expected one run, not %d", count);
    if (o->expect != NULL && o->sample > 0)
        return command_misuse("verify", "--sample is for a replay; --expect compares everything");
    if (o->output != NULL && (o->expect == NULL || count == 1))
        return command_misuse("verify", "--output is for a run that --expect repeats");
    o->path = arguments[0];
    return EXIT_DONE;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {{"sample", required_argument, NULL, 's'},
                                            {"expect", required_argument, NULL, 'e'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"trust", no_argument, NULL, 'T'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":ho:", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("verify", c, argv, options);
        if (c == 'h')
            o->show_help = true;
        if (c == 'T')
            trust_all();
        if (c == 'e')
            o->expect = optarg;
        if (c == 'o')
            o->output = optarg;
        if (c == 's' &&
            !command_number("verify", "--sample", optarg, 1, POPULATION_MAX, &o->sample))
            return EXIT_BAD;
        if (c == 't' && !command_number("verify", "--threads", optarg, 1, 1024, &o->threads))
            return EXIT_BAD;
    }
    return o->show_help ? EXIT_DONE : take_run(argc - optind, argv + optind, o);
}

/* ---- progress ---- */

/* The progress of a replay: a run that is verified, or repeated from its evidence. */
struct replay_progress {
    struct progress progress;
    const char *done; /* what a generation is when it is done: "as stored" */
};

static void begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next)
{
    struct replay_progress *p = context;
    (void)recipe;
    (void)fitness;
    progress_begin(&p->progress, "generation", next - 1);
}

static bool after_generation(void *context, const struct generation_row *row, int generations)
{
    struct replay_progress *p = context;
    progress_show(&p->progress, row->generation, generations, p->done);
    return true;
}

/* An observer that shows each generation and stops when the user interrupts. The caller ends
 * p->progress. */
static struct run_observer observer_of(struct replay_progress *p)
{
    progress_wait(&p->progress, "reading the data");
    return (struct run_observer){
        .context = p, .begun = begun, .generation = after_generation, .stop = interrupt_watch()};
}

/* ---- a replay ---- */

static void print_verified(const char *path, const struct run_verified *v)
{
    char generations[COUNTED_MAX], number[COUNT_MAX], genomes[COUNTED_MAX];
    printf("%s: as stored\n", shown_text(path));
    printf("  %s: all %s organisms follow from those before them\n",
           format_things(v->generations, "generation", generations),
           format_count(v->organisms, number));
    printf("  %s measured again, %s of them on held-out data too\n",
           format_things(v->measured, "genome", genomes), format_count(v->held_out, number));
}

/* Replays the run. */
static int replay(const struct options *o)
{
    struct error err = {""};
    struct run_verified verified;
    struct replay_progress p = {.done = "as stored"};
    if (!trust_run(o->path, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = observer_of(&p);
    enum run_end end =
        run_verify(o->path, (int)o->sample, (int)o->threads, &observer, &verified, &err);
    progress_end(&p.progress);
    if (end == RUN_STOPPED) {
        fputs("grayling: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    if (end != RUN_COMPLETE)
        return command_fail(end == RUN_FAILED ? EXIT_FAILED : EXIT_BAD, &err);
    print_verified(o->path, &verified);
    return EXIT_DONE;
}

/* ---- evidence ---- */

/* Repeats the run of the evidence in a new store, and compares. */
static enum run_end repeat(const struct options *o, const char *store_path, struct error *err)
{
    struct replay_progress p = {.done = "repeated"};
    struct run_observer observer = observer_of(&p);
    enum run_end end =
        evidence_repeat(o->expect, store_path, (int)o->threads, trust_recipe, &observer, err);
    progress_end(&p.progress);
    return end == RUN_COMPLETE ? evidence_compare(o->expect, store_path, err) : end;
}

/* The same in a temporary folder. */
static enum run_end repeat_in_scratch(const struct options *o, struct error *err)
{
    struct scratch s;
    if (!scratch_make(&s, err))
        return RUN_REFUSED;
    enum run_end end = repeat(o, s.run, err);
    scratch_remove(&s);
    return end;
}

static enum run_end compare(const struct options *o, struct error *err)
{
    if (o->path != NULL)
        return evidence_compare(o->expect, o->path, err);
    return o->output != NULL ? repeat(o, o->output, err) : repeat_in_scratch(o, err);
}

/* Compares a run with evidence. */
static int expect(const struct options *o)
{
    struct error err = {""};
    enum run_end end = compare(o, &err);
    if (end == RUN_STOPPED) {
        fputs("grayling: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    if (end != RUN_COMPLETE)
        return command_fail(end == RUN_FAILED ? EXIT_FAILED : EXIT_BAD, &err);
    if (o->output != NULL)
        command_tell("run", o->output);
    printf("%s: %s\n", shown_text(o->path != NULL ? o->path : o->expect),
           o->path != NULL ? "as expected" : "repeated, as expected");
    return EXIT_DONE;
}

/* ---- the command ---- */

int cmd_verify(int argc, char **argv)
{
    struct options o = {.threads = command_threads()};
    int code = read_options(argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.show_help) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    return o.expect != NULL ? expect(&o) : replay(&o);
}
