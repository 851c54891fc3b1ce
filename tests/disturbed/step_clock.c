/* Loaded before the C library, changes the clocks of a program as the environment says: sets the clock of time() back by
 * an hour after STEP_AFTER calls of it, and lets alarms ring in a part of their time, SOONER times as soon. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

time_t time(time_t *where)
{
    static atomic_int calls;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const char *after = getenv("STEP_AFTER");
    if (after != NULL && atomic_fetch_add(&calls, 1) >= atoi(after))
        now.tv_sec -= 3600;
    if (where != NULL)
        *where = now.tv_sec;
    return now.tv_sec;
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    int (*settime)(timer_t, int, const struct itimerspec *, struct itimerspec *);
    void *found = dlsym(RTLD_NEXT, "timer_settime");
    memcpy(&settime, &found, sizeof settime);
    struct itimerspec at = *value;
    const char *sooner = getenv("SOONER");
    if (sooner != NULL && (flags & TIMER_ABSTIME) == 0) {
        const double seconds =
            ((double)at.it_value.tv_sec + 1e-9 * (double)at.it_value.tv_nsec) / atof(sooner);
        at.it_value.tv_sec = (time_t)seconds;
        at.it_value.tv_nsec = (long)(1e9 * (seconds - (double)at.it_value.tv_sec));
    }
    return settime(timer, flags, &at, old);
}
