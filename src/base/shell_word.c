#include "shell_word.h"

#include "foreign_text.h"

#include <stdio.h>
#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "%+,-./:=@_#";

bool shell_is_plain(const char *text)
{
    /* A shell takes what begins with # for a comment. */
    return text[0] != '\0' && text[0] != '#' && strspn(text, plain) == strlen(text);
}

const char *shell_word(const char *text, char word[SHELL_WORD])
{
    static const char quote[] = "'\\''";
    size_t length = 0;
    if (shell_is_plain(text) && strlen(text) < SHELL_WORD) {
        memcpy(word, text, strlen(text) + 1);
        return word;
    }
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
