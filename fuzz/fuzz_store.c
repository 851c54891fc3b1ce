/* A run file that was damaged, or changed by hostile SQL: refused with a reason, or a run whose values
 * are within their ranges.
 *
 * The first byte of the input tells what the rest is: 'S' SQL that another program ran on the file,
 * else bytes to put into it, each as three bytes of place and one of value. Checksums are not compared
 * then, since whoever makes such a file could renew them. */
#include "fuzz.h"
#include "one_max_run.h"
#include "report.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE = 64, STEPS = 100000 };

/* A sound run. */
static struct {
    unsigned char *bytes;
    size_t size;
} whole;

static void path_of(char path[PLACE])
{
    snprintf(path, PLACE, "%s/grayling-fuzz-%ld.db",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
}

static void make_whole(const char *path)
{
    struct report r;
    one_max_run(path);
    assert(report_read(path, &r, NULL));
    report_free(&r);
    FILE *in = fopen(path, "rb");
    assert(in != NULL && fseek(in, 0, SEEK_END) == 0);
    whole.size = (size_t)ftell(in);
    whole.bytes = malloc(whole.size);
    rewind(in);
    assert(whole.bytes != NULL && fread(whole.bytes, whole.size, 1, in) == 1);
    fclose(in);
}

/* Writes the run with changed bytes, and a change counter that says so. */
static void write_run(const char *path, const uint8_t *changes, size_t size)
{
    enum { COUNTER = 27 };
    unsigned char *bytes = malloc(whole.size);
    assert(bytes != NULL);
    memcpy(bytes, whole.bytes, whole.size);
    bytes[COUNTER] ^= 1;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        size_t place = (size_t)changes[i] << 16 | (size_t)changes[i + 1] << 8 | changes[i + 2];
        bytes[place % whole.size] = changes[i + 3];
    }
    FILE *out = fopen(path, "wb");
    assert(out != NULL && fwrite(bytes, whole.size, 1, out) == 1 && fclose(out) == 0);
    free(bytes);
}

static int stop(void *nothing)
{
    (void)nothing;
    return 1;
}

/* What another program may do to the run, for a limited time, and without other files. */
static void execute(const char *path, const uint8_t *sql, size_t size)
{
    sqlite3 *db;
    char *text = strndup((const char *)sql, size);
    assert(text != NULL && sqlite3_open(path, &db) == SQLITE_OK);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_progress_handler(db, STEPS, stop, NULL);
    sqlite3_exec(db, text, NULL, NULL, NULL);
    sqlite3_close(db);
    free(text);
}

static void read_run(const char *path)
{
    struct error err = {""};
    struct report r;
    struct store_check check;
    assert(store_check(path, &check, &err) || err.text[0] != '\0');
    err.text[0] = '\0';
    if (!report_read(path, &r, &err)) {
        assert(err.text[0] != '\0');
        return;
    }
    for (int i = 0; r.summary.best != NULL && i < r.summary.space.count; i++)
        assert(r.summary.best[i] >= r.summary.space.params[i].min &&
               r.summary.best[i] <= r.summary.space.params[i].max);
    report_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PLACE], beside[PLACE + 16];
    path_of(path);
    if (whole.bytes == NULL)
        make_whole(path);
    bool is_sql = size > 0 && data[0] == 'S';
    write_run(path, data, is_sql ? 0 : size);
    if (is_sql)
        execute(path, data + 1, size - 1);
    read_run(path);
    unlink(path);
    snprintf(beside, sizeof beside, "%s-wal", path);
    unlink(beside);
    snprintf(beside, sizeof beside, "%s-shm", path);
    unlink(beside);
    return 0;
}
