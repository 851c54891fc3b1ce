/* A held run: its writers change, and whoever reads it keeps none of them from opening it. */
#define _GNU_SOURCE /* locks of an open file description; RTLD_NEXT */
#include "gain_run.h"
#include "store.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

static bool without_locks;

/* In place of the C library's: there are file systems without locks. */
int fcntl(int fd, int command, ...)
{
    int (*next)(int, int, ...);
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (without_locks && command == F_OFD_SETLK) {
        errno = ENOLCK;
        return -1;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "fcntl64");
    return next(fd, command, argument);
}

static struct store *hold(const char *path)
{
    struct error err = {""};
    struct store *s = store_hold(path, &err);
    cr_assert_not_null(s, "%s", err.text);
    return s;
}

/* Opens a run to write, puts a value and closes it. */
static void write_value(const char *path, const char *key)
{
    struct error err = {""};
    struct store *s = store_open(path, STORE_WRITE, &err);
    cr_assert(s != NULL && store_begin(s, &err) && store_put(s, key, "1", &err) &&
                  store_commit(s, &err),
              "%s", err.text);
    store_close(s);
}

static int64_t read_value(const char *path, const char *key)
{
    struct error err = {""};
    struct store *s = store_open(path, STORE_READ, &err);
    cr_assert_not_null(s, "%s", err.text);
    int64_t value = store_get_number(s, key, 0);
    store_close(s);
    return value;
}

/* Without the holder the second writer waits five seconds for the reader, and is refused. */
Test(store_lock, a_reader_between_two_writers_keeps_none_out)
{
    struct temporary t = temporary_make();
    const char *path = temporary_file(&t, "run.db");
    make_run(path);
    struct store *holder = hold(path);
    write_value(path, "first");
    struct store *reader = store_open(path, STORE_READ, NULL);
    cr_assert_not_null(reader);
    cr_assert(store_running(reader), "it is being written, whoever does it at the moment");
    write_value(path, "second");
    cr_assert_eq(store_get_number(reader, "second", 0), 0, "a reader sees one moment");
    store_close(reader);
    store_close(holder);
    cr_assert_eq(temporary_count(&t), 1, "at rest it is one file");
    cr_assert_eq(read_value(path, "first"), 1);
    cr_assert_eq(read_value(path, "second"), 1);
    temporary_remove(&t);
}

static void expect_held(const char *path)
{
    struct error err = {""};
    cr_assert_null(store_hold(path, &err));
    cr_assert_not_null(strstr(err.text, "is locked by another process"), "%s", err.text);
    cr_assert_null(store_create(path, true, &err), "not even by force");
    cr_assert_not_null(strstr(err.text, "is locked by another process"), "%s", err.text);
}

Test(store_lock, a_run_has_one_holder)
{
    struct temporary t = temporary_make();
    const char *path = temporary_file(&t, "run.db");
    make_run(path);
    struct store *holder = hold(path);
    expect_held(path);
    pid_t child = fork();
    if (child == 0)
        _exit(store_hold(path, NULL) == NULL ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    cr_assert_eq(status, 0, "nor another process");
    write_value(path, "value");
    store_close(holder);
    store_close(hold(path));
    cr_assert_eq(temporary_count(&t), 1);
    temporary_remove(&t);
}

Test(store_lock, holds_only_what_can_be_written)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    cr_assert_null(store_hold(temporary_file(&t, "none.db"), &err));
    cr_assert_not_null(strstr(err.text, "cannot open"), "%s", err.text);
    temporary_remove(&t);
}

Test(store_lock, a_file_system_without_locks_is_no_other_process)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    char wanted[160];
    const char *path = temporary_file(&t, "run.db");
    make_run(path);
    without_locks = true;
    cr_assert_null(store_open(path, STORE_WRITE, &err));
    without_locks = false;
    snprintf(wanted, sizeof wanted, "cannot lock %s: No locks available", path);
    cr_assert_str_eq(err.text, wanted);
    write_value(path, "value");
    temporary_remove(&t);
}

/* A report of a long run reads for a while. */
Test(store_lock, a_writer_waits_for_a_reader_of_a_file_at_rest)
{
    struct temporary t = temporary_make();
    const char *path = temporary_file(&t, "run.db");
    char byte;
    int ready[2];
    make_run(path);
    cr_assert_eq(pipe(ready), 0);
    pid_t reader = fork();
    if (reader == 0) {
        bool reads = store_open(path, STORE_READ, NULL) != NULL && write(ready[1], "x", 1) == 1;
        sleep(6);
        _exit(reads ? 0 : 1);
    }
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    write_value(path, "value");
    waitpid(reader, NULL, 0);
    cr_assert_eq(read_value(path, "value"), 1);
    temporary_remove(&t);
}
