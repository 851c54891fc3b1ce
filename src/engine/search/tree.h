/* Internal to the search: the current line, the node, and the steps that the selective methods
 * share. Only modules of the search include this header.
 *
 * search.c combines the selective methods of selective.h. */
#ifndef GRAYLING_TREE_H
#define GRAYLING_TREE_H

#include "endgames.h"
#include "evaluation.h"
#include "movegen.h"
#include "ordering.h"
#include "sets.h"

/* ---- the transposition table (tt.c) ---- */

/* Search results by position key. Threads share the table without locks: the first of an entry's two words is
 * stored combined with the second, so that a probe rejects an entry that another thread has half overwritten
 * (Hyatt and Mann 2002). An entry of another epoch counts as an empty slot, so a new epoch empties the table
 * without touching it. Within an epoch, entries of earlier searches are valid, but are replaced first. */
struct tt_bucket;

struct tt {
    struct tt_bucket *buckets;
    size_t count;   /* number of buckets */
    uint16_t epoch; /* 1 or more; 0 marks slots never used */
    uint8_t age;    /* number of searches in this epoch, modulo 128 */
};

/* An entry as the search sees it. `depth` is in quarter plies; `value` and `bound` are as the
 * search returned them, with mates counted from the root of the probing search. */
struct tt_hit {
    bool found;
    enum bound bound;
    Move move; /* the best or refuting move, or NO_MOVE; legal unless keys collide */
    int depth;
    bool on_pv; /* the position was on a principal variation */
    int32_t value;
    int32_t eval; /* the static evaluation, or NO_EVAL */
};

/* Lower than every evaluation: the value of `eval` in check. */
enum { NO_EVAL = -2097152 };

/* Memory for what is read at random, all zero, in large pages if the system has them; free it with free. NULL: none. */
void *large_pages(size_t bytes);

bool tt_create(struct tt *tt, int mib, struct error *err);
void tt_destroy(struct tt *tt);

/* Empties the table. */
void tt_new_epoch(struct tt *tt);
/* Starts a new search in the same epoch. */
void tt_new_search(struct tt *tt);

/* Looks up a position `ply` plies from the root. */
struct tt_hit tt_probe(const struct tt *tt, uint64_t key, int ply);

/* Stores a result in the position's slot, else in the least valuable one of the bucket. */
void tt_store(struct tt *tt, uint64_t key, int ply, const struct tt_hit *found);

void tt_prefetch(const struct tt *tt, uint64_t key);

/* The share of slots with entries of the current search, in thousandths, from a sample. */
int tt_full(const struct tt *tt);

/* From this halfmove count on the table cuts nothing: its values ignore the fifty-move rule. */
enum { TABLE_HALFMOVES = 90 };

/* Tables of the correction history (selective.h): by the pawns, and by the pieces of White and of Black. An entry is at
 * most CORRECTION_MOST in size: 16 bits. */
enum { CORRECTIONS = 3, CORRECTION_BITS = 14, CORRECTION_GRAIN = 64, CORRECTION_MOST = 500 };

/* One ply of the current line. */
struct frame {
    Move move;      /* the move made at this ply, NO_MOVE for a null move */
    int piece_to;   /* its piece_square, -1 for a null move */
    bool capture;   /* the move is a capture */
    bool checks;    /* the move gives check; not known in quiescence */
    int reduction;  /* of the move while its reduced search runs, in quarter plies; else 0 */
    int cutoffs;    /* nodes of this ply that failed high since a move was made two plies before */
    Move excluded;  /* the move that the node skips (singular extension) */
    bool verifying; /* a null-move fail-high is being verified here or above (david-2002) */
    int32_t eval;   /* static evaluation, corrected (selective.h); NO_EVAL in check */
    int32_t raw;    /* the same before the correction */
    struct context context;
    int pv_length;
    Move pv[MAX_PLY];
};

/* A root move and the result of its last complete search, which was in iteration `depth`. */
struct root_move {
    Move move;
    int32_t score;
    enum bound bound;
    int depth, pv_length, seldepth;
    uint64_t nodes; /* below it, of all iterations */
    Move pv[MAX_PLY];
};

struct helpers;

/* A running search. Two extra entries of `frames` before the root let every node look back. */
struct tree {
    struct position position;
    struct history history;
    struct evaluation evaluation;
    struct piece_values worth; /* to that evaluation */
    struct search_params params;
    struct tt tt;
    struct ordering ordering;
    struct evaluation_cache pawns;
    /* By table, side to move, and a hash (correction.c). */
    int16_t corrections[CORRECTIONS][2][1 << CORRECTION_BITS];
    uint64_t nodes;
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t next_poll;
    bool stopped;
    int iteration; /* plies */
    int seldepth;
    const struct search_observer *observer;
    const struct helpers *helpers; /* of the main search (engine.c); NULL: none */
    int number;                    /* of a helper, from 1; 0: the main search */
    struct frame frames[MAX_PLY + 4];
    struct root_move root[MAX_MOVES];
    int root_count;
};

/* The expected type of a node (Knuth and Moore 1975): on the principal variation, some move will
 * fail high, or all moves will fail low. */
enum node_kind { NODE_PV, NODE_CUT, NODE_ALL };

/* A node; lives on the stack of its search. */
struct node {
    enum node_kind kind;
    int32_t alpha, beta;
    int depth; /* remaining depth in quarter plies */
    int ply;
    bool in_check;
    bool improving;  /* the evaluation is higher than two plies before */
    int32_t eval;    /* as in its frame */
    int32_t raw;     /* as in its frame; the one that the table stores */
    int32_t bounded; /* the evaluation that prunes the node (tree_bounded) */
    struct tt_hit hit;
    bool on_pv;              /* the node is on a principal variation, or was, as the table knows */
    bool only_reply;         /* in check with one legal move */
    bool mate_threat;        /* the null move was answered by mate */
    bool verifying;          /* as in its frame, once its moves are searched */
    bool fail_high;          /* the null move failed high, and the moves must verify it */
    int singular;            /* extension of the hash move in quarter plies */
    int reduction;           /* of the move whose turn it is, in quarter plies */
    int history;             /* of the same, if it is quiet (ordering_score) */
    struct context *context; /* of its frame */
    struct check_squares checks;
    int32_t best;
    Move best_move;
    int searched;      /* moves searched so far, without those that were pruned */
    int quiet_count;   /* number of quiet moves among them, up to the size of `quiets` */
    int capture_count; /* the same of the others */
    Move quiets[64], captures[32];
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

/* A hash of the pawns of a position, of so many bits. */
static inline unsigned pawns_index(const struct position *p, int bits)
{
    return (unsigned)(sets_hash(position_pieces(p, WHITE, PAWN), position_pieces(p, BLACK, PAWN)) >>
                      (64 - bits));
}

static inline int32_t param(const struct tree *t, enum search_param p)
{
    return t->params.value[p];
}

/* Whether the side to move at this ply is in check. Not below the first ply of quiescence. */
static inline bool tree_in_check(const struct tree *t, int ply)
{
    return tree_frame_const(t, ply - 1)->checks;
}

/* Remaining plies, rounded up. */
static inline int plies_left(int depth)
{
    return (depth + PLY - 1) / PLY;
}

static inline bool is_mate_score(int32_t value)
{
    return value > EVAL_LIMIT || value < -EVAL_LIMIT;
}

/* ---- the table ---- */

/* The table's key of a position with this key and fifty-move clock. A score of the modern evaluation
 * fades with the clock (endgames.h), so that each ten plies of a late one have entries of their own. */
static inline uint64_t tree_key_at(const struct tree *t, uint64_t key, int halfmove)
{
    if (t->evaluation.kind != EVALUATION_MODERN || halfmove <= ENDGAME_SAFE)
        return key;
    return key ^ (uint64_t)(halfmove / 10) * UINT64_C(0x9e3779b97f4a7c15); /* as in sets_hash */
}

/* The table's key of the current position. */
static inline uint64_t tree_key(const struct tree *t)
{
    return tree_key_at(t, t->position.key, t->position.halfmove);
}

/* Prefetches the entry of the position after a move. */
static inline void tree_prefetch(const struct tree *t, Move m)
{
    const struct position *p = &t->position;
    const bool resets = move_is_capture(m) || p->board[move_from(m)] == PAWN;
    tt_prefetch(&t->tt, tree_key_at(t, position_key_hint(p, m), resets ? 0 : p->halfmove + 1));
}

/* Whether the table's entry cuts a node off the principal variation at its present depth. Near the
 * fifty-move limit a stored value may be wrong. */
static inline bool node_table_cuts(const struct tree *t, const struct node *n)
{
    const struct tt_hit *hit = &n->hit;
    if (!hit->found || n->kind == NODE_PV || hit->depth < n->depth ||
        t->position.halfmove >= TABLE_HALFMOVES)
        return false;
    return (hit->bound & (hit->value >= n->beta ? BOUND_LOWER : BOUND_UPPER)) != 0;
}

/* The evaluation, or the table's value where that bounds it from the side on which it lies (TABLE_EVALUATION). */
static inline int32_t tree_bounded(const struct tree *t, const struct tt_hit *hit, int32_t eval)
{
    const bool tells = param(t, TABLE_EVALUATION) != 0 && hit->found &&
                       !is_mate_score(hit->value) &&
                       (hit->bound & (hit->value > eval ? BOUND_LOWER : BOUND_UPPER)) != 0;
    return tells ? hit->value : eval;
}

/* Forgets what searches have learned of moves and of the evaluation's errors. */
void tree_forget(struct tree *t);

/* ---- moving: counts every node ---- */

void tree_make(struct tree *t, int ply, Move m, bool gives_check, struct undo *undo);
void tree_unmake(struct tree *t, Move m, const struct undo *undo);
void tree_make_null(struct tree *t, int ply, struct undo *undo);
void tree_unmake_null(struct tree *t, const struct undo *undo);

/* The nodes that all helpers have published (engine.c). */
uint64_t helpers_nodes(const struct helpers *h);

/* The nodes of the search, with those of its helpers. */
static inline uint64_t tree_nodes(const struct tree *t)
{
    return t->helpers == NULL ? t->nodes : t->nodes + helpers_nodes(t->helpers);
}

/* Checks the node limit, asks the observer, schedules the next poll. True: the search must stop. */
bool tree_poll_now(struct tree *t);

/* Call at every node, also where the line ends: polls from time to time, and notes how deep the line
 * goes. True once the search must stop. */
static inline bool tree_enter(struct tree *t, int ply)
{
    if (t->nodes >= t->next_poll ? tree_poll_now(t) : t->stopped)
        return true;
    if (ply > t->seldepth)
        t->seldepth = ply;
    return false;
}

/* ---- evaluating ---- */

/* Prefetches what the correction of the score will read (selective.h). */
void correction_prefetch(const struct tree *t);

/* The static score. That of the modern evaluation knows endings; the paper's is the paper's. */
static inline int32_t tree_evaluate(struct tree *t)
{
    if (param(t, CORRECTION_SHARE) != 0)
        correction_prefetch(t);
    const int32_t score = evaluation_score(&t->evaluation, &t->position, &t->pawns);
    return t->evaluation.kind == EVALUATION_MODERN ? endgame_score(&t->position, score) : score;
}

/* The same, uncorrected, for a node: after a null move often the score before, negated. */
static inline int32_t tree_evaluate_node(struct tree *t, int ply)
{
    const struct frame *before = tree_frame_const(t, ply - 1);
    if (before->move == NO_MOVE && before->raw != NO_EVAL &&
        evaluation_is_symmetric(&t->evaluation))
        return -before->raw;
    return tree_evaluate(t);
}

/* ---- searching ---- */

/* What a value says of the true one, after a search within a window. */
static inline enum bound bound_within(int32_t alpha, int32_t beta, int32_t value)
{
    return value <= alpha ? BOUND_UPPER : value >= beta ? BOUND_LOWER : BOUND_EXACT;
}

/* Searches the current position, `ply` plies from the root, 1 or more, to `depth` quarter plies.
 * Fail-soft. The value is undefined once the search must stop. */
int32_t tree_search(struct tree *t, enum node_kind kind, int32_t alpha, int32_t beta, int depth,
                    int ply);

/* Initialises a node for the current position. */
void node_init(struct tree *t, struct node *n, enum node_kind kind, int32_t alpha, int32_t beta,
               int depth, int ply);

/* Prepares the search of a node's moves: where pieces would give check, and what histories depend on. */
void node_begin_moves(struct tree *t, struct node *n);

/* Searches one move of the node within its window, extended, and reduced by `reduction`, and returns its value. Not
 * for the first `searched` moves. The frame of the next ply holds its principal variation. */
int32_t tree_search_move(struct tree *t, struct node *n, Move m, bool gives_check);

/* Quiescence search (quiesce.h), with the additions of the modern search if they are on. `target`
 * is the square just captured on, or NO_SQUARE; `depth` counts the plies of quiescence from 0. */
int32_t tree_quiesce(struct tree *t, int32_t alpha, int32_t beta, int ply, int depth, int target);

/* Iterative deepening over the listed root moves, until the limits or the observer end it. */
struct search_result tree_deepen(struct tree *t, const struct search_limits *limits);

#endif
