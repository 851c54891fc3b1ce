#include "pgn_reader.h"

#include <string.h>

/* Appends a piece to the last move's comment, with a space between pieces. */
static bool keep_comment(struct pgn_reader *r, const char *bytes, size_t n)
{
    while (n > 0 && is_space(bytes[0]))
        bytes++, n--;
    while (n > 0 && is_space(bytes[n - 1]))
        n--;
    if (n == 0 || r->plies == 0)
        return true;
    size_t *comment = &r->comments[r->plies - 1];
    if (*comment == 0)
        *comment = r->text.length;
    else
        r->text.bytes[r->text.length - 1] = ' ';
    if (!pgn_text_add(&r->text, bytes, n))
        return false;
    pgn_text_end(&r->text);
    return true;
}

enum step pgn_read_comment(struct pgn_reader *r, bool keep)
{
    long line = r->line.number;
    size_t column = ++r->at;
    for (;;) {
        const char *close = memchr(here(r), '}', left(r));
        size_t n = close != NULL ? (size_t)(close - here(r)) : left(r);
        if (keep && !keep_comment(r, here(r), n))
            return pgn_no_memory(r);
        r->at += n;
        if (close != NULL) {
            r->at++;
            return GO_ON;
        }
        if (!pgn_next_line(r) || pgn_is_tag_line(&r->line, r->in_moves ? "Event" : NULL)) {
            if (r->failed)
                return FAILED;
            r->in_moves = true; /* text has passed, for resynchronise() */
            error_set(r->err, "the comment that begins here has no '}'");
            return pgn_broken_at(r, line, column);
        }
    }
}

enum step pgn_read_line_comment(struct pgn_reader *r, bool keep)
{
    const size_t from = 1 + strspn(here(r) + 1, " \t");
    const struct input_line rest = {.text = here(r) + from, .length = left(r) - from};
    if (!r->in_moves && pgn_is_tag_line(&rest, NULL))
        return pgn_bad_tag(r, "a tag after ';'; expected it on a line of its own, or none");
    if (keep && !keep_comment(r, here(r) + 1, left(r) - 1))
        return pgn_no_memory(r);
    r->at = r->line.length;
    return GO_ON;
}

enum step pgn_skip_variation(struct pgn_reader *r)
{
    long line = r->line.number;
    size_t column = r->at + 1;
    for (long depth = 0;;) {
        int c = pgn_skip_space(r);
        if (r->failed)
            return FAILED;
        if (c == END_OF_FILE || (r->at == 0 && pgn_is_tag_line(&r->line, NULL))) {
            error_set(r->err, "the variation that begins here has no ')'");
            return pgn_broken_at(r, line, column);
        }
        enum step step = c == '{' ? pgn_read_comment(r, false) : GO_ON;
        if (step != GO_ON)
            return step;
        if (c == '{')
            continue;
        if (c == ';')
            r->at = r->line.length;
        else
            r->at++;
        depth += (c == '(') - (c == ')');
        if (depth == 0)
            return GO_ON;
    }
}
