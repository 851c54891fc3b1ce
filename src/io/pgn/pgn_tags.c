#include "pgn_reader.h"

#include <ctype.h>
#include <string.h>

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

/* The end of a tag's value: a quote that only `]` follows, else the line's last quote, else the end
 * of the line. `from` is the byte after the opening quote. */
static size_t value_end(const struct input_line *line, size_t from)
{
    size_t last = line->length;
    for (size_t i = from; i < line->length; i++) {
        if (line->text[i] == '"') {
            size_t next = i + 1;
            while (next < line->length && is_space(line->text[next]))
                next++;
            if (line->text[next] == ']')
                return i;
            last = i;
        } else if (line->text[i] == '\\' && i + 1 < line->length && line->text[i + 1] == '"') {
            last = ++i;
        }
    }
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

/* The tag of this name, or TAGS. */
static enum tag find_tag(const char *name, size_t length)
{
    int tag = 0;
    while (tag < TAGS &&
           (strlen(tag_names[tag]) != length || memcmp(tag_names[tag], name, length) != 0))
        tag++;
    return (enum tag)tag;
}

/* Records the first unreadable tag. The others are still read, to find the end of the game. */
static enum step bad_tag(struct pgn_reader *r)
{
    if (!r->bad_tag) {
        struct error *err = r->err;
        r->err = &r->tag_error;
        pgn_broken(r, "a tag looks like [Name \"value\"]");
        r->err = err;
    }
    r->bad_tag = true;
    r->at = r->line.length;
    return GO_ON;
}

enum step pgn_read_tag(struct pgn_reader *r)
{
    const struct input_line rest = {.text = here(r), .length = left(r)};
    if (!pgn_is_tag_line(&rest, NULL))
        return r->in_moves ? pgn_broken(r, "'[' among the moves") : bad_tag(r);
    if (r->in_moves && (r->any_tag || r->plies > 0))
        return GAME_OVER;
    r->in_moves = false;
    size_t name = r->at + 1 + strspn(here(r) + 1, " \t\v\f\r\n");
    size_t length = strcspn(r->line.text + name, "\" \t\v\f\r\n");
    enum tag tag = find_tag(r->line.text + name, length);
    bool again = tag < TAGS && (r->seen >> tag & 1) != 0;
    if (again && (tag == TAG_EVENT || r->blank))
        return GAME_OVER;
    size_t value = r->at + (size_t)(strchr(here(r), '"') - here(r)) + 1;
    size_t end = value_end(&r->line, value);
    if (tag < TAGS && !again) {
        r->tags[tag] = r->text.length;
        r->seen |= 1u << tag;
        if (!keep_value(r, r->line.text + value, end - value))
            return pgn_no_memory(r);
    }
    r->any_tag = true;
    r->blank = false;
    const char *close = memchr(r->line.text + end, ']', r->line.length - end);
    r->at = close != NULL ? (size_t)(close - r->line.text) + 1 : r->line.length;
    return GO_ON;
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
