/* Ending early: times of day, the alarm, and the second Ctrl-C. */
#include "interrupt.h"

#include <criterion/criterion.h>
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

Test(interrupt, a_date_in_the_past_or_in_no_calendar_is_refused)
{
    const time_t noon = 1705320000; /* 2024-01-15 12:00:00 UTC */
    static const struct {
        const char *text, *reason;
    } wrong[] = {{"2024-01-15 11:59", "--until: 2024-01-15 11:59 is in the past"},
                 {"2025-02-29 12:00", "--until: there is no such day: 2025-02-29 12:00"},
                 {"2027-04-31 23:59", "--until: there is no such day: 2027-04-31 23:59"},
                 {"2024-13-15 11:59", "--until takes a time as HH:MM, or YYYY-MM-DD HH:MM, not "
                                      "'2024-13-15 11:59'"}};
    time_t when;
    struct error err;
    expect_time("UTC", "2024-02-29 12:00", noon, noon + 45 * 86400);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_expect_not(interrupt_parse_time(wrong[i].text, noon, &when, &err));
        cr_expect_str_eq(err.text, wrong[i].reason);
    }
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

Test(interrupt, a_time_of_day_is_one_of_the_clock)
{
    struct error err;
    const volatile sig_atomic_t *stop = interrupt_watch();
    const time_t now = time(NULL);
    cr_assert(interrupt_in(3600, &err));
    cr_assert(interrupt_at((double)now + 3600, &err));
    cr_expect_eq(*stop, 0);
    cr_assert(interrupt_at((double)now - 3600, &err));
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
