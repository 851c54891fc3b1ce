/* Starts processes: the one place that does. A process begins with all signals at their defaults, none of
 * them blocked, and no descriptor but its three standard streams; a guardian (child.c) has one more. */
#ifndef GRAYLING_LAUNCH_H
#define GRAYLING_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

enum {
    LAUNCH_NULL = -1,      /* a stream: /dev/null */
    LAUNCH_OURS = -2,      /* a stream: that of this process */
    LAUNCH_OUR_GROUP = -1, /* the group of this process, which the terminal's signals reach */
    LAUNCH_NEW_GROUP = 0,  /* a group of its own, whose number is that of the process */
    LAUNCH_CONTROL = 3,    /* the number of `control` in the new process */
};

/* A process to start. Everything is borrowed. */
struct launch {
    const char *file;   /* the program: a path, or a name to be found on the PATH */
    char *const *words; /* the name that it sees, then the arguments; ended by NULL */
    int streams[3];     /* standard input, output and error: descriptors, or as above */
    int control;        /* one more descriptor for it; 0: none */
    pid_t group;        /* a process group, or as above */
};

/* Starts it. Returns 0, or an errno. */
int launch_start(const struct launch *s, pid_t *pid);

/* Waits for a process to end, at most until a time of clock_seconds, and takes its status, as of
 * waitpid. False if it still works then. */
bool launch_ended_by(pid_t pid, double end, int *status);

#endif
