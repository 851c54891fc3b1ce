#include "parse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool parse_int64(const char *text, int64_t *value)
{
    if (text[strspn(text, "+-0123456789")] != '\0' || text[0] == '\0')
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE)
        return false;
    *value = number;
    return true;
}

bool parse_double(const char *text, double *value)
{
    if (text[strspn(text, "+-.0123456789eE")] != '\0' || text[0] == '\0')
        return false;
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number))
        return false;
    *value = number;
    return true;
}

/* Parses seconds with decimals as milliseconds. Returns false if they are invalid or too many. */
static bool parse_seconds(const char *text, int64_t *milliseconds)
{
    enum { SECONDS_MAX = 1000000 };
    double seconds;
    if (!parse_double(text, &seconds) || seconds < 0 || seconds > SECONDS_MAX)
        return false;
    *milliseconds = llround(1000 * seconds);
    return true;
}

bool parse_clock(const char *text, int64_t *time, int64_t *increment)
{
    char game[64];
    const char *plus = strchr(text, '+');
    const size_t length = plus != NULL ? (size_t)(plus - text) : strlen(text);
    *increment = 0;
    snprintf(game, sizeof game, "%.*s", (int)length, text);
    return length < sizeof game && parse_seconds(game, time) && *time > 0 &&
           (plus == NULL || parse_seconds(plus + 1, increment));
}

/* -- words */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

struct words words_of(const char *line, size_t length)
{
    return (struct words){line, line + length};
}

struct word words_next(struct words *w)
{
    while (w->at < w->end && is_space(*w->at))
        w->at++;
    const char *start = w->at;
    while (w->at < w->end && !is_space(*w->at))
        w->at++;
    return (struct word){start < w->at ? start : NULL, (int)(w->at - start)};
}

struct word words_peek(const struct words *w)
{
    struct words copy = *w;
    return words_next(&copy);
}

struct word words_rest(const struct words *w)
{
    const char *start = w->at, *end = w->end;
    while (start < end && is_space(*start))
        start++;
    while (end > start && is_space(end[-1]))
        end--;
    return (struct word){start < end ? start : NULL, (int)(end - start)};
}

bool word_is(struct word word, const char *text)
{
    size_t length = strlen(text);
    return word.text != NULL && (size_t)word.length == length &&
           memcmp(word.text, text, length) == 0;
}

bool word_is_like(struct word word, const char *text)
{
    size_t length = strlen(text);
    return word.text != NULL && (size_t)word.length == length &&
           strncasecmp(word.text, text, length) == 0;
}

bool word_number(struct word word, int64_t min, int64_t max, int64_t *value)
{
    const bool negative = word.text != NULL && *word.text == '-';
    const int sign = negative || (word.text != NULL && *word.text == '+');
    if (word.length <= sign)
        return false;
    int64_t number = 0;
    for (int i = sign; i < word.length; i++) {
        const int64_t digit = word.text[i] - '0';
        if (digit < 0 || digit > 9)
            return false;
        number = number > (INT64_MAX - digit) / 10 ? INT64_MAX : number * 10 + digit;
    }
    number = negative ? -number : number;
    *value = number < min ? min : number > max ? max : number;
    return true;
}

const char *word_shown(struct word word, char text[WORD_SHOWN])
{
    int length = 0;
    for (; length < word.length && length < WORD_SHOWN - 4; length++)
        text[length] = word.text[length] > ' ' && word.text[length] <= '~' ? word.text[length]
                       : is_space(word.text[length])                       ? ' '
                                                                           : '?';
    snprintf(text + length, 4, "%s", length < word.length ? "..." : "");
    return text;
}
