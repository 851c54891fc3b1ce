/* Writers, and who else has the file: a held run, readers at the end of a writer, and what others do to a
 * run that is being written. */
#include "gain_run.h"
#include "store.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* -- the end of a writer, and readers */

/* A file that is a single one, out of WAL mode, whose checksums are right. */
static void expect_in_order(struct temporary *t, const char *path)
{
    struct error err = {""};
    struct store_check found;
    unsigned char head[20];
    FILE *in = fopen(path, "rb");
    cr_assert(in != NULL && fread(head, sizeof head, 1, in) == 1);
    fclose(in);
    cr_expect(head[18] == 1 && head[19] == 1, "it is in WAL mode");
    cr_expect_eq(temporary_count(t), 1);
    cr_expect(store_check(path, &found, &err) && !found.broken, "%s", err.text);
}

/* Opens a file in another process, which has it open until *go is closed. Call it while this process has not
 * the file open: SQLite's locks are not for a fork. */
static pid_t have_open(const char *path, enum store_mode mode, int *go)
{
    int ready[2], wait[2];
    char byte;
    cr_assert(pipe(ready) == 0 && pipe(wait) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct store *s = store_open(path, mode, NULL);
        close(wait[1]);
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

static void expect_done(pid_t child)
{
    int status;
    cr_assert(waitpid(child, &status, 0) == child && status == 0);
}

Test(store_lock, the_end_of_a_writer_waits_for_readers)
{
    struct temporary t = temporary_make();
    int end;
    const char *path = temporary_file(&t, "run.db");
    make_run(path);
    pid_t writer = have_open(path, STORE_WRITE, &end);
    struct store *reader = store_open(path, STORE_READ, NULL);
    cr_assert(reader != NULL && store_running(reader));
    close(end);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    cr_expect_eq(waitpid(writer, NULL, WNOHANG), 0, "it waits");
    store_close(reader);
    expect_done(writer);
    expect_in_order(&t, path);
    temporary_remove(&t);
}

/* The writer is killed, as one that has no time to wait. */
Test(store_lock, a_reader_that_outlasts_the_writer_puts_the_file_in_order)
{
    struct temporary t = temporary_make();
    int stop, go;
    const char *path = temporary_file(&t, "run.db");
    make_run(path);
    pid_t writer = have_open(path, STORE_WRITE, &stop);
    pid_t reader = have_open(path, STORE_READ, &go);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    close(stop);
    close(go);
    expect_done(reader);
    expect_in_order(&t, path);
    temporary_remove(&t);
}

Test(store_lock, a_reader_puts_a_file_in_order_that_was_left_in_wal_mode)
{
    struct temporary t = temporary_make();
    int stop;
    const char *path = temporary_file(&t, "run.db");
    make_run(path);
    pid_t writer = have_open(path, STORE_WRITE, &stop);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    close(stop);
    struct store *reader = store_open(path, STORE_READ, NULL);
    cr_assert(reader != NULL && !store_running(reader));
    cr_assert_eq(temporary_count(&t), 1, "while it reads");
    store_close(reader);
    expect_in_order(&t, path);
    temporary_remove(&t);
}

/* -- what others do to a run that is being written */

static void expect_no_begin(struct store *s, const char *reason)
{
    struct error err = {""};
    cr_assert_not(store_begin(s, &err));
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
}

/* Another process that tries to write a run when *go is closed, and is refused. */
static pid_t try_later(const char *path, int *go)
{
    int wait[2];
    char byte;
    cr_assert_eq(pipe(wait), 0);
    pid_t child = fork();
    if (child == 0) {
        struct error err = {""};
        close(wait[1]);
        bool refused = read(wait[0], &byte, 1) == 0 && store_open(path, STORE_WRITE, &err) == NULL;
        _exit(!refused || strstr(err.text, "is locked by another process") == NULL);
    }
    close(wait[0]);
    *go = wait[1];
    return child;
}

Test(store_lock, a_wal_that_is_removed_makes_no_second_writer)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    char path[96], wal[112], shm[112];
    int stop;
    strcpy(path, temporary_file(&t, "run.db"));
    snprintf(wal, sizeof wal, "%s-wal", path);
    snprintf(shm, sizeof shm, "%s-shm", path);
    make_run(path);
    pid_t second = try_later(path, &stop);
    struct store *s = store_open(path, STORE_WRITE, &err);
    for (int i = 0; i < 2; i++) /* the second is in the WAL alone */
        cr_assert(store_begin(s, &err) && store_put(s, i == 0 ? "one" : "two", "1", &err) &&
                      store_commit(s, &err),
                  "%s", err.text);
    cr_assert(unlink(wal) == 0 && unlink(shm) == 0);
    close(stop);
    expect_done(second);
    expect_no_begin(s, "run.db-wal was removed or replaced while");
    store_close(s);
    expect_in_order(&t, path);
    cr_assert(read_value(path, "one") == 1 && read_value(path, "two") == 1);
    pid_t next = have_open(path, STORE_WRITE, &stop);
    close(stop);
    expect_done(next);
    temporary_remove(&t);
}

static size_t read_bytes(const char *path, char **bytes)
{
    size_t size;
    FILE *in = fopen(path, "rb"), *out = open_memstream(bytes, &size);
    cr_assert(in != NULL && out != NULL);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(in);
    fclose(out);
    return size;
}

/* Writes a file over another one, in another process: its name and its place stay. */
static void overwrite(const char *path, const char *bytes, size_t size)
{
    pid_t child = fork();
    if (child == 0) {
        int fd = open(path, O_WRONLY | O_TRUNC);
        _exit(write(fd, bytes, size) == (ssize_t)size ? 0 : 1);
    }
    expect_done(child);
}

/* The file is what was written over it, and nothing of us comes into it any more. */
Test(store_lock, a_run_that_is_overwritten_is_left_alone)
{
    for (int held = 0; held < 2; held++) {
        struct temporary t = temporary_make();
        struct error err = {""};
        char path[96], *other, *after;
        strcpy(path, temporary_file(&t, "other.db"));
        make_run(path);
        write_value(path, "other");
        size_t size = read_bytes(path, &other);
        unlink(path);
        strcpy(path, temporary_file(&t, "run.db"));
        make_run(path);
        struct store *holder = held ? hold(path) : NULL;
        struct store *s = store_open(path, STORE_WRITE, &err);
        for (int i = 0; i < 3; i++)
            cr_assert(store_begin(s, &err) && store_put(s, "value", "1", &err) &&
                          store_commit(s, &err),
                      "%s", err.text);
        overwrite(path, other, size);
        expect_no_begin(s, "run.db is not this run any more: it was overwritten");
        store_close(s);
        store_close(holder);
        cr_assert_eq(read_bytes(path, &after), size);
        cr_assert_arr_eq(after, other, size);
        expect_in_order(&t, path);
        free(after);
        free(other);
        temporary_remove(&t);
    }
}
