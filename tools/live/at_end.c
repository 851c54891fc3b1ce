#include "at_end.h"

#include "clock.h"
#include "command_line.h"
#include "format.h"
#include "launch.h"
#include "outcome.h"
#include "status.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a command ---- */

extern char **environ;

/* True if a list of "NAME=value" has the name of this variable. */
static bool has_name(char *const list[], const char *variable)
{
    size_t length = strcspn(variable, "=") + 1;
    for (int i = 0; list[i] != NULL; i++)
        if (strncmp(list[i], variable, length) == 0)
            return true;
    return false;
}

/* The environment with more variables, which take the place of those of the same name; free()
 * releases the list. */
static char **with_variables(char *const more[])
{
    size_t count = 0, room = 1;
    for (char *const *v = environ; *v != NULL; v++)
        room++;
    for (char *const *v = more; *v != NULL; v++)
        room++;
    char **all = malloc(room * sizeof *all);
    if (all == NULL)
        return NULL;
    for (char *const *v = more; *v != NULL; v++)
        all[count++] = *v;
    for (char *const *v = environ; *v != NULL; v++)
        if (!has_name(more, *v))
            all[count++] = *v;
    all[count] = NULL;
    return all;
}

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

bool run_command(const char *command, char *const variables[], double seconds, struct error *err)
{
    char **words = command_words(command, err);
    if (words == NULL)
        return error_prefix(err, "--at-end: ");
    char **environment = with_variables(variables);
    pid_t pid;
    const struct launch command_launch = {.file = words[0],
                                          .words = words,
                                          .environment = environment,
                                          .streams = {LAUNCH_NULL, LAUNCH_OURS, LAUNCH_OURS},
                                          .group = LAUNCH_NEW_GROUP};
    int reason = environment == NULL ? ENOMEM : launch_start(&command_launch, &pid);
    bool good = reason == 0
                    ? wait_for(pid, words[0], seconds, err)
                    : error_set(err, "--at-end: cannot start %s: %s", words[0], strerror(reason));
    free(environment);
    free(words);
    return good;
}

/* ---- its variables ---- */

/* The last run with something to tell: a match with games, or a run with a generation; or NULL. */
static const struct status_run *last_result(const struct status *s)
{
    for (int i = s->run_count - 1; i >= 0; i--)
        if (s->runs[i].is_match ? s->runs[i].games > 0 : s->runs[i].summary.generation >= 0)
            return &s->runs[i];
    return NULL;
}

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

static void describe_result(const struct status *s, char *text, size_t size)
{
    const struct status_run *run = last_result(s);
    if (run == NULL)
        return;
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

/* "NAME=path" of the file beside the run that has this ending; the path is empty if `ending` is NULL. */
static void put_file(char *variable, size_t size, const char *name, const char *store_path,
                     const char *ending)
{
    char path[OUTCOME_PATH];
    bool named = ending != NULL && outcome_path(store_path, ending, path, NULL);
    snprintf(variable, size, "%s=%s", name, named ? path : "");
}

enum { ENDING = STORE_STAGE + 8 };

/* Writes and returns the ending of the parameter file: of a night "-STAGE.yaml" for the last stage
 * that evolved and has ended. NULL if none has. */
static const char *parameters_ending(const struct status *s, char ending[ENDING])
{
    if (!s->is_night)
        return strcpy(ending, ".yaml");
    for (int i = s->night.recipe.stage_count - 1; i >= 0; i--) {
        const struct night_stage *stage = &s->night.recipe.stages[i];
        if (stage->is_match || !night_has_ended(&s->night, stage))
            continue;
        snprintf(ending, ENDING, "-%s.yaml", stage->name);
        return ending;
    }
    return NULL;
}

enum { VARIABLE = OUTCOME_PATH + 32, VARIABLES = 5 };

bool at_end_run(const char *command, const char *store_path, bool written, struct error *err)
{
    static const char best_name[] = "GRAYLING_BEST=";
    struct status s;
    char ending[ENDING], text[VARIABLES][VARIABLE];
    const char *parameters = NULL;
    char *const variables[] = {text[0], text[1], text[2], text[3], text[4], NULL};
    bool read = status_read(store_path, &s, NULL);
    snprintf(text[0], VARIABLE, "GRAYLING_RUN=%s", store_path);
    snprintf(text[1], VARIABLE, "GRAYLING_STATE=%s", read ? run_state_name(s.state) : "failed");
    snprintf(text[2], VARIABLE, "%s", best_name);
    if (read) {
        describe_result(&s, text[2] + sizeof best_name - 1, 512);
        parameters = written ? parameters_ending(&s, ending) : NULL;
        status_free(&s);
    }
    put_file(text[3], VARIABLE, "GRAYLING_PARAMETERS", store_path, parameters);
    put_file(text[4], VARIABLE, "GRAYLING_REPORT", store_path, written ? ".html" : NULL);
    return run_command(command, variables, AT_END_SECONDS, err);
}
