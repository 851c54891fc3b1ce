/* Games: each way in which one ends, adjudication, clocks, and the same game again. */
#define _DEFAULT_SOURCE /* setitimer */
#include "clock.h"
#include "engine.h"
#include "game.h"
#include "notation.h"
#include "stream.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/time.h>

static struct player *players[2];
static struct game g;

static void begin(void)
{
    struct error err;
    for (int side = 0; side < 2; side++) {
        players[side] = player_engine_create(1, &err);
        cr_assert_not_null(players[side], "%s", err.text);
    }
    g = (struct game){0};
}

static void end(void)
{
    game_free(&g);
    for (int side = 0; side < 2; side++)
        player_destroy(players[side]);
}

TestSuite(game, .init = begin, .fini = end);

/* An opening from a FEN and moves with spaces between them. */
static struct opening opening_of(const char *fen, const char *moves)
{
    struct opening o = {.plies = 0};
    struct position p;
    struct error err = {""};
    cr_assert(position_from_fen(&o.start, fen, NULL, &err), "%s", err.text);
    p = o.start;
    for (const char *m = moves; *m != '\0'; m += strspn(m, " ")) {
        struct undo undo;
        int length = (int)strcspn(m, " ");
        cr_assert(move_from_text(&p, m, length, &o.moves[o.plies], &err), "%s", err.text);
        position_make(&p, o.moves[o.plies++], &undo);
        m += length;
    }
    return o;
}

static void play(const struct opening *o, const struct game_conditions *c)
{
    struct error err = {""};
    cr_assert(game_play(players, o, c, &g, &err), "%s", err.text);
}

static void play_fen(const char *fen, const char *moves, const struct game_conditions *c)
{
    struct opening o = opening_of(fen, moves);
    play(&o, c);
}

static struct game_conditions nodes(uint64_t count)
{
    return (struct game_conditions){.limits = {.nodes = count}};
}

static struct game_conditions depth(int plies)
{
    return (struct game_conditions){.limits = {.depth = plies}};
}

/* How the game ended, and who won, as it is told. */
static void expect_end(const char *text, int plies)
{
    cr_expect_str_eq(game_end_text(g.end, g.result), text);
    cr_expect_eq(g.plies, plies, "%d plies", g.plies);
}

/* ---- the rules ---- */

/* Stalemate is the losing side's only way out; White, a queen and a rook behind, has a perpetual check; an
 * opening may repeat; a mate precedes the fifty moves. */
Test(game, ends_by_each_rule)
{
    static const struct {
        int depth, plies;
        const char *fen, *moves, *text;
    } games[] = {
        {3, 1, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "", "White mates"},
        {3, 1, "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", "", "Black mates"},
        {6, 1, "8/8/8/8/8/8/7p/5K1k w - - 0 1", "", "draw by stalemate"},
        {4, 1, "8/8/8/8/3k4/8/3p4/3K4 w - - 0 1", "", "draw by insufficient material"},
        {2, 3, "8/2k5/8/8/8/4R3/4K3/8 w - - 97 90", "", "draw by the fifty-move rule"},
        {2, 1, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "", "White mates"},
        {6, 8, "5rk1/5p1p/5Q2/8/8/8/qr3PPP/6K1 w - - 0 1", "", "draw by threefold repetition"},
        {2, 8, FEN_START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "draw by threefold repetition"},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        const struct game_conditions c = depth(games[i].depth);
        play_fen(games[i].fen, games[i].moves, &c);
        expect_end(games[i].text, games[i].plies);
        cr_expect(score_mate_moves(g.moves[0].score) == 1 || g.end != GAME_CHECKMATE);
    }
    cr_expect(g.opening_plies == 8 && g.nodes == 0, "the last one ends in its opening");
}

/* ---- the rules again, by a slower referee ---- */

static bool same_position(const struct position *a, const struct position *b)
{
    return memcmp(a->by_kind, b->by_kind, sizeof a->by_kind) == 0 &&
           memcmp(a->by_color, b->by_color, sizeof a->by_color) == 0 && a->side == b->side &&
           a->castling == b->castling && a->ep == b->ep;
}

enum { LONGEST = 2000 };

/* What the position after `ply` plies means, from all that were before. */
static bool referee(const struct position *all, int ply, enum game_end *end)
{
    const struct position *p = &all[ply];
    int stood = 0;
    struct move_list list;
    movegen_legal(p, &list);
    for (int i = 0; i <= ply; i++)
        stood += same_position(&all[i], p);
    if (list.count == 0)
        *end = position_in_check(p) ? GAME_CHECKMATE : GAME_STALEMATE;
    else if (position_insufficient_material(p))
        *end = GAME_MATERIAL;
    else if (stood >= 3)
        *end = GAME_REPETITION;
    else if (p->halfmove >= 100)
        *end = GAME_FIFTY_MOVES;
    else
        return false;
    return true;
}

/* Whether the game in `g` is legal and ends when and as the referee says, and not before. */
static void check_game(void)
{
    static struct position all[LONGEST + 1];
    enum game_end end;
    cr_assert_leq(g.plies, LONGEST);
    all[0] = g.start;
    for (int ply = 0; ply < g.plies; ply++) {
        struct undo undo;
        cr_assert_not(referee(all, ply, &end), "over after %d plies", ply);
        cr_assert(movegen_is_legal(&all[ply], g.moves[ply].move));
        all[ply + 1] = all[ply];
        position_make(&all[ply + 1], g.moves[ply].move, &undo);
    }
    cr_assert(referee(all, g.plies, &end));
    cr_expect_eq(g.end, end, "%s", game_end_text(g.end, g.result));
    enum game_result won = all[g.plies].side == WHITE ? GAME_BLACK_WINS : GAME_WHITE_WINS;
    cr_expect_eq(g.result, end == GAME_CHECKMATE ? won : GAME_DRAWN);
}

/* From random endings, where most ways of ending a game come. */
Test(game, ends_when_the_rules_say_so)
{
    int seen[GAME_BROKEN + 1] = {0};
    struct game_conditions c = nodes(60);
    static const char *const fens[] = {
        FEN_START, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/pp4pp/8/8/8/8/PP4PP/4K3 w - - 0 1",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/3bn3/8/8/8/R3K3 w - - 0 1"};
    for (int i = 0; i < 40; i++) {
        struct stream s;
        struct opening o = opening_of(fens[i % 5], "");
        struct position p = o.start;
        struct move_list list;
        stream_init(&s, 1, STREAM_TEST, 0, (uint64_t)i);
        while (o.plies < 4 + i % 3) {
            struct undo undo;
            movegen_legal(&p, &list);
            o.moves[o.plies] = list.moves[stream_below(&s, (uint64_t)list.count)];
            position_make(&p, o.moves[o.plies++], &undo);
        }
        play(&o, &c);
        check_game();
        seen[g.end]++;
    }
    cr_expect(seen[GAME_CHECKMATE] > 0 && seen[GAME_MATERIAL] > 0 && seen[GAME_REPETITION] > 0 &&
                  seen[GAME_FIFTY_MOVES] > 0,
              "%d mates, %d stalemates, %d repetitions, %d of fifty moves, %d without material",
              seen[GAME_CHECKMATE], seen[GAME_STALEMATE], seen[GAME_REPETITION],
              seen[GAME_FIFTY_MOVES], seen[GAME_MATERIAL]);
}

/* ---- moves ---- */

/* Each move is the one that the engine of its colour finds, going on from what it knows. */
Test(game, each_side_plays_its_own_engine_move_after_move)
{
    struct engine *mine[2];
    struct error err;
    struct evaluation other = evaluation_initial();
    const struct search_params initial = search_initial_params();
    struct game_conditions c = nodes(500);
    struct opening o = opening_of(FEN_START, "e4 e5 Nf3");
    struct position p;
    struct history h;
    struct undo undo;
    uint64_t spent = 0;
    other.paper.value[KNIGHT_VALUE] = 900;
    c.adjudication.max_plies = 25;
    for (int side = 0; side < 2; side++) {
        mine[side] = engine_create(1, &err);
        if (side == BLACK) {
            engine_set_evaluation(mine[side], &other);
            player_engine_set(players[side], &other, &initial);
        }
    }
    play(&o, &c);
    expect_end("draw by length", 25);
    cr_expect_eq(g.opening_plies, 3);
    p = g.start;
    history_init(&h);
    for (int ply = 0; ply < g.plies; ply++) {
        const struct game_move *m = &g.moves[ply];
        if (ply >= 3) {
            const struct search_limits limits = {.nodes = 500};
            struct search_result r = engine_search(mine[p.side], &p, &h, &limits, NULL);
            cr_expect(m->move == r.best && m->score == r.score && m->depth == r.depth, "%d", ply);
            spent += r.nodes;
        } else {
            cr_expect(m->move == o.moves[ply] && m->score == 0 && m->depth == 0, "%d", ply);
        }
        history_push(&h, &p);
        position_make(&p, m->move, &undo);
    }
    cr_expect_eq(g.nodes, spent);
    for (int side = 0; side < 2; side++)
        engine_destroy(mine[side]);
}

Test(game, limits_are_kept)
{
    struct game_conditions c = nodes(300);
    c.adjudication.max_plies = 20;
    play_fen(FEN_START, "", &c);
    cr_expect_eq(g.nodes, 20 * 300);
    c.limits = (struct game_limits){.nodes = 1000000, .depth = 3};
    play_fen(FEN_START, "", &c);
    for (int i = 0; i < g.plies; i++)
        cr_expect_eq(g.moves[i].depth, 3);
}

/* ---- the same game again ---- */

/* A digest of the game in `g`. */
static uint64_t digest(void)
{
    uint64_t sum = g.nodes + (uint64_t)g.end;
    for (int i = 0; i < g.plies; i++)
        sum = 31 * (31 * (31 * sum + g.moves[i].move) + (uint64_t)(int64_t)g.moves[i].score) +
              (uint64_t)g.moves[i].depth;
    return sum;
}

Test(game, is_the_same_again_whatever_was_played_before)
{
    struct game_conditions c = nodes(400);
    struct opening one = opening_of(FEN_START, "d4 d5 c4"), two = opening_of(FEN_START, "e4 c5");
    play(&one, &c);
    const uint64_t first = digest();
    cr_assert_gt(g.plies, 10);
    play(&one, &c);
    cr_expect_eq(digest(), first);
    play(&two, &c);
    cr_expect_neq(digest(), first);
    play(&one, &c);
    cr_expect_eq(digest(), first);
    end();
    begin(); /* in engines that are new, and a table of another age */
    play(&one, &c);
    cr_expect_eq(digest(), first);
}

/* ---- adjudication ---- */

/* A win when both sides see it, a draw when scores have been small, and a long game; the rules precede. */
Test(game, is_adjudicated_by_scores_and_length)
{
    static const char no_queen[] = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                      no_white_queen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
                      opening[] = "e4 e5 Nf3";
    static const struct {
        const char *fen, *moves;
        struct game_adjudication rules;
        int plies;
        const char *text;
    } games[] = {
        {no_queen, "", {300, 3, 0, 0, 0, 0}, 6, "White wins by adjudication"},
        {no_white_queen, opening, {300, 3, 0, 0, 0, 0}, 9, "Black wins by adjudication"},
        {no_queen, "", {100000, 3, 0, 0, 0, 30}, 30, "draw by length"},
        {FEN_START, "", {0, 0, 5000, 2, 0, 0}, 4, "draw by adjudication"},
        {FEN_START, opening, {0, 0, 5000, 2, 0, 0}, 7, "draw by adjudication"},
        {FEN_START, opening, {0, 0, 5000, 2, 10, 0}, 20, "draw by adjudication"},
        {no_queen, "", {0, 0, 0, 2, 10, 24}, 24, "draw by length"},
        {FEN_START, opening, {0, 0, 0, 0, 0, 7}, 7, "draw by length"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "", {0, 0, 0, 0, 0, 1}, 1, "White mates"},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        const struct game_conditions c = {.limits.depth = 2, .adjudication = games[i].rules};
        play_fen(games[i].fen, games[i].moves, &c);
        expect_end(games[i].text, games[i].plies);
    }
}

/* ---- clocks ---- */

Test(game, out_of_time_loses_but_not_against_a_bare_king)
{
    static const struct {
        const char *fen;
        enum game_result result;
    } ends[] = {{FEN_START, GAME_BLACK_WINS},
                {"4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", GAME_WHITE_WINS},
                {"4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", GAME_DRAWN},
                {"4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", GAME_DRAWN},
                {"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", GAME_BLACK_WINS}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const struct position p = opening_of(ends[i].fen, "").start;
        cr_expect_eq(game_result_on_time(&p), ends[i].result, "%s", ends[i].fen);
    }
}

/* A millisecond is over before the game is. */
Test(game, ends_when_the_time_has_run_out)
{
    struct game_conditions c = {.limits = {.time = 1}};
    play_fen(FEN_START, "e4", &c);
    cr_expect_eq(g.end, GAME_TIME);
    enum color loser = g.plies % 2 == 0 ? WHITE : BLACK;
    cr_expect_eq(g.result, loser == WHITE ? GAME_BLACK_WINS : GAME_WHITE_WINS);
    cr_expect_str_eq(game_end_text(g.end, g.result),
                     loser == WHITE ? "White loses on time" : "Black loses on time");
    cr_expect_str_eq(game_end_text(GAME_TIME, GAME_DRAWN), "draw by time out against a bare king");
}

Test(game, time_on_the_clock_is_used_and_lasts)
{
    struct game_conditions c = {.limits = {.time = 2000, .increment = 10, .grace = 5000}};
    const double from = clock_seconds();
    c.adjudication.max_plies = 12;
    play_fen(FEN_START, "", &c);
    expect_end("draw by length", 12);
    cr_expect_gt(clock_seconds() - from, 0.1);
    for (int i = 0; i < g.plies; i++)
        cr_expect_gt(g.moves[i].depth, 0);
}

/* ---- players that fail ---- */

/* A player that plays the first legal move, until the answer `at`, which ends so, and meanwhile sets a
 * flag if there is one. */
struct scripted {
    struct player base;
    int asked, at;
    struct player_answer answer;
    volatile sig_atomic_t *flag;
    int32_t score;
};

static bool scripted_new_game(struct player *p, struct error *err)
{
    struct scripted *s = (struct scripted *)p;
    s->asked = 0;
    return s->at >= 0 || error_set(err, "it cannot be restarted");
}

static struct player_answer scripted_move(struct player *p, const struct player_turn *turn,
                                          struct error *reason)
{
    struct scripted *s = (struct scripted *)p;
    struct move_list list;
    if (++s->asked == s->at) {
        error_set(reason, "it says no");
        if (s->flag != NULL)
            *s->flag = SIGTERM;
        return s->answer;
    }
    movegen_legal(turn->position, &list);
    return (struct player_answer){
        .move = {.move = list.moves[0], .score = s->score}, .nodes = 7, .cut = true};
}

static const char *scripted_log(const struct player *p)
{
    (void)p;
    return "> go\n< no\n";
}

static const struct player_method scripted_method = {scripted_new_game, scripted_move,
                                                     scripted_log};

/* A game in which White's third answer is this one. False if there is none. */
static bool play_scripted(struct player_answer answer, const struct game_conditions *c,
                          volatile sig_atomic_t *flag, struct error *err)
{
    struct opening o = opening_of(FEN_START, "e4 e5");
    struct scripted white = {
        .base.method = &scripted_method, .at = 3, .answer = answer, .flag = flag};
    struct player *const both[2] = {&white.base, players[BLACK]};
    return game_play(both, &o, c, &g, err);
}

static const enum uci_end failures[] = {UCI_EXITED, UCI_HUNG, UCI_ILLEGAL};

Test(game, a_player_that_fails_loses_and_leaves_its_log)
{
    static const char *const texts[] = {"White crashes", "White hangs",
                                        "White makes an illegal move"};
    const struct game_conditions c = nodes(100);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert(play_scripted((struct player_answer){.end = failures[i]}, &c, NULL, NULL));
        expect_end(texts[i], 6);
        cr_expect_str_eq(g.failure, "it says no\n> go\n< no\n");
        cr_expect_eq(game_last_side(&g), WHITE);
        cr_expect(g.efforts[WHITE].moves == 3 && g.efforts[WHITE].nodes == 14 &&
                  g.efforts[WHITE].cut == 2 && g.efforts[BLACK].moves == 2 &&
                  g.efforts[BLACK].nodes == 200 && g.nodes == 214);
    }
    cr_assert(play_scripted((struct player_answer){.end = UCI_MOVE}, &c, NULL, NULL));
    cr_expect_eq(g.end, GAME_BROKEN, "a move that is none is a bug");
    cr_expect_str_eq(g.failure, "");
}

/* Without memory to ask a player, or a player that can begin, there is no game. */
Test(game, what_is_no_failure_of_a_player_ends_more_than_the_game)
{
    struct error err = {""};
    const struct game_conditions c = nodes(100);
    struct opening o = opening_of(FEN_START, "");
    struct scripted dead = {.base.method = &scripted_method, .at = -1};
    struct player *const p[2] = {players[WHITE], &dead.base};
    cr_assert_not(play_scripted((struct player_answer){.end = UCI_NO_MEMORY}, &c, NULL, &err));
    cr_assert_str_eq(err.text, "it says no");
    cr_expect_not(game_play(p, &o, &c, &g, &err));
    cr_expect_str_eq(err.text, "it cannot be restarted");
}

/* Time is what the answer says; the margin is forgiven. */
Test(game, a_late_player_loses_beyond_the_margin)
{
    struct game_conditions c = {.limits = {.movetime = 20, .grace = 30}};
    struct player_answer late = {.time = 50001};
    cr_assert(play_scripted(late, &c, NULL, NULL));
    expect_end("White loses on time", 6);
    c.limits = (struct game_limits){.time = 1000, .grace = 30};
    late.time = 1030001;
    cr_assert(play_scripted(late, &c, NULL, NULL));
    expect_end("White loses on time", 6);
    late.time = 1030000;
    late.end = UCI_ILLEGAL;
    cr_assert(play_scripted(late, &c, NULL, NULL));
    expect_end("White makes an illegal move", 6);
}

Test(game, a_move_without_a_score_prevents_adjudication)
{
    struct error err = {""};
    struct game_conditions c = nodes(100);
    struct opening o = opening_of(FEN_START, "");
    struct scripted both[2] = {{.base.method = &scripted_method, .score = GAME_UNSCORED},
                               {.base.method = &scripted_method}};
    struct player *const p[2] = {&both[WHITE].base, &both[BLACK].base};
    c.adjudication = (struct game_adjudication){.draw_score = 10, .draw_moves = 2, .max_plies = 9};
    cr_assert(game_play(p, &o, &c, &g, &err));
    expect_end("draw by length", 9);
    both[WHITE].score = 0;
    cr_assert(game_play(p, &o, &c, &g, &err));
    expect_end("draw by adjudication", 4);
}

/* ---- stopping ---- */

static volatile sig_atomic_t stop;

static void ring(int signal)
{
    stop = signal;
}

Test(game, a_stop_before_the_first_move)
{
    struct game_conditions c = nodes(100);
    stop = 1;
    c.stop = &stop;
    play_fen(FEN_START, "e4", &c);
    cr_expect_eq(g.end, GAME_ABANDONED);
    cr_expect_eq(g.plies, 1);
    cr_expect_str_eq(game_end_text(g.end, g.result), "abandoned");
}

/* The signal that stops this program may have ended the player's process as well. */
Test(game, a_player_that_fails_after_a_stop_has_not_lost)
{
    struct game_conditions c = nodes(100);
    c.stop = &stop;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        stop = 0;
        cr_assert(play_scripted((struct player_answer){.end = failures[i]}, &c, &stop, NULL));
        cr_expect(g.end == GAME_ABANDONED && g.plies == 6 && g.failure[0] == '\0');
    }
}

Test(game, a_stop_ends_the_search_and_keeps_the_moves)
{
    struct game_conditions c = depth(4);
    const struct itimerval soon = {.it_value = {.tv_usec = 100000}};
    stop = 0;
    c.stop = &stop;
    c.adjudication.max_plies = 2;
    play_fen(FEN_START, "", &c);
    cr_expect_eq(g.end, GAME_TOO_LONG, "no stop yet");
    c.limits.depth = MAX_DEPTH;
    c.adjudication.max_plies = 0;
    signal(SIGALRM, ring);
    setitimer(ITIMER_REAL, &soon, NULL);
    play_fen(FEN_START, "e4 e5", &c);
    cr_expect_eq(g.end, GAME_ABANDONED);
    cr_expect_geq(g.plies, 2);
    cr_expect_eq(stop, SIGALRM);
}
