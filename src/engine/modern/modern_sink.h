/* Internal to the modern evaluation: facts about a position, and the only access to its sum. A group's code is
 * written for White, the own side: for Black the facts are turned round (modern.c). It is compiled twice, once to sum a
 * score and once to record counts. */
#ifndef GRAYLING_MODERN_SINK_H
#define GRAYLING_MODERN_SINK_H

#include "attacks.h"
#include "modern.h"
#include "sets.h"

#include <string.h>

/* ---- facts that groups share, computed once: about an eighth of the time ---- */

/* A knight, bishop, rook or queen, and the squares that it attacks. */
struct modern_piece {
    Bitboard attacks;
    uint8_t kind, square;
};

enum { MODERN_PIECES = 15 }; /* the most that a side can have, without pawns and king */

/* The sides as a group sees them, which index the facts. */
#define OWN   WHITE
#define ENEMY BLACK

struct modern_facts {
    const struct position *position;
    const struct modern_pawns *pawns;
    Bitboard occupied;
    Bitboard attacks[2][6]; /* by kind */
    Bitboard attacked[2];   /* by anything */
    Bitboard twice[2];      /* by two or more */
    Bitboard zone[2];       /* the king's square, those beside it, and the rank before them */
    Bitboard checks[6];     /* squares from which an own kind attacks the enemy king */
    int king[2];
    int count[2][6]; /* pieces of a kind */
    int mover;       /* 1 if White is to move, else -1: only counts read it */
    bool queen[2];   /* the side has a queen */
    struct modern_piece piece[2][MODERN_PIECES + 1]; /* by rising kind; a king's kind ends them */
    int pieces[2];                                   /* of them */
};

/* A side's first piece of a kind, or where it would be. A loop over the pieces of a kind ends where the kind changes,
 * and the loop over the next kind begins there: so the kind is a constant in each, and none waits for a count. */
INLINE const struct modern_piece *modern_first(const struct modern_facts *f, enum color side,
                                               enum kind kind)
{
    int before = 0;
    for (enum kind cheaper = KNIGHT; cheaper < kind; cheaper++)
        before += f->count[side][cheaper];
    return f->piece[side] + before;
}

/* ---- squares ---- */

/* 0 for the files a and h, 3 for d and e. */
static inline int file_from_edge(int file)
{
    return file < 4 ? file : 7 - file;
}

/* Computed at build (gen_modern.c). */
extern const uint8_t modern_distances[64][64];

/* King moves between two squares. */
static inline int distance(int a, int b)
{
    return modern_distances[a][b];
}

/* ---- the sum ---- */

/* Two packed sums: what counts while the side waits, and while it moves. */
typedef int64_t Turns __attribute__((vector_size(16)));

/* The destination of counts: a side's packed score, or counts of terms, with a view of +1 for White's and -1 for
 * Black's. Scores are found for either side to move: most is the same, and a search needs both around a null move. */
struct sink {
    const int64_t *pair;
    int64_t score;   /* whoever is to move */
    Turns turns;     /* if the side waits and moves */
    int16_t *counts; /* NULL: the scores */
    int view, mover; /* of counts: that of their side, and of the side to move */
};

/* The only functions that change the sum: add, and add_turn for terms whose last dimension is the turn;
 * `term` is that of the side that waits. */
INLINE void add(struct sink *e, int term, int64_t count)
{
    if (e->counts != NULL)
        e->counts[term] = (int16_t)(e->counts[term] + e->view * count);
    else
        e->score += e->pair[term] * count;
}

INLINE void add_turn(struct sink *e, int term, int64_t count)
{
    if (e->counts != NULL)
        add(e, term + (e->view == e->mover), count);
    else
        e->turns += (Turns){e->pair[term] * count, e->pair[term + 1] * count};
}

/* The same where something counts once or not at all. */
INLINE void add_turn_if(struct sink *e, int term, bool counts)
{
    Turns pair;
    if (e->counts != NULL) {
        add_turn(e, term, counts);
        return;
    }
    memcpy(&pair, e->pair + term, sizeof pair);
    e->turns += pair & -(int64_t)counts;
}

/* Adds to a term without that dimension, while the side waits or while it moves. */
INLINE void add_if_turn(struct sink *e, int term, bool waits, bool moves)
{
    if (e->counts != NULL)
        add(e, term, e->view == e->mover ? moves : waits);
    else
        e->turns += (Turns){waits, moves} * e->pair[term];
}

/* Counts the pieces of a set by kind and turn. */
INLINE void add_by_kind(struct sink *e, const struct modern_facts *f, int term, Bitboard set)
{
    while (set != 0)
        add_turn_if(e, term + 2 * f->position->board[bits_pop(&set)], true);
}

/* Defines a group's two functions from its code, `side(struct sink *, const struct modern_facts *)`: modern_GROUP adds
 * to a score, modern_GROUP_counts to counts, with the view of the side whose facts these are. */
#define MODERN_GROUP(group, side)                                                                  \
    void modern_##group(const struct modern_facts *f, struct sink *sum)                            \
    {                                                                                              \
        struct sink e = {.pair = sum->pair};                                                       \
        side(&e, f);                                                                               \
        sum->score += e.score;                                                                     \
        sum->turns += e.turns;                                                                     \
    }                                                                                              \
    void modern_##group##_counts(const struct modern_facts *f, int16_t *counts, int view)          \
    {                                                                                              \
        struct sink e = {.counts = counts, .view = view, .mover = f->mover};                       \
        side(&e, f);                                                                               \
    }

/* The groups: of pawns and kings among them (modern_pawns.c), of pieces (modern_pieces.c), of attacks
 * (modern_attacks.c), of material and the whole board (modern.c). Each says what it is worth and what it costs. Worth: the sum of
 * the saliencies of its weights, in thousandths of a nat, that is how much the loss on 25,000 positions
 * would rise, to second order, if one weight after another were 0 alone (`grayling regress --saliency`).
 * Cost: its part of the time of an evaluation whose pawns, kings and material are kept. */
struct modern_pawns modern_pawns_turned(const struct modern_pawns *pawns);

#define SUMS(name, meaning)
#define GROUP(name, meaning)                                                                       \
    void modern_##name(const struct modern_facts *f, struct sink *sum);                            \
    void modern_##name##_counts(const struct modern_facts *f, int16_t *counts, int view);
#include "modern_terms.def"

#endif
