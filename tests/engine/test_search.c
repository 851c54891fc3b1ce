/* The search of a node: what it finds without selective methods is minimax; mates; draws. */
#include "engine.h"

#include "engine_with.h"
#include "minimax.h"
#include "notation.h"
#include "position_of.h"
#include "random_chess.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct engine *plain_engine(void)
{
    return engine_with(1, search_plain_params());
}

static struct search_result search_to(struct engine *e, const struct game *g, int depth)
{
    struct history h = game_history(g);
    const struct search_limits limits = {.depth = depth};
    return engine_search(e, &g->at[g->last], &h, &limits, NULL);
}

static Move move_of(const struct position *p, const char *text)
{
    Move m;
    struct error err;
    cr_assert(move_from_text(p, text, (int)strlen(text), &m, &err), "%s: %s", text, err.text);
    return m;
}

/* Plays moves separated by spaces. */
static void play(struct game *g, const char *moves)
{
    char text[SAN_MAX];
    for (int used; sscanf(moves, "%11s%n", text, &used) == 1; moves += used)
        game_play(g, move_of(&g->at[g->last], text));
}

/* ---- minimax ----
 *
 * To a depth of 3 plies the plain search of an engine that knows nothing yet must give exactly what
 * minimax gives. Its table can then hold nothing deeper than what is asked: two nodes of one search
 * with the same position and different depths would be two plies apart, and in two plies either
 * side has made a move that it has had no time to take back. Nor can the path matter: two ways to
 * one position at one ply have passed the same captures and pawn moves, so either both counters are
 * the root's plus the ply or neither can reach a limit or a repetition of the game before. */

/* The depth, 3 at most, to which minimax stays cheap. */
static int cheap_depth(const struct position *p)
{
    int depth = 1;
    while (depth < 3 && perft(p, depth + 1) < 30000)
        depth++;
    return depth;
}

/* Searches the present position of a game and compares with minimax. */
static void assert_minimax(struct engine *e, struct game *g, const struct evaluation *eval)
{
    const struct position *p = &g->at[g->last];
    char fen[FEN_MAX];
    struct move_list list;
    position_to_fen(p, fen);
    movegen_legal(p, &list);
    for (int depth = 1; depth <= cheap_depth(p); depth++) {
        int32_t best = -INFINITE_SCORE;
        for (int i = 0; i < list.count; i++) {
            int32_t value = minimax_move(g, eval, list.moves[i], depth);
            best = value > best ? value : best;
        }
        engine_clear(e);
        struct search_result r = search_to(e, g, depth);
        cr_assert_eq(r.score, best, "depth %d: %d, not %d: %s", depth, r.score, best, fen);
        cr_assert_eq(minimax_move(g, eval, r.best, depth), best, "depth %d, the move: %s", depth,
                     fen);
        cr_assert_eq(r.depth, depth);
        cr_assert_not(r.stopped);
    }
}

/* A game of random moves from a position, with every position in it. */
static void random_game(struct game *g, struct stream *s, const struct position *from, int plies)
{
    game_start(g, from);
    for (int i = 0; i < plies; i++) {
        struct move_list list;
        movegen_legal(&g->at[g->last], &list);
        game_play(g, list.moves[stream_below(s, (uint64_t)list.count)]);
        if (movegen_any(&g->at[g->last]))
            continue;
        g->last--;
        return;
    }
}

Test(search, plain_search_is_minimax)
{
    struct engine *e = plain_engine();
    struct stream s = seeded(1);
    for (int i = 0; i < thorough(8, 60); i++) {
        struct game g;
        struct position start = position_of(FEN_START);
        struct evaluation eval =
            random_evaluation(&s, (enum evaluation_kind)(i % EVALUATION_KINDS));
        random_game(&g, &s, &start, (int)stream_below(&s, 200));
        engine_set_evaluation(e, &eval);
        assert_minimax(e, &g, &eval);
    }
    engine_destroy(e);
}

/* Endings of few moves, where games repeat positions and near the fifty-move limit: the root has a
 * history that matters. */
Test(search, plain_search_is_minimax_with_a_history)
{
    const char *const fens[] = {
        "8/8/8/5k2/8/8/3KR3/8 w - - 0 1",    "8/8/1k6/8/8/5K2/6PP/8 w - - 0 1",
        "k7/8/8/8/8/8/6q1/4K3 w - - 0 1",    "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
        "8/8/4k3/8/8/3NB3/3K4/8 w - - 0 1",  "7k/4Q3/8/8/8/8/8/K7 b - - 0 1",
        "8/k7/8/K7/8/8/8/1R6 w - - 96 80",   "8/2p5/k7/8/K7/8/8/1R6 b - - 97 80",
        "6k1/8/6K1/8/8/8/8/1R6 w - - 97 80", "k7/7R/1K6/8/8/8/8/8 w - - 98 80",
    };
    struct engine *e = plain_engine();
    struct evaluation eval = evaluation_initial();
    struct stream s = seeded(2);
    int repeated = 0;
    for (int i = 0; i < 120; i++) {
        struct game g;
        struct position from = position_of(fens[i % 10]);
        random_game(&g, &s, &from, i < 10 ? 0 : (int)stream_below(&s, 40));
        g.root = g.last;
        if (position_insufficient_material(&g.at[g.last]))
            continue;
        for (int j = 0; j < g.last; j++)
            repeated += same_position(&g.at[j], &g.at[g.last]);
        assert_minimax(e, &g, &eval);
    }
    cr_assert_gt(repeated, 0);
    engine_destroy(e);
}

/* ---- mates ---- */

/* Whether the side to move can mate in at most so many moves, by trying everything. */
static bool can_mate(const struct position *p, int moves);

static bool is_mated_in(const struct position *p, int moves)
{
    struct move_list list;
    movegen_legal(p, &list);
    if (list.count == 0)
        return position_in_check(p);
    for (int i = 0; i < list.count && moves > 0; i++) {
        struct position after = *p;
        struct undo undo;
        position_make(&after, list.moves[i], &undo);
        if (!can_mate(&after, moves))
            return false;
    }
    return moves > 0;
}

static bool can_mate(const struct position *p, int moves)
{
    struct move_list list;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count && moves > 0; i++) {
        struct position after = *p;
        struct undo undo;
        position_make(&after, list.moves[i], &undo);
        if (is_mated_in(&after, moves - 1))
            return true;
    }
    return false;
}

static const struct {
    const char *fen;
    int moves;
} mates[] = {
    {"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1},
    {"k7/7R/1K6/8/8/8/8/8 w - - 0 1", 1},
    {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1},
    {"7k/4P1pp/8/8/8/8/8/K7 w - - 0 1", 1},
    {"7k/8/6K1/8/8/8/8/1R6 b - - 0 1", -1},
    {"r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2},
    {"8/8/8/8/8/1k6/7r/K7 b - - 0 1", 1},
    {"k7/8/2K5/8/8/8/8/7R w - - 0 1", 2},
    {"k7/8/1K6/8/8/8/8/7R b - - 0 1", -1},
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3},
};

/* The listed distances are right, whatever the search says. */
Test(search, the_listed_mates_are_mates)
{
    for (size_t i = 0; i < sizeof mates / sizeof *mates; i++) {
        struct position p = position_of(mates[i].fen);
        int n = mates[i].moves;
        if (n > 0)
            cr_assert(can_mate(&p, n) && !can_mate(&p, n - 1), "%s", mates[i].fen);
        else
            cr_assert(is_mated_in(&p, -n) && !is_mated_in(&p, -n - 1), "%s", mates[i].fen);
    }
}

/* The plain search to as many plies as the mate takes; the paper's search a little deeper. */
Test(search, finds_mates)
{
    struct engine *e = plain_engine();
    for (int paper = 0; paper < 2; paper++) {
        struct search_params params = paper ? search_initial_params() : search_plain_params();
        engine_set_params(e, &params);
        for (size_t i = 0; i < sizeof mates / sizeof *mates; i++) {
            int n = mates[i].moves;
            struct game g;
            struct position p = position_of(mates[i].fen);
            game_start(&g, &p);
            struct search_result r = search_to(e, &g, (n > 0 ? 2 * n - 1 : -2 * n) + 4 * paper);
            cr_assert_eq(score_mate_moves(r.score), n, "%s: %d", mates[i].fen, r.score);
            cr_assert_eq(r.score, n > 0 ? MATE - (2 * n - 1) : -MATE - 2 * n);
        }
    }
    engine_destroy(e);
}

Test(search, counts_moves_to_mate)
{
    cr_assert_eq(score_mate_moves(0), 0);
    cr_assert_eq(score_mate_moves(EVAL_LIMIT), 0);
    cr_assert_eq(score_mate_moves(-EVAL_LIMIT), 0);
    for (int n = 1; n < MAX_PLY / 2; n++) {
        cr_assert_eq(score_mate_moves(MATE - (2 * n - 1)), n, "mate in %d plies", 2 * n - 1);
        cr_assert_eq(score_mate_moves(-MATE + 2 * n), -n, "mated in %d plies", 2 * n);
    }
}

/* Two rooks, or queen and rook, against a king anywhere on the board. */
static struct position random_ending(struct stream *s)
{
    struct position p;
    char fen[FEN_MAX];
    do {
        char board[64];
        memset(board, '1', sizeof board);
        const char *pieces = stream_below(s, 2) ? "KRRkp" : "KQRkn";
        for (const char *c = pieces; *c != '\0'; c++)
            board[stream_below(s, 64)] = *c;
        char *to = fen;
        for (int rank = 0; rank < 8; rank++) {
            memcpy(to, &board[8 * rank], 8);
            to[8] = rank < 7 ? '/' : ' ';
            to += 9;
        }
        strcpy(to, "w - - 0 1");
    } while (!position_from_fen(&p, fen, NULL, NULL) || !movegen_any(&p));
    return p;
}

/* A mate that is there is found at its depth, and none that is not. */
Test(search, random_mates)
{
    struct engine *e = plain_engine();
    struct stream s = seeded(5);
    int found[3] = {0};
    for (int i = 0; i < 400; i++) {
        struct game g;
        struct position p = random_ending(&s);
        int mate = can_mate(&p, 1) ? 1 : can_mate(&p, 2) ? 2 : 0;
        game_start(&g, &p);
        int32_t score = search_to(e, &g, 3).score;
        found[mate]++;
        if (mate > 0)
            cr_assert_eq(score, MATE - (2 * mate - 1));
        else
            cr_assert(score_mate_moves(score) <= 0 || score_mate_moves(score) > 2);
    }
    cr_assert(found[1] > 10 && found[2] > 10 && found[0] > 10);
    engine_destroy(e);
}

/* ---- ends of the game ---- */

Test(search, a_finished_game_has_no_best_move)
{
    const char *const ended[] = {
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    };
    struct engine *e = plain_engine();
    for (int i = 0; i < 2; i++) {
        struct game g;
        struct position p = position_of(ended[i]);
        game_start(&g, &p);
        struct search_result r = search_to(e, &g, 5);
        cr_assert_eq(r.best, NO_MOVE);
        cr_assert_eq(r.line.length, 0);
        cr_assert_eq(r.nodes, 0);
    }
    engine_destroy(e);
}

/* Positions where the rules of draws count, for the plain search and the paper's: the moves played before, the
 * only move searched (or NULL), depths, the limits of the score, and the best move (or NULL). */
static const struct {
    const char *fen, *played, *move;
    int from, to;
    int32_t least, most;
    const char *best;
} ends[] = {
    /* A queen down: the third time on the board is a draw, the second is not. */
    {"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a2 e8e7 a2a1", "e7e8", 1, 1, -MATE, -301, NULL},
    {"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1", "e7e8", 1, 5, 0, 0,
     NULL},
    {"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1", "e7d7", 1, 1, -MATE,
     -301, NULL},
    /* The side that is lost holds by perpetual check, which the search sees as a repetition. */
    {"6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", "", NULL, 8, 8, 0, 0, "h5e8"},
    /* The 99th halfmove, and the 100th; mate on it is mate, also in two, but on the 101st it is too late. */
    {"4k3/8/8/8/8/8/8/Q3K3 w - - 98 90", "", "a1a2", 1, 1, 301, MATE, NULL},
    {"4k3/8/8/8/8/8/8/Q3K3 w - - 99 90", "", NULL, 1, 5, 0, 0, NULL},
    {"k7/7R/1K6/8/8/8/8/8 w - - 99 90", "", NULL, 1, 5, MATE - 1, MATE - 1, NULL},
    {"k7/8/2K5/8/8/8/8/7R w - - 97 90", "", NULL, 3, 5, MATE - 3, MATE - 3, NULL},
    {"k7/8/2K5/8/8/8/8/7R w - - 98 90", "", NULL, 3, 5, 0, 0, NULL},
    /* What takes the last piece that could mate is a draw; that is the best the lost side has. */
    {"8/8/8/4k3/8/8/1r6/K7 w - - 0 1", "", NULL, 1, 5, 0, 0, "a1b2"},
    {"8/8/8/4k3/8/8/3B4/K7 w - - 0 1", "", NULL, 4, 4, 0, 0, NULL},
};

Test(search, draws_by_the_rules)
{
    for (size_t i = 0; i < 2 * (sizeof ends / sizeof *ends); i++) {
        struct engine *e =
            engine_with(1, i % 2 == 0 ? search_plain_params() : search_initial_params());
        const struct position p = position_of(ends[i / 2].fen);
        struct game g;
        game_start(&g, &p);
        play(&g, ends[i / 2].played);
        for (int depth = ends[i / 2].from; depth <= ends[i / 2].to; depth++) {
            const struct position *at = &g.at[g.last];
            const Move only = ends[i / 2].move != NULL ? move_of(at, ends[i / 2].move) : NO_MOVE;
            const struct history h = game_history(&g);
            const struct search_limits limits = {
                .depth = depth, .moves = only != NO_MOVE ? &only : NULL, .move_count = 1};
            const struct search_result r = engine_search(e, at, &h, &limits, NULL);
            cr_expect(r.score >= ends[i / 2].least && r.score <= ends[i / 2].most,
                      "row %zu, depth %d: %d", i / 2, depth, r.score);
            if (ends[i / 2].best != NULL)
                cr_expect_eq(r.best, move_of(at, ends[i / 2].best), "row %zu", i / 2);
        }
        engine_destroy(e);
    }
}
