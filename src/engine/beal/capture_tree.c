#include "capture_tree.h"

#include "balance.h"
#include "mate_in_one.h"
#include "ordering.h"

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

static int32_t search(struct beal_tree *t, int32_t lower, int32_t upper, int ply, bool first);

/* ---- moves ---- */

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

/* ---- checkmates ---- */

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

/* ---- the node ---- */

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
        int32_t value = -search(t, -n->upper, -alpha, n->ply + 1, false);
        beal_unmake(t, m, &undo);
        n->best = value > n->best ? value : n->best;
    }
}

/* Searches a node by the steps of the header. */
static int32_t search(struct beal_tree *t, int32_t lower, int32_t upper, int ply, bool first)
{
    struct capture_node n;
    const struct position *p = &t->position;
    if (t->checkmates && position_in_check(p) && !movegen_any(p))
        return -MATE + ply;
    int32_t pass = beal_evaluate(t);
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
    return search(t, lower, upper, ply, true);
}
