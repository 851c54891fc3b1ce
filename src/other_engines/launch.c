#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np */
#include "launch.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { STREAMS = LAUNCH_CONTROL, LOOK_NANOSECONDS = 5000000 };

int launch_start(const struct launch *s, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    for (int i = 0; failed == 0 && i < STREAMS; i++) {
        if (s->streams[i] == LAUNCH_NULL)
            failed = posix_spawn_file_actions_addopen(&actions, i, "/dev/null",
                                                      i == 0 ? O_RDONLY : O_WRONLY, 0);
        else if (s->streams[i] != LAUNCH_OURS)
            failed = posix_spawn_file_actions_adddup2(&actions, s->streams[i], i);
    }
    if (failed == 0 && s->control > 0)
        failed = posix_spawn_file_actions_adddup2(&actions, s->control, LAUNCH_CONTROL);
    if (failed == 0)
        failed = posix_spawn_file_actions_addclosefrom_np(&actions, STREAMS + (s->control > 0));
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    if (s->group != LAUNCH_OUR_GROUP) {
        flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setpgroup(&attributes, s->group);
    }
    posix_spawnattr_setflags(&attributes, flags);
    if (failed == 0)
        failed = posix_spawnp(pid, s->file, &actions, &attributes, s->words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

bool launch_ended_by(pid_t pid, double end, int *status)
{
    const struct timespec look = {.tv_nsec = LOOK_NANOSECONDS};
    for (;;) {
        pid_t found = waitpid(pid, status, WNOHANG);
        if (found == pid || (found < 0 && errno != EINTR))
            return true;
        if (clock_seconds() >= end)
            return false;
        nanosleep(&look, NULL);
    }
}
