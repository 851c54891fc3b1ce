#include "pgn_reader.h"

#include <ctype.h>
#include <stdlib.h>
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

/* More plies than any game that stops at the seventy-five-move rule; a bound on memory. */
enum { PLIES_LIMIT = 20000 };

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
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

enum step pgn_read_nag(struct pgn_reader *r)
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
        return pgn_broken(r, "a game of more than 20000 plies");
    if (is_null_move(word, bare)) {
        if (position_in_check(&r->position))
            return pgn_broken(r, "a null move in check");
        position_make_null(&r->position, &undo);
    } else {
        if (!move_from_text(&r->position, word, n > 64 ? 64 : (int)n, &move, r->err))
            return pgn_broken_at(r, r->line.number, r->at + 1);
        position_make(&r->position, move, &undo);
    }
    if (!reserve_move(r))
        return pgn_no_memory(r);
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
    r->apart = true;
    return GAME_OVER;
}

/* True if this digit of a move goes on with a promotion in parentheses: "8(Q)". A variation has none of
 * this form. */
static bool is_promotion(const char *digit)
{
    return is_one_of(digit[0], "12345678") && digit[1] == '(' && is_one_of(digit[2], "NBRQnbrq") &&
           digit[3] == ')';
}

/* The length of the word here: up to white space, or a character that begins another item or is one, as
 * an asterisk is. */
static size_t word_length(const struct pgn_reader *r)
{
    const char *word = here(r);
    size_t n = word[0] == '*';
    while (word[0] != '*' && n < left(r) && !is_space(word[n]) && !is_one_of(word[n], "{}()[];$*"))
        n += is_promotion(word + n) ? strlen("8(Q)") : 1;
    return n;
}

enum step pgn_read_word(struct pgn_reader *r)
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
