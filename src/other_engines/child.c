#define _GNU_SOURCE /* pipe2 */
#include "child.h"

#include "clock.h"
#include "command_line.h"
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often the flags of a wait are looked at, and whether a process has exited. */
#define FLAGS_SECONDS 0.05
#define LOOK_SECONDS  0.002
/* How long a child that closed its output is given to exit, so that the reason can be told. */
#define EXIT_SECONDS 1.0

/* The most that a pipe holds, in reads of standard error: what a child left there. */
enum { CLOSED = -1, FIRST_FREE = 3, READ_SIZE = 4096, COMPLAINTS_LEFT = 256 };

/* Bytes of the buffer: the longest line with its end, and the most that is kept while writing. */
enum { BUFFER_SIZE = CHILD_LINE_MAX + 1, BUFFER_MAX = CHILD_KEPT_MAX };

struct child {
    struct guardian guardian;
    int in, out, err; /* our ends of the pipes; CLOSED */
    char *buffer;     /* what was read, from `begin` on, `length` bytes */
    size_t room;      /* of the buffer: BUFFER_SIZE, and more after a long dialogue while writing */
    size_t begin, length; /* begin + length <= room */
    size_t scanned;       /* of these bytes hold no end of a line */
    bool skipping;        /* the rest of a line that was cut */
    double looked;        /* when the streams were last looked at */
    char complaints[CHILD_COMPLAINTS + 1];
    size_t complaint_length;
};

/* ---- starting ---- */

static void close_end(int *end)
{
    if (*end != CLOSED)
        close(*end);
    *end = CLOSED;
}

/* Creates a pipe that processes do not inherit. Neither end is a standard stream, even if this
 * program was started without some. */
static bool make_pipe(int ends[2], struct error *err)
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = CLOSED;
        return error_set(err, "no pipe: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++)
        if (ends[i] < FIRST_FREE) {
            int higher = fcntl(ends[i], F_DUPFD_CLOEXEC, FIRST_FREE);
            close_end(&ends[i]);
            ends[i] = higher < 0 ? CLOSED : higher;
        }
    return (ends[0] != CLOSED && ends[1] != CLOSED) || error_set(err, "no pipe");
}

/* Creates the three pipes: the child's ends, and ours, at which we never wait. */
static bool make_pipes(struct child *c, int theirs[3], struct error *err)
{
    int *ours[3] = {&c->in, &c->out, &c->err};
    for (int i = 0; i < 3; i++) {
        int ends[2];
        bool made = make_pipe(ends, err);
        theirs[i] = ends[i == 0 ? 0 : 1];
        *ours[i] = ends[i == 0 ? 1 : 0];
        if (!made)
            return false;
        fcntl(*ours[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

/* Starts the program with new pipes. */
static bool start_program(struct child *c, struct error *err)
{
    int theirs[3] = {CLOSED, CLOSED, CLOSED};
    bool good = make_pipes(c, theirs, err) && guardian_start(&c->guardian, theirs, err);
    for (int i = 0; i < 3; i++)
        close_end(&theirs[i]);
    return good;
}

struct child *child_start(const char *command, struct error *err)
{
    char file[PROGRAM_PATH];
    char **words = command_words(command, err);
    struct child *c = words == NULL ? NULL : calloc(1, sizeof *c);
    bool good = c != NULL && (c->buffer = malloc(BUFFER_SIZE)) != NULL;
    if (!good && words != NULL)
        error_set(err, "no memory for a process");
    if (good) {
        c->room = BUFFER_SIZE;
        c->in = c->out = c->err = CLOSED;
        good = program_find(words[0], file, err) &&
               guardian_create(&c->guardian, file, words, err) &&
               (start_program(c, err) || error_prefix(err, "%s: ", words[0]));
    }
    free(words);
    if (good)
        return c;
    child_end(c, NULL, 0);
    return NULL;
}

/* ---- waiting ---- */

/* Keeps the end of what the child wrote to standard error. */
static void keep_complaint(struct child *c, const char *text, size_t length)
{
    if (length > CHILD_COMPLAINTS) {
        text += length - CHILD_COMPLAINTS;
        length = CHILD_COMPLAINTS;
    }
    size_t room = CHILD_COMPLAINTS - c->complaint_length;
    size_t lost = length > room ? length - room : 0;
    memmove(c->complaints, c->complaints + lost, c->complaint_length - lost);
    memcpy(c->complaints + c->complaint_length - lost, text, length);
    c->complaint_length += length - lost;
    c->complaints[c->complaint_length] = '\0';
}

/* Reads some of standard error. False if there is nothing. */
static bool read_complaints(struct child *c)
{
    char text[READ_SIZE];
    ssize_t n = read(c->err, text, sizeof text);
    if (n > 0)
        keep_complaint(c, text, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        close_end(&c->err);
    return n > 0;
}

/* Makes room for output. While we write, the buffer grows: a child that answers each line, and whose
 * answers nobody reads, stops reading. False if it is full. */
static bool make_room(struct child *c, bool writing)
{
    if (c->begin + c->length < c->room)
        return true;
    memmove(c->buffer, c->buffer + c->begin, c->length);
    c->begin = 0;
    if (c->length == c->room && writing && c->room < BUFFER_MAX) {
        char *larger = realloc(c->buffer, 2 * c->room);
        c->buffer = larger != NULL ? larger : c->buffer;
        c->room = larger != NULL ? 2 * c->room : c->room;
    }
    return c->length < c->room;
}

/* Reads what there is of standard output, as far as the buffer has room. */
static void read_output(struct child *c)
{
    char *end = c->buffer + c->begin + c->length;
    ssize_t n = read(c->out, end, c->room - c->begin - c->length);
    if (n > 0)
        c->length += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        close_end(&c->out);
}

/* Closes our end of the output of a child that has exited, even if a process that it started holds
 * the other end open. */
static void close_after_exit(struct child *c)
{
    if (c->out != CLOSED && guardian_has_ended(&c->guardian))
        close_end(&c->out);
}

/* Waits until a stream is ready, for a moment at most, and reads. CHILD_DONE says no more than that
 * waiting may go on. Looks once more when the time is over: this program may have been stopped (SIGSTOP)
 * while the answer came. */
static enum child_event wait_for_streams(struct child *c, bool writing, const struct patience *p)
{
    bool room = make_room(c, writing);
    struct pollfd ready[] = {{.fd = c->err, .events = POLLIN},
                             {.fd = room ? c->out : CLOSED, .events = POLLIN},
                             {.fd = writing ? c->in : CLOSED, .events = POLLOUT}};
    if (flags_are_set(p->stop, p->cancelled))
        return CHILD_STOPPED;
    if (c->looked >= p->until)
        return CHILD_LATE;
    c->looked = clock_seconds();
    double left = fmax(p->until - c->looked, 0);
    int count = poll(ready, 3, (int)ceil(1000 * fmin(left, FLAGS_SECONDS)));
    if (count == 0)
        close_after_exit(c);
    if (count <= 0)
        return CHILD_DONE;
    if (ready[0].revents != 0)
        read_complaints(c);
    if (ready[1].revents != 0)
        read_output(c);
    return CHILD_DONE;
}

/* ---- communication ---- */

/* Writes without the signal SIGPIPE, which a child that has exited would cause. */
static ssize_t write_quietly(int file, const char *text, size_t length)
{
    const struct timespec now = {0};
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t n = write(file, text, length);
    int failed = errno;
    if (n < 0 && failed == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe_signal, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failed;
    return n;
}

enum child_event child_send(struct child *c, const char *text, size_t length,
                            const struct patience *patience)
{
    while (c->in != CLOSED && c->out != CLOSED) {
        ssize_t n = write_quietly(c->in, text, length);
        if (n >= 0) {
            text += n;
            length -= (size_t)n;
        } else if (errno != EAGAIN && errno != EINTR) {
            close_end(&c->in);
            break;
        }
        if (length == 0)
            return CHILD_DONE;
        enum child_event event = wait_for_streams(c, true, patience);
        if (event != CHILD_DONE)
            return event;
    }
    return CHILD_CLOSED;
}

/* Forgets the first bytes of the buffer. */
static void consume(struct child *c, size_t count)
{
    c->length -= count;
    c->begin = c->length == 0 ? 0 : c->begin + count;
    c->scanned = 0;
}

/* Takes a line out of the buffer. False if there is no complete one; the rest of one that is too long
 * is skipped later. */
static bool take_line(struct child *c, const char **line)
{
    char *start = c->buffer + c->begin;
    size_t most = c->length < BUFFER_SIZE ? c->length : BUFFER_SIZE;
    char *end = memchr(start + c->scanned, '\n', most - c->scanned);
    if (end == NULL && most < BUFFER_SIZE) {
        c->scanned = most;
        return false;
    }
    size_t length = end == NULL ? CHILD_LINE_MAX : (size_t)(end - start);
    bool skipped = c->skipping;
    start[length] = '\0';
    if (length > 0 && start[length - 1] == '\r')
        start[length - 1] = '\0';
    c->skipping = end == NULL;
    consume(c, end == NULL ? length : length + 1);
    *line = start;
    return !skipped;
}

enum child_event child_read(struct child *c, const char **line, const struct patience *patience)
{
    for (;;) {
        while (c->length > c->scanned)
            if (take_line(c, line))
                return CHILD_DONE;
        if (c->out == CLOSED)
            return CHILD_CLOSED;
        enum child_event event = wait_for_streams(c, false, patience);
        if (event != CHILD_DONE)
            return event;
    }
}

/* ---- the end ---- */

/* Waits until the child has exited, and drops what it writes. False if it has not in time. */
static bool wait_for_exit(struct child *c, double seconds)
{
    const struct timespec look = {.tv_nsec = (long)(1e9 * LOOK_SECONDS)};
    double end = clock_seconds() + seconds;
    while (!guardian_has_ended(&c->guardian)) {
        double now = clock_seconds();
        const struct patience moment = {.until = fmin(end, now + LOOK_SECONDS)};
        if (now >= end)
            return false;
        consume(c, c->length);
        if (c->out == CLOSED)
            nanosleep(&look, NULL);
        else
            wait_for_streams(c, false, &moment);
    }
    return true;
}

const char *child_ending(struct child *c, char text[CHILD_ENDING])
{
    bool exited = wait_for_exit(c, EXIT_SECONDS);
    for (int i = 0; i < COMPLAINTS_LEFT && c->err != CLOSED && read_complaints(c); i++)
        continue;
    if (!exited)
        snprintf(text, CHILD_ENDING, "closed its output");
    else if (c->guardian.code == CLD_EXITED)
        snprintf(text, CHILD_ENDING, "exited with code %d", c->guardian.status);
    else
        snprintf(text, CHILD_ENDING, "was ended by signal %d (%.40s)", c->guardian.status,
                 strsignal(c->guardian.status));
    return text;
}

const char *child_complaints(const struct child *c)
{
    return c->complaints;
}

static void close_ends(struct child *c)
{
    close_end(&c->in);
    close_end(&c->out);
    close_end(&c->err);
}

/* Lets the child exit by itself, within so many seconds. */
static void dismiss(struct child *c, const char *farewell, double seconds)
{
    const struct patience patience = {.until = clock_seconds() + seconds};
    if (farewell != NULL)
        child_send(c, farewell, strlen(farewell), &patience);
    close_end(&c->in);
    wait_for_exit(c, seconds);
    close_ends(c);
}

void child_kill(struct child *c)
{
    guardian_kill(&c->guardian);
    close_ends(c);
}

bool child_restart(struct child *c, const char *farewell, double seconds, struct error *err)
{
    dismiss(c, farewell, seconds);
    c->begin = c->length = c->scanned = c->complaint_length = 0;
    c->skipping = false;
    c->complaints[0] = '\0';
    return start_program(c, err);
}

void child_end(struct child *c, const char *farewell, double seconds)
{
    if (c == NULL)
        return;
    if (c->guardian.pid > 0)
        dismiss(c, farewell, seconds);
    guardian_destroy(&c->guardian);
    free(c->buffer);
    free(c);
}
