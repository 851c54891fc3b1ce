#include "command_words.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n"

/* A text being split: where to read, and where to write the characters of words. */
struct splitting {
    const char *from;
    char *to;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copies the quoted part at a quote mark, without the marks. False if it is not closed. */
static bool copy_quoted(struct splitting *s)
{
    char mark = *s->from++;
    while (*s->from != '\0' && *s->from != mark) {
        if (*s->from == '\\' && mark == '"' && (s->from[1] == '"' || s->from[1] == '\\'))
            s->from++;
        *s->to++ = *s->from++;
    }
    return *s->from++ == mark;
}

/* Copies a word and ends it. */
static bool copy_word(struct splitting *s, struct error *err)
{
    while (*s->from != '\0' && !is_blank(*s->from)) {
        char mark = *s->from;
        if (mark == '\'' || mark == '"') {
            if (!copy_quoted(s))
                return error_set(err, "the quote %c is not closed", mark);
            continue;
        }
        if (mark == '\\' && s->from[1] != '\0')
            s->from++;
        *s->to++ = *s->from++;
    }
    *s->to++ = '\0';
    return true;
}

char *command_first_word(const char *text, const char **rest, struct error *err)
{
    text += strspn(text, BLANKS);
    char *word = malloc(strlen(text) + 1);
    struct splitting s = {text, word};
    bool good = word != NULL ? text[0] != '\0' || error_set(err, "there is no command")
                             : error_set(err, "no memory for a command");
    if (good && copy_word(&s, err)) {
        *rest = s.from;
        return word;
    }
    free(word);
    return NULL;
}

char *command_write_word(char *to, const char *text, size_t length)
{
    for (const char *c = text; c < text + length; *to++ = *c++)
        if (strchr(BLANKS "'\"\\", *c) != NULL)
            *to++ = '\\';
    *to = '\0';
    return to;
}

char **command_words(const char *text, struct error *err)
{
    size_t length = strlen(text), most = length / 2 + 2; /* words, with the NULL */
    char **words = malloc(most * sizeof *words + length + 2);
    if (words == NULL) {
        error_set(err, "no memory for a command");
        return NULL;
    }
    struct splitting s = {text, (char *)(words + most)};
    size_t count = 0;
    bool good = true;
    while (good && *(s.from += strspn(s.from, BLANKS)) != '\0') {
        words[count++] = s.to;
        good = copy_word(&s, err);
    }
    words[count] = NULL;
    if (good && (count > 0 || error_set(err, "there is no command")))
        return words;
    free(words);
    return NULL;
}
