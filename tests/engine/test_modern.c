/* The modern evaluation: linear in its weights, symmetric in its colours, and counting what it says. */
#include "evaluation.h"
#include "mirrored.h"
#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weights drawn uniformly from the ranges of the table. */
static void draw_values(struct stream *s, int32_t values[MODERN_WEIGHTS])
{
    for (int i = 0; i < MODERN_WEIGHTS; i++) {
        const struct param *p = &modern_eval_table.params[i];
        values[i] = p->min + (int32_t)stream_below(s, (uint64_t)(p->max - p->min) + 1);
    }
}

/* The exact score by the evaluation, for the side to move. */
static int32_t evaluated(const struct position *p, const int32_t values[MODERN_WEIGHTS])
{
    static _Thread_local struct modern_weights w;
    struct modern_pawns pawns;
    modern_pack(values, &w);
    modern_pawns_find(p, &w, &pawns);
    return modern_evaluate_exact(p, &w, &pawns);
}

/* The same, by the trace. */
static int32_t replayed(const struct position *p, const int32_t values[MODERN_WEIGHTS])
{
    struct weight_count items[MODERN_WEIGHTS];
    int32_t score = 0;
    for (int i = 0, count = modern_trace(p, items); i < count; i++)
        score += values[items[i].weight] * items[i].count;
    return p->side == WHITE ? score : -score;
}

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

Test(modern, replaying_a_trace_gives_the_evaluation)
{
    struct stream s;
    int32_t values[MODERN_WEIGHTS];
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 3000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        draw_values(&s, values);
        cr_assert_eq(replayed(&p, values), evaluated(&p, values), "position %d", i);
    }
}

/* One evaluation gives the scores before and after a null move. */
Test(modern, scores_either_side_to_move)
{
    struct stream s;
    int32_t values[MODERN_WEIGHTS], scores[2];
    struct modern_weights *w = malloc(sizeof *w);
    struct modern_cache *cache = calloc(1, sizeof *cache);
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    draw_values(&s, values);
    modern_pack(values, w);
    for (int i = 0; i < 1000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        struct undo undo;
        modern_evaluate(&p, w, cache, scores);
        cr_assert_eq(scores[p.side], evaluated(&p, values) / MODERN_SCALE, "position %d", i);
        if (position_in_check(&p))
            continue;
        position_make_null(&p, &undo);
        cr_assert_eq(scores[p.side], evaluated(&p, values) / MODERN_SCALE, "position %d", i);
    }
    free(w);
    free(cache);
}

/* The score of the side to move, by the caches, is that without them. */
static void expect_exact(const struct position *p, const int32_t values[MODERN_WEIGHTS],
                         const struct modern_weights *w, struct evaluation_cache *cache,
                         int32_t score)
{
    const int32_t expected = evaluated(p, values) / MODERN_SCALE;
    char fen[FEN_MAX];
    position_to_fen(p, fen);
    cr_assert_eq(score, expected, "%s", fen);
    cr_assert_eq(evaluation_score_modern(w, p, cache), expected, "%s", fen);
}

/* Games move by move, with moves taken back now and then, as in a search: what neighbours leave in the
 * caches, before and after a null move, changes no score. */
Test(modern, a_walk_through_games_keeps_scores_exact)
{
    struct stream s;
    int32_t values[MODERN_WEIGHTS], scores[2];
    struct modern_weights *w = malloc(sizeof *w);
    struct evaluation_cache *cache = calloc(1, sizeof *cache);
    stream_init(&s, 11, STREAM_TEST, 0, 0);
    draw_values(&s, values);
    modern_pack(values, w);
    for (int game = 0; game < 30; game++) {
        struct position p = position_of(FEN_START);
        for (int ply = 0; ply < 120 && movegen_any(&p); ply++) {
            const struct position before = p;
            struct move_list list;
            struct undo undo;
            movegen_legal(&p, &list);
            position_make(&p, list.moves[stream_below(&s, (uint64_t)list.count)], &undo);
            modern_evaluate(&p, w, &cache->modern, scores);
            expect_exact(&p, values, w, cache, scores[p.side]);
            struct position passed = p;
            if (!position_in_check(&p)) {
                position_make_null(&passed, &undo);
                expect_exact(&passed, values, w, cache, scores[passed.side]);
            }
            p = stream_below(&s, 4) == 0 ? before : p;
        }
    }
    free(w);
    free(cache);
}

/* A group costs nothing while its weights are 0; no other term may be lost with it. */
Test(modern, groups_count_alone)
{
    struct stream s;
    int32_t values[MODERN_WEIGHTS], alone[MODERN_WEIGHTS];
    stream_init(&s, 9, STREAM_TEST, 0, 0);
    for (int i = 0; i < 1500; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        int group = i % MODERN_GROUPS;
        draw_values(&s, values);
        memset(alone, 0, sizeof alone);
        for (int w = 2 * modern_group_begin[group]; w < 2 * modern_group_begin[group + 1]; w++)
            alone[w] = values[w];
        cr_assert_eq(replayed(&p, alone), evaluated(&p, alone), "group %d", group);
    }
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
    struct stream s;
    int different = 0;
    stream_init(&s, 5, STREAM_TEST, 0, 0);
    for (int i = 0; i < 300; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 120));
        int rank = 0, threat = 0;
        for (const char *file = "ABCD"; *file != '\0'; file++) {
            char name[64];
            snprintf(name, sizeof name, "SQUARE_N_4_%c_MG", *file);
            rank += counted(&p, name);
        }
        cr_assert_eq(counted(&p, "SQUARE_RANK_N_4_MG"), rank);
        threat += counted(&p, "THREAT_N_R_NONE_WAITS_EG") + counted(&p, "THREAT_N_R_NONE_MOVES_EG");
        threat += counted(&p, "THREAT_N_R_PAWN_WAITS_EG") + counted(&p, "THREAT_N_R_PAWN_MOVES_EG");
        threat +=
            counted(&p, "THREAT_N_R_PIECE_WAITS_EG") + counted(&p, "THREAT_N_R_PIECE_MOVES_EG");
        threat += counted(&p, "THREAT_N_R_FEW_WAITS_EG") + counted(&p, "THREAT_N_R_FEW_MOVES_EG");
        cr_assert_eq(counted(&p, "THREAT_PAIR_N_R_EG"), threat);
        different += rank != 0 && threat != 0;
    }
    cr_expect_gt(different, 5);
}

Test(modern, mirroring_the_board_changes_nothing)
{
    struct stream s;
    int32_t values[MODERN_WEIGHTS];
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < 3000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        struct position m = position_mirrored(&p);
        draw_values(&s, values);
        cr_assert_eq(evaluated(&p, values), evaluated(&m, values), "position %d", i);
    }
}

Test(modern, counts_come_by_rising_weight_and_none_is_zero)
{
    struct stream s;
    struct weight_count items[MODERN_WEIGHTS];
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        for (int k = 0, count = modern_trace(&p, items); k < count; k++) {
            cr_assert(items[k].count != 0);
            cr_assert(k == 0 || items[k].weight > items[k - 1].weight);
        }
    }
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
