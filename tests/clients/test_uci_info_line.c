/* The line `info`: what engines write, and what they should not. */
#include "uci_info_line.h"

#include "notation.h"

#include <criterion/criterion.h>
#include <string.h>

static struct position initial;
static struct uci_info info;

static void begin(void)
{
    cr_assert(position_from_fen(&initial, FEN_START, NULL, NULL));
}

TestSuite(uci_info_line, .init = begin);

static bool read(const char *line)
{
    return uci_info_line_read(words_of(line, strlen(line)), &initial, &info);
}

/* The move of the latest pv. */
static void expect_move(const char *expected)
{
    char uci[UCI_MAX];
    move_to_uci(&initial, info.move, uci);
    cr_expect_str_eq(uci, expected);
}

Test(uci_info_line, reads_a_whole_line)
{
    cr_expect(read("depth 12 seldepth 18 multipv 1 score cp -33 nodes 12345 nps 1000000 hashfull 5 "
                   "tbhits 0 time 12 pv g1f3 g8f6"));
    cr_expect(info.depth == 12 && info.nodes == 12345 && info.time == 12);
    cr_expect(info.has_score && !info.mate && !info.bound && info.score == -33);
    expect_move("g1f3");
}

Test(uci_info_line, reads_mates_and_bounds)
{
    read("depth 1 score mate -3 time 1");
    cr_expect(info.has_score && info.mate && info.score == -3);
    read("depth 1 score cp 50 lowerbound");
    cr_expect(!info.mate && info.bound && info.score == 50);
    read("score cp 40 upperbound nodes 7");
    cr_expect(info.bound && info.nodes == 7);
    read("score cp 45");
    cr_expect_not(info.bound);
}

/* Stockfish writes the odds of win, draw and loss between the score and its bound. */
Test(uci_info_line, finds_a_bound_anywhere_in_the_line)
{
    static const char *const bounds[] = {
        "depth 9 score cp 400 wdl 900 99 1 lowerbound nodes 1000 pv e2e4",
        "depth 9 score cp 400 lowerbound wdl 900 99 1 nodes 1000 pv e2e4",
        "depth 9 upperbound score cp 400", "depth 9 score upperbound cp 400",
        "score mate 4 nodes 5 pv e2e4 upperbound"};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        read("score cp 30 wdl 60 930 10");
        cr_expect(info.has_score && !info.bound && info.score == 30);
        read("upperbound nodes 12");
        cr_expect_not(info.bound, "without a score it is no bound of the earlier one");
        read(bounds[i]);
        cr_expect(info.has_score && info.bound && info.score != 30, "%s", bounds[i]);
    }
    read("score cp 40 string lowerbound");
    cr_expect_not(info.bound);
}

Test(uci_info_line, keeps_what_is_not_given)
{
    read("depth 5 score cp 10 nodes 100 pv e2e4");
    cr_expect(read("nodes 200"));
    cr_expect(info.depth == 5 && info.has_score && info.score == 10 && info.nodes == 200);
    expect_move("e2e4");
}

Test(uci_info_line, tells_whether_a_line_judges)
{
    read("depth 5 score cp 10");
    cr_expect(info.judges);
    read("depth 6 pv e2e4");
    cr_expect(info.judges);
    cr_expect(read("depth 7"));
    cr_expect(info.depth == 7 && info.has_score && !info.judges, "an iteration begins");
    read("depth 7 nodes 200 pv e2e5");
    cr_expect_not(info.judges, "the move is not legal");
}

Test(uci_info_line, counts_nodes_upwards_only)
{
    read("nodes 500");
    read("nodes 300");
    cr_expect_eq(info.nodes, 500);
}

Test(uci_info_line, ignores_other_lines)
{
    cr_expect_not(read("string depth 9 nodes 9 score cp 9"));
    cr_expect_not(read("currmove e2e4 currmovenumber 1 depth 9"));
    cr_expect_not(read("hashfull 12 cpuload 900"));
    cr_expect_not(read(""));
    cr_expect(info.depth == 0 && info.nodes == 0 && !info.has_score);
    expect_move("0000");
}

Test(uci_info_line, tells_the_variations_apart)
{
    cr_expect(read("depth 9 multipv 2 score cp 9 nodes 9 pv e2e4"));
    cr_expect(info.line == 2 && info.score == 9);
    expect_move("e2e4");
    cr_expect(read("depth 9 multipv 1 score cp 30 nodes 12 pv d2d4"));
    cr_expect(info.line == 1 && info.score == 30);
    cr_expect(read("depth 9 multipv 3 nodes 15"));
    cr_expect(info.line == 3 && info.nodes == 15);
    cr_expect_not(info.has_score, "the score of the best line is not that of the third");
    expect_move("0000");
    read("depth 9 score cp 8 pv e2e4");
    cr_expect_eq(info.line, 1, "a line without a number is the best one");
}

Test(uci_info_line, keeps_nodes_beside_the_current_move)
{
    cr_expect(read("depth 9 currmove e2e4 currmovenumber 1 nodes 77"));
    cr_expect(info.depth == 0 && info.nodes == 77);
}

Test(uci_info_line, skips_what_it_cannot_read)
{
    cr_expect_not(read("depth nodes score pv"));
    cr_expect_not(read("score cp score mate x pv e2e5 nodes -"));
    expect_move("0000");
    cr_expect(read("depth x nodes 12"));
    cr_expect_eq(info.nodes, 12);
    read("depth 99999999999999999999 nodes 99999999999999999999 score cp -99999999999");
    cr_expect(info.depth == INT32_MAX && info.score == -INT32_MAX);
}
