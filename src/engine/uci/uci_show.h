/* What `d` and `eval` show of the current position. */
#ifndef GRAYLING_UCI_SHOW_H
#define GRAYLING_UCI_SHOW_H

#include "position.h"
#include "uci_words.h"

/* Adds the board, White at the bottom, then the lines "Fen: ", "Key: " and "Checkers: " (the squares
 * of the pieces that give check). */
void uci_show_board(const struct position *p, struct uci_text *text);

/* Adds the first line of the table of terms. */
void uci_show_terms_head(struct uci_text *text);

/* Adds a term's line: count, weight and contribution, from White's side. The contribution is count times
 * weight, divided by `scale` to centipawns. Returns it undivided. */
int32_t uci_show_term(const char *name, int count, int32_t weight, int32_t scale,
                      struct uci_text *text);

/* Adds the line of what endgames.h adds to the sum of the terms, in centipawns from White's side. */
void uci_show_endgame(int32_t added, struct uci_text *text);

/* Adds the final evaluation in pawns, for White and for the side to move. `score` is in centipawns
 * from White's side; `shown` is the same as a GUI reads it (uci_score.h). */
void uci_show_score(const struct position *p, int32_t score, int32_t shown, struct uci_text *text);

#endif
