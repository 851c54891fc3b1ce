#include "late_moves.h"

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
    if (param(t, LMR_USE) == 0 || n->in_check || gives_check || !is_quiet(m) ||
        n->depth <= PLY * param(t, LMR_DEPTH) || n->searched < param(t, LMR_MOVES))
        return 0;
    int history = ordering_score(&t->ordering, &t->position, &n->context, m);
    int hundredths = param(t, LMR_BASE) +
                     param(t, LMR_SLOPE) * ln(plies_left(n->depth)) * ln(n->searched + 1) / 65536;
    hundredths -= param(t, LMR_HISTORY) * history / 4096;
    if (n->kind == NODE_PV)
        hundredths -= param(t, LMR_PV);
    if (n->kind == NODE_CUT)
        hundredths += param(t, LMR_CUT);
    if (param(t, IMPROVING_USE) != 0 && !n->improving)
        hundredths += 50;
    int quarters = hundredths * PLY / 100;
    return quarters > 0 ? quarters : 0;
}

bool late_move_prunes(const struct tree *t, const struct node *n, Move m)
{
    int plies = plies_left(n->depth);
    if (plies > param(t, LMP_DEPTH) || !is_quiet(m) || n->in_check)
        return false;
    int moves = param(t, LMP_MOVES) + plies * plies;
    if (param(t, IMPROVING_USE) != 0 && !n->improving)
        moves = moves / 2 + 1;
    return n->searched >= moves;
}
