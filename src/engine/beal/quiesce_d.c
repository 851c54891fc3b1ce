#include "quiesce_d.h"

#include "ordering.h"

/* Branching is measured at nodes with at least this many remaining plies. */
enum { BRANCHING_DEPTH = 2 };

/* A node. */
struct quiesce_node {
    int32_t lower, upper;
    int depth, ply;
    bool in_check;
    struct range_entry entry; /* the stored entry */
    struct fat_value fat;     /* LOWER, bestv and UPPER so far */
    Move best_move;
    struct context context;
    int quiet_count;
    Move quiets[64]; /* quiet moves that did not fail high, up to the size */
};

/* ---- stored results ---- */

/* The bound type of a value in a window. */
static enum bound bound_of(int32_t value, int32_t lower, int32_t upper)
{
    return value >= upper ? BOUND_LOWER : value <= lower ? BOUND_UPPER : BOUND_EXACT;
}

/* Whether the reliable range settles the node; the value then comes from the range. */
static bool range_settles(const struct quiesce_node *n, struct fat_value *found)
{
    *found = n->entry.fat;
    if (found->lower >= n->upper)
        found->value = found->lower;
    else if (found->upper <= n->lower)
        found->value = found->upper;
    else
        return found->lower == found->upper;
    return true;
}

/* Whether the value of an equally deep search settles the node. A bound does so only outside the
 * window. */
static bool value_settles(const struct quiesce_node *n)
{
    const struct range_entry *e = &n->entry;
    enum bound wanted = bound_of(e->fat.value, n->lower, n->upper);
    return e->depth >= n->depth && (e->bound & wanted) == wanted;
}

/* ---- 5. the null move ---- */

/* Starts with the value of passing if allowed, else with the known lower bound. */
static void pass(struct beal_tree *t, struct quiesce_node *n)
{
    struct fat_value *f = &n->fat;
    if (!n->in_check) {
        f->value = f->upper = beal_null_value(t, t->order - 1, n->lower, n->upper, n->ply);
        if (f->value > n->lower && f->value > f->lower)
            f->lower = f->value;
    }
    if (f->value < f->lower)
        f->value = f->lower;
}

/* ---- 6. the moves ---- */

/* Whether position_key_hint is exact for the move. */
static bool key_is_known(const struct position *p, Move m)
{
    enum kind kind = p->board[move_from(m)];
    if (move_flag(m) != QUIET && move_flag(m) != CAPTURE)
        return false;
    return p->castling == 0 || (kind != KING && kind != ROOK && p->board[move_to(m)] != ROOK);
}

/* Whether the stored range of the position after the move shows that it is not worth more than
 * `alpha`. */
static bool is_refuted(const struct beal_tree *t, const struct quiesce_node *n, Move m,
                       int32_t alpha, struct fat_value *found)
{
    const struct position *p = &t->position;
    if (!key_is_known(p, m))
        return false;
    *found = fat_negate(range_table_probe(&t->ranges, position_key_hint(p, m), n->ply + 1).fat);
    found->value = found->upper;
    return found->upper <= alpha;
}

/* Combines the value of a move into the node; rewards a quiet move that fails high. */
static void back_up(struct beal_tree *t, struct quiesce_node *n, Move m, const struct fat_value *f)
{
    t->branching.moves += n->depth >= BRANCHING_DEPTH;
    if (f->value > n->fat.value)
        n->best_move = m;
    n->fat = fat_join(n->fat, *f);
    if (!is_quiet(m))
        return;
    if (n->fat.value >= n->upper)
        ordering_reward(&t->ordering, &t->position, &n->context, n->ply, n->depth * PLY, m,
                        n->quiets, n->quiet_count);
    else if (n->quiet_count < (int)(sizeof n->quiets / sizeof n->quiets[0]))
        n->quiets[n->quiet_count++] = m;
}

/* Searches a move unless the table refutes it. */
static void try_move(struct beal_tree *t, struct quiesce_node *n, Move m)
{
    struct fat_value found;
    struct undo undo;
    int32_t alpha = n->fat.value > n->lower ? n->fat.value : n->lower;
    if (!is_refuted(t, n, m, alpha, &found)) {
        beal_make(t, n->ply, m, &undo);
        found = fat_negate(quiesce_d(t, -n->upper, -alpha,
                                     quiesce_d_child_depth(n->depth, n->in_check), n->ply + 1));
        beal_unmake(t, m, &undo);
        t->branching.selected += n->depth >= BRANCHING_DEPTH && t->open;
    }
    if (!t->stopped)
        back_up(t, n, m, &found);
}

/* Searches the moves until one fails high. */
static void try_moves(struct beal_tree *t, struct quiesce_node *n)
{
    struct picker k;
    Move m;
    t->branching.interior += n->depth >= BRANCHING_DEPTH;
    n->context = (struct context){{t->played[n->ply + 1], t->played[n->ply]}};
    picker_init(&k, &t->position, &t->ordering, &n->context, n->ply, n->entry.move, n->in_check);
    while (n->fat.value < n->upper && (m = picker_next(&k)) != NO_MOVE && !beal_poll(t))
        try_move(t, n, m);
}

/* ---- the node ---- */

/* The value of a position without a legal move. */
static struct fat_value no_move(const struct quiesce_node *n)
{
    return fat_exact(n->in_check ? -MATE + n->ply : 0);
}

/* Stores the result of the node, combined with the stored entry. */
static void store(struct beal_tree *t, struct quiesce_node *n)
{
    struct range_entry *e = &n->entry;
    e->bound = bound_of(n->fat.value, n->lower, n->upper);
    if (e->bound == BOUND_LOWER)
        n->fat.upper = INFINITE_SCORE;
    e->fat = n->fat = fat_meet(n->fat, e->fat);
    e->depth = n->depth;
    e->move = n->best_move;
    range_table_store(&t->ranges, t->position.key, n->ply, e);
}

/* Steps 4 to 7 of the header. */
static struct fat_value expand(struct beal_tree *t, struct quiesce_node *n)
{
    n->fat = (struct fat_value){n->entry.fat.lower, -INFINITE_SCORE, -INFINITE_SCORE};
    n->best_move = NO_MOVE;
    n->quiet_count = 0;
    if (!movegen_any(&t->position))
        return no_move(n);
    pass(t, n);
    bool open = n->fat.value < n->upper;
    if (open)
        try_moves(t, n);
    if (t->stopped)
        return fat_unknown(0);
    store(t, n);
    t->open = open;
    return n->fat;
}

struct fat_value quiesce_d(struct beal_tree *t, int32_t lower, int32_t upper, int depth, int ply)
{
    struct quiesce_node n;
    struct fat_value found;
    const struct position *p = &t->position;
    t->open = false;
    if (beal_poll(t) || history_draws(&t->history, p, ply))
        return fat_unknown(0);
    n.lower = lower, n.upper = upper;
    n.depth = depth, n.ply = ply;
    n.entry = range_table_probe(&t->ranges, p->key, ply);
    if (range_settles(&n, &found))
        return found;
    n.in_check = position_in_check(p);
    if ((depth == 0 && !n.in_check) || ply >= MAX_PLY - 1)
        return fat_meet(fat_unknown(beal_value(t, t->order - 1, lower, upper, ply)), n.entry.fat);
    return value_settles(&n) ? n.entry.fat : expand(t, &n);
}
