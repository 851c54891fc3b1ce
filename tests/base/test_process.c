/* The identity of a process, alive as long as that very process is; threads with enough stack. */
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

/* What a call saw. */
struct seen {
    pthread_t thread;
    int calls;
};

/* Uses most of the stack that is promised. */
static void *work(void *context)
{
    struct seen *seen = context;
    volatile char deep[THREAD_STACK * 3 / 4];
    for (size_t i = 0; i < sizeof deep; i += 1024)
        deep[i] = 1;
    seen->thread = pthread_self();
    seen->calls += deep[1024];
    return NULL;
}

Test(thread, starts_with_enough_stack)
{
    pthread_t thread;
    struct seen seen = {.calls = 0};
    cr_assert_eq(thread_start(&thread, work, &seen), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert_eq(seen.calls, 1);
}

/* Calls from a thread whose stack is small. */
static void *call(void *context)
{
    cr_assert(thread_call(work, context));
    return NULL;
}

Test(thread, calls_in_another_thread_where_the_stack_is_small)
{
    pthread_t thread;
    pthread_attr_t small;
    struct seen seen = {.calls = 0};
    pthread_attr_init(&small);
    cr_assert_eq(pthread_attr_setstacksize(&small, 128 * 1024), 0);
    cr_assert_eq(pthread_create(&thread, &small, call, &seen), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&small);
    cr_assert_eq(seen.calls, 1);
}

Test(thread, calls_at_once_where_the_stack_suffices)
{
    pthread_t thread, caller;
    struct seen seen = {.calls = 0};
    cr_assert_eq(thread_start(&thread, call, &seen), 0);
    caller = thread;
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert_eq(seen.calls, 1);
    cr_assert(pthread_equal(seen.thread, caller));
}
