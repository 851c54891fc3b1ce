/* The inside of a compiled set: its memory, and the two ways to keep leaves. For this room alone.
 *
 * Dense leaves (dense_leaves.c) are rows of bytes, one count per term of our own evaluation. Sparse
 * leaves (sparse_leaves.c) are differences of counts, for any linear evaluation (replay.h). */
#ifndef GRAYLING_COMPILED_SET_H
#define GRAYLING_COMPILED_SET_H

#include "compiled.h"
#include "param.h"
#include "quiesce.h"
#include "replay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- trees ---- */

/* The trees of a 1-ply search with quiescence are grown leaf by leaf.
 *
 * Quiescence never reads a weight, so the tree under each legal move of a position is the same for
 * every organism. A tree is a list of leaves in the order in which the search visits them. Each leaf
 * has a fold: the number of nodes that open before it and close after it. Folding keeps one running
 * maximum per open node; a node that closes passes its negated value to its parent (negamax).
 *
 * A leaf as the search comes to it. */
struct growth_leaf {
    const struct position *position; /* NULL for a constant leaf */
    enum color viewer;               /* the side that chooses there */
    int32_t constant;                /* its value for the viewer: a mate, or 0 for a draw */
    int opens;                       /* nodes that open before it */
    int ply;                         /* plies below the root move */
};

/* Who receives the leaves, one position after another. */
struct growth_taker {
    void *context;
    bool (*leaf)(void *context, const struct growth_leaf *leaf); /* false: no memory */
    void (*close)(void *context); /* one more node closes after the latest leaf */
};

/* The root moves of a position in canonical order, and the leaves under each. */
struct growth {
    struct move_list moves;
    uint32_t leaves[MAX_MOVES];
};

/* ---- weights ---- */

/* Where a sparse set keeps the weights that may change: two places in each column (replay.h), for a term's
 * weights of the middlegame and the endgame if both may change, else for any two. A space of 400 weights
 * out of thousands is thus a short row, whatever the evaluation. The place of a
 * constant weight is NO_PLACE. */
enum { NO_PLACE = UINT16_MAX };

/* Owned between init and free. All zero is empty. */
struct weight_places {
    size_t columns;      /* place p is half p % 2 of column p / 2 */
    uint16_t *of;        /* by weight */
    uint16_t *weight_at; /* by place; an empty place has any weight, and no counts */
};

/* ---- the set ---- */

/* One position of the set. */
struct compiled_position {
    size_t first_row, first_term, first_move;
    uint32_t rows, terms;
    uint16_t moves;
    bool wide; /* dense: a count does not fit a byte; the engine searches this position */
};

struct compiled_set {
    const struct leaf_method *method;
    struct param_table table;    /* rows and texts are owned if sparse */
    char *names;                 /* of the table, if sparse */
    struct weight_places places; /* of the table's weights, if sparse */
    int32_t scale;               /* values are compared times this */
    bool wide_weights;           /* sparse: a weight's range does not fit 16 bits */
    enum leaf leaf;
    size_t count, row_count, term_count, move_count;
    size_t room, epd_room, row_room, term_room, leaf_room, move_room,
        right_room; /* of the arrays */
    struct compiled_position *positions;
    struct epd *epds;
    void *rows;                /* of all positions, in order */
    struct sparse_term *terms; /* of all sparse rows, in order */
    uint32_t *leaves;          /* number of rows of each root move */
    Move *moves;               /* root moves in canonical order */
    uint8_t *right;            /* true if the root move is a bm */
};

/* The trees of one position, grown. The arrays are owned. */
struct grown_trees {
    struct growth growth;
    void *rows;
    struct sparse_term *terms;
    size_t row_count, row_room, term_count, term_room;
    bool wide;
};

/* Some of the root moves of a position: bit m stands for the move m in canonical order. */
struct move_mask {
    uint64_t bits[MAX_MOVES / 64];
};

/* Positions in a job: enough leaves to keep a pipeline to another process busy. */
enum { GROWN = 8 };

/* A set that is being compiled. Each job writes the trees of its own positions, which move to the set
 * in order. The first worker writes the evaluation's table and scale to the set. */
struct compiling {
    const struct epd *positions;
    size_t count;
    bool values;                   /* of the positions themselves; else of their moves */
    const struct move_mask *masks; /* the moves to keep, by position; NULL: all */
    const struct evaluator_source *source;
    struct compiled_set *set;
    struct grown_trees **grown; /* by job: of GROWN positions, while they are not in the set */
    bool is_short;              /* the set has no memory */
    const struct compiled_watcher *watcher; /* may be NULL */
    int64_t before;                         /* what it is told is done before the set */
};

/* The trees of position i, while its job grows them. */
static inline struct grown_trees *compiling_trees(const struct compiling *c, size_t i)
{
    return &c->grown[i / GROWN][i % GROWN];
}

/* Grows the trees of position i. False if the taker has no memory. */
bool compiling_grow(const struct compiling *c, size_t i, struct growth *g,
                    const struct growth_taker *taker);

/* A way to keep leaves. */
struct leaf_method {
    size_t row_size;
    /* The worker of a thread that grows trees; both are NULL if there is none. */
    void *(*begin)(const void *compiling, struct error *err);
    void (*finish)(void *worker);
    /* Grows the trees of positions `first` to `end` - 1. */
    bool (*grow)(void *worker, const struct compiling *c, size_t first, size_t end,
                 struct error *err);
    /* Bytes of the packed weights of a group. */
    size_t (*lanes_size)(const struct compiled_set *set);
    /* Packs `count` organisms, rows of one value per weight, to memory aligned to 64 bytes. */
    void (*pack)(const struct compiled_set *set, const int32_t *values, int count, void *lanes);
    /* Computes the choices of a packed group in position i. Their values are unset if the position is
     * wide. */
    void (*choose)(const struct compiled_set *set, size_t i, const struct replay *replay,
                   const int32_t *values, int count, void *lanes, struct replayed *played);
    /* The score that a value of the leaves stands for, in the unit of the weights; mates as in
     * evaluate.h. */
    double (*score)(const struct compiled_set *set, double value);
    /* See compiled_principal and compiled_add_gradient; `right` is set by the caller. */
    int (*principal)(const struct compiled_set *set, size_t i, const double *weights,
                     struct principal_leaf *leaves);
    void (*add_gradient)(const struct compiled_set *set, size_t i,
                         const struct principal_leaf *leaves, const double *by_value, int count,
                         double *by_weight);
};

extern const struct leaf_method dense_leaves, sparse_leaves;

/* How trees with sparse leaves grow (sparse_growth.c): their counts come from an evaluator, and each leaf is kept as the
 * difference from a leaf before it, or from nothing (replay.h). Functions of leaf_method. */
void *sparse_growth_begin(const void *compiling, struct error *err);
void sparse_growth_finish(void *worker);
bool sparse_growth_grow(void *worker, const struct compiling *c, size_t first, size_t end,
                        struct error *err);

static inline const uint32_t *compiled_tree_leaves(const struct compiled_set *set, size_t i)
{
    return set->leaves + set->positions[i].first_move;
}

/* Returns the array, moved if it has no room for `needed` items of `size` bytes. NULL if memory is
 * short; the array is then unchanged. */
static inline void *with_room(void *items, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return items;
    size_t wanted = 2 * *room > needed ? 2 * *room : needed + 255;
    void *moved = realloc(items, wanted * size);
    if (moved != NULL)
        *room = wanted;
    return moved;
}

/* ---- principal leaves ---- */

/* Folds a leaf into the stack as the replay kernels do, and keeps track of the leaf. */
static inline int fold_principal(struct principal_leaf *stack, int depth, int opens, int closes,
                                 const struct principal_leaf *leaf)
{
    for (int i = 0; i < opens; i++)
        stack[++depth].value = REPLAY_LOWEST;
    if (leaf->value > stack[depth].value) {
        stack[depth] = *leaf;
        stack[depth].view = depth % 2 == 0 ? 1 : -1;
    }
    for (int i = 0; i < closes; i++, depth--) {
        if (-stack[depth].value > stack[depth - 1].value) {
            stack[depth - 1] = stack[depth];
            stack[depth - 1].value = -stack[depth].value;
        }
    }
    return depth;
}

#endif
