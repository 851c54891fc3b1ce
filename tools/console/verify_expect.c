#include "verify_expect.h"

#include "command.h"
#include "evidence.h"
#include "output.h"
#include "paths.h"
#include "replay_progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char run_name[] = "run.db";

/* A temporary folder for one run, removed with it. */
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

/* Repeats the run of the evidence in a new store, and compares. */
static enum run_end repeat(const struct expectation *x, const char *store_path, struct error *err)
{
    struct replay_progress p = {.done = "repeated"};
    struct run_observer observer = replay_progress_observer(&p);
    enum run_end end = evidence_repeat(x->evidence, store_path, x->threads, &observer, err);
    progress_end(&p.progress);
    return end == RUN_COMPLETE ? evidence_compare(x->evidence, store_path, err) : end;
}

/* The same in a temporary folder. */
static enum run_end repeat_in_scratch(const struct expectation *x, struct error *err)
{
    struct scratch s;
    if (!make_scratch(&s, err))
        return RUN_REFUSED;
    enum run_end end = repeat(x, s.run, err);
    remove_scratch(&s);
    return end;
}

static enum run_end compare(const struct expectation *x, struct error *err)
{
    if (x->run != NULL)
        return evidence_compare(x->evidence, x->run, err);
    return x->output != NULL ? repeat(x, x->output, err) : repeat_in_scratch(x, err);
}

int verify_expect(const struct expectation *x)
{
    struct error err = {""};
    enum run_end end = compare(x, &err);
    if (end == RUN_STOPPED) {
        fputs("grayling: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    if (end != RUN_COMPLETE)
        return command_fail(end == RUN_FAILED ? EXIT_FAILED : EXIT_BAD, &err);
    if (x->output != NULL)
        output_tell("run", x->output);
    printf("%s: %s\n", x->run != NULL ? x->run : x->evidence,
           x->run != NULL ? "as expected" : "repeated, as expected");
    return EXIT_DONE;
}
