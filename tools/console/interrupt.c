#define _DEFAULT_SOURCE /* CLOCK_BOOTTIME, which goes on while the machine is suspended */
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

/* The next time at which the clock shows an hour and a minute. */
static time_t next_time(time_t now, int hour, int minute)
{
    struct tm local;
    localtime_r(&now, &local);
    local.tm_hour = hour;
    local.tm_min = minute;
    local.tm_sec = 0;
    local.tm_isdst = -1;
    struct tm tomorrow = local;
    time_t when = mktime(&local);
    if (when > now)
        return when;
    tomorrow.tm_mday++;
    return mktime(&tomorrow);
}

/* Parses "HH:MM" and nothing after it. */
static bool parse_clock(const char *text, int *hour, int *minute)
{
    int end = 0;
    return strlen(text) <= 5 && strspn(text, "0123456789:") == strlen(text) &&
           sscanf(text, "%2d:%2d%n", hour, minute, &end) == 2 && text[end] == '\0' && *hour <= 23 &&
           *minute <= 59 && strlen(strchr(text, ':')) == 3;
}

/* Parses "YYYY-MM-DD "; `rest` points to the text after it. */
static bool parse_date(const char *text, struct tm *day, const char **rest)
{
    int end = 0, year, month;
    if (strspn(text, "0123456789-") != 10 ||
        sscanf(text, "%4d-%2d-%2d %n", &year, &month, &day->tm_mday, &end) != 3 || end != 11)
        return false;
    day->tm_year = year - 1900;
    day->tm_mon = month - 1;
    bool valid = month >= 1 && month <= 12 && day->tm_mday >= 1 && day->tm_mday <= 31;
    if (valid)
        *rest = text + end;
    return valid;
}

bool interrupt_parse_time(const char *text, time_t now, time_t *when, struct error *err)
{
    struct tm day = {.tm_isdst = -1};
    const char *clock = text;
    bool dated = parse_date(text, &day, &clock);
    if (!parse_clock(clock, &day.tm_hour, &day.tm_min))
        return error_set(err, "--until takes a time as HH:MM, or YYYY-MM-DD HH:MM, not '%s'", text);
    const int month = day.tm_mon, month_day = day.tm_mday;
    *when = dated ? mktime(&day) : next_time(now, day.tm_hour, day.tm_min);
    if (dated && (day.tm_mon != month || day.tm_mday != month_day))
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
