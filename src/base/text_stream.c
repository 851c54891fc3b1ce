#define _GNU_SOURCE /* fopencookie */
#include "text_stream.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_AT_FIRST = 256 };

struct text {
    char **bytes; /* the caller's; NULL once memory was short */
    size_t *size, room;
};

static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    struct text *t = cookie;
    size_t room = t->room;
    while (room <= *t->size + size)
        room *= 2;
    char *text = *t->bytes == NULL || room == t->room ? *t->bytes : realloc(*t->bytes, room);
    if (text == NULL) {
        free(*t->bytes); /* a part of a text is none */
        *t->bytes = NULL;
        *t->size = 0;
        return 0;
    }
    *t->bytes = text;
    t->room = room;
    memcpy(text + *t->size, bytes, size);
    *t->size += size;
    text[*t->size] = '\0';
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
    const struct text *t = cookie;
    const bool whole = *t->bytes != NULL;
    free(cookie);
    return whole ? 0 : EOF;
}

FILE *text_stream(char **bytes, size_t *size)
{
    static const cookie_io_functions_t functions = {.write = append, .seek = tell, .close = end};
    struct text *t = malloc(sizeof *t);
    *bytes = calloc(1, ROOM_AT_FIRST);
    *size = 0;
    FILE *out = t != NULL && *bytes != NULL ? fopencookie(t, "w", functions) : NULL;
    if (out != NULL) {
        *t = (struct text){bytes, size, ROOM_AT_FIRST};
        return out;
    }
    free(*bytes);
    *bytes = NULL;
    free(t);
    return NULL;
}

bool text_close(FILE *out, const char *what, struct error *err)
{
    return (out != NULL && fclose(out) == 0) || error_set(err, "no memory for %s", what);
}

void text_add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
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
