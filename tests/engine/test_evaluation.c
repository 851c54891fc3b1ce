/* The evaluations: linear in their weights, symmetric in their colours, counting what they say, and the same
 * whatever is cached. */
#include "evaluation.h"

#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Empty at the beginning of each test, which has a process of its own. */
static struct evaluation_cache cache;
static struct pawn_cache pawn_cache;

static struct evaluation any_evaluation(struct stream *s, int number)
{
    return random_evaluation(s, (enum evaluation_kind)(number % EVALUATION_KINDS));
}

/* The exact score by the counts, for the side to move; they come by rising weight, and none is 0. */
static int64_t replayed(const struct evaluation *e, const struct position *p)
{
    struct weight_count items[EVALUATION_WEIGHTS];
    int32_t values[EVALUATION_WEIGHTS];
    int64_t sum = 0;
    evaluation_values(e, values);
    for (int i = 0, count = evaluation_counts(e->kind, p, items); i < count; i++) {
        cr_assert(items[i].count != 0 && (i == 0 || items[i].weight > items[i - 1].weight));
        sum += (int64_t)values[items[i].weight] * items[i].count;
    }
    return p->side == WHITE ? sum : -sum;
}

/* The evaluation's score in centipawns is the exact one, rounded. */
static void expect_score(const struct evaluation *e, const struct position *p)
{
    char fen[FEN_MAX];
    position_to_fen(p, fen);
    cr_assert_eq(evaluation_score(e, p, &cache), evaluation_exact(e, p) / evaluation_scale(e->kind),
                 "%s", fen);
}

/* ---- scores ---- */

Test(evaluation, keeps_the_values_of_its_table)
{
    struct stream s = seeded(1);
    for (int i = 0; i < 20; i++) {
        const struct param_table *table = evaluation_tables[i % EVALUATION_KINDS];
        int32_t values[EVALUATION_WEIGHTS], again[EVALUATION_WEIGHTS];
        random_values_of(&s, table, values);
        const struct evaluation e = evaluation_from(table, values);
        cr_assert_eq(evaluation_table(&e), table);
        cr_assert_eq(evaluation_table_of_kind(table->kind), table);
        evaluation_values(&e, again);
        cr_assert_eq(memcmp(values, again, (size_t)table->count * sizeof *values), 0);
    }
    cr_assert_null(evaluation_table_of_kind("search"));
}

Test(evaluation, a_symmetric_one_changes_its_sign_with_the_side)
{
    struct stream s = seeded(7);
    const struct evaluation e = evaluation_initial();
    cr_assert(evaluation_is_symmetric(&e));
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, i % 200);
        struct undo undo;
        if (position_in_check(&p))
            continue;
        int32_t score = evaluation_score(&e, &p, &cache);
        position_make_null(&p, &undo);
        cr_assert_eq(evaluation_score(&e, &p, &cache), -score);
    }
}

/* Of either side, and with the colours exchanged. */
Test(evaluation, exact_scores_are_what_the_counts_say)
{
    struct stream s = seeded(2);
    for (int i = 0; i < 6000; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 200));
        const struct position m = position_mirrored(&p);
        const struct evaluation e = any_evaluation(&s, i);
        cr_assert_eq(evaluation_exact(&e, &p), replayed(&e, &p), "position %d", i);
        cr_assert_eq(evaluation_exact(&e, &m), evaluation_exact(&e, &p), "position %d", i);
    }
}

/* A group of the modern evaluation costs nothing while its weights are 0; no other term may be lost with it. */
Test(evaluation, groups_count_alone)
{
    struct stream s = seeded(9);
    for (int i = 0; i < 1500; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 200));
        const uint16_t *begin = &modern_group_begin[i % MODERN_GROUPS];
        int32_t values[MODERN_WEIGHTS];
        random_values_of(&s, &modern_eval_table, values);
        for (int w = 0; w < MODERN_WEIGHTS; w++)
            if (w < 2 * begin[0] || w >= 2 * begin[1])
                values[w] = 0;
        const struct evaluation alone = evaluation_from(&modern_eval_table, values);
        cr_assert_eq(replayed(&alone, &p), evaluation_exact(&alone, &p), "case %d", i);
    }
}

/* Memory that was never used holds what is right without pawns. */
Test(evaluation, a_score_is_the_exact_one_whatever_is_cached)
{
    struct stream s = seeded(3);
    const struct position bare = position_of("r1b1k3/8/8/2n5/8/8/3Q4/4K2R w - - 0 1");
    for (int i = 0; i < 8; i++) {
        const struct evaluation e = any_evaluation(&s, i);
        evaluation_cache_clear(&cache);
        expect_score(&e, &bare);
        for (int k = 0; k < 1500; k++) {
            const struct position p = random_position(&s, k % 250);
            expect_score(&e, &p);
            expect_score(&e, &p);
        }
    }
}

/* Games move by move, with moves taken back now and then, as in a search: what neighbours leave in the
 * caches, before and after a null move, changes no score. */
Test(evaluation, a_walk_through_games_keeps_scores_exact)
{
    struct stream s = seeded(11);
    for (int game = 0; game < 40; game++) {
        const struct evaluation e = any_evaluation(&s, game);
        struct position p = position_of(FEN_START);
        evaluation_cache_clear(&cache);
        for (int ply = 0; ply < 120 && movegen_any(&p); ply++) {
            const struct position before = p;
            struct move_list list;
            struct undo undo;
            movegen_legal(&p, &list);
            position_make(&p, list.moves[stream_below(&s, (uint64_t)list.count)], &undo);
            expect_score(&e, &p);
            struct position passed = p;
            if (!position_in_check(&p)) {
                position_make_null(&passed, &undo);
                expect_score(&e, &passed);
            }
            p = stream_below(&s, 4) == 0 ? before : p;
        }
    }
}

/* Any bit of a key tells two positions apart. */
Test(evaluation, a_kept_score_is_found_by_its_whole_key)
{
    struct stream s = seeded(5);
    const struct evaluation e = any_evaluation(&s, EVALUATION_MODERN);
    const struct position p = random_position(&s, 40);
    const uint64_t key = kept_scores_key(&p);
    struct kept_scores *kept = &cache.scores[kept_scores_index(key)];
    for (int bit = 0; bit < 64; bit++) {
        *kept = (struct kept_scores){key ^ UINT64_C(1) << bit, {EVAL_LIMIT - 1, EVAL_LIMIT - 1}};
        expect_score(&e, &p);
        cr_expect_eq(kept->key, key);
    }
    kept->of[p.side] = 12345;
    cr_expect_eq(evaluation_score(&e, &p, &cache), 12345);
}

/* The weights that make the most of a position. */
static struct evaluation boundary(enum evaluation_kind kind, const struct position *p)
{
    struct weight_count items[EVALUATION_WEIGHTS];
    int32_t values[EVALUATION_WEIGHTS];
    const struct param_table *table = evaluation_tables[kind];
    for (int i = 0; i < table->count; i++)
        values[i] = table->params[i].min;
    for (int i = 0, count = evaluation_counts(kind, p, items); i < count; i++) {
        const struct param *w = &table->params[items[i].weight];
        values[items[i].weight] = items[i].count > 0 ? w->max : w->min;
    }
    return evaluation_from(table, values);
}

Test(evaluation, every_score_is_within_its_limits)
{
    static const char *const fens[] = {
        "QQQQQQQQ/QRRBBNN1/8/8/8/8/8/K6k b - - 0 1",
        "QQQQQQQQ/QK6/8/8/8/8/8/kn6 b - - 0 1",
        "1Q1Q1Q1Q/Q1Q1Q1Q1/Q7/7k/8/8/2BB2NN/2RR3K b - - 0 1",
        "4k3/PPPPPPPP/8/8/8/8/NNBB4/RR1Q2K1 b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++)
        for (int kind = 0; kind < EVALUATION_KINDS; kind++) {
            struct position p = position_of(fens[i]);
            const struct evaluation e = boundary((enum evaluation_kind)kind, &p);
            evaluation_cache_clear(&cache);
            int32_t score = evaluation_score(&e, &p, &cache);
            cr_expect(score < EVAL_LIMIT && score > -EVAL_LIMIT, "%s: %d", fens[i], score);
            int64_t exact = replayed(&e, &p), mate = EXACT_MATE - 1000;
            cr_expect(exact < mate && exact > -mate, "%s: %lld", fens[i], (long long)exact);
            cr_expect_eq(evaluation_exact(&e, &p), exact);
        }
}

Test(evaluation, pieces_are_worth_their_weights)
{
    static const struct {
        const char *name;
        int32_t value;
    } given[] = {{"MATERIAL_P_MG", 800},
                 {"MATERIAL_P_EG", 800},
                 {"MATERIAL_R_MG", 4000},
                 {"MATERIAL_R_EG", 4000},
                 {"SQUARE_Q_1_D_MG", -4000}};
    int32_t values[EVALUATION_WEIGHTS] = {0};
    for (int i = 0; i < 5; i++)
        values[param_find(&modern_eval_table, given[i].name)] = given[i].value;
    const struct evaluation paper = evaluation_initial();
    const struct evaluation modern = evaluation_from(&modern_eval_table, values);
    const struct piece_values by_paper = piece_values_find(&paper),
                              by_modern = piece_values_find(&modern);
    for (int kind = PAWN; kind < KING; kind++)
        cr_expect_eq(by_paper.of[kind], paper.paper.value[PAWN_VALUE + kind]);
    cr_expect_eq(by_paper.of[KING], 0);
    cr_expect_eq(by_modern.of[PAWN], 100);
    cr_expect_eq(by_modern.of[ROOK], 500);
    cr_expect_eq(by_modern.of[KNIGHT], 0);
    cr_expect_eq(by_modern.of[QUEEN], 0, "nobody gains by losing a piece");
    cr_expect_eq(by_modern.of[NO_KIND], 0);
}

/* ---- the paper's terms ---- */

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
        struct position p = position_of(field);
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

/* ---- pawn cache ---- */

enum { CACHE_ENTRIES = 1 << PAWN_CACHE_BITS };

/* The same pawns among all sorts of other pieces, found for one and used for another. */
Test(pawns, a_structure_serves_all_positions_with_its_pawns)
{
    static const char *const same[] = {
        "rnbqkbnr/pp3ppp/4p3/2pp4/3P4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 1",
        "4k3/pp3ppp/4p3/2pp4/3P4/8/PP2PPPP/4K3 b - - 0 1",
        "6k1/pp3ppp/1R2p3/2ppN3/3P4/8/PP2PPPP/6K1 w - - 0 1",
        "2r3k1/pp1R1ppp/4p1q1/2pp4/3P4/8/PP2PPPP/1Q4K1 b - - 0 1",
    };
    struct stream s = seeded(22);
    struct pawn_structure kept[4];
    struct eval_weights w = random_weights(&s);
    for (int i = 0; i < 4; i++) {
        struct position p = position_of(same[i]);
        kept[i] = *pawn_cache_probe(&pawn_cache, &p, &w);
        memset(&pawn_cache, 0, sizeof pawn_cache);
        cr_assert_eq(memcmp(&kept[i], &kept[0], sizeof kept[0]), 0, "%s", same[i]);
        cr_assert_eq(evaluate_with_pawns(&p, &w, &kept[0]), evaluate(&p, &w), "%s", same[i]);
    }
}

Test(pawns, keeps_what_it_found)
{
    struct eval_weights w = eval_initial_weights(), other = w;
    struct position p = position_of("4k3/pp3ppp/4p3/2pp4/3P4/8/PP2PPPP/4K3 w - - 0 1");
    const struct pawn_structure *s = pawn_cache_probe(&pawn_cache, &p, &w);
    struct pawn_structure first = *s;
    other.value[PAWN_VALUE]++;
    cr_assert_eq(pawn_cache_probe(&pawn_cache, &p, &other), s);
    cr_assert_eq(memcmp(s, &first, sizeof first), 0);
    memset(&pawn_cache, 0, sizeof pawn_cache);
    cr_assert_eq(pawn_cache_probe(&pawn_cache, &p, &other), s);
    cr_assert_neq(s->score, first.score);
}

/* Positions whose pawns share a place push each other out, and are still told apart. */
Test(pawns, pawns_that_collide_are_told_apart)
{
    static struct position first[CACHE_ENTRIES];
    static bool used[CACHE_ENTRIES];
    struct stream s = seeded(24);
    int collisions = 0;
    struct eval_weights w = random_weights(&s);
    for (int i = 0; i < 20000 && collisions < 300; i++) {
        struct position p = random_position(&s, 20 + i % 100);
        Bitboard white = position_pieces(&p, WHITE, PAWN), black = position_pieces(&p, BLACK, PAWN);
        const size_t index = (size_t)(pawn_cache_probe(&pawn_cache, &p, &w) - pawn_cache.entries);
        cr_assert_lt(index, CACHE_ENTRIES);
        if (!used[index]) {
            used[index] = true;
            first[index] = p;
        } else if (position_pieces(&first[index], WHITE, PAWN) != white ||
                   position_pieces(&first[index], BLACK, PAWN) != black) {
            collisions++;
            for (int turn = 0; turn < 4; turn++) {
                const struct position *at = turn % 2 == 0 ? &first[index] : &p;
                cr_assert_eq(evaluate_with_pawns(at, &w, pawn_cache_probe(&pawn_cache, at, &w)),
                             evaluate(at, &w));
            }
        }
    }
    cr_assert_eq(collisions, 300);
}

/* ---- the modern evaluation's terms ---- */

/* How often a weight counts in a position. */
static int counted(const struct position *p, const char *name)
{
    struct weight_count items[MODERN_WEIGHTS];
    int weight = param_find(&modern_eval_table, name);
    cr_assert(weight >= 0, "%s", name);
    for (int i = 0, count = modern_trace(p, items); i < count; i++)
        if (items[i].weight == weight)
            return items[i].count;
    return 0;
}

/* Pieces before either of two queens are counted, whichever stands on the first square. */
Test(modern, pieces_before_each_queen_are_pinned)
{
    const struct position p = position_of("4k2q/8/8/R2nq3/8/4n3/4R3/4K3 w - - 0 1");
    const struct position m = position_mirrored(&p);
    cr_expect_eq(counted(&p, "PINNED_QUEEN_N_MOVES_MG") > 0, true);
    cr_expect_eq(counted(&p, "PINNED_QUEEN_N_MOVES_MG"), -counted(&m, "PINNED_QUEEN_N_MOVES_MG"));
}

/* A sum counts what its combinations count together. */
Test(modern, sums_count_what_their_terms_count)
{
    struct stream s = seeded(5);
    int different = 0;
    for (int i = 0; i < 300; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 120));
        int rank = 0, threat = 0;
        for (const char *file = "ABCD"; *file != '\0'; file++) {
            char name[64];
            snprintf(name, sizeof name, "SQUARE_N_4_%c_MG", *file);
            rank += counted(&p, name);
        }
        cr_assert_eq(counted(&p, "SQUARE_RANK_N_4_MG"), rank);
        for (int k = 0; k < 8; k++) {
            static const char *const guards[] = {"NONE", "PAWN", "PIECE", "FEW"};
            char name[64];
            snprintf(name, sizeof name, "THREAT_N_R_%s_%s_EG", guards[k / 2],
                     k % 2 == 0 ? "WAITS" : "MOVES");
            threat += counted(&p, name);
        }
        cr_assert_eq(counted(&p, "THREAT_PAIR_N_R_EG"), threat);
        different += rank != 0 && threat != 0;
    }
    cr_expect_gt(different, 5);
}

Test(modern, the_table_names_each_weight_once)
{
    cr_assert_eq(modern_eval_table.count, MODERN_WEIGHTS);
    for (int i = 0; i < MODERN_WEIGHTS; i++)
        cr_assert_eq(param_find(&modern_eval_table, modern_eval_table.params[i].name), i, "%s",
                     modern_eval_table.params[i].name);
}

Test(modern, all_pieces_are_the_middlegame_and_pawns_the_endgame)
{
    struct position start = position_of(FEN_START);
    struct position pawns = position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    cr_assert_eq(counted(&start, "TEMPO_MG"), MODERN_PHASES);
    cr_assert_eq(counted(&start, "TEMPO_EG"), 0);
    cr_assert_eq(counted(&pawns, "MATERIAL_P_MG"), 0);
    cr_assert_eq(counted(&pawns, "MATERIAL_P_EG"), MODERN_PHASES);
}

Test(modern, terms_count_what_they_name)
{
    static const struct {
        const char *fen, *weight;
        int count; /* times the phase that is left for the endgame */
    } cases[] = {
        {"4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", "THREAT_P_R_NONE_MOVES_EG", 1},
        {"4k3/8/8/3r4/4P3/8/8/4K3 b - - 0 1", "THREAT_P_R_NONE_WAITS_EG", 1},
        {"4k3/8/2p5/3r4/4P3/8/8/4K3 w - - 0 1", "THREAT_P_R_PAWN_MOVES_EG", 1},
        {"4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", "EN_PRISE_BEST_R_MOVES_EG", 1},
        {"4k3/8/8/8/4n3/8/3P4/4K3 w - - 0 1", "PUSH_THREAT_N_MOVES_EG", 1},
        {"4k3/4p3/8/8/4R3/8/8/4K3 w - - 0 1", "PINNED_P_MOVES_EG", 1},
        {"4k3/8/4N3/8/4R3/8/8/4K3 w - - 0 1", "DISCOVERY_N_MOVES_EG", 1},
        {"4k3/8/8/8/8/3PP3/8/4K3 w - - 0 1", "PHALANX_3_D_EG", 2},
        {"4k3/8/8/8/4P3/3P4/8/4K3 w - - 0 1", "SUPPORTED_4_D_EG", 1},
        {"4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1", "DOUBLED_ALONE_EG", 1},
        {"8/8/8/P7/8/8/8/K6k w - - 0 1", "PASSED_5_EG", 1},
        {"8/8/8/P7/8/8/8/K6k w - - 0 1", "PASSED_FREE_PATH_5_EG", 1},
        {"8/8/8/P7/8/8/8/K6k w - - 0 1", "PASSED_RUNS_EG", 1},
        {"8/8/2k5/P7/8/8/8/K7 w - - 0 1", "PASSED_RUNS_EG", 0},
        {"4k3/8/8/8/3N4/4P3/8/4K3 w - - 0 1", "OUTPOST_N_SUPPORTED_EG", 1},
        {"4k3/8/8/8/3n4/4P3/8/4K3 w - - 0 1", "OUTPOST_N_ALONE_EG", 0},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "ROOK_FILE_OPEN_FAR_EG", 1},
        {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "BISHOP_PAIR_EG", 1},
        {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "OWN_PRODUCT_BB_EG", 4},
        {"6k1/8/6N1/8/8/8/8/R3K3 w - - 0 1", "SAFE_CHECK_R_3_MOVES_EG", 1},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "SAFE_CHECK_R_0_MOVES_EG", 1},
        {"6k1/8/5P1Q/8/8/8/8/4K3 w - - 0 1", "CONTACT_CHECK_MOVES_EG", 1},
        {"7k/6p1/8/8/3B4/8/8/4K3 w - - 0 1", "XRAY_B_NO_QUEEN_EG", 1},
        {"4k3/8/8/3p4/8/2N1N3/8/4K3 w - - 0 1", "TWICE_P_MOVES_EG", 1},
        {"4k3/8/8/3q4/8/8/8/3NK3 w - - 0 1", "NEXT_THREAT_N_Q_MOVES_EG", 1},
        {"4k3/8/8/3q4/1p6/8/8/3NK3 w - - 0 1", "NEXT_THREAT_N_Q_MOVES_EG", 1},
        {"4k3/8/8/3q4/1p3p2/8/8/3NK3 w - - 0 1", "NEXT_THREAT_N_Q_MOVES_EG", 0},
        {"4k3/8/8/3n4/3P4/8/8/4K3 w - - 0 1", "PAWN_BLOCKED_ENEMY_4_D_EG", 1},
        {"6k1/8/8/8/8/8/7P/6K1 w - - 0 1", "PAWN_BY_KING_OWN_2_A_EG", 1},
        {"6k1/8/8/8/8/8/7P/K7 w - - 0 1", "PAWN_BY_KING_OWN_2_H_EG", 1},
        {"6k1/8/8/8/8/8/7P/K7 w - - 0 1", "PAWN_BY_KING_ENEMY_2_A_EG", 1},
        {"6k1/8/8/8/8/8/7P/6K1 w - - 0 1", "KING_TO_PAWN_OWN_1_EG", 1},
        {"6k1/8/8/8/8/8/7P/6K1 w - - 0 1", "KING_TO_PAWN_ENEMY_6_EG", -1},
        {"4k3/8/8/8/8/8/8/5K1R w - - 0 1", "ROOK_SHUT_IN_EG", 1},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "ROOK_SHUT_IN_EG", 0},
        {"4k3/8/8/8/8/R7/8/R3K3 w - - 0 1", "ROOKS_DOUBLED_EG", 1},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "CONTROL_RANK_R_1_EG", 4},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "CONTROL_FILE_R_A_EG", 7},
        {"7k/8/8/8/8/8/8/N3K3 w - - 0 1", "KNIGHT_SAFE_2_EG", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct position p = position_of(cases[i].fen);
        int phase = 0;
        for (int kind = KNIGHT; kind <= QUEEN; kind++)
            phase += (int[]){0, 1, 1, 2, 4}[kind] * bits_count(p.by_kind[kind]);
        cr_assert_eq(counted(&p, cases[i].weight), cases[i].count * (MODERN_PHASES - phase),
                     "%s in %s", cases[i].weight, cases[i].fen);
    }
}
