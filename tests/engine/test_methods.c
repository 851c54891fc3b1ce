/* The selective methods: each reads its own parameters and no other's, every parameter counts for
 * something, and each does what its paper says. */
#include "bare_tree.h"
#include "engine_with.h"
#include "position_of.h"
#include "random_params.h"
#include "see.h"
#include "selective.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <string.h>

/* What a search with these parameters does. */
static struct search_result searched(struct engine *e, const struct position *p,
                                     const struct search_params *params, uint64_t nodes)
{
    const struct search_limits limits = {.nodes = nodes, .depth = 8};
    engine_set_params(e, params);
    return engine_search(e, p, NULL, &limits, NULL);
}

static bool same_result(const struct search_result *a, const struct search_result *b)
{
    return a->nodes == b->nodes && a->best == b->best && a->score == b->score &&
           a->depth == b->depth && a->line.seldepth == b->line.seldepth;
}

struct setting {
    enum search_param param;
    int32_t value;
};

/* The plain search with these settings, up to SEARCH_PARAMS. */
static struct search_params plain_with(const struct setting *given)
{
    struct search_params params = search_plain_params();
    for (; given->param != SEARCH_PARAMS; given++)
        params.value[given->param] = given->value;
    return params;
}

#define PLAIN(...) plain_with((const struct setting[]){__VA_ARGS__, {SEARCH_PARAMS, 0}})

static struct tree *tree_at(const char *fen, struct search_params params)
{
    const struct position p = position_of(fen);
    return bare_tree(&p, &params);
}

/* White is a queen and a rook up. */
static const char winning[] = "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1";
static const char italian[] =
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 1";

/* ---- who reads what ---- */

/* Random values, half of them the least, so that each method is often off. */
Test(methods, an_inactive_parameter_changes_no_search)
{
    struct engine *e = engine_with(1, search_initial_params());
    struct stream s = seeded(1);
    for (int n = 0; n < thorough(65, 500); n++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        struct search_params params = random_params(&s, &search_all_table);
        for (int i = 0; i < SEARCH_PARAMS; i++)
            if (stream_below(&s, 2) == 0)
                params.value[i] = search_all_table.params[i].min;
        struct search_params other = params;
        for (int i = 0; i < SEARCH_PARAMS; i++)
            if (inactive_by(&search_all_table, params.value, i) >= 0)
                other.value[i] = random_value(&s, &search_all_table.params[i]);
        struct search_result first = searched(e, &p, &params, 8000);
        struct search_result second = searched(e, &p, &other, 8000);
        cr_assert(same_result(&first, &second), "chromosome %d", n);
    }
    engine_destroy(e);
}

/* Random positions, and a pawn ending in every fourth case: there passing is another matter. */
static struct position some_position(struct stream *s, int number)
{
    if (number % 4 == 0)
        return position_of("8/2p3k1/1p1p2p1/p2P3p/P1P1p2P/1P2P1P1/5K2/8 w - -");
    return random_position(s, (int)stream_below(s, 120));
}

/* A parameter that nothing reads would evolve to anything. */
Test(methods, every_parameter_counts)
{
    struct engine *e = engine_with(1, search_initial_params());
    struct stream s = seeded(5);
    for (int i = 0; i < SEARCH_PARAMS; i++) {
        const struct param *param = &search_all_table.params[i];
        bool counts = false;
        for (int j = 0; !counts && j < 1600; j++) {
            struct position p = some_position(&s, j);
            struct search_params params = random_params(&s, &search_all_table);
            params.value[NULL_MOVE_USE] = params.value[LMR_USE] = 1;
            params.value[i] = random_value(&s, param);
            struct search_result one = searched(e, &p, &params, 5000);
            params.value[i] = random_value(&s, param);
            struct search_result other = searched(e, &p, &params, 5000);
            counts = !same_result(&one, &other);
        }
        cr_assert(counts, "%s", param->name);
    }
    engine_destroy(e);
}

/* The paper's table leaves all other methods off: what has no condition, or is on or off, is 0. */
Test(methods, the_plain_search_has_every_method_off)
{
    struct search_params plain = search_plain_params(), initial = search_initial_params();
    for (int i = PAPER_SEARCH_PARAMS; i < SEARCH_PARAMS; i++) {
        const struct param *p = &search_all_table.params[i];
        if (p->active_if == NULL || p->active_if[0] == '\0' || p->max == 1 || i == NULL_MOVE_GAIN)
            cr_assert(plain.value[i] == 0 && initial.value[i] == 0, "%s", p->name);
    }
}

/* ---- nodes by hand ---- */

/* A node at ply 2 of a tree, out of check, its first moves' table entry unknown. */
static struct node some_node(struct tree *t, enum node_kind kind, int32_t alpha, int depth)
{
    struct node n;
    memset(&n, 0, sizeof n);
    tree_frame(t, 1)->move = move_make(8, 16, QUIET);
    node_init(t, &n, kind, alpha, alpha + 1, depth, 2);
    n.hit = (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL};
    n.in_check = position_in_check(&t->position);
    n.eval = n.bounded = n.raw = n.in_check ? NO_EVAL : tree_evaluate(t);
    tree_frame(t, 2)->eval = tree_frame(t, 2)->raw = n.eval;
    check_squares_find(&t->position, &n.checks);
    return n;
}

/* ---- null move ---- */

/* The nodes and value of the null-move search of a position. */
static uint64_t null_move_nodes(int reduction, int adaptivity, int depth)
{
    struct tree *t = tree_at(italian, PLAIN({NULL_MOVE_USE, 1}, {NULL_MOVE_REDUCTION, reduction},
                                            {NULL_MOVE_ADAPTIVITY_USE, adaptivity > 0},
                                            {NULL_MOVE_ADAPTIVITY_DEPTH, adaptivity}));
    struct node n = some_node(t, NODE_CUT, tree_evaluate(t) - 50, depth);
    int32_t value = 0;
    bool cut = null_move_prune(t, &n, &value);
    cr_assert(!cut || value >= n.beta);
    return t->nodes;
}

/* R one less where at most so many plies remain, and R elsewhere. */
Test(methods, null_move_adaptivity)
{
    for (int adaptivity = 1; adaptivity <= 5; adaptivity++)
        for (int depth = 3 * PLY; depth <= 6 * PLY; depth++) {
            int less = depth <= adaptivity * PLY;
            cr_assert_eq(null_move_nodes(3, adaptivity, depth), null_move_nodes(3 - less, 0, depth),
                         "%d quarter plies, %d", depth, adaptivity);
        }
    cr_assert_gt(null_move_nodes(1, 0, 16), null_move_nodes(2, 0, 16));
    cr_assert_gt(null_move_nodes(2, 0, 16), null_move_nodes(3, 0, 16));
    cr_assert_eq(null_move_nodes(0, 6, 16), null_move_nodes(0, 0, 16), "never below 0");
}

/* Where a null move proves nothing: in check, after another, on the principal variation, with
 * pawns alone, below beta, at mate scores. */
Test(methods, null_move_is_not_always_allowed)
{
    struct search_params params = search_initial_params();
    struct position p = position_of(winning);
    struct position pawns = position_of("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
    struct position check = position_of("4k3/8/8/8/8/8/4q3/Q3K3 w - - 0 1");
    int32_t value;
    for (int i = 0; i < 7; i++) {
        struct tree *t = bare_tree(i == 4 ? &pawns : i == 5 ? &check : &p, &params);
        struct node n = some_node(t, i == 1 ? NODE_PV : NODE_CUT, 0, 20);
        if (i == 2)
            tree_frame(t, 1)->move = NO_MOVE;
        if (i == 3)
            n.beta = n.eval + 1;
        if (i == 6)
            n.beta = -MATE + 20;
        bool cuts = null_move_prune(t, &n, &value);
        cr_assert_eq(cuts, i == 0, "case %d", i);
        cr_assert_eq(t->nodes > 0, i == 0, "case %d", i);
    }
}

/* Passing where it would be mated is noted. */
Test(methods, null_move_notes_a_mate_threat)
{
    for (int threat = 0; threat < 2; threat++) {
        struct tree *t = tree_at(threat ? "3r2k1/QQ3ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
                                        : "6k1/QQ3ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
                                 search_initial_params());
        struct node n = some_node(t, NODE_CUT, 0, 8 * PLY);
        int32_t value;
        cr_assert_eq(null_move_prune(t, &n, &value), !threat);
        cr_assert_eq(n.mate_threat, threat);
    }
}

/* ---- the null-move family ---- */

/* Parameters with R = 3 in every mode, DR = 2. */
static struct search_params null_move_params(enum null_move_mode mode)
{
    return PLAIN({NULL_MOVE_USE, 1}, {NULL_MOVE_REDUCTION, 3}, {NULL_MOVE_MODE, (int32_t)mode},
                 {NULL_MOVE_DEPTH_REDUCTION, 2});
}

/* What a null move that fails high does to a node of `depth` plies, in a subtree that is being
 * verified or not. */
static const struct fail_high {
    enum null_move_mode mode;
    int depth;
    bool below;           /* in such a subtree */
    bool cuts;            /* the node */
    int left;             /* plies that it then has */
    bool verifying, flag; /* what the node knows then */
    bool searched;        /* there was a null move at all */
} fail_highs[] = {
    {NULL_MOVE_STANDARD, 6, false, true, 6, false, false, true},
    {NULL_MOVE_STANDARD, 1, false, true, 1, false, false, true},
    {NULL_MOVE_VERIFIED, 6, false, false, 5, true, true, true},
    {NULL_MOVE_VERIFIED, 6, true, true, 6, true, false, true},
    {NULL_MOVE_VERIFIED, 1, false, false, 1, false, false, false},
    {NULL_MOVE_VERIFIED, 1, true, true, 1, true, false, true},
    {NULL_MOVE_VERIFIED_REDUCING, 6, false, false, 5, true, true, true},
    {NULL_MOVE_VERIFIED_REDUCING, 6, true, false, 4, true, false, true},
    {NULL_MOVE_VERIFIED_REDUCING, 2, true, true, 0, true, false, true},
    {NULL_MOVE_REDUCTIONS, 6, false, false, 4, false, false, true},
    {NULL_MOVE_REDUCTIONS, 2, false, true, 0, false, false, true},
};

Test(null_move_family, does_with_a_fail_high_what_the_papers_say)
{
    for (size_t i = 0; i < sizeof fail_highs / sizeof *fail_highs; i++) {
        const struct fail_high *f = &fail_highs[i];
        struct tree *t = tree_at(winning, null_move_params(f->mode));
        tree_frame(t, 1)->verifying = f->below;
        struct node n = some_node(t, NODE_CUT, 0, f->depth * PLY);
        int32_t value = 0;
        cr_expect_eq(null_move_prune(t, &n, &value), f->cuts, "row %zu", i);
        cr_expect_eq(n.depth, f->left * PLY, "row %zu", i);
        cr_expect_eq(n.verifying, f->verifying, "row %zu", i);
        cr_expect_eq(n.fail_high, f->flag, "row %zu", i);
        cr_expect_eq(t->nodes > 0, f->searched, "row %zu", i);
        cr_expect(f->left > 0 || value == n.eval, "row %zu: quiescence's value", i);
    }
}

/* Where the evaluation is below beta a null move is tried only when that is asked for. */
Test(null_move_family, is_tried_below_beta_when_asked)
{
    for (int asked = 0; asked < 2; asked++) {
        struct tree *t = tree_at(winning, null_move_params(NULL_MOVE_STANDARD));
        t->params.value[NULL_MOVE_BELOW_BETA] = asked;
        struct node n = some_node(t, NODE_CUT, 0, 5 * PLY);
        int32_t value = 0;
        n.eval = n.bounded = n.beta - 1;
        null_move_prune(t, &n, &value);
        cr_expect_eq(t->nodes > 0, asked);
    }
}

/* A fail-high that the moves do not bear out is a zugzwang: the node begins again, a ply deeper. */
Test(null_move_family, a_refuted_verification_begins_again)
{
    struct tree *t = tree_at(winning, null_move_params(NULL_MOVE_VERIFIED));
    for (int failed = 0; failed < 2; failed++) {
        struct node n = some_node(t, NODE_CUT, 0, 5 * PLY);
        n.verifying = n.fail_high = true;
        n.best = failed ? n.alpha - 10 : n.beta;
        n.searched = n.quiet_count = 9;
        cr_assert_eq(verification_fails(t, &n), failed);
        cr_assert(n.depth == 5 * PLY && n.verifying && n.searched == 9,
                  "a question changes nothing");
        verification_restart(&n);
        cr_assert(n.depth == 6 * PLY && !n.verifying && n.searched == 0 && n.quiet_count == 0);
        cr_assert_not(verification_fails(t, &n), "once is enough");
    }
}

/* ---- the search of david-2002 ---- */

/* A leaf in check is a node of one ply where that is asked for, and any other leaf is quiescence. */
Test(null_move_family, a_check_at_a_leaf_may_be_extended)
{
    for (int i = 0; i < 4; i++) {
        const bool on = i & 1, check = i & 2;
        struct tree *t =
            tree_at("4k3/8/8/8/8/8/4q3/Q3K3 w - - 0 1", PLAIN({LEAF_CHECK_EXTENSION, on}));
        tree_frame(t, 0)->checks = check;
        tree_search(t, NODE_PV, -INFINITE_SCORE, INFINITE_SCORE, 0, 1);
        const struct tt_hit hit = tt_probe(&t->tt, t->position.key, 1);
        cr_expect(hit.found && hit.depth == (on && check ? PLY : 0), "%d", i);
    }
}

/* With history alone, no killers and no replies are learned. */
Test(null_move_family, history_may_order_alone)
{
    static const struct ordering empty;
    for (int alone = 0; alone < 2; alone++) {
        struct tree *t = tree_at(italian, PLAIN({ORDERING_HISTORY_ALONE, alone}));
        tree_search(t, NODE_CUT, 0, 1, 4 * PLY, 1);
        const struct ordering *o = &t->ordering;
        cr_expect(memcmp(o->history, empty.history, sizeof o->history) != 0);
        cr_expect_eq(memcmp(o->killers, empty.killers, sizeof o->killers) == 0, alone);
        cr_expect_eq(memcmp(o->continuation, empty.continuation, sizeof o->continuation) == 0,
                     alone);
    }
}

/* ---- reuse of the table by the verified null move ---- */

/* The table as it is asked again: an entry of `plies` where a node of six is verified. */
static const struct reuse {
    bool on;
    int plies;
    enum bound bound;
    bool high;            /* the entry's value is beta, not below */
    bool cuts, verifying; /* what becomes of the node */
    int left;             /* plies that it then has */
} reuses[] = {
    {false, 5, BOUND_LOWER, true, false, true, 5}, /* off */
    {true, 5, BOUND_LOWER, true, true, false, 5},  /* stands for the verification */
    {true, 5, BOUND_EXACT, true, true, false, 5},  {true, 4, BOUND_LOWER, true, false, true, 5},
    {true, 5, BOUND_UPPER, true, false, true, 5},  {true, 5, BOUND_UPPER, false, false, false, 6},
    {true, 5, BOUND_LOWER, false, false, true, 5},
};

Test(null_move_family, the_table_may_stand_for_the_verification)
{
    for (size_t i = 0; i < sizeof reuses / sizeof *reuses; i++) {
        const struct reuse *r = &reuses[i];
        struct tree *t = tree_at(winning, null_move_params(NULL_MOVE_VERIFIED));
        t->params.value[VERIFIED_PROBE] = r->on;
        struct node n = some_node(t, NODE_CUT, 0, 6 * PLY);
        int32_t value = 0;
        n.hit.found = true;
        n.hit.depth = r->plies * PLY;
        n.hit.bound = r->bound;
        n.hit.value = r->high ? n.beta : n.beta - 5;
        cr_expect_eq(null_move_prune(t, &n, &value), r->cuts, "row %zu", i);
        cr_expect_eq(n.depth, r->left * PLY, "row %zu", i);
        cr_expect(n.verifying == r->verifying && n.fail_high == r->verifying, "row %zu", i);
        cr_expect(!r->cuts || value == n.beta, "row %zu", i);
    }
}

/* What is verified may be stored with the depth that it had before, and nothing else. */
Test(null_move_family, what_is_verified_may_be_stored_a_ply_deeper)
{
    for (int i = 0; i < 4; i++) {
        const bool on = i & 1, verified = i & 2;
        struct tree *t = tree_at(winning, null_move_params(NULL_MOVE_VERIFIED));
        t->params.value[VERIFIED_STORE] = on;
        tree_frame(t, 0)->move = move_make(8, 16, QUIET);
        tree_frame(t, 0)->verifying = !verified; /* then a fail-high cuts */
        int32_t eval = tree_evaluate(t);
        tree_search(t, NODE_CUT, eval - 1000, eval - 999, 6 * PLY, 1);
        const struct tt_hit hit = tt_probe(&t->tt, t->position.key, 1);
        cr_expect_eq(hit.found, verified, "a null-move cutoff is not stored");
        if (verified)
            cr_expect_eq(hit.depth, (on ? 6 : 5) * PLY, "%d", on);
    }
}

/* A zugzwang (ZPTS.01): after 1... Nxd5 2. Rxd5 Ke6 White has no good move. Standard null move
 * never sees it; the others do, a little later than the search without null moves. */
Test(null_move_family, sees_a_zugzwang_where_the_standard_method_does_not)
{
    struct position p = position_of("6Q1/8/8/7k/8/8/3p1pp1/3Kbrrb w - - 0 1");
    const struct {
        int mode; /* -1: no null moves */
        bool solves;
    } cases[] = {{-1, true},
                 {NULL_MOVE_STANDARD, false},
                 {NULL_MOVE_VERIFIED, true},
                 {NULL_MOVE_REDUCTIONS, true}};
    struct engine *e = engine_with(1, search_initial_params());
    const struct search_limits limits = {.depth = 11};
    for (int i = 0; i < 4; i++) {
        struct search_params params = null_move_params((enum null_move_mode)cases[i].mode);
        params.value[NULL_MOVE_USE] = cases[i].mode >= 0;
        params.value[NULL_MOVE_MODE] = cases[i].mode >= 0 ? cases[i].mode : 0;
        params.value[NULL_MOVE_PAWN_ENDINGS] = 1;
        params.value[CHECK_EXTENSION] = PLY;
        params.value[NULL_MOVE_DEPTH_REDUCTION] = 4;
        engine_set_params(e, &params);
        struct search_result r = engine_search(e, &p, NULL, &limits, NULL);
        bool solved = move_from(r.best) == 62 && move_to(r.best) == 54; /* Qg8-g7 */
        cr_expect_eq(solved, cases[i].solves, "mode %d", cases[i].mode);
    }
    engine_destroy(e);
}

/* ---- futility ---- */

/* The threshold is that of the plies that remain, a part of one counting as one. */
Test(methods, futility_thresholds)
{
    Move quiet = move_make(square_at(4, 3), square_at(4, 4), QUIET);
    Move takes = move_make(square_at(4, 3), square_at(3, 4), CAPTURE);
    for (int plies = 0; plies <= 3; plies++) {
        struct tree *t = tree_at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
                                 PLAIN({FUTILITY_DEPTH, plies}, {FUTILITY_THRESHOLD_1, 10},
                                       {FUTILITY_THRESHOLD_2, 200}, {FUTILITY_THRESHOLD_3, 1000}));
        for (int depth = 1; depth <= 16; depth++) {
            struct node n = some_node(t, NODE_CUT, 0, depth);
            cr_assert_eq(futility_applies(t, &n), depth <= PLY * plies);
            if (depth > PLY * plies)
                continue;
            int32_t threshold = depth <= 4 ? 10 : depth <= 8 ? 200 : 1000;
            cr_assert_eq(futility_bound(t, &n, quiet), n.eval + threshold);
            cr_assert_eq(futility_bound(t, &n, takes),
                         n.eval + threshold + t->evaluation.paper.value[PAWN_VALUE]);
        }
    }
}

Test(methods, futility_gains)
{
    struct search_params params = search_initial_params();
    struct position p = position_of("3rk3/2P5/8/3pP3/8/8/8/4K3 w - d6 0 1");
    struct tree *t = bare_tree(&p, &params);
    struct node n = some_node(t, NODE_CUT, 0, 4);
    const int32_t *v = t->evaluation.paper.value;
    int32_t base = n.eval + params.value[FUTILITY_THRESHOLD_1];
    Move passing = move_make(square_at(4, 4), square_at(3, 5), EN_PASSANT);
    Move both = move_make(square_at(2, 6), square_at(3, 7), CAPTURE | PROMOTION | 3);
    cr_assert(movegen_is_legal(&p, passing) && movegen_is_legal(&p, both));
    cr_assert_eq(futility_bound(t, &n, passing), base + v[PAWN_VALUE]);
    int32_t most = base + v[ROOK_VALUE] + v[QUEEN_VALUE];
    int32_t gain = futility_bound(t, &n, both);
    cr_assert(gain <= most && gain >= most - v[PAWN_VALUE], "a rook, and a queen for a pawn");
    n.alpha = MATE - 20;
    cr_assert_not(futility_applies(t, &n), "a mate is at stake");
    n.alpha = 0;
    n.in_check = true;
    cr_assert_not(futility_applies(t, &n));
}

/* ---- multi-cut ---- */

/* A queen and a rook up every quiet move fails high: C of the first M do as soon as C are tried. What can never be
 * costs nothing. */
Test(methods, multi_cut_counts_its_cuts)
{
    static const struct {
        enum node_kind kind;
        int32_t alpha;
        int depth;
        bool possible;
    } nodes[] = {{NODE_CUT, 0, 12, true},
                 {NODE_CUT, 5000, 12, false}, /* none fails high */
                 {NODE_CUT, 0, 11, false},    /* not deep enough */
                 {NODE_ALL, 0, 12, false},    /* no cut expected */
                 {NODE_PV, 0, 12, false}};
    for (int moves = 0; moves <= 10; moves++)
        for (int cuts = 0; cuts <= 7; cuts++)
            for (int i = 0; i < 5; i++) {
                struct tree *t =
                    tree_at(winning, PLAIN({MULTI_CUT_USE, 1}, {MULTI_CUT_REDUCTION, 2},
                                           {MULTI_CUT_DEPTH, 3}, {MULTI_CUT_MOVES, moves},
                                           {MULTI_CUT_CUTS, cuts}));
                struct node n = some_node(t, nodes[i].kind, nodes[i].alpha, nodes[i].depth);
                const bool can_be = cuts > 0 && cuts <= moves;
                cr_assert_eq(multi_cut_prune(t, &n), can_be && nodes[i].possible, "%d of %d", cuts,
                             moves);
                cr_assert(i == 1 || (t->nodes > 0) == (can_be && nodes[i].possible));
            }
}

/* ---- extensions ---- */

/* A pawn that comes to its sixth or seventh rank with no enemy pawn before it, square by square. */
static bool is_passed_push(const struct position *p, Move m)
{
    int side = p->side, to = move_to(m), rank = side == WHITE ? to / 8 : 7 - to / 8;
    if (p->board[move_from(m)] != PAWN || (rank != 5 && rank != 6))
        return false;
    for (int square = 0; square < 64; square++) {
        int files = square % 8 - to % 8;
        int ahead = side == WHITE ? square / 8 - to / 8 : to / 8 - square / 8;
        if (p->board[square] == PAWN && (p->by_color[side ^ 1] >> square & 1) != 0 && ahead > 0 &&
            files >= -1 && files <= 1)
            return false;
    }
    return true;
}

/* Every sum of what applies, one ply at most. */
Test(methods, extensions_add_up)
{
    struct stream s = seeded(4);
    const int cases = thorough(1000, 4000);
    int extended = 0, passed = 0, recaptures = 0;
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct search_params params = random_params(&s, &search_table);
        struct tree *t = bare_tree(&p, &params);
        struct node n = some_node(t, NODE_CUT, 0, 12);
        struct move_list list;
        const int32_t *v = params.value;
        movegen_legal(&p, &list);
        tree_frame(t, 1)->move = move_make(0, (int)stream_below(&s, 64), CAPTURE);
        tree_frame(t, 1)->capture = stream_below(&s, 2) != 0;
        n.mate_threat = stream_below(&s, 2) != 0;
        n.only_reply = stream_below(&s, 2) != 0;
        for (int j = 0; j < list.count; j++) {
            Move m = list.moves[j];
            bool check = move_gives_check(&p, &n.checks, m);
            bool recapture =
                tree_frame(t, 1)->capture && move_to(m) == move_to(tree_frame(t, 1)->move);
            int sum = check * v[CHECK_EXTENSION] + n.only_reply * v[ONE_REPLY_EXTENSION] +
                      n.mate_threat * v[MATE_THREAT_EXTENSION] +
                      recapture * v[RECAPTURE_EXTENSION] +
                      is_passed_push(&p, m) * v[PASSED_PAWN_EXTENSION];
            int found = extension_of(t, &n, m, check);
            cr_assert_eq(found, sum < PLY ? sum : PLY);
            cr_assert(found >= 0 && found <= PLY);
            extended += found > 0;
            passed += is_passed_push(&p, m);
            recaptures += recapture;
        }
    }
    cr_assert(extended > cases / 4 && passed > cases / 40 && recaptures > cases / 40);
}

/* A line four times as long as the iteration is extended no further, so that it ends. */
Test(methods, extensions_end)
{
    struct tree *t = tree_at(winning, PLAIN({CHECK_EXTENSION, PLY}));
    for (t->iteration = 1; t->iteration < 20; t->iteration++)
        for (int ply = 0; ply < 100; ply++) {
            struct node n = some_node(t, NODE_CUT, 0, 12);
            n.ply = ply;
            cr_assert_eq(extension_of(t, &n, move_make(0, 56, QUIET), true),
                         ply < 4 * t->iteration ? PLY : 0);
        }
}

/* Perpetual checks, only replies and recaptures, all extended by a ply: the search still ends. */
Test(methods, searches_with_all_extensions_end)
{
    const char *const fens[] = {
        "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1",
        "8/1P1P1P2/8/1k6/8/8/1p1p1p2/5K2 w - - 0 1",
        "3r1rk1/3q1ppp/3b4/3p4/3P4/3B4/3Q1PPP/3R1RK1 w - - 0 1",
    };
    struct engine *e = engine_with(1, search_initial_params());
    struct search_params params = search_initial_params();
    for (int i = CHECK_EXTENSION; i <= MATE_THREAT_EXTENSION; i++)
        params.value[i] = PLY;
    for (int i = 0; i < 3; i++) {
        struct position p = position_of(fens[i]);
        const struct search_limits limits = {.nodes = 20000000, .depth = 5};
        engine_set_params(e, &params);
        struct search_result r = engine_search(e, &p, NULL, &limits, NULL);
        cr_assert_eq(r.depth, 5, "%s", fens[i]);
        cr_assert_not(r.stopped);
    }
    engine_destroy(e);
}

/* ---- the modern search ---- */

/* Reductions are never negative, and only of late, deep enough moves: quiet ones, as those that give check with
 * LMR_CHECKS and evasions with LMR_EVASIONS, and captures with LMR_CAPTURES. */
Test(methods, late_move_reductions)
{
    struct stream s = seeded(6);
    const int cases = thorough(1000, 4000);
    int reduced = 0, shorter[2] = {0};
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct search_params params = random_params(&s, &search_all_table);
        struct tree *t = bare_tree(&p, &params);
        struct node n =
            some_node(t, (enum node_kind)stream_below(&s, 3), 0, 1 + (int)stream_below(&s, 80));
        struct move_list list;
        n.searched = (int)stream_below(&s, 80);
        n.improving = stream_below(&s, 2) != 0;
        n.on_pv = stream_below(&s, 2) != 0;
        movegen_legal(&p, &list);
        for (int j = 0; j < list.count; j++) {
            Move m = list.moves[j];
            bool check = move_gives_check(&p, &n.checks, m);
            n.history = ordering_score(&t->ordering, &t->position, n.context, m);
            int reduction = late_move_reduction(t, &n, m, check);
            cr_assert_geq(reduction, 0);
            const struct {
                enum search_param less;
                bool applies;
            } shortened[] = {{LMR_CHECK_LESS, check}, {LMR_PV_SEEN, n.on_pv && is_quiet(m)}};
            for (int k = 0; k < 2; k++) {
                const int less = params.value[shortened[k].less];
                t->params.value[shortened[k].less] = 0;
                const int whole = late_move_reduction(t, &n, m, check), by = whole - reduction;
                t->params.value[shortened[k].less] = less;
                cr_assert(shortened[k].applies ? by >= 0 && by * 100 <= less * PLY + 100 : by == 0);
                shorter[k] += by > 0;
            }
            if (params.value[LMR_USE] == 0 ||
                (n.in_check && (params.value[LMR_EVASIONS] == 0 || !is_quiet(m))) ||
                (check && (params.value[LMR_CHECKS] == 0 || !is_quiet(m))) ||
                (!is_quiet(m) && params.value[LMR_CAPTURES] == 0) ||
                n.depth <= PLY * params.value[LMR_DEPTH] || n.searched < params.value[LMR_MOVES])
                cr_assert_eq(reduction, 0);
            reduced += reduction > 0;
            if (late_move_prunes(t, &n, m))
                cr_assert(is_quiet(m) && !n.in_check && n.searched > 0 &&
                          plies_left(n.depth) <= params.value[LMP_DEPTH]);
        }
    }
    cr_assert(reduced > cases / 4 && shorter[0] > 0 && shorter[1] > 0);
}

/* Reverse futility: a margin above beta for every ply that remains, and no less. */
Test(methods, reverse_futility)
{
    struct tree *t =
        tree_at(winning, PLAIN({REVERSE_FUTILITY_DEPTH, 3}, {REVERSE_FUTILITY_MARGIN, 100}));
    int32_t eval = tree_evaluate(t);
    for (int depth = 1; depth <= 16; depth++)
        for (int32_t above = 0; above <= 500; above += 50) {
            int plies = (depth + 3) / 4;
            struct node n = some_node(t, NODE_CUT, eval - above - 1, depth);
            cr_assert_eq(reverse_futility_cuts(t, &n), plies <= 3 && above >= 100 * plies);
            n.kind = NODE_PV;
            cr_assert_not(reverse_futility_cuts(t, &n));
        }
}

/* SEE pruning: what loses more than the margin for every ply that remains. */
Test(methods, see_pruning)
{
    Move rook_takes = move_make(square_at(3, 0), square_at(3, 4), CAPTURE);
    Move knight_takes = move_make(square_at(4, 2), square_at(3, 4), CAPTURE);
    Move safe = move_make(square_at(4, 2), square_at(6, 3), QUIET);
    struct tree *t =
        tree_at("4k3/8/2p5/3p4/8/4N3/8/3RK3 w - - 0 1",
                PLAIN({SEE_PRUNING_DEPTH, 2}, {SEE_PRUNING_QUIET, 20}, {SEE_PRUNING_CAPTURE, 20}));
    for (int depth = 1; depth <= 12; depth++) {
        struct node n = some_node(t, NODE_CUT, 0, depth);
        cr_assert_eq(see_prunes(t, &n, rook_takes), depth <= 8);
        cr_assert_not(see_prunes(t, &n, safe));
        n.in_check = true;
        cr_assert_not(see_prunes(t, &n, rook_takes));
    }
    t->params.value[SEE_PRUNING_CAPTURE] = 127;
    struct node n = some_node(t, NODE_CUT, 0, 8);
    cr_assert_not(see_prunes(t, &n, knight_takes), "a knight for two pawns loses less than 254");
}

/* SEE_PRUNING_LATE: a quiet move may lose so much times the square of the plies that its reduction leaves. */
Test(methods, see_pruning_by_reduced_depth)
{
    const Move loses = move_make(square_at(3, 0), square_at(3, 3), QUIET); /* a rook for a pawn */
    struct tree *t = tree_at(
        "4k3/8/8/4p3/8/4N3/8/3RK3 w - - 0 1",
        PLAIN({SEE_PRUNING_DEPTH, 4}, {SEE_PRUNING_LATE, 63}, {LMR_USE, 1}, {LMR_BASE, 100}));
    for (int depth = 1; depth <= 20; depth++) {
        struct node n = some_node(t, NODE_CUT, 0, depth);
        const int plies = plies_left(depth);
        const bool prunes = !see_at_least(&t->position, loses, -63 * plies * plies);
        cr_assert_eq(see_prunes(t, &n, loses), plies <= 4 && prunes, "%d", depth);
        n.searched = 3;
        n.reduction = late_move_reduction(t, &n, loses, false);
        const int left = plies_left(depth - n.reduction);
        const int least = left > 1 ? left : 1;
        cr_assert_eq(see_prunes(t, &n, loses),
                     least <= 4 && !see_at_least(&t->position, loses, -63 * least * least), "%d",
                     depth);
    }
}

/* NULL_MOVE_MARGIN: however the table bounds it, an evaluation too far below beta allows no null move. */
Test(methods, null_move_margin)
{
    for (int32_t below = -200; below <= 200; below += 20) {
        struct tree *t = tree_at(
            winning, PLAIN({NULL_MOVE_USE, 1}, {NULL_MOVE_REDUCTION, 3}, {NULL_MOVE_MARGIN, 30}));
        int32_t value;
        struct node n = some_node(t, NODE_CUT, tree_evaluate(t) + below - 1, 5 * PLY);
        n.bounded = n.beta;
        null_move_prune(t, &n, &value);
        cr_assert_eq(t->nodes > 0, below <= 30 * 5 - 100, "%d", below);
    }
}

/* The excluded move is put back, whatever the search of the others finds. */
Test(methods, singular_leaves_its_node_as_it_was)
{
    struct stream s = seeded(7);
    int extended = 0, not = 0, reduced = 0;
    for (int i = 0; i < 500; i++) {
        const int32_t above = i % 2 == 0 ? 60 : 140; /* below beta, and above it */
        struct position p = random_position(&s, (int)stream_below(&s, 100));
        struct search_params params = search_plain_params();
        params.value[SINGULAR_DEPTH] = 3;
        params.value[SINGULAR_MARGIN] = (int32_t)stream_below(&s, 32);
        params.value[SINGULAR_REDUCTION] = 3;
        if (position_in_check(&p))
            continue;
        struct tree *t = bare_tree(&p, &params);
        struct move_list list;
        int32_t value;
        movegen_legal(&p, &list);
        struct node n = some_node(t, NODE_CUT, tree_evaluate(t) + 100, 16);
        n.hit = (struct tt_hit){.found = true,
                                .bound = BOUND_LOWER,
                                .move = list.moves[stream_below(&s, (uint64_t)list.count)],
                                .depth = 16,
                                .value = tree_evaluate(t) + above,
                                .eval = n.eval};
        bool cut = singular_extend(t, &n, &value);
        cr_assert_eq(tree_frame(t, 2)->excluded, NO_MOVE);
        cr_assert_eq(tree_frame(t, 2)->eval, n.eval);
        cr_assert(n.singular == 0 || n.singular == PLY || (n.singular == -3 && above > 100));
        cr_assert(!cut || (value >= n.beta && n.singular != PLY));
        extended += n.singular == PLY;
        reduced += n.singular == -3;
        not += n.singular == 0;
    }
    cr_assert(extended > 10 && not > 10 && reduced > 10, "%d %d %d", extended, not, reduced);
}

/* ---- correction history ---- */

static const char pawns_of_both[] = "4k3/pp4pp/8/3p4/3P4/8/PP4PP/4K3 w - - 0 1";

/* A tree at a position with the whole correction on, up to a limit. */
static struct tree *corrected_tree(const char *fen, int limit)
{
    return tree_at(fen, PLAIN({CORRECTION_SHARE, 16}, {CORRECTION_LIMIT, limit}));
}

/* Learns often that the searches of a node of the principal variation are worth so much more than
 * its evaluation. */
static void learn(struct tree *t, int32_t error, int times)
{
    struct node n = some_node(t, NODE_PV, -3000, 4 * PLY);
    n.beta = 3000;
    n.best = n.raw + error;
    n.best_move = move_make(4, 12, QUIET);
    for (int i = 0; i < times; i++)
        correction_learn(t, &n);
}

/* The correction of the current position. */
static int32_t correction(const struct tree *t)
{
    return tree_corrected(t, 100) - 100;
}

Test(methods, correction_comes_to_the_error_of_these_pawns)
{
    struct tree *t = corrected_tree(pawns_of_both, 255);
    int32_t last = 0;
    cr_assert_eq(correction(t), 0);
    for (int i = 0; i < 300; i++, last = correction(t)) {
        learn(t, 90, 1);
        cr_assert(correction(t) >= last && correction(t) <= 90);
    }
    cr_assert(last > 80 && last <= 90, "%d", last);
    t->params.value[CORRECTION_SHARE] = 8;
    cr_assert(correction(t) >= last / 2 - 1 && correction(t) <= last / 2 + 1, "half of it");
    t->params.value[CORRECTION_SHARE] = 0;
    cr_assert_eq(correction(t), 0, "off");
    t->params.value[CORRECTION_SHARE] = 16;
    t->position = position_of("3qk3/pp4pp/8/3p4/3P4/8/PP4PP/4K3 w - - 0 1");
    cr_assert_eq(correction(t), last, "other pieces, the same pawns");
    t->position = position_of("4k3/pp4pp/8/3p4/3P4/8/PP4PP/4K3 b - - 0 1");
    cr_assert_eq(correction(t), 0, "the other side");
    t->position = position_of("4k3/pp4pp/8/3p4/3P4/8/P5PP/4K3 w - - 0 1");
    cr_assert_eq(correction(t), 0, "other pawns");
}

Test(methods, correction_saturates)
{
    struct tree *t = corrected_tree(pawns_of_both, 40);
    t->params.value[CORRECTION_SHARE] = 31;
    for (int sign = -1; sign <= 1; sign += 2) {
        learn(t, sign * 2900, 1000);
        cr_assert_eq(correction(t), sign * 40);
        t->params.value[CORRECTION_LIMIT] = 255;
        cr_assert_eq(correction(t), sign * 255);
        t->params.value[CORRECTION_LIMIT] = 40;
    }
    cr_assert_eq(tree_corrected(t, EVAL_LIMIT), EVAL_LIMIT, "no mate score");
    tree_forget(t);
    cr_assert_eq(correction(t), 0);
}

/* One part for the pawns, and one for the pieces of each side; either is at most a quarter of the largest entry. */
Test(methods, correction_by_pieces)
{
    static const char *const others[] = {
        "3rk3/pp4pp/8/3p4/3P4/8/PP4PP/3QK3 w - - 0 1",  /* Black's pieces */
        "3qk3/pp4pp/8/3p4/3P4/8/PP4PP/3QK2N w - - 0 1", /* White's */
        "3rk3/pp4pp/8/3p4/3P4/8/PP4PP/3QK2N w - - 0 1"};
    static const char fen[] = "3qk3/pp4pp/8/3p4/3P4/8/PP4PP/3QK3 w - - 0 1";
    struct tree *t = corrected_tree(fen, 255);
    t->params.value[CORRECTION_SHARE] = 1;
    t->params.value[CORRECTION_PIECES] = 8;
    learn(t, 2900, 1000);
    const int32_t whole = CORRECTION_MOST / 16, part = CORRECTION_MOST / 8;
    cr_assert(abs(correction(t) - whole - 2 * part) <= 2, "%d", correction(t));
    for (int i = 0; i < 3; i++) {
        t->position = position_of(others[i]);
        cr_assert(abs(correction(t) - whole - (i < 2) * part) <= 2, "%d: %d", i, correction(t));
    }
}

/* A value that says nothing of a quiet position, or no more than the evaluation does. */
Test(methods, correction_learns_only_from_values_that_tell)
{
    static const struct {
        int32_t alpha, beta, above; /* beta and alpha, and the value, as seen from the evaluation */
        bool check, capture, none, excluded, learns;
    } cases[] = {
        {-500, 500, 50, false, false, false, false, true},
        {-500, 500, 50, true, false, false, false, false},
        {-500, 500, 50, false, true, false, false, false},
        {-500, 500, 50, false, false, false, true, false},
        {-20, -10, -10, false, false, false, false, false}, /* at least less */
        {10, 11, 11, false, false, false, false, true},     /* at least more */
        {10, 11, 10, false, false, true, false, false},     /* at most more */
        {-20, -10, -20, false, false, true, false, true},   /* at most less */
        {-500, MATE, MATE - 9, false, false, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tree *t = corrected_tree(pawns_of_both, 255);
        struct node n = some_node(t, NODE_CUT, 0, 12 * PLY);
        n.alpha = n.eval + cases[i].alpha;
        n.beta = cases[i].beta == MATE ? MATE : n.eval + cases[i].beta;
        n.best = is_mate_score(cases[i].above) ? cases[i].above : n.eval + cases[i].above;
        n.in_check = cases[i].check;
        n.best_move =
            cases[i].none ? NO_MOVE : move_make(27, 35, cases[i].capture ? CAPTURE : QUIET);
        tree_frame(t, 2)->excluded = cases[i].excluded ? move_make(4, 12, QUIET) : NO_MOVE;
        for (int j = 0; j < 50; j++)
            correction_learn(t, &n);
        cr_expect_eq(correction(t) != 0, cases[i].learns, "row %zu", i);
    }
}

/* A node, its pruning and quiescence see the corrected evaluation; the table keeps the other one. */
Test(methods, correction_counts_wherever_the_evaluation_does)
{
    struct tree *t = corrected_tree(pawns_of_both, 255);
    struct tt_hit hit;
    int32_t raw = tree_evaluate(t);
    learn(t, 120, 2000);
    int32_t corrected = raw + correction(t);
    cr_assert_gt(corrected, raw + 100);
    cr_assert_eq(tree_quiesce(t, -3000, 3000, 2, 0, NO_SQUARE), corrected);
    hit = tt_probe(&t->tt, t->position.key, 2);
    cr_assert(hit.found && hit.eval == raw && hit.value == corrected);
    t->params.value[REVERSE_FUTILITY_DEPTH] = 1;
    tree_frame(t, 1)->move = move_make(8, 16, QUIET);
    cr_assert_eq(tree_search(t, NODE_CUT, corrected - 1, corrected, PLY, 2), corrected);
    cr_assert_eq(tree_frame(t, 2)->eval, corrected);
    cr_assert_eq(tree_frame(t, 2)->raw, raw);
}

/* What was learned is forgotten with the table: a search does not depend on the one before. */
Test(methods, correction_is_forgotten)
{
    struct engine *e = engine_with(1, search_initial_params());
    struct search_params params = search_initial_params();
    struct position p = position_of(italian);
    params.value[CORRECTION_SHARE] = 16;
    struct search_result first = searched(e, &p, &params, 20000);
    struct search_result again = searched(e, &p, &params, 20000);
    cr_assert(same_result(&first, &again));
    params.value[CORRECTION_SHARE] = 0;
    struct search_result off = searched(e, &p, &params, 20000);
    cr_assert_not(same_result(&first, &off));
    engine_destroy(e);
}

/* ---- history of moves ---- */

/* Sets what the tables say of a quiet move of White, in sum. */
static void set_history(struct tree *t, Move m, int history)
{
    t->ordering.history[WHITE][0][m & 4095] = (int16_t)history;
}

/* A quiet move is pruned where its history is below the limit for every ply that remains. */
Test(methods, history_pruning)
{
    const Move quiet = move_make(0, 8, QUIET), takes = move_make(28, 35, CAPTURE);
    struct tree *t = tree_at("4k3/8/8/3p4/4P3/8/8/QR2K3 w - - 0 1",
                             PLAIN({HISTORY_PRUNING_DEPTH, 3}, {HISTORY_PRUNING_LIMIT, 8}));
    for (int depth = 1; depth <= 16; depth++)
        for (int history = 0; history >= -8000; history -= 500) {
            int plies = (depth + 3) / 4;
            struct node n = some_node(t, NODE_ALL, 0, depth);
            bool bad = history < -8 * HISTORY_PRUNING_UNIT * plies;
            set_history(t, quiet, history);
            set_history(t, takes, history);
            n.history = ordering_score(&t->ordering, &t->position, n.context, quiet);
            cr_assert_not(history_prunes(t, &n, quiet), "the first move");
            n.searched = 1;
            cr_assert_eq(history_prunes(t, &n, quiet), plies <= 3 && bad, "%d, %d", depth, history);
            cr_assert_not(history_prunes(t, &n, takes));
            n.in_check = true;
            cr_assert_not(history_prunes(t, &n, quiet));
        }
}

/* A good history shortens the reduction of a late move, a bad one lengthens it, as far as LMR_HISTORY
 * says. */
Test(methods, history_counts_in_reductions)
{
    const Move quiet = move_make(0, 8, QUIET);
    for (int weight = 0; weight <= 15; weight++) {
        struct tree *t = tree_at("4k3/8/8/3p4/4P3/8/8/QR2K3 w - - 0 1",
                                 PLAIN({LMR_USE, 1}, {LMR_BASE, 100}, {LMR_HISTORY, weight}));
        struct node n = some_node(t, NODE_ALL, 0, 12 * PLY);
        for (int history = -16000; history <= 16000; history += 4000) {
            int hundredths = 100 - weight * history / 4096;
            set_history(t, quiet, history);
            n.history = ordering_score(&t->ordering, &t->position, n.context, quiet);
            cr_assert_eq(late_move_reduction(t, &n, quiet, false),
                         hundredths > 0 ? hundredths * PLY / 100 : 0);
        }
    }
}

/* ---- ProbCut ---- */

/* A tree where ProbCut acts from five plies on, with a margin of a pawn. */
static struct tree *probcut_tree(const char *fen, int reduction)
{
    return tree_at(
        fen, PLAIN({PROBCUT_DEPTH, 5}, {PROBCUT_MARGIN, 100}, {PROBCUT_REDUCTION, reduction}));
}

static const char wins_a_queen[] = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";

/* Where ProbCut is allowed, a capture that wins a queen cuts; the table then knows it. */
Test(methods, probcut_cuts_where_it_is_allowed)
{
    const Move takes = move_make(28, 35, CAPTURE);
    for (int i = 0; i < 9; i++) {
        struct tree *t = probcut_tree(wins_a_queen, 3);
        int32_t eval = tree_evaluate(t), value = 0;
        struct node n = some_node(t, i == 1 ? NODE_PV : NODE_CUT, eval + (i == 2 ? 3000 : 200),
                                  i == 3 ? 5 * PLY - 1 : 5 * PLY);
        n.in_check = i == 4;
        n.beta = i == 5 ? MATE - 20 : n.beta;
        tree_frame(t, 2)->excluded = i == 6 ? takes : NO_MOVE;
        if (i == 7)
            n.hit = (struct tt_hit){true, BOUND_UPPER, takes, 2 * PLY, n.beta + 99, n.eval};
        if (i == 8)
            t->params.value[PROBCUT_DEPTH] = 0;
        cr_assert_eq(probcut_prune(t, &n, &value), i == 0, "case %d", i);
        cr_assert_eq(t->nodes > 0, i == 0, "case %d", i);
        cr_assert(i > 0 || value >= n.beta);
        struct tt_hit hit = tt_probe(&t->tt, t->position.key, 2);
        cr_assert_eq(hit.found, i == 0);
        cr_assert(i > 0 || (hit.move == takes && hit.bound == BOUND_LOWER && hit.depth == 2 * PLY &&
                            hit.value == value + 100 && hit.eval == n.raw));
    }
}

/* What quiescence does not see the reduced search does: the rook that takes the queen leaves its back
 * rank. */
Test(methods, probcut_asks_a_search)
{
    for (int reduction = 1; reduction <= 7; reduction++) {
        struct tree *t = probcut_tree("4r1k1/5ppp/8/3q4/8/8/5PPP/3R2K1 w - - 0 1", reduction);
        struct node n = some_node(t, NODE_CUT, tree_evaluate(t) + 300, 6 * PLY);
        int32_t value;
        cr_assert_eq(probcut_prune(t, &n, &value), reduction >= 5, "reduced by %d", reduction);
    }
}
