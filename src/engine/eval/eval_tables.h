/* The fixed integer tables of the evaluation, which the *_MULT and PAWN_ADVANCE_* weights multiply.
 * They never evolve.
 *
 * Squares are seen from the own side, a1 first. Tables are symmetrical from left to right, so rows
 * list the files a to d only. The tables for knight, king, advance, rook file and pressure were
 * fitted by softmax regression (one weight for each entry) to moves of games up to 2018, then
 * rounded by hand to about ten centipawns a unit (docs/evaluation.md). Outposts and attacker
 * weights are chosen by hand. */
#ifndef GRAYLING_EVAL_TABLES_H
#define GRAYLING_EVAL_TABLES_H

#include <stdint.h>

/* The index of a square in a table of four columns. */
static inline int table_index(int square)
{
    int file = square & 7;
    return (square >> 3) * 4 + (file < 4 ? file : 7 - file);
}

/* clang-format off */

/* KNIGHT_SQ_MULT: low on the rim and the first rank. */
static const int8_t knight_table_value[32] = {
    -10, -10, -5, -6,
     -7,  -6, -3,  1,
    -10,   1,  5,  5,
     -5,   4,  6,  5,
      0,   2,  7,  6,
      1,   3,  7,  7,
     -4,  -2,  4,  3,
     -9,  -4, -2, -3,
};

/* KNIGHT_OUTPOST_MULT. */
static const int8_t outpost_table_value[32] = {
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 1, 2, 3,
    0, 2, 4, 5,
    0, 2, 4, 5,
    0, 0, 1, 1,
    0, 0, 0, 0,
};

/* PAWN_ADVANCE_A, while the enemy has a queen: centre pawns advance, wing pawns stay. */
static const int8_t advance_a_value[32] = {
     0,  0,  0,  0,
     8,  7,  0,  0,
     5,  6,  3,  8,
     2,  6,  9, 15,
     8, 10,  8, 13,
    14, 16, 16, 14,
    16, 16, 16, 16,
     0,  0,  0,  0,
};

/* PAWN_ADVANCE_B, without an enemy queen: every step counts, the last ones most. */
static const int8_t advance_b_value[32] = {
     0,  0,  0,  0,
     6,  6,  3,  3,
     6,  6,  4,  4,
     5,  8,  6,  7,
    10, 12, 11,  9,
    19, 21, 19, 18,
    20, 20, 20, 20,
     0,  0,  0,  0,
};

/* KING_PRESSURE_MULT without an enemy queen: the king advances and centralises. */
static const int8_t king_table_value[32] = {
    -10, -8, -8, -8,
     -9, -4, -4, -3,
     -7, -1,  0,  1,
     -4,  2,  3,  4,
      1,  6,  8,  9,
      4,  9, 11, 11,
      2,  8, 10, 10,
     -4,  0,  1,  2,
};

/* PASSED_PAWN_MULT, by rank from the own side. */
static const int8_t passed_value[8] = {0, 0, 0, 1, 3, 6, 14, 0};

/* ROOK_COLUMN_MULT, by file. */
static const int8_t column_value[8] = {1, 0, 4, 5, 5, 4, 0, 1};

/* KING_PRESSURE_MULT with an own queen: by the total weight of the pieces that attack the enemy
 * king's square or an adjacent one. */
static const int8_t pressure_value[16] = {0, 0, 0, 1, 3, 4, 7, 8, 10, 12, 14, 15, 16, 17, 18, 18};

/* The weight of an attacker, by enum kind. */
static const uint8_t attacker_weight[6] = {0, 1, 1, 2, 3, 0};

/* clang-format on */

#endif
