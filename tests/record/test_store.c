/* The run store: what is put in comes out, nothing half-written is ever seen, and a file that is
 * not ours to write is refused with its reason. */
#define _DEFAULT_SOURCE /* usleep */
#include "runs.h"

#include "database.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

RUNS(store);

Test(store, gives_back_what_was_put_in)
{
    struct fitness_cache cache = {.words = WORDS}, found = {.words = WORDS};
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert_eq(store_last_generation(s), -1);
    add_generation(s, &cache, 0, 3);
    add_generation(s, &cache, 1, 3);
    store_close(s);

    s = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(s), 1);
    cr_assert_eq(store_count_genomes(s), 6);
    char *name = store_get(s, "name");
    cr_assert_str_eq(name, run);
    free(name);
    cr_assert_null(store_get(s, "nothing"));
    cr_assert_eq(store_get_number(s, "nothing", 42), 42);

    cr_assert(store_get_genomes(s, &found, &err), "%s", err.text);
    cr_assert_eq(found.count, 6u);
    for (size_t i = 0; i < 6; i++) {
        cr_assert(chromosome_equal(fitness_cache_chromosome(&found, i),
                                   fitness_cache_chromosome(&cache, i), WORDS));
        cr_assert_eq(found.entries[i].measure, (int64_t)i + 1);
        cr_assert_eq(found.entries[i].held_out, i % 3 == 0 ? 3 : -1);
    }
    int64_t fitness[3], genomes[3];
    cr_assert(store_get_organisms(s, 1, fitness, genomes, 3, &err), "%s", err.text);
    cr_assert_eq(fitness[2], 60);
    cr_assert_eq(genomes[2], 5);
    cr_assert_not(store_get_organisms(s, 1, fitness, genomes, 2, &err));
    expect_reason("generation 1 does not have its 2 organisms");

    int count, generation, index;
    struct generation_row *rows = store_get_rows(s, &count, &err);
    cr_assert_eq(count, 2);
    cr_assert(rows[1].generation == 1 && rows[1].best == 2 && rows[1].measure == 5 &&
              rows[1].held_out == 3 && rows[1].mean == 1.5 && rows[1].deviation == (double)0.1 &&
              rows[1].diversity == 2.25 && rows[1].seconds == 0.5 && rows[1].ended == 1234);
    free(rows);
    uint64_t best[WORDS];
    cr_assert(store_get_best(s, false, &generation, &index, best, WORDS, &err));
    cr_assert(generation == 1 && index == 2);
    cr_assert(chromosome_equal(best, fitness_cache_chromosome(&cache, 5), WORDS));
    store_close(s);
    fitness_cache_free(&cache);
    fitness_cache_free(&found);
}

/* The sources of seeds, one after the other. */
static bool join_sources(void *context, const char *source, struct error *reason)
{
    (void)reason;
    strcat(context, source);
    return strcmp(source, "stop") != 0;
}

Test(store, tells_of_seeds_and_games)
{
    const uint64_t c[WORDS] = {1, 2};
    int64_t games = -1, draws = -1;
    char sources[64] = "";
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert(store_count_games(s, &games, &draws, &err), "%s", err.text);
    cr_assert(games == 0 && draws == 0);
    cr_assert(store_begin(s, &err));
    for (int i = 0; i < 4; i++)
        cr_assert(store_put_game(s, 0,
                                 &(struct game_record){.number = i,
                                                       .white = {PLAYER_CHAMPION, i},
                                                       .black = {PLAYER_SEED, 2 * i},
                                                       .result = i % 3},
                                 &err));
    cr_assert(store_put_seed(s, 0, "a.db", c, WORDS, &err) &&
              store_put_seed(s, 1, "stop", c, WORDS, &err) &&
              store_put_seed(s, 2, "b", c, WORDS, &err));
    cr_assert(store_commit(s, &err));
    cr_assert(store_count_games(s, &games, &draws, &err), "%s", err.text);
    cr_assert(games == 4 && draws == 1);
    struct game_record *found;
    size_t count;
    cr_assert(store_get_games(s, 0, &found, &count, &err) && count == 4, "%s", err.text);
    cr_assert(player_ref_equal(found[3].white, (struct player_ref){PLAYER_CHAMPION, 3}) &&
              player_ref_equal(found[3].black, (struct player_ref){PLAYER_SEED, 6}));
    free(found);
    cr_assert_not(store_each_seed(s, join_sources, sources, &err));
    cr_assert_str_eq(sources, "a.dbstop");
    store_close(s);
}

Test(store, keeps_the_genes_with_their_texts)
{
    make_run(run);
    struct store *s = open_run(run, STORE_READ);
    struct param_table found;
    void *memory = store_get_genes(s, &found, &err);
    store_close(s);
    cr_assert_not_null(memory);
    cr_assert_str_eq(found.kind, "test");
    cr_assert_eq(found.count, 3);
    for (int i = 0; i < 3; i++) {
        cr_assert_str_eq(found.params[i].name, params[i].name);
        cr_assert_str_eq(found.params[i].meaning, params[i].meaning);
        cr_assert_eq(found.params[i].bits, params[i].bits);
        cr_assert_eq(found.params[i].min, params[i].min);
        cr_assert_eq(found.params[i].max, params[i].max);
        cr_assert_eq(found.params[i].initial, params[i].initial);
        cr_assert_eq(found.params[i].sign, params[i].sign);
    }
    free(memory);
}

Test(store, chromosomes_are_little_endian_bytes)
{
    struct fitness_cache cache = {.words = WORDS};
    const uint64_t c[WORDS] = {0x1122334455667788u, 0x99};
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    fitness_cache_add(&cache, c, 1, -1);
    cr_assert(store_begin(s, &err) && store_put_genomes(s, &cache, 0, 1, &err) &&
              store_commit(s, &err));
    store_close(s);
    fitness_cache_free(&cache);
    execute(run, "CREATE TEMP TABLE ok (n CHECK (n = 1));"
                 "INSERT INTO ok SELECT hex(chromosome) = '88776655443322119900000000000000' "
                 "FROM genome");
}

Test(store, at_rest_it_is_one_file)
{
    struct fitness_cache cache = {.words = WORDS};
    make_run(run);
    cr_assert_eq(temporary_count(&t), 1);
    struct store *writer = open_run(run, STORE_WRITE);
    add_generation(writer, &cache, 0, 10);
    struct store *reader = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(reader), 0);
    add_generation(writer, &cache, 1, 10); /* with a reader that holds the checkpoint up */
    cr_assert_eq(store_last_generation(reader), 0, "a reader sees one moment");
    store_close(writer);
    store_close(reader);
    cr_assert_eq(temporary_count(&t), 1);
    reader = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(reader), 1);
    store_close(reader);
    cr_assert_eq(temporary_count(&t), 1);
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
        cr_assert(store_commit(s, &err), "%s", err.text);
        cr_assert_eq(stat(temporary_file(&t, "run.db-wal"), &wal), 0);
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
    char other[sizeof t.path];
    strcpy(other, temporary_file(&t, "other.db"));
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    add_generation(s, &cache, 0, 10);
    store_close(s);
    fitness_cache_free(&cache);
    cr_assert(chmod(run, 0444) == 0 && chmod(t.directory, 0555) == 0);
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(try_without_rights(other));
    waitpid(child, &status, 0);
    cr_assert_eq(chmod(t.directory, 0755), 0);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "check %d", WEXITSTATUS(status));
}

Test(store, what_is_not_committed_is_gone)
{
    struct store *s = store_create(run, false, &err);
    store_close(s);
    cr_assert_eq(temporary_count(&t), 0, "a run that was not published leaves nothing");
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
    expect_reason("exists; choose another name or give --force");
    struct store *s = store_create(run, true, &err);
    cr_assert_not_null(s, "%s", err.text);
    cr_assert(store_put(s, "name", "second", &err));
    struct store *old = open_run(run, STORE_READ);
    char *name = store_get(old, "name");
    cr_assert_str_eq(name, run, "until it is published the old run is there");
    free(name);
    store_close(old);
    cr_assert(store_publish(s, &err), "%s", err.text);
    s = open_run(run, STORE_READ);
    name = store_get(s, "name");
    cr_assert_str_eq(name, "second");
    free(name);
    store_close(s);
    cr_assert_eq(temporary_count(&t), 1);
}

/* -- refusals */

Test(store, refuses_what_is_no_run)
{
    expect_refused(temporary_file(&t, "none.db"), STORE_READ, "No such file");
    expect_refused(t.directory, STORE_READ, "not a Grayling run: it is a folder");
    const char *path = temporary_file(&t, "empty.db");
    temporary_write(path, "");
    expect_refused(path, STORE_WRITE, "not a Grayling run: it is empty");
    path = temporary_file(&t, "text.db");
    temporary_write(path, "name: quick\n# a recipe that was given in place of its run, and is long "
                          "enough to look like something\n");
    expect_refused(path, STORE_WRITE, "text.db: a recipe or parameter file (YAML), not a run");
    expect_refused(path, STORE_READ, "text.db: a recipe or parameter file (YAML), not a run");
    temporary_write(path,
                    "something else, which is long enough to look like something, and is none of "
                    "the kinds that are known by their beginnings\n");
    expect_refused(path, STORE_READ, "not a Grayling run: it is not an SQLite database");
    path = temporary_file(&t, "other.db");
    execute(path, "CREATE TABLE bookmarks (url)");
    expect_refused(path, STORE_WRITE, "not a Grayling run: it is a database of another program");
    cr_assert_eq(temporary_count(&t), 3, "a foreign file is left alone");
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
    cr_assert_eq(temporary_count(&t), 1);
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
    cr_assert(store_get_games(s, 0, &games, &count, &err), "%s", err.text);
    cr_assert_eq(count, 5000u);
    free(games);
    store_close(s);
    damage(run);
    s = open_run(run, STORE_READ);
    cr_assert_not(store_get_games(s, 0, &games, &count, &err));
    expect_reason("is damaged (");
    cr_assert(games == NULL && count == 0, "%zu games", count);
    store_close(s);
}

/* A process that holds the run for writing until it is killed; it has said so when this returns. */
static pid_t start_writer(const char *path)
{
    int ready[2];
    cr_assert_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct fitness_cache cache = {.words = WORDS};
        struct store *s = store_open(path, STORE_WRITE, NULL);
        if (s == NULL)
            _exit(1);
        add_generation(s, &cache, 0, 10);
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(0);
    }
    char byte;
    close(ready[1]);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

Test(store, has_one_writer_at_a_time_and_any_number_of_readers)
{
    make_run(run);
    pid_t writer = start_writer(run);
    expect_refused(run, STORE_WRITE, "is locked by another process");
    cr_assert_null(store_create(run, true, &err), "not even by force");
    expect_reason("is locked by another process");
    struct store *s = open_run(run, STORE_READ);
    cr_assert(store_running(s));
    cr_assert_eq(store_last_generation(s), 0);
    store_close(s);
    expect_refused(run, STORE_WRITE, "is locked by another process");

    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    s = open_run(run, STORE_READ);
    cr_assert_not(store_running(s), "kill -9 leaves no lock");
    store_close(s);
    cr_assert_eq(temporary_count(&t), 1, "a reader tidies up after kill -9");
    s = open_run(run, STORE_WRITE);
    cr_assert_eq(store_last_generation(s), 0, "what was committed is there");
    store_close(s);
}

/* Begins to read a database in another process, which reads until the stream is closed. */
static FILE *begin_reading(const char *path, const char *answer)
{
    char command[1024];
    struct stat found;
    snprintf(command, sizeof command, "sqlite3 '%s' >'%s'", path, answer);
    FILE *reader = popen(command, "w");
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
Test(store, a_reader_takes_nothing_from_a_writer_that_asks_about_its_own_file, .timeout = 60)
{
    char answer[1024];
    snprintf(answer, sizeof answer, "%s.answer", run);
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_put(s, "first", "1", &err) && store_commit(s, &err));
    cr_assert(store_is_database(run));
    cr_assert(store_writable(run, &err), "%s", err.text);
    store_close(open_run(run, STORE_READ));
    pclose(begin_reading(run, answer));
    FILE *reader = begin_reading(run, answer);
    cr_assert(store_begin(s, &err) && store_put(s, "second", "2", &err) && store_commit(s, &err));
    store_close(s);
    pclose(reader);
    s = open_run(run, STORE_READ);
    cr_expect_eq(store_get_number(s, "first", 0), 1);
    cr_expect_eq(store_get_number(s, "second", 0), 2);
    store_close(s);
}

/* What a run left in its WAL must not be read into the run that takes its place. */
Test(store, force_over_a_killed_run_begins_clean)
{
    make_run(run);
    pid_t writer = start_writer(run);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    struct store *s = store_create(run, true, &err);
    cr_assert(store_put_genes(s, &table, &err) && store_publish(s, &err), "%s", err.text);
    s = open_run(run, STORE_WRITE);
    cr_assert_eq(store_last_generation(s), -1);
    store_close(s);
}

/* A second after a checkpoint, a commit is in the file itself. */
Test(store, what_is_committed_comes_into_the_file_within_a_second)
{
    struct stat wal;
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    for (int i = 0; i < 2; i++) {
        cr_assert(store_begin(s, &err) && store_put(s, "name", "other", &err) &&
                      store_commit(s, &err),
                  "%s", err.text);
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
    }
    cr_assert(store_begin(s, &err) && store_commit(s, &err), "%s", err.text);
    cr_assert_eq(stat(temporary_file(&t, "run.db-wal"), &wal), 0);
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
        char path[96], left[96], other[96];
        strcpy(path, temporary_file(&t, names[i]));
        strcpy(left, temporary_file(&t, own[i]));
        strcpy(other, temporary_file(&t, others[i]));
        make_run(path);
        temporary_write(left, "half");
        temporary_write(other, "half");
        store_close(open_run(path, STORE_READ));
        cr_expect_eq(access(left, F_OK), 0, "a reader removes nothing");
        store_close(open_run(path, STORE_WRITE));
        cr_expect_neq(access(left, F_OK), 0, "%s", left);
        cr_expect_eq(access(other, F_OK), 0, "%s", other);
    }
}

Test(store, a_stage_is_a_run_inside_a_run)
{
    char stage[112];
    snprintf(stage, sizeof stage, "%s#evolve-1", run);
    make_run(run);
    expect_refused(stage, STORE_READ, "no such stage");
    make_run(stage);
    cr_assert_not(store_available(stage, true, &err), "a stage is never replaced");
    expect_reason("already exists");
    struct store *s = open_run(stage, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_put(s, "name", "other", &err) && store_commit(s, &err));
    store_close(s);
    const char *const paths[] = {run, stage}, *const names[] = {run, "other"};
    for (int i = 0; i < 2; i++) {
        s = open_run(paths[i], STORE_READ);
        char *name = store_get(s, "name");
        cr_assert_str_eq(name, names[i], "each has values of its own");
        free(name);
        store_close(s);
        cr_assert(store_is_database(paths[i]));
    }
}

/* Two pairings of a match, beside the file's own run. */
static bool count_match_game(void *context, const struct match_game_row *g, struct error *reason)
{
    int *count = context;
    (void)reason;
    return g->number == *count && g->white == 0 && g->black == 1 + g->number % 2 &&
           g->result == 2 && g->plies == 60 && g->nodes == 1234567890123 && ++*count < 3;
}

static bool expect_pairing(void *context, int pairing, int first, int second, struct error *reason)
{
    (void)reason;
    return pairing == (*(int *)context)++ && first == 0 && second == pairing + 1;
}

Test(store, keeps_a_match)
{
    char stage[112];
    snprintf(stage, sizeof stage, "%s#match", run);
    make_run(run);
    struct store *s = store_create(stage, false, &err);
    cr_assert(store_put_match_player(s, 0, "A", &err) && store_put_match_player(s, 1, "B", &err) &&
              store_put_match_player(s, 2, "C", &err) &&
              store_put_match_pairing(s, 0, 0, 1, &err) &&
              store_put_match_pairing(s, 1, 0, 2, &err));
    for (int i = 0; i < 5; i++) {
        struct match_game_row game = {i, 0, 1 + i % 2, 2, 60, 1234567890123};
        cr_assert(store_put_match_game(s, 1, &game, &err), "%s", err.text);
    }
    cr_assert(store_publish(s, &err), "%s", err.text);
    s = open_run(stage, STORE_READ);
    int games = 0, none = 0, pairings = 0;
    cr_assert_eq(store_count_match_games(s), 5);
    cr_assert(store_each_match_game(s, 0, count_match_game, &none, &err) && none == 0);
    cr_assert_not(store_each_match_game(s, 1, count_match_game, &games, &err), "it stops");
    cr_assert_eq(games, 3);
    cr_assert(store_each_match_pairing(s, expect_pairing, &pairings, &err) && pairings == 2);
    store_close(s);
    s = open_run(run, STORE_READ);
    cr_assert_eq(store_count_match_games(s), 0, "they are the stage's");
    store_close(s);
}

static bool join_text(void *context, const char *text, struct error *reason)
{
    char *all = context;
    (void)reason;
    strcat(all, text);
    return strlen(all) < 12;
}

/* A match that keeps its games beside one that does not; without the first, none is left. */
Test(store, keeps_the_games_of_a_match)
{
    char stage[112], all[64] = "";
    snprintf(stage, sizeof stage, "%s#match", run);
    make_run(run);
    struct store *s = open_run(run, STORE_READ);
    cr_assert(store_each_match_pgn(s, join_text, all, &err) && all[0] == '\0', "no table yet");
    store_close(s);
    s = store_create(stage, false, &err);
    cr_assert(store_keep_match_pgn(s, &err) && store_put_match_player(s, 0, "A", &err) &&
              store_put_match_player(s, 1, "B", &err) && store_put_match_pairing(s, 0, 0, 1, &err));
    for (int i = 0; i < 3; i++) {
        const struct match_game_row game = {i, 0, 1, 2, 60, 5};
        cr_assert(store_put_match_game(s, 0, &game, &err) &&
                      store_put_match_pgn(s, 0, i, i == 0 ? "first " : "next ", &err),
                  "%s", err.text);
    }
    cr_assert(store_publish(s, &err), "%s", err.text);
    s = open_run(stage, STORE_READ);
    cr_assert_not(store_each_match_pgn(s, join_text, all, &err), "it stops");
    cr_assert_str_eq(all, "first next next ");
    store_close(s);
    s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_remove_stage(s, "match", &err) &&
              store_commit(s, &err));
    store_close(s);
    cr_assert_eq(number(run, "SELECT count(*) FROM match_pgn"), 0);
}

Test(store, a_stage_that_is_not_published_leaves_nothing)
{
    char stage[112];
    snprintf(stage, sizeof stage, "%s#search", run);
    make_run(run);
    struct store *s = store_create(stage, false, &err);
    cr_assert_not_null(s, "%s", err.text);
    store_close(s);
    expect_refused(stage, STORE_READ, "no such stage");
    cr_assert(store_available(stage, false, &err), "%s", err.text);
}

Test(store, a_file_may_be_called_like_a_stage)
{
    char path[96];
    strcpy(path, temporary_file(&t, "a#b"));
    make_run(path);
    store_close(open_run(path, STORE_READ));
    make_run(temporary_file(&t, "a"));
    struct store *s = open_run(path, STORE_READ);
    cr_assert_str_eq(store_file(s), path, "it comes before stage b of a");
    cr_assert_str_eq(store_stage(s), "");
    store_close(s);
    expect_refused(temporary_file(&t, "a#2"), STORE_READ, "No such file");
    cr_assert(path_is_stage_name("evolve-10"));
    cr_assert_not(path_is_stage_name("Evolve"));
    cr_assert_not(path_is_stage_name(""));
    cr_assert_not(path_is_stage_name("a_b"));
}
