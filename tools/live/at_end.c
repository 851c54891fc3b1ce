#include "live_page.h"

#include "clock.h"
#include "command_line.h"
#include "format.h"
#include "launch.h"
#include "outcome.h"
#include "status.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a command ---- */

/* Waits for the command, and ends it when its time is over. */
static bool wait_for(pid_t pid, const char *name, double seconds, struct error *err)
{
    int status = 0;
    if (!launch_ended_by(pid, clock_seconds() + seconds, &status)) {
        kill(-pid, SIGTERM);
        if (!launch_ended_by(pid, clock_seconds() + 1, &status)) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
        }
        return error_set(err, "--at-end: %s took longer than %g seconds, and was ended", name,
                         seconds);
    }
    if (WIFSIGNALED(status))
        return error_set(err, "--at-end: %s was ended by signal %d", name, WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ||
           error_set(err, "--at-end: %s failed with exit code %d", name, WEXITSTATUS(status));
}

/* ---- its variables ---- */

/* "31.52 % in training, 30.32 % held out" */
static void describe_best(const struct run_summary *r, char *text, size_t size)
{
    char train[FORMAT_MAX], held_out[FORMAT_MAX];
    const struct generation_row *row = &r->rows[r->best_generation];
    if (run_gain_known(&r->gain)) {
        snprintf(text, size, "%s", run_gain_text(&r->gain, (char[RUN_GAIN_TEXT]){0}));
        return;
    }
    int used = snprintf(text, size, "%s %s",
                        objective_brief(r->value, (double)row->measure, r->train_size, train),
                        r->value->words->train);
    if (row->held_out != NOT_MEASURED)
        snprintf(text + used, size - (size_t)used, ", %s %s",
                 objective_brief(r->value, (double)row->held_out, r->held_out_size, held_out),
                 r->value->words->held_out);
}

/* Describes the last run with something to tell: a match with games, or a run with a generation. */
static void describe_result(const struct status *s, char *text, size_t size)
{
    int last = s->run_count - 1;
    while (last >= 0 && (s->runs[last].is_match ? s->runs[last].games == 0
                                                : s->runs[last].summary.generation < 0))
        last--;
    if (last < 0)
        return;
    const struct status_run *run = &s->runs[last];
    if (!run->is_match) {
        describe_best(&run->summary, text, size);
        return;
    }
    const struct night_stage *stage = run->of->stage;
    const struct elo_estimate e = elo_estimate(&run->pairings[0].counts);
    char elo[FORMAT_MAX], range[FORMAT_MAX];
    snprintf(text, size, "%s against %s %s Elo (%s)", stage->players[run->pairings[0].a].name,
             stage->players[run->pairings[0].b].name, elo_signed(e.elo, 1, elo),
             elo_range(&e, 1, range));
}

/* The parameter file: of a night that of the last stage that evolved and has ended. False if none has. */
static bool parameters_path(const char *store_path, const struct status *s, char path[OUTCOME_PATH])
{
    if (!s->is_night)
        return outcome_path(store_path, ".yaml", path, NULL);
    for (int i = s->night.recipe.stage_count - 1; i >= 0; i--) {
        const struct night_stage *stage = &s->night.recipe.stages[i];
        if (!stage->is_match && night_has_ended(&s->night, stage))
            return outcome_path_of_stage(store_path, stage, path, NULL);
    }
    return false;
}

bool at_end_run(const char *command, const char *store_path, bool written, double seconds,
                struct error *err)
{
    struct status s;
    char parameters[OUTCOME_PATH] = "", report[OUTCOME_PATH] = "", best[512] = "";
    const bool read = status_read(store_path, &s, NULL);
    setenv("GRAYLING_RUN", store_path, 1);
    setenv("GRAYLING_STATE", read ? run_state_name(s.state) : "failed", 1);
    if (read) {
        describe_result(&s, best, sizeof best);
        if (written && !parameters_path(store_path, &s, parameters))
            parameters[0] = '\0';
        status_free(&s);
    }
    setenv("GRAYLING_BEST", best, 1);
    setenv("GRAYLING_PARAMETERS", parameters, 1);
    setenv("GRAYLING_REPORT",
           written && outcome_path(store_path, ".html", report, NULL) ? report : "", 1);
    char **words = command_words(command, err);
    if (words == NULL)
        return error_prefix(err, "--at-end: ");
    pid_t pid;
    const struct launch launch = {.file = words[0],
                                  .words = words,
                                  .streams = {LAUNCH_NULL, LAUNCH_OURS, LAUNCH_OURS},
                                  .group = LAUNCH_NEW_GROUP};
    const int reason = launch_start(&launch, &pid);
    const bool good =
        reason == 0 ? wait_for(pid, words[0], seconds, err)
                    : error_set(err, "--at-end: cannot start %s: %s", words[0], strerror(reason));
    free(words);
    return good;
}
