/* Openings, so that deterministic engines play different games.
 *
 * An opening book is a file of PGN games (their first plies count), EPD positions or plain FEN positions; the format
 * is detected from the content. Games are played in pairs that share an opening with colours reversed. */
#ifndef GRAYLING_OPENING_H
#define GRAYLING_OPENING_H

#include "error.h"
#include "movegen.h"
#include "uci_client.h"

#include <stddef.h>

enum { OPENING_PLIES = 64 };

/* A position and the moves that are played from it without searching. */
struct opening {
    struct position start;
    Move moves[OPENING_PLIES];
    int plies;
};

struct position opening_end(const struct opening *o);

/* Owned by the caller between book_read and book_free. A zeroed book is empty. */
struct book {
    struct opening *items; /* owned; the first of those that end in the same position */
    size_t count;
};

/* Reads a book ("-": standard input; the file may be compressed). Takes at most `plies` plies of each game (1 to
 * OPENING_PLIES). Fails, leaving the book empty, on a line or game that cannot be read or is illegal, an opening
 * after which the game is over, and an empty book. The reason names file and line. */
bool book_read(struct book *b, const char *path, int plies, struct error *err);
/* The first opening of Chess960; NULL if there is none. */
const struct opening *book_chess960(const struct book *b);

/* Fails, with the reason, if an opening is of Chess960 and the engine has no option for it. Ours is
 * NULL, or has no command. */
bool book_suits(const struct book *b, const struct uci_settings *engine, struct error *err);
void book_free(struct book *b);

/* Writes the order in which pass number `pass` (from 0) through the book uses its openings to order[count]. The order
 * is a permutation that depends only on the seed, the pass and the book's size. */
void book_shuffle(uint64_t seed, uint64_t pass, size_t count, uint32_t *order);

#endif
