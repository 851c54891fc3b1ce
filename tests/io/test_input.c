/* Text line by line: line ends, compressions, standard input, and files that cannot be read. */
#include "input.h"
#include "scratch.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>

static const char *path; /* of the file that was written last */
static struct error err;
static struct input_line line;

SCRATCH_SUITE(input);

static const char *const kinds[] = {"gzip", "bzip2", "zstd", "zip"};

/* Reads the bytes of a file; returns their number. */
static size_t read_bytes(void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    const size_t n = fread(bytes, 1, room, file);
    fclose(file);
    return n;
}

/* Adds a file to an archive; a name that ends with a slash is a folder. */
static void add_entry(struct archive *a, const char *name, const char *bytes, size_t n)
{
    struct archive_entry *entry = archive_entry_new();
    bool folder = name[strlen(name) - 1] == '/';
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, folder ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, folder ? 0755 : 0644);
    archive_entry_set_size(entry, folder ? 0 : (la_int64_t)n);
    cr_assert_eq(archive_write_header(a, entry), ARCHIVE_OK);
    if (!folder)
        cr_assert_eq(archive_write_data(a, bytes, n), (la_ssize_t)n);
    archive_entry_free(entry);
}

/* Begins a file that libarchive writes: filter "gzip", "bzip2" or "zstd" of one, or "zip". */
static struct archive *begin_archive(const char *kind)
{
    struct archive *a = archive_write_new();
    bool zip = strcmp(kind, "zip") == 0;
    path = scratch_write(kind, "");
    cr_assert_eq(zip ? archive_write_set_format_zip(a) : archive_write_set_format_raw(a), 0);
    cr_assert(zip || archive_write_add_filter_by_name(a, kind) == ARCHIVE_OK, "%s",
              archive_error_string(a));
    cr_assert_eq(archive_write_open_filename(a, path), ARCHIVE_OK);
    return a;
}

static void end_archive(struct archive *a)
{
    cr_assert_eq(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

/* Compresses bytes; in a zip there is a folder before. */
static void write_compressed(const char *kind, const char *bytes, size_t n)
{
    struct archive *a = begin_archive(kind);
    if (strcmp(kind, "zip") == 0)
        add_entry(a, "folder/", "", 0);
    add_entry(a, "folder/games.pgn", bytes, n);
    end_archive(a);
}

/* Writes a zip of files, each of which has its own name and a line end as its text. */
static void write_zip(const char *const *names, int count)
{
    struct archive *a = begin_archive("zip");
    for (int i = 0; i < count; i++) {
        const char *text = text_of("%s\n", names[i]);
        add_entry(a, names[i], text, strlen(text));
    }
    end_archive(a);
}

/* Opens a file that can be opened. */
static struct input *open_input(const char *name)
{
    struct input *in = input_open(name, FILE_OTHER, &err);
    MUST(in);
    return in;
}

/* Reads the file and compares it with the lines that are expected, each ended by LF. */
static void expect_lines(const char *name, const char *expected)
{
    struct input *in = open_input(name);
    long number = 0;
    while (*expected != '\0') {
        size_t n = strcspn(expected, "\n");
        cr_assert_eq(input_next(in, &line, &err), INPUT_LINE, "line %ld of %s: %s", number + 1,
                     name, err.text);
        cr_assert_eq(line.number, ++number);
        cr_assert(line.length == n && memcmp(line.text, expected, n) == 0, "line %ld is '%s'",
                  number, line.text);
        cr_assert_eq(line.text[n], '\0');
        expected += n + 1;
    }
    cr_assert_eq(input_next(in, &line, &err), INPUT_END);
    cr_assert_eq(input_next(in, &line, &err), INPUT_END);
    input_close(in);
}

static void expect_text(const char *text, const char *expected)
{
    path = scratch_write("text", text);
    expect_lines(path, expected);
}

/* Opens a file that cannot be opened; the reason holds the words. */
static void expect_refused(const char *name, const char *words)
{
    cr_assert_null(input_open(name, FILE_OTHER, &err));
    SAID(words);
    SAID(name);
}

Test(input, lines_end_in_every_way_and_a_mark_begins_a_file_at_most)
{
    static const char *const texts[][2] = {
        {"a\nb\n", "a\nb\n"},
        {"a\r\nb\r\n", "a\nb\n"},
        {"a\rb\r", "a\nb\n"},
        {"a\r\r\nb\n\rc", "a\n\nb\n\nc\n"},
        {"a\nb", "a\nb\n"},
        {"\n\n", "\n\n"},
        {"", ""},
        {"\xef\xbb\xbfrow\n\xef\xbb\xbfrow\n", "row\n\xef\xbb\xbfrow\n"},
        {"\xef\xbb\xbf", ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_text(texts[i][0], texts[i][1]);
}

Test(input, lines_of_games_and_positions)
{
    static const struct {
        const char *text, *line;
    } lines[] = {
        {"a\xc2\xa0"
         "b\xe2\x80\x8b"
         "c",
         "a b c"},
        {"\xef\xbb\xbf\xe2\x80\x8b"
         "a\xef\xbb\xbf",
         "a "},
        {"a\xa0"
         "b",
         "a b"},
        {"\xc3\xa0 \xa0\xa0 \xe0\xa0", "\xc3\xa0 \xa0\xa0 \xe0\xa0"},
        {"a\x1a"
         "b\nc",
         "a"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        path = scratch_write("text", lines[i].text);
        struct input *in = open_input(path);
        cr_assert_eq(input_next_text(in, &line, NULL), INPUT_LINE);
        cr_expect_str_eq(line.text, lines[i].line, "line %zu", i);
        cr_expect_eq(line.length, strlen(lines[i].line));
        cr_expect_eq(input_next_text(in, &line, NULL), INPUT_END);
        input_close(in);
    }
    path = scratch_write("text", "\x1a\na\n");
    struct input *in = open_input(path);
    cr_expect_eq(input_next_text(in, &line, NULL), INPUT_END);
    cr_expect_eq(input_next_text(in, &line, NULL), INPUT_END);
    input_close(in);
}

Test(input, nul_bytes_are_kept)
{
    path = scratch_write_bytes("nul", "a\0b\nc", 5);
    struct input *in = open_input(path);
    cr_assert_eq(input_next(in, &line, NULL), INPUT_LINE);
    cr_assert(line.length == 3 && memcmp(line.text, "a\0b", 3) == 0);
    input_close(in);
}

/* Reads the file as bytes, `step` at a time. */
static void expect_bytes(const char *expected, size_t n, size_t step)
{
    char block[4096];
    size_t read = 0, length;
    struct input *in = open_input(path);
    do {
        MUST(input_read(in, block, step, &length, &err));
        cr_assert(length <= n - read && memcmp(block, expected + read, length) == 0,
                  "%zu bytes from %zu", length, read);
        read += length;
        cr_assert(length == step || read == n, "a short read before the end");
    } while (length > 0);
    cr_assert_eq(read, n);
    input_close(in);
}

Test(input, bytes_are_read_as_they_are)
{
    enum { SIZE = 200000 };
    static char bytes[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * i >> 5);
    bytes[0] = 'x';
    path = scratch_write_bytes("bytes", bytes, SIZE);
    expect_bytes(bytes, SIZE, 4096);
    expect_bytes(bytes, SIZE, 1000);
    write_compressed("zstd", bytes, SIZE);
    expect_bytes(bytes, SIZE, 4095);
    path = scratch_write_bytes("empty", "", 0);
    expect_bytes("", 0, 16);
}

/* Blocks are 64 KiB: a CR LF torn in two by the block's end is one line end. */
Test(input, line_ends_and_lines_go_over_blocks)
{
    enum { SIZE = 200000 };
    static char text[SIZE + 1], expected[SIZE + 1];
    for (int start = 65530; start < 65540; start++) {
        memset(text, 'x', SIZE);
        memcpy(text + start, "\r\n", 2);
        memcpy(expected, text, SIZE);
        expected[start] = '\n';
        memmove(expected + start + 1, expected + start + 2, SIZE - (size_t)start - 2);
        expected[SIZE - 1] = '\n';
        expect_text(text, expected);
    }
}

Test(input, compressed_files_and_standard_input_read_as_plain_ones)
{
    for (int i = 0; i < 4; i++) {
        write_compressed(kinds[i], "", 0);
        expect_lines(path, "");
        write_compressed(kinds[i], "one\r\ntwo\n\nlast", 14);
        expect_lines(path, "one\ntwo\n\nlast\n");
        int fd = open(path, O_RDONLY);
        cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
        expect_lines("-", "one\ntwo\n\nlast\n");
        close(fd);
    }
}

/* Makes the bytes standard input, where there is no way back to the beginning. */
static void pipe_bytes(const char *bytes, size_t n)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], bytes, n), (ssize_t)n);
    close(ends[1]);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
}

/* As `cat a.gz b.gz` makes, or a parallel compressor. */
Test(input, compressed_pieces_one_after_the_other_are_one_text)
{
    for (int i = 0; i < 3; i++) {
        char twice[2000];
        write_compressed(kinds[i], "one\n", 4);
        size_t n = read_bytes(twice, 1000);
        memcpy(twice + n, twice, n);
        path = scratch_write_bytes(kinds[i], twice, 2 * n);
        expect_lines(path, "one\none\n");
        pipe_bytes(twice, 2 * n);
        expect_lines("-", "one\none\n");
    }
}

Test(input, a_truncated_file_fails_with_its_name_and_line)
{
    static char text[300000];
    unsigned random = 1;
    for (size_t i = 0; i < sizeof text; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = i % 50 == 49 ? '\n' : (char)('a' + (random >> 16) % 26);
    }
    for (int i = 0; i < 4; i++) {
        write_compressed(kinds[i], text, sizeof text);
        cr_assert_eq(truncate(path, 100000), 0);
        line.number = 0;
        struct input *in = input_open(path, FILE_OTHER, &err);
        enum input_status status = INPUT_FAILED;
        while (in != NULL && (status = input_next(in, &line, &err)) == INPUT_LINE)
            ;
        cr_assert_eq(status, INPUT_FAILED, "%s", kinds[i]);
        const char *place = text_of("%s:%ld: ", path, line.number + 1);
        MUST(in == NULL || strncmp(err.text, place, strlen(place)) == 0);
        input_close(in);
    }
}

/* Whether the whole file can be read. */
static bool is_readable(const char *name)
{
    struct input *in = input_open(name, FILE_OTHER, &err);
    enum input_status status = in == NULL ? INPUT_FAILED : INPUT_LINE;
    while (status == INPUT_LINE)
        status = input_next(in, &line, &err);
    input_close(in);
    cr_assert(status == INPUT_END || strstr(err.text, name) != NULL, "%s", err.text);
    return status == INPUT_END;
}

/* Text as if in a second stream, of which the first byte is lost and any number of the last. */
Test(input, a_bzip2_with_other_data_at_its_end_fails)
{
    static const char *const texts[] = {"one\n", ""};
    for (int i = 0; i < 2; i++) {
        char bytes[2000];
        write_compressed("bzip2", texts[i], strlen(texts[i]));
        size_t n = read_bytes(bytes, 1000);
        memcpy(bytes + n, bytes + 1, n - 1);
        for (size_t other = 0; other < n; other++) {
            path = scratch_write_bytes("bzip2", bytes, n + other);
            cr_assert_eq(is_readable(path), other == 0, "%zu bytes after %zu", other, n);
            pipe_bytes(bytes, n + other);
            cr_assert_eq(is_readable("/dev/stdin"), other == 0, "%zu bytes after %zu", other, n);
        }
    }
}

static const char *const two_files[] = {"read.me", "one.pgn"};

/* Reads a zip of two files: the lines of the first, then the reason why there are no more. */
static void expect_several(const char *name)
{
    struct input *in = open_input(name);
    cr_assert_eq(input_next(in, &line, &err), INPUT_LINE, "%s", err.text);
    cr_assert_str_eq(line.text, two_files[0]);
    cr_assert_eq(input_next(in, &line, &err), INPUT_FAILED);
    SAID("it holds several files; unpack it");
    cr_assert_eq(input_next(in, &line, &err), INPUT_END);
    input_close(in);
}

Test(input, a_zip_of_several_files_fails)
{
    char zip[2000];
    write_zip(two_files, 2);
    expect_several(path);
    size_t n = read_bytes(zip, sizeof zip);
    pipe_bytes(zip, n); /* where a zip has no directory to begin with */
    expect_several("-");
}

Test(input, folders_and_what_macos_adds_are_no_files_of_a_zip)
{
    static const char *const names[] = {"__MACOSX/",     "__MACOSX/._games",         "games/",
                                        "games/one.pgn", "__MACOSX/games/._one.pgn", "none/"};
    write_zip(names, 6);
    expect_lines(path, "games/one.pgn\n");
    write_zip(names, 3);
    expect_refused(path, "no file in the zip");
}

/* Wherever a zip is cut, something of it is lost: its other files, or the list of them. */
Test(input, a_zip_that_is_cut_anywhere_fails)
{
    enum { SIGNATURE = 4 };
    char zip[2000];
    write_zip(two_files, 2);
    size_t n = read_bytes(zip, sizeof zip);
    for (size_t size = SIGNATURE; size < n; size++) {
        path = scratch_write_bytes("cut.zip", zip, size);
        cr_assert_not(is_readable(path), "%zu of %zu bytes", size, n);
    }
}

/* A bit that is lost anywhere behind the header is found, at the end at the latest. The last byte
 * before the checksum has bits without a meaning. */
Test(input, a_damaged_gzip_fails)
{
    enum { HEADER = 10, CHECKSUM = 8, SIZE = 4000, ROOM = 8000 };
    static char text[SIZE];
    static unsigned char packed[ROOM];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 40 == 39 ? '\n' : (char)('a' + i * i / 7 % 26);
    write_compressed("gzip", text, sizeof text);
    size_t n = read_bytes(packed, ROOM);
    cr_assert(is_readable(path));
    for (size_t i = HEADER; i < n; i += i == n - CHECKSUM - 2 ? 2 : 1) {
        packed[i] ^= (unsigned char)(1 << i % 8);
        path = scratch_write_bytes("gzip", (char *)packed, n);
        cr_assert_not(is_readable(path), "byte %zu of %zu", i, n);
        packed[i] ^= (unsigned char)(1 << i % 8);
    }
    memset(packed + n, 0, 512);
    path = scratch_write_bytes("gzip", (char *)packed, n + 512);
    cr_assert(is_readable(path), "a file that is padded with zeros");
    packed[n + 511] = 'x';
    path = scratch_write_bytes("gzip", (char *)packed, n + 512);
    cr_assert_not(is_readable(path), "a file with other data at its end");
}

Test(input, what_is_not_text_is_refused_by_name)
{
    path = scratch_write_bytes("a.xz", "\xfd\x37zXZ\0\0\0", 8);
    expect_refused(path, "it is xz");
    path = scratch_write_bytes("a.7z", "7z\xbc\xaf\x27\x1c\0\4", 8);
    expect_refused(path, "it is 7-Zip");
    path = scratch_write_bytes("a.gz", "\x1f\x8b\x63\x63\x63", 5);
    expect_refused(path, "damaged gzip");
    path = scratch_write_bytes("a.pgn", "\xff\xfe[\0E\0", 6);
    expect_refused(path, "UTF-16");
}

Test(input, files_that_cannot_be_opened_say_why)
{
    expect_refused(directory, "is a directory");
    expect_refused(scratch_path("none"), "No such file");
}

Test(input, an_endless_line_fails)
{
    path = scratch_write("long", "short\n");
    cr_assert_eq(truncate(path, 20 << 20), 0); /* zeros */
    struct input *in = input_open(path, FILE_OTHER, &err);
    cr_assert_eq(input_next(in, &line, &err), INPUT_LINE);
    cr_assert_eq(input_next(in, &line, &err), INPUT_FAILED);
    SAID(":2: the line is longer than 16 MiB");
    input_close(in);
}
