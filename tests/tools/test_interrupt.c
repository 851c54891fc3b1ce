/* Ending early: times of day, the alarm, and the second Ctrl-C. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "interrupt.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void wait_for_signal(const volatile sig_atomic_t *stop)
{
    for (int i = 0; i < 300 && *stop == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

static void expect_time(const char *zone, const char *text, time_t now, time_t expected)
{
    time_t when = 0;
    setenv("TZ", zone, 1);
    tzset();
    struct error err;
    cr_assert(interrupt_parse_time(text, now, &when, &err), "%s", err.text);
    cr_assert_eq(when, expected, "%s: %lld, not %lld", text, (long long)when, (long long)expected);
}

Test(interrupt, a_time_of_day_is_its_next_occurrence)
{
    const time_t noon = 1705320000; /* 2024-01-15 12:00:00 UTC */
    expect_time("UTC", "12:01", noon, noon + 60);
    expect_time("UTC", "23:59", noon, noon + 43140);
    expect_time("UTC", "07:00", noon, noon + 19 * 3600);
    expect_time("UTC", "7:00", noon, noon + 19 * 3600);
    expect_time("UTC", "12:00", noon, noon + 86400);
    expect_time("UTC", "00:00", noon, noon + 43200);
    expect_time("UTC", "2024-01-17 12:30", noon, noon + 2 * 86400 + 1800);
}

/* The night of 2024-03-31 is an hour short in central Europe. */
Test(interrupt, the_clock_may_change_before_it)
{
    const time_t evening = 1711828800; /* 2024-03-30 21:00 CET */
    expect_time("CET-1CEST,M3.5.0,M10.5.0/3", "07:00", evening, evening + 9 * 3600);
}

Test(interrupt, what_is_no_time_of_day_is_refused)
{
    static const char *const wrong[] = {"",      "7",     "0700",   "24:00",  "12:60",
                                        "-1:00", "12:5",  "12:005", "12:00x", " 12:00",
                                        "::",    "1:2:3", "12:",    ":30",    "07:00:00"};
    time_t when;
    struct error err;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_assert_not(interrupt_parse_time(wrong[i], 0, &when, &err), "'%s'", wrong[i]);
}

Test(interrupt, a_date_in_the_past_is_refused)
{
    time_t when;
    struct error err;
    setenv("TZ", "UTC", 1);
    tzset();
    cr_assert_not(interrupt_parse_time("2024-01-15 11:59", 1705320000, &when, &err));
    cr_assert_str_eq(err.text, "--until: 2024-01-15 11:59 is in the past");
    cr_assert_not(interrupt_parse_time("2024-13-15 11:59", 0, &when, &err));
}

Test(interrupt, a_day_that_no_calendar_has_is_refused)
{
    const time_t noon = 1705320000; /* 2024-01-15 12:00:00 UTC */
    time_t when;
    struct error err;
    expect_time("UTC", "2024-02-29 12:00", noon, noon + 45 * 86400);
    cr_assert_not(interrupt_parse_time("2025-02-29 12:00", noon, &when, &err));
    cr_assert_str_eq(err.text, "--until: there is no such day: 2025-02-29 12:00");
    cr_assert_not(interrupt_parse_time("2027-02-30 07:00", noon, &when, &err));
    cr_assert_not(interrupt_parse_time("2027-04-31 23:59", noon, &when, &err));
}

Test(interrupt, no_alarm_replaces_a_signal_of_the_user)
{
    struct error err;
    const volatile sig_atomic_t *stop = interrupt_watch();
    raise(SIGINT);
    cr_assert(interrupt_in(0, &err));
    cr_assert_eq(*stop, SIGINT);
    cr_assert_not(interrupt_take_alarm());
}

Test(interrupt, the_alarm_sets_the_flag)
{
    struct error err;
    const volatile sig_atomic_t *stop = interrupt_watch();
    cr_assert_eq(*stop, 0);
    cr_assert(interrupt_in(0.2, &err));
    wait_for_signal(stop);
    cr_assert_eq(*stop, SIGALRM);
    cr_assert(interrupt_take_alarm());
    cr_assert_eq(*stop, 0, "it is cleared");
    cr_assert(interrupt_in(0, &err));
    cr_assert_eq(*stop, SIGALRM, "no time is over at once");
    raise(SIGTERM);
    cr_assert_not(interrupt_take_alarm(), "who wants to stop is not forgotten");
}

/* The last timer that was created and set. */
static clockid_t timer_clock;
static int timer_flags;
static struct itimerspec timer_value;

/* These stand in for those of the C library, and look at what they are given. */
int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    int (*create)(clockid_t, struct sigevent *, timer_t *) = NULL;
    *(void **)&create = dlsym(RTLD_NEXT, "timer_create");
    timer_clock = clock;
    return create(clock, event, timer);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    int (*set)(timer_t, int, const struct itimerspec *, struct itimerspec *) = NULL;
    *(void **)&set = dlsym(RTLD_NEXT, "timer_settime");
    timer_flags = flags;
    timer_value = *value;
    return set(timer, flags, value, old);
}

/* A machine's clock that is set moves a timer that is absolute on CLOCK_REALTIME, and no other. */
Test(interrupt, a_time_of_day_is_one_of_the_clock_and_hours_are_a_duration)
{
    struct error err;
    const volatile sig_atomic_t *stop = interrupt_watch();
    const time_t when = time(NULL) + 3600;
    cr_assert(interrupt_in(3600, &err));
    cr_expect_eq(timer_clock, 7, "CLOCK_BOOTTIME, not %d", (int)timer_clock);
    cr_expect_eq(timer_flags, 0);
    cr_assert(interrupt_at((double)when + 0.5, &err));
    cr_expect_eq(timer_clock, CLOCK_REALTIME, "not %d", (int)timer_clock);
    cr_expect_eq(timer_flags, TIMER_ABSTIME);
    cr_expect_eq(timer_value.it_value.tv_sec, when);
    cr_expect_eq(timer_value.it_value.tv_nsec, 500000000);
    cr_expect_eq(*stop, 0);
    cr_assert(interrupt_at((double)when - 7200, &err));
    wait_for_signal(stop);
    cr_assert_eq(*stop, SIGALRM, "a time that is over is over at once");
    cr_assert(interrupt_take_alarm());
    cr_assert(interrupt_in(0.1, &err), "the alarm has either clock");
    wait_for_signal(stop);
    cr_assert_eq(*stop, SIGALRM);
}

/* The second is one only a second later: timeout(1) sends two at once. */
Test(interrupt, the_first_signal_sets_the_flag_and_the_second_ends)
{
    int pipes[2], status;
    char byte = 0;
    cr_assert_eq(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        const volatile sig_atomic_t *stop = interrupt_watch();
        raise(SIGINT);
        if (*stop != SIGINT)
            _exit(1);
        raise(SIGINT);
        if (write(pipes[1], "+", 1) != 1)
            _exit(2);
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
        raise(SIGINT);
        _exit(3);
    }
    close(pipes[1]);
    cr_expect_eq(read(pipes[0], &byte, 1), 1, "the first, twice, does not end");
    close(pipes[0]);
    waitpid(child, &status, 0);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT, "status %x", (unsigned)status);
}

Test(interrupt, what_was_ignored_stays_ignored)
{
    signal(SIGINT, SIG_IGN); /* as under nohup */
    const volatile sig_atomic_t *stop = interrupt_watch();
    raise(SIGINT);
    cr_assert_eq(*stop, 0);
}
