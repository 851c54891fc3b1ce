/* Checksums of pages: a bit that is lost at rest is found by whoever reads it, and what another
 * program wrote is not taken for damage. */
#include "store.h"
#include "store_internal.h"

#include "database.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { WORDS = 2, POPULATION = 50, GENERATIONS = 10, FILE_ROOM = 1 << 20 };

static const struct param params[] = {{"GAIN", 11, 0, 2047, 500, +1, NULL, "what is won"}};
static const struct param_table table = {"test", params, 1};

static void put_generation(struct store *s, int generation)
{
    struct error err = {""};
    struct fitness_cache cache = {.words = WORDS};
    struct organism organisms[POPULATION];
    int64_t genomes[POPULATION];
    for (int i = 0; i < POPULATION * (generation + 1); i++) {
        const uint64_t chromosome[WORDS] = {(uint64_t)i * 0x9e3779b97f4a7c15u, 1};
        int64_t id = fitness_cache_add(&cache, chromosome, i, NOT_MEASURED);
        organisms[i % POPULATION].fitness = i;
        genomes[i % POPULATION] = id;
    }
    struct optimiser o = {
        .population = POPULATION, .generation = generation, .organisms = organisms};
    struct generation_row row = {.generation = generation, .measure = generation};
    cr_assert(store_begin(s, &err) &&
                  store_put_genomes(s, &cache, cache.count - POPULATION, cache.count, &err) &&
                  store_put_organisms(s, &o, genomes, &err) && store_put_row(s, &row, &err) &&
                  store_commit(s, &err),
              "%s", err.text);
    fitness_cache_free(&cache);
}

/* Opens the run to write; its pages have their checksums when it is closed. */
static struct store *open_to_write(const char *path)
{
    struct error err = {""};
    struct store *s = store_open(path, STORE_WRITE, &err);
    cr_assert_not_null(s, "%s", err.text);
    return s;
}

static const char *make_run(struct temporary *t, const char *name)
{
    struct error err = {""};
    const char *path = temporary_file(t, name);
    struct store *s = store_create(path, false, &err);
    cr_assert_not_null(s, "%s", err.text);
    cr_assert(store_put(s, "name", "test", &err) && store_put_genes(s, &table, &err) &&
                  store_publish(s, &err),
              "%s", err.text);
    s = open_to_write(path);
    for (int g = 0; g < GENERATIONS; g++)
        put_generation(s, g);
    store_close(s);
    return path;
}

static size_t read_file(const char *path, unsigned char *bytes)
{
    FILE *in = fopen(path, "rb");
    cr_assert_not_null(in);
    size_t size = fread(bytes, 1, FILE_ROOM, in);
    fclose(in);
    cr_assert(size > 0 && size < FILE_ROOM);
    return size;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    cr_assert(out != NULL && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
}

static enum store_seal seal_of(const char *path)
{
    static unsigned char bytes[FILE_ROOM];
    size_t damaged, size = read_file(path, bytes);
    enum store_seal seal = store_pages_check(bytes, size, &damaged);
    cr_assert_eq(damaged, 0u, "page %zu of %s", damaged, path);
    return seal;
}

/* Mixes a number into a sum over all that a run has. */
static void mix(uint64_t *sum, int64_t value)
{
    *sum = (*sum ^ (uint64_t)value) * 0x9e3779b97f4a7c15u;
    *sum ^= *sum >> 31;
}

/* Reads all of a run into a sum. False if something is said to be damaged. */
static bool read_run(const char *path, uint64_t *sum)
{
    struct error err = {""};
    struct fitness_cache cache = {.words = WORDS};
    struct param_table genes;
    int count = 0;
    int64_t fitness[POPULATION], genomes[POPULATION];
    struct store *s = store_open(path, STORE_READ, &err);
    if (s == NULL)
        return false;
    char *name = store_get(s, "name");
    void *block = store_get_genes(s, &genes, &err);
    struct generation_row *rows = store_get_rows(s, &count, &err);
    bool read = name != NULL && block != NULL && rows != NULL && count == GENERATIONS &&
                store_get_genomes(s, &cache, &err);
    *sum = 0;
    for (int g = 0; read && g < count; g++) {
        read = store_get_organisms(s, g, fitness, genomes, POPULATION, &err);
        mix(sum, rows[g].measure);
        for (int i = 0; read && i < POPULATION; i++)
            mix(sum, fitness[i] + 7 * genomes[i]);
    }
    for (size_t i = 0; read && i < cache.count; i++)
        mix(sum, (int64_t)fitness_cache_chromosome(&cache, i)[0] + cache.entries[i].measure);
    for (int i = 0; read && i < genes.count; i++)
        mix(sum, genes.params[i].max + genes.params[i].name[0]);
    free(name);
    free(block);
    free(rows);
    fitness_cache_free(&cache);
    store_close(s);
    return read;
}

/* Leaves a run in WAL mode, as its writer does who is killed, or ends while others have it open. */
static void leave_in_wal_mode(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        struct store *s = open_to_write(path);
        _exit(!(store_begin(s, NULL) && store_put(s, "state", "running", NULL) &&
                store_commit(s, NULL)));
    }
    waitpid(child, NULL, 0);
}

/* Loses bits of a run, one at a time. */
static void expect_found(const char *path, int mode)
{
    static unsigned char bytes[FILE_ROOM];
    uint64_t whole, sum;
    size_t size = read_file(path, bytes);
    int found = 0, tried = 0;
    cr_assert_eq(bytes[18], mode);
    cr_assert_eq(seal_of(path), STORE_SEALED);
    cr_assert(read_run(path, &whole));
    for (size_t at = 0; at < size; at += at < 128 ? 1 : 61, tried++) {
        const unsigned char bit = (unsigned char)(1 << at % 8);
        bytes[at] ^= bit;
        write_file(path, bytes, size);
        bytes[at] ^= bit;
        bool read = read_run(path, &sum);
        cr_assert(!read || sum == whole, "byte %zu", at);
        found += !read;
    }
    cr_assert(found > tried / 2, "%d of %d; the other pages were not read", found, tried);
}

Test(store_pages, a_bit_that_is_lost_is_never_a_value, .timeout = 100)
{
    struct temporary t = temporary_make();
    const char *path = make_run(&t, "run.db");
    expect_found(path, 1);
    temporary_remove(&t);
}

Test(store_pages, nor_in_wal_mode, .timeout = 100)
{
    struct temporary t = temporary_make();
    const char *path = make_run(&t, "run.db");
    leave_in_wal_mode(path);
    unlink(temporary_file(&t, "run.db-wal")); /* it is empty */
    expect_found(temporary_file(&t, "run.db"), 2);
    temporary_remove(&t);
}

/* While a writer has the run open, who has read none of it. */
Test(store_pages, a_bit_is_lost_while_the_run_is_written)
{
    enum { PAGE = 4096, BEST = 3 };
    struct temporary t = temporary_make();
    struct error err = {""};
    struct store_check check;
    const char *path = make_run(&t, "run.db");
    struct store *s = open_to_write(path);
    cr_assert(store_check(path, &check, &err) && !check.broken, "%s", err.text);
    pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen(path, "r+b");
        unsigned char page[PAGE];
        int wrong = fseek(file, BEST * PAGE, SEEK_SET) != 0 || fread(page, PAGE, 1, file) != 1;
        page[PAGE - 100] ^= 1;
        wrong =
            wrong || fseek(file, BEST * PAGE, SEEK_SET) != 0 || fwrite(page, PAGE, 1, file) != 1;
        _exit(wrong || fclose(file) != 0);
    }
    waitpid(child, NULL, 0);
    cr_assert_not(store_check(path, &check, &err));
    cr_assert_not_null(strstr(err.text, "is damaged ("), "%s", err.text);
    store_close(s);
    temporary_remove(&t);
}

static uint64_t big_endian(const unsigned char *bytes, int count)
{
    uint64_t number = 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* The checksum as other versions of the program compute it, whose files must stay readable: over words of
 * 8 bytes, of which the last holds the counter alone. */
static uint32_t checksum_of(const unsigned char *page, uint64_t number)
{
    uint64_t sum = number;
    for (int at = 0; at < 4096; at += 8) {
        sum ^= at < 4088 ? big_endian(page + at, 8) : big_endian(page + at, 4) << 32;
        sum *= 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return (uint32_t)(sum >> 32);
}

Test(store_pages, checksums_are_those_of_every_version)
{
    struct temporary t = temporary_make();
    static unsigned char bytes[FILE_ROOM];
    size_t pages = read_file(make_run(&t, "run.db"), bytes) / 4096;
    cr_assert_gt(pages, 10);
    for (size_t i = 0; i < pages; i++) {
        const unsigned char *page = bytes + i * 4096;
        cr_assert_eq(big_endian(page + 4092, 4), checksum_of(page, i + 1), "page %zu", i + 1);
        cr_assert_eq(big_endian(page + 4088, 4), i == 0 ? big_endian(page + 24, 4) : 0);
    }
    temporary_remove(&t);
}

Test(store_pages, all_of_a_file_is_checked)
{
    struct temporary t = temporary_make();
    static unsigned char bytes[FILE_ROOM];
    const char *path = make_run(&t, "run.db");
    struct error err = {""};
    struct store_check check;
    size_t size = read_file(path, bytes);
    cr_assert(store_check(path, &check, &err), "%s", err.text);
    cr_assert(!check.broken && check.runs == 1);
    cr_assert_eq((size_t)check.pages, size / 4096);
    for (size_t page = 0; page < size / 4096; page++) {
        bytes[page * 4096 + 3000] ^= 4;
        write_file(path, bytes, size);
        bytes[page * 4096 + 3000] ^= 4;
        cr_assert_not(store_check(path, &check, &err), "page %zu", page + 1);
        cr_assert_not_null(strstr(err.text, "is damaged ("), "%s", err.text);
    }
    temporary_remove(&t);
}

Test(store_pages, what_another_program_wrote_is_no_damage)
{
    struct temporary t = temporary_make();
    const char *path = make_run(&t, "run.db");
    struct error err = {""};
    struct store_check check;
    uint64_t sum;
    execute(path, "UPDATE property SET value = 'other' WHERE key = 'name'");
    cr_assert_eq(seal_of(path), STORE_NOT_SEALED);
    cr_assert(read_run(path, &sum));
    cr_assert(store_check(path, &check, &err) && check.broken);
    execute(path, "PRAGMA journal_mode = WAL; DELETE FROM seed; VACUUM");
    cr_assert(read_run(path, &sum));
    store_close(open_to_write(path));
    cr_assert_eq(seal_of(path), STORE_SEALED, "our next writer renews them");
    cr_assert(read_run(path, &sum));
    execute(path, "VACUUM");
    cr_assert_eq(seal_of(path), STORE_NOT_SEALED);
    store_close(open_to_write(path));
    cr_assert_eq(seal_of(path), STORE_SEALED);
    temporary_remove(&t);
}

/* Whoever opens a killed run first copies its WAL into it. */
Test(store_pages, a_killed_run_is_whole_whoever_completes_it)
{
    for (int other = 0; other <= 1; other++) {
        struct temporary t = temporary_make();
        const char *path = make_run(&t, "run.db");
        uint64_t sum;
        pid_t child = fork();
        if (child == 0) {
            struct store *s = open_to_write(path);
            put_generation(s, GENERATIONS);
            _exit(s == NULL);
        }
        waitpid(child, NULL, 0);
        if (other)
            execute(path, "SELECT count(*) FROM organism");
        struct store *s = store_open(path, STORE_READ, NULL);
        cr_assert_eq(store_last_generation(s), GENERATIONS);
        store_close(s);
        s = open_to_write(path);
        cr_assert(store_put(s, "name", "other", NULL)); /* the first page goes to the WAL */
        struct store *reader = store_open(path, STORE_READ, NULL);
        cr_assert_not_null(reader);
        store_close(reader);
        store_close(s);
        cr_assert_eq(seal_of(path), STORE_SEALED);
        cr_assert_not(read_run(path, &sum), "it has one more generation");
        temporary_remove(&t);
    }
}

Test(store_pages, a_new_run_has_its_checksums_at_once)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    const char *path = temporary_file(&t, "run.db");
    struct store *s = store_create(path, false, &err);
    cr_assert(s != NULL && store_put_genes(s, &table, &err) && store_publish(s, &err), "%s",
              err.text);
    cr_assert_eq(seal_of(path), STORE_SEALED);
    temporary_remove(&t);
}

/* A page that was never written is empty; one with a single byte is not. */
Test(store_pages, an_empty_page_is_no_damage)
{
    enum { PAGE = 4096, EMPTY = 2 };
    struct temporary t = temporary_make();
    static unsigned char bytes[FILE_ROOM];
    size_t damaged, size = read_file(make_run(&t, "run.db"), bytes);
    memset(bytes + EMPTY * PAGE, 0, PAGE);
    cr_assert_eq(store_pages_check(bytes, size, &damaged), STORE_SEALED);
    cr_assert_eq(damaged, 0u);
    for (size_t at = 0; at < PAGE; at += at == 0 ? 1 : PAGE - 2) {
        bytes[EMPTY * PAGE + at] = 1;
        store_pages_check(bytes, size, &damaged);
        cr_assert_eq(damaged, EMPTY + 1u, "byte %zu", at);
        bytes[EMPTY * PAGE + at] = 0;
    }
    temporary_remove(&t);
}

/* Without room for it, or in another version, there is no checksum that could be compared. */
Test(store_pages, a_file_without_checksums_is_known)
{
    enum { RESERVE = 20, VERSION = 63, APPLICATION = 68 };
    struct temporary t = temporary_make();
    static unsigned char bytes[FILE_ROOM];
    static const int places[] = {0, RESERVE, APPLICATION};
    size_t damaged, size = read_file(make_run(&t, "run.db"), bytes);
    for (int i = 0; i < 3; i++) {
        bytes[places[i]] ^= 1;
        cr_assert_eq(store_pages_check(bytes, size, &damaged), STORE_NOT_SUMMED, "byte %d",
                     places[i]);
        bytes[places[i]] ^= 1;
    }
    cr_assert_eq(bytes[VERSION], STORE_VERSION);
    bytes[VERSION] = STORE_VERSION - 1;
    cr_assert_eq(store_pages_check(bytes, size, &damaged), STORE_NOT_SUMMED);
    temporary_remove(&t);
}

/* Leaves a killed run with a WAL that has something. */
static void leave_wal(const char *path)
{
    char wal[128];
    snprintf(wal, sizeof wal, "%s-wal", path);
    pid_t child = fork();
    if (child == 0) {
        struct store *s = open_to_write(path);
        struct stat st = {.st_size = 0};
        for (int g = GENERATIONS; st.st_size == 0; g++) { /* a slow one is copied at once */
            put_generation(s, g);
            stat(wal, &st);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

Test(store_pages, a_killed_run_is_checked)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    struct store_check check;
    const char *path = make_run(&t, "run.db");
    leave_wal(path);
    cr_assert(store_check(path, &check, &err), "%s", err.text);
    cr_assert_not(check.broken);
    temporary_remove(&t);
}

/* sqlite3, say, only asks, but completes the file. Each of our transactions has a page 1, which tells. */
Test(store_pages, a_killed_run_that_another_program_completed_is_no_damage)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    struct store_check check;
    const char *path = make_run(&t, "run.db");
    leave_wal(path);
    execute(path, "SELECT count(*) FROM run");
    cr_assert(store_check(path, &check, &err), "%s", err.text);
    cr_assert(check.broken);
    store_close(open_to_write(path));
    cr_assert(store_check(path, &check, &err) && !check.broken, "%s", err.text);
    temporary_remove(&t);
}

/* The same while the run is being written. */
Test(store_pages, another_program_copies_the_wal_of_a_writer)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    struct store_check check;
    char command[160];
    const char *path = make_run(&t, "run.db");
    struct store *s = open_to_write(path);
    snprintf(command, sizeof command, "sqlite3 '%s' 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null",
             path);
    for (int g = GENERATIONS; g < GENERATIONS + 4; g++) {
        put_generation(s, g);
        cr_assert_eq(system(command), 0); /* in a process of its own, as SQLite's locks are */
    }
    store_close(s);
    cr_assert(store_check(path, &check, &err) && !check.broken, "%s", err.text);
    s = store_open(path, STORE_READ, &err);
    cr_assert_eq(store_last_generation(s), GENERATIONS + 3);
    store_close(s);
    temporary_remove(&t);
}
