/* The evaluation: 35 parameters (david-2014, Figure 3), linear in its weights.
 *
 * Every term is one line of eval_params.def. `evaluate` changes the score only through one inlined
 * function, add(e, TERM, count). With a trace, the same code records how often each term counted.
 * Replaying a trace with any weights therefore gives exactly the score of evaluate:
 *
 *     evaluate(p, w) == sum over terms of trace.count[t] * w.value[t]      (from White's side)
 *
 * Control flow never reads a weight. */
#ifndef GRAYLING_EVALUATE_H
#define GRAYLING_EVALUATE_H

#include "param.h"
#include "position.h"

enum eval_term {
#define PARAM(name, bits, min, max, initial, sign, meaning) name,
#include "eval_params.def"
    EVAL_TERMS
};

/* One value for each term, >= 0, in centipawns. A penalty's sign is in the trace's count. */
struct eval_weights {
    int32_t value[EVAL_TERMS];
};

/* How often each term counted, White minus Black; penalties are negative. */
struct eval_trace {
    int16_t count[EVAL_TERMS];
};

/* The parameters in the order of enum eval_term; kind "evaluation". */
extern const struct param_table eval_table;

/* The initial value of each parameter. */
struct eval_weights eval_initial_weights(void);

/* Material alone, as in beal-1990: pawn 1, knight and bishop 3, rook 5, queen 9. */
struct eval_weights eval_material_weights(void);

/* Centipawns for the side to move. |score| < EVAL_LIMIT for weights within their ranges. */
int32_t evaluate(const struct position *p, const struct eval_weights *w);

/* The part of the evaluation that depends on pawns alone, which can be cached: its score, and the facts that
 * other terms need. Arrays are indexed by colour; in sets of files, bit f is file f. All zero without pawns. */
struct pawn_structure {
    Bitboard pawns[2];
    Bitboard outposts[2]; /* squares that own pawns attack and enemy pawns can never attack */
    Bitboard passed;      /* passed pawns of both colours */
    int32_t score;        /* centipawns, from White's side */
    int16_t advance_a[2]; /* sums over the two pawn advance tables */
    int16_t advance_b[2];
    uint8_t files[2];      /* files with own pawns */
    uint8_t weak_files[2]; /* files with isolated or backward own pawns */
    uint8_t second[2];     /* files with an own pawn on the 2nd rank */
    uint8_t third[2];      /* files with an own pawn on the 3rd rank */
};

_Static_assert(sizeof(struct pawn_structure) == 64, "a cache line");

/* evaluate() with a cached pawn structure: `s` was computed for the same pawns and weights. */
int32_t evaluate_with_pawns(const struct position *p, const struct eval_weights *w,
                            const struct pawn_structure *s);

/* The counts that make up the score, from White's side. */
void evaluate_trace(const struct position *p, struct eval_trace *trace);

/* Scores beyond EVAL_LIMIT are mates: MATE - n is mate in n plies. */
enum { EVAL_LIMIT = 1000000, MATE = 2000000, INFINITE_SCORE = 2100000 };

enum { PAWN_CACHE_BITS = 12 }; /* log2 of the number of entries: 256 KiB in all */

/* A cache of pawn structures: neighbours in a search mostly have the same pawns. It is indexed by a hash of the two
 * sets of pawns, which a probe compares, so that a hit is never false. Owned by the caller, who empties it before it
 * is used with other weights. All-zero memory is empty: the structure without pawns, which is right for any weights. */
struct pawn_cache {
    struct pawn_structure entries[1 << PAWN_CACHE_BITS];
};

/* The pawn structure of the position, computed unless cached, for evaluate_with_pawns; valid until the next
 * probe. All probes since the cache was empty must pass the same `w`. */
const struct pawn_structure *pawn_cache_probe(struct pawn_cache *cache, const struct position *p,
                                              const struct eval_weights *w);

#endif
