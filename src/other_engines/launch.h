/* Starts processes: the one place that does, alone (launch.c) or under a guardian (guardian.c).
 *
 * A process begins with all signals at their defaults, none of them blocked, and no descriptor but
 * its three standard streams; a guardian has one more. */
#ifndef GRAYLING_LAUNCH_H
#define GRAYLING_LAUNCH_H

#include "error.h"

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
    const char *file;         /* the program: a path, or a name to be found on the PATH */
    char *const *words;       /* the name that it sees, then the arguments; ended by NULL */
    char *const *environment; /* ended by NULL; NULL: that of this process */
    int streams[3];           /* standard input, output and error: descriptors, or as above */
    int control;              /* one more descriptor for it; 0: none */
    pid_t group;              /* a process group, or as above */
};

/* Starts it. Returns 0, or an errno. */
int launch_start(const struct launch *s, pid_t *pid);

/* Waits for a process to end, at most until a time of clock_seconds, and takes its status, as of
 * waitpid. False if it still works then. */
bool launch_ended_by(pid_t pid, double end, int *status);

/* ---- guardians */

/* A guardian: a process of ours that starts one program of others, again and again, and ends all that comes
 * of it.
 *
 *     this program ---- control ----> guardian ----> program ----> whatever it starts
 *
 * The guardian adopts what the program's processes leave behind, also daemons that have left their group
 * and their session. Before it starts the program anew, and when the control socket closes, because this program
 * ends it or is itself killed, it kills its children until none is left. It kills nothing but its own children,
 * which it alone waits for, so that their numbers belong to nobody else. */

/* Zeroed: none. */
struct guardian {
    pid_t pid;
    int control; /* our end of the socket */
    bool ended;  /* the program has; then how, as of waitid */
    int code, status;
};

/* Creates the guardian of a program, which it does not start yet. False, with the reason, if there is none;
 * then there is nothing to destroy. */
bool guardian_create(struct guardian *g, const char *file, char *const words[], struct error *err);

/* Kills what is left of the program, and starts it with three streams, in the guardian's process group. False,
 * with the reason, if it cannot be started. Descriptors are borrowed, and none is below 3. */
bool guardian_start(struct guardian *g, const int streams[3], struct error *err);

/* True if the program has ended; then `code` and `status` say how. */
bool guardian_has_ended(struct guardian *g);

/* Kills the program and all that it has started. A guardian that is gone, or hangs in the kernel, is
 * destroyed. */
void guardian_kill(struct guardian *g);

/* The same, and waits some seconds for the guardian to end. One that hangs in the kernel is left behind. Accepts
 * a zeroed one. */
void guardian_destroy(struct guardian *g);

#endif
