#define _GNU_SOURCE /* gettid, pthread_getattr_np */
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* -- identity */

/* Reads the first line of a file, "" if it cannot be read. */
static void read_line(const char *path, char *line, int size)
{
    FILE *in = fopen(path, "r");
    if (in == NULL || fgets(line, size, in) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (in != NULL)
        fclose(in);
}

/* When a process started: field 22 of /proc/PID/stat (proc(5)). The fields are counted from the
 * last parenthesis, because the second one is the program's name, which may hold anything. 0 if
 * there is no such process, or if it has ended and its parent has not asked yet (state Z). */
static unsigned long long start_of(long pid)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    read_line(path, line, sizeof line);
    char *at = strrchr(line, ')');
    if (at != NULL && strchr("ZXx", at[2]) != NULL)
        return 0;
    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

static void identity_of(long pid, char text[PROCESS_TEXT])
{
    char boot[40];
    read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    snprintf(text, PROCESS_TEXT, "%ld %llu %.39s", pid, start_of(pid), boot);
}

void process_identity(char text[PROCESS_TEXT])
{
    identity_of((long)getpid(), text);
}

bool process_lives(const char *text)
{
    char now[PROCESS_TEXT];
    long pid = strtol(text, NULL, 10);
    if (pid <= 0 || start_of(pid) == 0)
        return false;
    identity_of(pid, now);
    return strcmp(now, text) == 0;
}

/* -- threads */

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
