#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */
#include "launch.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a guardian is waited for: until it has started, and after all has been killed. */
#define START_SECONDS 60
#define END_SECONDS   2.0

/* What the guardian says once the program is started, and once it has ended. */
struct report {
    int failed; /* an errno of the start, or 0 */
    int code, status;
};

static const char name[] = "grayling-guardian";

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

/* Collects children until the control socket is closed. */
static void watch(pid_t program)
{
    sigset_t child;
    struct signalfd_siginfo signal_info;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct pollfd ready[] = {{.fd = LAUNCH_CONTROL},
                             {.fd = signalfd(-1, &child, SFD_CLOEXEC), .events = POLLIN}};
    while (ready[0].revents == 0) {
        poll(ready, 2, -1);
        if (ready[1].revents != 0 && read(ready[1].fd, &signal_info, sizeof signal_info) > 0)
            collect(program);
    }
}

/* Leaves the streams to the program alone, and hides its words: whoever looks for its process by them does
 * not mean this one. */
static void step_back(char **words)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < LAUNCH_CONTROL; i++)
        dup2(null, i);
    for (; *words != NULL; words++)
        memset(*words, '\0', strlen(*words));
    prctl(PR_SET_NAME, name);
}

/* Is the guardian, if this program was started as such: our own program is the one that is there for
 * certain, and a guardian by fork alone would hold on to its memory. Signals are blocked, not ignored, so that
 * the program starts with all of them. */
__attribute__((constructor)) static void guard(int argc, char **argv)
{
    sigset_t all;
    pid_t program = 0;
    if (argc < 3 || strcmp(argv[0], name) != 0)
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const struct launch launch = {.file = argv[1],
                                  .words = argv + 2,
                                  .streams = {LAUNCH_OURS, LAUNCH_OURS, LAUNCH_OURS},
                                  .group = LAUNCH_OUR_GROUP};
    const struct report report = {.failed = launch_start(&launch, &program)};
    send(LAUNCH_CONTROL, &report, sizeof report, MSG_NOSIGNAL);
    step_back(argv + 1);
    if (report.failed == 0)
        watch(program);
    end_all();
    _exit(0);
}

/* ---- this program ---- */

/* Hears what the guardian says. False if it is late, or gone. */
static bool hear(const struct guardian *g, int milliseconds, struct report *report)
{
    struct pollfd ready = {.fd = g->control, .events = POLLIN};
    while (poll(&ready, 1, milliseconds) < 0 && errno == EINTR)
        continue;
    return recv(g->control, report, sizeof *report, MSG_DONTWAIT) == (ssize_t)sizeof *report;
}

/* Starts the guardian's process with its end of the socket. Returns 0, or an errno. */
static int start_process(struct guardian *g, const char *file, char *const words[],
                         const int streams[3], int control)
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
                                  .streams = {streams[0], streams[1], streams[2]},
                                  .control = control,
                                  .group = LAUNCH_NEW_GROUP};
    int failed = launch_start(&launch, &g->pid);
    g->pid = failed == 0 ? g->pid : 0;
    free(all);
    return failed;
}

bool guardian_start(struct guardian *g, const char *file, char *const words[], const int streams[3],
                    struct error *err)
{
    int ends[2];
    struct report report = {.failed = 0};
    *g = (struct guardian){.pid = 0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(err, "no socket: %s", strerror(errno));
    g->control = fcntl(ends[0], F_DUPFD_CLOEXEC, LAUNCH_CONTROL);
    int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, LAUNCH_CONTROL);
    close(ends[0]);
    close(ends[1]);
    int failed =
        g->control < 0 || theirs < 0 ? EMFILE : start_process(g, file, words, streams, theirs);
    if (theirs >= 0)
        close(theirs);
    if (failed != 0)
        error_set(err, "cannot start %s under a guardian: %s", file, strerror(failed));
    else if (!hear(g, 1000 * START_SECONDS, &report))
        error_set(err, "cannot start %s: its guardian does not answer", file);
    else if (report.failed != 0)
        error_set(err, "cannot start %s: %s", file, strerror(report.failed));
    else
        return true;
    guardian_finish(g);
    return false;
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

void guardian_finish(struct guardian *g)
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
