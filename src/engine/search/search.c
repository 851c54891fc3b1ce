/* The search of a node. tree_search, at the end of the file, runs these steps:
 *
 *   1. Draws and mate distance pruning
 *   2. Quiescence when no depth remains
 *   3. Transposition table
 *   4. Static evaluation, corrected
 *   5. Pruning of the whole node: reverse futility, null move (which may reduce the depth instead),
 *      ProbCut, multi-cut
 *   6. Internal iterative deepening (Scott 1969) if there is no hash move, or reduction instead
 *   7. Singular extension
 *   8. Moves, by principal variation search (Marsland and Campbell 1982): each is pruned, or
 *      extended and reduced, and searched with a null window until it proves better
 *   9. Mate and stalemate
 *  10. Update of move ordering and transposition table
 *
 * The methods of steps 4, 5, 7 and 8 are in selective.h. */
#include "selective.h"

#include "attacks.h"

enum { IID_PLIES = 4 }; /* applies if more plies than this remain */

/* ---- 1. Draws and mate distance pruning ---- */

/* Whether the position is a draw by the rules. Mate takes precedence over the fifty moves. */
static bool is_draw(const struct tree *t, int ply)
{
    const struct position *p = &t->position;
    if (history_draws(&t->history, p, ply) || position_insufficient_material(p))
        return true;
    return history_fifty_moves(p) && (!position_in_check(p) || movegen_any(p));
}

/* Mate distance pruning: narrows the window to the best and worst mates possible from here. */
static void prune_mate_distance(int32_t *alpha, int32_t *beta, int ply)
{
    if (*alpha < -MATE + ply)
        *alpha = -MATE + ply;
    if (*beta > MATE - ply - 1)
        *beta = MATE - ply - 1;
}

/* ---- 3. Transposition table ---- */

/* Probes the table; a node that excludes a move has no entry. */
static void probe_table(struct tree *t, struct node *n)
{
    n->hit = tree_frame(t, n->ply)->excluded != NO_MOVE
                 ? (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL}
                 : tt_probe(&t->tt, tree_key(t), n->ply);
    n->on_pv = n->kind == NODE_PV || n->hit.on_pv;
}

/* ---- 4. Static evaluation ---- */

/* Prefetches the entries of the first children: memory takes about as long as the evaluation. */
static void prefetch_children(const struct tree *t, const struct node *n)
{
    if (tree_frame_const(t, n->ply - 1)->move != NO_MOVE)
        tt_prefetch(&t->tt, position_key_null(&t->position)); /* whose clock is 0 */
    const Move m = n->hit.move; /* that of another position, if keys collide */
    if (m != NO_MOVE && t->position.board[move_from(m)] != NO_KIND)
        tree_prefetch(t, m);
}

/* Rewards the move before by the evaluation (REWARD_RISE), which may take back a ply of its reduction (LMR_REGRET). */
static void judge_move_before(struct tree *t, struct node *n)
{
    const struct frame *before = tree_frame_const(t, n->ply - 1);
    if (n->ply < 1 || n->in_check || before->move == NO_MOVE || before->eval == NO_EVAL ||
        tree_frame_const(t, n->ply)->excluded != NO_MOVE)
        return;
    const int32_t rise = -n->eval - before->eval;
    if (param(t, REWARD_RISE) != 0 && is_quiet(before->move))
        ordering_reward_rise(&t->ordering, &t->position, &before->context, before->move,
                             param(t, REWARD_RISE) * rise);
    if (param(t, LMR_REGRET) != 0 && before->reduction >= param(t, LMR_REGRET) && rise >= 0)
        n->depth += PLY;
}

/* Detects check, evaluates, and compares the evaluation with that of two plies before. */
static void evaluate_node(struct tree *t, struct node *n)
{
    struct frame *f = tree_frame(t, n->ply);
    n->in_check = tree_in_check(t, n->ply);
    n->only_reply = n->in_check && movegen_count(&t->position) == 1;
    n->raw = n->in_check              ? NO_EVAL
             : n->hit.eval != NO_EVAL ? n->hit.eval
             : f->excluded != NO_MOVE ? f->raw
                                      : tree_evaluate_node(t, n->ply);
    n->eval = n->in_check ? NO_EVAL : tree_corrected(t, n->raw);
    n->bounded = n->in_check ? NO_EVAL : tree_bounded(t, &n->hit, n->eval);
    f->raw = n->raw;
    f->eval = n->eval;
    int32_t before = n->ply >= 2 ? tree_frame(t, n->ply - 2)->eval : NO_EVAL;
    n->improving = !n->in_check && n->eval > before;
    judge_move_before(t, n);
}

/* ---- 6. Internal iterative deepening ---- */

/* Finds a hash move by a shallower search if the table has none, or searches the node itself less deep. */
static void deepen_internally(struct tree *t, struct node *n)
{
    if (n->hit.move != NO_MOVE || n->depth <= PLY * IID_PLIES || n->kind == NODE_ALL ||
        tree_frame(t, n->ply)->excluded != NO_MOVE)
        return;
    if (param(t, IIR) != 0) {
        n->depth -= param(t, IIR);
        return;
    }
    tree_search(t, n->kind, n->alpha, n->beta, n->depth - 2 * PLY, n->ply);
    n->hit.move = tt_probe(&t->tt, tree_key(t), n->ply).move;
}

/* ---- 8. Moves ---- */

/* Omits the quiet moves without check that follow a pruned one, as all would be: they have less history, and a
 * promotion alone another bound of futility. Returns true. */
static bool prune_rest(const struct node *n, struct picker *picker, Move m)
{
    if (!move_is_promotion(m))
        picker_skip_quiets(picker, &n->checks);
    return true;
}

/* Whether a method prunes the move; else finds its reduction. Futility also raises the node's value to its bound. */
static bool prune_move(struct tree *t, struct node *n, struct picker *picker, Move m,
                       bool gives_check)
{
    const bool saved = n->best > -EVAL_LIMIT; /* from mate, by another move */
    if (!gives_check && futility_applies(t, n)) {
        int32_t bound = futility_bound(t, n, m);
        if (bound <= n->alpha) {
            n->best = bound > n->best ? bound : n->best;
            return true;
        }
    }
    if (saved && !gives_check && late_move_prunes(t, n, m))
        return prune_rest(n, picker, m);
    if (is_quiet(m) && (param(t, LMR_USE) | param(t, HISTORY_PRUNING_DEPTH)) != 0)
        n->history = ordering_score(&t->ordering, &t->position, n->context, m);
    n->reduction = late_move_reduction(t, n, m, gives_check);
    if (!saved)
        return false;
    if (gives_check)
        return param(t, SEE_PRUNING_CHECKS) != 0 && see_prunes(t, n, m);
    if (late_futility_prunes(t, n, m) || history_prunes(t, n, m))
        return prune_rest(n, picker, m);
    return see_prunes(t, n, m);
}

/* Searches after a move: the first with the whole window, later ones with a null window first. */
static int32_t search_child(struct tree *t, const struct node *n, int depth, int reduction)
{
    const bool pv = n->kind == NODE_PV, first = n->searched == 0;
    const enum node_kind child = n->kind == NODE_CUT ? NODE_ALL : NODE_CUT;
    int32_t value = n->alpha + 1;
    int ply = n->ply + 1;
    if (reduction > 0) {
        tree_frame(t, n->ply)->reduction = reduction;
        value = -tree_search(t, NODE_CUT, -n->alpha - 1, -n->alpha, depth - reduction, ply);
        tree_frame(t, n->ply)->reduction = 0;
        if (param(t, LMR_DEEPER) != 0 && value > n->best + param(t, LMR_DEEPER) && reduction > PLY)
            depth += PLY;
    }
    if (value > n->alpha && !(pv && first))
        value = -tree_search(t, child, -n->alpha - 1, -n->alpha, depth, ply);
    if (value > n->alpha && pv && (first || value < n->beta))
        value = -tree_search(t, NODE_PV, -n->beta, -n->alpha, depth, ply);
    return value;
}

int32_t tree_search_move(struct tree *t, struct node *n, Move m, bool gives_check)
{
    struct undo undo;
    int depth = n->depth - PLY + extension_of(t, n, m, gives_check);
    tree_make(t, n->ply, m, gives_check, &undo);
    int32_t value = search_child(t, n, depth, n->reduction);
    tree_unmake(t, m, &undo);
    return value;
}

/* Sets the principal variation: the move, then that of the child. */
static void extend_pv(struct tree *t, int ply, Move m)
{
    struct frame *f = tree_frame(t, ply), *child = tree_frame(t, ply + 1);
    f->pv[0] = m;
    f->pv_length = 1;
    for (int i = 0; i < child->pv_length && f->pv_length < MAX_PLY; i++)
        f->pv[f->pv_length++] = child->pv[i];
}

static void update_node(struct tree *t, struct node *n, Move m, int32_t value)
{
    if (value <= n->best)
        return;
    n->best = value;
    if (value <= n->alpha)
        return;
    n->alpha = value;
    n->best_move = m;
    if (n->kind == NODE_PV)
        extend_pv(t, n->ply, m);
}

/* Records a move that did not fail high. */
static void record_tried(struct node *n, Move m)
{
    n->searched++;
    if (is_quiet(m) && n->quiet_count < (int)(sizeof n->quiets / sizeof *n->quiets))
        n->quiets[n->quiet_count++] = m;
    if (!is_quiet(m) && n->capture_count < (int)(sizeof n->captures / sizeof *n->captures))
        n->captures[n->capture_count++] = m;
}

static void try_move(struct tree *t, struct node *n, struct picker *picker, Move m)
{
    tree_prefetch(t, m); /* memory takes longer than to decide whether the move is pruned */
    bool gives_check = move_gives_check(&t->position, &n->checks, m);
    if (prune_move(t, n, picker, m, gives_check))
        return;
    tree_frame(t, n->ply + 1)->pv_length = 0;
    int32_t value = tree_search_move(t, n, m, gives_check);
    if (t->stopped)
        return;
    update_node(t, n, m, value);
    if (n->alpha < n->beta)
        record_tried(n, m);
}

/* Tries the moves that the picker gives until one fails high. False if it gives none. */
static inline bool try_moves(struct tree *t, struct node *n, struct picker *picker,
                             Move (*next)(struct picker *))
{
    const Move excluded = tree_frame(t, n->ply)->excluded;
    bool any = false;
    Move m;
    while (n->alpha < n->beta && !t->stopped && (m = next(picker)) != NO_MOVE) {
        any = true;
        if (m != excluded)
            try_move(t, n, picker, m);
    }
    return any;
}

/* Prunes all quiet moves that are left and give no check, without generating them, if futility
 * prunes each. True if it prunes any. */
static bool prune_quiets(struct tree *t, struct node *n, struct picker *picker)
{
    if (n->alpha >= n->beta || t->stopped || !futility_prunes_quiets(t, n) ||
        !picker_only_checks(picker, &n->checks))
        return false;
    int32_t bound = futility_bound_of_quiets(t, n);
    n->best = bound > n->best ? bound : n->best;
    return true;
}

/* The squares that a side attacks. */
static Bitboard attacked_by(const struct position *p, enum color side)
{
    Bitboard attacked =
        pawns_attacks(side, position_pieces(p, side, PAWN)) | king_attacks(position_king(p, side));
    for (enum kind kind = KNIGHT; kind <= QUEEN; kind++)
        for (Bitboard set = position_pieces(p, side, kind); set != 0;)
            attacked |= piece_attacks(kind, bits_pop(&set), position_occupied(p));
    return attacked;
}

void node_begin_moves(struct tree *t, struct node *n)
{
    const struct position *p = &t->position;
    check_squares_find(p, &n->checks);
    if (param(t, HISTORY_THREATS) != 0)
        n->context->threats = attacked_by(p, color_other((enum color)p->side));
    if (param(t, HISTORY_PAWNS) != 0)
        n->context->pawns = 1 + (int)pawns_index(p, PAWN_SETS_BITS);
}

/* Searches the picker's moves until one fails high. False if there is no legal move. */
static bool search_moves(struct tree *t, struct node *n)
{
    struct picker picker;
    tree_frame(t, n->ply)->verifying = n->verifying;
    node_begin_moves(t, n);
    picker_init(&picker, &t->position, &t->ordering, n->context, n->ply, n->hit.move, n->in_check);
    bool any = try_moves(t, n, &picker, picker_next_good);
    any |= prune_quiets(t, n, &picker);
    return any | try_moves(t, n, &picker, picker_next);
}

/* ---- 10. Update of move ordering and transposition table ---- */

static enum bound bound_of(const struct node *n)
{
    if (n->best >= n->beta)
        return BOUND_LOWER;
    return n->best_move != NO_MOVE ? BOUND_EXACT : BOUND_UPPER;
}

/* Rewards the quiet move that failed high. History alone has no killers and replies. */
static void reward(struct tree *t, const struct node *n)
{
    static const struct context none = {{-1, -1, -1}};
    const bool alone = param(t, ORDERING_HISTORY_ALONE) != 0;
    if (!alone)
        ordering_add_killer(&t->ordering, n->ply, n->best_move);
    ordering_reward(&t->ordering, &t->position, alone ? &none : n->context, n->depth, n->best_move,
                    n->quiets, n->quiet_count);
}

/* Rewards the quiet move before a node that fails low (REWARD_REPLIES). */
static void reward_before(struct tree *t, const struct node *n)
{
    const struct frame *before = tree_frame_const(t, n->ply - 1);
    if (param(t, REWARD_REPLIES) == 0 || n->ply < 1 || before->move == NO_MOVE ||
        !is_quiet(before->move))
        return;
    ordering_reward_before(&t->ordering, &t->position, &before->context, n->depth, before->move,
                           before->piece_to);
}

/* Rewards what failed high, learns the evaluation's error, and stores the node. */
static void update_tables(struct tree *t, const struct node *n)
{
    tree_frame(t, n->ply)->cutoffs += n->best >= n->beta;
    if (n->best_move == NO_MOVE && tree_frame(t, n->ply)->excluded == NO_MOVE)
        reward_before(t, n);
    if (n->best >= n->beta && is_quiet(n->best_move))
        reward(t, n);
    if (n->best >= n->beta && n->best_move != NO_MOVE && param(t, CAPTURE_HISTORY) != 0)
        ordering_reward_captures(&t->ordering, &t->position, n->depth, n->best_move, n->captures,
                                 n->capture_count);
    correction_learn(t, n);
    if (tree_frame(t, n->ply)->excluded != NO_MOVE)
        return;
    const struct tt_hit found = {
        .bound = bound_of(n),
        .move = n->best_move,
        .depth = verified_null_move_stored_depth(t, n),
        .on_pv = n->on_pv,
        .value = n->best,
        .eval = n->raw,
    };
    tt_store(&t->tt, tree_key(t), n->ply, &found);
}

/* ---- The node ---- */

void node_init(struct tree *t, struct node *n, enum node_kind kind, int32_t alpha, int32_t beta,
               int depth, int ply)
{
    n->kind = kind;
    n->alpha = alpha;
    n->beta = beta;
    n->depth = depth;
    n->ply = ply;
    n->only_reply = n->mate_threat = n->fail_high = false;
    n->verifying = tree_frame(t, ply)->verifying = tree_frame(t, ply - 1)->verifying;
    n->singular = 0;
    n->best = -INFINITE_SCORE;
    n->best_move = NO_MOVE;
    n->searched = n->quiet_count = n->capture_count = 0;
    tree_frame(t, ply + 2)->cutoffs = 0;
    const int earlier =
        param(t, HISTORY_PLIES) != 0 && ply >= 2 ? tree_frame(t, ply - 4)->piece_to : -1;
    n->context = &tree_frame(t, ply)->context;
    *n->context = (struct context){
        {tree_frame(t, ply - 1)->piece_to, tree_frame(t, ply - 2)->piece_to, earlier}};
    tree_frame(t, ply)->pv_length = tree_frame(t, ply)->reduction = 0;
}

int32_t tree_search(struct tree *t, enum node_kind kind, int32_t alpha, int32_t beta, int depth,
                    int ply)
{
    struct node n;
    int32_t value = 0;
    if (tree_enter(t, ply))
        return 0;

    /* 1. Draws and mate distance pruning */
    if (is_draw(t, ply))
        return 0;
    prune_mate_distance(&alpha, &beta, ply);
    if (alpha >= beta)
        return alpha;

    /* 2. Quiescence */
    if (depth <= 0 || ply >= MAX_PLY - 1)
        return tree_quiesce(t, alpha, beta, ply, 0, NO_SQUARE);

    /* 3. Transposition table */
    node_init(t, &n, kind, alpha, beta, depth, ply);
    probe_table(t, &n);
    if (node_table_cuts(t, &n)) {
        if (param(t, REWARD_REPLIES) != 0 && n.hit.value >= beta && n.hit.move != NO_MOVE &&
            is_quiet(n.hit.move) && movegen_is_legal(&t->position, n.hit.move))
            ordering_reward(&t->ordering, &t->position, n.context, depth, n.hit.move, NULL, 0);
        return n.hit.value;
    }

    /* 4. Static evaluation */
    prefetch_children(t, &n);
    evaluate_node(t, &n);

    /* 5. Pruning of the whole node */
    if (reverse_futility_cuts(t, &n))
        return n.bounded;
    if (null_move_prune(t, &n, &value) || t->stopped)
        return value;
    if (probcut_prune(t, &n, &value) || t->stopped)
        return value;
    if (multi_cut_prune(t, &n) || t->stopped)
        return n.beta;

    /* 6. Internal iterative deepening */
    deepen_internally(t, &n);

    /* 7. Singular extension */
    if (t->stopped || singular_extend(t, &n, &value) || t->stopped)
        return value;

    /* 8. Moves */
    bool any = search_moves(t, &n);
    if (any && verification_fails(t, &n)) {
        verification_restart(&n);
        search_moves(t, &n);
    }
    if (t->stopped)
        return 0;

    /* 9. Mate and stalemate */
    if (!any)
        return n.in_check ? -MATE + ply : 0;

    /* 10. Update of move ordering and transposition table */
    update_tables(t, &n);
    return n.best;
}
