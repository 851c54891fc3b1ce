/* The module that reads bzip2, zstd and zip. */
#include "archive_module.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reader {
    struct archive *archive;
    int fd;
    off_t start;       /* where libarchive began to read the file by itself, or -1 */
    off_t given;       /* the number of bytes that `give` gave it */
    const char *piece; /* what libarchive read last, */
    size_t length;     /* as much of it as is not yet returned */
    bool ended;        /* nothing follows the piece, */
    bool failed;       /* but the reason */
    size_t first;      /* bytes that were read before, and are not yet given */
    char bytes[ARCHIVE_BLOCK];
};

/* Gives libarchive the next bytes of a file in which there is no way back. */
static la_ssize_t give(struct archive *archive, void *reader, const void **bytes)
{
    struct reader *r = reader;
    ssize_t n = (ssize_t)r->first;
    while (r->first == 0 && (n = read(r->fd, r->bytes, sizeof r->bytes)) < 0 && errno == EINTR)
        continue;
    if (n < 0)
        archive_set_error(archive, errno, "%s", strerror(errno));
    r->first = 0;
    r->given += n > 0 ? n : 0;
    *bytes = r->bytes;
    return n;
}

/* Goes on to the next file of the archive: ARCHIVE_OK, ARCHIVE_EOF if there is none, or a failure. Passes over folders,
 * and what macOS adds to a zip for each file. */
static int next_file(struct reader *r)
{
    static const char added[] = "__MACOSX/";
    for (;;) {
        struct archive_entry *entry;
        const int status = archive_read_next_header(r->archive, &entry);
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return status;
        const char *path = archive_entry_pathname(entry);
        if (archive_entry_filetype(entry) != AE_IFDIR &&
            (path == NULL || strncmp(path, added, strlen(added)) != 0))
            return ARCHIVE_OK;
    }
}

static bool is_zip(const struct reader *r)
{
    return (archive_format(r->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

/* True, with the reason, if a bzip2 file has ended before its last byte: to libarchive, whatever does
 * not begin as another stream is the end. It has read on to see that. */
static bool has_other_data(struct reader *r)
{
    const off_t read = r->start >= 0 ? lseek(r->fd, 0, SEEK_CUR) - r->start : r->given;
    const bool other = archive_filter_code(r->archive, 0) == ARCHIVE_FILTER_BZIP2 &&
                       archive_filter_bytes(r->archive, -1) < read;
    if (other)
        archive_set_error(r->archive, EIO, "damaged bzip2: other data after its end");
    return other;
}

/* Ends the file of the archive, which must be its only one, and whole. A zip whose end is lost may have
 * had others; of its directory libarchive need not read all. */
static void end_file(struct reader *r)
{
    const bool zip = is_zip(r);
    const int status = zip ? next_file(r) : ARCHIVE_EOF;
    r->failed = status != ARCHIVE_EOF || (!zip && has_other_data(r));
    if (status == ARCHIVE_OK)
        archive_set_error(r->archive, EIO, "it holds several files; unpack it");
    else if (r->failed && archive_error_string(r->archive) == NULL)
        archive_set_error(r->archive, EIO, "the zip ends before its directory");
}

/* Lets libarchive detect the compression, and opens the first file. It reads a zip by its directory where there is a way
 * back in the file. */
static void open_first(struct reader *r)
{
    struct archive *a = r->archive;
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_format_zip(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    r->start = lseek(r->fd, -(off_t)r->first, SEEK_CUR);
    int status = r->start >= 0 ? archive_read_open_fd(a, r->fd, ARCHIVE_BLOCK)
                               : archive_read_open(a, r, NULL, give, NULL);
    if (status == ARCHIVE_OK)
        status = next_file(r);
    r->ended = status != ARCHIVE_OK;
    r->failed = r->ended && (status != ARCHIVE_EOF || is_zip(r) || has_other_data(r));
    if (status == ARCHIVE_EOF && is_zip(r))
        archive_set_error(a, EIO, "no file in the zip");
}

static void *open_archive(int fd, const char *first, size_t length)
{
    struct reader *r = calloc(1, sizeof *r);
    struct archive *archive = r != NULL ? archive_read_new() : NULL;
    if (archive == NULL) {
        free(r);
        return NULL;
    }
    r->archive = archive;
    r->fd = fd;
    r->first = length;
    memcpy(r->bytes, first, length);
    open_first(r);
    return r;
}

static ssize_t read_archive(void *archive, char *bytes, size_t room, const char **reason)
{
    struct reader *r = archive;
    while (r->length == 0 && !r->ended) {
        la_int64_t offset;
        const void *piece;
        const int status = archive_read_data_block(r->archive, &piece, &r->length, &offset);
        r->piece = piece;
        if (status == ARCHIVE_OK)
            continue;
        r->length = 0;
        r->ended = r->failed = true;
        if (status == ARCHIVE_EOF)
            end_file(r);
    }
    if (r->length == 0 && !r->failed)
        return 0;
    if (r->length == 0) {
        *reason = archive_error_string(r->archive);
        *reason = *reason != NULL ? *reason : "unknown reason";
        return -1;
    }
    const size_t n = r->length < room ? r->length : room;
    memcpy(bytes, r->piece, n);
    r->piece += n;
    r->length -= n;
    return (ssize_t)n;
}

static void close_archive(void *archive)
{
    struct reader *r = archive;
    archive_read_free(r->archive);
    free(r);
}

extern const struct archive_method grayling_archive;
const struct archive_method grayling_archive = {open_archive, read_archive, close_archive};
