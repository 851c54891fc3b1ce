/* A compressed run: read as the plain one is, never written, and refused where it is no run. */
#include "runs.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

RUNS(store_compressed);

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

static char compressed[112]; /* the path of the compressed run */

/* Compresses the run and removes it. */
static void compress_run(void)
{
    size_t n;
    unsigned char *bytes = read_bytes(run, &n);
    snprintf(compressed, sizeof compressed, "%s.zst", run);
    write_compressed(compressed, bytes, n);
    free(bytes);
    unlink(run);
}

/* Its writer had been killed. */
Test(store_compressed, one_that_was_in_wal_mode_is_read)
{
    size_t n;
    make_run(run);
    pid_t child = fork();
    if (child == 0)
        _exit(store_open(run, STORE_WRITE, NULL) == NULL);
    expect_done(child);
    unsigned char *bytes = read_bytes(run, &n);
    cr_assert_eq(bytes[18], 2);
    free(bytes);
    compress_run();
    expect_name(compressed, run);
}

Test(store_compressed, is_read_with_its_stages)
{
    const char *stage = text_of("%s#search", run);
    make_run(run);
    make_run(stage);
    compress_run();
    cr_expect(store_is_database(compressed));
    expect_name(compressed, run);
    const char *compressed_stage = text_of("%s#search", compressed);
    cr_expect(store_is_database(compressed_stage));
    expect_name(compressed_stage, stage);
    strcpy(strchr(compressed_stage, '#'), "#play");
    expect_refused(compressed_stage, STORE_READ, "no run of this name has begun");
    cr_expect_eq(scratch_count(), 1, "reading leaves nothing beside it");
}

Test(store_compressed, is_never_written)
{
    make_run(run);
    cr_expect(store_writable(run, &err), "a plain run is writable");
    compress_run();
    expect_refused(compressed, STORE_WRITE, "decompress it first: zstd -d");
    cr_expect_not(store_writable(compressed, &err));
    SAID("zstd -d");
    const char *stage = text_of("%s#more", compressed);
    cr_expect_null(store_create(stage, false, &err), "it gets no new stage");
    SAID("zstd -d");
    struct store *s = store_open(compressed, STORE_READ, &err);
    cr_expect_not(store_begin(s, NULL) && store_put(s, "name", "other", &err));
    store_close(s);
    expect_name(compressed, run);
}

Test(store_compressed, what_is_no_run_is_refused)
{
    const char *path = scratch_path("games.pgn.zst");
    write_compressed(path, "[Event \"none\"]\n", 15);
    cr_expect_not(store_is_database(path));
    expect_refused(path, STORE_READ, "is not a Grayling run");
}

Test(store_compressed, a_damaged_file_is_refused)
{
    make_run(run);
    compress_run();
    struct stat st;
    cr_assert(stat(compressed, &st) == 0 && truncate(compressed, st.st_size / 2) == 0);
    expect_refused(compressed, STORE_READ, "cannot read");
}

/* The database inside is checked as a plain one is. */
Test(store_compressed, a_damaged_database_is_refused_by_its_page)
{
    struct store_check check;
    size_t n;
    make_run(run);
    unsigned char *bytes = read_bytes(run, &n);
    compress_run();
    MUST(store_check(compressed, &check, &err));
    cr_expect(!check.broken && check.runs == 1);
    for (size_t page = 0; page < n / 4096; page++) {
        bytes[page * 4096 + 3000] ^= 4;
        write_compressed(compressed, bytes, n);
        bytes[page * 4096 + 3000] ^= 4;
        expect_refused(compressed, STORE_READ,
                       text_of("is damaged (page %zu has not its checksum)", page + 1));
    }
    free(bytes);
}

/* Larger than the first block of memory that is taken. Text that does not compress, so that half of the file is
 * megabytes. */
Test(store_compressed, a_run_of_megabytes_is_whole_or_refused)
{
    enum { SIZE = 5 << 20 };
    char *text = malloc(SIZE);
    uint32_t number = 1;
    struct stat st;
    make_run(run);
    for (size_t i = 0; i < SIZE; i++) {
        number = number * 1664525 + 1013904223;
        text[i] = (char)(' ' + (number >> 24) % 64);
    }
    text[SIZE - 1] = '\0';
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_put(s, "name", text, &err) && store_commit(s, &err));
    store_close(s);
    compress_run();
    expect_name(compressed, text);
    cr_assert(stat(compressed, &st) == 0 && st.st_size > 2 << 20);
    cr_assert_eq(truncate(compressed, st.st_size / 2), 0);
    expect_refused(compressed, STORE_READ, "read error");
    free(text);
}
