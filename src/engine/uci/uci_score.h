/* Scores as a GUI reads them: 100 is an even chance to win, as Stockfish has it. The search keeps a unit
 * of its own.
 *
 * With params/games-eval.yaml, in 1,000 games of the engine against itself at 3,000 nodes a move, a score x of
 * the search was won with the probability
 *
 *     1 / (1 + exp((a - x) / b)),
 *
 * and lost with that of -x, where b is a line in the material on the board (experiments/win_model.py,
 * docs/results.md). Shown is 100 x / a. Other weights of the modern evaluation are shown in the same
 * unit, and mean this as far as they are on the same scale.
 *
 * The paper's evaluation has a pawn of 100, and its scores are shown as they are. */
#ifndef GRAYLING_UCI_SCORE_H
#define GRAYLING_UCI_SCORE_H

#include "evaluation.h"

/* What is shown for a score of a search. A mate is beyond all other scores. */
int32_t uci_score_shown(enum evaluation_kind kind, int32_t score);

/* Chances of the side to move, in thousandths, which add up to 1,000. */
struct uci_wdl {
    int win, draw, loss;
};

/* The chances that go with a score as it is shown, of a search from position `root`. */
struct uci_wdl uci_score_wdl(const struct position *root, int32_t shown);

#endif
