#include "selective.h"

#include "attacks.h"
#include "see.h"
#include "sets.h"

enum {
    LONGEST = 4,     /* no extension beyond this multiple of the iteration */
    MANY_CUTOFFS = 4 /* of the replies to the moves before (LMR_CUTOFFS) */
};

static bool is_recapture(const struct tree *t, const struct node *n, Move m)
{
    const struct frame *before = tree_frame_const(t, n->ply - 1);
    return n->ply > 0 && before->capture && move_to(m) == move_to(before->move);
}

/* Whether a pawn reaches the sixth or seventh rank with no enemy pawn ahead of it or on the files beside. */
static bool is_passed_push(const struct position *p, Move m)
{
    const enum color us = (enum color)p->side;
    const Bitboard to = bit(move_to(m)), front = fill_ahead(us, ahead(us, to | beside(to)));
    const int rank = square_rank(square_relative(move_to(m), us));
    return p->board[move_from(m)] == PAWN && (rank == 5 || rank == 6) &&
           (front & position_pieces(p, color_other(us), PAWN)) == 0;
}

int extension_of(const struct tree *t, const struct node *n, Move m, bool gives_check)
{
    if (n->ply >= LONGEST * t->iteration)
        return 0;
    int sum = m == n->hit.move ? n->singular : 0;
    if (gives_check && (param(t, CHECK_EXTENSION_SAFE) == 0 || see_at_least(&t->position, m, 0)))
        sum += param(t, CHECK_EXTENSION);
    if (n->only_reply)
        sum += param(t, ONE_REPLY_EXTENSION);
    if (n->mate_threat)
        sum += param(t, MATE_THREAT_EXTENSION);
    if (param(t, RECAPTURE_EXTENSION) != 0 && is_recapture(t, n, m))
        sum += param(t, RECAPTURE_EXTENSION);
    if (param(t, PASSED_PAWN_EXTENSION) != 0 && is_passed_push(&t->position, m))
        sum += param(t, PASSED_PAWN_EXTENSION);
    const int most = m == n->hit.move && n->singular > PLY ? n->singular : PLY;
    return sum < most ? sum : most;
}

bool singular_extend(struct tree *t, struct node *n, int32_t *value)
{
    const struct tt_hit *hit = &n->hit;
    struct frame *f = tree_frame(t, n->ply);
    const int depth = (n->depth - PLY) / 2; /* of the search without the hash move */
    /* The node is deep enough for that, and a search nearly as deep failed high with the hash move. */
    if (param(t, SINGULAR_DEPTH) == 0 || n->depth < PLY * param(t, SINGULAR_DEPTH) || depth <= 0 ||
        hit->move == NO_MOVE || (hit->bound & BOUND_LOWER) == 0 ||
        hit->depth < n->depth - 3 * PLY || is_mate_score(hit->value) || f->excluded != NO_MOVE ||
        !movegen_is_legal(&t->position, hit->move))
        return false;
    const int32_t beta = hit->value - param(t, SINGULAR_MARGIN) * plies_left(n->depth) / 4;
    const enum node_kind kind = n->kind == NODE_ALL ? NODE_ALL : NODE_CUT;
    f->excluded = hit->move;
    *value = tree_search(t, kind, beta - 1, beta, depth, n->ply);
    f->excluded = NO_MOVE;
    if (*value < beta)
        n->singular = param(t, SINGULAR_DOUBLE) != 0 && n->kind != NODE_PV &&
                              *value < beta - param(t, SINGULAR_DOUBLE)
                          ? 2 * PLY
                          : PLY;
    else if (n->kind != NODE_PV && hit->value >= n->beta)
        n->singular = -param(t, SINGULAR_REDUCTION);
    *value = beta;
    return *value >= n->beta && n->singular <= 0 && n->kind != NODE_PV;
}

/* 256 ln(n). */
static const int16_t ln256[64] = {
    0,   0,   177,  281,  355,  412,  459,  498,  532,  562,  589,  614,  636,  657,  676,  693,
    710, 725, 740,  754,  767,  779,  791,  803,  814,  824,  834,  844,  853,  862,  871,  879,
    887, 895, 903,  910,  917,  924,  931,  938,  944,  951,  957,  963,  969,  975,  980,  986,
    991, 996, 1001, 1007, 1012, 1016, 1021, 1026, 1030, 1035, 1039, 1044, 1048, 1052, 1057, 1061,
};

static int ln(int n)
{
    return ln256[n < 63 ? n : 63];
}

int late_move_reduction(const struct tree *t, const struct node *n, Move m, bool gives_check)
{
    if (param(t, LMR_USE) == 0 || (n->in_check && (param(t, LMR_EVASIONS) == 0 || !is_quiet(m))) ||
        (gives_check && (param(t, LMR_CHECKS) == 0 || !is_quiet(m))) ||
        n->depth <= PLY * param(t, LMR_DEPTH) || n->searched < param(t, LMR_MOVES))
        return 0;
    if (!is_quiet(m))
        return param(t, LMR_CAPTURES) == 0 || see_at_least(&t->position, m, 0)
                   ? 0
                   : param(t, LMR_CAPTURES);
    int hundredths = param(t, LMR_BASE) +
                     param(t, LMR_SLOPE) * ln(plies_left(n->depth)) * ln(n->searched + 1) / 65536;
    hundredths -= param(t, LMR_HISTORY) * n->history / 4096;
    if (n->kind == NODE_PV)
        hundredths -= param(t, LMR_PV);
    if (n->kind == NODE_CUT)
        hundredths += param(t, LMR_CUT);
    if (param(t, IMPROVING_USE) != 0 && !n->improving && !n->in_check)
        hundredths += 50;
    if (n->hit.move != NO_MOVE && !is_quiet(n->hit.move))
        hundredths += param(t, LMR_HASH_CAPTURE);
    if (n->on_pv)
        hundredths -= param(t, LMR_PV_SEEN);
    if (gives_check)
        hundredths -= param(t, LMR_CHECK_LESS);
    if (is_killer(t->ordering.killers[n->ply], m))
        hundredths -= param(t, LMR_KILLER);
    if (tree_frame_const(t, n->ply + 1)->cutoffs >= MANY_CUTOFFS)
        hundredths += param(t, LMR_CUTOFFS);
    int quarters = hundredths * PLY / 100;
    return quarters > 0 ? quarters : 0;
}
