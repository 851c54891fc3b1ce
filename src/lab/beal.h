/* Beal's generalised quiescence search: D.F. Beal, A Generalised Quiescence Search Algorithm,
 * Artificial Intelligence 43 (1990) 85-98.
 *
 * QUIESCE (Figure 3) works with any evaluation. At each position it starts from the value of
 * passing and looks for moves that are worth more. It stops as soon as passing fails high, so most
 * searches end without a depth limit. It is applied twice (section 5, Figure 2), or more often:
 *
 *   order 1  QUIESCE over the evaluation
 *   order 2  QUIESCE over the value of order 1. On material, order 1 is the capture tree, which also
 *            sees checkmates (section 7)
 *   order n  QUIESCE over the value of order n - 1
 *
 * The search proper is QUIESCE-D (section 10, Figure 5), one ply deeper at each iteration. It returns
 * fat values. Their reliable ranges are stored for the next iteration, and so are the best moves. The
 * search ends when the lower bound of one root move is at least the upper bounds of all others. The
 * move is then decided, although its value may not be (Figures 6 and 7).
 *
 * A node is a legal move made, in either order; a null move is one. Scores are centipawns for the side to move at
 * the root; beyond EVAL_LIMIT they are mates (evaluate.h). The search never reads a clock. The same settings and
 * limits always give the same moves, and never more nodes than the limit. */
#ifndef GRAYLING_BEAL_H
#define GRAYLING_BEAL_H

#include "engine.h"
#include "solve_table.h"

enum { BEAL_ORDERS = 3 };

/* Plies of QUIESCE where another search evaluates by it: the figure has no limit, and needs one there.
 * Beyond it the value is that of the order below. */
enum { HIGHER_ORDER_PLIES = 2 };

/* How the search evaluates. */
struct beal_settings {
    int order;                   /* 1 to BEAL_ORDERS */
    struct eval_weights weights; /* evaluation weights; the paper's are eval_material_weights() */
    bool no_checkmates;          /* omit the checkmates of section 7 from order 2 */
};

struct beal;

/* `hash_mib` is from HASH_MIN to HASH_MAX. NULL, with the reason, without memory. */
struct beal *beal_create(const struct beal_settings *settings, int hash_mib, struct error *err);
void beal_destroy(struct beal *b); /* accepts NULL */

/* Forgets everything learned: the next search visits the same nodes as in a new searcher. Cheap. */
void beal_clear(struct beal *b);

/* A fat value (section 10): a reliable range, which comes from null moves and mates, and an unreliable
 * value within it, which comes from nodes where the depth ran out. Centipawns for the side to move. An
 * unknown end is -INFINITE_SCORE or INFINITE_SCORE. */
struct fat_value {
    int32_t lower, value, upper;
};

/* How the search tree branched. Counts only nodes with at least two plies remaining, whose moves
 * the search tests with null moves. */
struct beal_branching {
    uint64_t interior; /* nodes whose null move did not fail high */
    uint64_t moves;    /* legal moves examined at those nodes */
    uint64_t selected; /* of those moves, the ones that led to another interior node */
};

struct beal_result {
    Move best;             /* NO_MOVE when there is no legal move */
    struct fat_value root; /* root.value is the score */
    bool decided;          /* no deeper iteration can prefer another move */
    int depth;             /* the last completed iteration, in plies */
    uint64_t nodes;
    bool stopped; /* ended by the node limit or the observer */
    struct beal_branching branching;
};

/* Searches a position. Uses `nodes` and `depth` of the limits, and `stop` and `best` of the
 * observer (NULL: none). What the search learns remains until beal_clear. */
struct beal_result beal_search(struct beal *b, const struct position *p,
                               const struct search_limits *limits,
                               const struct search_observer *observer);

/* The values of passing and of the best move, which section 9 assumes never to be lower. */
struct beal_assumption {
    int32_t null; /* value of passing by the lower order, as QUIESCE uses it */
    int32_t best; /* best legal move, with `depth` - 1 plies searched after it */
};

/* Tests the assumption in one position. The side to move has a legal move and is not in check. */
struct beal_assumption beal_test_assumption(struct beal *b, const struct position *p, int depth);

/* The search as a method of solve, order by order: "beal1", "beal2", "beal3". */
extern const struct search_method beal_methods[BEAL_ORDERS];

/* Checks that a method can search with an evaluation: it reads the paper's alone. */
bool beal_check(const struct search_method *method, const struct evaluation *evaluation,
                struct error *err);

/* Their kind of job, which other ranks can do (ranks.h). */
extern const struct job_kind beal_job;

/* The paper's evaluation, material: 1, 3, 3, 5, 9 pawns. Centipawns for the side to move. */
int32_t beal_balance(const struct position *p);

#endif
