#define _GNU_SOURCE /* pipe2, F_DUPFD_CLOEXEC */
#include "child.h"

#include "clock.h"
#include "command_line.h"
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often the flags of a wait are looked at, and whether a process has exited. */
#define FLAGS_SECONDS 0.05
#define LOOK_SECONDS  0.002
/* How long a child that closed its output is given to exit, so that the reason can be told. */
#define EXIT_SECONDS 1.0
/* How long a guardian is waited for: until it has started the program, and after all has been killed. */
#define START_SECONDS 60.0
#define END_SECONDS   2.0

enum {
    CLOSED = -1,
    READ_SIZE = 4096,
    COMPLAINTS_LEFT = 256,            /* the most that a pipe holds, in reads of standard error */
    BUFFER_SIZE = CHILD_LINE_MAX + 1, /* the longest line with its end */
};

struct child {
    pid_t guardian; /* 0: none */
    int control;    /* our end of its socket */
    bool ended;     /* the program has; then how, as of waitid */
    int code, status;
    int in, out, err; /* our ends of the pipes; CLOSED */
    char *buffer;     /* what was read, from `begin` on, `length` bytes */
    size_t room;      /* of the buffer: BUFFER_SIZE, and more after a long dialogue while writing */
    size_t begin, length; /* begin + length <= room */
    size_t scanned;       /* of these bytes hold no end of a line */
    bool skipping;        /* the rest of a line that was cut */
    double looked;        /* when the streams were last looked at */
    char complaints[CHILD_COMPLAINTS + READ_SIZE + 1];
    size_t complaint_length;
};

/* ---- the guardian ---- */

/* A process of ours that starts one program of others, again and again, and ends all that comes of it.
 *
 *     this program ---- control ----> guardian ----> program ----> whatever it starts
 *
 * It adopts what the program's processes leave behind, also daemons that have left their group and their
 * session. Before it starts the program anew, and when the control socket closes, because this program ends
 * it or is itself killed, it kills its children until none is left. It kills nothing but its own children,
 * which it alone waits for, so that their numbers belong to nobody else. */

/* What the guardian says: that an order is carried out, or how the program has ended. */
struct report {
    int failed;       /* an errno of the start, or 0 */
    int code, status; /* as of waitid; code 0: an order is carried out */
};

/* An order: end what there is, and start the program with the streams that come along, if they do. */
struct order {
    struct msghdr header;
    struct iovec iov;
    char byte;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int[3]))];
};

static const char name[] = "grayling-guardian";

static void order_init(struct order *o)
{
    *o = (struct order){.byte = 0};
    o->iov = (struct iovec){&o->byte, 1};
    o->header = (struct msghdr){.msg_iov = &o->iov,
                                .msg_iovlen = 1,
                                .msg_control = o->control,
                                .msg_controllen = sizeof o->control};
}

/* Collects children that have ended, and reports the program. False if no child is left. */
static bool collect(pid_t program)
{
    siginfo_t how;
    for (;;) {
        how.si_pid = 0;
        if (waitid(P_ALL, 0, &how, WEXITED | WNOHANG) != 0)
            return errno != ECHILD;
        if (how.si_pid == 0)
            return true;
        const struct report report = {.code = how.si_code, .status = how.si_status};
        if (how.si_pid == program)
            send(LAUNCH_CONTROL, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

/* Kills the present children; all of our group, us too, where the kernel does not list them. */
static void kill_children(void)
{
    char path[64];
    long pid;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *children = fopen(path, "r");
    if (children == NULL)
        kill(0, SIGKILL);
    while (children != NULL && fscanf(children, "%ld", &pid) == 1)
        kill((pid_t)pid, SIGKILL);
    if (children != NULL)
        fclose(children);
}

/* Kills children until none is left: those of a child that is killed become our own. */
static void end_all(void)
{
    siginfo_t how;
    while (collect(0)) {
        kill_children();
        waitid(P_ALL, 0, &how, WEXITED | WNOWAIT);
    }
}

/* Carries out orders, and collects children meanwhile, until the control socket is closed. The words are the
 * file's name and the program's own. */
static void serve(char *const *words)
{
    sigset_t child;
    pid_t program = 0;
    struct order order;
    struct launch launch = {.file = words[0], .words = words + 1, .group = LAUNCH_OUR_GROUP};
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const int child_signals = signalfd(-1, &child, SFD_CLOEXEC);
    for (;;) {
        struct report report = {.failed = 0};
        struct signalfd_siginfo signal_info;
        struct pollfd ready[] = {{.fd = LAUNCH_CONTROL, .events = POLLIN},
                                 {.fd = child_signals, .events = POLLIN}};
        while (ready[0].revents == 0) {
            poll(ready, 2, -1);
            if (ready[1].revents != 0 && read(child_signals, &signal_info, sizeof signal_info) > 0)
                collect(program);
        }
        order_init(&order);
        if (recvmsg(LAUNCH_CONTROL, &order.header, MSG_CMSG_CLOEXEC) <= 0)
            break;
        end_all();
        const struct cmsghdr *along = CMSG_FIRSTHDR(&order.header);
        if (along != NULL && along->cmsg_len == CMSG_LEN(sizeof launch.streams)) {
            memcpy(launch.streams, CMSG_DATA(along), sizeof launch.streams);
            report.failed = launch_start(&launch, &program);
            for (int i = 0; i < 3; i++)
                close(launch.streams[i]);
        }
        send(LAUNCH_CONTROL, &report, sizeof report, MSG_NOSIGNAL);
    }
}

/* Is the guardian, if this program was started as such: our own program is the one that is there for certain, and a
 * guardian by fork alone would hold on to its memory. Signals are blocked, not ignored, so that the program starts
 * with all of them. The words are hidden: whoever looks for the program's process by them does not mean this one. */
__attribute__((constructor)) static void guard(int argc, char **argv)
{
    sigset_t all;
    if (argc < 3 || strcmp(argv[0], name) != 0)
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, name);
    for (int i = 1; i < argc; i++) {
        char *shown = argv[i];
        if ((argv[i] = strdup(shown)) == NULL)
            _exit(1);
        memset(shown, '\0', strlen(shown));
    }
    serve(argv + 1);
    end_all();
    _exit(0);
}

/* ---- orders to the guardian ---- */

/* Hears what the guardian says. False if it is late, or gone. */
static bool hear(const struct child *c, double seconds, struct report *report)
{
    struct pollfd ready = {.fd = c->control, .events = POLLIN};
    while (poll(&ready, 1, (int)(1000 * seconds)) < 0 && errno == EINTR)
        continue;
    return recv(c->control, report, sizeof *report, MSG_DONTWAIT) == (ssize_t)sizeof *report;
}

/* Gives an order, and hears how it went. False if the guardian is late, or gone. */
static bool give(struct child *c, const int streams[3], double seconds, struct report *report)
{
    struct order order;
    order_init(&order);
    if (streams == NULL)
        order.header.msg_controllen = 0;
    else {
        struct cmsghdr *along = CMSG_FIRSTHDR(&order.header);
        along->cmsg_level = SOL_SOCKET;
        along->cmsg_type = SCM_RIGHTS;
        along->cmsg_len = CMSG_LEN(3 * sizeof *streams);
        memcpy(CMSG_DATA(along), streams, 3 * sizeof *streams);
    }
    bool heard = c->guardian > 0 && sendmsg(c->control, &order.header, MSG_NOSIGNAL) == 1;
    do
        heard = heard && hear(c, seconds, report);
    while (heard && report->code != 0); /* the program ends by itself at this moment */
    return heard;
}

/* Kills the program and all that it has started, and waits some seconds for the guardian to end. One that
 * hangs in the kernel is left behind. */
static void end_guardian(struct child *c)
{
    int status;
    if (c->control > 0)
        close(c->control);
    if (c->guardian > 0) {
        kill(c->guardian, SIGCONT);
        launch_ended_by(c->guardian, clock_seconds() + END_SECONDS, &status);
    }
    c->control = c->guardian = 0;
}

/* True if the program has ended; then `code` and `status` say how. */
static bool has_ended(struct child *c)
{
    struct report report = {.code = CLD_KILLED, .status = SIGKILL}; /* with its guardian */
    struct pollfd ready = {.fd = c->control, .events = POLLIN};
    if (c->ended || poll(&ready, 1, 0) <= 0)
        return c->ended;
    hear(c, 0, &report);
    c->ended = true;
    c->code = report.code;
    c->status = report.status;
    return true;
}

/* ---- starting ---- */

static void close_end(int *end)
{
    if (*end != CLOSED)
        close(*end);
    *end = CLOSED;
}

/* Moves two descriptors beyond the standard streams, which may be closed in this program. */
static bool lift(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        const int higher = fcntl(ends[i], F_DUPFD_CLOEXEC, LAUNCH_CONTROL);
        close(ends[i]);
        ends[i] = higher < 0 ? CLOSED : higher;
    }
    return ends[0] != CLOSED && ends[1] != CLOSED;
}

/* Starts the guardian of a program, which it does not start yet. Returns 0, or an errno. */
static int start_guardian(struct child *c, const char *file, char *const words[])
{
    int ends[2] = {CLOSED, CLOSED};
    size_t count = 1;
    while (words[count - 1] != NULL)
        count++;
    const char **all = malloc((count + 2) * sizeof *all);
    if (all == NULL)
        return ENOMEM;
    all[0] = name;
    all[1] = file;
    memcpy(all + 2, words, count * sizeof *all);
    int failed =
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 || !lift(ends) ? errno : 0;
    const struct launch launch = {.file = "/proc/self/exe",
                                  .words = (char *const *)(uintptr_t)all,
                                  .streams = {LAUNCH_NULL, LAUNCH_NULL, LAUNCH_NULL},
                                  .control = ends[1],
                                  .group = LAUNCH_NEW_GROUP};
    if (failed == 0)
        failed = launch_start(&launch, &c->guardian);
    if (failed == 0)
        c->control = ends[0];
    else {
        c->guardian = 0;
        close_end(&ends[0]);
    }
    close_end(&ends[1]);
    free(all);
    return failed;
}

/* Has the guardian kill what is left of the program, and start it with new pipes, at whose ends we never
 * wait, in its own process group. */
static bool start_program(struct child *c, struct error *err)
{
    int theirs[3] = {CLOSED, CLOSED, CLOSED}, *const ours[3] = {&c->in, &c->out, &c->err};
    struct report report;
    bool good = true;
    for (int i = 0; good && i < 3; i++) {
        int ends[2] = {CLOSED, CLOSED};
        good = (pipe2(ends, O_CLOEXEC) == 0 && lift(ends)) ||
               error_set(err, "no pipe: %s", strerror(errno));
        theirs[i] = ends[i == 0 ? 0 : 1];
        *ours[i] = ends[i == 0 ? 1 : 0];
        fcntl(*ours[i], F_SETFL, O_NONBLOCK);
    }
    c->ended = true;
    if (good && !give(c, theirs, START_SECONDS, &report))
        good = error_set(err, "the program does not start: its guardian does not answer");
    else if (good && report.failed != 0)
        good = error_set(err, "the program does not start: %s", strerror(report.failed));
    c->ended = !good;
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
        good = program_find(words[0], file, err);
        const int failed = good ? start_guardian(c, file, words) : 0;
        if (failed != 0)
            good = error_set(err, "cannot start a guardian of %s: %s", file, strerror(failed));
        good = good && (start_program(c, err) || error_prefix(err, "%s: ", words[0]));
    }
    free(words);
    if (good)
        return c;
    child_end(c, NULL, 0);
    return NULL;
}

/* ---- waiting ---- */

/* Reads some of standard error, and keeps its end. False if there is nothing. */
static bool read_complaints(struct child *c)
{
    const ssize_t n = read(c->err, c->complaints + c->complaint_length, READ_SIZE);
    if (n > 0) {
        const size_t length = c->complaint_length + (size_t)n;
        const size_t lost = length > CHILD_COMPLAINTS ? length - CHILD_COMPLAINTS : 0;
        memmove(c->complaints, c->complaints + lost, length - lost);
        c->complaint_length = length - lost;
        c->complaints[c->complaint_length] = '\0';
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR))
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
    if (c->length == c->room && writing && c->room < CHILD_KEPT_MAX) {
        char *larger = realloc(c->buffer, 2 * c->room);
        c->buffer = larger != NULL ? larger : c->buffer;
        c->room = larger != NULL ? 2 * c->room : c->room;
    }
    return c->length < c->room;
}

/* Waits until a stream is ready, for a moment at most, and reads. CHILD_DONE says no more than that waiting may go
 * on. Looks once more when the time is over: this program may have been stopped (SIGSTOP) while the answer came. */
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
    if (count == 0 && c->out != CLOSED && has_ended(c))
        close_end(&c->out); /* even if a process that it started holds the other end open */
    if (count <= 0)
        return CHILD_DONE;
    if (ready[0].revents != 0)
        read_complaints(c);
    if (ready[1].revents != 0) {
        char *end = c->buffer + c->begin + c->length;
        ssize_t n = read(c->out, end, c->room - c->begin - c->length);
        if (n > 0)
            c->length += (size_t)n;
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
            close_end(&c->out);
    }
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

static void consume(struct child *c, size_t count)
{
    c->length -= count;
    c->begin = c->length == 0 ? 0 : c->begin + count;
    c->scanned = 0;
}

/* Takes a line out of the buffer. False without a whole one; the rest of a long one is skipped. */
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
    while (!has_ended(c)) {
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
    else if (c->code == CLD_EXITED)
        snprintf(text, CHILD_ENDING, "exited with code %d", c->status);
    else
        snprintf(text, CHILD_ENDING, "was ended by signal %d (%.40s)", c->status,
                 strsignal(c->status));
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
    const struct patience patience = patience_for(seconds);
    if (farewell != NULL)
        child_send(c, farewell, strlen(farewell), &patience);
    close_end(&c->in);
    wait_for_exit(c, seconds);
    close_ends(c);
}

void child_kill(struct child *c)
{
    struct report report;
    if (!give(c, NULL, END_SECONDS, &report))
        end_guardian(c); /* it is gone, or hangs in the kernel */
    c->ended = true;
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
    if (c->guardian > 0)
        dismiss(c, farewell, seconds);
    end_guardian(c);
    free(c->buffer);
    free(c);
}
