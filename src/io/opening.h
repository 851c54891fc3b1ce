/* Openings: what games begin with, so that two engines that repeat themselves play different games.
 *
 * A book is a file of games (PGN, of which the first plies count), of EPD or of plain FEN
 * positions, told by its content. Games come in pairs that share an opening with colours
 * reversed. */
#ifndef GRAYLING_OPENING_H
#define GRAYLING_OPENING_H

#include "error.h"
#include "movegen.h"

#include <stddef.h>

enum { OPENING_PLIES = 64 };

/* A position and the moves from it that are played without thinking. */
struct opening {
    struct position start;
    Move moves[OPENING_PLIES];
    int plies;
};

/* Owned by the caller between read and free; a zeroed one is empty. */
struct book {
    struct opening *items; /* owned; no two end in the same position */
    size_t count;
    size_t twice; /* openings left out because an earlier one ends in the same position */
};

/* Reads a book ("-": standard input; games and positions may be compressed). Of games at most
 * `plies` plies are taken (1 to OPENING_PLIES). False, the book then being empty, for a line or
 * game that cannot be read or is illegal, an opening after which the game is over, and an empty
 * book; the reason names file and line. */
bool book_read(struct book *b, const char *path, int plies, struct error *err);
void book_free(struct book *b);

/* The order in which openings are used: a permutation for each time through the book, which depends
 * on the seed and the book's size alone. Writes that of the `pass`-th time (from 0) to
 * order[count]. */
void book_shuffle(uint64_t seed, uint64_t pass, size_t count, uint32_t *order);

#endif
