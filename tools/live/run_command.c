#include "run_command.h"

#include "clock.h"
#include "command_words.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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

/* Starts a command in a process group of its own. Returns 0, or an errno. */
static int start(char **words, char **environment, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    int reason = posix_spawnp(pid, words[0], &files, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return reason;
}

/* Waits for a process until a time of the monotonic clock. False if it still works then. */
static bool ended_by(pid_t pid, double end, int *status)
{
    const struct timespec look = {.tv_nsec = 20000000};
    for (;;) {
        pid_t found = waitpid(pid, status, WNOHANG);
        if (found == pid || (found < 0 && errno != EINTR))
            return true;
        if (clock_seconds() >= end)
            return false;
        nanosleep(&look, NULL);
    }
}

/* Waits for the command, and ends it when its time is over. */
static bool wait_for(pid_t pid, const char *name, double seconds, struct error *err)
{
    int status = 0;
    if (!ended_by(pid, clock_seconds() + seconds, &status)) {
        kill(-pid, SIGTERM);
        if (!ended_by(pid, clock_seconds() + 1, &status)) {
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
    int reason = environment == NULL ? ENOMEM : start(words, environment, &pid);
    bool good = reason == 0
                    ? wait_for(pid, words[0], seconds, err)
                    : error_set(err, "--at-end: cannot start %s: %s", words[0], strerror(reason));
    free(environment);
    free(words);
    return good;
}
