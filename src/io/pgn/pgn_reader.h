/* What the two files of the PGN reader share: its state, and the steps that read a game.
 *
 *   pgn.c         lines, tags, texts, and games: which item comes next, where a game ends, what the caller gets
 *   pgn_moves.c   the movetext: moves, numbers, NAGs, results, comments and variations */
#ifndef GRAYLING_PGN_READER_H
#define GRAYLING_PGN_READER_H

#include "input.h"
#include "pgn.h"

#include <stdbool.h>
#include <stddef.h>

/* The texts of one game, string after string, as UTF-8. Whoever holds it frees `bytes`. Offset 0 is the empty
 * string. A zeroed one has no bytes yet. */
struct pgn_text {
    char *bytes;
    size_t length, capacity;
};

/* The tags that are read. */
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
    TAG_SET_UP,
    TAG_VARIANT,
    TAG_WHITE_EVALUATION,
    TAG_WHITE_SEARCH,
    TAG_BLACK_EVALUATION,
    TAG_BLACK_SEARCH,
    TAG_WHITE_COMMAND,
    TAG_WHITE_ENGINE,
    TAG_WHITE_OPTIONS,
    TAG_BLACK_COMMAND,
    TAG_BLACK_ENGINE,
    TAG_BLACK_OPTIONS,
    TAGS,
};

/* What the moves of a game mean depends on these, so none may be lost from above them. */
enum { PGN_START_TAGS = 1 << TAG_FEN | 1 << TAG_SET_UP | 1 << TAG_VARIANT };

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
    struct pgn_text text;
    size_t tags[TAGS];
    struct position start, position;
    struct pgn_move *moves;
    size_t *comments; /* offset of each move's comment in text, 0 for none */
    size_t plies, capacity;
};

/* The result of a step of reading. GAME_OVER consumes nothing of the next game; BROKEN and FAILED have set
 * the reader's error. */
enum step { GO_ON, GAME_OVER, BROKEN, FAILED };

/* ---- pgn.c ---- */

enum { END_OF_FILE = -1 };

/* Prefixes the reason with file, line, column and game. */
enum step pgn_broken_at(struct pgn_reader *r, long line, size_t column);
/* Marks the game as broken at the current byte. */
enum step pgn_broken(struct pgn_reader *r, const char *reason);
enum step pgn_no_memory(struct pgn_reader *r);
/* Records the first unreadable tag, and passes over the line. The other tags are still read, to find the end
 * of the game, which is broken. */
enum step pgn_bad_tag(struct pgn_reader *r, const char *reason);

/* False at the end, or if the file cannot be read (`failed`). */
bool pgn_next_line(struct pgn_reader *r);
/* Skips white space and escaped lines; returns the next character, END_OF_FILE if there is none. */
int pgn_skip_space(struct pgn_reader *r);
/* True if a line begins like a tag, `[Name "`. With `name`, only that tag. */
bool pgn_is_tag_line(const struct input_line *line, const char *name);

/* Appends bytes to the current string. Invalid UTF-8 is read as Latin-1. A character that is not clean (foreign_text.h) becomes a `?`,
 * white space or NUL a blank. What would exceed 16 MiB is dropped. False without memory. */
bool pgn_text_add(struct pgn_text *t, const char *bytes, size_t n);
/* Ends the current string; pgn_text_add has made room for its NUL. */
void pgn_text_end(struct pgn_text *t);

/* The rest of the line, which a NUL ends. */
static inline const char *here(const struct pgn_reader *r)
{
    return r->line.text + r->at;
}

/* The number of bytes in the rest of the line. */
static inline size_t left(const struct pgn_reader *r)
{
    return r->line.length - r->at;
}

static inline bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ---- pgn_moves.c ---- */

/* Reads a comment in braces, over several lines; stores it if `keep`. A line that begins the tags of the next
 * game, or before the moves any tag, means that the closing brace is missing. */
enum step pgn_read_comment(struct pgn_reader *r, bool keep);
/* Reads a comment that ends with the line. Before the moves it holds no tag, which other readers take. */
enum step pgn_read_line_comment(struct pgn_reader *r, bool keep);
/* Skips a variation with nested ones. */
enum step pgn_skip_variation(struct pgn_reader *r);

/* Reads `$n`. */
enum step pgn_read_nag(struct pgn_reader *r);
/* Reads a word of the movetext: move number, move, result, or a sign that comments on a move. */
enum step pgn_read_word(struct pgn_reader *r);

#endif
