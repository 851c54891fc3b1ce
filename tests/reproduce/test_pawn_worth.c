/* The worth of a pawn beside the pieces: of mean values, for the paper, the runs and random genes. */
#include "pawn_worth.h"

#include <criterion/criterion.h>

Test(pawn_worth, is_one_where_pieces_have_their_usual_values)
{
    cr_expect_float_eq(pawn_worth(300 + 300 + 500 + 900), 1, 1e-9);
}

/* 521, 572, 824 and 1710: the paper's means of ten runs. */
Test(pawn_worth, of_the_papers_values_is_055)
{
    struct eval_weights published = eval_initial_weights();
    cr_expect_float_eq(pieces_of(published.value), 3627, 1e-9);
    cr_expect_float_eq(pawn_worth(pieces_of(published.value)), 0.551, 0.001);
}

/* Two sets of 2,000 and 6,000: their mean is 4,000, so a pawn is worth a half; the mean of 1 and 1/3 is
 * another figure. */
Test(pawn_worth, of_several_sets_is_that_of_their_mean)
{
    const double pieces[] = {2000, 6000};
    struct spread worth = pawn_worth_of(spread_of(pieces, 2));
    cr_expect_float_eq(worth.mean, 0.5, 1e-9);
    cr_expect_float_eq(worth.deviation, 0.5 * sqrt(2) * 2000 / 4000, 1e-9);
}

/* Four times 0 to 2,047. */
Test(pawn_worth, of_random_genes_is_that_of_the_middle_of_their_ranges)
{
    struct spread random = random_pieces();
    cr_expect_float_eq(random.mean, 4094, 1e-9);
    cr_expect_float_eq(random.deviation, sqrt(4 * (2048.0 * 2048 - 1) / 12), 1e-9);
    cr_expect_float_eq(pawn_worth(random.mean), 0.489, 0.001);
}
