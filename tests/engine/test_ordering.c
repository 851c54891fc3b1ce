/* What is learned of move ordering stays within its limits, and means what it says. */
#include "ordering.h"
#include "position_of.h"
#include "random_chess.h"
#include "see.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- ordering ---- */

static struct ordering *empty_ordering(void)
{
    struct ordering *o = calloc(1, sizeof *o);
    cr_assert_not_null(o);
    return o;
}

/* The quiet moves of a position. */
static struct move_list quiet_moves(const struct position *p)
{
    struct move_list list;
    movegen_quiets(p, &list);
    return list;
}

static void assert_within(const struct ordering *o)
{
    const int16_t *all = &o->continuation[0][0][0];
    for (int i = 0; i < 2 * PIECE_SQUARES * PIECE_SQUARES; i++)
        cr_assert_leq(abs(all[i]), HISTORY_LIMIT);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 64 * 64; i++)
            cr_assert_leq(abs(o->history[side][i % 4][i]), HISTORY_LIMIT);
}

/* However often and at whatever depth moves are rewarded and punished: in one position all the time, and in
 * others. */
Test(ordering, history_stays_within_its_limit)
{
    struct ordering *o = empty_ordering();
    struct stream s = seeded(1);
    for (int i = 0; i < 40000; i++) {
        const bool same = i % 2 == 0;
        const struct position p = random_position(&s, same ? 0 : 20);
        const struct context c = {{same ? 3 : (int)stream_below(&s, 8) - 1,
                                   same ? 70 : (int)stream_below(&s, 8) - 1,
                                   same ? -1 : (int)stream_below(&s, 8) - 1}};
        const struct move_list quiet = quiet_moves(&p);
        const Move *moves = quiet.moves;
        if (quiet.count < 2)
            continue;
        ordering_reward(o, &p, &c, i % 401, moves[0], moves + 1, quiet.count - 1);
        const int best = ordering_score(o, &p, &c, moves[0]),
                  tried = ordering_score(o, &p, &c, moves[1]);
        cr_assert(best <= 5 * HISTORY_LIMIT && tried >= -5 * HISTORY_LIMIT);
        cr_assert(!same || (best > 0 && tried <= 0));
    }
    assert_within(o);
    free(o);
}

/* What failed high comes first, deep more than shallow, and what was tried in vain last. */
Test(ordering, rewards_and_punishes)
{
    struct position p = position_of(FEN_START);
    struct context c = {{3, 70}};
    const struct move_list quiet = quiet_moves(&p);
    const Move *moves = quiet.moves;
    int scores[2];
    for (int i = 0; i < 2; i++) {
        struct ordering *o = empty_ordering();
        ordering_add_killer(o, 0, moves[0]);
        ordering_reward(o, &p, &c, i == 0 ? PLY : 6 * PLY, moves[0], moves + 1, 2);
        scores[i] = ordering_score(o, &p, &c, moves[0]);
        cr_assert_gt(scores[i], 0);
        cr_assert_lt(ordering_score(o, &p, &c, moves[1]), 0);
        cr_assert_lt(ordering_score(o, &p, &c, moves[2]), 0);
        cr_assert_eq(ordering_score(o, &p, &c, moves[3]), 0);
        ordering_clear(o);
        for (int k = 0; k < 3; k++)
            cr_assert_eq(ordering_score(o, &p, &c, moves[k]), 0);
        cr_assert_eq(o->killers[0][0], NO_MOVE);
        free(o);
    }
    cr_assert_gt(scores[1], scores[0]);
}

/* What attacks the squares of a move, and the pawns, are contexts too. */
Test(ordering, history_depends_on_threats_and_pawns)
{
    struct ordering *o = empty_ordering();
    struct position p = position_of(FEN_START);
    const Move m = quiet_moves(&p).moves[0];
    const struct context none = {{-1, -1, -1}}, pawns = {{-1, -1, -1}, .pawns = 7},
                         threats = {{-1, -1, -1}, .threats = bit(move_to(m))};
    ordering_reward(o, &p, &pawns, 4 * PLY, m, NULL, 0);
    const int alone = ordering_score(o, &p, &none, m);
    cr_assert_gt(alone, 0);
    cr_assert_eq(ordering_score(o, &p, &pawns, m), 2 * alone);
    cr_assert_eq(ordering_score(o, &p, &threats, m), 0);
    p.side = BLACK; /* the move before */
    ordering_reward_rise(o, &p, &threats, m, 100000);
    p.side = WHITE;
    cr_assert_gt(ordering_score(o, &p, &threats, m), 0);
    cr_assert_eq(ordering_score(o, &p, &none, m), alone);
    free(o);
}

/* By the slope, a fail-high near the leaves counts for more, and none for more than the most. */
Test(ordering, rewards_rise_with_depth_by_square_or_slope)
{
    const struct position p = position_of(FEN_START);
    const Move m = quiet_moves(&p).moves[0];
    const struct context none = {{-1, -1, -1}};
    const struct {
        int slope, depth, bonus;
    } cases[] = {{0, 0, 16},   {0, 4 * PLY, 400},   {0, 20 * PLY, 1600},
                 {120, 0, 40}, {120, 4 * PLY, 520}, {120, 20 * PLY, 1600}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ordering *o = empty_ordering();
        o->reward_slope = cases[i].slope;
        ordering_reward(o, &p, &none, cases[i].depth, m, NULL, 0);
        cr_assert_eq(ordering_score(o, &p, &none, m), cases[i].bonus, "case %zu", i);
        free(o);
    }
}

/* After other moves, a move scores less: only the history of the move alone. */
Test(ordering, replies_depend_on_the_moves_before)
{
    struct ordering *o = empty_ordering();
    struct position p = position_of(FEN_START);
    struct context c = {{3, 70, -1}}, other = {{4, 71, -1}}, none = {{-1, -1, -1}};
    const Move m = quiet_moves(&p).moves[0];
    ordering_reward(o, &p, &c, 4 * PLY, m, NULL, 0);
    cr_assert_gt(ordering_score(o, &p, &c, m), ordering_score(o, &p, &other, m));
    cr_assert_eq(ordering_score(o, &p, &other, m), ordering_score(o, &p, &none, m));
    free(o);
}

Test(ordering, killers_are_the_two_newest)
{
    struct ordering *o = empty_ordering();
    struct position p = position_of(FEN_START);
    const struct move_list quiet = quiet_moves(&p);
    const Move *m = quiet.moves;
    const int order[] = {0, 1, 1, 2, 1, 1};
    const int expected[][2] = {{0, -1}, {1, 0}, {1, 0}, {2, 1}, {1, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
        ordering_add_killer(o, 9, m[order[i]]);
        cr_assert_eq(o->killers[9][0], m[expected[i][0]]);
        cr_assert_eq(o->killers[9][1], expected[i][1] < 0 ? NO_MOVE : m[expected[i][1]]);
    }
    cr_assert_eq(o->killers[8][0], NO_MOVE, "of one ply alone");
    free(o);
}

/* ---- picker ---- */

/* A move of any kind: legal here, of another position, or of none. */
static Move some_move(struct stream *s, const struct move_list *here)
{
    switch (stream_below(s, 4)) {
    case 0:
        return NO_MOVE;
    case 1:
        return (Move)stream_below(s, 65536);
    case 2: {
        struct position other = random_position(s, 40);
        struct move_list list;
        movegen_legal(&other, &list);
        return list.moves[stream_below(s, (uint64_t)list.count)];
    }
    default:
        return here->moves[stream_below(s, (uint64_t)here->count)];
    }
}

/* Random history of moves, within its limits. */
static struct ordering *random_ordering(struct stream *s)
{
    struct ordering *o = empty_ordering();
    for (int i = 0; i < 8 * 64 * 64; i++)
        o->history[i % 2][i / 2 % 4][i / 8] =
            (int16_t)((int)stream_below(s, 2 * HISTORY_LIMIT) - HISTORY_LIMIT);
    return o;
}

/* What a picker is asked about. */
struct asked {
    struct position position;
    struct move_list legal;
    struct context context;
    Move hash, killers[2];
    bool in_check;
};

/* Two killers are never the same move. */
static struct asked random_question(struct stream *s)
{
    struct asked a;
    a.position = random_position(s, (int)stream_below(s, 160));
    movegen_legal(&a.position, &a.legal);
    for (int i = 0; i < CONTINUATIONS; i++)
        a.context.before[i] = (int)stream_below(s, PIECE_SQUARES + 1) - 1;
    a.context.pawns = (int)stream_below(s, PAWN_SETS);
    a.context.threats = stream_bits(s);
    a.hash = some_move(s, &a.legal);
    a.killers[0] = some_move(s, &a.legal);
    do
        a.killers[1] = some_move(s, &a.legal);
    while (a.killers[1] == a.killers[0] && a.killers[0] != NO_MOVE);
    a.in_check = position_in_check(&a.position);
    return a;
}

/* All the moves that the picker gives. */
static void pick_all(const struct asked *a, struct ordering *o, struct move_list *picked)
{
    enum { AT = 5 };
    struct picker k;
    o->killers[AT][0] = a->killers[0];
    o->killers[AT][1] = a->killers[1];
    picker_init(&k, &a->position, o, &a->context, AT, a->hash, a->in_check);
    picked->count = 0;
    for (Move m; (m = picker_next(&k)) != NO_MOVE;) {
        cr_assert_lt(picked->count, MAX_MOVES, "it does not end");
        picked->moves[picked->count++] = m;
    }
    cr_assert_eq(picker_next(&k), NO_MOVE, "after the end comes nothing");
}

static bool contains(const struct move_list *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m)
            return true;
    return false;
}

/* Also where hash move and killer are one and the same. */
Test(picker, gives_every_legal_move_once)
{
    struct stream s = seeded(1);
    struct ordering *o = random_ordering(&s);
    const int cases = thorough(9000, 25000);
    int checks = 0;
    for (int i = 0; i < cases; i++) {
        struct asked a = random_question(&s);
        struct move_list picked;
        if (i % 3 == 0) {
            a.hash = a.legal.moves[stream_below(&s, (uint64_t)a.legal.count)];
            a.killers[stream_below(&s, 2)] = a.hash;
            if (a.killers[0] == a.killers[1])
                a.killers[1] = NO_MOVE;
        }
        pick_all(&a, o, &picked);
        checks += a.in_check;
        cr_assert_eq(picked.count, a.legal.count);
        for (int j = 0; j < a.legal.count; j++)
            cr_assert(contains(&picked, a.legal.moves[j]));
        cr_assert(i % 3 != 0 || picked.moves[0] == a.hash);
    }
    cr_assert_gt(checks, cases / 40);
    free(o);
}

/* The stage of a move by the picker's own account, out of check. */
static int stage_of(const struct asked *a, Move m)
{
    if (m == a->hash)
        return 1;
    if (!is_quiet(m))
        return see_at_least(&a->position, m, 0) ? 2 : 5;
    return m == a->killers[0] || m == a->killers[1] ? 3 : 4;
}

/* What a move is worth within its stage: more comes first; killers the newest first. */
static int worth(const struct asked *a, const struct ordering *o, Move m)
{
    int stage = stage_of(a, m);
    if (stage == 2 || stage == 5)
        return mvv_lva_score(&a->position, m);
    if (stage == 3)
        return m == a->killers[0];
    return stage == 4 ? ordering_score(o, &a->position, &a->context, m) : 0;
}

Test(picker, stages_come_in_order)
{
    struct stream s = seeded(2);
    struct ordering *o = random_ordering(&s);
    const int cases = thorough(6000, 20000);
    int seen[6] = {0};
    for (int i = 0; i < cases; i++) {
        struct asked a = random_question(&s);
        struct move_list picked;
        pick_all(&a, o, &picked);
        for (int j = 0; j < picked.count && !a.in_check; j++) {
            int stage = stage_of(&a, picked.moves[j]);
            seen[stage]++;
            if (j == 0)
                continue;
            int before = stage_of(&a, picked.moves[j - 1]);
            cr_assert_leq(before, stage);
            if (before == stage)
                cr_assert_geq(worth(&a, o, picked.moves[j - 1]), worth(&a, o, picked.moves[j]));
        }
    }
    for (int stage = 1; stage <= 5; stage++)
        cr_assert_gt(seen[stage], cases / 20, "stage %d", stage);
    free(o);
}

/* In check: the hash move, then captures and promotions by what they gain, then the rest by
 * history. */
Test(picker, evasions_come_in_order)
{
    struct stream s = seeded(3);
    struct ordering *o = random_ordering(&s);
    const int cases = thorough(9000, 30000);
    int pairs = 0;
    for (int i = 0; i < cases; i++) {
        struct asked a = random_question(&s);
        struct move_list picked;
        if (!a.in_check)
            continue;
        pick_all(&a, o, &picked);
        for (int j = 1; j < picked.count; j++) {
            Move before = picked.moves[j - 1], m = picked.moves[j];
            cr_assert_neq(m, a.hash, "the hash move is the first");
            if (before == a.hash)
                continue;
            bool takes = !is_quiet(m) || move_is_promotion(m);
            bool took = !is_quiet(before) || move_is_promotion(before);
            cr_assert(took || !takes);
            pairs++;
            if (took && takes)
                cr_assert_geq(mvv_lva_score(&a.position, before), mvv_lva_score(&a.position, m));
            if (!took && !takes)
                cr_assert_geq(ordering_score(o, &a.position, &a.context, before),
                              ordering_score(o, &a.position, &a.context, m));
        }
    }
    cr_assert_gt(pairs, cases / 30);
    free(o);
}

/* The moves after the good captures, the quiet ones only if they give check. */
static void pick_checks(const struct asked *a, struct ordering *o, bool only_checks,
                        struct move_list *picked, bool *omits)
{
    struct picker k;
    struct check_squares checks;
    check_squares_find(&a->position, &checks);
    o->killers[0][0] = a->killers[0];
    o->killers[0][1] = a->killers[1];
    picker_init(&k, &a->position, o, &a->context, 0, a->hash, false);
    while (picker_next_good(&k) != NO_MOVE) {
    }
    *omits = only_checks && picker_only_checks(&k, &checks);
    picked->count = 0;
    for (Move m; (m = picker_next(&k)) != NO_MOVE;)
        if (*omits || !is_quiet(m) || move_gives_check(&a->position, &checks, m))
            picked->moves[picked->count++] = m;
}

/* Asked for checks alone, the picker gives the same checks and bad captures in the same order. */
Test(picker, omits_quiet_moves_without_check)
{
    struct stream s = seeded(5);
    struct ordering *o = random_ordering(&s);
    int omitted = 0, given = 0;
    for (int i = 0; i < 6000; i++) {
        struct asked a = random_question(&s);
        struct move_list filtered, picked;
        bool omits;
        if (a.in_check)
            continue;
        pick_checks(&a, o, false, &filtered, &omits);
        pick_checks(&a, o, true, &picked, &omits);
        omitted += omits;
        if (!omits)
            continue;
        given += picked.count > 0;
        cr_assert_eq(picked.count, filtered.count);
        cr_assert_eq(memcmp(picked.moves, filtered.moves, (size_t)picked.count * sizeof(Move)), 0);
    }
    cr_assert_gt(omitted, 3000);
    cr_assert_gt(given, 1000);
    free(o);
}

/* Picks all moves, told to skip quiet ones after so many. Lists those that it may not skip; returns the others. */
static int pick_skipping(const struct asked *a, struct ordering *o, int after,
                         struct move_list *picked)
{
    struct picker k;
    struct check_squares checks;
    bool skips = false;
    int others = 0;
    check_squares_find(&a->position, &checks);
    memcpy(o->killers[0], a->killers, sizeof a->killers);
    picker_init(&k, &a->position, o, &a->context, 0, a->hash, false);
    picked->count = 0;
    for (int given = 0;; given++) {
        if (given >= after && !skips) {
            skips = k.stage == PICK_QUIET;
            picker_skip_quiets(&k, &checks);
        }
        const Move m = picker_next(&k);
        if (m == NO_MOVE)
            return others;
        if (m == a->hash || !is_quiet(m) || is_killer(a->killers, m) ||
            move_gives_check(&a->position, &checks, m)) {
            picked->moves[picked->count++] = m;
            continue;
        }
        cr_assert_not(skips);
        others++;
    }
}

/* Told to skip quiet moves at any time, the picker gives all others in the same order. */
Test(picker, skips_quiet_moves_without_check)
{
    struct stream s = seeded(6);
    struct ordering *o = random_ordering(&s);
    int skipped = 0;
    for (int i = 0; i < 6000; i++) {
        struct asked a = random_question(&s);
        struct move_list all, rest;
        if (a.in_check)
            continue;
        skipped += pick_skipping(&a, o, MAX_MOVES, &all);
        skipped -= pick_skipping(&a, o, (int)stream_below(&s, 12), &rest);
        cr_assert_eq(rest.count, all.count);
        cr_assert_eq(memcmp(rest.moves, all.moves, (size_t)rest.count * sizeof(Move)), 0);
    }
    cr_assert_gt(skipped, 30000);
    free(o);
}

/* Most valuable victim first, and of the same the least valuable attacker. */
Test(picker, captures_by_victim_then_attacker)
{
    struct position p = position_of("4k3/8/3q1r2/4P1R1/8/8/8/4K3 w - - 0 1");
    Move takes_queen = move_make(square_at(4, 4), square_at(3, 5), CAPTURE);
    Move takes_rook = move_make(square_at(4, 4), square_at(5, 5), CAPTURE);
    cr_assert_gt(mvv_lva_score(&p, takes_queen), mvv_lva_score(&p, takes_rook));
    p = position_of("4k3/8/3q4/4P3/8/8/8/3RK3 w - - 0 1");
    Move by_rook = move_make(square_at(3, 0), square_at(3, 5), CAPTURE);
    cr_assert_gt(mvv_lva_score(&p, takes_queen), mvv_lva_score(&p, by_rook));
}
