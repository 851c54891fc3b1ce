/* The dimensions of terms (modern_terms.def): their sizes, and the names of their values, separated by
 * blanks. In sums over White and Black all are seen from the side that a term is counted for. */
#ifndef GRAYLING_MODERN_SIZES_H
#define GRAYLING_MODERN_SIZES_H

/* DIMENSION(name, size, names of the values) */
#define MODERN_DIMENSIONS                                                                          \
    DIMENSION(ONE, 1, "")                                                                          \
    DIMENSION(KINDS, 5, "P N B R Q")                                                               \
    DIMENSION(ALL_KINDS, 6, "P N B R Q K")                                                         \
    DIMENSION(PIECES, 4, "N B R Q")                                                                \
    DIMENSION(MINORS, 2, "N B")                                                                    \
    DIMENSION(MAJORS, 2, "R Q")                                                                    \
    DIMENSION(OWN_PAIRS, 15, "PP PN NN PB NB BB PR NR BR RR PQ NQ BQ RQ QQ")                       \
    DIMENSION(ENEMY_PAIRS, 10, "PN PB NB PR NR BR PQ NQ BQ RQ")                                    \
    DIMENSION(FILES, 4, "A B C D")                                                                 \
    DIMENSION(ALL_FILES, 8, "A B C D E F G H")                                                     \
    DIMENSION(RANKS, 8, "1 2 3 4 5 6 7 8")                                                         \
    DIMENSION(DISTANCES, 8, "0 1 2 3 4 5 6 7")                                                     \
    DIMENSION(COUNTS, 8, "0 1 2 3 4 5 6 7")                                                        \
    DIMENSION(FEW, 4, "0 1 2 3")                                                                   \
    DIMENSION(KNIGHT_MOVES, 9, "0 1 2 3 4 5 6 7 8")                                                \
    DIMENSION(BISHOP_MOVES, 14, "0 1 2 3 4 5 6 7 8 9 10 11 12 13")                                 \
    DIMENSION(ROOK_MOVES, 15, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14")                                \
    DIMENSION(QUEEN_MOVES, 28,                                                                     \
              "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27")         \
    DIMENSION(GUARDS, 4, "NONE PAWN PIECE FEW")                                                    \
    DIMENSION(TURNS, 2, "WAITS MOVES")                                                             \
    DIMENSION(OPEN, 2, "CLOSED OPEN")                                                              \
    DIMENSION(ISOLATION, 2, "NEAR ALONE")                                                          \
    DIMENSION(BLOCKERS, 2, "OWN ENEMY")                                                            \
    DIMENSION(SIDES, 2, "OWN ENEMY")                                                               \
    DIMENSION(QUEENS, 2, "NO_QUEEN QUEEN")                                                         \
    DIMENSION(NEAR, 2, "BESIDE KING")                                                              \
    DIMENSION(BLOCKED, 2, "FREE BLOCKED")                                                          \
    DIMENSION(SUPPORT, 2, "ALONE SUPPORTED")                                                       \
    DIMENSION(OPENNESS, 3, "CLOSED HALF OPEN")                                                     \
    DIMENSION(NEARNESS, 3, "FAR BESIDE KING")

enum modern_size {
#define DIMENSION(name, size, names) SIZE_##name = size,
    MODERN_DIMENSIONS
#undef DIMENSION
        SIZE_SQUARES = SIZE_RANKS * SIZE_FILES, /* of a wing */
};

#endif
