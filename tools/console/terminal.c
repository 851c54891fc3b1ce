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
    ROOM = 1 << 15, /* more than any text that is printed at once */
};

/* A stream to a terminal. */
struct fold {
    int fd;
    char room[ROOM];
};

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

static bool put(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Writes a line of words with blanks between them. It goes on below its second column, which two blanks begin, or else
 * below its beginning. */
static bool put_line(int fd, const char *line, size_t length)
{
    const int limit = columns_of(fd, INT_MAX);
    const char *end = line + length;
    int column = 0, hang = 0;
    bool settled = false, good = true; /* settled: where it goes on */
    while (good && line < end) {
        int blanks = (int)strspn(line, " ");
        const char *word = line + blanks;
        const size_t size = strcspn(word, " \n\r");
        const int width = width_of(word, size), room = limit > width ? limit - width : 0;
        const bool tab = column > 0 && blanks > 1;
        if (column == 0 && blanks > room)
            blanks = room;
        if (column > 0 && column + blanks + width > limit) {
            settled = good = put(fd, "\n", 1);
            column = 0;
            blanks = hang < room ? hang : room;
        } else if (!settled && (column == 0 || tab) && column + blanks <= limit - LEAST)
            hang = column + blanks;
        settled = settled || tab;
        column += blanks + width;
        for (; good && blanks > 0; blanks--)
            good = put(fd, " ", 1);
        good = good && put(fd, word, size);
        line = word + size;
    }
    return good;
}

/* Folds lines that are whole. What a carriage return or a flush ends, progress or a question, is written as it is. */
static ssize_t fold_write(void *cookie, const char *text, size_t size)
{
    const struct fold *f = cookie;
    for (size_t at = 0, length; at < size; at += length) {
        for (length = 0; at + length < size && strchr("\n\r", text[at + length]) == NULL;)
            length++;
        const bool whole = at + length < size && text[at + length] == '\n';
        if (!(whole ? put_line : put)(f->fd, text + at, length))
            return 0;
        if (at + length < size && !put(f->fd, text + at + length++, 1))
            return 0;
    }
    return (ssize_t)size;
}

/* A stream to a terminal; `plain` if it goes elsewhere, or without memory. */
static FILE *folded(FILE *plain, struct fold *f, int fd)
{
    static const cookie_io_functions_t functions = {.write = fold_write};
    FILE *out = isatty(fd) ? fopencookie(f, "w", functions) : NULL;
    if (out == NULL)
        return plain;
    f->fd = fd;
    setvbuf(out, f->room, _IOLBF, ROOM);
    return out;
}

void terminal_fold(void)
{
    static struct fold folds[2];
    stdout = folded(stdout, &folds[0], STDOUT_FILENO);
    stderr = folded(stderr, &folds[1], STDERR_FILENO);
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
