#include "pgn.h"

#include "array.h"
#include "foreign_text.h"
#include "input.h"
#include "parse.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The tags that are known, with their texts of struct pgn_game, if any. One that comes again begins a game. */
#define TEXT(field) offsetof(struct pgn_game, field)
#define EACH_TAG(X)                                                                                \
    X(EVENT, "Event", 0)                                                                           \
    X(SITE, "Site", 0)                                                                             \
    X(DATE, "Date", 0)                                                                             \
    X(ROUND, "Round", 0)                                                                           \
    X(WHITE, "White", TEXT(white))                                                                 \
    X(BLACK, "Black", TEXT(black))                                                                 \
    X(RESULT, "Result", 0)                                                                         \
    X(WHITE_ELO, "WhiteElo", 0)                                                                    \
    X(BLACK_ELO, "BlackElo", 0)                                                                    \
    X(TIME_CONTROL, "TimeControl", 0)                                                              \
    X(FEN, "FEN", 0)                                                                               \
    X(SET_UP, "SetUp", 0)                                                                          \
    X(VARIANT, "Variant", 0)                                                                       \
    X(WHITE_EVALUATION, "WhiteEvaluationSHA256", TEXT(white_sets.evaluation))                      \
    X(WHITE_SEARCH, "WhiteSearchSHA256", TEXT(white_sets.search))                                  \
    X(BLACK_EVALUATION, "BlackEvaluationSHA256", TEXT(black_sets.evaluation))                      \
    X(BLACK_SEARCH, "BlackSearchSHA256", TEXT(black_sets.search))                                  \
    X(WHITE_COMMAND, "WhiteCommand", TEXT(white_sets.command))                                     \
    X(WHITE_ENGINE, "WhiteEngine", TEXT(white_sets.engine))                                        \
    X(WHITE_OPTIONS, "WhiteOptions", TEXT(white_sets.options))                                     \
    X(BLACK_COMMAND, "BlackCommand", TEXT(black_sets.command))                                     \
    X(BLACK_ENGINE, "BlackEngine", TEXT(black_sets.engine))                                        \
    X(BLACK_OPTIONS, "BlackOptions", TEXT(black_sets.options))

#define TAG_NAME(id, name, text) TAG_##id,
enum tag { EACH_TAG(TAG_NAME) TAGS };

#define TAG_ROW(id, name, text) {name, text},
static const struct {
    const char *name;
    size_t text;
} tags[TAGS] = {EACH_TAG(TAG_ROW)};

/* What the moves of a game mean depends on these, so none may be lost from above them. */
enum { START_TAGS = 1 << TAG_FEN | 1 << TAG_SET_UP | 1 << TAG_VARIANT };

struct pgn_reader {
    char *path; /* for messages */
    struct input *in;
    struct input_line line;
    size_t at;                  /* the next byte of the line */
    bool ended;                 /* no line is left */
    bool damaged, keep_damaged; /* the file cannot be read on; that is the end of it */
    bool failed;                /* the file is unreadable or memory is short; err has the reason */
    bool blank;                 /* a line of white space has passed since the last tag or word */
    bool apart;                 /* the game above has moves or a result */
    unsigned orphans;           /* set of start tags above that may be those of the next moves */
    struct error *err;          /* of the current call */
    struct error tag_error;

    /* the current game */
    long number, first_line;
    unsigned seen; /* set of tags seen, as bits */
    bool any_tag, in_moves, bad_tag;
    enum pgn_result movetext_result;
    char *values[TAGS]; /* of the tags seen, and of earlier games */
    struct position start, position;
    Move *moves;
    int32_t *scores;
    size_t plies;
};

/* GAME_OVER consumes nothing of the next game; BROKEN and FAILED have set the error. */
enum step { GO_ON, GAME_OVER, BROKEN, FAILED };

enum { END_OF_FILE = -1 };

/* ---- results and filters ---- */

enum pgn_result pgn_result_named(const char *text)
{
    if (strcmp(text, "1-0") == 0)
        return PGN_WHITE_WINS;
    if (strcmp(text, "0-1") == 0)
        return PGN_BLACK_WINS;
    if (strncmp(text, "1/2", 3) == 0 || strcmp(text, "\xc2\xbd-\xc2\xbd") == 0)
        return PGN_DRAW;
    return PGN_UNKNOWN;
}

bool pgn_wanted(const struct pgn_filter *f, const struct pgn_game *game)
{
    int date = game->year * 10000 + game->month * 100 + game->day;
    bool bounded = f->from_date != 0 || f->to_date != 0;
    return game->white_elo >= f->min_elo && game->black_elo >= f->min_elo &&
           game->plies >= (size_t)(f->min_plies > 0 ? f->min_plies : 0) &&
           !(bounded && game->year == 0) && date >= f->from_date &&
           (f->to_date == 0 || date <= f->to_date);
}

/* ---- failures ---- */

static enum step broken_at(struct pgn_reader *r, long line, size_t column)
{
    error_prefix(r->err, "%s:%ld:%zu: game %ld: ", r->path, line, column, r->number);
    return BROKEN;
}

static enum step broken(struct pgn_reader *r, const char *reason)
{
    error_set(r->err, "%s", reason);
    return broken_at(r, r->line.number, r->at + 1);
}

static enum step no_memory(struct pgn_reader *r)
{
    error_set(r->err, "%s:%ld: no memory for game %ld", r->path, r->line.number, r->number);
    r->failed = true;
    return FAILED;
}

/* ---- lines and characters ---- */

/* The rest of the line, which a NUL ends. */
static const char *here(const struct pgn_reader *r)
{
    return r->line.text + r->at;
}

static size_t left(const struct pgn_reader *r)
{
    return r->line.length - r->at;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* False at the end, or if the file cannot be read (`failed`). */
static bool next_line(struct pgn_reader *r)
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

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* True for what a symbol of the standard holds, and other letters than those of ASCII. */
static bool is_symbol(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || is_one_of(c, "_+#=:-");
}

/* Compares the name of a tag, which may be in any case and hold signs: [fen "..."], [Time-Control: "..."]. */
static bool is_tag_name(const char *text, size_t length, const char *name)
{
    for (; length > 0; text++, length--)
        if (strchr("+#=:-", *text) == NULL &&
            tolower((unsigned char)*text) != tolower((unsigned char)*name++))
            return false;
    return *name == '\0';
}

#define BLANKS " \t\v\f\r\n"

/* True if a text begins like a tag, `[Name "`. With `name`, only that tag. */
static bool is_tag(const char *text, const char *name)
{
    if (*text != '[')
        return false;
    const char *start = text + 1 + strspn(text + 1, BLANKS), *end = start;
    while (is_symbol(*end))
        end++;
    return end > start && end[strspn(end, BLANKS)] == '"' &&
           (name == NULL || is_tag_name(start, (size_t)(end - start), name));
}

/* Skips white space and escaped lines; returns the next character, END_OF_FILE if there is none. */
static int skip_space(struct pgn_reader *r)
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
        if (!next_line(r))
            break;
    }
    return END_OF_FILE;
}

/* ---- tags ---- */

/* True if another tag begins inside a value. The quote of "[31m"] is the end of the value. */
static bool begins_tag(const char *text)
{
    if (!is_tag(text, NULL))
        return false;
    const char *after = strchr(text, '"') + 1;
    return after[strspn(after, BLANKS)] != ']';
}

/* The end of a tag's value: a quote that only `]` follows, else the last quote before another tag or the line's end,
 * else that. `from` is the byte after the opening quote; `*next` is where the next item begins. */
static size_t value_end(const struct input_line *line, size_t from, size_t *next)
{
    size_t last = 0, i = from;
    for (; i < line->length; i++) {
        if (begins_tag(line->text + i))
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

/* The tag whose `[` is at `at` of the line; TAGS for an unknown one. */
static enum tag find_tag(const struct pgn_reader *r, size_t at)
{
    const char *name = r->line.text + at + 1;
    name += strspn(name, BLANKS);
    size_t length = strcspn(name, "\"" BLANKS);
    int tag = 0;
    while (tag < TAGS && !is_tag_name(name, length, tags[tag].name))
        tag++;
    return (enum tag)tag;
}

/* Records the first unreadable tag, and passes over the line. The other tags are still read, to find the end
 * of the game, which is broken. */
static enum step bad_tag(struct pgn_reader *r, const char *reason)
{
    if (!r->bad_tag) {
        struct error *err = r->err;
        r->err = &r->tag_error;
        broken(r, reason);
        r->err = err;
    }
    r->bad_tag = true;
    r->at = r->line.length;
    return GO_ON;
}

/* The value of a tag, "" if the game has none. */
static const char *tag_value(const struct pgn_reader *r, enum tag tag)
{
    return (r->seen >> tag & 1) != 0 ? r->values[tag] : "";
}

/* Keeps the first value of a tag, without escapes, and clean: for a character that is not (foreign_text.h) a `?`, for
 * white space and NUL a blank. Invalid UTF-8 is read as Latin-1. A start or a variant is not chosen among two. */
static enum step keep_tag(struct pgn_reader *r, enum tag tag, const char *value, size_t n)
{
    const bool name = tag == TAG_WHITE || tag == TAG_BLACK;
    if ((r->seen >> tag & 1) != 0) {
        const char *first = tag_value(r, tag);
        bool same = strlen(first) == n && memcmp(first, value, n) == 0;
        return same || (1u << tag & START_TAGS) == 0
                   ? GO_ON
                   : bad_tag(r, "the tags give two starts or variants");
    }
    while (name && n > 0 && is_space(value[n - 1]))
        n--;
    while (name && n > 0 && is_space(value[0]))
        value++, n--;
    char *out = realloc(r->values[tag], 2 * n + 1);
    if (out == NULL)
        return no_memory(r);
    r->values[tag] = out;
    r->seen |= 1u << tag;
    for (size_t i = 0, length; i<n; i += length> 0 ? length : 1) {
        uint32_t point;
        i += value[i] == '\\' && i + 1 < n && is_one_of(value[i + 1], "\"\\");
        length = utf8_decode(value + i, n - i, &point);
        point = length > 0 ? point : (unsigned char)value[i];
        if (!foreign_character_is_clean(point)) {
            *out++ = point == 0 || (point >= '\t' && point <= '\r') ? ' ' : '?';
        } else if (length == 0) { /* Latin-1 */
            *out++ = (char)(0xc0 | point >> 6);
            *out++ = (char)(0x80 | (point & 0x3f));
        } else {
            memcpy(out, value + i, length);
            out += length;
        }
    }
    *out = '\0';
    return GO_ON;
}

/* Reads `[Name "value"]`; does not consume a tag that begins the next game. */
static enum step read_tag(struct pgn_reader *r)
{
    size_t empty = 1 + strspn(here(r) + 1, BLANKS), next;
    if (!r->in_moves && here(r)[empty] == ']') {
        r->at += empty + 1;
        return GO_ON;
    }
    if (!is_tag(here(r), NULL))
        return r->in_moves ? broken(r, "'[' among the moves")
                           : bad_tag(r, "a tag looks like [Name \"value\"]");
    if (r->in_moves && r->plies > 0)
        return GAME_OVER;
    if (r->in_moves && r->any_tag)
        return broken(r, "a tag after text that is neither a move nor a result");
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

static int rating(const char *text)
{
    int64_t elo;
    return parse_int64(text, &elo) && elo > 0 && elo < 10000 ? (int)elo : 0;
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

static void fill_game(const struct pgn_reader *r, struct pgn_game *game)
{
    const char *date = tag_value(r, TAG_DATE);
    *game = (struct pgn_game){.number = r->number,
                              .line = r->first_line,
                              .start = r->start,
                              .moves = r->moves,
                              .scores = r->scores,
                              .plies = r->plies,
                              .white_elo = rating(tag_value(r, TAG_WHITE_ELO)),
                              .black_elo = rating(tag_value(r, TAG_BLACK_ELO))};
    for (int i = 0; i < TAGS; i++)
        if (tags[i].text != 0)
            *(const char **)((char *)game + tags[i].text) = tag_value(r, (enum tag)i);
    /* The tag's result, or the movetext's if the tag has none; unknown if they disagree. */
    const enum pgn_result tag = pgn_result_named(tag_value(r, TAG_RESULT)),
                          moves = r->movetext_result;
    game->result = tag == PGN_UNKNOWN                     ? moves
                   : moves == PGN_UNKNOWN || tag == moves ? tag
                                                          : PGN_UNKNOWN;
    game->year = date_part(&date, 4);
    game->month = date_part(&date, 2);
    game->day = date_part(&date, 2);
}

/* ---- moves, comments and variations ---- */

/* Reads the score at the beginning of a comment, as match runners write it: "+0.56/12", "-M3/20", "0.00/8". */
static int32_t comment_score(const char *text)
{
    char sign = *text, *end;
    text += sign == '+' || sign == '-';
    const bool mate = *text == 'M';
    const double pawns = isdigit((unsigned char)text[mate]) ? strtod(text + mate, &end) : -1;
    if (pawns < 0 || *end != '/' || !isdigit((unsigned char)end[1]))
        return PGN_UNSCORED;
    const int32_t score = mate || pawns > PGN_MATE / 100 ? PGN_MATE : (int32_t)lround(pawns * 100);
    return sign == '-' ? -score : score;
}

/* Skips a comment in braces, over several lines. A line that begins the tags of the next game, or before the moves any
 * tag, means that the closing brace is missing. */
static enum step skip_comment(struct pgn_reader *r)
{
    long line = r->line.number;
    size_t column = ++r->at;
    for (;;) {
        const char *close = memchr(here(r), '}', left(r));
        if (close != NULL) {
            r->at = (size_t)(close - r->line.text) + 1;
            return GO_ON;
        }
        if (!next_line(r) || is_tag(r->line.text, r->in_moves ? "Event" : NULL)) {
            if (r->failed)
                return FAILED;
            r->in_moves = true; /* text has passed, for resynchronise() */
            error_set(r->err, "the comment that begins here has no '}'");
            return broken_at(r, line, column);
        }
    }
}

static enum step skip_variation(struct pgn_reader *r)
{
    long line = r->line.number;
    size_t column = r->at + 1;
    for (long depth = 0;;) {
        int c = skip_space(r);
        if (r->failed)
            return FAILED;
        if (c == END_OF_FILE || (r->at == 0 && is_tag(r->line.text, NULL))) {
            error_set(r->err, "the variation that begins here has no ')'");
            return broken_at(r, line, column);
        }
        enum step step = c == '{' ? skip_comment(r) : GO_ON;
        if (c != '{')
            r->at = c == ';' ? r->line.length : r->at + 1;
        depth += (c == '(') - (c == ')');
        if (step != GO_ON || depth == 0)
            return step;
    }
}

/* More plies than any game that stops at the seventy-five-move rule; a bound on memory. */
enum { PLIES_LIMIT = 20000 };

/* True if a word is one of these, which have a blank around each. */
static bool is_among(const char *words, const char *text, size_t n)
{
    char wanted[8];
    if (n > 4)
        return false;
    snprintf(wanted, sizeof wanted, " %.*s ", (int)n, text);
    return strlen(wanted) == n + 2 && strstr(words, wanted) != NULL;
}

/* True for a null move, with signs that judge it. */
static bool is_null_move(const char *text, size_t n)
{
    while (n > 0 && is_one_of(text[n - 1], "!?"))
        n--;
    return is_among(" -- Z0 0000 null ", text, n);
}

static enum step read_move(struct pgn_reader *r, const char *word, size_t n)
{
    Move move = NO_MOVE;
    struct undo undo;
    if (r->plies == PLIES_LIMIT)
        return broken(r, "a game of more than 20000 plies");
    if (is_null_move(word, n)) {
        if (position_in_check(&r->position))
            return broken(r, "a null move in check");
        position_make_null(&r->position, &undo);
    } else {
        if (!move_from_text(&r->position, word, n > 64 ? 64 : (int)n, &move, r->err))
            return broken_at(r, r->line.number, r->at + 1);
        position_make(&r->position, move, &undo);
    }
    if (!array_grow(r->moves, r->plies) || !array_grow(r->scores, r->plies))
        return no_memory(r);
    r->scores[r->plies] = PGN_UNSCORED;
    r->moves[r->plies++] = move;
    r->at += n;
    return GO_ON;
}

/* The length of a move number with its dots ("12.", "12...", "12", "12…"), or 0. */
static size_t number_length(const char *word, size_t n)
{
    size_t digits = 0, i;
    while (digits < n && isdigit((unsigned char)word[digits]))
        digits++;
    for (i = digits; i < n && (word[i] == '.' || (unsigned char)word[i] >= 0x80); i++)
        ;
    return digits > 0 && (i > digits || i == n) ? i : 0;
}

/* True for evaluation signs ("+-", "=", "∞", "!?"), ellipses and "e.p.", which comment on a move. */
static bool is_remark(const char *word, size_t n)
{
    size_t i = 0;
    while (i < n && ((unsigned char)word[i] >= 0x80 || is_one_of(word[i], "+-=/~#!?")))
        i++;
    return i == n || is_among(" e.p. ep ", word, n);
}

/* The length of the word here: up to white space or a character that begins or is an item. A digit of a move may go on
 * with a promotion, "8(Q)"; no variation looks so. */
static size_t word_length(const struct pgn_reader *r)
{
    const char *word = here(r), *at = word + (word[0] == '*');
    while (word[0] != '*' && at < word + left(r) && !is_space(*at) && !is_one_of(*at, "{}()[];$*"))
        at += is_one_of(at[0], "12345678") && at[1] == '(' && is_one_of(at[2], "NBRQnbrq") &&
                      at[3] == ')'
                  ? strlen("8(Q)")
                  : 1;
    return (size_t)(at - word);
}

/* Reads a word of the movetext: move number, move, a sign that comments on a move, or the result, which ends the game,
 * or is ignored outside one. */
static enum step read_word(struct pgn_reader *r)
{
    const char *word = here(r);
    const size_t n = word_length(r);
    r->blank = false;
    if (word[0] == '.') {
        r->at += strspn(word, ".");
        return GO_ON;
    }
    char result[16] = "";
    memcpy(result, word, n < sizeof result ? n : 0);
    if (strcmp(result, "*") == 0 || pgn_result_named(result) != PGN_UNKNOWN) {
        r->at += n;
        if (!r->any_tag && r->plies == 0) {
            r->in_moves = false;
            r->first_line = 0;
            return GO_ON;
        }
        r->movetext_result = pgn_result_named(result);
        r->apart = true;
        return GAME_OVER;
    }
    if (is_null_move(word, n) || n == 0)
        return read_move(r, word, n);
    size_t number = number_length(word, n);
    if (number > 0 || is_remark(word, n)) {
        r->at += number > 0 ? number : n;
        return GO_ON;
    }
    return read_move(r, word, n);
}

/* ---- games ---- */

/* Sets up the start position at the end of the tags. */
static enum step begin_moves(struct pgn_reader *r)
{
    /* Those of standard chess, then those of Chess960, whose game has a FEN. */
    static const char *const chess[] = {
        "",         "Standard",  "Chess",        "Normal",        "From Position",
        "Chess960", "Chess 960", "Fischerandom", "Fischerrandom", "Fischer Random",
    };
    enum { STANDARD = 5, ALL = sizeof chess / sizeof chess[0] };
    const char *set_up = tag_value(r, TAG_SET_UP), *variant = tag_value(r, TAG_VARIANT);
    const bool given = (r->seen >> TAG_FEN & 1) != 0;
    int known = 0;
    while (known < ALL && strcasecmp(variant, chess[known]) != 0)
        known++;
    r->in_moves = true;
    if (r->bad_tag) {
        if (r->err != NULL)
            *r->err = r->tag_error;
        return BROKEN;
    }
    if ((r->orphans & ~r->seen) != 0) {
        r->orphans = 0;
        error_set(r->err, "the FEN or the variant of the tags above may be of this game");
    } else if (known == ALL) {
        error_set(r->err, "the variant '%.40s' is not supported", variant);
    } else if (known >= STANDARD && !given) {
        error_set(r->err, "the variant is '%.40s', and there is no tag FEN", variant);
    } else if (!given && *set_up != '\0' && strcmp(set_up, "0") != 0 && strcmp(set_up, "?") != 0) {
        error_set(r->err, "tag SetUp is '%.40s', and there is no tag FEN", set_up);
    } else if (!position_from_fen(&r->start, given ? tag_value(r, TAG_FEN) : FEN_START, NULL,
                                  r->err)) {
        error_prefix(r->err, "tag FEN: ");
    } else {
        r->position = r->start;
        return GO_ON;
    }
    return broken_at(r, r->first_line, 1);
}

/* Reads one item: a tag, a comment, a variation, a NAG or a word. */
static enum step read_item(struct pgn_reader *r, int c)
{
    if (r->first_line == 0 && c != '{' && c != ';')
        r->first_line = r->line.number;
    if (!r->in_moves && c != '[' && c != '{' && c != ';') { /* end of the tags */
        enum step step = begin_moves(r);
        if (step != GO_ON)
            return step;
    }
    switch (c) {
    case '[':
        return read_tag(r);
    case '{':
        if (r->plies > 0 && r->scores[r->plies - 1] == PGN_UNSCORED)
            r->scores[r->plies - 1] = comment_score(here(r) + 1);
        return skip_comment(r);
    case ';': /* before the moves such a comment holds no tag, which other readers take */
        if (!r->in_moves && is_tag(here(r) + 1 + strspn(here(r) + 1, " \t"), NULL))
            return bad_tag(r, "a tag after ';'; expected it on a line of its own, or none");
        r->at = r->line.length;
        return GO_ON;
    case '(':
        return skip_variation(r);
    case '$':
        r->at += 1 + strspn(here(r) + 1, "0123456789");
        return GO_ON;
    case ')':
        return broken(r, "')' without a variation");
    case '}':
        return broken(r, "'}' without a comment");
    case ']':
        return broken(r, "']' among the moves");
    default:
        return read_word(r);
    }
}

/* Skips to the tags of the next game. Those of a game without moves may go on after what is broken: the
 * next game's stand after other text, and either after a blank line, too, or begin as this game's do. If
 * that text is moves, no start tag above it is the next game's. */
static void resynchronise(struct pgn_reader *r)
{
    const bool any = r->plies > 0 || !r->any_tag;
    bool text = r->in_moves, blank = false, moves = r->plies > 0;
    r->apart = false;
    for (; !r->ended; next_line(r)) {
        const char *c = r->line.text + strspn(r->line.text, " \t");
        if (r->at == 0 && is_tag(r->line.text, NULL)) {
            const enum tag tag = find_tag(r, 0);
            const bool begins =
                blank || tag == TAG_EVENT || (tag < TAGS && (r->seen >> tag & 1) != 0);
            moves = moves && begins;
            if (any || (text && begins))
                break;
            text = blank = moves = false;
        } else if (*c == '\0') {
            blank = text;
        } else {
            text = true;
            blank = false;
            moves = moves || isdigit((unsigned char)*c) || *c == '*';
        }
    }
    if (moves)
        r->orphans = 0;
}

static enum step read_game(struct pgn_reader *r)
{
    r->number++;
    r->first_line = 0;
    r->seen = 0;
    r->any_tag = r->in_moves = r->bad_tag = false;
    r->movetext_result = PGN_UNKNOWN;
    r->plies = 0;
    for (;;) {
        int c = skip_space(r);
        if (r->failed)
            return FAILED;
        enum step step = c == END_OF_FILE ? GAME_OVER : read_item(r, c);
        if (step == GAME_OVER && (r->any_tag || r->bad_tag) && !r->in_moves)
            step = begin_moves(r) == BROKEN ? BROKEN : GAME_OVER;
        if (step != GO_ON)
            return step;
    }
}

enum pgn_status pgn_next(struct pgn_reader *r, struct pgn_game *game, struct error *err)
{
    if (r->ended)
        return PGN_END;
    r->err = err;
    enum step step = read_game(r);
    /* The start tags may be those of the moves below; those of moves up to a result are not. */
    r->orphans = (r->plies > 0 ? 0 : r->orphans) | (r->seen & START_TAGS);
    if (r->plies > 0 && r->apart)
        r->orphans = 0;
    r->apart = r->apart || r->plies > 0;
    if (step == BROKEN)
        resynchronise(r);
    if (step == FAILED || r->failed) {
        r->ended = true;
        return r->damaged && r->keep_damaged ? PGN_BROKEN : PGN_FAILED;
    }
    if (step == BROKEN)
        return PGN_BROKEN;
    if (!r->any_tag && r->plies == 0)
        return PGN_END;
    fill_game(r, game);
    return PGN_GAME;
}

struct pgn_reader *pgn_open_input(struct input *in, const char *path, struct error *err)
{
    struct pgn_reader *r = calloc(1, sizeof *r);
    if (r != NULL)
        r->path = strdup(strcmp(path, "-") == 0 ? "standard input" : path);
    if (r == NULL || r->path == NULL) {
        input_close(in);
        pgn_close(r);
        return error_null(err, "no memory to read %s", path);
    }
    r->err = err;
    r->in = in;
    if (!next_line(r) && r->failed) {
        pgn_close(r);
        return NULL;
    }
    return r;
}

struct pgn_reader *pgn_open(const char *path, struct error *err)
{
    struct input *in = input_open(path, FILE_GAMES, err);
    return in != NULL ? pgn_open_input(in, path, err) : NULL;
}

void pgn_keep_damaged(struct pgn_reader *r)
{
    r->keep_damaged = true;
}

void pgn_close(struct pgn_reader *r)
{
    if (r == NULL)
        return;
    input_close(r->in);
    free(r->moves);
    free(r->scores);
    for (int i = 0; i < TAGS; i++)
        free(r->values[i]);
    free(r->path);
    free(r);
}
