#include "verify_expect.h"

#include "command.h"
#include "evidence.h"
#include "interrupt.h"
#include "paths.h"
#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char run_name[] = "run.db";

/* A folder for one run, which goes with it. */
struct scratch {
    char folder[PATH_SIZE], run[PATH_SIZE + 16];
};

static bool make_scratch(struct scratch *s, struct error *err)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    snprintf(s->folder, sizeof s->folder, "%.960s/grayling-verify-XXXXXX", parent);
    if (mkdtemp(s->folder) == NULL)
        return error_set(err, "cannot make a folder in %s: %s", parent, strerror(errno));
    snprintf(s->run, sizeof s->run, "%s/%s", s->folder, run_name);
    return true;
}

static void remove_scratch(const struct scratch *s)
{
    unlink(s->run);
    rmdir(s->folder);
}

static void begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next)
{
    (void)recipe;
    (void)fitness;
    progress_begin(context, "generation", next - 1);
}

static bool after_generation(void *context, const struct generation_row *row, int generations)
{
    progress_show(context, row->generation, generations, "repeated");
    return true;
}

/* Repeats the run into the scratch folder. */
static enum run_end repeat(const char *evidence, const struct scratch *s, int threads,
                           struct error *err)
{
    struct progress progress = {0};
    struct run_observer observer = {.context = &progress,
                                    .begun = begun,
                                    .generation = after_generation,
                                    .stop = interrupt_watch()};
    progress_wait(&progress, "reading the data");
    enum run_end end = evidence_repeat(evidence, s->run, threads, &observer, err);
    progress_end(&progress);
    return end;
}

/* Repeats the run of the evidence, and compares. */
static enum run_end repeat_and_compare(const char *evidence, int threads, struct error *err)
{
    struct scratch s;
    if (!make_scratch(&s, err))
        return RUN_REFUSED;
    enum run_end end = repeat(evidence, &s, threads, err);
    if (end == RUN_COMPLETE)
        end = evidence_compare(evidence, s.run, err);
    remove_scratch(&s);
    return end;
}

int verify_expect(const char *evidence, const char *run, int threads)
{
    struct error err = {""};
    enum run_end end = run != NULL ? evidence_compare(evidence, run, &err)
                                   : repeat_and_compare(evidence, threads, &err);
    if (end == RUN_STOPPED) {
        fputs("grayling: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    if (end != RUN_COMPLETE)
        return command_fail(end == RUN_FAILED ? EXIT_FAILED : EXIT_BAD, &err);
    printf("%s: %s\n", run != NULL ? run : evidence,
           run != NULL ? "as expected" : "repeated, as expected");
    return EXIT_DONE;
}
