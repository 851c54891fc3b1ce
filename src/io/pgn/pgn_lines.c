#include "pgn_reader.h"

#include <ctype.h>
#include <string.h>

/* ---- failures ---- */

enum step pgn_broken_at(struct pgn_reader *r, long line, size_t column)
{
    error_prefix(r->err, "%s:%ld:%zu: game %ld: ", r->path, line, column, r->number);
    return BROKEN;
}

enum step pgn_broken(struct pgn_reader *r, const char *reason)
{
    error_set(r->err, "%s", reason);
    return pgn_broken_at(r, r->line.number, r->at + 1);
}

enum step pgn_no_memory(struct pgn_reader *r)
{
    error_set(r->err, "%s:%ld: no memory for game %ld", r->path, r->line.number, r->number);
    r->failed = true;
    return FAILED;
}

/* ---- lines and characters ---- */

bool pgn_next_line(struct pgn_reader *r)
{
    r->at = 0;
    switch (input_next_text(r->in, &r->line, r->err)) {
    case INPUT_LINE:
        return true;
    case INPUT_END:
        break;
    case INPUT_FAILED:
        r->failed = r->damaged = true;
        break;
    }
    r->ended = true;
    r->line.length = 0;
    return false;
}

/* True for what a symbol of the standard holds, and other letters than those of ASCII. */
static bool is_symbol(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr("_+#=:-", c) != NULL);
}

bool pgn_is_tag_name(const char *text, size_t length, const char *name)
{
    for (; length > 0; text++, length--)
        if (strchr("+#=:-", *text) == NULL &&
            tolower((unsigned char)*text) != tolower((unsigned char)*name++))
            return false;
    return *name == '\0';
}

bool pgn_is_tag_line(const struct input_line *line, const char *name)
{
    size_t i = 1;
    if (line->length == 0 || line->text[0] != '[')
        return false;
    while (i < line->length && is_space(line->text[i]))
        i++;
    size_t start = i;
    while (is_symbol(line->text[i]))
        i++;
    if (i == start || (name != NULL && !pgn_is_tag_name(line->text + start, i - start, name)))
        return false;
    while (i < line->length && is_space(line->text[i]))
        i++;
    return line->text[i] == '"';
}

int pgn_skip_space(struct pgn_reader *r)
{
    while (!r->ended) {
        const bool whole = r->at == 0; /* nothing of the line has been read */
        bool escaped = whole && left(r) > 0 && *here(r) == '%';
        while (!escaped && left(r) > 0) {
            if (!is_space(*here(r)))
                return (unsigned char)*here(r);
            r->at++;
        }
        r->blank = r->blank || (whole && !escaped);
        if (!pgn_next_line(r))
            break;
    }
    return END_OF_FILE;
}
