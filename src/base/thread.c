#define _GNU_SOURCE /* gettid, pthread_getattr_np */
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

int thread_start(pthread_t *thread, void *(*work)(void *), void *context)
{
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed != 0)
        return failed;
    failed = pthread_attr_setstacksize(&attributes, THREAD_STACK);
    if (failed == 0)
        failed = pthread_create(thread, &attributes, work, context);
    pthread_attr_destroy(&attributes);
    return failed;
}

/* The stack of this thread in bytes. That of the first thread grows up to the limit; to ask pthreads for it
 * would read a file. */
static size_t stack_size(void)
{
    struct rlimit limit;
    pthread_attr_t attributes;
    size_t size = 0;
    if (gettid() == getpid() && getrlimit(RLIMIT_STACK, &limit) == 0)
        return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

bool thread_call(void *(*work)(void *), void *context)
{
    pthread_t thread;
    sigset_t all, old;
    if (stack_size() >= THREAD_STACK) {
        work(context);
        return true;
    }
    if ((errno = thread_start(&thread, work, context)) != 0)
        return false;
    sigfillset(&all); /* signals go to the thread that works */
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return true;
}
