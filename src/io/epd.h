/* Extended Position Description: a position and its operations (Edwards 1994). A position may also have a label:
 * the result of its game, from White's side, after a FEN or EPD's fields.
 *
 *     FEN [1.0]            also [0.5], [0.0], [1-0], [1/2-1/2], [0-1]; a score may follow: [1.0] 35
 *     FEN; [1-0]
 *     FEN | 35 | 1.0       a score in between, which is not read
 *
 * The place in the line makes it a label; the same text elsewhere in the line does not. */
#ifndef GRAYLING_EPD_H
#define GRAYLING_EPD_H

#include "error.h"
#include "pgn.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct input; /* input.h */

enum { EPD_MOVES = 16, EPD_ID = 128, EPD_SCORE_MAX = 100000 };

/* The unit of scores from games (sample.h): 1 / (1 + exp(-score / EPD_SCORE_K)) predicts the result. */
enum { EPD_SCORE_K = 200 };

/* One EPD line. `best` and `avoid` are the bm and am moves, all legal. The position's halfmove
 * clock comes from hmvc or from the counters of a full FEN; otherwise it is 0. */
struct epd {
    struct position position;
    Move best[EPD_MOVES], avoid[EPD_MOVES];
    int best_count, avoid_count;
    char id[EPD_ID];        /* clean (foreign_text.h); empty if absent; cut if longer */
    uint64_t game;          /* hash of the source game (game_list.c); 0 if unknown */
    enum pgn_result result; /* of that game, from c9 or a label (above) */
    bool has_score;
    int32_t score; /* ce: centipawns for the side to move; other text in ce is ignored */
};

/* Parses a line. Accepts four or six FEN fields, operations ended by `;` (a `;` inside quotes does
 * not end one), and moves in SAN or UCI. Ignores trailing text that does not look like an opcode.
 * On failure the reason names the column and the move. */
bool epd_parse(const char *line, struct epd *epd, struct error *err);

/* Writes one line without a newline: four fields, then bm, am, ce, id, the game (as the comment `c0
 * "game 0123456789abcdef"`), its result (`c9 "1-0"`, `"0-1"` or `"1/2-1/2"`) and hmvc. Absent
 * operations are left out. Returns the length, or -1 if `size` is too small. */
int epd_format(const struct epd *epd, char *text, size_t size);

bool epd_has_best(const struct epd *epd, Move m);

/* The points of the side to move in the position's game: 1, 1/2 or 0. The position has a result. */
double epd_points(const struct epd *epd);

/* Writes every `step`th of `count` positions, from the first on, a line each. */
void epd_print(FILE *out, const struct epd *items, size_t count, size_t step);

/* What each position must have: anything, a bm, a result (c9 or a label), a score in ce. */
enum epd_need { EPD_ANY, EPD_NEED_BEST, EPD_NEED_RESULT, EPD_NEED_SCORE };

/* Reads the next position of a file, and its line. Skips blank lines and lines that begin with #. Of a line that does
 * not parse, or lacks what is needed, the reason names `path` and the line, and reading can go on; after a failure it
 * cannot. */
enum epd_status { EPD_POSITION, EPD_REFUSED, EPD_END, EPD_FAILED };
enum epd_status epd_next(struct input *in, const char *path, enum epd_need need, struct epd *epd,
                         long *line, struct error *err);

/* Positions from files, as training or test data. */
struct dataset {
    struct epd *items; /* owned */
    size_t count;
};

/* Appends the positions of an EPD file ("-": standard input), each of which must have what is needed. The reason names
 * file, line, and the column of what is wrong. */
bool dataset_load(struct dataset *d, const char *path, enum epd_need need, struct error *err);
bool dataset_append(struct dataset *d, const struct epd *epd, struct error *err);
void dataset_free(struct dataset *d);

#endif
