#include "verify_expect.h"

#include "command.h"
#include "evidence.h"
#include "foreign_text.h"
#include "output.h"
#include "replay_progress.h"
#include "scratch.h"
#include "trust.h"

/* Repeats the run of the evidence in a new store, and compares. */
static enum run_end repeat(const struct expectation *x, const char *store_path, struct error *err)
{
    struct replay_progress p = {.done = "repeated"};
    struct run_observer observer = replay_progress_observer(&p);
    enum run_end end =
        evidence_repeat(x->evidence, store_path, x->threads, trust_recipe, &observer, err);
    progress_end(&p.progress);
    return end == RUN_COMPLETE ? evidence_compare(x->evidence, store_path, err) : end;
}

/* The same in a temporary folder. */
static enum run_end repeat_in_scratch(const struct expectation *x, struct error *err)
{
    struct scratch s;
    if (!scratch_make(&s, err))
        return RUN_REFUSED;
    enum run_end end = repeat(x, s.run, err);
    scratch_remove(&s);
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
        command_tell("run", x->output);
    printf("%s: %s\n", shown_text(x->run != NULL ? x->run : x->evidence),
           x->run != NULL ? "as expected" : "repeated, as expected");
    return EXIT_DONE;
}
