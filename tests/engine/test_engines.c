/* An engine for each thread: alike, and apart. */
#include "engines.h"

#include <criterion/criterion.h>

Test(engines, are_alike)
{
    struct error err = {""};
    struct evaluation e = evaluation_initial();
    struct position p;
    const struct search_limits limits = {.nodes = 2000};
    struct search_result r[3];
    e.paper.value[KNIGHT_VALUE] = 900;
    struct engine **engines = engines_create(2, 1, &e, &err);
    cr_assert_not_null(engines, "%s", err.text);
    cr_assert(position_from_fen(
        &p, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", NULL, &err));
    r[0] = engine_search(engines[0], &p, NULL, &limits, NULL);
    r[1] = engine_search(engines[1], &p, NULL, &limits, NULL);
    cr_expect(r[0].best == r[1].best && r[0].score == r[1].score && r[0].depth == r[1].depth);
    e = evaluation_initial();
    e.paper.value[KNIGHT_VALUE] = 1;
    engine_set_evaluation(engines[0], &e);
    r[0] = engine_search(engines[0], &p, NULL, &limits, NULL);
    engine_clear(engines[1]);
    r[2] = engine_search(engines[1], &p, NULL, &limits, NULL);
    cr_expect(r[1].best == r[2].best && r[1].score == r[2].score, "one does not know the other");
    cr_expect_neq(r[0].score, r[2].score);
    engines_destroy(engines, 2);
    engines_destroy(NULL, 2);
}
