/* A small header in the place of Criterion's, for machines on which Criterion does not run, and for
 * programs that must be built and run fast (-Dsmall_criterion=true).
 *
 * It has what the tests use. Each test runs in a process of its own, one after the other, in the
 * order of the file; the program speaks TAP. One argument selects tests whose SUITE/NAME has it, and
 * with SMALL_STOP in the environment the first failure ends it. The messages of assertions are not formatted: a failure shows its source. */
#ifndef GRAYLING_SMALL_CRITERION_H
#define GRAYLING_SMALL_CRITERION_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL_SKIPPED = 77, SMALL_SECONDS = 600 };

/* A test, or what a suite says of its tests. */
struct small_test {
    const char *suite, *name;
    void (*run)(void), (*init)(void), (*fini)(void);
    double timeout; /* Criterion's; a slow machine takes longer */
    struct small_test *next;
};

static struct small_test *small_tests, **small_last = &small_tests, *small_suites;
static bool small_failed;

static inline void small_add(struct small_test *t)
{
    *small_last = t;
    small_last = &t->next;
}

static inline void small_add_suite(struct small_test *t)
{
    t->next = small_suites;
    small_suites = t;
}

static inline void small_check(bool ends, bool good, const char *file, int line, const char *what)
{
    if (good)
        return;
    printf("# %s:%d: %.500s\n", file, line, what);
    fflush(stdout);
    small_failed = true;
    if (ends)
        _exit(1);
}

/* -- tests */

#define Test(suite_, ...) SMALL_TEST(suite_, __VA_ARGS__, .timeout = SMALL_SECONDS)
#define SMALL_TEST(suite_, name_, ...)                                                             \
    static void suite_##_##name_##_run(void);                                                      \
    static struct small_test suite_##_##name_##_test = {                                           \
        .suite = #suite_, .name = #name_, .run = suite_##_##name_##_run, __VA_ARGS__};             \
    __attribute__((constructor)) static void suite_##_##name_##_add(void)                          \
    {                                                                                              \
        small_add(&suite_##_##name_##_test);                                                       \
    }                                                                                              \
    static void suite_##_##name_##_run(void)

#define TestSuite(suite_, ...)                                                                     \
    static struct small_test suite_##_suite = {.suite = #suite_, __VA_ARGS__};                     \
    __attribute__((constructor)) static void suite_##_suite_add(void)                              \
    {                                                                                              \
        small_add_suite(&suite_##_suite);                                                          \
    }                                                                                              \
    struct small_test

/* -- assertions: what follows their operands is the message */

#define SMALL_ONE(a, ...)                (a)
#define SMALL_TWO(op, a, b, ...)         ((a)op(b))
#define SMALL_STRINGS(op, a, b, ...)     (strcmp((a), (b)) op 0)
#define SMALL_NEAR(a, b, e, ...)         (fabs((double)(a) - (double)(b)) <= (double)(e))
#define SMALL_BYTES(op, a, b, size, ...) (memcmp((a), (b), (size)) op 0)
#define SMALL_CHECK(ends, good, ...)     small_check(ends, good, __FILE__, __LINE__, #__VA_ARGS__)

#define cr_assert(...)                   SMALL_CHECK(true, SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_not(...)               SMALL_CHECK(true, !SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_null(...)              SMALL_CHECK(true, NULL == SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_not_null(...)          SMALL_CHECK(true, NULL != SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_eq(...)                SMALL_CHECK(true, SMALL_TWO(==, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_neq(...)               SMALL_CHECK(true, SMALL_TWO(!=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_lt(...)                SMALL_CHECK(true, SMALL_TWO(<, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_gt(...)                SMALL_CHECK(true, SMALL_TWO(>, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_leq(...)               SMALL_CHECK(true, SMALL_TWO(<=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_geq(...)               SMALL_CHECK(true, SMALL_TWO(>=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_str_eq(...)            SMALL_CHECK(true, SMALL_STRINGS(==, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_str_neq(...)           SMALL_CHECK(true, SMALL_STRINGS(!=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_float_eq(...)          SMALL_CHECK(true, SMALL_NEAR(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_arr_eq(...)            SMALL_CHECK(true, SMALL_BYTES(==, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_assert_fail(...)              SMALL_CHECK(true, false, __VA_ARGS__)

#define cr_expect(...)                   SMALL_CHECK(false, SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_not(...)               SMALL_CHECK(false, !SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_null(...)              SMALL_CHECK(false, NULL == SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_not_null(...)          SMALL_CHECK(false, NULL != SMALL_ONE(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_eq(...)                SMALL_CHECK(false, SMALL_TWO(==, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_neq(...)               SMALL_CHECK(false, SMALL_TWO(!=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_lt(...)                SMALL_CHECK(false, SMALL_TWO(<, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_gt(...)                SMALL_CHECK(false, SMALL_TWO(>, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_leq(...)               SMALL_CHECK(false, SMALL_TWO(<=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_geq(...)               SMALL_CHECK(false, SMALL_TWO(>=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_str_eq(...)            SMALL_CHECK(false, SMALL_STRINGS(==, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_str_neq(...)           SMALL_CHECK(false, SMALL_STRINGS(!=, __VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_float_eq(...)          SMALL_CHECK(false, SMALL_NEAR(__VA_ARGS__, 0), __VA_ARGS__)
#define cr_expect_arr_eq(...)            SMALL_CHECK(false, SMALL_BYTES(==, __VA_ARGS__, 0), __VA_ARGS__)

#define cr_skip_test(...)                _exit(SMALL_SKIPPED)

/* -- the program */

static inline struct small_test small_suite_of(const struct small_test *t)
{
    for (const struct small_test *s = small_suites; s != NULL; s = s->next)
        if (strcmp(s->suite, t->suite) == 0)
            return *s;
    return (struct small_test){.suite = t->suite};
}

/* Runs one test in this process. */
static inline void small_run(const struct small_test *t)
{
    const struct small_test suite = small_suite_of(t);
    void (*init)(void) = t->init != NULL ? t->init : suite.init;
    void (*fini)(void) = t->fini != NULL ? t->fini : suite.fini;
    alarm(SMALL_SECONDS);
    if (init != NULL)
        init();
    t->run();
    if (fini != NULL)
        fini();
    exit(small_failed);
}

int main(int count, char **words)
{
    int number = 0, failed = 0;
    for (const struct small_test *t = small_tests; t != NULL; t = t->next) {
        char name[256];
        int status = 1;
        snprintf(name, sizeof name, "%s/%s", t->suite, t->name);
        if (count > 1 && words[1][0] != '-' && strstr(name, words[1]) == NULL)
            continue;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            small_run(t);
        waitpid(child, &status, 0);
        bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == SMALL_SKIPPED;
        failed += status != 0 && !skipped;
        printf("%s %d - %s%s\n", status == 0 || skipped ? "ok" : "not ok", ++number, name,
               skipped ? " # SKIP" : "");
        if (failed > 0 && getenv("SMALL_STOP") != NULL)
            break;
    }
    printf("1..%d\n", number);
    return failed > 0;
}

#endif
