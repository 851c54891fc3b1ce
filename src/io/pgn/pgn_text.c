#include "pgn_text.h"

#include <stdint.h>
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

/* The length of the valid UTF-8 sequence of two to four bytes at `s`, or 0. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool no_character = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || no_character ? 0 : length;
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
    const unsigned char *s = (const unsigned char *)bytes;
    char *out = t->bytes + t->length;
    for (size_t i = 0; i < n;) {
        size_t length = s[i] < 0x80 ? 1 : utf8_length(s + i, n - i);
        if (length == 0) {
            *out++ = (char)(0xc0 | s[i] >> 6);
            *out++ = (char)(0x80 | (s[i] & 0x3f));
            length = 1;
        } else if (s[i] == '\0') {
            *out++ = ' ';
        } else {
            memcpy(out, s + i, length);
            out += length;
        }
        i += length;
    }
    t->length = (size_t)(out - t->bytes);
    return true;
}

void pgn_text_end(struct pgn_text *t)
{
    t->bytes[t->length++] = '\0';
}
