/* grayling verify: replays a run from its seed and compares, or compares it with evidence. grayling check:
 * whether runs are as they were written. */
#include "command.h"

#include "evidence.h"
#include "run.h"
#include "scratch.h"
#include "store.h"
#include "trust.h"

struct options {
    const char *path, *expect, *output; /* NULL: not given */
    int sample, threads;
};

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row option_rows[] = {
    {"sample", "N", AS_NUMBER, AT(sample),
     "measure only N organisms of each generation, including its best; of generations that are "
     "measured as a whole (games, or fitness.batch) only so many in proportion",
     1, POPULATION_MAX},
    {"expect", "EVIDENCE.yaml", AS_TEXT, AT(expect), "evidence that the run must match"},
    {"output", "RUN.db", AS_TEXT, AT(output),
     "keep the repeated run (default: a temporary folder, TMPDIR or /tmp)", .letter = 'o'},
    OPTION_THREADS(AT(threads)),
    OPTION_TRUST("start the engine of somebody else's run"),
    {0}};

static const struct command verify = {
    "verify",
    "usage: grayling verify RUN.db [--sample N] [--threads N]\n"
    "       grayling verify RUN.db --expect EVIDENCE.yaml\n"
    "       grayling verify --expect EVIDENCE.yaml [-o RUN.db] [--threads N]\n\n"
    "Replays a run from its seed and compares it with the stored one: each population\n"
    "must follow from the one before it, and each organism must measure the same.\n"
    "Stops at the first difference with exit code 1, and names its generation and\n"
    "organism. With --expect, compares recipe, organisms and outcome with an evidence\n"
    "file, which 'grayling export --format evidence' writes. Without RUN.db, repeats\n"
    "the run of that file first.\n",
    option_rows,
    "  grayling verify paper-seed1.db --sample 5\n"
    "  grayling verify --expect docs/runs/paper-seed1.evidence.yaml\n",
    {"RUN.db", "one run", 0, 1}};

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

/* An observer that shows each generation and stops when the user interrupts. The caller ends p->progress. */
static struct run_observer observer_of(struct replay_progress *p)
{
    progress_wait(&p->progress, "reading the data");
    return (struct run_observer){
        .context = p, .begun = begun, .generation = after_generation, .stop = interrupt_watch()};
}

/* Reports a replay that did not end. Returns the exit code. */
static int fail(enum run_end end, const struct error *err)
{
    const struct error stopped = {""};
    return command_fail(end == RUN_FAILED ? EXIT_FAILED : EXIT_BAD,
                        end == RUN_STOPPED ? &stopped : err);
}

static int replay(const struct options *o)
{
    struct error err = {""};
    struct run_verified verified;
    struct replay_progress p = {.done = "as stored"};
    if (!trust_run(o->path, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = observer_of(&p);
    enum run_end end = run_verify(o->path, o->sample, o->threads, &observer, &verified, &err);
    progress_end(&p.progress);
    if (end != RUN_COMPLETE)
        return fail(end, &err);
    char generations[COUNTED_MAX], number[COUNT_MAX], genomes[COUNTED_MAX];
    printf("%s: as stored\n", shown_text(o->path));
    printf("  %s: all %s organisms follow from those before them\n",
           format_things(verified.generations, "generation", generations),
           format_count(verified.organisms, number));
    printf("  %s measured again, %s of them on held-out data too\n",
           format_things(verified.measured, "genome", genomes),
           format_count(verified.held_out, number));
    return EXIT_DONE;
}

static enum run_end repeat(const struct options *o, const char *store_path, struct error *err)
{
    struct replay_progress p = {.done = "repeated"};
    struct run_observer observer = observer_of(&p);
    enum run_end end =
        evidence_repeat(o->expect, store_path, o->threads, trust_recipe, &observer, err);
    progress_end(&p.progress);
    return end == RUN_COMPLETE ? evidence_compare(o->expect, store_path, err) : end;
}

static int expect(const struct options *o)
{
    struct error err = {""};
    struct scratch s;
    enum run_end end = RUN_REFUSED;
    if (o->path != NULL)
        end = evidence_compare(o->expect, o->path, &err);
    else if (o->output != NULL)
        end = repeat(o, o->output, &err);
    else if (scratch_make(&s, &err)) {
        end = repeat(o, s.run, &err);
        scratch_remove(&s);
    }
    if (end != RUN_COMPLETE)
        return fail(end, &err);
    if (o->output != NULL)
        command_tell("run", o->output);
    printf("%s: %s\n", shown_text(o->path != NULL ? o->path : o->expect),
           o->path != NULL ? "as expected" : "repeated, as expected");
    return EXIT_DONE;
}

int cmd_verify(int argc, char **argv)
{
    struct options o = {.path = NULL};
    int code = options_read(&verify, &argc, &argv, &o);
    if (code != OPTIONS_READ)
        return code;
    if (argc == 0 && o.expect == NULL)
        return command_misuse("verify", "expected one run, not 0");
    if (o.expect != NULL && o.sample > 0)
        return command_misuse("verify", "--sample is for a replay; --expect compares everything");
    if (o.output != NULL && (o.expect == NULL || argc == 1))
        return command_misuse("verify", "--output is for a run that --expect repeats");
    o.path = argv[0];
    return o.expect != NULL ? expect(&o) : replay(&o);
}

static const struct command check = {
    "check",
    "usage: grayling check RUN.db...\n\n"
    "Reads each run whole: the checksum of each page, the structure of the file, and\n"
    "that nothing is missing to which a row refers. Every other command checks what\n"
    "it reads. The exit code is 2 if a run is damaged, or if another program wrote to\n"
    "it, because its checksums are of what was there before. 'grayling resume' renews\n"
    "them; 'grayling verify' replays the run.\n",
    NULL,
    "example:\n  grayling check runs/night.db\n",
    {"RUN.db", "runs", 1, OPERANDS_ANY}};

static int check_one(const char *path)
{
    struct error err;
    struct store_check found;
    char pages[COUNTED_MAX], runs[COUNTED_MAX];
    if (!store_check(path, &found, &err))
        return command_fail(EXIT_BAD, &err);
    format_things(found.runs, "run", runs);
    format_things(found.pages, "page", pages);
    if (found.broken) {
        error_set(
            &err,
            "%s cannot be checked: another program wrote to it, so its checksums say nothing; "
            "its structure, %s of %s, is in order; 'grayling resume' renews the checksums",
            path, runs, pages);
        return command_fail(EXIT_BAD, &err);
    }
    printf("%s: sound, %s of %s, each with its checksum\n", shown_text(path), runs, pages);
    return EXIT_DONE;
}

int cmd_check(int argc, char **argv)
{
    int code = options_read(&check, &argc, &argv, NULL);
    if (code != OPTIONS_READ)
        return code;
    code = EXIT_DONE;
    for (int i = 0; i < argc; i++)
        if (check_one(argv[i]) != EXIT_DONE)
            code = EXIT_BAD;
    return code;
}
