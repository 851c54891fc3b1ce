#include "input.h"

#include "foreign_text.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK_SIZE = 1 << 16, LINE_LIMIT = 16 << 20, GZIP_ONLY = 16 + MAX_WBITS };

struct input {
    char *name; /* for messages */
    int fd;
    /* The file as it is, or decompressed if it is gzip: unlike libarchive this compares the CRC-32 and the length of
     * each member. */
    z_stream zlib;      /* next_in and avail_in are the bytes of `packed` that are not yet used */
    bool is_gzip;       /* zlib's state is allocated */
    bool inside;        /* a member has begun and has not ended */
    bool any;           /* member has ended */
    const char *damage; /* found behind the bytes that were returned last, or NULL */
    int reason;         /* errno of a read that failed */
    bool file_ended;
    unsigned char packed[BLOCK_SIZE], unpacked[BLOCK_SIZE];
    struct archive *archive;
    off_t start;         /* where libarchive began to read the file by itself, or -1 */
    off_t given;         /* the number of bytes that read_source gave it */
    long number;         /* lines returned */
    bool exhausted;      /* the archive has no file, or its file is read */
    bool failed;         /* nothing follows the present block but the reason */
    bool several;        /* which is that the archive has another file */
    const char *piece;   /* what libarchive read last, */
    size_t piece_length; /* as much of it as is not yet in `block` */
    bool after_cr, ended;
    enum file_kind kind;
    size_t at, filled; /* of block */
    size_t length, capacity;
    char *line;
    char block[BLOCK_SIZE];
};

/* First bytes of formats that cannot be read, as of data that is compressed twice. */
static const struct {
    const char *bytes;
    size_t length;
    const char *name;
} foreign[] = {
    {"\x1f\x8b", 2, "gzip twice"},
    {"BZh\x31\x41\x59", 6, "damaged bzip2"},
    {"\x28\xb5\x2f\xfd", 4, "zstd"},
    {"PK\x03\x04", 4, "damaged zip"},
    {"\xfd\x37zXZ", 5, "xz"},
    {"7z\xbc\xaf\x27\x1c", 6, "7-Zip"},
    {"Rar!", 4, "rar"},
    {"\x04\x22\x4d\x18", 4, "lz4"},
    {"\x1f\x9d", 2, "compress (.Z)"},
    {"\xff\xfe", 2, "UTF-16 text"},
    {"\xfe\xff", 2, "UTF-16 text"},
};

/* ---- gzip ---- */

/* Reads more bytes behind the unused ones. False at the end, or with `reason` on failure. */
static bool refill(struct input *in)
{
    z_stream *z = &in->zlib;
    if (z->avail_in > 0)
        memmove(in->packed, z->next_in, z->avail_in);
    z->next_in = in->packed;
    ssize_t n;
    do
        n = in->file_ended ? 0 : read(in->fd, in->packed + z->avail_in, BLOCK_SIZE - z->avail_in);
    while (n < 0 && errno == EINTR);
    in->reason = n < 0 ? errno : 0;
    in->file_ended = n <= 0;
    z->avail_in += n > 0 ? (unsigned)n : 0;
    return n > 0;
}

/* Decompresses the next bytes, of one member after another. Zeros may follow, with which archives are padded. */
static void inflate_more(struct input *in)
{
    z_stream *z = &in->zlib;
    z->next_out = in->unpacked;
    z->avail_out = BLOCK_SIZE;
    while (z->avail_out == BLOCK_SIZE && in->damage == NULL && (z->avail_in > 0 || refill(in))) {
        if (!in->inside && in->any && *z->next_in == 0) {
            z->next_in++;
            z->avail_in--;
            continue;
        }
        const bool begins = !in->inside && in->any;
        const int status = inflate(z, Z_NO_FLUSH);
        in->inside = status != Z_STREAM_END;
        if (status == Z_STREAM_END) {
            in->any = true;
            inflateReset(z);
        } else if (status == Z_MEM_ERROR) {
            in->damage = "no memory to decompress";
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            in->damage = begins ? "damaged gzip: other data after its end"
                                : "damaged gzip: its content does not have its checksum";
        }
    }
}

/* ---- archives ---- */

static bool open_file(struct input *in, const char *path, struct error *err)
{
    if (strcmp(path, "-") == 0) {
        in->fd = STDIN_FILENO;
        return true;
    }
    in->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0)
        return error_set(err, "cannot open %s: %s", path, strerror(errno));
    struct stat status;
    if (fstat(in->fd, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "cannot read %s: it is a directory", path);
    return true;
}

static const char *archive_reason(const struct input *in)
{
    const char *reason = archive_error_string(in->archive);
    return reason != NULL ? reason : "unknown reason";
}

/* Gives libarchive the next bytes of the file. */
static la_ssize_t read_source(struct archive *archive, void *input, const void **bytes)
{
    struct input *in = input;
    const char *reason = NULL;
    la_ssize_t n;
    if (in->is_gzip) {
        inflate_more(in);
        *bytes = in->unpacked;
        n = BLOCK_SIZE - (la_ssize_t)in->zlib.avail_out;
        reason = in->damage;
    } else {
        if (in->zlib.avail_in == 0)
            refill(in);
        *bytes = in->zlib.next_in;
        n = in->zlib.avail_in;
        in->zlib.avail_in = 0;
    }
    if (n == 0 && in->reason != 0)
        reason = strerror(in->reason);
    else if (n == 0 && reason == NULL && in->inside)
        reason = "truncated gzip input";
    in->given += n;
    if (n > 0 || reason == NULL)
        return n;
    archive_set_error(archive, EIO, "%s", reason);
    return -1;
}

/* Opens the file for libarchive; gzip, which its first bytes tell, as what is decompressed. A zip is read by its
 * directory, so it must be no pipe. */
static int open_source(struct input *in)
{
    in->start = lseek(in->fd, 0, SEEK_CUR);
    while (in->zlib.avail_in < 2 && refill(in))
        continue;
    in->is_gzip =
        in->zlib.avail_in >= 2 && in->zlib.next_in[0] == 0x1f && in->zlib.next_in[1] == 0x8b;
    if (in->is_gzip && inflateInit2(&in->zlib, GZIP_ONLY) != Z_OK) {
        archive_set_error(in->archive, ENOMEM, "no memory to decompress");
        return ARCHIVE_FATAL;
    }
    if (!in->is_gzip && in->start >= 0 && lseek(in->fd, in->start, SEEK_SET) == in->start)
        return archive_read_open_fd(in->archive, in->fd, BLOCK_SIZE);
    in->start = -1;
    return archive_read_open(in->archive, in, NULL, read_source, NULL);
}

/* Goes on to the next file of the archive: ARCHIVE_OK, ARCHIVE_EOF if there is none, or a failure. Passes over folders,
 * and what macOS adds to a zip for each file. */
static int next_file(struct input *in)
{
    static const char added[] = "__MACOSX/";
    for (;;) {
        struct archive_entry *entry;
        const int status = archive_read_next_header(in->archive, &entry);
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return status;
        const char *path = archive_entry_pathname(entry);
        if (archive_entry_filetype(entry) != AE_IFDIR &&
            (path == NULL || strncmp(path, added, strlen(added)) != 0))
            return ARCHIVE_OK;
    }
}

static bool is_zip(const struct input *in)
{
    return (archive_format(in->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

/* True, with the reason, if a bzip2 file has ended before its last byte: to libarchive, whatever does
 * not begin as another stream is the end. It has read on to see that. */
static bool has_other_data(struct input *in)
{
    off_t read = in->start >= 0 ? lseek(in->fd, 0, SEEK_CUR) - in->start : in->given;
    bool other = archive_filter_code(in->archive, 0) == ARCHIVE_FILTER_BZIP2 &&
                 archive_filter_bytes(in->archive, -1) < read;
    if (other)
        archive_set_error(in->archive, EIO, "damaged bzip2: other data after its end");
    return other;
}

/* Lets libarchive detect the compression, and opens the first file. */
static bool open_archive(struct input *in, struct error *err)
{
    in->archive = archive_read_new();
    if (in->archive == NULL)
        return error_set(err, "no memory to read %s", in->name);
    archive_read_support_filter_bzip2(in->archive);
    archive_read_support_filter_zstd(in->archive);
    archive_read_support_format_zip(in->archive);
    archive_read_support_format_raw(in->archive);
    archive_read_support_format_empty(in->archive);
    if (open_source(in) != ARCHIVE_OK)
        return error_set(err, "cannot read %s: %s", in->name, archive_reason(in));
    int status = next_file(in);
    in->exhausted = status == ARCHIVE_EOF;
    if (in->exhausted && is_zip(in))
        return error_set(err, "cannot read %s: no file in the zip", in->name);
    bool empty = in->exhausted && !has_other_data(in);
    return status == ARCHIVE_OK || empty ||
           error_set(err, "cannot read %s: %s", in->name, archive_reason(in));
}

/* Ends the file of the archive, which must be its only one, and whole. A zip whose end is lost may have
 * had others; of its directory libarchive need not read all. */
static void end_file(struct input *in)
{
    bool zip = is_zip(in);
    int status = zip ? next_file(in) : ARCHIVE_EOF;
    bool cut = status != ARCHIVE_OK && status != ARCHIVE_EOF;
    in->exhausted = true;
    in->several = status == ARCHIVE_OK;
    in->failed = cut || in->several || (!zip && has_other_data(in));
    if (cut && archive_error_string(in->archive) == NULL)
        archive_set_error(in->archive, EIO, "the zip ends before its directory");
}

/* Takes the next piece from libarchive. False at the end, and on failure, which is noted. */
static bool take_piece(struct input *in)
{
    const void *bytes = NULL;
    la_int64_t offset;
    in->piece_length = 0;
    int status = archive_read_data_block(in->archive, &bytes, &in->piece_length, &offset);
    if (status == ARCHIVE_EOF)
        end_file(in);
    else
        in->failed = status != ARCHIVE_OK;
    if (status != ARCHIVE_OK || bytes == NULL)
        in->piece_length = 0;
    in->piece = bytes != NULL ? bytes : "";
    return status == ARCHIVE_OK;
}

/* Reads a block; `filled` is 0 at the end. What came before a failure is returned first. */
static bool fill(struct input *in, struct error *err)
{
    in->at = in->filled = 0;
    while (in->filled < BLOCK_SIZE && !in->exhausted && !in->failed) {
        size_t room = BLOCK_SIZE - in->filled;
        size_t n = in->piece_length < room ? in->piece_length : room;
        memcpy(in->block + in->filled, in->piece, n);
        in->piece += n;
        in->piece_length -= n;
        in->filled += n;
        if (in->piece_length == 0 && !take_piece(in))
            break;
    }
    if (in->filled > 0 || !in->failed)
        return true;
    if (in->several)
        return error_set(err, "cannot read %s: it holds several files; unpack it", in->name);
    return error_set(err, "%s:%ld: read error: %s", in->name, in->number + 1, archive_reason(in));
}

/* Fails on binary formats, and drops a byte order mark. */
static bool check_start(struct input *in, struct error *err)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (in->filled >= foreign[i].length &&
            memcmp(in->block, foreign[i].bytes, foreign[i].length) == 0)
            return error_set(err,
                             "cannot read %s: it is %s; text is read plain, or as .gz, .bz2, .zst "
                             "or .zip",
                             in->name, foreign[i].name);
    if (in->filled >= 3 && memcmp(in->block, "\xef\xbb\xbf", 3) == 0)
        in->at = 3;
    return true;
}

struct input *input_open(const char *path, unsigned kinds, struct error *err)
{
    struct input *in = calloc(1, sizeof *in);
    char *name = strdup(strcmp(path, "-") == 0 ? "standard input" : path);
    if (in == NULL || name == NULL) {
        free(in);
        free(name);
        return error_null(err, "no memory to read %s", path);
    }
    in->fd = -1;
    in->piece = "";
    in->name = name;
    if (open_file(in, path, err) && open_archive(in, err) && fill(in, err) &&
        check_start(in, err) &&
        (kinds == FILE_OTHER || file_kind_expect(in->name, in->block, in->filled, kinds, err))) {
        in->kind = file_kind_of(in->block, in->filled);
        return in;
    }
    input_close(in);
    return NULL;
}

enum file_kind input_kind(const struct input *in)
{
    return in->kind;
}

/* Appends bytes to the line, leaving room for its NUL. */
static bool append(struct input *in, const char *bytes, size_t n, struct error *err)
{
    if (in->length + n > LINE_LIMIT)
        return error_set(err, "%s:%ld: the line is longer than %d MiB; is this a text file?",
                         in->name, in->number + 1, LINE_LIMIT >> 20);
    if (in->length + n >= in->capacity) {
        size_t capacity = 2 * (in->length + n) + 256;
        char *line = realloc(in->line, capacity);
        if (line == NULL)
            return error_set(err, "%s:%ld: no memory for the line", in->name, in->number + 1);
        in->line = line;
        in->capacity = capacity;
    }
    memcpy(in->line + in->length, bytes, n);
    in->length += n;
    return true;
}

/* Collects one line; *found is true if it met the line's end, or a last line without an end. */
static bool gather(struct input *in, bool *found, struct error *err)
{
    *found = false;
    for (;;) {
        if (in->at == in->filled && !fill(in, err))
            return false;
        if (in->filled == 0) {
            *found = in->length > 0;
            in->ended = true;
            return true;
        }
        if (in->after_cr && in->block[in->at] == '\n')
            in->at++;
        in->after_cr = false;
        size_t end = in->at; /* of the line or of the block */
        while (end < in->filled && in->block[end] != '\n' && in->block[end] != '\r')
            end++;
        if (!append(in, in->block + in->at, end - in->at, err))
            return false;
        in->at = end;
        if (in->at < in->filled) {
            in->after_cr = in->block[in->at++] == '\r';
            *found = true;
            return true;
        }
    }
}

enum input_status input_next(struct input *in, struct input_line *line, struct error *err)
{
    bool found;
    if (in->ended)
        return INPUT_END;
    in->length = 0;
    if (!gather(in, &found, err)) {
        in->ended = true;
        return INPUT_FAILED;
    }
    if (!found)
        return INPUT_END;
    in->line[in->length] = '\0';
    *line = (struct input_line){in->line, in->length, ++in->number};
    return INPUT_LINE;
}

static bool is_bytes(const char *text, size_t n, const char *bytes)
{
    return strlen(bytes) == n && memcmp(text, bytes, n) == 0;
}

/* True if a byte A0 is a no-break space of Latin-1 by what stands beside it: text of another encoding,
 * or damaged, has more bytes of its kind. */
static bool is_latin_space(const char *c, bool first)
{
    return c[0] == '\xa0' && (first || (unsigned char)c[-1] < 0x80) && (unsigned char)c[1] < 0x80;
}

/* Makes blanks of the no-break and zero-width spaces of a line; its new length. */
static size_t plain_spaces(char *text, size_t length)
{
    size_t to = 0, from;
    while (to < length && (unsigned char)text[to] < 0x80)
        to++;
    for (from = to; from < length;) {
        const char *c = text + from;
        uint32_t point;
        size_t n = utf8_decode(c, length - from, &point);
        n += n == 0;
        bool no_break = is_bytes(c, n, "\xc2\xa0") || is_latin_space(c, from == 0);
        bool no_width = is_bytes(c, n, "\xe2\x80\x8b") || is_bytes(c, n, "\xef\xbb\xbf");
        if (no_break || (no_width && to > 0))
            text[to++] = ' ';
        for (size_t i = 0; i < n && !no_break && !no_width; i++)
            text[to++] = c[i];
        from += n;
    }
    return to;
}

enum input_status input_next_text(struct input *in, struct input_line *line, struct error *err)
{
    enum { CTRL_Z = 0x1a };
    enum input_status status = input_next(in, line, err);
    if (status != INPUT_LINE)
        return status;
    const char *mark = memchr(in->line, CTRL_Z, in->length);
    if (mark != NULL) {
        in->length = (size_t)(mark - in->line);
        in->ended = true;
    }
    if (mark == in->line)
        return INPUT_END;
    in->length = plain_spaces(in->line, in->length);
    in->line[in->length] = '\0';
    line->length = in->length;
    return INPUT_LINE;
}

bool input_read(struct input *in, void *bytes, size_t size, size_t *length, struct error *err)
{
    char *to = bytes;
    for (*length = 0; *length < size;) {
        if (in->at == in->filled && !fill(in, err))
            return false;
        size_t n = in->filled - in->at, wanted = size - *length;
        if (n == 0)
            break;
        n = n < wanted ? n : wanted;
        memcpy(to + *length, in->block + in->at, n);
        in->at += n;
        *length += n;
    }
    return true;
}

void input_close(struct input *in)
{
    if (in == NULL)
        return;
    archive_read_free(in->archive);
    if (in->is_gzip)
        inflateEnd(&in->zlib);
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    free(in->line);
    free(in->name);
    free(in);
}
