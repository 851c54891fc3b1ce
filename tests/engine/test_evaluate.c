/* The evaluation: linear in its weights, symmetric in its colours, and counting what it says. */
#include "evaluate.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct position position(const char *fen)
{
    struct position p;
    struct error err;
    cr_assert(position_from_fen(&p, fen, NULL, &err), "%s: %s", fen, err.text);
    return p;
}

/* The product of a trace and weights, from the side to move. */
static int32_t replay(const struct position *p, const struct eval_weights *w)
{
    struct eval_trace trace;
    evaluate_trace(p, &trace);
    int32_t score = 0;
    for (int t = 0; t < EVAL_TERMS; t++)
        score += trace.count[t] * w->value[t];
    return p->side == WHITE ? score : -score;
}

Test(evaluate, replaying_a_trace_gives_the_evaluation)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 150));
        for (int k = 0; k < 10; k++) {
            struct eval_weights w = random_weights(&s);
            cr_assert_eq(replay(&p, &w), evaluate(&p, &w));
        }
    }
}

Test(evaluate, mirroring_the_board_changes_nothing)
{
    struct stream s;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < 5000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        struct position m = position_mirrored(&p);
        struct eval_weights w = random_weights(&s);
        cr_assert_eq(evaluate(&p, &w), evaluate(&m, &w));
    }
}

Test(evaluate, stays_below_mate_on_the_heaviest_weights)
{
    struct position heavy = position("QQQQQQQQ/QRRBBNN1/8/8/8/8/8/K6k b - - 0 1");
    struct eval_weights w;
    for (int t = 0; t < EVAL_TERMS; t++)
        w.value[t] = eval_table.params[t].max;
    cr_assert(abs(evaluate(&heavy, &w)) < EVAL_LIMIT);
    struct stream s;
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 300));
        cr_assert(abs(evaluate(&p, &w)) < EVAL_LIMIT);
    }
}

Test(evaluate, the_table_has_35_terms_and_224_bits)
{
    int bits = 0, tunable = 0;
    for (int t = 0; t < eval_table.count; t++) {
        const struct param *p = &eval_table.params[t];
        bits += p->bits;
        tunable += p->bits > 0;
        cr_assert(p->initial >= p->min && p->initial <= p->max, "%s", p->name);
        cr_assert(p->bits == 0 || p->max == (1 << p->bits) - 1, "%s", p->name);
        cr_assert(p->sign == 1 || p->sign == -1, "%s", p->name);
    }
    cr_assert_eq(eval_table.count, 35);
    cr_assert_eq(tunable, 34);
    cr_assert_eq(bits, 224);
    cr_assert_eq(eval_table.params[PAWN_VALUE].initial, 100);
}

/* Penalties as the paper names them; all else is a bonus. */
Test(evaluate, the_penalties_are_the_papers)
{
    const char *penalties[] = {
        "DOUBLED_PAWN_PENALTY",         "ISOLATED_PAWN_PENALTY", "BACKWARD_PAWN_PENALTY",
        "WEAK_SQUARE_PENALTY",          "KING_NO_FRIENDLY_PAWN", "KING_NO_FRIENDLY_PAWN_ADJ",
        "KING_FRIENDLY_PAWN_ADVANCED1", "KING_NO_ENEMY_PAWN",    "KING_NO_ENEMY_PAWN_ADJ"};
    int found = 0;
    for (int t = 0; t < eval_table.count; t++)
        found += eval_table.params[t].sign < 0;
    cr_assert_eq(found, 9);
    for (int i = 0; i < 9; i++)
        cr_assert_eq(eval_table.params[param_find(&eval_table, penalties[i])].sign, -1);
}

/* Golden counts: the file was made by an independent program (tests/golden/count_terms.py) from the
 * meanings in eval_params.def. Each line is a FEN, a tab, and the counts in the table's order. */
Test(evaluate, counts_each_term_as_the_golden_file_says)
{
    char path[1024], line[1024];
    snprintf(path, sizeof path, "%s/tests/golden/eval-counts.tsv", getenv("GRAYLING_SOURCE"));
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in, "%s", path);
    int positions = 0, counted[EVAL_TERMS] = {0};
    while (fgets(line, sizeof line, in) != NULL) {
        char *field = strtok(line, "\t\n");
        struct position p = position(field);
        struct eval_trace trace;
        evaluate_trace(&p, &trace);
        for (int t = 0; t < EVAL_TERMS; t++) {
            char *text = strtok(NULL, "\t\n");
            cr_assert_not_null(text, "%s", field);
            cr_assert_eq(trace.count[t], atoi(text), "%s: %s is %d, not %s", field,
                         eval_table.params[t].name, trace.count[t], text);
            counted[t] += trace.count[t] != 0;
        }
        positions++;
    }
    fclose(in);
    cr_assert_eq(positions, 200);
    for (int t = 0; t < EVAL_TERMS; t++)
        cr_assert(counted[t] >= 3, "%s counts in only %d positions", eval_table.params[t].name,
                  counted[t]);
}
