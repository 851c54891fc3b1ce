#include "run_command.h"

#include "clock.h"
#include "command_line.h"
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
