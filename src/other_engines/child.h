/* A child: a process of another program, spoken to in lines over its standard streams.
 *
 *     this program ---- standard input ---->  child, and whatever it starts itself
 *          |      <---- standard output ----    |
 *          |      <---- standard error -----    |
 *          '------- control -------------->  guardian, its parent
 *
 * The guardian ends the child and all that it started, when it is told, or when this program ends, even
 * if that is killed. It starts the child again as often as it is told.
 *
 * Reading and writing wait at most until a time. What the child writes to standard error is read
 * along, and its end kept. Memory is bounded, whatever the child writes. */
#ifndef GRAYLING_CHILD_H
#define GRAYLING_CHILD_H

#include "clock.h"
#include "error.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Bytes: a longer line is cut; output that is kept while we write; what is kept of standard error; how a
 * child ended, in words. */
enum {
    CHILD_LINE_MAX = 65535,
    CHILD_KEPT_MAX = 1 << 24,
    CHILD_COMPLAINTS = 1024,
    CHILD_ENDING = 80
};

struct child;

/* How long to wait. */
struct patience {
    double until; /* a time of clock_seconds; may be infinite */
    const volatile sig_atomic_t
        *stop;                    /* nonzero: no longer; NULL: none. Looked at 20 times a second */
    const atomic_bool *cancelled; /* the same */
};

static inline struct patience patience_for(double seconds)
{
    return (struct patience){.until = clock_seconds() + seconds};
}

/* True if a flag asks for an early end; both may be NULL. */
static inline bool flags_are_set(const volatile sig_atomic_t *stop, const atomic_bool *cancelled)
{
    return (stop != NULL && *stop != 0) || (cancelled != NULL && atomic_load(cancelled));
}

enum child_event {
    CHILD_DONE,    /* what was asked for */
    CHILD_LATE,    /* the time is over */
    CHILD_STOPPED, /* `stop` or `cancelled` is set */
    CHILD_CLOSED,  /* the child has exited, or closed the stream */
};

/* Starts a command (command_line.h). NULL, with the reason, if it cannot be started. */
struct child *child_start(const char *command, struct error *err);

/* Sends a farewell, unless it is NULL, closes the child's standard input, and gives it so many
 * seconds to exit. Then kills it: nothing that it started outlives it. Accepts NULL. */
void child_end(struct child *c, const char *farewell, double seconds);

/* Ends the child like child_end, also one that was killed, and starts the command again: the cost is one
 * process. False, with the reason, if it cannot be started; there is no use in trying again then. */
bool child_restart(struct child *c, const char *farewell, double seconds, struct error *err);

/* Kills the child and what it started at once. Its streams are closed then; its complaints remain. */
void child_kill(struct child *c);

/* Sends text. Meanwhile reads the child's output and keeps it, up to CHILD_KEPT_MAX bytes: a child may answer
 * each line before it reads the next. */
enum child_event child_send(struct child *c, const char *text, size_t length,
                            const struct patience *patience);

/* Reads the next line, without its end. The line is the child's, valid until the next call. */
enum child_event child_read(struct child *c, const char **line, const struct patience *patience);

/* Returns the end of what the child wrote to standard error; "" if nothing. */
const char *child_complaints(const struct child *c);

/* Says in words how a child ended whose stream is closed: "exited with code 1", "was ended by signal
 * 11 (Segmentation fault)", "closed its output". Returns `text`. */
const char *child_ending(struct child *c, char text[CHILD_ENDING]);

#endif
