/* Extended Position Description: a position and its operations (Edwards 1994). */
#ifndef GRAYLING_EPD_H
#define GRAYLING_EPD_H

#include "pgn.h"

#include <stddef.h>

struct input; /* input.h */

enum { EPD_MOVES = 16, EPD_ID = 128 };

/* One line. `best` and `avoid` are the bm and am moves, all legal. The position's halfmove clock
 * comes from hmvc, or from a full FEN's counters, else 0. */
struct epd {
    struct position position;
    Move best[EPD_MOVES], avoid[EPD_MOVES];
    int best_count, avoid_count;
    char id[EPD_ID];        /* empty when there is none; longer ones are cut */
    uint64_t game;          /* the hash of the game it was drawn from (sample.h), 0 when unknown */
    enum pgn_result result; /* of that game, from c9; a c9 that is no result is a comment */
};

/* Reads a line as found in the wild: four or six FEN fields, operations ended by `;` (one inside
 * quotes does not end them), SAN or UCI moves, trailing text without an opcode's form ignored. The
 * reason of a failure names the column and the move. */
bool epd_parse(const char *line, struct epd *epd, struct error *err);

/* Writes one line without newline: four fields, then bm, am, id, the game (as the comment
 * `c0 "game 0123456789abcdef"`), its result (`c9 "1-0"`, `"0-1"` or `"1/2-1/2"`) and hmvc where
 * there are any.
 * Returns its length, or -1 when `size` is too small. */
int epd_format(const struct epd *epd, char *text, size_t size);

/* What each position of a file must have: a bm, or a result as c9. */
enum epd_need { EPD_ANY, EPD_NEED_BEST, EPD_NEED_RESULT };

/* Who is told what a file holds. Either function returns false, with the reason in `err`, to end
 * the reading. */
struct epd_reader {
    void *context;
    bool (*take)(void *context, const struct epd *epd, long line, struct error *err);
    /* A line that does not parse; the reason begins with file:line. */
    bool (*refuse)(void *context, const struct error *reason, struct error *err);
    enum epd_need need; /* a line that lacks it is refused too */
};

/* Reads an EPD file ("-": standard input) from its beginning to its end. Blank lines and lines that
 * begin with # are skipped without a word. */
bool epd_read(const char *path, const struct epd_reader *reader, struct error *err);
/* The same from where `in`, which is left open, stands; `path` is for messages. */
bool epd_read_input(struct input *in, const char *path, const struct epd_reader *reader,
                    struct error *err);

/* A list of positions from a file, as training or test data. */
struct dataset {
    struct epd *items; /* owned */
    size_t count;
    size_t skipped;             /* lines left out */
    struct error first_skipped; /* the reason of the first, with file:line */
};

/* Appends the positions of an EPD file. With `strict` a line that does not parse fails the whole,
 * else it is counted. */
bool dataset_load(struct dataset *d, const char *path, bool strict, struct error *err);
/* The same, strict, of positions that each have what is needed; the reason names file, line, and
 * the column of a c9 that is no result. */
bool dataset_load_needed(struct dataset *d, const char *path, enum epd_need need,
                         struct error *err);
/* Appends one position. */
bool dataset_append(struct dataset *d, const struct epd *epd, struct error *err);
void dataset_free(struct dataset *d);

#endif
