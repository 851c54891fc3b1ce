/* Moves in text: SAN ("Nbxd7+") and UCI ("b6d7", "e7e8q"). Castling in UCI is the king's move ("e1g1"), or
 * that of a king who takes his rook ("e1h1"), which can name each castling of Chess960. */
#ifndef GRAYLING_NOTATION_H
#define GRAYLING_NOTATION_H

#include "movegen.h"

enum { SAN_MAX = 12, UCI_MAX = 6 }; /* bytes, including the final NUL */

/* Writes a legal move in SAN, with + or #, and returns its length. */
int move_to_san(const struct position *p, Move m, char san[SAN_MAX]);

/* Writes a legal move ("0000" for NO_MOVE); returns its length. In Chess960 king takes rook. */
int move_to_uci(const struct position *p, Move m, char uci[UCI_MAX]);

/* The same as an engine with UCI_Chess960 speaks: the king always takes his rook. */
int move_to_uci960(const struct position *p, Move m, char uci[UCI_MAX]);

/* Parses one move of `length` bytes: UCI with both forms of castling, or SAN as found in practice (castling with O or 0,
 * "e.p.", missing or superfluous x, +, #, !, ?, =, over-qualified moves such as "Ng1f3" or
 * "e2-e4"). The move must be legal and unambiguous; on failure `err` says which it is not. The null
 * move ("--", "Z0", "0000") is not legal, and is refused here. */
bool move_from_text(const struct position *p, const char *text, int length, Move *m,
                    struct error *err);

#endif
