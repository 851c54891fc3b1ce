#define _GNU_SOURCE /* fopencookie, TIOCGWINSZ */
#include "terminal.h"

#include "text_stream.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int columns_of(int fd, int unknown)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : unknown;
}

int terminal_columns(const FILE *out, int unknown)
{
    return out == stdout   ? columns_of(STDOUT_FILENO, unknown)
           : out == stderr ? columns_of(STDERR_FILENO, unknown)
                           : unknown;
}

/* ---- lines ---- */

enum {
    LEAST = 16,     /* columns that the rest of a line has, whatever it goes on below */
    ROOM = 1 << 15, /* more than any text that is printed at once: a word is not known to go on */
};

/* The line that is being written. */
struct fold {
    int fd;
    int limit;   /* columns of the terminal */
    int column;  /* where the line is */
    int blanks;  /* before the next word; not written yet */
    int hang;    /* where the line goes on */
    bool hung;   /* that is settled */
    bool inside; /* the last write ended within a word */
    char room[ROOM];
};

/* The length of what stands together: a word with the commands to the terminal in it, or one of the
 * characters that part words. */
static size_t length_of(const char *text, size_t size)
{
    size_t length = 0;
    while (length < size && strchr(" \n\r", text[length]) == NULL)
        length++;
    return length > 0 ? length : 1;
}

/* The columns of a word; a command to the terminal, "\033[K", takes none. */
static int width_of(const char *word, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\033')
            while (i < length && !(word[i] >= 'A' && word[i] <= 'z' && word[i] != '['))
                i++;
        else
            width += ((unsigned char)word[i] & 0xc0) != 0x80;
    }
    return width;
}

static bool put(struct fold *f, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(f->fd, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool put_blanks(struct fold *f, int count)
{
    char blanks[256];
    memset(blanks, ' ', sizeof blanks);
    count = count < (int)sizeof blanks ? count : (int)sizeof blanks;
    f->column += count;
    f->blanks = 0;
    return put(f, blanks, (size_t)count);
}

/* Writes a word: on this line, or on the next if it has no room. */
static bool put_word(struct fold *f, const char *word, size_t length)
{
    const int width = width_of(word, length);
    const int room = f->limit - width > 0 ? f->limit - width : 0;
    bool good = true;
    if (f->column == 0 && f->blanks > room)
        f->blanks = room;
    if (!f->inside && f->column > 0 && f->column + f->blanks + width > f->limit) {
        f->column = 0;
        f->hung = true;
        good = put(f, "\n", 1) && put_blanks(f, f->hang < room ? f->hang : room);
    } else if (f->blanks > 0) {
        const int begin = f->column + f->blanks;
        const bool column = f->column > 0 && f->blanks > 1;
        if (!f->hung && (f->column == 0 || column) && begin <= f->limit - LEAST)
            f->hang = begin;
        f->hung = f->hung || column;
        good = put_blanks(f, f->blanks);
    }
    f->column += width;
    f->inside = true;
    return good && put(f, word, length);
}

static void begin_line(struct fold *f)
{
    f->limit = columns_of(f->fd, INT_MAX);
    f->column = f->blanks = f->hang = 0;
    f->hung = f->inside = false;
}

/* Writes one part of a line. */
static bool put_part(struct fold *f, const char *part, size_t length)
{
    if (*part == ' ') {
        f->blanks++;
        f->inside = false;
        return true;
    }
    if (*part != '\n' && *part != '\r')
        return put_word(f, part, length);
    begin_line(f);
    return put(f, part, 1);
}

/* Blanks that something else may follow, such as an answer, are written. */
static ssize_t fold_write(void *cookie, const char *text, size_t size)
{
    struct fold *f = cookie;
    for (size_t at = 0, length; at < size; at += length) {
        length = length_of(text + at, size - at);
        if (!put_part(f, text + at, length))
            return 0;
    }
    return put_blanks(f, f->blanks) ? (ssize_t)size : 0;
}

static int fold_end(void *cookie)
{
    free(cookie);
    return 0;
}

/* A stream to a terminal; `plain` if it goes elsewhere, or without memory. */
static FILE *folded(FILE *plain, int fd, int buffering)
{
    static const cookie_io_functions_t functions = {.write = fold_write, .close = fold_end};
    struct fold *f = isatty(fd) ? calloc(1, sizeof *f) : NULL;
    if (f == NULL)
        return plain;
    f->fd = fd;
    begin_line(f);
    FILE *out = fopencookie(f, "w", functions);
    if (out == NULL) {
        free(f);
        return plain;
    }
    setvbuf(out, buffering == _IONBF ? NULL : f->room, buffering, ROOM);
    return out;
}

struct terminal_streams terminal_fold(void)
{
    const struct terminal_streams before = {stdout, stderr};
    stdout = folded(stdout, STDOUT_FILENO, _IOLBF);
    stderr = folded(stderr, STDERR_FILENO, _IONBF);
    return before;
}

void terminal_unfold(struct terminal_streams before)
{
    if (stdout != before.out)
        fclose(stdout);
    if (stderr != before.err)
        fclose(stderr);
    stdout = before.out;
    stderr = before.err;
}

/* ---- tables ---- */

FILE *table_begin(struct table *t, const char *columns)
{
    *t = (struct table){.count = 0};
    t->rows = text_stream(&t->text, &t->size);
    for (size_t length; t->rows != NULL && *columns != '\0'; columns += length, t->count++) {
        assert(t->count < TABLE_COLUMNS);
        t->columns[t->count].side = columns[0];
        t->columns[t->count].rank = columns[1] - '0';
        length = 2 + strcspn(columns + 2, "|");
        const bool last = columns[length] == '\0';
        fprintf(t->rows, "%.*s%c", (int)length - 2, columns + 2, last ? '\n' : '\t');
        length += !last;
    }
    if (t->rows != NULL)
        return t->rows;
    fputs("grayling: no memory for a table\n", stderr);
    exit(EXIT_FAILURE);
}

/* The columns of the terminal that a cell takes; `cell` becomes its end. */
static int cell_width(const char **cell)
{
    int width = 0;
    for (; strchr("\t\n", **cell) == NULL; ++*cell)
        width += ((unsigned char)**cell & 0xc0) != 0x80;
    return width;
}

/* Writes the columns up to a rank of a row. Returns the next row. */
static const char *put_row(FILE *out, const struct table *t, const char *cell, int rank)
{
    int blanks = 0; /* before the next cell */
    for (int c = 0;; c++) {
        const char *end = cell;
        const struct column *column = &t->columns[c];
        const int more = column->width - cell_width(&end);
        if (column->rank <= rank) {
            blanks += column->side == '>' ? more : 0;
            fprintf(out, "%*s%.*s", end > cell ? blanks : 0, "", (int)(end - cell), cell);
            blanks = (end > cell ? 2 : blanks + 2) + (column->side == '>' ? 0 : more);
        }
        cell = end + 1;
        if (*end == '\n')
            break;
    }
    putc('\n', out);
    return cell;
}

/* The width of the columns up to a rank. */
static int reach(const struct table *t, int rank)
{
    int width = -2;
    for (int c = 0; c < t->count; c++)
        width += t->columns[c].rank <= rank ? 2 + t->columns[c].width : 0;
    return width;
}

void table_end(struct table *t, FILE *out)
{
    int rank = 9;
    const int limit = terminal_columns(out, INT_MAX);
    if (fclose(t->rows) != 0) {
        fputs("grayling: no memory for a table\n", stderr);
        exit(EXIT_FAILURE);
    }
    const char *head = t->text, *row = head + strcspn(head, "\n") + 1;
    int c = 0;
    for (const char *at = head; *at != '\0'; at++) {
        const int width = cell_width(&at);
        t->columns[c].width = width > t->columns[c].width ? width : t->columns[c].width;
        c = *at == '\n' ? 0 : c + 1;
    }
    while (rank > 1 && reach(t, rank) > limit)
        rank--;
    if (head[strspn(head, " \t")] != '\n' && !t->headless)
        put_row(out, t, head, rank);
    while (*row != '\0')
        row = put_row(out, t, row, rank);
    free(t->text);
}
