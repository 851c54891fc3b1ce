/* A compressed run: read as the plain one is, never written, and refused where it is no run. */
#include "store.h"
#include "store_internal.h"

#include "gain_run.h"
#include "temporary.h"

#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <sys/wait.h>

/* Writes bytes compressed with zstd. */
static void write_compressed(const char *path, const void *bytes, size_t n)
{
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    cr_assert_eq(archive_write_set_format_raw(a), ARCHIVE_OK);
    cr_assert_eq(archive_write_add_filter_zstd(a), ARCHIVE_OK, "%s", archive_error_string(a));
    cr_assert_eq(archive_write_open_filename(a, path), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    cr_assert_eq(archive_write_header(a, entry), ARCHIVE_OK);
    cr_assert_eq(archive_write_data(a, bytes, n), (la_ssize_t)n);
    archive_entry_free(entry);
    cr_assert_eq(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

/* The bytes of a file, malloc'ed. */
static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f);
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    *n = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*n);
    cr_assert_eq(fread(bytes, 1, *n, f), *n);
    fclose(f);
    return bytes;
}

/* Compresses a file to FILE.zst and removes it. */
static void compress_file(const char *path, char compressed[112])
{
    size_t n;
    char *bytes = read_file(path, &n);
    snprintf(compressed, 112, "%s.zst", path);
    write_compressed(compressed, bytes, n);
    free(bytes);
    unlink(path);
}

static void expect_name(const char *path, const char *expected)
{
    struct error err = {""};
    struct store *s = store_open(path, STORE_READ, &err);
    cr_assert_not_null(s, "%s", err.text);
    char *name = store_get(s, "name");
    cr_expect_str_eq(name, expected);
    cr_expect(store_sound(s, &err), "%s", err.text);
    cr_expect_not(store_running(s));
    free(name);
    store_close(s);
}

static void expect_refused(const char *path, enum store_mode mode, const char *reason)
{
    struct error err = {""};
    cr_assert_null(store_open(path, mode, &err));
    cr_expect_not_null(strstr(err.text, reason), "expected '%s' in: %s", reason, err.text);
    cr_expect_not_null(strstr(err.text, path), "the file is not named in: %s", err.text);
}

/* Its writer had been killed. */
Test(store_compressed, one_that_was_in_wal_mode_is_read)
{
    struct temporary t = temporary_make();
    char path[96], compressed[112];
    size_t n;
    strcpy(path, temporary_file(&t, "run.db"));
    snprintf(compressed, sizeof compressed, "%s.zst", path);
    make_run(path);
    pid_t child = fork();
    if (child == 0)
        _exit(store_open(path, STORE_WRITE, NULL) == NULL);
    waitpid(child, NULL, 0);
    char *bytes = read_file(path, &n);
    cr_assert_eq(bytes[18], 2);
    write_compressed(compressed, bytes, n);
    free(bytes);
    expect_name(compressed, path);
    temporary_remove(&t);
}

Test(store_compressed, is_read_with_its_stages)
{
    struct temporary t = temporary_make();
    char path[96], stage[128], compressed[112];
    strcpy(path, temporary_file(&t, "night.db"));
    snprintf(stage, sizeof stage, "%s#search", path);
    make_run(path);
    make_run(stage);
    compress_file(path, compressed);
    cr_expect(store_is_database(compressed));
    expect_name(compressed, path);
    char compressed_stage[128];
    snprintf(compressed_stage, sizeof compressed_stage, "%s#search", compressed);
    cr_expect(store_is_database(compressed_stage));
    expect_name(compressed_stage, stage);
    strcpy(strchr(compressed_stage, '#'), "#play");
    expect_refused(compressed_stage, STORE_READ, "no run of this name has begun");
    cr_expect_eq(temporary_count(&t), 1, "reading leaves nothing beside it");
    temporary_remove(&t);
}

Test(store_compressed, is_never_written)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    char path[96], compressed[112], stage[128];
    strcpy(path, temporary_file(&t, "run.db"));
    make_run(path);
    cr_expect(store_writable(path, &err), "a plain run is writable");
    compress_file(path, compressed);
    expect_refused(compressed, STORE_WRITE, "decompress it first: zstd -d");
    cr_expect_not(store_writable(compressed, &err));
    cr_expect_not_null(strstr(err.text, "zstd -d"), "%s", err.text);
    snprintf(stage, sizeof stage, "%s#more", compressed);
    cr_expect_null(store_create(stage, false, &err), "it gets no new stage");
    cr_expect_not_null(strstr(err.text, "zstd -d"), "%s", err.text);
    struct store *s = store_open(compressed, STORE_READ, &err);
    cr_expect_not(store_begin(s, NULL) && store_put(s, "name", "other", &err));
    store_close(s);
    expect_name(compressed, path);
    temporary_remove(&t);
}

Test(store_compressed, what_is_no_run_is_refused)
{
    struct temporary t = temporary_make();
    char path[112];
    strcpy(path, temporary_file(&t, "games.pgn.zst"));
    write_compressed(path, "[Event \"none\"]\n", 15);
    cr_expect(store_is_compressed(path));
    cr_expect_not(store_is_database(path));
    expect_refused(path, STORE_READ, "is not a Grayling run");
    temporary_remove(&t);
}

Test(store_compressed, a_damaged_file_is_refused)
{
    struct temporary t = temporary_make();
    char path[96], compressed[112];
    strcpy(path, temporary_file(&t, "run.db"));
    make_run(path);
    compress_file(path, compressed);
    size_t n;
    char *bytes = read_file(compressed, &n);
    FILE *f = fopen(compressed, "wb");
    cr_assert_eq(fwrite(bytes, 1, n / 2, f), n / 2);
    fclose(f);
    free(bytes);
    expect_refused(compressed, STORE_READ, "cannot read");
    temporary_remove(&t);
}

/* The database inside is checked as a plain one is. */
Test(store_compressed, a_damaged_database_is_refused_by_its_page)
{
    struct temporary t = temporary_make();
    char path[96], compressed[112];
    struct error err = {""};
    struct store_check check;
    size_t n;
    strcpy(path, temporary_file(&t, "run.db"));
    make_run(path);
    char *bytes = read_file(path, &n);
    snprintf(compressed, sizeof compressed, "%s.zst", path);
    write_compressed(compressed, bytes, n);
    cr_assert(store_check(compressed, &check, &err), "%s", err.text);
    cr_expect(!check.broken && check.runs == 1);
    for (size_t page = 0; page < n / 4096; page++) {
        char reason[64];
        snprintf(reason, sizeof reason, "is damaged (page %zu has not its checksum)", page + 1);
        bytes[page * 4096 + 3000] ^= 4;
        write_compressed(compressed, bytes, n);
        bytes[page * 4096 + 3000] ^= 4;
        expect_refused(compressed, STORE_READ, reason);
    }
    free(bytes);
    temporary_remove(&t);
}

/* Text that does not compress, so that half of the file is megabytes. */
Test(store_compressed, a_large_file_that_is_cut_gives_nothing)
{
    enum { SIZE = 3 << 20 };
    struct temporary t = temporary_make();
    struct error err = {""};
    char *bytes = malloc(SIZE), path[112];
    uint32_t number = 1;
    for (size_t i = 0; i < SIZE; i++) {
        number = number * 1664525 + 1013904223;
        bytes[i] = (char)(number >> 24);
    }
    strcpy(path, temporary_file(&t, "large.zst"));
    write_compressed(path, bytes, SIZE);
    cr_assert_eq(truncate(path, SIZE / 2), 0);
    size_t length = 0;
    cr_expect_null(store_decompress(path, &length, &err));
    cr_expect_not_null(strstr(err.text, "read error"), "%s", err.text);
    free(bytes);
    temporary_remove(&t);
}

/* Larger than the first block of memory that is taken. */
Test(store_compressed, a_file_of_megabytes_is_whole)
{
    enum { SIZE = 5 << 20 };
    struct temporary t = temporary_make();
    struct error err = {""};
    char *bytes = malloc(SIZE), path[112];
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * i >> 7);
    strcpy(path, temporary_file(&t, "large.zst"));
    write_compressed(path, bytes, SIZE);
    size_t length = 0;
    unsigned char *found = store_decompress(path, &length, &err);
    cr_assert_not_null(found, "%s", err.text);
    cr_expect_eq(length, SIZE);
    cr_expect_eq(memcmp(found, bytes, SIZE), 0);
    free(found);
    free(bytes);
    temporary_remove(&t);
}
