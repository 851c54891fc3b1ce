/* Other engines as players, shown by one that misbehaves as it is told, and by scripts. */
#include "engine.h"
#include "game.h"
#include "notation.h"

#include "scratch.h"

/* Patience that is waited out, after a process has started within it, and patience that must suffice
 * on a loaded machine. */
#define SHORT 2.0
#define LONG  60.0

static struct player *players[2];
static struct game g;

static void begin(void)
{
    scratch_begin();
    players[WHITE] = player_engine_create(1, NULL);
    cr_assert_not_null(players[WHITE]);
}

static void end(void)
{
    game_free(&g);
    player_destroy(players[WHITE]);
    player_destroy(players[BLACK]);
    scratch_end();
}

TestSuite(player_process, .init = begin, .fini = end, .timeout = 120);

/* Black is this command. */
static void start(const char *command, double patience)
{
    struct error err = {""};
    const struct uci_settings settings = {.command = command, .answer_seconds = patience};
    players[BLACK] = player_process_create(&settings, &err);
    MUST(players[BLACK]);
}

/* Black is the villain with this vice. */
static void start_villain(const char *vice, double patience)
{
    start(text_of("'%s' %s", getenv("VILLAIN"), vice), patience);
}

/* Black is a script that answers `go` so, and dies if its option is to be fatal. */
static void start_script(const char *on_go)
{
    const char *text =
        text_of("#!/bin/sh\n"
                "while read -r word rest; do case $word in\n"
                "uci) echo option name Answer type string default none; echo uciok;;\n"
                "isready) echo readyok;;\n"
                "setoption) answer=${rest##* value }; [ \"$answer\" != fatal ] || kill -SEGV $$;;\n"
                "go) go=$rest; %s;;\n"
                "quit) exit 0;;\n"
                "esac; done\n",
                on_go);
    start(scratch_program("engine", text), LONG);
}

/* Plays a game of at most so many plies from the usual start, which ends so. */
static void play(const struct game_limits *limits, int plies, const char *end)
{
    struct error err = {""};
    struct opening o = {.plies = 0};
    const struct game_conditions c = {.limits = *limits, .adjudication.max_plies = plies};
    cr_assert(position_from_fen(&o.start, FEN_START, NULL, NULL));
    MUST(game_play(players, &o, &c, &g, &err));
    cr_expect_str_eq(game_end_text(g.end, g.result), end, "%s", g.failure);
}

static const struct game_limits nodes = {.nodes = 300};

Test(player_process, plays_and_reports)
{
    start_villain("", LONG);
    play(&nodes, 12, "draw by length");
    for (int i = 1; i < 12; i += 2)
        cr_expect(g.moves[i].depth > 0 && g.moves[i].score != GAME_UNSCORED);
    const struct game_effort *e = &g.efforts[BLACK];
    cr_expect(e->moves == 6 && e->nodes > 600 && e->nodes <= 1800 && e->cut == 0);
}

/* A failure ends the game; the next one has a new process. */
static void expect_failure(const char *vice, double patience, const char *end, const char *reason)
{
    player_destroy(players[BLACK]);
    start_villain(vice, patience);
    for (int i = 0; i < 2; i++) {
        play(&nodes, 12, end);
        cr_expect_eq(g.plies, 3);
        cr_expect_not_null(strstr(g.failure, reason), "%s", g.failure);
        cr_expect_not_null(strstr(g.failure, "\n> go nodes 300\n"), "%s", g.failure);
    }
}

Test(player_process, that_fails_loses_and_plays_again)
{
    expect_failure("--every 2 --crash", LONG, "Black crashes", "villain");
    expect_failure("--every 2 --ignore-stop", SHORT, "Black hangs", "villain");
    expect_failure("--every 2 --illegal", LONG, "Black makes an illegal move", "a2a1");
}

Test(player_process, that_dies_of_an_option_loses_and_plays_again)
{
    struct error err = {""};
    const struct uci_value bad = {"Answer", "fatal"}, good = {"Answer", "good"};
    start_script("echo bestmove e7e5");
    MUST(player_process_set(players[BLACK], &bad, 1, &err));
    for (int i = 0; i < 2; i++) {
        play(&nodes, 4, "Black crashes");
        cr_expect_not_null(strstr(g.failure, "was ended by signal 11"), "%s", g.failure);
        cr_expect_not_null(strstr(g.failure, "\n> setoption name Answer value fatal\n"), "%s",
                           g.failure);
    }
    MUST(player_process_set(players[BLACK], &good, 1, &err));
    play(&nodes, 2, "draw by length");
}

Test(player_process, that_cannot_be_started_again_loses)
{
    start_script("rm \"$0\"; exit 3");
    for (int i = 0; i < 3; i++) {
        play(&nodes, 4, "Black crashes");
        cr_expect_not_null(strstr(g.failure, i == 0 ? "code 3" : "engine"), "%s", g.failure);
    }
}

/* Black is a script that notes each of its starts, and dies at some. */
static void start_unsteady(const char *deaths)
{
    const char *text = text_of("#!/bin/sh\necho start >>%s/starts\n"
                               "case $(wc -l <%s/starts) in %s) exit 3;; esac\n"
                               "exec '%s'\n",
                               directory, directory, deaths, getenv("VILLAIN"));
    start(scratch_program("unsteady", text), LONG);
}

Test(player_process, that_dies_at_its_start_is_started_three_times)
{
    start_unsteady("2|3");
    play(&nodes, 4, "draw by length");
    player_process_renew(players[BLACK]);
    play(&nodes, 4, "draw by length");
}

/* It loses as one does that could not be started again, and may set values before it is known. */
Test(player_process, that_has_never_started_loses_until_it_starts)
{
    struct error err = {""};
    const struct uci_value margin = {"KNIGHT_VALUE", "500"};
    start_unsteady("[1-6]");
    cr_expect(player_process_set(players[BLACK], &margin, 1, &err), "%s", err.text);
    play(&nodes, 4, "Black crashes");
    cr_expect_not_null(strstr(g.failure, "code 3"), "%s", g.failure);
    play(&nodes, 4, "draw by length");
}

Test(player_process, that_ignores_its_limit_is_stopped)
{
    start_villain("--ignore-nodes", LONG);
    play(&nodes, 8, "draw by length");
    cr_expect(g.efforts[BLACK].cut == 4 && g.efforts[BLACK].nodes >= 1200);
}

/* With a margin longer than any answer it plays on. */
Test(player_process, that_is_late_loses_its_game_but_not_its_process)
{
    struct game_limits l = {.movetime = 5, .grace = 500};
    start_villain("--slow 1000", LONG);
    play(&l, 12, "Black loses on time");
    cr_expect_str_eq(g.failure, "");
    cr_expect_gt(g.last_time, 505000);
    l.grace = 60000;
    play(&l, 4, "draw by length");
    player_destroy(players[BLACK]);
    start_villain("--slow 2600", SHORT);
    play(&l, 4, "draw by length");
}

Test(player_process, scores_are_those_of_our_engine)
{
    static const struct {
        const char *info;
        int32_t score;
    } scores[] = {{"score cp -35", -35},
                  {"score mate 3", MATE - 5},
                  {"score mate -2", -(MATE - 4)},
                  {"score mate 1500000000", EVAL_LIMIT + 3},
                  {"score mate -1500000000", -(EVAL_LIMIT + 2)},
                  {"score cp 9999999", EVAL_LIMIT},
                  {"nodes 5", GAME_UNSCORED}};
    struct error err = {""};
    start_script("echo \"info depth 4 $answer\"; echo info depth 5 score cp 77 upperbound; "
                 "echo bestmove e7e5");
    for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
        const struct uci_value value = {"Answer", scores[i].info};
        MUST(player_process_set(players[BLACK], &value, 1, &err));
        play(&nodes, 2, "draw by length");
        bool bound = scores[i].score == GAME_UNSCORED; /* then there is nothing but a bound */
        cr_expect_eq(g.moves[1].score, scores[i].score, "%s", scores[i].info);
        cr_expect_eq(g.moves[1].depth, bound ? 5 : 4);
    }
    const struct uci_value wrong = {"Answr", "1"};
    cr_expect_not(player_process_set(players[BLACK], &wrong, 1, &err));
    SAID("Answr");
}

/* A move without a word has no score; an iteration that has only begun does not count. */
Test(player_process, scores_are_those_of_whole_iterations)
{
    start_script("echo bestmove e7e5");
    play(&nodes, 2, "draw by length");
    cr_expect(g.moves[1].score == GAME_UNSCORED && g.moves[1].depth == 0);
    player_destroy(players[BLACK]);
    start_script("echo info depth 4 score cp 35; echo info depth 5; echo bestmove e7e5");
    play(&nodes, 2, "draw by length");
    cr_expect(g.moves[1].score == 35 && g.moves[1].depth == 4, "depth %d", g.moves[1].depth);
}

/* Black's clock and increment arrive, in whole milliseconds. */
Test(player_process, clocks_are_passed_on)
{
    const struct game_limits l = {.time = 60000, .increment = 250, .grace = 60000};
    start_script("case $go in *\"btime 60000 winc 250 binc 250\"*) echo bestmove e7e5;; "
                 "*) echo \"bestmove $go\";; esac");
    play(&l, 2, "draw by length");
}

Test(player_process, that_cannot_start_says_why)
{
    struct error err = {""};
    const struct uci_settings settings = {.command = "no-such-engine"};
    cr_expect_null(player_process_create(&settings, &err));
    SAID("no-such-engine");
}
