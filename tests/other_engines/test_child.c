/* Processes of other programs: their lines, and their end, however this program ends. */
#include "child.h"

#include "clock.h"
#include "proc.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/wait.h>

static struct child *start(const char *command)
{
    struct error err = {""};
    struct child *c = child_start(command, &err);
    cr_assert_not_null(c, "%s", err.text);
    return c;
}

/* Waits at most so long. */
static struct patience within(double seconds)
{
    return (struct patience){.until = clock_seconds() + seconds};
}

/* The next line. */
static const char *read_line(struct child *c)
{
    const char *line;
    const struct patience patience = within(30);
    cr_assert_eq(child_read(c, &line, &patience), CHILD_DONE);
    return line;
}

static void expect_line(struct child *c, const char *expected)
{
    cr_expect_str_eq(read_line(c), expected);
}

/* No line follows: the output is closed. */
static void expect_end(struct child *c)
{
    const char *line;
    const struct patience patience = within(30);
    cr_expect_eq(child_read(c, &line, &patience), CHILD_CLOSED);
}

static enum child_event send(struct child *c, const char *text)
{
    const struct patience patience = within(30);
    return child_send(c, text, strlen(text), &patience);
}

Test(child, reads_and_writes_lines)
{
    struct child *c = start("cat");
    cr_expect_eq(send(c, "one\ntwo\r\n\nlast"), CHILD_DONE);
    expect_line(c, "one");
    expect_line(c, "two");
    expect_line(c, "");
    cr_expect_eq(send(c, "\n"), CHILD_DONE);
    expect_line(c, "last");
    child_end(c, NULL, 5);
}

Test(child, cuts_lines_that_are_too_long)
{
    struct child *c = start("sh -c 'head -c 1000000 /dev/zero | tr \"\\0\" x; echo; echo next'");
    cr_expect_eq(strlen(read_line(c)), CHILD_LINE_MAX);
    expect_line(c, "next");
    expect_end(c);
    child_end(c, NULL, 5);
}

/* All of it comes back before any of it is read: far more than pipes hold. */
Test(child, may_answer_line_by_line_while_it_is_written_to, .timeout = 60)
{
    enum { LINE = 1000, LINES = 3000 };
    static char text[LINE + 1];
    struct child *c = start("cat");
    memset(text, 'x', LINE);
    for (int i = 0; i < LINES; i++) {
        cr_assert_eq(send(c, text), CHILD_DONE);
        cr_assert_eq(send(c, "\n"), CHILD_DONE);
    }
    for (int i = 0; i < LINES; i++)
        expect_line(c, text);
    child_end(c, NULL, 5);
}

Test(child, is_waited_for_a_time_only_or_until_a_flag_is_set)
{
    static char text[1 << 20];
    static volatile sig_atomic_t stop = 1;
    static atomic_bool cancelled = true;
    struct child *c = start("sleep 100");
    const char *line;
    const struct patience patience = within(0.1), stopped = {.until = INFINITY, .stop = &stop},
                          given_up = {.until = INFINITY, .cancelled = &cancelled};
    memset(text, '\n', sizeof text);
    cr_expect_eq(child_read(c, &line, &patience), CHILD_LATE);
    cr_expect_eq(child_send(c, text, sizeof text, &patience), CHILD_LATE);
    cr_expect_eq(child_read(c, &line, &stopped), CHILD_STOPPED);
    cr_expect_eq(child_read(c, &line, &given_up), CHILD_STOPPED);
    child_end(c, NULL, 0);
}

/* What is there when the time is over was said in time: this program may have been stopped meanwhile. But
 * a child that never ends to speak is late. */
Test(child, that_has_answered_is_not_late, .timeout = 60)
{
    const char *line;
    struct child *c = start("sh -c 'echo here; sleep 100'");
    struct patience patience = within(0.5);
    poll(NULL, 0, 1000);
    cr_expect_eq(child_read(c, &line, &patience), CHILD_DONE);
    cr_expect_str_eq(line, "here");
    cr_expect_eq(child_read(c, &line, &patience), CHILD_LATE);
    child_end(c, NULL, 0);
    c = start("yes");
    patience = within(0.1);
    while (child_read(c, &line, &patience) == CHILD_DONE)
        continue;
    cr_expect_lt(clock_seconds(), patience.until + 10);
    child_end(c, NULL, 0);
}

/* Writing to a process that is gone fails, and no signal ends this one. */
static void expect_closed(struct child *c)
{
    enum child_event event = CHILD_DONE;
    for (int i = 0; i < 1000 && event == CHILD_DONE; i++) {
        event = send(c, "hello\n");
        poll(NULL, 0, 1);
    }
    cr_expect_eq(event, CHILD_CLOSED);
}

Test(child, that_is_gone_is_told_of, .timeout = 60)
{
    struct sigaction before, after;
    char text[CHILD_ENDING];
    struct child *c = start("sh -c 'echo why >&2; exit 7'");
    sigaction(SIGPIPE, NULL, &before);
    expect_closed(c);
    sigaction(SIGPIPE, NULL, &after);
    cr_expect_eq(before.sa_handler, after.sa_handler);
    cr_expect_str_eq(child_ending(c, text), "exited with code 7");
    cr_expect_str_eq(child_complaints(c), "why\n");
    child_end(c, NULL, 5);
    c = start("sh -c 'kill -SEGV $$'");
    expect_closed(c);
    cr_expect_str_eq(child_ending(c, text), "was ended by signal 11 (Segmentation fault)");
    child_end(c, NULL, 5);
    c = start("sh -c 'exec >&-; sleep 100'");
    expect_end(c);
    cr_expect_str_eq(child_ending(c, text), "closed its output");
    child_end(c, NULL, 0);
    c = start("sh -c 'sleep 600 & echo begun; exit 9'"); /* and leaves one that holds it open */
    expect_line(c, "begun");
    expect_end(c);
    cr_expect_str_eq(child_ending(c, text), "exited with code 9");
    child_end(c, NULL, 5);
}

Test(child, may_complain_without_end)
{
    struct child *c = start("sh -c 'i=0; while [ $i -lt 20000 ]; do echo complaint number $i >&2; "
                            "i=$((i+1)); done; echo done'");
    char text[CHILD_ENDING];
    expect_line(c, "done");
    child_ending(c, text);
    cr_expect_eq(strlen(child_complaints(c)), CHILD_COMPLAINTS);
    cr_expect_not_null(strstr(child_complaints(c), "complaint number 19999\n"));
    child_end(c, NULL, 5);
}

/* The next line of /proc/self/status holds no signal; 32 and 33 are the C library's own. */
static void expect_no_signals(struct child *c)
{
    const char *line = read_line(c);
    cr_expect_eq(strtoull(line + strlen("SigBlk:\t"), NULL, 16) & 0x7fffffff, 0, "%s", line);
}

/* Signals are at their defaults, none is blocked, and only the standard streams are open. */
Test(child, begins_afresh)
{
    sigset_t all;
    int file = open("/dev/null", O_RDONLY);
    sigfillset(&all);
    signal(SIGTERM, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    struct child *c = start("sh -c 'grep -E \"^Sig(Blk|Ign)\" /proc/self/status; "
                            "ls /proc/self/fd | wc -l'");
    expect_no_signals(c);
    expect_no_signals(c);
    expect_line(c, "4"); /* the fourth is the folder itself */
    child_end(c, NULL, 5);
    close(file);
}

/* Reads the number of a process from the next line. */
static long read_pid(struct child *c)
{
    long pid = strtol(read_line(c), NULL, 10);
    cr_assert_gt(pid, 1);
    return pid;
}

Test(child, leaves_no_process_and_no_descriptor)
{
    int descriptors = proc_descriptors();
    for (int i = 0; i < 20; i++) {
        struct child *c = start(
            "sh -c 'trap \"\" TERM HUP INT PIPE; sleep 600 & echo $!; while :; do read x; sleep 1; done'");
        long grandchild = read_pid(c);
        cr_assert(proc_lives(grandchild));
        cr_expect_eq(proc_children(), 1, "its guardian");
        child_end(c, "quit\n", 0.01);
        cr_expect(proc_ends(grandchild));
    }
    cr_expect_eq(proc_children(), 0);
    cr_expect_eq(proc_descriptors(), descriptors);
}

/* The new one has nothing of the one before, of which nothing is left. */
Test(child, is_started_again_under_the_same_guardian, .timeout = 60)
{
    struct error err = {""};
    struct child *c =
        start("sh -c 'echo $PPID; sleep 600 & echo $!; (setsid sleep 600 & echo $!); echo left; "
              "echo why >&2; read x; [ $x = quit ]'");
    const int descriptors = proc_descriptors();
    const long guardian = read_pid(c);
    for (int i = 0; i < 3; i++) {
        const long first = read_pid(c), daemon = read_pid(c);
        if (i == 1) {
            child_kill(c);
            cr_expect_not(proc_lives(first) || proc_lives(daemon), "dead at once");
            cr_expect_eq(send(c, "nobody there\n"), CHILD_CLOSED);
        }
        cr_assert(child_restart(c, "quit\n", 5, &err), "%s", err.text);
        cr_expect_not(proc_lives(first) || proc_lives(daemon));
        cr_expect_eq(read_pid(c), guardian);
        cr_expect_eq(proc_descriptors(), descriptors);
    }
    child_end(c, "quit\n", 5);
    cr_expect_eq(proc_children(), 0);
}

/* If the guardian itself is killed, there is nobody to start it. */
Test(child, is_not_started_again_without_its_guardian)
{
    struct error err = {""};
    struct child *c = start("sh -c 'echo $PPID; read x'");
    kill((pid_t)read_pid(c), SIGKILL);
    cr_expect_not(child_restart(c, NULL, 5, &err));
    cr_expect_not_null(strstr(err.text, "its guardian does not answer"), "%s", err.text);
    child_end(c, NULL, 5);
    cr_expect_eq(proc_children(), 0);
}

/* A child may leave the group, as `setsid` and `timeout` do, and start daemons: processes of another
 * session whose parent has ended. */
Test(child, that_leaves_the_group_ends_as_well, .timeout = 60)
{
    static const char *const leave[][2] = {{"setsid", "sleep 600 & echo $!"},
                                           {"timeout 600", "sleep 600 & echo $!"},
                                           {"", "(setsid sleep 600 & echo $!)"},
                                           {"", "(setsid sh -c \"(sleep 600 & echo \\$!)\")"}};
    for (size_t i = 0; i < sizeof leave / sizeof leave[0]; i++) {
        char command[200];
        snprintf(command, sizeof command,
                 "%s sh -c 'trap \"\" TERM HUP INT PIPE; %s; while :; do sleep 1; done'",
                 leave[i][0], leave[i][1]);
        struct child *c = start(command);
        long grandchild = read_pid(c);
        child_end(c, "quit\n", 0.01);
        cr_expect(proc_ends(grandchild), "%s", command);
    }
    cr_expect_eq(proc_children(), 0);
}

Test(child, that_cannot_start_leaves_nothing)
{
    static const char *const commands[] = {"/no/such/program", "no-such-program", "", "a 'b",
                                           "/tmp"};
    int descriptors = proc_descriptors();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct error err = {""};
        cr_expect_null(child_start(commands[i], &err));
        cr_expect_neq(err.text[0], '\0');
    }
    cr_expect_eq(proc_children(), 0);
    cr_expect_eq(proc_descriptors(), descriptors);
}

enum { PIDS = 3 };

/* Runs in a process that is going to be killed: starts a child with a child of its own and a daemon, and
 * writes their numbers to the pipe. */
static void be_a_parent(int to)
{
    struct child *c = child_start(
        "sh -c 'trap \"\" TERM HUP INT PIPE; sleep 600 & echo $!; (setsid sleep 600 & echo $!); "
        "echo $$; wait'",
        NULL);
    long pids[PIDS];
    for (int i = 0; i < PIDS; i++)
        pids[i] = strtol(read_line(c), NULL, 10);
    if (write(to, pids, sizeof pids) != (ssize_t)sizeof pids)
        _exit(1);
    for (;;)
        pause();
}

/* Kills such a parent by a signal. What it started ends. */
static void expect_end_with_parent(int signal_number)
{
    int ends[2];
    long pids[PIDS] = {0};
    cr_assert_eq(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0)
        be_a_parent(ends[1]);
    cr_assert_eq(read(ends[0], pids, sizeof pids), (ssize_t)sizeof pids);
    for (int i = 0; i < PIDS; i++)
        cr_assert(pids[i] > 1 && proc_lives(pids[i]));
    kill(parent, signal_number);
    waitpid(parent, NULL, 0);
    for (int i = 0; i < PIDS; i++)
        cr_expect(proc_ends(pids[i]), "process %d of %d", i + 1, PIDS);
    close(ends[0]);
    close(ends[1]);
}

Test(child, ends_with_a_parent_that_is_killed)
{
    expect_end_with_parent(SIGKILL);
    expect_end_with_parent(SIGTERM);
}

/* Two children: the lifeline of one is not held open by the other, which lives on. */
Test(child, does_not_hold_the_lifeline_of_another)
{
    struct child *first = start("cat"), *second = start("cat");
    child_end(first, NULL, 5);
    cr_expect_eq(proc_children(), 1);
    cr_expect_eq(send(second, "still here\n"), CHILD_DONE);
    expect_line(second, "still here");
    child_end(second, NULL, 5);
    cr_expect_eq(proc_children(), 0);
}
