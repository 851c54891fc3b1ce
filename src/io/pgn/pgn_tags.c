#include "pgn_reader.h"

#include <ctype.h>
#include <string.h>

#define BLANKS " \t\v\f\r\n"

static const char *const tag_names[TAGS] = {
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "TimeControl",
    "FEN",
    "SetUp",
    "Variant",
    "WhiteEvaluationSHA256",
    "WhiteSearchSHA256",
    "BlackEvaluationSHA256",
    "BlackSearchSHA256",
    "WhiteCommand",
    "WhiteEngine",
    "WhiteOptions",
    "BlackCommand",
    "BlackEngine",
    "BlackOptions",
};

/* True if another tag begins inside a value. The quote of "[31m"] is the end of the value. */
static bool begins_tag(const struct input_line *line, size_t at)
{
    const struct input_line rest = {.text = line->text + at, .length = line->length - at};
    if (!pgn_is_tag_line(&rest, NULL))
        return false;
    const char *after = strchr(rest.text, '"') + 1;
    return after[strspn(after, BLANKS)] != ']';
}

/* The end of a tag's value: a quote that only `]` follows, else the last quote before another tag or the
 * line's end, else that. `from` is the byte after the opening quote; `*next` is where the next item
 * begins. */
static size_t value_end(const struct input_line *line, size_t from, size_t *next)
{
    size_t last = 0, i = from;
    for (; i < line->length; i++) {
        if (begins_tag(line, i))
            break;
        if (line->text[i] == '"') {
            last = i;
            *next = i + 1;
            while (*next < line->length && is_space(line->text[*next]))
                ++*next;
            if (line->text[(*next)++] == ']')
                return i;
        } else if (line->text[i] == '\\' && i + 1 < line->length && line->text[i + 1] == '"') {
            last = ++i;
        }
    }
    last = last > 0 ? last : i;
    const char *close = memchr(line->text + last, ']', i - last);
    *next = close != NULL ? (size_t)(close - line->text) + 1 : i;
    return last;
}

/* Appends a tag's value to the text, without escapes. */
static bool keep_value(struct pgn_reader *r, const char *bytes, size_t n)
{
    size_t from = 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (bytes[i] == '\\' && (bytes[i + 1] == '"' || bytes[i + 1] == '\\')) {
            if (!pgn_text_add(&r->text, bytes + from, i - from))
                return false;
            from = ++i;
        }
    if (!pgn_text_add(&r->text, bytes + from, n - from))
        return false;
    pgn_text_end(&r->text);
    return true;
}

/* The tag whose `[` is at `at` of the line; TAGS for an unknown one. */
static enum tag find_tag(const struct pgn_reader *r, size_t at)
{
    const char *name = r->line.text + at + 1;
    name += strspn(name, BLANKS);
    size_t length = strcspn(name, "\"" BLANKS);
    int tag = 0;
    while (tag < TAGS && !pgn_is_tag_name(name, length, tag_names[tag]))
        tag++;
    return (enum tag)tag;
}

bool pgn_repeats_tag(const struct pgn_reader *r)
{
    enum tag tag = find_tag(r, 0);
    return tag == TAG_EVENT || (tag < TAGS && (r->seen >> tag & 1) != 0);
}

enum step pgn_bad_tag(struct pgn_reader *r, const char *reason)
{
    if (!r->bad_tag) {
        struct error *err = r->err;
        r->err = &r->tag_error;
        pgn_broken(r, reason);
        r->err = err;
    }
    r->bad_tag = true;
    r->at = r->line.length;
    return GO_ON;
}

/* Keeps the first value of a tag. A start or a variant is not chosen among two. */
static enum step keep_tag(struct pgn_reader *r, enum tag tag, const char *value, size_t n)
{
    const bool name = tag == TAG_WHITE || tag == TAG_BLACK;
    if ((r->seen >> tag & 1) != 0) {
        const char *first = pgn_tag_value(r, tag);
        bool same = strlen(first) == n && memcmp(first, value, n) == 0;
        return same || (1u << tag & PGN_START_TAGS) == 0
                   ? GO_ON
                   : pgn_bad_tag(r, "the tags give two starts or variants");
    }
    while (name && n > 0 && is_space(value[n - 1]))
        n--;
    while (name && n > 0 && is_space(value[0]))
        value++, n--;
    r->tags[tag] = r->text.length;
    r->seen |= 1u << tag;
    return keep_value(r, value, n) ? GO_ON : pgn_no_memory(r);
}

enum step pgn_read_tag(struct pgn_reader *r)
{
    const struct input_line rest = {.text = here(r), .length = left(r)};
    size_t empty = 1 + strspn(here(r) + 1, BLANKS), next;
    if (!r->in_moves && here(r)[empty] == ']') {
        r->at += empty + 1;
        return GO_ON;
    }
    if (!pgn_is_tag_line(&rest, NULL))
        return r->in_moves ? pgn_broken(r, "'[' among the moves")
                           : pgn_bad_tag(r, "a tag looks like [Name \"value\"]");
    if (r->in_moves && r->plies > 0)
        return GAME_OVER;
    if (r->in_moves && r->any_tag)
        return pgn_broken(r, "a tag after text that is neither a move nor a result");
    r->in_moves = false;
    enum tag tag = find_tag(r, r->at);
    bool again = tag < TAGS && (r->seen >> tag & 1) != 0;
    if (again && (tag == TAG_EVENT || r->blank))
        return GAME_OVER;
    if (r->apart && (tag == TAG_EVENT || r->blank))
        r->orphans = 0;
    r->apart = false;
    size_t value = r->at + (size_t)(strchr(here(r), '"') - here(r)) + 1;
    size_t end = value_end(&r->line, value, &next);
    enum step step = tag < TAGS ? keep_tag(r, tag, r->line.text + value, end - value) : GO_ON;
    r->any_tag = true;
    r->blank = false;
    r->at = next;
    return step;
}

const char *pgn_tag_value(const struct pgn_reader *r, enum tag tag)
{
    return r->text.bytes + r->tags[tag];
}

/* A rating, or 0 if the text is not a plausible one. */
static int rating(const char *text)
{
    int elo = 0;
    for (; isdigit((unsigned char)*text) && elo < 10000; text++)
        elo = 10 * elo + (*text - '0');
    return *text == '\0' && elo < 10000 ? elo : 0;
}

/* Parses up to `digits` digits, 0 for question marks, and skips a separator. */
static int date_part(const char **text, int digits)
{
    int number = 0;
    for (; digits > 0 && isdigit((unsigned char)**text); digits--)
        number = 10 * number + (*(*text)++ - '0');
    *text += strspn(*text, "?");
    if (**text == '.' || **text == '-' || **text == '/')
        ++*text;
    return number;
}

/* The tag's result, or the movetext's if the tag has none; unknown if they disagree. */
static enum pgn_result game_result(const struct pgn_reader *r)
{
    enum pgn_result tag = pgn_result_named(pgn_tag_value(r, TAG_RESULT)),
                    moves = r->movetext_result;
    if (tag == PGN_UNKNOWN || moves == PGN_UNKNOWN)
        return tag == PGN_UNKNOWN ? moves : tag;
    return tag == moves ? tag : PGN_UNKNOWN;
}

void pgn_fill_tags(const struct pgn_reader *r, struct pgn_game *game)
{
    const char *date = pgn_tag_value(r, TAG_DATE);
    game->event = pgn_tag_value(r, TAG_EVENT);
    game->site = pgn_tag_value(r, TAG_SITE);
    game->date = date;
    game->round = pgn_tag_value(r, TAG_ROUND);
    game->white = pgn_tag_value(r, TAG_WHITE);
    game->black = pgn_tag_value(r, TAG_BLACK);
    game->time_control = pgn_tag_value(r, TAG_TIME_CONTROL);
    game->white_elo = rating(pgn_tag_value(r, TAG_WHITE_ELO));
    game->black_elo = rating(pgn_tag_value(r, TAG_BLACK_ELO));
    game->white_sets = (struct pgn_sets){.evaluation = pgn_tag_value(r, TAG_WHITE_EVALUATION),
                                         .search = pgn_tag_value(r, TAG_WHITE_SEARCH),
                                         .command = pgn_tag_value(r, TAG_WHITE_COMMAND),
                                         .engine = pgn_tag_value(r, TAG_WHITE_ENGINE),
                                         .options = pgn_tag_value(r, TAG_WHITE_OPTIONS)};
    game->black_sets = (struct pgn_sets){.evaluation = pgn_tag_value(r, TAG_BLACK_EVALUATION),
                                         .search = pgn_tag_value(r, TAG_BLACK_SEARCH),
                                         .command = pgn_tag_value(r, TAG_BLACK_COMMAND),
                                         .engine = pgn_tag_value(r, TAG_BLACK_ENGINE),
                                         .options = pgn_tag_value(r, TAG_BLACK_OPTIONS)};
    game->result = game_result(r);
    game->year = date_part(&date, 4);
    game->month = date_part(&date, 2);
    game->day = date_part(&date, 2);
}
