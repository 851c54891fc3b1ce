/* Inside the search: the tree as it stands, what a node knows, and the steps that the selective
 * methods share. Only the modules of the search include this.
 *
 * Each method (null_move.h, futility.h, multi_cut.h, extension.h, ...) is a module of its own that
 * reads its own parameters; search.c puts them together. */
#ifndef GRAYLING_TREE_H
#define GRAYLING_TREE_H

#include "checks.h"
#include "ordering.h"
#include "pawn_cache.h"
#include "picker.h"
#include "tt.h"

/* From so many halfmoves on the table cuts nothing: its values do not know the fifty-move rule. */
enum { TABLE_HALFMOVES = 90 };

/* A ply of the line that is being searched. */
struct frame {
    Move move;      /* made from this ply, NO_MOVE for a null move */
    int piece_to;   /* its piece_square, -1 for a null move */
    bool capture;   /* it took something */
    Move excluded;  /* a move that the node leaves out (singular extension) */
    bool verifying; /* a null move that failed high is being verified here or above (david-2002) */
    int32_t eval;   /* static evaluation, or NO_EVAL in check */
    int pv_length;
    Move pv[MAX_PLY];
};

/* A root move with what the last iteration found out about it. */
struct root_move {
    Move move;
    int32_t score;
    int pv_length, seldepth;
    Move pv[MAX_PLY];
};

/* A search under way. `frames` has two before the root, so that a node may look back. */
struct tree {
    struct position position;
    struct history history;
    struct eval_weights weights;
    struct search_params params;
    struct tt tt;
    struct ordering ordering;
    struct pawn_cache pawns;
    uint64_t nodes;
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t next_poll;
    bool stopped;
    int iteration; /* plies */
    int seldepth;
    const struct search_observer *observer;
    struct frame frames[MAX_PLY + 4];
    struct root_move root[MAX_MOVES];
    int root_count;
};

/* What a node is expected to be (Knuth and Moore 1975): on the principal variation, one where some
 * move will fail high, or one where all will fail low. */
enum node_kind { NODE_PV, NODE_CUT, NODE_ALL };

/* A node being searched; lives on the stack of its search. */
struct node {
    enum node_kind kind;
    int32_t alpha, beta;
    int depth; /* quarter plies that remain */
    int ply;
    bool in_check;
    bool improving; /* the evaluation is above that of two plies ago */
    int32_t eval;   /* as in its frame */
    struct tt_hit hit;
    bool only_reply;  /* in check with one legal move */
    bool mate_threat; /* passing would be mated */
    bool verifying;   /* as in its frame, once the moves are searched */
    bool fail_high;   /* the null move failed high, which the moves are to verify */
    int singular;     /* quarter plies by which the hash move is extended */
    struct context context;
    struct check_squares checks;
    int32_t best;
    Move best_move;
    int searched;    /* moves searched or left out so far */
    int quiet_count; /* quiet moves among them, as far as they fit */
    Move quiets[64];
};

static inline struct frame *tree_frame(struct tree *t, int ply)
{
    return &t->frames[ply + 2];
}

/* The same for a function that changes nothing. */
static inline const struct frame *tree_frame_const(const struct tree *t, int ply)
{
    return &t->frames[ply + 2];
}

static inline int32_t param(const struct tree *t, enum search_param p)
{
    return t->params.value[p];
}

/* Plies that remain, a part of one counting as one. */
static inline int plies_left(int depth)
{
    return (depth + PLY - 1) / PLY;
}

static inline bool is_mate_score(int32_t value)
{
    return value > EVAL_LIMIT || value < -EVAL_LIMIT;
}

/* ---- moving; every node is counted here ---- */

void tree_make(struct tree *t, int ply, Move m, struct undo *undo);
void tree_unmake(struct tree *t, Move m, const struct undo *undo);
void tree_make_null(struct tree *t, int ply, struct undo *undo);
void tree_unmake_null(struct tree *t, const struct undo *undo);

/* Compares the nodes with their limit, asks the observer, and says when to do so next. */
bool tree_poll_now(struct tree *t);

/* Called at every node, polls now and then. True once the search has to stop. */
static inline bool tree_poll(struct tree *t)
{
    return t->nodes >= t->next_poll ? tree_poll_now(t) : t->stopped;
}

/* ---- evaluating ---- */

static inline int32_t tree_evaluate(struct tree *t)
{
    const struct pawn_structure *pawns = pawn_cache_probe(&t->pawns, &t->position, &t->weights);
    return evaluate_with_pawns(&t->position, &t->weights, pawns);
}

/* ---- searching ---- */

/* The value of the position `ply` plies from the root to `depth` quarter plies, fail-soft. What it
 * returns once the search must stop means nothing. */
int32_t tree_search(struct tree *t, enum node_kind kind, int32_t alpha, int32_t beta, int depth,
                    int ply);

/* Makes a node of the present position, nothing known of it yet. */
void node_init(struct tree *t, struct node *n, enum node_kind kind, int32_t alpha, int32_t beta,
               int depth, int ply);

/* The value of one of its moves, extended and reduced, within the node's window; not of the first
 * `searched` ones. The line behind it stands in the frame of the next ply. */
int32_t tree_search_move(struct tree *t, struct node *n, Move m, bool gives_check);

/* The value by quiescence (quiesce.h), with the modern search's additions if they are on. `target`
 * is the square just captured on, or NO_SQUARE; `depth` counts the plies of quiescence from 0. */
int32_t tree_quiesce(struct tree *t, int32_t alpha, int32_t beta, int ply, int depth, int target);

/* Iterative deepening from the position that stands in the tree (its root moves listed) until the
 * limits or the observer end it. */
struct search_result tree_deepen(struct tree *t, const struct search_limits *limits);

#endif
