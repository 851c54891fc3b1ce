#define _GNU_SOURCE /* fopencookie */
#include "text_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_AT_FIRST = 256 };

struct text {
    char **bytes; /* the caller's */
    size_t *size;
    size_t room;
    bool failed;
};

/* Makes room for so many bytes and a NUL. */
static bool make_room(struct text *t, size_t size)
{
    size_t room = t->room == 0 ? ROOM_AT_FIRST : t->room;
    while (room <= size)
        room *= 2;
    char *bytes = room == t->room ? *t->bytes : realloc(*t->bytes, room);
    if (bytes == NULL)
        return false;
    *t->bytes = bytes;
    t->room = room;
    return true;
}

static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    struct text *t = cookie;
    if (t->failed || !make_room(t, *t->size + size)) {
        free(*t->bytes); /* a part of a text is none */
        *t->bytes = NULL;
        *t->size = 0;
        t->failed = true;
        return 0;
    }
    memcpy(*t->bytes + *t->size, bytes, size);
    *t->size += size;
    (*t->bytes)[*t->size] = '\0';
    return (ssize_t)size;
}

/* Tells where the stream is, which is always at its end. */
static int tell(void *cookie, off64_t *offset, int whence)
{
    const struct text *t = cookie;
    const off64_t end = (off64_t)*t->size;
    if (*offset != (whence == SEEK_SET ? end : 0))
        return -1;
    *offset = end;
    return 0;
}

static int end(void *cookie)
{
    struct text *t = cookie;
    bool failed = t->failed;
    free(t);
    return failed ? EOF : 0;
}

FILE *text_stream(char **bytes, size_t *size)
{
    static const cookie_io_functions_t functions = {.write = append, .seek = tell, .close = end};
    struct text *t = calloc(1, sizeof *t);
    *bytes = NULL;
    *size = 0;
    if (t == NULL)
        return NULL;
    *t = (struct text){.bytes = bytes, .size = size};
    FILE *out = make_room(t, 0) ? fopencookie(t, "w", functions) : NULL;
    if (out != NULL) {
        **bytes = '\0';
        return out;
    }
    free(*bytes);
    *bytes = NULL;
    free(t);
    return NULL;
}

void text_wrap(FILE *out, const char *text, int column, int indent, int width)
{
    bool begins = true; /* a line */
    while (*text != '\0') {
        const int length = (int)strcspn(text, " \n");
        if (!begins && column + 1 + length > width) {
            column = fprintf(out, "\n%*s", indent, "") - 1;
            begins = true;
        }
        column += fprintf(out, "%s%.*s", begins ? "" : " ", length, text);
        begins = text[length] == '\n';
        if (begins)
            column = fprintf(out, "\n%*s", indent, "") - 1;
        text += length + (text[length] != '\0');
    }
}
