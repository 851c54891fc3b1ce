/* The searches that a suite can be solved by: their names, and that each is what it says. */
#include "searcher.h"

#include "random_evaluation.h"

#include <criterion/criterion.h>
#include <string.h>

Test(searcher, names_go_both_ways)
{
    enum search_method method;
    struct error err = {""};
    for (enum search_method m = 0; m < SEARCH_METHODS; m++) {
        cr_expect(search_method_from_name(search_method_name(m), &method, &err));
        cr_expect_eq(method, m);
    }
    cr_expect_not(search_method_from_name("beal4", &method, &err));
    cr_expect_str_eq(err.text, "unknown search 'beal4'; expected engine, beal1, beal2 or beal3");
}

static bool same(const struct solved *a, const struct solved *b)
{
    return a->best == b->best && a->score == b->score && a->depth == b->depth &&
           a->nodes == b->nodes && a->first.nodes == b->first.nodes &&
           a->stable.nodes == b->stable.nodes;
}

/* A sacrifice on d8 that mates: all orders count first and stable by the rules of solve.h. */
Test(searcher, each_method_is_its_own_search)
{
    struct epd epd;
    struct solved found[SEARCH_METHODS];
    const struct solve_limits limits = {.nodes = 20000};
    const struct evaluation evaluation = material_evaluation();
    const struct search_params params = search_initial_params();
    cr_assert(
        epd_parse("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - bm Qd8;", &epd, NULL));
    for (enum search_method m = 0; m < SEARCH_METHODS; m++) {
        struct searcher s;
        struct error err = {""};
        cr_assert(searcher_init(&s, m, 1, &evaluation, &err), "%s", err.text);
        found[m] = searcher_solve(&s, &params, &epd, &limits);
        struct solved again = searcher_solve(&s, &params, &epd, &limits);
        cr_expect(same(&found[m], &again), "%s repeats", search_method_name(m));
        searcher_finish(&s);
        for (enum search_method other = 0; other < m; other++)
            cr_expect_not(same(&found[m], &found[other]));
    }
    const struct solved *s = &found[SEARCH_BEAL2];
    cr_expect(solve_is_right(&epd, s->best));
    cr_expect(s->first.nodes > 0 && s->first.nodes <= s->stable.nodes &&
              s->stable.nodes <= s->nodes);
    cr_expect_leq(s->nodes, limits.nodes);
}

Test(searcher, beals_search_refuses_the_modern_evaluation)
{
    struct stream s;
    struct searcher searcher;
    struct error err = {""};
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    const struct evaluation modern = random_evaluation(&s, EVALUATION_MODERN);
    cr_expect_not(searcher_init(&searcher, SEARCH_BEAL2, 1, &modern, &err));
    cr_expect_str_eq(err.text,
                     "beal2 needs an evaluation of kind evaluation, not evaluation-modern");
}
