/* Quiescence and the 1-ply search: the rule, its constants, and alpha-beta against minimax. */
#include "leaf_model.h"
#include "position_of.h"
#include "quiesce.h"
#include "random_chess.h"

#include <criterion/criterion.h>

Test(quiesce, the_one_ply_search_equals_minimax)
{
    struct stream s = seeded(4);
    for (int i = 0; i < 300; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 120));
        struct evaluation e = random_evaluation(&s, (enum evaluation_kind)(i % EVALUATION_KINDS));
        struct position searched = p;
        struct move_list list;
        uint64_t nodes = 0;
        int32_t best = -EXACT_INFINITE;
        Move choice = NO_MOVE;
        movegen_legal(&p, &list);
        movegen_sort(&list);
        for (int m = 0; m < list.count; m++) {
            struct position after = p;
            struct undo undo;
            position_make(&after, list.moves[m], &undo);
            const int32_t value = -leaf_model(&after, &e);
            choice = value > best ? list.moves[m] : choice;
            best = value > best ? value : best;
        }
        cr_assert_eq(one_ply_search(&searched, &e, LEAF_QUIESCENCE, &nodes), choice);
    }
}

/* Which moves are searched depends on nothing but the position and how it was reached. */
Test(quiesce, follows_its_rule)
{
    static const char in_check[] = "4k3/8/8/8/8/8/4q3/4K2R w K - 0 1",
                      defended[] = "4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1",
                      rooks[] = "4k3/8/8/8/1n1r4/8/8/K2R2R1 w - - 0 1",
                      trade[] = "3rk3/8/8/8/3r4/8/8/K2R4 w - - 0 1";
    const int d4 = 27, e5 = 36;
    const struct {
        const char *fen;
        int ply, target, moves; /* -1: all */
    } cases[] = {
        {in_check, 0, NO_SQUARE, -1},
        {in_check, 1, NO_SQUARE, 1}, /* Kxe2 alone */
        {defended, 0, e5, 0},        /* by a pawn: RxP loses material, at any ply */
        {defended, 1, e5, 0},
        {defended, 4, e5, 0},
        {rooks, 0, NO_SQUARE, 1}, /* RxR wins a rook: until the third ply, */
        {rooks, 2, NO_SQUARE, 1},
        {rooks, 3, NO_SQUARE, 0},
        {rooks, 9, d4, 1},        /* unless it recaptures */
        {trade, 0, NO_SQUARE, 1}, /* an even trade: at the first ply, */
        {trade, 1, NO_SQUARE, 0},
        {trade, 1, d4, 1},                                   /* unless it recaptures */
        {"8/4P1k1/8/8/8/8/8/K7 w - - 0 1", 0, NO_SQUARE, 1}, /* a queen, and nothing less */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct position p = position_of(cases[i].fen);
        const bool all = cases[i].moves < 0;
        struct move_list list;
        cr_expect_eq(quiesce_moves(&p, cases[i].ply, cases[i].target, &list),
                     all ? QUIESCE_MUST_MOVE : QUIESCE_STAND_PAT);
        cr_expect_eq(list.count, all ? movegen_count(&p) : cases[i].moves, "row %zu", i);
        for (int m = 0; m < list.count; m++)
            cr_expect(!move_is_promotion(list.moves[m]) || move_promotion(list.moves[m]) == QUEEN);
    }
}

Test(quiesce, ends_have_constant_values)
{
    const struct {
        const char *fen;
        enum quiesce_status status;
        int32_t value;
    } ends[] = {
        {"R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", QUIESCE_MATED, -MATE + 1},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", QUIESCE_DRAWN, 0},
        {"7k/8/6K1/8/8/8/8/5B2 b - - 0 1", QUIESCE_DRAWN, 0},
    };
    for (int i = 0; i < 3; i++) {
        struct position p = position_of(ends[i].fen);
        struct move_list list;
        cr_assert_eq(quiesce_moves(&p, 0, NO_SQUARE, &list), ends[i].status, "%s", ends[i].fen);
        cr_assert_eq(leaf_constant(ends[i].status, 0), ends[i].value);
        cr_assert_eq(leaf_status(&p), ends[i].status);
    }
}

/* It mates and takes. With all weights 0 but the pawn's, quiet moves are equal: the first in canonical order
 * wins. */
Test(quiesce, the_one_ply_search_finds)
{
    static const struct {
        const char *fen;
        int to;
        bool pawns_alone;
    } cases[] = {{"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 59, false},
                 {"4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", 35, false},
                 {"R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", 0, false}, /* no move */
                 {FEN_START, 16, true}};
    for (int i = 0; i < 4; i++) {
        const struct evaluation e =
            cases[i].pawns_alone
                ? evaluation_of_weights(&(struct eval_weights){{[PAWN_VALUE] = 100}})
                : evaluation_initial();
        struct position p = position_of(cases[i].fen);
        uint64_t nodes = 0;
        const Move m = one_ply_search(&p, &e, LEAF_QUIESCENCE, &nodes);
        cr_expect_eq(move_to(m), cases[i].to, "%s", cases[i].fen);
        cr_expect(!cases[i].pawns_alone || m == move_make(1, 16, QUIET));
    }
}
