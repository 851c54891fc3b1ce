#include "pgn_text.h"

#include "foreign_text.h"

#include <stdlib.h>
#include <string.h>

/* A bound on memory. */
enum { TEXT_LIMIT = 16 << 20 };

/* Makes room for `n` more bytes and a NUL. */
static bool reserve(struct pgn_text *t, size_t n)
{
    if (t->length + n + 1 <= t->capacity)
        return true;
    size_t capacity = 2 * (t->length + n) + 256;
    char *bytes = realloc(t->bytes, capacity);
    if (bytes == NULL)
        return false;
    t->bytes = bytes;
    t->capacity = capacity;
    return true;
}

/* Appends a character of the current string: a `?`, or a blank for white space, if it is not clean. */
static char *add(char *out, const char *bytes, size_t length, uint32_t point)
{
    if (!foreign_character_is_clean(point)) {
        *out++ = point == 0 || (point >= '\t' && point <= '\r') ? ' ' : '?';
    } else if (length == 0) {
        *out++ = (char)(0xc0 | point >> 6);
        *out++ = (char)(0x80 | (point & 0x3f));
    } else {
        memcpy(out, bytes, length);
        out += length;
    }
    return out;
}

bool pgn_text_clear(struct pgn_text *t)
{
    if (!reserve(t, 1))
        return false;
    t->bytes[0] = '\0';
    t->length = 1;
    return true;
}

bool pgn_text_add(struct pgn_text *t, const char *bytes, size_t n)
{
    if (t->length + 2 * n > TEXT_LIMIT)
        n = 0;
    if (!reserve(t, 2 * n))
        return false;
    char *out = t->bytes + t->length;
    for (size_t i = 0; i < n;) {
        uint32_t point;
        size_t length = utf8_decode(bytes + i, n - i, &point);
        if (length == 0) /* Latin-1 */
            point = (unsigned char)bytes[i];
        out = add(out, bytes + i, length, point);
        i += length > 0 ? length : 1;
    }
    t->length = (size_t)(out - t->bytes);
    return true;
}

void pgn_text_end(struct pgn_text *t)
{
    t->bytes[t->length++] = '\0';
}
