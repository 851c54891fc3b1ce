#include "interrupt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The one thing that a signal can reach; what else knows of it, gets it as a pointer. */
static volatile sig_atomic_t received;

static void note_signal(int number)
{
    received = number;
}

static void watch(int number)
{
    struct sigaction old, action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (number != SIGALRM)
        action.sa_flags |= (int)SA_RESETHAND;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

const volatile sig_atomic_t *interrupt_watch(void)
{
    watch(SIGINT);
    watch(SIGTERM);
    return &received;
}

bool interrupt_parse_time(const char *text, time_t now, time_t *when)
{
    int hour, minute, end = 0;
    if (strlen(text) > 5 || strspn(text, "0123456789:") != strlen(text) ||
        sscanf(text, "%2d:%2d%n", &hour, &minute, &end) != 2 || text[end] != '\0' || hour > 23 ||
        minute > 59 || strlen(strchr(text, ':')) != 3)
        return false;
    struct tm local;
    localtime_r(&now, &local);
    local.tm_hour = hour;
    local.tm_min = minute;
    local.tm_sec = 0;
    local.tm_isdst = -1;
    struct tm tomorrow = local;
    *when = mktime(&local);
    if (*when <= now) {
        tomorrow.tm_mday++;
        *when = mktime(&tomorrow);
    }
    return true;
}

bool interrupt_at(time_t when, struct error *err)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec at = {.it_value.tv_sec = when};
    watch(SIGALRM);
    if (timer_create(CLOCK_REALTIME, &event, &timer) != 0 ||
        timer_settime(timer, TIMER_ABSTIME, &at, NULL) != 0)
        return error_set(err, "cannot set the alarm for --until: %s", strerror(errno));
    return true;
}
