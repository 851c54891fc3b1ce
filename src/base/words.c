#include "words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* Parses the digits of a number, as far as they matter below `most`. */
static bool read_digits(const char *at, const char *end, int64_t most, int64_t *value)
{
    if (at == end)
        return false;
    for (*value = 0; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        int64_t digit = *at - '0';
        *value = *value > (most - digit) / 10 ? most : *value * 10 + digit;
    }
    return true;
}

bool word_number(struct word word, int64_t min, int64_t max, int64_t *value)
{
    if (word.text == NULL)
        return false;
    bool negative = *word.text == '-', sign = negative || *word.text == '+';
    if (!read_digits(word.text + sign, word.text + word.length, INT64_MAX, value))
        return false;
    *value = negative ? -*value : *value;
    *value = *value < min ? min : *value > max ? max : *value;
    return true;
}

const char *word_shown(struct word word, char text[SHOWN])
{
    int length = 0;
    for (; length < word.length && length < SHOWN - 4; length++)
        text[length] = word.text[length] > ' ' && word.text[length] <= '~' ? word.text[length]
                       : is_space(word.text[length])                       ? ' '
                                                                           : '?';
    snprintf(text + length, 4, "%s", length < word.length ? "..." : "");
    return text;
}
