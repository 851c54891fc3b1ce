/* Writers, and who else has the file: a held run, readers at the end of a writer, and what others do to a
 * run that is being written. */
#define _DEFAULT_SOURCE /* usleep */
#include "runs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

RUNS(store_lock);

static struct store *hold(void)
{
    struct store *s = store_hold(run, &err);
    MUST(s);
    return s;
}

/* Opens the run to write, puts a value and closes it. */
static void write_value(const char *key)
{
    struct store *s = open_run(run, STORE_WRITE);
    put_value(s, key, 1);
    store_close(s);
}

static void expect_value(const char *key)
{
    struct store *s = open_run(run, STORE_READ);
    cr_assert_eq(store_get_number(s, key, 0), 1);
    store_close(s);
}

/* Opens the run in another process, which has it open until *go is closed; a writer puts a value. Call it while this process has not
 * the file open: SQLite's locks are not for a fork. */
static pid_t have_open(enum store_mode mode, int *go)
{
    int ready[2], wait[2];
    char byte;
    cr_assert(pipe(ready) == 0 && pipe(wait) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct store *s = store_open(run, mode, NULL);
        close(wait[1]);
        if (s != NULL && mode == STORE_WRITE)
            put_value(s, "begun", 1);
        if (s == NULL || write(ready[1], "x", 1) != 1 || read(wait[0], &byte, 1) < 0)
            _exit(1);
        store_close(s);
        _exit(0);
    }
    close(ready[1]);
    close(wait[0]);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    *go = wait[1];
    return child;
}

Test(store_lock, has_one_writer_at_a_time_and_any_number_of_readers)
{
    int go;
    make_run(run);
    pid_t writer = have_open(STORE_WRITE, &go);
    expect_refused(run, STORE_WRITE, "is locked by another process");
    cr_assert_null(store_create(run, true, &err), "not even by force");
    SAID("is locked by another process");
    struct store *s = open_run(run, STORE_READ);
    cr_assert(store_running(s));
    cr_assert_eq(store_get_number(s, "begun", 0), 1);
    store_close(s);
    expect_refused(run, STORE_WRITE, "is locked by another process");

    kill_writer(writer);
    s = open_run(run, STORE_READ);
    cr_assert_not(store_running(s), "kill -9 leaves no lock");
    store_close(s);
    cr_assert_eq(scratch_count(), 1, "a reader tidies up after kill -9");
    expect_value("begun");
}

/* What a run left in its WAL must not be read into the run that takes its place. */
Test(store_lock, force_over_a_killed_run_begins_clean)
{
    int go;
    make_run(run);
    pid_t writer = have_open(STORE_WRITE, &go);
    kill_writer(writer);
    struct store *s = store_create(run, true, &err);
    MUST(store_put_genes(s, &table, &err) && store_publish(s, &err));
    s = open_run(run, STORE_WRITE);
    cr_assert_eq(store_get_number(s, "begun", 0), 0);
    store_close(s);
}

/* Begins to read a database in another process, which reads until the stream is closed. */
static FILE *begin_reading(const char *path, const char *answer)
{
    struct stat found;
    FILE *reader = popen(text_of("sqlite3 '%s' >'%s'", path, answer), "w");
    cr_assert_not_null(reader);
    fputs("BEGIN; SELECT count(*) FROM run;\n", reader);
    fflush(reader);
    while (stat(answer, &found) != 0 || found.st_size == 0)
        usleep(1000);
    unlink(answer);
    return reader;
}

/* A reader in another process that closes the file, last of all as far as it can see, removes the
 * WAL. What this process asks about the file meanwhile must not hide its own connection. */
Test(store_lock, a_reader_takes_nothing_from_a_writer_that_asks_about_its_own_file, .timeout = 60)
{
    const char *answer = text_of("%s.answer", run);
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    put_value(s, "first", 1);
    cr_assert(store_is_database(run));
    MUST(store_writable(run, &err));
    store_close(open_run(run, STORE_READ));
    pclose(begin_reading(run, answer));
    FILE *reader = begin_reading(run, answer);
    put_value(s, "second", 2);
    store_close(s);
    pclose(reader);
    s = open_run(run, STORE_READ);
    cr_expect_eq(store_get_number(s, "first", 0), 1);
    cr_expect_eq(store_get_number(s, "second", 0), 2);
    store_close(s);
}

/* Without the holder the second writer waits five seconds for the reader, and is refused. */
Test(store_lock, a_reader_between_two_writers_keeps_none_out)
{
    make_run(run);
    struct store *holder = hold();
    write_value("first");
    struct store *reader = open_run(run, STORE_READ);
    cr_assert(store_running(reader), "it is being written, whoever does it at the moment");
    write_value("second");
    cr_assert_eq(store_get_number(reader, "second", 0), 0, "a reader sees one moment");
    store_close(reader);
    store_close(holder);
    cr_assert_eq(scratch_count(), 1, "at rest it is one file");
    expect_value("first");
    expect_value("second");
}

Test(store_lock, a_run_has_one_holder)
{
    cr_assert_null(store_hold(run, &err));
    SAID("cannot open");
    make_run(run);
    struct store *holder = hold();
    cr_assert_null(store_hold(run, &err));
    SAID("is locked by another process");
    cr_assert_null(store_create(run, true, &err), "not even by force");
    SAID("is locked by another process");
    pid_t child = fork();
    if (child == 0)
        _exit(store_hold(run, NULL) == NULL ? 0 : 1);
    expect_done(child);
    write_value("value");
    store_close(holder);
    store_close(hold());
    cr_assert_eq(scratch_count(), 1);
}

/* A report of a long run reads for a while, longer than SQLite waits. */
Test(store_lock, a_writer_waits_for_a_reader_of_a_file_at_rest)
{
    int go;
    make_run(run);
    pid_t reader = have_open(STORE_READ, &go);
    pid_t writer = fork();
    if (writer == 0) {
        close(go);
        write_value("value");
        _exit(0);
    }
    sleep(6);
    close(go);
    expect_done(reader);
    expect_done(writer);
    expect_value("value");
}

/* -- the end of a writer, and readers */

/* A file that is a single one, out of WAL mode, whose checksums are right. */
static void expect_in_order(void)
{
    struct store_check found;
    size_t size;
    unsigned char *bytes = read_bytes(run, &size);
    cr_expect(bytes[18] == 1 && bytes[19] == 1, "it is in WAL mode");
    free(bytes);
    cr_expect_eq(scratch_count(), 1);
    cr_expect(store_check(run, &found, &err) && !found.broken, "%s", err.text);
}

Test(store_lock, the_end_of_a_writer_waits_for_readers)
{
    int end;
    make_run(run);
    pid_t writer = have_open(STORE_WRITE, &end);
    struct store *reader = store_open(run, STORE_READ, NULL);
    cr_assert(reader != NULL && store_running(reader));
    close(end);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    cr_expect_eq(waitpid(writer, NULL, WNOHANG), 0, "it waits");
    store_close(reader);
    expect_done(writer);
    expect_in_order();
}

/* The writer is killed, as one that has no time to wait. */
Test(store_lock, a_reader_puts_a_file_in_order_that_was_left_in_wal_mode)
{
    for (int outlasts = 0; outlasts < 2; outlasts++) {
        int stop, go;
        unlink(run);
        make_run(run);
        pid_t writer = have_open(STORE_WRITE, &stop), reader = 0;
        if (outlasts)
            reader = have_open(STORE_READ, &go);
        kill_writer(writer);
        close(stop);
        if (outlasts) {
            close(go);
            expect_done(reader);
        } else {
            struct store *s = open_run(run, STORE_READ);
            cr_assert_not(store_running(s));
            cr_assert_eq(scratch_count(), 1, "while it reads");
            store_close(s);
        }
        expect_in_order();
    }
}

/* -- what others do to a run that is being written */

static void expect_no_begin(struct store *s, const char *reason)
{
    cr_assert_not(store_begin(s, &err));
    SAID(reason);
}

/* Another process that tries to write a run when *go is closed, and is refused. */
static pid_t try_later(int *go)
{
    int wait[2];
    char byte;
    cr_assert_eq(pipe(wait), 0);
    pid_t child = fork();
    if (child == 0) {
        close(wait[1]);
        bool refused = read(wait[0], &byte, 1) == 0 && store_open(run, STORE_WRITE, &err) == NULL;
        _exit(!refused || strstr(err.text, "is locked by another process") == NULL);
    }
    close(wait[0]);
    *go = wait[1];
    return child;
}

Test(store_lock, a_wal_that_is_removed_makes_no_second_writer)
{
    int stop;
    make_run(run);
    pid_t second = try_later(&stop);
    struct store *s = open_run(run, STORE_WRITE);
    put_value(s, "one", 1);
    put_value(s, "two", 1); /* this is in the WAL alone */
    cr_assert(unlink(scratch_path("run.db-wal")) == 0 && unlink(scratch_path("run.db-shm")) == 0);
    close(stop);
    expect_done(second);
    expect_no_begin(s, "run.db-wal was removed or replaced while");
    store_close(s);
    expect_in_order();
    expect_value("one");
    expect_value("two");
    pid_t next = have_open(STORE_WRITE, &stop);
    close(stop);
    expect_done(next);
}

/* The file is what was written over it, and nothing of us comes into it any more; held or not. */
Test(store_lock, a_run_that_is_overwritten_is_left_alone)
{
    for (int held = 0; held < 2; held++) {
        size_t size, left;
        unlink(run);
        make_run(run);
        write_value("other");
        unsigned char *other = read_bytes(run, &size);
        unlink(run);
        make_run(run);
        struct store *holder = held ? hold() : NULL, *s = open_run(run, STORE_WRITE);
        for (int i = 0; i < 3; i++)
            put_value(s, "value", 1);
        pid_t child = fork();
        if (child == 0) {
            int fd = open(run, O_WRONLY | O_TRUNC);
            _exit(write(fd, other, size) == (ssize_t)size ? 0 : 1);
        }
        expect_done(child);
        expect_no_begin(s, "run.db is not this run any more: it was overwritten");
        store_close(s);
        store_close(holder);
        unsigned char *after = read_bytes(run, &left);
        cr_assert_eq(left, size);
        cr_assert_arr_eq(after, other, size);
        expect_in_order();
        free(after);
        free(other);
    }
}
