/* The identity of a process: alive as long as that very process is. */
#include "process.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

Test(process, this_one_lives)
{
    char me[PROCESS_TEXT];
    process_identity(me);
    cr_expect_eq(strtol(me, NULL, 10), getpid());
    cr_expect(process_lives(me), "%s", me);
}

Test(process, one_that_ended_does_not)
{
    char child[PROCESS_TEXT] = "";
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char me[PROCESS_TEXT];
        process_identity(me);
        _exit(write(ends[1], me, sizeof me) != (ssize_t)sizeof me);
    }
    cr_assert_eq(read(ends[0], child, sizeof child), (ssize_t)sizeof child);
    siginfo_t ended;
    waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT);
    cr_expect_not(process_lives(child), "not waited for: %s", child);
    waitpid(pid, NULL, 0);
    cr_expect_not(process_lives(child), "%s", child);
}

/* A number is used again: the start tells two processes apart. */
Test(process, another_with_the_same_number_is_another)
{
    char me[PROCESS_TEXT], other[PROCESS_TEXT + 32];
    process_identity(me);
    snprintf(other, sizeof other, "%ld 1%s", (long)getpid(), strchr(me, ' ') + 1);
    cr_expect_not(process_lives(other));
    cr_expect_not(process_lives(""));
    cr_expect_not(process_lives("none"));
}
