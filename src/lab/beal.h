/* Beal's generalised quiescence search: D.F. Beal, A Generalised Quiescence Search Algorithm,
 * Artificial Intelligence 43 (1990) 85-98.
 *
 * QUIESCE (Figure 3) works with any evaluation. At each position it starts from the value of
 * passing and looks for moves that are worth more. It stops as soon as passing fails high, so most
 * searches end without a depth limit. It is applied twice (section 5, Figure 2), or more often:
 *
 *   order 1  QUIESCE over the evaluation
 *   order 2  QUIESCE over the value of order 1. On material, order 1 is the capture tree
 *            (beal_quiesce.c), which also sees checkmates (section 7)
 *   order n  QUIESCE over the value of order n - 1 (beal_quiesce.c)
 *
 * The search proper is QUIESCE-D (section 10, Figure 5; beal_tree.h), one ply deeper at each
 * iteration. It returns fat values. Their reliable ranges are stored for the next
 * iteration (beal_tree.h), and so are the best moves. The search ends when the lower bound of one
 * root move is at least the upper bounds of all others. The move is then decided, although its
 * value may not be (Figures 6 and 7).
 *
 * A node is a legal move made, in either order; a null move is one. Scores are centipawns for the
 * side to move at the root; beyond EVAL_LIMIT they are mates (evaluate.h). The search never reads a
 * clock. The same settings and limits always give the same moves, and never more nodes than the
 * limit. */
#ifndef GRAYLING_BEAL_H
#define GRAYLING_BEAL_H

#include "engine.h"
#include "solve_table.h"

/* ---- fat values (section 10) ----
 *
 * A reliable range, which comes from null moves and mates, and an unreliable value within it, which
 * comes from nodes where the depth ran out. */

/* lower <= value <= upper, in centipawns for the side to move. An unknown end is -INFINITE_SCORE or
 * INFINITE_SCORE. */
struct fat_value {
    int32_t lower, value, upper;
};

/* An unreliable value with the widest range. */
static inline struct fat_value fat_unknown(int32_t value)
{
    return (struct fat_value){-INFINITE_SCORE, value, INFINITE_SCORE};
}

/* A value known exactly. */
static inline struct fat_value fat_exact(int32_t value)
{
    return (struct fat_value){value, value, value};
}

/* The same value for the other side. */
static inline struct fat_value fat_negate(struct fat_value f)
{
    return (struct fat_value){-f.upper, -f.value, -f.lower};
}

/* The maximum of two options, component by component. */
static inline struct fat_value fat_join(struct fat_value f, struct fat_value g)
{
    return (struct fat_value){f.lower > g.lower ? f.lower : g.lower,
                              f.value > g.value ? f.value : g.value,
                              f.upper > g.upper ? f.upper : g.upper};
}

/* True if `f` is worth at least `g`, whatever both turn out to be within their ranges (Figure 6). Not so
 * for [0, 0] and [-2, 3], a safe move and one that may gain or lose (Figure 7). */
static inline bool fat_is_no_worse(struct fat_value f, struct fat_value g)
{
    return f.lower >= g.upper;
}

/* `value` clamped to the range from `lower` to `upper`. */
static inline int32_t fat_clamp(int32_t value, int32_t lower, int32_t upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* Combines two searches of the same position: the intersection of the ranges, and the value of `f`
 * clamped to it. */
static inline struct fat_value fat_meet(struct fat_value f, struct fat_value g)
{
    int32_t lower = f.lower > g.lower ? f.lower : g.lower;
    int32_t upper = f.upper < g.upper ? f.upper : g.upper;
    return (struct fat_value){lower, fat_clamp(f.value, lower, upper), upper};
}

/* ---- the searcher ---- */

enum { BEAL_ORDERS = 3 };

/* How the search evaluates. */
struct beal_settings {
    int order;                   /* 1 to BEAL_ORDERS */
    struct eval_weights weights; /* evaluation weights; the paper's are eval_material_weights() */
    bool no_checkmates;          /* omit the checkmates of section 7 from order 2 */
};

struct beal;

/* ---- life cycle ---- */

/* Creates a searcher with a table of `hash_mib` MiB (HASH_MIN to HASH_MAX). Returns NULL and sets
 * `err` when out of memory. */
struct beal *beal_create(const struct beal_settings *settings, int hash_mib, struct error *err);
void beal_destroy(struct beal *b); /* accepts NULL */

/* Forgets everything learned: the next search visits the same nodes as in a new searcher. Cheap: it
 * advances the epoch of the table and does not touch the entries. */
void beal_clear(struct beal *b);

/* ---- searching ---- */

/* How the search tree branched. Counts only nodes with at least two plies remaining, whose moves
 * the search tests with null moves. */
struct beal_branching {
    uint64_t interior; /* nodes whose null move did not fail high */
    uint64_t moves;    /* legal moves examined at those nodes */
    uint64_t selected; /* of those moves, the ones that led to another interior node */
};

/* The result of a search. */
struct beal_result {
    Move best;             /* NO_MOVE when there is no legal move */
    struct fat_value root; /* fat value of the root; root.value is the score */
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

/* The value of passing and that of the best move. Section 9 assumes that passing is never
 * better. */
struct beal_assumption {
    int32_t null; /* value of passing by the lower order, as QUIESCE uses it */
    int32_t best; /* best legal move, with `depth` - 1 plies searched after it */
};

/* Tests the assumption in one position. The side to move has a legal move and is not in check. */
struct beal_assumption beal_test_assumption(struct beal *b, const struct position *p, int depth);

/* ---- for suites ---- */

/* The search as a method of solve, order by order: "beal1", "beal2", "beal3". */
extern const struct search_method beal_methods[BEAL_ORDERS];

/* Checks that a method can search with an evaluation: it reads the paper's alone. */
bool beal_check(const struct search_method *method, const struct evaluation *evaluation,
                struct error *err);

/* Their kinds of job, which other ranks can do (ranks.h). */
extern const struct job_kind beal_jobs[BEAL_ORDERS];

#endif
