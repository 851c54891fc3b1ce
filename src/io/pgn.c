#include "pgn.h"

#include "input.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* More plies than any game that stops at the seventy-five-move rule; a bound on memory. */
enum { PLIES_LIMIT = 20000, TEXT_LIMIT = 16 << 20 };

enum { END_OF_FILE = -1 };

enum tag {
    TAG_EVENT,
    TAG_SITE,
    TAG_DATE,
    TAG_ROUND,
    TAG_WHITE,
    TAG_BLACK,
    TAG_RESULT,
    TAG_WHITE_ELO,
    TAG_BLACK_ELO,
    TAG_TIME_CONTROL,
    TAG_FEN,
    TAG_VARIANT,
    TAGS,
};

static const char *const tag_names[TAGS] = {
    "Event",  "Site",     "Date",     "Round",       "White", "Black",
    "Result", "WhiteElo", "BlackElo", "TimeControl", "FEN",   "Variant",
};

/* The text of one game, string after string; offset 0 is the empty string. */
struct text {
    char *bytes;
    size_t length, capacity;
};

struct pgn_reader {
    char *path; /* for messages */
    struct input *in;
    struct input_line line;
    size_t at;                  /* the next byte of the line */
    bool ended;                 /* no line is left */
    bool damaged, keep_damaged; /* the file cannot be read on; that is the end of it */
    bool failed;                /* the file is unreadable or memory is short; err has the reason */
    bool blank;                 /* a blank line has passed since the last tag */
    struct error *err;          /* of the current call */
    struct error tag_error;

    /* the current game */
    long number, first_line;
    unsigned seen; /* set of tags seen, as bits */
    bool any_tag, in_moves, bad_tag;
    enum pgn_result movetext_result;
    struct text text;
    size_t tags[TAGS];
    struct position start, position;
    struct pgn_move *moves;
    size_t *comments; /* offset of each move's comment in text, 0 for none */
    size_t plies, capacity;
};

/* ---- failures ---- */

/* The result of a step of reading. */
enum step { GO_ON, GAME_OVER, BROKEN, FAILED };

/* Prefixes the reason with file, line, column and game. */
static enum step broken_at(struct pgn_reader *r, long line, size_t column)
{
    error_prefix(r->err, "%s:%ld:%zu: game %ld: ", r->path, line, column, r->number);
    return BROKEN;
}

/* Marks the game as broken at the current byte. */
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

/* ---- the text of a game ---- */

/* Makes room for `n` more bytes and a NUL. */
static bool text_reserve(struct text *t, size_t n)
{
    if (t->length + n + 1 <= t->capacity)
        return true;
    size_t capacity = 2 * (t->length + n) + 256;
    char *bytes = realloc(t->bytes, capacity);
    if (bytes == NULL)
        return false;
    t->bytes = bytes;
    t->capacity = capacity;
    return true;
}

/* The length of the valid UTF-8 sequence of two to four bytes at `s`, or 0. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool no_character = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || no_character ? 0 : length;
}

/* Appends bytes as UTF-8. Invalid UTF-8 is read as Latin-1; NUL becomes a space. */
static bool text_add(struct text *t, const char *bytes, size_t n)
{
    if (t->length + 2 * n > TEXT_LIMIT)
        n = 0;
    if (!text_reserve(t, 2 * n))
        return false;
    const unsigned char *s = (const unsigned char *)bytes;
    char *out = t->bytes + t->length;
    for (size_t i = 0; i < n;) {
        size_t length = s[i] < 0x80 ? 1 : utf8_length(s + i, n - i);
        if (length == 0) {
            *out++ = (char)(0xc0 | s[i] >> 6);
            *out++ = (char)(0x80 | (s[i] & 0x3f));
            length = 1;
        } else if (s[i] == '\0') {
            *out++ = ' ';
        } else {
            memcpy(out, s + i, length);
            out += length;
        }
        i += length;
    }
    t->length = (size_t)(out - t->bytes);
    return true;
}

/* Ends the current string. */
static void text_end(struct text *t)
{
    t->bytes[t->length++] = '\0';
}

/* ---- lines and characters ---- */

static bool next_line(struct pgn_reader *r)
{
    r->at = 0;
    switch (input_next(r->in, &r->line, r->err)) {
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

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* True if a line begins like a tag, `[Name "`. With `name`, only that tag. */
static bool is_tag_line(const struct input_line *line, const char *name)
{
    size_t i = 1;
    if (line->length == 0 || line->text[0] != '[')
        return false;
    while (i < line->length && is_space(line->text[i]))
        i++;
    size_t start = i;
    while (isalnum((unsigned char)line->text[i]) || line->text[i] == '_')
        i++;
    size_t length = i - start;
    if (length == 0 ||
        (name != NULL && (strlen(name) != length || memcmp(line->text + start, name, length) != 0)))
        return false;
    while (i < line->length && is_space(line->text[i]))
        i++;
    return line->text[i] == '"';
}

/* Skips white space and escaped lines; returns the next character. */
static int skip_space(struct pgn_reader *r)
{
    while (!r->ended) {
        if (r->at == 0 && left(r) >= 3 && memcmp(here(r), "\xef\xbb\xbf", 3) == 0)
            r->at = 3; /* files with byte order marks were concatenated */
        bool escaped = r->at == 0 && left(r) > 0 && *here(r) == '%';
        while (!escaped && left(r) > 0) {
            if (!is_space(*here(r)))
                return (unsigned char)*here(r);
            r->at++;
        }
        r->blank = r->blank || !escaped;
        if (!next_line(r))
            break;
    }
    return END_OF_FILE;
}

/* ---- comments and variations ---- */

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
    if (!text_add(&r->text, bytes, n))
        return false;
    text_end(&r->text);
    return true;
}

/* Reads a comment in braces, over several lines; stores it if `keep`. A line that begins the tags
 * of the next game means that the closing brace is missing. */
static enum step read_comment(struct pgn_reader *r, bool keep)
{
    long line = r->line.number;
    size_t column = ++r->at;
    for (;;) {
        const char *close = memchr(here(r), '}', left(r));
        size_t n = close != NULL ? (size_t)(close - here(r)) : left(r);
        if (keep && !keep_comment(r, here(r), n))
            return no_memory(r);
        r->at += n;
        if (close != NULL) {
            r->at++;
            return GO_ON;
        }
        if (!next_line(r) || is_tag_line(&r->line, "Event")) {
            if (r->failed)
                return FAILED;
            error_set(r->err, "the comment that begins here has no '}'");
            return broken_at(r, line, column);
        }
    }
}

/* Reads a comment that ends with the line. */
static enum step read_line_comment(struct pgn_reader *r, bool keep)
{
    if (keep && !keep_comment(r, here(r) + 1, left(r) - 1))
        return no_memory(r);
    r->at = r->line.length;
    return GO_ON;
}

/* Skips a variation with nested ones. */
static enum step skip_variation(struct pgn_reader *r)
{
    long line = r->line.number;
    size_t column = r->at + 1;
    for (long depth = 0;;) {
        int c = skip_space(r);
        if (r->failed)
            return FAILED;
        if (c == END_OF_FILE || (r->at == 0 && is_tag_line(&r->line, NULL))) {
            error_set(r->err, "the variation that begins here has no ')'");
            return broken_at(r, line, column);
        }
        enum step step = c == '{' ? read_comment(r, false) : GO_ON;
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

/* ---- tags ---- */

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
            if (!text_add(&r->text, bytes + from, i - from))
                return false;
            from = ++i;
        }
    if (!text_add(&r->text, bytes + from, n - from))
        return false;
    text_end(&r->text);
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
        broken(r, "a tag looks like [Name \"value\"]");
        r->err = err;
    }
    r->bad_tag = true;
    r->at = r->line.length;
    return GO_ON;
}

/* Reads `[Name "value"]`; does not consume a tag that begins the next game. */
static enum step read_tag(struct pgn_reader *r)
{
    const struct input_line rest = {.text = here(r), .length = left(r)};
    if (!is_tag_line(&rest, NULL))
        return r->in_moves ? broken(r, "'[' among the moves") : bad_tag(r);
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
            return no_memory(r);
    }
    r->any_tag = true;
    r->blank = false;
    const char *close = memchr(r->line.text + end, ']', r->line.length - end);
    r->at = close != NULL ? (size_t)(close - r->line.text) + 1 : r->line.length;
    return GO_ON;
}

static const char *tag_value(const struct pgn_reader *r, enum tag tag)
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

const char *pgn_result_text(enum pgn_result result)
{
    static const char *const texts[] = {
        [PGN_UNKNOWN] = "*",
        [PGN_WHITE_WINS] = "1-0",
        [PGN_BLACK_WINS] = "0-1",
        [PGN_DRAW] = "1/2-1/2",
    };
    return texts[result];
}

/* The tag's result, or the movetext's if the tag has none; unknown if they disagree. */
static enum pgn_result game_result(const struct pgn_reader *r)
{
    enum pgn_result tag = pgn_result_named(tag_value(r, TAG_RESULT)), moves = r->movetext_result;
    if (tag == PGN_UNKNOWN || moves == PGN_UNKNOWN)
        return tag == PGN_UNKNOWN ? moves : tag;
    return tag == moves ? tag : PGN_UNKNOWN;
}

/* ---- moves ---- */

/* Sets up the start position at the end of the tags. */
static enum step begin_moves(struct pgn_reader *r)
{
    static const char *const chess[] = {"", "Standard", "Chess", "Normal", "From Position"};
    r->in_moves = true;
    if (r->bad_tag) {
        if (r->err != NULL)
            *r->err = r->tag_error;
        return BROKEN;
    }
    size_t known = 0;
    while (known < sizeof chess / sizeof chess[0] &&
           strcasecmp(tag_value(r, TAG_VARIANT), chess[known]) != 0)
        known++;
    if (known == sizeof chess / sizeof chess[0]) {
        error_set(r->err, "the variant '%.40s' is not supported", tag_value(r, TAG_VARIANT));
        return broken_at(r, r->first_line, 1);
    }
    const char *fen = tag_value(r, TAG_FEN);
    if (!position_from_fen(&r->start, *fen != '\0' ? fen : FEN_START, NULL, r->err)) {
        error_prefix(r->err, "tag FEN: ");
        return broken_at(r, r->first_line, 1);
    }
    r->position = r->start;
    return GO_ON;
}

/* Makes room for one more move. */
static bool reserve_move(struct pgn_reader *r)
{
    if (r->plies < r->capacity)
        return true;
    size_t capacity = 2 * r->capacity + 128;
    struct pgn_move *moves = realloc(r->moves, capacity * sizeof *moves);
    if (moves != NULL)
        r->moves = moves;
    size_t *comments = realloc(r->comments, capacity * sizeof *comments);
    if (comments != NULL)
        r->comments = comments;
    if (moves == NULL || comments == NULL)
        return false;
    r->capacity = capacity;
    return true;
}

/* The suffixes !, ?, !!, ??, !? and ?! as NAGs (1 to 6); 0 for anything else. */
static uint8_t suffix_nag(const char *text, size_t n)
{
    static const char suffixes[6][3] = {"!", "?", "!!", "??", "!?", "?!"};
    for (uint8_t i = 0; i < 6; i++)
        if (strlen(suffixes[i]) == n && memcmp(suffixes[i], text, n) == 0)
            return i + 1;
    return 0;
}

/* Sets the last move's NAG, unless it has one. */
static void keep_nag(struct pgn_reader *r, uint8_t nag)
{
    if (r->plies > 0 && r->moves[r->plies - 1].nag == 0)
        r->moves[r->plies - 1].nag = nag;
}

/* Reads `$n`. */
static enum step read_nag(struct pgn_reader *r)
{
    unsigned nag = 0;
    for (r->at++; left(r) > 0 && isdigit((unsigned char)*here(r)); r->at++)
        nag =
            10 * nag + (unsigned)(*here(r) - '0') < 256 ? 10 * nag + (unsigned)(*here(r) - '0') : 0;
    keep_nag(r, (uint8_t)nag);
    return GO_ON;
}

static bool is_word(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

static bool is_null_move(const char *text, size_t n)
{
    return is_word(text, n, "--") || is_word(text, n, "Z0") || is_word(text, n, "0000") ||
           is_word(text, n, "null");
}

/* Plays the move of this word. */
static enum step read_move(struct pgn_reader *r, const char *word, size_t n)
{
    size_t bare = n;
    while (bare > 0 && (word[bare - 1] == '!' || word[bare - 1] == '?'))
        bare--;
    Move move = NO_MOVE;
    struct undo undo;
    if (r->plies == PLIES_LIMIT)
        return broken(r, "a game of more than 20000 plies");
    if (is_null_move(word, bare)) {
        if (position_in_check(&r->position))
            return broken(r, "a null move in check");
        position_make_null(&r->position, &undo);
    } else {
        if (!move_from_text(&r->position, word, n > 64 ? 64 : (int)n, &move, r->err))
            return broken_at(r, r->line.number, r->at + 1);
        position_make(&r->position, move, &undo);
    }
    if (!reserve_move(r))
        return no_memory(r);
    r->moves[r->plies] = (struct pgn_move){.move = move, .nag = suffix_nag(word + bare, n - bare)};
    r->comments[r->plies++] = 0;
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

/* True for evaluation signs ("+-", "=", "∞"), ellipses and "e.p.", which comment on a move. */
static bool is_remark(const char *word, size_t n)
{
    size_t i = 0;
    while (i < n && ((unsigned char)word[i] >= 0x80 || is_one_of(word[i], "+-=/~#")))
        i++;
    return i == n || is_word(word, n, "e.p.") || is_word(word, n, "ep");
}

/* Ends the game at a result; ignores a result outside a game. */
static enum step read_result(struct pgn_reader *r, enum pgn_result result, size_t n)
{
    r->at += n;
    if (!r->any_tag && r->plies == 0) {
        r->in_moves = false;
        r->first_line = 0;
        return GO_ON;
    }
    r->movetext_result = result;
    return GAME_OVER;
}

/* Reads a word of the movetext: move number, move, result, or a sign that comments on a move. */
static enum step read_word(struct pgn_reader *r)
{
    const char *word = here(r);
    size_t n = 0;
    while (n < left(r) && !is_space(word[n]) && !is_one_of(word[n], "{}()[];$"))
        n++;
    if (word[0] == '.') {
        r->at += strspn(word, ".");
        return GO_ON;
    }
    char result[16] = "";
    memcpy(result, word, n < sizeof result ? n : 0);
    if (strcmp(result, "*") == 0 || pgn_result_named(result) != PGN_UNKNOWN)
        return read_result(r, pgn_result_named(result), n);
    if (is_null_move(word, n) || n == 0)
        return read_move(r, word, n);
    size_t number = number_length(word, n);
    if (number > 0 || is_remark(word, n) || suffix_nag(word, n) > 0) {
        keep_nag(r, suffix_nag(word, n));
        r->at += number > 0 ? number : n;
        return GO_ON;
    }
    return read_move(r, word, n);
}

/* ---- games ---- */

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
        return read_comment(r, r->in_moves);
    case ';':
        return read_line_comment(r, r->in_moves);
    case '(':
        return skip_variation(r);
    case '$':
        return read_nag(r);
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

/* Clears the last game. */
static void clear_game(struct pgn_reader *r)
{
    r->number++;
    r->first_line = 0;
    r->seen = 0;
    r->any_tag = r->in_moves = r->bad_tag = r->blank = false;
    r->movetext_result = PGN_UNKNOWN;
    r->plies = 0;
    r->text.length = 1;
    memset(r->tags, 0, sizeof r->tags);
}

/* Skips to the next line that begins a tag section. */
static void resynchronise(struct pgn_reader *r)
{
    while (!r->ended && !(r->at == 0 && is_tag_line(&r->line, NULL)))
        next_line(r);
}

/* Reads up to the end of a game. */
static enum step read_game(struct pgn_reader *r)
{
    clear_game(r);
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

/* Fills in the game for the caller. */
static void fill_game(struct pgn_reader *r, struct pgn_game *game)
{
    for (size_t i = 0; i < r->plies; i++)
        r->moves[i].comment = r->comments[i] != 0 ? r->text.bytes + r->comments[i] : NULL;
    const char *date = tag_value(r, TAG_DATE);
    *game = (struct pgn_game){
        .number = r->number,
        .line = r->first_line,
        .event = tag_value(r, TAG_EVENT),
        .site = tag_value(r, TAG_SITE),
        .date = tag_value(r, TAG_DATE),
        .round = tag_value(r, TAG_ROUND),
        .white = tag_value(r, TAG_WHITE),
        .black = tag_value(r, TAG_BLACK),
        .time_control = tag_value(r, TAG_TIME_CONTROL),
        .white_elo = rating(tag_value(r, TAG_WHITE_ELO)),
        .black_elo = rating(tag_value(r, TAG_BLACK_ELO)),
        .result = game_result(r),
        .start = r->start,
        .moves = r->moves,
        .plies = r->plies,
    };
    game->year = date_part(&date, 4);
    game->month = date_part(&date, 2);
    game->day = date_part(&date, 2);
}

enum pgn_status pgn_next(struct pgn_reader *r, struct pgn_game *game, struct error *err)
{
    if (r->ended)
        return PGN_END;
    r->err = err;
    enum step step = read_game(r);
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
    if (r == NULL || r->path == NULL || !text_reserve(&r->text, 1)) {
        error_set(err, "no memory to read %s", path);
        input_close(in);
        pgn_close(r);
        return NULL;
    }
    r->text.bytes[0] = '\0';
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
    struct input *in = input_open(path, err);
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
    free(r->comments);
    free(r->text.bytes);
    free(r->path);
    free(r);
}

bool pgn_wanted(const struct pgn_filter *f, const struct pgn_game *game)
{
    int date = game->year * 10000 + game->month * 100 + game->day;
    bool bounded = f->from_date != 0 || f->to_date != 0;
    return game->white_elo >= f->min_elo && game->black_elo >= f->min_elo &&
           game->plies >= (size_t)(f->min_plies > 0 ? f->min_plies : 0) &&
           !(bounded && game->year == 0) && date >= f->from_date &&
           (f->to_date == 0 || date <= f->to_date) &&
           (!f->decisive || game->result == PGN_WHITE_WINS || game->result == PGN_BLACK_WINS);
}
