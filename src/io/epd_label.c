#include "epd_label.h"

#include "parse.h"

#include <string.h>

enum { FIELD = 32 };

/* A part of a line. */
struct part {
    const char *text;
    size_t length;
};

static const char spaces[] = " \t\r\n\v\f";

static bool is_space(char c)
{
    return c != '\0' && strchr(spaces, c) != NULL;
}

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, spaces);
}

/* A part without white space at its ends. */
static struct part trimmed(const char *text, const char *end)
{
    text += strspn(text, spaces);
    while (end > text && is_space(end[-1]))
        end--;
    return (struct part){text, end > text ? (size_t)(end - text) : 0};
}

enum pgn_result epd_result_from_text(const char *text, size_t length)
{
    static const struct {
        const char *text;
        enum pgn_result result;
    } results[] = {
        {"1-0", PGN_WHITE_WINS}, {"0-1", PGN_BLACK_WINS}, {"1/2-1/2", PGN_DRAW},
        {"1.0", PGN_WHITE_WINS}, {"0.0", PGN_BLACK_WINS}, {"0.5", PGN_DRAW},
        {"1", PGN_WHITE_WINS},   {"0", PGN_BLACK_WINS},
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (strlen(results[i].text) == length && memcmp(results[i].text, text, length) == 0)
            return results[i].result;
    return PGN_UNKNOWN;
}

/* Reports a part of a line that is wrong; returns PGN_UNKNOWN. */
static enum pgn_result wrong(const char *line, struct part part, const char *expected,
                             struct error *err)
{
    error_set(err, "column %d: expected %s, not '%.*s'", (int)(part.text - line) + 1, expected,
              part.length > 20 ? 20 : (int)part.length, part.text);
    return PGN_UNKNOWN;
}

/* Parses the result in a part. */
static enum pgn_result read_result(const char *line, struct part part, struct error *err)
{
    enum pgn_result result = epd_result_from_text(part.text, part.length);
    if (result != PGN_UNKNOWN)
        return result;
    return wrong(line, part, "a result, 1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1", err);
}

/* True if a part is a score: a number. */
static bool is_score(struct part part)
{
    char text[FIELD];
    double number;
    if (part.length == 0 || part.length >= sizeof text)
        return false;
    memcpy(text, part.text, part.length);
    text[part.length] = '\0';
    return parse_double(text, &number);
}

/* Reads `[RESULT]`, perhaps with a score after it. */
static enum pgn_result read_brackets(const char *line, const char *open, const char **end,
                                     struct error *err)
{
    const char *close = open + strcspn(open, "]");
    struct part after;
    if (*close == '\0')
        return wrong(line, trimmed(open, close), "a result in brackets, as [1.0]", err);
    *end = close + 1 + strcspn(close + 1, ";");
    after = trimmed(close + 1, *end);
    if (after.length > 0 && !is_score(after))
        return wrong(line, after, "the end of the line after the result", err);
    return read_result(line, trimmed(open + 1, close), err);
}

/* Reads `| SCORE | RESULT`. */
static enum pgn_result read_bars(const char *line, const char *bar, const char **end,
                                 struct error *err)
{
    const char *second = bar + 1 + strcspn(bar + 1, "|");
    struct part score = trimmed(bar + 1, second);
    if (!is_score(score))
        return wrong(line, score, "a score in centipawns, as | 35 | 1.0", err);
    if (*second == '\0')
        return wrong(line, (struct part){second, 0}, "a result after the score, as | 35 | 1.0",
                     err);
    *end = second + strlen(second);
    return read_result(line, trimmed(second + 1, *end), err);
}

bool epd_has_label(const char *rest)
{
    rest = skip_spaces(rest);
    if (*rest == ';')
        rest = skip_spaces(rest + 1);
    else if (*rest == '|')
        return true;
    return *rest == '[';
}

enum pgn_result epd_label_read(const char *line, const char *rest, const char **end,
                               struct error *err)
{
    rest = skip_spaces(rest);
    if (*rest == '|')
        return read_bars(line, rest, end, err);
    if (*rest == ';')
        rest = skip_spaces(rest + 1);
    return read_brackets(line, rest, end, err);
}
