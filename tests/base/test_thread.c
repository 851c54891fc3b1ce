/* Threads with enough stack. */
#include "thread.h"

#include <criterion/criterion.h>

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
