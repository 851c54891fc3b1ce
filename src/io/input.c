#include "input.h"

#include "archive_module.h"
#include "foreign_text.h"
#include "module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK_SIZE = ARCHIVE_BLOCK, LINE_LIMIT = 16 << 20, GZIP_ONLY = 16 + MAX_WBITS };

struct input {
    char *name; /* for messages */
    int fd;
    bool file_ended;
    const char *reason; /* why no more can be read, or NULL */
    /* Of gzip: unlike libarchive this compares the CRC-32 and the length of each member. */
    z_stream zlib; /* next_in and avail_in are the bytes of `packed` that are not yet used */
    bool is_gzip;  /* zlib's state is allocated */
    bool inside;   /* a member has begun and has not ended */
    bool any;      /* member has ended */
    unsigned char packed[BLOCK_SIZE];
    const struct archive_method *module;
    void *archive; /* NULL: it is none, but plain or gzip */
    bool opened;   /* the first block is read */
    long number;   /* lines returned */
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
    {"\x1f\x8b", 2, "compressed twice (gzip)"},
    {"BZh9\x31\x41\x59", 7, "damaged, or compressed twice (bzip2)"},
    {"\x28\xb5\x2f\xfd", 4, "compressed twice (zstd)"},
    {"PK\x03\x04", 4, "damaged, or compressed twice (zip)"},
    {"\xfd\x37zXZ", 5, "xz"},
    {"7z\xbc\xaf\x27\x1c", 6, "7-Zip"},
    {"Rar!", 4, "rar"},
    {"\x04\x22\x4d\x18", 4, "lz4"},
    {"\x1f\x9d", 2, "compress (.Z)"},
    {"\xff\xfe", 2, "UTF-16 text"},
    {"\xfe\xff", 2, "UTF-16 text"},
};

/* ---- plain files, gzip, archives: each returns the number of bytes that it read, 0 at the end, or -1 with
 * `reason` ---- */

static ssize_t read_file(struct input *in, void *bytes, size_t room)
{
    ssize_t n;
    do
        n = in->file_ended ? 0 : read(in->fd, bytes, room);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        in->reason = strerror(errno);
    in->file_ended = n <= 0;
    return in->reason != NULL ? -1 : n;
}

/* Reads more of a gzip if all is used. False at the end, and on failure. */
static bool refill(struct input *in)
{
    z_stream *z = &in->zlib;
    if (z->avail_in > 0)
        return true;
    const ssize_t n = read_file(in, in->packed, BLOCK_SIZE);
    z->next_in = in->packed;
    z->avail_in = n > 0 ? (unsigned)n : 0;
    return n > 0;
}

/* Decompresses the next bytes, of one member after another. Zeros may follow, with which archives are padded. */
static ssize_t read_gzip(struct input *in, char *bytes, size_t room)
{
    z_stream *z = &in->zlib;
    z->next_out = (unsigned char *)bytes;
    z->avail_out = (unsigned)room;
    while (z->avail_out == room && in->reason == NULL && refill(in)) {
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
            in->reason = "no memory to decompress";
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            in->reason = begins ? "damaged gzip: other data after its end"
                                : "damaged gzip: its content does not have its checksum";
        }
    }
    const ssize_t n = (ssize_t)(room - z->avail_out);
    if (n == 0 && in->reason == NULL && in->inside)
        in->reason = "truncated gzip input";
    return n > 0 || in->reason == NULL ? n : -1;
}

/* Reads a block; `filled` is 0 at the end. What came before a failure is returned first. */
static bool fill(struct input *in, struct error *err)
{
    ssize_t n = 1;
    in->at = in->filled = 0;
    while (n > 0 && in->filled < BLOCK_SIZE) {
        char *to = in->block + in->filled;
        const size_t room = BLOCK_SIZE - in->filled;
        n = in->archive != NULL ? in->module->read(in->archive, to, room, &in->reason)
            : in->is_gzip       ? read_gzip(in, to, room)
                                : read_file(in, to, room);
        in->filled += n > 0 ? (size_t)n : 0;
    }
    if (n >= 0 || in->filled > 0)
        return true;
    return in->opened
               ? error_set(err, "%s:%ld: read error: %s", in->name, in->number + 1, in->reason)
               : error_set(err, "cannot read %s: %s", in->name, in->reason);
}

static bool begins_with(const struct input *in, const char *bytes, size_t n)
{
    return in->filled >= n && memcmp(in->block, bytes, n) == 0;
}

/* Opens the file, and reads the first block as it is. */
static bool open_file(struct input *in, const char *path, struct error *err)
{
    const bool given = strcmp(path, "-") == 0;
    in->fd = given ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0)
        return error_set(err, "cannot open %s: %s", path, strerror(errno));
    struct stat status;
    if (!given && fstat(in->fd, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "cannot read %s: it is a directory", path);
    return fill(in, err);
}

/* Reads the first block again if it is compressed. What only begins as an archive does the module reads as it is; zstd
 * may begin with a frame that is skipped. */
static bool decompress(struct input *in, struct error *err)
{
    if (begins_with(in, "\x1f\x8b", 2)) {
        in->is_gzip = inflateInit2(&in->zlib, GZIP_ONLY) == Z_OK;
        memcpy(in->packed, in->block, in->filled);
        in->zlib.next_in = in->packed;
        in->zlib.avail_in = (unsigned)in->filled;
    } else if (begins_with(in, "BZh", 3) || begins_with(in, "PK", 2) ||
               begins_with(in, "\x28\xb5\x2f\xfd", 4) ||
               (in->filled >= 4 && memcmp(in->block + 1, "\x2a\x4d\x18", 3) == 0)) {
        in->module = module_load(
            "archive", "this grayling reads plain files and .gz alone here: unpack it", err);
        if (in->module == NULL)
            return error_prefix(err, "cannot read %s: ", in->name);
        in->archive = in->module->open(in->fd, in->block, in->filled);
    } else {
        return true;
    }
    if (!in->is_gzip && in->archive == NULL)
        return error_set(err, "cannot read %s: no memory to decompress", in->name);
    return fill(in, err);
}

/* Fails on binary formats, and drops a byte order mark. */
static bool check_start(struct input *in, struct error *err)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (begins_with(in, foreign[i].bytes, foreign[i].length))
            return error_set(err,
                             "cannot read %s: it is %s; text is read plain, or as .gz, .bz2, .zst "
                             "or .zip",
                             in->name, foreign[i].name);
    if (begins_with(in, "\xef\xbb\xbf", 3))
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
    in->name = name;
    if (open_file(in, path, err) && decompress(in, err) && check_start(in, err) &&
        (kinds == FILE_OTHER || file_kind_expect(in->name, in->block, in->filled, kinds, err))) {
        in->kind = file_kind_of(in->block, in->filled);
        in->opened = true;
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
    if (in->archive != NULL)
        in->module->close(in->archive);
    if (in->is_gzip)
        inflateEnd(&in->zlib);
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    free(in->line);
    free(in->name);
    free(in);
}
