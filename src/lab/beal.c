#include "beal.h"

#include "attacks.h"
#include "ordering.h"
#include "see.h"
#include "wide.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKET = 4,         /* slots of the table that a position may take */
    POLL_NODES = 1024,  /* nodes between two polls */
    BRANCHING_DEPTH = 2 /* plies that remain where branching is measured, at least */
};

/* What is known of a position, by its key. The reliable range is a fact of the position: it holds at any
 * depth and only narrows. The value is that of a search to `depth` plies. Two fill a cache line. */
struct range {
    uint64_t key;
    struct fat_value fat; /* in the table, mates count from the position itself */
    Move move;            /* the best or refuting move, or NO_MOVE; legal unless keys collide */
    uint16_t epoch;       /* of beal_clear, 1 or more; of another epoch the slot is free */
    uint8_t depth;
    uint8_t bound; /* relation of fat.value to the exact value; BOUND_NONE: no value */
};

/* A root move and its combined result over all iterations. */
struct choice {
    Move move;
    struct fat_value fat; /* the range from all iterations, the value from the last */
};

struct beal {
    /* the settings */
    int order;       /* its evaluation is the value of the order below */
    bool material;   /* `weights` are material alone, which has a faster evaluation */
    bool checkmates; /* the capture tree sees checkmates */
    struct eval_weights weights;
    /* what is learned */
    struct range *ranges;
    size_t range_count; /* a multiple of BUCKET */
    uint16_t epoch;
    struct ordering ordering;
    /* the running search */
    struct position position;
    struct history history;
    int played[MAX_PLY +
               2]; /* piece_square of the move made at each ply, -1 for a null move; two entries
                                before the root, so that every node can look back two plies */
    uint64_t nodes, node_limit, next_poll;
    bool stopped;
    const struct search_observer *observer;
    struct beal_branching branching;
    bool open; /* the null move of the last node searched did not fail high */
    /* its root */
    struct choice choices[MAX_MOVES]; /* best first */
    int count;
    bool in_check;
    int32_t pass; /* value of passing at the root; -INFINITE_SCORE if not allowed */
    int iteration;
    int32_t value; /* the best so far */
    Move reported; /* the best move reported last */
};

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* ---- fat values ---- */

static const struct fat_value unknown = {-INFINITE_SCORE, 0, INFINITE_SCORE};

static struct fat_value fat_exact(int32_t value)
{
    return (struct fat_value){value, value, value};
}

/* The same value for the other side. */
static struct fat_value fat_negate(struct fat_value f)
{
    return (struct fat_value){-f.upper, -f.value, -f.lower};
}

/* The maximum of two options, component by component. */
static struct fat_value fat_join(struct fat_value f, struct fat_value g)
{
    return (struct fat_value){greater(f.lower, g.lower), greater(f.value, g.value),
                              greater(f.upper, g.upper)};
}

static struct fat_value fat_clamp(int32_t value, int32_t lower, int32_t upper)
{
    return (struct fat_value){lower, value < lower ? lower : lesser(value, upper), upper};
}

/* Two searches of the same position: the ranges' intersection, and the value of the first within it. */
static struct fat_value fat_meet(struct fat_value f, struct fat_value g)
{
    return fat_clamp(f.value, greater(f.lower, g.lower), lesser(f.upper, g.upper));
}

/* ---- the table of ranges ---- */

/* Shifts a mate score by `plies`; leaves other values, infinite ones too, unchanged. */
static int32_t shift_mate(int32_t value, int plies)
{
    const bool mate = value > EVAL_LIMIT && value < INFINITE_SCORE;
    const bool mated = value < -EVAL_LIMIT && value > -INFINITE_SCORE;
    return mate ? value - plies : mated ? value + plies : value;
}

static struct fat_value shift_mates(struct fat_value f, int plies)
{
    return (struct fat_value){shift_mate(f.lower, plies), shift_mate(f.value, plies),
                              shift_mate(f.upper, plies)};
}

static struct range *bucket_of(const struct beal *b, uint64_t key)
{
    return &b->ranges[(size_t)wide_product(key, b->range_count / BUCKET).high * BUCKET];
}

/* What is known of a position `ply` plies from the root. */
static struct range probe(const struct beal *b, uint64_t key, int ply)
{
    const struct range *s = bucket_of(b, key);
    for (int i = 0; i < BUCKET; i++, s++)
        if (s->epoch == b->epoch && s->key == key) {
            struct range found = *s;
            found.fat = shift_mates(s->fat, ply);
            return found;
        }
    return (struct range){.fat = unknown, .bound = BOUND_NONE, .move = NO_MOVE};
}

/* Stores what is known in the slot of the same position, else in the shallowest of the bucket. */
static void store(struct beal *b, uint64_t key, int ply, struct range known)
{
    struct range *s = bucket_of(b, key), *least = NULL;
    int fewest = MAX_DEPTH + 1;
    for (int i = 0; i < BUCKET; i++, s++) {
        const bool used = s->epoch == b->epoch;
        if (used && s->key == key) {
            known.move = known.move == NO_MOVE ? s->move : known.move;
            least = s;
            break;
        }
        if ((used ? s->depth : -1) < fewest) {
            fewest = used ? s->depth : -1;
            least = s;
        }
    }
    known.key = key;
    known.epoch = b->epoch;
    known.fat = shift_mates(known.fat, -ply);
    *least = known;
}

/* ---- life cycle ---- */

/* When the epoch counter wraps, the table is emptied. */
void beal_clear(struct beal *b)
{
    ordering_clear(&b->ordering);
    if (++b->epoch != 0)
        return;
    memset(b->ranges, 0, b->range_count * sizeof *b->ranges);
    b->epoch = 1;
}

struct beal *beal_create(const struct beal_settings *settings, int hash_mib, struct error *err)
{
    const struct eval_weights material = eval_material_weights();
    const size_t bytes = (size_t)hash_mib << 20;
    struct beal *b = calloc(1, sizeof *b);
    if (b == NULL || (b->ranges = calloc(1, bytes)) == NULL) {
        free(b);
        return error_null(err, "no memory for a searcher with a table of ranges of %d MiB",
                          hash_mib);
    }
    b->order = settings->order;
    b->weights = settings->weights;
    b->material = memcmp(&settings->weights, &material, sizeof material) == 0;
    b->checkmates = !settings->no_checkmates;
    b->range_count = bytes / sizeof *b->ranges / BUCKET * BUCKET;
    b->epoch = 1;
    return b;
}

void beal_destroy(struct beal *b)
{
    if (b != NULL)
        free(b->ranges);
    free(b);
}

/* ---- moving ---- */

static void record_move(struct beal *b, int ply, int played)
{
    b->played[ply + 2] = played;
    b->nodes++;
    history_push(&b->history, &b->position);
}

static void make(struct beal *b, int ply, Move m, struct undo *undo)
{
    record_move(b, ply, piece_square(b->position.board[move_from(m)], move_to(m)));
    position_make(&b->position, m, undo);
}

static void unmake(struct beal *b, Move m, const struct undo *undo)
{
    position_unmake(&b->position, m, undo);
    history_pop(&b->history);
}

/* Checks the limit of nodes, and asks the observer now and then. True once the search must stop; before
 * every node, so that the limit is exact. */
static bool poll(struct beal *b)
{
    if (b->nodes < b->next_poll)
        return b->stopped;
    bool (*stop)(void *) = b->observer->stop;
    const uint64_t left = b->node_limit - b->nodes;
    b->stopped = b->stopped || left == 0 || (stop != NULL && stop(b->observer->context));
    b->next_poll = b->nodes + (left < POLL_NODES ? left : POLL_NODES);
    return b->stopped;
}

/* ---- evaluating ----
 *
 * Values are for the side to move, `ply` plies from the root, and undefined once the search must stop.
 * They are fail-soft: up to `lower` an upper bound, from `upper` on a lower bound. */

int32_t beal_balance(const struct position *p)
{
    int32_t sum = 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        sum += see_values[kind] * (bits_count(position_pieces(p, p->side, kind)) -
                                   bits_count(position_pieces(p, color_other(p->side), kind)));
    return sum;
}

/* The value of order 0, the basis of order 1. */
static int32_t evaluate_tree(const struct beal *b)
{
    return b->material ? beal_balance(&b->position) : evaluate(&b->position, &b->weights);
}

static int32_t capture_tree(struct beal *b, int32_t lower, int32_t upper, int ply, bool first);
static int32_t quiesce(struct beal *b, int order, int32_t lower, int32_t upper, int depth, int ply);

/* The value of an order: of the one below, `evaluate(lower, upper)` in the figures. */
static int32_t value_of(struct beal *b, int order, int32_t lower, int32_t upper, int ply)
{
    return order == 0   ? evaluate_tree(b)
           : order == 1 ? capture_tree(b, lower, upper, ply, true)
                        : quiesce(b, order, lower, upper, HIGHER_ORDER_PLIES, ply);
}

/* The value of passing, not in check: the order searches the opponent's replies. */
static int32_t null_value(struct beal *b, int order, int32_t lower, int32_t upper, int ply)
{
    struct undo undo;
    if (poll(b))
        return 0;
    record_move(b, ply, -1);
    position_make_null(&b->position, &undo);
    const int32_t value = -value_of(b, order, -upper, -lower, ply + 1);
    position_unmake_null(&b->position, &undo);
    history_pop(&b->history);
    return value;
}

/* ---- mates in one ---- */

/* Whether the king has a safe adjacent square after a move of one piece. Sliders attack through the
 * square that the king leaves. */
static bool has_flight(const struct position *p, int king, Move m)
{
    const int from = move_from(m), to = move_to(m);
    const Bitboard occupied = (position_occupied(p) & ~bit(from) & ~bit(king)) | bit(to);
    const Bitboard others = p->by_color[p->side] & ~bit(from);
    const enum kind kind = p->board[from];
    Bitboard flights = king_attacks(king) & ~p->by_color[p->side ^ 1] & ~bit(to);
    flights &= ~(kind == PAWN ? pawn_attacks(p->side, to) : piece_attacks(kind, to, occupied));
    while (flights != 0)
        if ((position_attackers(p, bits_pop(&flights), occupied) & others) == 0)
            return true;
    return false;
}

/* Whether a legal move gives check and leaves the king no evident flight. Every mate passes this test, and
 * few other moves do. Castling, en passant and promotions change the places of more than one piece, and
 * are not tested for flights. */
static bool may_mate(const struct position *p, const struct check_squares *c, Move m)
{
    const bool plain = move_flag(m) == CAPTURE || move_flag(m) <= DOUBLE_PUSH;
    return move_gives_check(p, c, m) && !(plain && has_flight(p, c->king, m));
}

/* Whether one of the moves mates: node by node, those that may. */
static bool one_mates(struct beal *b, const struct check_squares *c, const struct move_list *list,
                      int ply)
{
    for (int i = 0; i < list->count; i++) {
        struct undo undo;
        if (!may_mate(&b->position, c, list->moves[i]))
            continue;
        if (poll(b))
            return false;
        make(b, ply, list->moves[i], &undo);
        const bool mated = !movegen_any(&b->position);
        unmake(b, list->moves[i], &undo);
        if (mated)
            return true;
    }
    return false;
}

/* ---- order 1: the capture tree (sections 5 to 7) ----
 *
 * On material, QUIESCE examines all moves, but only captures and promotions get past the null move. The other moves
 * form a fringe of one ply (section 6), which this search omits. The value does not change: without checkmates it
 * equals that of QUIESCE as in Figure 3, where the null move counts in check too because it stands for the
 * evaluation. With other evaluations than material the value is still that of the capture tree.
 *
 *   1. A side in check without a legal move is mated.
 *   2. The evaluation is the value of passing; it may fail high.
 *   3. At the first ply: a check that mates.
 *   4. Captures and promotions, largest gain first. On material, skip a capture whose gain does not
 *      reach the window: the opponent can pass after it, so it cannot be worth more. A mate is
 *      never skipped; at the first ply all have been tried.
 *
 * Steps 1 and 3 make checkmates visible (section 7); settings can turn them off. */

/* Lists all captures and promotions: movegen_captures omits quiet underpromotions. */
static void list_captures(const struct position *p, struct move_list *list)
{
    struct move_list all;
    const Bitboard seventh = rank_bits(p->side == WHITE ? 6 : 1);
    const Bitboard pawns = position_pieces(p, p->side, PAWN) & seventh;
    movegen_captures(p, list);
    if (pawns == 0)
        return;
    movegen_between(p, pawns, ~position_occupied(p), &all);
    for (int i = 0; i < all.count; i++)
        if (move_is_promotion(all.moves[i]) && is_quiet(all.moves[i]))
            list->moves[list->count++] = all.moves[i];
}

static int32_t capture_tree(struct beal *b, int32_t lower, int32_t upper, int ply, bool first)
{
    const struct position *p = &b->position;
    struct check_squares checks;
    struct move_list list, quiet;
    int32_t scores[MAX_MOVES];
    if (b->checkmates && position_in_check(p) && !movegen_any(p)) /* 1 */
        return -MATE + ply;
    const int32_t pass = evaluate_tree(b); /* 2 */
    if (pass >= upper || ply >= MAX_PLY - 1)
        return pass;
    list_captures(p, &list);
    check_squares_find(p, &checks);
    if (b->checkmates && first) { /* 3 */
        movegen_quiet_checks(p, &checks, &quiet);
        if (one_mates(b, &checks, &quiet, ply) || one_mates(b, &checks, &list, ply))
            return MATE - ply - 1;
    }
    for (int i = 0; i < list.count; i++)
        scores[i] = mvv_lva_score(p, list.moves[i]);
    int32_t best = pass;
    for (int i = 0; i < list.count && best < upper && !poll(b); i++) { /* 4 */
        struct undo undo;
        const Move m = pick_best(&list, scores, i);
        const int32_t alpha = greater(best, lower);
        int32_t value = pass + see_values[position_captured(p, m)];
        if (move_is_promotion(m))
            value += see_values[move_promotion(m)] - see_values[PAWN];
        if (!b->material || value > alpha || (b->checkmates && !first && may_mate(p, &checks, m))) {
            make(b, ply, m, &undo);
            value = -capture_tree(b, -upper, -alpha, ply + 1, false);
            unmake(b, m, &undo);
        }
        best = greater(best, value);
    }
    return best;
}

/* ---- orders above 1: QUIESCE (section 6, Figure 3) as an evaluation ----
 *
 * `depth` plies remain, of which check evasions cost none. A value that a null-move search gives is an
 * evaluation again (section 5), but an unreliable one where it has a limit of depth (section 10). It is
 * passed on as a point and not as a range with a point in it: the search above gives it the widest range,
 * as Figure 5 does with every evaluation, so that a reliable range never rests on a depth that ran out or
 * on a repetition, but for passing, whose value LOWER and UPPER of QUIESCE-D start from. */

static int32_t quiesce(struct beal *b, int order, int32_t lower, int32_t upper, int depth, int ply)
{
    const struct position *p = &b->position;
    const struct context context = {{b->played[ply + 1], b->played[ply]}};
    const bool in_check = position_in_check(p);
    struct picker k;
    Move m;
    if (poll(b) || history_draws(&b->history, p, ply))
        return 0;
    if ((depth == 0 && !in_check) || ply >= MAX_PLY - 1)
        return value_of(b, order - 1, lower, upper, ply);
    if (!movegen_any(p))
        return in_check ? -MATE + ply : 0;
    int32_t best = in_check ? -INFINITE_SCORE : null_value(b, order - 1, lower, upper, ply);
    picker_init(&k, p, &b->ordering, &context, ply, NO_MOVE, in_check);
    while (best < upper && (m = picker_next(&k)) != NO_MOVE && !poll(b)) {
        struct undo undo;
        make(b, ply, m, &undo);
        best = greater(best, -quiesce(b, order, -upper, -greater(best, lower),
                                      in_check ? depth : depth - 1, ply + 1));
        unmake(b, m, &undo);
    }
    return best;
}

/* ---- QUIESCE-D (section 10, Figure 5): null-move quiescence to a depth, with fat values ----
 *
 * The value is fail-soft; the range is valid for any window.
 *
 *   1. A repeated position is worth 0, unreliably: a reliable range depends on the position alone.
 *   2. A stored reliable range may settle the node; so may the value of a search at least as deep.
 *   3. At depth 0: the value of the lower order, unreliable.
 *   4. Without a legal move: mate or stalemate, reliable.
 *   5. bestv and LOWER start with the value of passing. There is no passing in check, because one
 *      cannot assume there that some move is as good.
 *   6. Each move is searched one ply less deep. LOWER, bestv and UPPER are the maxima of the
 *      results. The node ends when bestv reaches `upper`, and UPPER is then unknown. A move is not
 *      made if its position is known to be no better.
 *   7. The range, the value and the best move are stored.
 *
 * Two differences from the figure. The figure ignores the option of passing when it sets UPPER, so
 * that UPPER can fall below LOWER; here UPPER is at least the value of passing, and the range
 * bounds the value that QUIESCE without a limit would have, if it has one. Check evasions cost no
 * ply, even at depth 0, because an evaluation in check says little. */

static enum bound bound_of(int32_t value, int32_t lower, int32_t upper)
{
    return value >= upper ? BOUND_LOWER : value <= lower ? BOUND_UPPER : BOUND_EXACT;
}

/* Whether the stored range of the position after the move shows that it is not worth more than `alpha`.
 * Only where position_key_hint is exact. */
static bool is_refuted(const struct beal *b, Move m, int ply, int32_t alpha,
                       struct fat_value *found)
{
    const struct position *p = &b->position;
    const enum kind kind = p->board[move_from(m)];
    if (move_flag(m) != QUIET && move_flag(m) != CAPTURE)
        return false;
    if (p->castling != 0 && (kind == KING || kind == ROOK || p->board[move_to(m)] == ROOK))
        return false;
    *found = fat_negate(probe(b, position_key_hint(p, m), ply + 1).fat);
    found->value = found->upper;
    return found->upper <= alpha;
}

static struct fat_value quiesce_d(struct beal *b, int32_t lower, int32_t upper, int depth, int ply);

static struct fat_value search_move(struct beal *b, Move m, int32_t lower, int32_t upper, int depth,
                                    bool in_check, int ply)
{
    struct undo undo;
    make(b, ply, m, &undo);
    const struct fat_value found =
        fat_negate(quiesce_d(b, -upper, -lower, in_check ? depth : depth - 1, ply + 1));
    unmake(b, m, &undo);
    return found;
}

/* Step 6: raises `f` to the best of the moves, which is returned. */
static Move search_moves(struct beal *b, int32_t lower, int32_t upper, int depth, int ply,
                         bool in_check, Move hash, struct fat_value *f)
{
    enum { QUIETS = 64 };
    const struct context context = {{b->played[ply + 1], b->played[ply]}};
    const bool measured = depth >= BRANCHING_DEPTH;
    Move m, best = NO_MOVE, quiets[QUIETS]; /* those that did not fail high, up to QUIETS */
    int quiet_count = 0;
    struct picker k;
    b->branching.interior += measured;
    picker_init(&k, &b->position, &b->ordering, &context, ply, hash, in_check);
    while (f->value < upper && (m = picker_next(&k)) != NO_MOVE && !poll(b)) {
        const int32_t alpha = greater(f->value, lower);
        struct fat_value found;
        if (!is_refuted(b, m, ply, alpha, &found)) {
            found = search_move(b, m, alpha, upper, depth, in_check, ply);
            b->branching.selected += measured && b->open;
        }
        if (b->stopped)
            break;
        b->branching.moves += measured;
        best = found.value > f->value ? m : best;
        *f = fat_join(*f, found);
        if (is_quiet(m) && f->value >= upper) {
            ordering_add_killer(&b->ordering, ply, m);
            ordering_reward(&b->ordering, &b->position, &context, depth * PLY, m, quiets,
                            quiet_count);
        } else if (is_quiet(m) && quiet_count < QUIETS)
            quiets[quiet_count++] = m;
    }
    return best;
}

static struct fat_value quiesce_d(struct beal *b, int32_t lower, int32_t upper, int depth, int ply)
{
    const struct position *p = &b->position;
    b->open = false;
    if (poll(b) || history_draws(&b->history, p, ply)) /* 1 */
        return unknown;
    struct range known = probe(b, p->key, ply); /* 2 */
    struct fat_value f = known.fat;
    if (f.lower >= upper || f.upper <= lower || f.lower == f.upper) {
        f.value = f.lower >= upper ? f.lower : f.upper <= lower ? f.upper : f.value;
        return f;
    }
    const bool in_check = position_in_check(p);
    if ((depth == 0 && !in_check) || ply >= MAX_PLY - 1) /* 3 */
        return fat_clamp(value_of(b, b->order - 1, lower, upper, ply), f.lower, f.upper);
    const enum bound wanted = bound_of(f.value, lower, upper);
    if (known.depth >= depth && (known.bound & wanted) == wanted) /* 2 */
        return f;
    if (!movegen_any(p)) /* 4 */
        return fat_exact(in_check ? -MATE + ply : 0);
    f.value = f.upper = -INFINITE_SCORE; /* 5 */
    if (!in_check) {
        f.value = f.upper = null_value(b, b->order - 1, lower, upper, ply);
        f.lower = f.value > lower ? greater(f.lower, f.value) : f.lower;
    }
    f.value = greater(f.value, f.lower);
    const bool open = f.value < upper;
    known.move = open ? search_moves(b, lower, upper, depth, ply, in_check, known.move, &f) /* 6 */
                      : NO_MOVE;
    if (b->stopped)
        return unknown;
    known.bound = (uint8_t)bound_of(f.value, lower, upper); /* 7 */
    f.upper = known.bound == BOUND_LOWER ? INFINITE_SCORE : f.upper;
    known.fat = fat_meet(f, known.fat);
    known.depth = (uint8_t)depth;
    store(b, p->key, ply, known);
    b->open = open;
    return known.fat;
}

/* ---- the root ---- */

/* Whether no other move can be better than the front move, whatever all turn out to be within their ranges (Figure
 * 6). Not so for [0, 0] and [-2, 3], a safe move and one that may gain or lose (Figure 7). */
static bool is_decided(const struct beal *b)
{
    int i = 1;
    while (i < b->count && b->choices[0].fat.lower >= b->choices[i].fat.upper)
        i++;
    return i >= b->count;
}

/* Reports the front move to the observer if it is new. */
static void report_best(struct beal *b)
{
    const struct search_observer *o = b->observer;
    const Move best = b->choices[0].move;
    if (best == b->reported)
        return;
    b->reported = best;
    if (o->best != NULL && !o->best(o->context, best, b->iteration, b->nodes))
        b->stopped = true;
}

/* The fat value of a root move; exact only if it exceeds `alpha`. */
static struct fat_value search_choice(struct beal *b, Move m, int32_t alpha)
{
    return poll(b) ? unknown
                   : search_move(b, m, alpha, INFINITE_SCORE, b->iteration, b->in_check, 0);
}

/* QUIESCE-D at the root. A move becomes best, and goes to the front, when it exceeds the best value so
 * far, which starts as the value of the null move. The first iteration ignores the null move, so that
 * there is always a best move; its first move is best by default, and reported at its end. */
static void iterate(struct beal *b)
{
    int32_t best = b->pass, best_move = -INFINITE_SCORE;
    for (int i = 0; i < b->count && !is_decided(b); i++) {
        struct choice *c = &b->choices[i];
        if (b->iteration > 1 && c->fat.upper <= best)
            continue;
        const struct fat_value found = search_choice(b, c->move, best);
        if (b->stopped)
            return;
        c->fat = fat_meet(found, c->fat);
        const bool better = found.value > (b->iteration > 1 ? best : best_move);
        best_move = greater(best_move, found.value);
        best = greater(best, found.value);
        if (!better)
            continue;
        const struct choice front = *c;
        memmove(&b->choices[1], &b->choices[0], (size_t)i * sizeof front);
        b->choices[0] = front;
        b->value = best;
        if (b->iteration > 1 || i > 0)
            report_best(b);
    }
    b->value = best;
    report_best(b);
}

/* Resets what is of one search, lists the root moves, and computes the value of passing. */
static void begin(struct beal *b, const struct position *p, const struct search_limits *limits,
                  const struct search_observer *observer)
{
    static const struct search_observer silent;
    struct move_list list;
    b->position = *p;
    history_init(&b->history);
    b->nodes = b->next_poll = 0;
    b->node_limit = limits->nodes > 0 ? limits->nodes : UINT64_MAX;
    b->stopped = false;
    b->observer = observer != NULL ? observer : &silent;
    b->branching = (struct beal_branching){0};
    memset(b->ordering.killers, 0, sizeof b->ordering.killers);
    memset(b->played, -1, sizeof b->played);
    movegen_legal(p, &list);
    movegen_sort(&list);
    b->count = list.count;
    for (int i = 0; i < list.count; i++)
        b->choices[i] = (struct choice){list.moves[i], unknown};
    b->in_check = position_in_check(p);
    b->reported = NO_MOVE;
    b->value = 0;
    b->pass = -INFINITE_SCORE;
    if (b->in_check || b->count == 0)
        return;
    const int32_t value = null_value(b, b->order - 1, -INFINITE_SCORE, INFINITE_SCORE, 0);
    b->pass = b->stopped ? -INFINITE_SCORE : value;
}

/* The fat value of the root: the maximum over its moves and passing. */
static struct fat_value root_value(const struct beal *b)
{
    struct fat_value f = {b->pass, b->value, b->pass};
    if (b->count == 0)
        return fat_exact(b->in_check ? -MATE : 0);
    for (int i = 0; i < b->count; i++)
        f = fat_join(f, b->choices[i].fat);
    const bool searched = b->value > -INFINITE_SCORE; /* the only answer to a check is not */
    return fat_clamp(searched ? b->value : 0, f.lower, f.upper);
}

/* Iterates until the limits, the observer or a decision end the search. */
struct beal_result beal_search(struct beal *b, const struct position *p,
                               const struct search_limits *limits,
                               const struct search_observer *observer)
{
    const bool limited = limits->depth > 0 && limits->depth < MAX_DEPTH;
    const int depth = limited ? limits->depth : MAX_DEPTH;
    int completed = 0;
    begin(b, p, limits, observer);
    while (b->count > 0 && completed < depth && !b->stopped && (completed == 0 || !is_decided(b))) {
        b->iteration = completed + 1;
        iterate(b);
        completed += !b->stopped;
    }
    return (struct beal_result){.best = b->count > 0 ? b->choices[0].move : NO_MOVE,
                                .root = root_value(b),
                                .decided = is_decided(b),
                                .depth = completed,
                                .nodes = b->nodes,
                                .stopped = b->stopped,
                                .branching = b->branching};
}

struct beal_assumption beal_test_assumption(struct beal *b, const struct position *p, int depth)
{
    begin(b, p, &(struct search_limits){0}, NULL);
    struct beal_assumption a = {.null = b->pass, .best = -INFINITE_SCORE};
    b->iteration = depth;
    for (int i = 0; i < b->count; i++)
        a.best = greater(a.best, search_choice(b, b->choices[i].move, a.best).value);
    return a;
}

/* ---- for suites ---- */

bool beal_check(const struct search_method *method, const struct evaluation *evaluation,
                struct error *err)
{
    return evaluation->kind == EVALUATION_PAPER ||
           error_set(err, "%s needs an evaluation of kind %s, not %s", method->name,
                     eval_table.kind, evaluation_table(evaluation)->kind);
}

static void *create(const struct search_method *method, const struct evaluation *evaluation,
                    int hash_mib, struct error *err)
{
    const struct beal_settings settings = {.order = 1 + (int)(method - beal_methods),
                                           .weights = evaluation->paper};
    return beal_check(method, evaluation, err) ? beal_create(&settings, hash_mib, err) : NULL;
}

static void destroy(void *searcher)
{
    beal_destroy(searcher);
}

static struct search_result search(void *searcher, const struct search_params *params,
                                   const struct position *p, const struct search_limits *limits,
                                   const struct search_observer *observer)
{
    (void)params;
    beal_clear(searcher);
    struct beal_result r = beal_search(searcher, p, limits, observer);
    return (struct search_result){
        .best = r.best, .score = r.root.value, .depth = r.depth, .nodes = r.nodes};
}

static void describe(struct plan *p, void *job)
{
    solve_describe(p, job, beal_methods);
}

const struct job_kind beal_job = SOLVE_JOB_KIND("beal", describe, destroy);

const struct search_method beal_methods[BEAL_ORDERS] = {
    {"beal1", &beal_job, create, destroy, search},
    {"beal2", &beal_job, create, destroy, search},
    {"beal3", &beal_job, create, destroy, search},
};
