#include "beal_tree.h"

#include "balance.h"
#include "mate_in_one.h"
#include "ordering.h"

/* Nodes between two polls. */
enum { POLL_NODES = 1024 };

/* ---- moving ---- */

/* Records the move that is about to be made. */
static void record_move(struct beal_tree *t, int ply, int played)
{
    t->played[ply + 2] = played;
    t->nodes++;
    history_push(&t->history, &t->position);
}

void beal_make(struct beal_tree *t, int ply, Move m, struct undo *undo)
{
    record_move(t, ply, piece_square(t->position.board[move_from(m)], move_to(m)));
    position_make(&t->position, m, undo);
}

void beal_unmake(struct beal_tree *t, Move m, const struct undo *undo)
{
    position_unmake(&t->position, m, undo);
    history_pop(&t->history);
}

bool beal_poll_now(struct beal_tree *t)
{
    bool (*stop)(void *) = t->observer->stop;
    uint64_t left = t->node_limit - t->nodes;
    t->stopped = t->stopped || left == 0 || (stop != NULL && stop(t->observer->context));
    t->next_poll = t->nodes + (left < POLL_NODES ? left : POLL_NODES);
    return t->stopped;
}

/* ---- evaluating ---- */

/* The static evaluation, the basis of order 1. */
static int32_t evaluate_tree(const struct beal_tree *t)
{
    return t->material ? balance(&t->position) : evaluate(&t->position, &t->weights);
}

/* The value of an order: of order 0 the static evaluation, of order 1 the capture tree, above it
 * QUIESCE. The order below its own is what QUIESCE uses as its evaluation, `evaluate(lower, upper)` in
 * the figures. Fail-soft. */
static int32_t value_of(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply)
{
    if (order == 0)
        return evaluate_tree(t);
    return order == 1 ? capture_tree_search(t, lower, upper, ply)
                      : higher_order_search(t, order, lower, upper, HIGHER_ORDER_PLIES, ply);
}

int32_t beal_null_value(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply)
{
    struct undo undo;
    if (beal_poll(t))
        return 0;
    record_move(t, ply, -1);
    position_make_null(&t->position, &undo);
    int32_t value = -value_of(t, order, -upper, -lower, ply + 1);
    position_unmake_null(&t->position, &undo);
    history_pop(&t->history);
    return value;
}

/* ---- the capture tree ---- */

/* A node of the capture tree. Its lists stay uninitialised until filled. */
struct capture_node {
    int32_t lower, upper;
    int ply;
    bool first;   /* of the tree */
    int32_t pass; /* the evaluation */
    int32_t best;
    struct check_squares checks; /* set if checkmates are detected */
    struct move_list list;
    int32_t scores[MAX_MOVES];
};

static int32_t search_capture_node(struct beal_tree *t, int32_t lower, int32_t upper, int ply,
                                   bool first);

/* Adds quiet underpromotions, which movegen_captures omits. */
static void add_underpromotions(const struct position *p, struct move_list *list)
{
    struct move_list all;
    Bitboard seventh = rank_bits(p->side == WHITE ? 6 : 1);
    Bitboard pawns = position_pieces(p, p->side, PAWN) & seventh;
    if (pawns == 0)
        return;
    movegen_between(p, pawns, ~position_occupied(p), &all);
    for (int i = 0; i < all.count; i++)
        if (move_is_promotion(all.moves[i]) && is_quiet(all.moves[i]))
            list->moves[list->count++] = all.moves[i];
}

static void list_captures(const struct position *p, struct capture_node *n)
{
    movegen_captures(p, &n->list);
    add_underpromotions(p, &n->list);
    for (int i = 0; i < n->list.count; i++)
        n->scores[i] = mvv_lva_score(p, n->list.moves[i]);
}

/* Whether a move mates. */
static bool try_mate(struct beal_tree *t, int ply, Move m)
{
    struct undo undo;
    beal_make(t, ply, m, &undo);
    bool mated = !movegen_any(&t->position);
    beal_unmake(t, m, &undo);
    return mated;
}

/* Whether one of the moves that may mate does. */
static bool find_mate(struct beal_tree *t, const struct capture_node *n)
{
    struct move_list list;
    mate_candidates(&t->position, &n->checks, &n->list, &list);
    for (int i = 0; i < list.count && !beal_poll(t); i++)
        if (try_mate(t, n->ply, list.moves[i]))
            return true;
    return false;
}

/* Whether to skip a capture because `bound`, the evaluation plus its gain, does not exceed alpha. A
 * mate is worth more than that; at the first node all mates have been tried. */
static bool is_futile(const struct beal_tree *t, const struct capture_node *n, Move m,
                      int32_t bound, int32_t alpha)
{
    return t->material && bound <= alpha &&
           !(t->checkmates && !n->first && may_mate(&t->position, &n->checks, m));
}

/* Step 4. */
static void search_captures(struct beal_tree *t, struct capture_node *n)
{
    for (int i = 0; i < n->list.count && n->best < n->upper && !beal_poll(t); i++) {
        struct undo undo;
        Move m = pick_best(&n->list, n->scores, i);
        int32_t alpha = n->best > n->lower ? n->best : n->lower;
        int32_t bound = n->pass + balance_gain(&t->position, m);
        if (is_futile(t, n, m, bound, alpha)) {
            n->best = bound > n->best ? bound : n->best;
            continue;
        }
        beal_make(t, n->ply, m, &undo);
        int32_t value = -search_capture_node(t, -n->upper, -alpha, n->ply + 1, false);
        beal_unmake(t, m, &undo);
        n->best = value > n->best ? value : n->best;
    }
}

/* Searches a node by the steps of the header. */
static int32_t search_capture_node(struct beal_tree *t, int32_t lower, int32_t upper, int ply,
                                   bool first)
{
    struct capture_node n;
    const struct position *p = &t->position;
    if (t->checkmates && position_in_check(p) && !movegen_any(p))
        return -MATE + ply;
    int32_t pass = evaluate_tree(t);
    if (pass >= upper || ply >= MAX_PLY - 1)
        return pass;
    n.lower = lower, n.upper = upper;
    n.ply = ply, n.first = first;
    n.pass = n.best = pass;
    list_captures(p, &n);
    if (t->checkmates)
        check_squares_find(p, &n.checks);
    if (t->checkmates && first && find_mate(t, &n))
        return MATE - ply - 1;
    search_captures(t, &n);
    return n.best;
}

int32_t capture_tree_search(struct beal_tree *t, int32_t lower, int32_t upper, int ply)
{
    return search_capture_node(t, lower, upper, ply, true);
}

/* ---- higher orders ---- */

/* The best of passing and the moves. The side to move has a move. */
static int32_t search_all_moves(struct beal_tree *t, int order, int32_t lower, int32_t upper,
                                int depth, int ply)
{
    const bool in_check = position_in_check(&t->position);
    const struct context context = {{t->played[ply + 1], t->played[ply]}};
    int32_t best = in_check ? -INFINITE_SCORE : beal_null_value(t, order - 1, lower, upper, ply);
    struct picker k;
    Move m;
    picker_init(&k, &t->position, &t->ordering, &context, ply, NO_MOVE, in_check);
    while (best < upper && (m = picker_next(&k)) != NO_MOVE && !beal_poll(t)) {
        const int32_t alpha = best > lower ? best : lower;
        const int left = quiesce_d_child_depth(depth, in_check);
        struct undo undo;
        beal_make(t, ply, m, &undo);
        const int32_t value = -higher_order_search(t, order, -upper, -alpha, left, ply + 1);
        beal_unmake(t, m, &undo);
        best = value > best ? value : best;
    }
    return best;
}

int32_t higher_order_search(struct beal_tree *t, int order, int32_t lower, int32_t upper, int depth,
                            int ply)
{
    const struct position *p = &t->position;
    if (beal_poll(t) || history_draws(&t->history, p, ply))
        return 0;
    if ((depth == 0 && !position_in_check(p)) || ply >= MAX_PLY - 1)
        return value_of(t, order - 1, lower, upper, ply);
    if (!movegen_any(p))
        return position_in_check(p) ? -MATE + ply : 0;
    return search_all_moves(t, order, lower, upper, depth, ply);
}

/* ---- QUIESCE-D ---- */

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
        return fat_meet(fat_unknown(value_of(t, t->order - 1, lower, upper, ply)), n.entry.fat);
    return value_settles(&n) ? n.entry.fat : expand(t, &n);
}
