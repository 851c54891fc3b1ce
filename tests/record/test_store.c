/* The run store: what is put in comes out, nothing half-written is ever seen, and a file that is
 * not ours to write is refused with its reason. */
#include "runs.h"

#include "database.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

RUNS(store);

Test(store, at_rest_it_is_one_file)
{
    struct fitness_cache cache = {.words = WORDS};
    make_run(run);
    cr_assert_eq(scratch_count(), 1);
    struct store *writer = open_run(run, STORE_WRITE);
    add_generation(writer, &cache, 0, 10);
    struct store *reader = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(reader), 0);
    add_generation(writer, &cache, 1, 10); /* with a reader that holds the checkpoint up */
    cr_assert_eq(store_last_generation(reader), 0, "a reader sees one moment");
    store_close(writer);
    store_close(reader);
    cr_assert_eq(scratch_count(), 1);
    reader = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(reader), 1);
    store_close(reader);
    cr_assert_eq(scratch_count(), 1);
    fitness_cache_free(&cache);
}

/* A run that writes fast fits on a small disk. */
Test(store, the_wal_stays_small)
{
    struct stat wal;
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    for (int i = 0; i < 100; i++) {
        cr_assert(store_begin(s, &err));
        for (int k = 0; k < 1000; k++)
            cr_assert(store_put_game(s, i, &(struct game_record){.number = k}, &err));
        MUST(store_commit(s, &err));
        cr_assert_eq(stat(scratch_path("run.db-wal"), &wal), 0);
        cr_assert_lt(wal.st_size, 3 << 20, "generation %d", i);
    }
    store_close(s);
}

/* Whether the run can be read, and writing is refused with these reasons; as nobody, since root may
 * write everywhere. Returns the number of the check that failed. */
static int try_without_rights(const char *other)
{
    if (getuid() == 0 && setuid(65534) != 0)
        return 0;
    struct store *s = store_open(run, STORE_READ, &err);
    if (s == NULL || store_last_generation(s) != 0)
        return 1;
    store_close(s);
    if (store_open(run, STORE_WRITE, &err) != NULL || strstr(err.text, "read-only") == NULL)
        return 2;
    if (store_create(other, false, &err) != NULL || strstr(err.text, "Permission denied") == NULL)
        return 3;
    return 0;
}

Test(store, can_be_read_where_nothing_can_be_written)
{
    struct fitness_cache cache = {.words = WORDS};
    const char *other = scratch_path("other.db");
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    add_generation(s, &cache, 0, 10);
    store_close(s);
    fitness_cache_free(&cache);
    cr_assert(chmod(run, 0444) == 0 && chmod(directory, 0555) == 0);
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(try_without_rights(other));
    waitpid(child, &status, 0);
    cr_assert_eq(chmod(directory, 0755), 0);
    cr_assert_eq(status, 0, "check %d", WEXITSTATUS(status));
}

Test(store, what_is_not_committed_is_gone)
{
    struct store *s = store_create(run, false, &err);
    store_close(s);
    cr_assert_eq(scratch_count(), 0, "a run that was not published leaves nothing");
    make_run(run);
    s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_put(s, "key", "value", &err));
    store_close(s);
    s = open_run(run, STORE_READ);
    cr_assert_null(store_get(s, "key"));
    store_close(s);
}

Test(store, an_existing_file_needs_force)
{
    make_run(run);
    cr_assert_null(store_create(run, false, &err));
    SAID("exists; choose another name or give --force");
    struct store *s = store_create(run, true, &err);
    MUST(s);
    cr_assert(store_put(s, "name", "second", &err));
    expect_name(run, run); /* until it is published the old run is there */
    MUST(store_publish(s, &err));
    expect_name(run, "second");
    cr_assert_eq(scratch_count(), 1);
}

/* -- refusals */

Test(store, refuses_what_is_no_run)
{
    expect_refused(scratch_path("none.db"), STORE_READ, "No such file");
    expect_refused(directory, STORE_READ, "not a Grayling run: it is a folder");
    const char *path = scratch_write("empty.db", "");
    expect_refused(path, STORE_WRITE, "not a Grayling run: it is empty");
    path = scratch_write("text.db",
                         "name: quick\n# a recipe that was given in place of its run, and is long "
                         "enough to look like something\n");
    expect_refused(path, STORE_WRITE, "text.db: a recipe or parameter file (YAML), not a run");
    expect_refused(path, STORE_READ, "text.db: a recipe or parameter file (YAML), not a run");
    scratch_write("text.db",
                  "something else, which is long enough to look like something, and is none of "
                  "the kinds that are known by their beginnings\n");
    expect_refused(path, STORE_READ, "not a Grayling run: it is not an SQLite database");
    path = scratch_path("other.db");
    execute(path, "CREATE TABLE bookmarks (url)");
    expect_refused(path, STORE_WRITE, "not a Grayling run: it is a database of another program");
    cr_assert_eq(scratch_count(), 3, "a foreign file is left alone");
}

Test(store, refuses_another_version)
{
    make_run(run);
    execute(run, "PRAGMA user_version = 99");
    expect_refused(run, STORE_READ, "store version 99, and this program reads version 4");
    execute(run, "PRAGMA user_version = 1");
    expect_refused(run, STORE_WRITE, "version 1, and this program reads version 4: use the gray");
}

/* Overwrites a page in the middle of the file. */
static void damage(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDWR);
    cr_assert(fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 5 * 4096);
    char junk[4096];
    memset(junk, 0x5a, sizeof junk);
    cr_assert_eq(pwrite(fd, junk, sizeof junk, st.st_size / 4096 / 2 * 4096), 4096);
    close(fd);
}

Test(store, refuses_to_write_what_is_damaged)
{
    struct fitness_cache cache = {.words = WORDS};
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    for (int g = 0; g < 20; g++)
        add_generation(s, &cache, g, 100);
    store_close(s);
    fitness_cache_free(&cache);
    damage(run);
    expect_refused(run, STORE_WRITE, "is damaged (");
    cr_assert_eq(scratch_count(), 1);
}

/* Games that cannot all be read are none. */
Test(store, games_of_a_damaged_run_are_none)
{
    struct game_record *games;
    size_t count = 7;
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err));
    for (int i = 0; i < 5000; i++)
        cr_assert(store_put_game(s, 0, &(struct game_record){.number = i, .nodes = 1 << 20}, &err));
    cr_assert(store_commit(s, &err));
    MUST(store_get_games(s, 0, &games, &count, &err));
    cr_assert_eq(count, 5000u);
    free(games);
    store_close(s);
    damage(run);
    s = open_run(run, STORE_READ);
    cr_assert_not(store_get_games(s, 0, &games, &count, &err));
    SAID("is damaged (");
    cr_assert(games == NULL && count == 0, "%zu games", count);
    store_close(s);
}

/* A second after a checkpoint, a commit is in the file itself. */
Test(store, what_is_committed_comes_into_the_file_within_a_second)
{
    struct stat wal;
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    for (int i = 0; i < 2; i++) {
        put_value(s, "value", i);
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
    }
    MUST(store_begin(s, &err) && store_commit(s, &err));
    cr_assert_eq(stat(scratch_path("run.db-wal"), &wal), 0);
    cr_assert_eq(wal.st_size, 0);
    store_close(s);
}

Test(store, is_not_created_where_nothing_can_be)
{
    cr_assert_null(store_create("/nowhere/run.db", false, &err));
    cr_assert_str_eq(err.text, "cannot write /nowhere/run.db: /nowhere: No such file or directory");
}

/* Of a process that no longer lives: no process has such a number. */
#define KILLED ".new-999999999"

/* Whoever writes a run removes what killed processes left of it, and of nothing else. */
Test(store, leftovers_of_killed_processes_are_removed)
{
    static const char *const names[] = {"run.db", "nightly"};
    static const char *const own[] = {"run-games.pgn" KILLED, "nightly.svg" KILLED};
    static const char *const others[] = {"ru.svg" KILLED, "nigh.svg" KILLED};
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_path(names[i]);
        make_run(path);
        const char *left = scratch_write(own[i], "half"), *other = scratch_write(others[i], "half");
        store_close(open_run(path, STORE_READ));
        cr_expect_eq(access(left, F_OK), 0, "a reader removes nothing");
        store_close(open_run(path, STORE_WRITE));
        cr_expect_neq(access(left, F_OK), 0, "%s", left);
        cr_expect_eq(access(other, F_OK), 0, "%s", other);
    }
}

Test(store, a_stage_is_a_run_inside_a_run)
{
    const char *stage = text_of("%s#evolve-1", run);
    make_run(run);
    expect_refused(stage, STORE_READ, "no such stage");
    make_run(stage);
    cr_assert_not(store_available(stage, true, &err), "a stage is never replaced");
    SAID("already exists");
    struct store *s = open_run(stage, STORE_WRITE);
    put_value(s, "name", 7);
    store_close(s);
    expect_name(run, run);
    expect_name(stage, "7"); /* each has values of its own */
    cr_assert(store_is_database(run) && store_is_database(stage));
}

Test(store, a_stage_that_is_not_published_leaves_nothing)
{
    const char *stage = text_of("%s#search", run);
    make_run(run);
    struct store *s = store_create(stage, false, &err);
    MUST(s);
    store_close(s);
    expect_refused(stage, STORE_READ, "no such stage");
    MUST(store_available(stage, false, &err));
}

Test(store, a_file_may_be_called_like_a_stage)
{
    const char *path = scratch_path("a#b");
    make_run(path);
    store_close(open_run(path, STORE_READ));
    make_run(scratch_path("a"));
    struct store *s = open_run(path, STORE_READ);
    cr_assert_str_eq(store_file(s), path, "it comes before stage b of a");
    cr_assert_str_eq(store_stage(s), "");
    store_close(s);
    expect_refused(scratch_path("a#2"), STORE_READ, "No such file");
    cr_assert(path_is_stage_name("evolve-10"));
    cr_assert_not(path_is_stage_name("Evolve"));
    cr_assert_not(path_is_stage_name(""));
    cr_assert_not(path_is_stage_name("a_b"));
}
