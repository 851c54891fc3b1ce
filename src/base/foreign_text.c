#include "foreign_text.h"

#include "parse.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t size, uint32_t *point)
{
    static const uint32_t least[UTF8_MAX + 1] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = s[0] < 0x80         ? 1
                          : s[0] >> 5 == 0x6  ? 2
                          : s[0] >> 4 == 0xe  ? 3
                          : s[0] >> 3 == 0x1e ? 4
                                              : 0;
    if (length == 0 || length > size)
        return 0;
    *point = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (s[i] & 0x3f);
    }
    bool surrogate = *point >= 0xd800 && *point <= 0xdfff;
    return *point < least[length] || surrogate || *point > 0x10ffff ? 0 : length;
}

int utf8_columns(const char *text)
{
    int columns = 0;
    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

bool foreign_character_is_clean(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } unclean[] = {
        {0x7f, 0x9f},       /* DEL and C1 */
        {0xad, 0xad},       /* soft hyphen */
        {0x61c, 0x61c},     /* Arabic letter mark */
        {0x180e, 0x180e},   /* Mongolian vowel separator */
        {0x200b, 0x200f},   /* characters without width, marks of direction */
        {0x2028, 0x202e},   /* ends of lines and paragraphs, embeddings and overrides */
        {0x2060, 0x206f},   /* invisible operators, isolates */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xfff9, 0xfffb},   /* interlinear annotations */
        {0xfffe, 0xffff},   /* no characters, in XML neither */
        {0xe0000, 0xe007f}, /* tags */
    };
    if (point < 0x7f)
        return point >= ' ';
    for (size_t i = 0; i < sizeof unclean / sizeof unclean[0]; i++)
        if (point <= unclean[i].last)
            return point < unclean[i].first;
    return true;
}

bool foreign_text_is_clean(const char *text)
{
    uint32_t point;
    for (size_t length; *text != '\0'; text += length) {
        length = utf8_decode(text, UTF8_MAX, &point);
        if (length == 0 || !foreign_character_is_clean(point))
            return false;
    }
    return true;
}

size_t foreign_text_next(const char *text, char clean[UTF8_MAX + 1])
{
    uint32_t point;
    const size_t length = utf8_decode(text, UTF8_MAX, &point);
    const bool kept = length > 0 && foreign_character_is_clean(point);
    if (kept)
        memcpy(clean, text, length);
    else
        clean[0] = *text >= '\t' && *text <= '\r' ? ' ' : '?';
    clean[kept ? length : 1] = '\0';
    return length > 0 ? length : 1;
}

char *foreign_text_copy(char *to, size_t room, const char *text)
{
    size_t used = 0;
    while (*text != '\0') {
        char clean[UTF8_MAX + 1];
        const size_t taken = foreign_text_next(text, clean), length = strlen(clean);
        if (used + length >= room)
            break;
        text += taken; /* what is written does not come before what is read */
        memcpy(to + used, clean, length);
        used += length;
    }
    to[used] = '\0';
    return to;
}

/* -- CSV */

/* True if a spreadsheet takes a text for a formula. */
static bool is_formula(const char *text)
{
    double number;
    text += strspn(text, " ");
    return text[0] != '\0' && strchr("=+-@", text[0]) != NULL && !parse_double(text, &number);
}

void csv_text(FILE *out, const char *text)
{
    const char *shown = shown_text(text);
    const bool formula = is_formula(shown),
               quoted = formula || strpbrk(shown, "\",") != NULL || shown[0] == ' ';
    fputs(quoted ? "\"" : "", out);
    fputs(formula ? "'" : "", out);
    for (; *shown != '\0'; shown++) {
        if (*shown == '"')
            fputc('"', out);
        fputc(*shown, out);
    }
    fputs(quoted ? "\"" : "", out);
}

char *csv_text_read(char *field)
{
    return field[0] == '\'' && is_formula(field + 1) ? field + 1 : field;
}

/* -- a shell */

const char *shell_word(const char *text, char word[SHELL_WORD])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_#";
    static const char quote[] = "'\\''";
    size_t length = strlen(text);
    /* A shell takes what begins with # for a comment. */
    if (length > 0 && text[0] != '#' && strspn(text, plain) == length && length < SHELL_WORD)
        return memcpy(word, text, length + 1);
    length = 0;
    word[length++] = '\'';
    for (const char *c = text; *c != '\0' && length < SHELL_WORD - sizeof quote - 2; c++)
        if (*c == '\'')
            for (const char *q = quote; *q != '\0'; q++)
                word[length++] = *q;
        else
            word[length++] = *c;
    word[length++] = '\'';
    word[length] = '\0';
    return word;
}

const char *shell_word_shown(const char *text, char word[SHELL_WORD])
{
    shell_word(text, word);
    return foreign_text_copy(word, SHELL_WORD, word);
}
