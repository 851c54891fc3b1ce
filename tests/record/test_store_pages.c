/* Checksums of pages: a bit that is lost at rest is found by whoever reads it, and what another
 * program wrote is not taken for damage. */
#include "runs.h"

#include "database.h"
#include "store_internal.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { POPULATION = 50, GENERATIONS = 10, PAGE = 4096 };

RUNS(store_pages);

static struct fitness_cache cache = {.words = WORDS}; /* what the run has measured */

/* Makes the run, in transactions of its own. */
static void make_generations(void)
{
    make_run(run);
    struct store *s = open_run(run, STORE_WRITE);
    for (int g = 0; g < GENERATIONS; g++)
        add_generation(s, &cache, g, POPULATION);
    store_close(s);
}

/* The run file in memory. */
static unsigned char *bytes;
static size_t size;

static void read_file(void)
{
    free(bytes);
    bytes = read_bytes(run, &size);
}

static void make_file(void)
{
    make_generations();
    read_file();
}

/* Writes the file with a byte changed. */
static void write_damaged(size_t at, unsigned char bit)
{
    bytes[at] ^= bit;
    write_bytes(run, bytes, size);
    bytes[at] ^= bit;
}

static void expect_seal(enum store_seal seal)
{
    size_t damaged;
    read_file();
    cr_assert_eq(store_pages_check(bytes, size, &damaged), seal);
    cr_assert_eq(damaged, 0u, "page %zu", damaged);
}

static void expect_check(bool broken)
{
    struct store_check check;
    MUST(store_check(run, &check, &err));
    cr_assert_eq(check.broken, broken);
    cr_assert_eq(check.runs, 1);
}

static void expect_damage(void)
{
    struct store_check check;
    cr_assert_not(store_check(run, &check, &err));
    SAID("is damaged (");
}

/* Reads all of a run into a sum. False if something is said to be damaged. */
static bool read_run(uint64_t *sum)
{
    struct fitness_cache found = {.words = WORDS};
    struct param_table genes;
    int count = 0;
    int64_t numbers[2 * POPULATION];
    struct store *s = store_open(run, STORE_READ, &err);
    if (s == NULL)
        return false;
    char *name = store_get(s, "name");
    const bool has_genes = store_get_genes(s, &genes, &err);
    struct generation_row *rows = store_get_rows(s, &count, &err);
    bool read = name != NULL && has_genes && rows != NULL && count == GENERATIONS &&
                store_get_genomes(s, &found, &err);
    *sum = 0;
#define MIX(number) (*sum = (*sum ^ (uint64_t)(number)) * 0x9e3779b97f4a7c15u, *sum ^= *sum >> 31)
    for (int g = 0; read && g < count; g++) {
        read = store_get_organisms(s, g, numbers, numbers + POPULATION, POPULATION, &err);
        MIX(rows[g].measure);
        for (int i = 0; read && i < 2 * POPULATION; i++)
            MIX(numbers[i]);
    }
    for (size_t i = 0; read && i < found.count; i++)
        MIX((int64_t)fitness_cache_chromosome(&found, i)[0] + found.entries[i].measure);
    for (int i = 0; read && i < genes.count; i++)
        MIX(genes.params[i].max + genes.params[i].name[0]);
#undef MIX
    free(name);
    store_free_genes(&genes);
    free(rows);
    fitness_cache_free(&found);
    store_close(s);
    return read;
}

static void expect_read(void)
{
    uint64_t sum;
    MUST(read_run(&sum));
}

/* Loses bits of a run, one at a time. */
static void expect_found(int mode)
{
    uint64_t whole, sum;
    int found = 0, tried = 0;
    expect_seal(STORE_SEALED);
    cr_assert_eq(bytes[18], mode);
    cr_assert(read_run(&whole));
    for (size_t at = 0; at < size; at += at < 128 ? 1 : 61, tried++) {
        write_damaged(at, (unsigned char)(1 << at % 8));
        bool read = read_run(&sum);
        cr_assert(!read || sum == whole, "byte %zu", at);
        found += !read;
    }
    cr_assert(found > tried / 2, "%d of %d; the other pages were not read", found, tried);
}

Test(store_pages, a_bit_that_is_lost_is_never_a_value, .timeout = 100)
{
    make_generations();
    expect_found(1);
}

/* In WAL mode, as its writer leaves it who is killed, or ends while others have it open. */
Test(store_pages, nor_in_wal_mode, .timeout = 100)
{
    make_generations();
    pid_t child = fork();
    if (child == 0) {
        put_value(open_run(run, STORE_WRITE), "state", 1);
        _exit(0);
    }
    expect_done(child);
    unlink(scratch_path("run.db-wal")); /* it is empty */
    expect_found(2);
}

/* While a writer has the run open, who has read none of it. */
Test(store_pages, a_bit_is_lost_while_the_run_is_written)
{
    enum { BEST = 3 };
    make_file();
    struct store *s = open_run(run, STORE_WRITE);
    expect_check(false);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(run, O_WRONLY);
        unsigned char wrong = bytes[BEST * PAGE + PAGE - 100] ^ 1;
        _exit(pwrite(fd, &wrong, 1, BEST * PAGE + PAGE - 100) != 1);
    }
    expect_done(child);
    expect_damage();
    store_close(s);
}

static uint64_t big_endian(const unsigned char *at, int count)
{
    uint64_t number = 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | at[i];
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
    make_file();
    const size_t pages = size / PAGE;
    cr_assert_gt(pages, 10);
    for (size_t i = 0; i < pages; i++) {
        const unsigned char *page = bytes + i * 4096;
        cr_assert_eq(big_endian(page + 4092, 4), checksum_of(page, i + 1), "page %zu", i + 1);
        cr_assert_eq(big_endian(page + 4088, 4), i == 0 ? big_endian(page + 24, 4) : 0);
    }
}

Test(store_pages, all_of_a_file_is_checked)
{
    struct store_check check;
    make_file();
    cr_assert(store_check(run, &check, &err) && (size_t)check.pages == size / PAGE);
    for (size_t page = 0; page < size / PAGE; page++) {
        write_damaged(page * PAGE + 3000, 4);
        expect_damage();
    }
}

Test(store_pages, what_another_program_wrote_is_no_damage)
{
    make_generations();
    execute(run, "UPDATE property SET value = 'other' WHERE key = 'name'");
    expect_seal(STORE_NOT_SEALED);
    expect_read();
    expect_check(true);
    execute(run, "PRAGMA journal_mode = WAL; DELETE FROM seed; VACUUM");
    expect_read();
    store_close(open_run(run, STORE_WRITE));
    expect_seal(STORE_SEALED); /* our next writer renews them */
    expect_read();
    execute(run, "VACUUM");
    expect_seal(STORE_NOT_SEALED);
    store_close(open_run(run, STORE_WRITE));
    expect_seal(STORE_SEALED);
}

/* Whoever opens a killed run first copies its WAL into it. */
static void complete_killed_run(bool other)
{
    uint64_t sum;
    make_generations();
    pid_t child = fork();
    if (child == 0) {
        add_generation(open_run(run, STORE_WRITE), &cache, GENERATIONS, POPULATION);
        _exit(0);
    }
    expect_done(child);
    if (other)
        execute(run, "SELECT count(*) FROM organism");
    struct store *s = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(s), GENERATIONS);
    store_close(s);
    s = open_run(run, STORE_WRITE);
    cr_assert(store_put(s, "name", "other", NULL)); /* the first page goes to the WAL */
    store_close(open_run(run, STORE_READ));
    store_close(s);
    expect_seal(STORE_SEALED);
    cr_assert_not(read_run(&sum), "it has one more generation");
}

Test(store_pages, a_killed_run_is_whole_when_we_complete_it)
{
    complete_killed_run(false);
}

Test(store_pages, a_killed_run_is_whole_when_another_program_completes_it)
{
    complete_killed_run(true);
}

Test(store_pages, a_new_run_has_its_checksums_at_once)
{
    make_run(run);
    expect_seal(STORE_SEALED);
}

/* A page that was never written is empty; one with a single byte is not. */
Test(store_pages, an_empty_page_is_no_damage)
{
    enum { EMPTY = 2 };
    size_t damaged;
    make_file();
    memset(bytes + EMPTY * PAGE, 0, PAGE);
    cr_assert_eq(store_pages_check(bytes, size, &damaged), STORE_SEALED);
    cr_assert_eq(damaged, 0u);
    for (size_t at = 0; at < PAGE; at += at == 0 ? 1 : PAGE - 2) {
        bytes[EMPTY * PAGE + at] = 1;
        store_pages_check(bytes, size, &damaged);
        cr_assert_eq(damaged, EMPTY + 1u, "byte %zu", at);
        bytes[EMPTY * PAGE + at] = 0;
    }
}

/* Without room for it, or in another version, there is no checksum that could be compared. */
Test(store_pages, a_file_without_checksums_is_known)
{
    enum { RESERVE = 20, VERSION = 63, APPLICATION = 68 };
    static const int places[] = {0, RESERVE, VERSION, APPLICATION};
    size_t damaged;
    make_file();
    cr_assert_eq(bytes[VERSION], STORE_VERSION);
    for (int i = 0; i < 4; i++) {
        bytes[places[i]] ^= 1;
        cr_assert_eq(store_pages_check(bytes, size, &damaged), STORE_NOT_SUMMED, "byte %d",
                     places[i]);
        bytes[places[i]] ^= 1;
    }
}

/* Leaves a killed run with a WAL that has something. */
static void leave_wal(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct store *s = open_run(run, STORE_WRITE);
        struct stat st = {.st_size = 0};
        for (int g = GENERATIONS; st.st_size == 0; g++) { /* a slow one is copied at once */
            add_generation(s, &cache, g, POPULATION);
            stat(scratch_path("run.db-wal"), &st);
        }
        _exit(0);
    }
    expect_done(child);
}

Test(store_pages, a_killed_run_is_checked)
{
    make_generations();
    leave_wal();
    expect_check(false);
}

/* sqlite3, say, only asks, but completes the file. Each of our transactions has a page 1, which tells. */
Test(store_pages, a_killed_run_that_another_program_completed_is_no_damage)
{
    make_generations();
    leave_wal();
    execute(run, "SELECT count(*) FROM run");
    expect_check(true);
    store_close(open_run(run, STORE_WRITE));
    expect_check(false);
}

/* The same while the run is being written. */
Test(store_pages, another_program_copies_the_wal_of_a_writer)
{
    make_generations();
    struct store *s = open_run(run, STORE_WRITE);
    const char *command = text_of("sqlite3 '%s' 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null", run);
    for (int g = GENERATIONS; g < GENERATIONS + 4; g++) {
        add_generation(s, &cache, g, POPULATION);
        cr_assert_eq(system(command), 0); /* in a process of its own, as SQLite's locks are */
    }
    store_close(s);
    expect_check(false);
    s = open_run(run, STORE_READ);
    cr_assert_eq(store_last_generation(s), GENERATIONS + 3);
    store_close(s);
}
