#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np, F_DUPFD_CLOEXEC */
#include "launch.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
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

extern char **environ;

enum { STREAMS = LAUNCH_CONTROL, LOOK_NANOSECONDS = 5000000 };

/* Lists what the new process does with its descriptors. */
static int add_streams(posix_spawn_file_actions_t *actions, const struct launch *s)
{
    int failed = 0;
    for (int i = 0; failed == 0 && i < STREAMS; i++) {
        if (s->streams[i] == LAUNCH_NULL)
            failed = posix_spawn_file_actions_addopen(actions, i, "/dev/null",
                                                      i == 0 ? O_RDONLY : O_WRONLY, 0);
        else if (s->streams[i] != LAUNCH_OURS)
            failed = posix_spawn_file_actions_adddup2(actions, s->streams[i], i);
    }
    if (failed == 0 && s->control > 0)
        failed = posix_spawn_file_actions_adddup2(actions, s->control, LAUNCH_CONTROL);
    int kept = STREAMS + (s->control > 0);
    return failed != 0 ? failed : posix_spawn_file_actions_addclosefrom_np(actions, kept);
}

/* Sets the signals and the group of the new process. */
static void set_attributes(posix_spawnattr_t *attributes, const struct launch *s)
{
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setsigmask(attributes, &none);
    if (s->group != LAUNCH_OUR_GROUP) {
        flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setpgroup(attributes, s->group);
    }
    posix_spawnattr_setflags(attributes, flags);
}

int launch_start(const struct launch *s, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    posix_spawnattr_init(&attributes);
    set_attributes(&attributes, s);
    failed = add_streams(&actions, s);
    if (failed == 0)
        failed = posix_spawnp(pid, s->file, &actions, &attributes, s->words,
                              s->environment != NULL ? s->environment : environ);
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

/* How long a guardian is waited for: until it has started the program, and after all has been killed. */
#define START_SECONDS 60.0
#define END_SECONDS   2.0

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

/* Points an order's header at its parts. */
static void order_init(struct order *o)
{
    *o = (struct order){.byte = 0};
    o->iov = (struct iovec){&o->byte, 1};
    o->header = (struct msghdr){.msg_iov = &o->iov,
                                .msg_iovlen = 1,
                                .msg_control = o->control,
                                .msg_controllen = sizeof o->control};
}

/* ---- the guardian ---- */

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

/* Kills the children that there are now. A kernel that does not list them lets us kill our group, and
 * so ourselves. */
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

/* Collects children until there is an order, or the control socket is closed. */
static void watch(int child_signals, pid_t program)
{
    struct signalfd_siginfo signal_info;
    struct pollfd ready[] = {{.fd = LAUNCH_CONTROL, .events = POLLIN},
                             {.fd = child_signals, .events = POLLIN}};
    while (ready[0].revents == 0) {
        poll(ready, 2, -1);
        if (ready[1].revents != 0 && read(child_signals, &signal_info, sizeof signal_info) > 0)
            collect(program);
    }
}

/* Carries out orders until the control socket is closed. The words are the file's name and the program's
 * own. */
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
        watch(child_signals, program);
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

/* Is the guardian, if this program was started as such: our own program is the one that is there for
 * certain, and a guardian by fork alone would hold on to its memory. Signals are blocked, not ignored, so that
 * the program starts with all of them. The words are hidden: whoever looks for the program's process by them
 * does not mean this one. */
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

/* ---- this program ---- */

/* Hears what the guardian says. False if it is late, or gone. */
static bool hear(const struct guardian *g, double seconds, struct report *report)
{
    struct pollfd ready = {.fd = g->control, .events = POLLIN};
    while (poll(&ready, 1, (int)(1000 * seconds)) < 0 && errno == EINTR)
        continue;
    return recv(g->control, report, sizeof *report, MSG_DONTWAIT) == (ssize_t)sizeof *report;
}

/* Starts the guardian's process with its end of the socket. Returns 0, or an errno. */
static int start_process(struct guardian *g, const char *file, char *const words[], int control)
{
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    const char **all = malloc((count + 3) * sizeof *all);
    if (all == NULL)
        return ENOMEM;
    all[0] = name;
    all[1] = file;
    memcpy(all + 2, words, (count + 1) * sizeof *all);
    const struct launch launch = {.file = "/proc/self/exe",
                                  .words = (char *const *)(uintptr_t)all,
                                  .streams = {LAUNCH_NULL, LAUNCH_NULL, LAUNCH_NULL},
                                  .control = control,
                                  .group = LAUNCH_NEW_GROUP};
    int failed = launch_start(&launch, &g->pid);
    g->pid = failed == 0 ? g->pid : 0;
    free(all);
    return failed;
}

bool guardian_create(struct guardian *g, const char *file, char *const words[], struct error *err)
{
    int ends[2];
    *g = (struct guardian){.pid = 0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(err, "no socket: %s", strerror(errno));
    g->control = fcntl(ends[0], F_DUPFD_CLOEXEC, LAUNCH_CONTROL);
    int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, LAUNCH_CONTROL);
    close(ends[0]);
    close(ends[1]);
    int failed = g->control < 0 || theirs < 0 ? EMFILE : start_process(g, file, words, theirs);
    if (theirs >= 0)
        close(theirs);
    if (failed == 0)
        return true;
    guardian_destroy(g);
    return error_set(err, "cannot start a guardian of %s: %s", file, strerror(failed));
}

/* Gives an order, and hears how it went. False if the guardian is late, or gone. */
static bool give(struct guardian *g, const int streams[3], double seconds, struct report *report)
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
    bool heard = g->pid > 0 && sendmsg(g->control, &order.header, MSG_NOSIGNAL) == 1;
    do
        heard = heard && hear(g, seconds, report);
    while (heard && report->code != 0); /* the program ends by itself at this moment */
    return heard;
}

bool guardian_start(struct guardian *g, const int streams[3], struct error *err)
{
    struct report report;
    g->ended = true;
    if (!give(g, streams, START_SECONDS, &report))
        return error_set(err, "the program does not start: its guardian does not answer");
    g->ended = report.failed != 0;
    return !g->ended || error_set(err, "the program does not start: %s", strerror(report.failed));
}

void guardian_kill(struct guardian *g)
{
    struct report report;
    if (!give(g, NULL, END_SECONDS, &report))
        guardian_destroy(g);
    g->ended = true;
}

bool guardian_has_ended(struct guardian *g)
{
    struct report report = {.code = CLD_KILLED, .status = SIGKILL}; /* with its guardian */
    struct pollfd ready = {.fd = g->control, .events = POLLIN};
    if (g->ended || poll(&ready, 1, 0) <= 0)
        return g->ended;
    hear(g, 0, &report);
    g->ended = true;
    g->code = report.code;
    g->status = report.status;
    return true;
}

void guardian_destroy(struct guardian *g)
{
    int status;
    if (g->control > 0)
        close(g->control);
    if (g->pid > 0) {
        kill(g->pid, SIGCONT);
        launch_ended_by(g->pid, clock_seconds() + END_SECONDS, &status);
    }
    *g = (struct guardian){.pid = 0};
}
