/* Quiescence and the 1-ply search: the rule, its constants, and alpha-beta against minimax. */
#include "leaf_model.h"
#include "position_of.h"
#include "quiesce.h"
#include "random_chess.h"
#include "random_evaluation.h"

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
    struct move_list list;
    struct position check = position_of("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1");
    cr_assert_eq(quiesce_moves(&check, 0, NO_SQUARE, &list), QUIESCE_MUST_MOVE);
    cr_assert_eq(list.count, movegen_count(&check));
    cr_assert_eq(quiesce_moves(&check, 1, NO_SQUARE, &list), QUIESCE_STAND_PAT);
    cr_assert_eq(list.count, 1, "Kxe2 alone");

    struct position bad = position_of("4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1");
    const int e5 = square_at(4, 4);
    for (int ply = 0; ply < 5; ply++) {
        cr_assert_eq(quiesce_moves(&bad, ply, e5, &list), QUIESCE_STAND_PAT);
        cr_assert_eq(list.count, 0, "RxP defended by a pawn loses material, at any ply");
    }

    struct position even = position_of("4k3/8/8/8/1n1r4/8/8/K2R2R1 w - - 0 1");
    const int d4 = square_at(3, 3);
    cr_assert_eq(quiesce_moves(&even, 0, NO_SQUARE, &list), QUIESCE_STAND_PAT);
    cr_assert_eq(list.count, 1, "RxR wins a rook");
    cr_assert_eq(quiesce_moves(&even, 2, NO_SQUARE, &list), QUIESCE_STAND_PAT);
    cr_assert_eq(list.count, 1, "what wins material is searched at the third ply");
    cr_assert_eq(quiesce_moves(&even, 3, NO_SQUARE, &list), QUIESCE_STAND_PAT);
    cr_assert_eq(list.count, 0, "but not at the fourth");
    cr_assert_eq(quiesce_moves(&even, 9, d4, &list), QUIESCE_STAND_PAT);
    cr_assert_eq(list.count, 1, "unless it recaptures");

    struct position trade = position_of("3rk3/8/8/8/3r4/8/8/K2R4 w - - 0 1");
    quiesce_moves(&trade, 0, NO_SQUARE, &list);
    cr_assert_eq(list.count, 1, "an even trade is searched at the first ply");
    quiesce_moves(&trade, 1, NO_SQUARE, &list);
    cr_assert_eq(list.count, 0, "but not later");
    quiesce_moves(&trade, 1, d4, &list);
    cr_assert_eq(list.count, 1, "unless it recaptures");

    struct position promotion = position_of("8/4P1k1/8/8/8/8/8/K7 w - - 0 1");
    quiesce_moves(&promotion, 0, NO_SQUARE, &list);
    cr_assert_eq(list.count, 1, "a queen, and nothing less");
    cr_assert_eq(move_promotion(list.moves[0]), QUEEN);
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

Test(quiesce, one_ply_search_mates_and_takes)
{
    struct evaluation e = evaluation_initial();
    uint64_t nodes = 0;
    struct position mate = position_of("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    cr_assert_eq(move_to(one_ply_search(&mate, &e, LEAF_QUIESCENCE, &nodes)), 59);
    struct position hanging = position_of("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1");
    cr_assert_eq(move_to(one_ply_search(&hanging, &e, LEAF_QUIESCENCE, &nodes)), 35);
    struct position mated = position_of("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    cr_assert_eq(one_ply_search(&mated, &e, LEAF_QUIESCENCE, &nodes), NO_MOVE);
}

/* With all weights 0 but the pawn's, quiet moves are equal: the first in canonical order wins. */
Test(quiesce, ties_go_to_the_first_move_in_canonical_order)
{
    struct evaluation e = evaluation_of_weights(&(struct eval_weights){{[PAWN_VALUE] = 100}});
    uint64_t nodes = 0;
    struct position start = position_of(FEN_START);
    cr_assert_eq(one_ply_search(&start, &e, LEAF_QUIESCENCE, &nodes), move_make(1, 16, QUIET));
}
