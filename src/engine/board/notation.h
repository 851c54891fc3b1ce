/* Moves in text: SAN ("Nbxd7+") and UCI ("b6d7", "e7e8q"). */
#ifndef GRAYLING_NOTATION_H
#define GRAYLING_NOTATION_H

#include "movegen.h"

enum { SAN_MAX = 12, UCI_MAX = 6 }; /* bytes, including the final NUL */

/* Writes a legal move in SAN, with + or #, and returns its length. */
int move_to_san(const struct position *p, Move m, char san[SAN_MAX]);

/* Writes a move in UCI ("0000" for NO_MOVE) and returns its length. */
int move_to_uci(Move m, char uci[UCI_MAX]);

/* Parses one move of `length` bytes: UCI, or SAN as found in practice (castling with O or 0,
 * "e.p.", missing or superfluous x, +, #, !, ?, =, over-qualified moves such as "Ng1f3" or
 * "e2-e4"). The move must be legal and unambiguous; on failure `err` says which it is not. The null
 * move ("--", "Z0", "0000") is not legal, and is refused here. */
bool move_from_text(const struct position *p, const char *text, int length, Move *m,
                    struct error *err);

#endif
