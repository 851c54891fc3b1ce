/* Move generation: perft counts, and lists, counts and parts that agree with each other. */
#include "movegen.h"
#include "position_of.h"
#include "random_chess.h"
#include "shared_data.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- movegen ---- */

/* Positions of the chess programmers' well-known sets, of chess and of Chess960, each at one depth; then
 * castling in which king and rook exchange squares, stay, or are pinned. */
static const struct {
    const char *fen;
    int depth;
    uint64_t leaves;
} known[] = {
    {FEN_START, 5, 4865609},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
    {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326672},
    {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667366},
    {"qnnrkrbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFfd - 0 1", 4, 199811},
    {"3k4/8/8/8/8/8/8/qRK2R2 w FB - 0 1", 4, 101990},
    {"r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1", 4, 284292},
    {"k2r2rr/8/8/8/8/8/8/K2R2RR w Gg - 0 1", 3, 24132},
    {"6k1/8/8/8/8/8/8/R1R1KR1R w FC - 0 1", 4, 4453},
};

enum { QUICK_LEAVES = 1000000 };

Test(movegen, counts_the_known_positions)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct position p = position_of(known[i].fen);
        struct position mirrored = position_mirrored(&p);
        cr_assert_eq(perft(&p, known[i].depth), known[i].leaves, "%s", known[i].fen);
        cr_assert_eq(perft(&mirrored, known[i].depth - 1), perft(&p, known[i].depth - 1));
        cr_assert_eq(perft(&p, 0), 1);
    }
}

/* Compares the counts of a line "FEN ;D1 20 ;D2 400 ..." that are quick to make. */
static int check_suite_line(const char *line)
{
    struct position p;
    const char *rest;
    int checked = 0;
    cr_assert(position_from_fen(&p, line, &rest, NULL), "%s", line);
    for (const char *at = rest; (at = strstr(at, ";D")) != NULL;) {
        char *end;
        int depth = (int)strtol(at + 2, &end, 10);
        uint64_t leaves = strtoull(end, &end, 10);
        if (leaves <= QUICK_LEAVES) {
            cr_assert_eq(perft(&p, depth), leaves, "depth %d of %s", depth, line);
            checked++;
        }
        at = end;
    }
    return checked;
}

Test(movegen, counts_the_perft_suite)
{
    shared_data_need();
    char line[1024];
    int lines = 0;
    FILE *file = shared_data_open("perft-standard-128.epd");
    while (fgets(line, sizeof line, file) != NULL) {
        cr_assert_geq(check_suite_line(line), 3);
        lines++;
    }
    fclose(file);
    cr_assert_eq(lines, 128);
}

/* Finds a move in a list. */
static bool contains(const struct move_list *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m)
            return true;
    return false;
}

/* The captures are the part of the legal moves that the header says, the quiets all others, in any order. */
static void check_captures_and_quiets(const struct position *p, const struct move_list *legal)
{
    struct move_list captures, quiets;
    movegen_captures(p, &captures);
    movegen_quiets(p, &quiets);
    for (int i = 0; i < legal->count; i++) {
        const Move m = legal->moves[i];
        const bool wanted = move_is_capture(m) || move_promotion(m) == QUEEN;
        cr_assert_eq(contains(&captures, m), wanted);
        cr_assert_neq(contains(&quiets, m), wanted);
    }
    cr_assert_eq(captures.count + quiets.count, legal->count);
}

/* Asking square by square gives the same moves as asking for all. */
static void check_parts(const struct position *p, const struct move_list *legal)
{
    int count = 0;
    for (int from = 0; from < 64; from++)
        for (int rank = 0; rank < 8; rank++) {
            struct move_list part;
            movegen_between(p, bit(from), rank_bits(rank), &part);
            count += part.count;
            for (int i = 0; i < part.count; i++) {
                cr_assert_eq(move_from(part.moves[i]), from);
                cr_assert_eq(square_rank(move_to(part.moves[i])), rank);
                cr_assert(contains(legal, part.moves[i]));
            }
        }
    cr_assert_eq(count, legal->count);
}

/* How many moves of each sort gave check. */
struct seen {
    int plain, castling, en_passant, promotion;
};

static void count(struct seen *seen, Move m)
{
    if (move_is_castling(m))
        seen->castling++;
    else if (move_flag(m) == EN_PASSANT)
        seen->en_passant++;
    else if (move_is_promotion(m))
        seen->promotion++;
    else
        seen->plain++;
}

/* The list of quiet checks is the list of quiet moves without those that give none. */
static void check_list(const struct position *p, const struct check_squares *c)
{
    struct move_list quiets, checks;
    char fen[FEN_MAX];
    int next = 0;
    position_to_fen(p, fen);
    movegen_quiets(p, &quiets);
    bool others = movegen_quiet_checks(p, c, &checks);
    for (int i = 0; i < quiets.count; i++) {
        if (!move_gives_check(p, c, quiets.moves[i]))
            continue;
        cr_assert_lt(next, checks.count, "checks are missing in %s", fen);
        cr_assert_eq(checks.moves[next++], quiets.moves[i], "in %s", fen);
    }
    cr_assert_eq(next, checks.count, "more than the checks in %s", fen);
    cr_assert(!others || quiets.count > checks.count, "nothing but checks in %s", fen);
}

/* A move is what its flags say, leaves its own king safe, and gives check where playing it shows so. */
static void check_move(const struct position *p, const struct check_squares *c, Move m,
                       struct seen *seen)
{
    struct position next = *p;
    struct undo undo;
    const int to = move_to(m);
    if (!move_is_castling(m)) {
        cr_assert_eq(move_is_capture(m), p->board[to] != NO_KIND || move_flag(m) == EN_PASSANT);
        cr_assert((p->by_color[p->side] & bit(to)) == 0);
    }
    cr_assert(movegen_is_legal(p, m));
    position_make(&next, m, &undo);
    const int king = position_king(&next, p->side);
    cr_assert_eq(
        position_attackers(&next, king, position_occupied(&next)) & next.by_color[next.side], 0);
    cr_assert_eq(move_gives_check(p, c, m), position_in_check(&next), "%04x", (unsigned)m);
    if (position_in_check(&next))
        count(seen, m);
}

/* All lists of a position agree, and with what is played from it; so do those of the positions that a walk of
 * `depth` plies comes to. */
static void walk(const struct position *p, int depth, struct seen *seen)
{
    struct move_list legal;
    struct check_squares c;
    movegen_legal(p, &legal);
    check_squares_find(p, &c);
    cr_assert_eq(movegen_count(p), legal.count);
    cr_assert_eq(movegen_any(p), legal.count != 0);
    if (!position_in_check(p) && movegen_pawn_steps(p))
        cr_assert_gt(legal.count, 0);
    check_captures_and_quiets(p, &legal);
    check_list(p, &c);
    for (int i = 0; i < legal.count; i++) {
        struct position next = *p;
        struct undo undo;
        check_move(p, &c, legal.moves[i], seen);
        position_make(&next, legal.moves[i], &undo);
        if (depth > 0)
            walk(&next, depth - 1, seen);
    }
}

Test(movegen, lists_counts_and_parts_agree)
{
    struct stream s = seeded(4);
    struct seen seen = {0};
    for (int i = 0; i < 5000; i++) {
        const struct position p = random_position(&s, i % 300);
        struct move_list legal;
        movegen_legal(&p, &legal);
        walk(&p, 0, &seen);
        if (i % 2 == 0)
            check_parts(&p, &legal);
    }
    cr_assert_gt(seen.plain, 5000);
}

/* Positions in which castling, en passant, promotion, pins and checks meet. Some bring about what games seldom do:
 * checks by castling, en passant with discoveries along a file, a rank and a diagonal, promotions that look
 * through the square they came from. */
static const char *const special[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/1Pp5/8/8/8/4K3 w - c6 0 1",
    "8/8/8/K1pP3r/8/8/8/4k3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
    "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/8/8/8/8/8/8/R3K1k1 w Q - 0 1",
    "8/8/8/8/8/8/8/1k2K2R w K - 0 1",
    "8/4P3/8/8/4k3/8/8/4K3 w - - 0 1",
    "3n4/4P3/8/8/7k/8/8/4K3 w - - 0 1",
    "8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1",
    "k7/8/8/2PpP3/8/8/8/4K2B w - d6 0 1",
    "8/6k1/8/3pP3/8/2B5/8/4K3 w - d6 0 1",
    "6k1/8/8/3pP3/8/1B6/8/4K3 w - d6 0 1",
    "4k3/8/8/3pP3/8/8/8/4RK2 w - d6 0 1",
    "8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "3k4/8/8/8/8/8/8/qRK2R2 w FB - 0 1",
    "8/8/8/8/8/8/8/1RK2k2 w B - 0 1",
    "r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1",
};

enum { SPECIAL = sizeof special / sizeof special[0] };

Test(movegen, lists_agree_in_special_positions)
{
    struct seen seen = {0};
    for (int i = 0; i < SPECIAL; i++) {
        const struct position p = position_of(special[i]), mirrored = position_mirrored(&p);
        walk(&p, 2, &seen);
        walk(&mirrored, 2, &seen);
    }
    cr_assert_gt(seen.castling, 20);
    cr_assert_gt(seen.en_passant, 10);
    cr_assert_gt(seen.promotion, 100);
}

/* All 65,536 values of a Move: legal are exactly those on the list. */
static void check_all_codes(const struct position *p)
{
    struct move_list legal;
    movegen_legal(p, &legal);
    int count = 0;
    for (int m = 0; m <= UINT16_MAX; m++)
        if (movegen_is_legal(p, (Move)m)) {
            cr_assert(contains(&legal, (Move)m), "%04x", (unsigned)m);
            count++;
        }
    cr_assert_eq(count, legal.count);
}

/* In positions of games, and in special ones and those one move on. */
Test(movegen, nothing_else_is_legal)
{
    struct stream s = seeded(5);
    for (int i = 0; i < 200; i++) {
        const struct position p = random_position(&s, i);
        check_all_codes(&p);
    }
    for (int i = 0; i < 2 * SPECIAL; i++) {
        struct position p = position_of(special[i / 2]);
        struct move_list legal;
        p = i % 2 == 0 ? p : position_mirrored(&p);
        movegen_legal(&p, &legal);
        check_all_codes(&p);
        for (int m = 0; m < legal.count; m++) {
            struct position next = p;
            struct undo undo;
            position_make(&next, legal.moves[m], &undo);
            check_all_codes(&next);
        }
    }
}

Test(movegen, sees_mate_and_stalemate)
{
    static const char *const over[] = {
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1",
    };
    for (int i = 0; i < 3; i++) {
        struct position p = position_of(over[i]);
        struct move_list list;
        movegen_legal(&p, &list);
        cr_assert_eq(list.count, 0, "%s", over[i]);
        cr_assert_not(movegen_any(&p));
    }
}

Test(movegen, a_pinned_or_blocked_pawn_proves_no_move)
{
    static const struct {
        const char *fen;
        bool steps;
    } cases[] = {{"8/8/8/8/7b/8/5P2/4K2k w - - 0 1", false},
                 {"8/8/8/4p3/4P3/8/8/K6k w - - 0 1", false},
                 {"8/8/8/4p3/4P3/8/5P2/K6k w - - 0 1", true}};
    for (int i = 0; i < 3; i++) {
        const struct position p = position_of(cases[i].fen);
        cr_assert_eq(movegen_pawn_steps(&p), cases[i].steps, "%s", cases[i].fen);
    }
}

Test(movegen, finds_the_most_moves_that_a_position_can_have)
{
    const struct position p = position_of("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    cr_assert_eq(movegen_count(&p), 218);
}

Test(movegen, sorts_by_from_to_and_promotion)
{
    struct position p = position_of("1n2k3/P7/8/8/8/8/8/R3K3 w Q - 0 1");
    struct move_list list;
    movegen_legal(&p, &list);
    movegen_sort(&list);
    for (int i = 1; i < list.count; i++)
        cr_assert_lt(move_order(list.moves[i - 1]), move_order(list.moves[i]));
}

Test(movegen, names_the_king_and_the_pieces_that_discover)
{
    struct position p = position_of("4k3/8/8/B3N3/8/8/4R3/4K3 w - - 0 1");
    struct check_squares c;
    check_squares_find(&p, &c);
    cr_assert_eq(c.king, 60);
    cr_assert_eq(c.discoverers, bit(36));
    cr_assert_eq(c.by_kind[PAWN], bit(51) | bit(53));
    cr_assert_eq(c.by_kind[KING], 0);
}
