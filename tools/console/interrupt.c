#define _GNU_SOURCE /* strptime; CLOCK_BOOTTIME, which goes on while the machine is suspended */
#include "interrupt.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What signals write: the flag, which others read through the pointer of interrupt_watch, and the
 * user's last signal, which no alarm and no clearing of the flag can lose. */
static volatile sig_atomic_t received, from_user;

/* Signals that come so soon after each other are one: timeout(1), for one, sends SIGTERM to the program and
 * then to its group. */
enum { ONE_SIGNAL = 1000 }; /* milliseconds */

/* True if a signal has come before, not just now. */
static bool comes_again(int number)
{
    static int64_t first[SIGTERM + 1]; /* milliseconds; 0: it has not come */
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const int64_t now = 1 + (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    if (first[number] == 0)
        first[number] = now;
    return now - first[number] >= ONE_SIGNAL;
}

/* An alarm never replaces a signal from the user. Only a user's second signal ends the process: an alarm
 * may come again, and a lost terminal sends SIGHUP more than once. */
static void note_signal(int number)
{
    if ((number == SIGINT || number == SIGTERM) && comes_again(number)) {
        signal(number, SIG_DFL);
        raise(number); /* as soon as this function returns */
    } else if (number != SIGALRM)
        received = from_user = number;
    else if (received == 0)
        received = number;
}

static void watch(int number)
{
    struct sigaction old, action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

const volatile sig_atomic_t *interrupt_watch(void)
{
    watch(SIGINT);
    watch(SIGTERM);
    watch(SIGHUP);
    return &received;
}

const volatile sig_atomic_t *interrupt_watch_output(void)
{
    watch(SIGPIPE);
    return interrupt_watch();
}

bool interrupt_parse_time(const char *text, time_t now, time_t *when, struct error *err)
{
    struct tm at;
    const bool dated = strspn(text, "0123456789-") == 10 && text[10] == ' ';
    const char *clock = dated ? text + 11 : text, *colon = strchr(clock, ':');
    localtime_r(&now, &at);
    const char *end = strptime(text, dated ? "%Y-%m-%d %H:%M" : "%H:%M", &at);
    if (end == NULL || *end != '\0' || clock[strspn(clock, "0123456789:")] != '\0' ||
        strlen(colon) != 3)
        return error_set(err, "--until takes a time as HH:MM, or YYYY-MM-DD HH:MM, not '%s'", text);
    at.tm_sec = 0;
    at.tm_isdst = -1;
    struct tm day = at, tomorrow = at;
    tomorrow.tm_mday++;
    *when = mktime(&day);
    if (!dated && *when <= now) /* the next time that the clock shows it */
        *when = mktime(&tomorrow);
    if (dated && (day.tm_mon != at.tm_mon || day.tm_mday != at.tm_mday))
        return error_set(err, "--until: there is no such day: %s", text);
    return *when > now || error_set(err, "--until: %s is in the past", text);
}

/* Sets the alarm on a clock, `flags` as of timer_settime; 0 seconds take it back. */
static bool set_alarm(clockid_t clock, int flags, double seconds, struct error *err)
{
    static bool created; /* the process has one alarm */
    static timer_t timer;
    static clockid_t of;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec at = {.it_value.tv_sec = (time_t)seconds};
    at.it_value.tv_nsec = (long)(1e9 * (seconds - (double)at.it_value.tv_sec));
    if (created && of != clock)
        created = timer_delete(timer) != 0;
    created = created || timer_create(clock, &event, &timer) == 0;
    of = clock;
    return (created && timer_settime(timer, flags, &at, NULL) == 0) ||
           error_set(err, "cannot set the alarm: %s", strerror(errno));
}

bool interrupt_in(double seconds, struct error *err)
{
    watch(SIGALRM);
    if (seconds < 1e-9)
        note_signal(SIGALRM);
    return set_alarm(CLOCK_BOOTTIME, 0, seconds < 1e-9 ? 0 : seconds, err);
}

bool interrupt_at(double when, struct error *err)
{
    watch(SIGALRM);
    return set_alarm(CLOCK_REALTIME, TIMER_ABSTIME, when, err);
}

bool interrupt_take_alarm(void)
{
    if (received != SIGALRM)
        return false;
    received = 0;
    if (from_user != 0) /* it came between the two lines above */
        received = from_user;
    return received == 0;
}
