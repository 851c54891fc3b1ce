/* Games as PGN: what our own reader, and pgn-extract where it is installed, make of them. */
#include "engine.h"
#include "game_pgn.h"
#include "pgn.h"
#include "scratch.h"

static const char *path;
static struct game g;
static struct game_move moves[1200];
static struct game_pgn_tags tags;
static const struct game_pgn_tags usual_tags = {
    .event = "a match",
    .date = "2026.11.21",
    .round = "7.1",
    .players = {{"one", "one.yaml", "1111", "search.yaml", "2222"}, {.name = "two"}},
    .limits = {.nodes = 5000}};

static void begin(void)
{
    scratch_begin();
    path = scratch_write("games.pgn", "");
    tags = usual_tags;
}

TestSuite(game_pgn, .init = begin, .fini = scratch_end);

/* Puts a game into `g`: moves with spaces between, the first `opening` of them not thought about.
 * Scores and depths count up. */
static void set_game(const char *fen, const char *text, int opening)
{
    struct position p;
    struct error err = {""};
    g = (struct game){.moves = moves, .opening_plies = opening, .result = GAME_DRAWN};
    g.end = GAME_AGREED;
    MUST(position_from_fen(&g.start, fen, NULL, &err));
    p = g.start;
    for (; *text != '\0'; text += strspn(text, " ")) {
        struct undo undo;
        Move m;
        int length = (int)strcspn(text, " ");
        MUST(move_from_text(&p, text, length, &m, &err));
        position_make(&p, m, &undo);
        bool thought = g.plies >= opening;
        moves[g.plies] = (struct game_move){m, thought ? 5 * g.plies : 0, thought ? g.plies : 0};
        g.plies++;
        text += length;
    }
}

static void write_game(const char *mode)
{
    FILE *out = fopen(path, mode);
    cr_assert_not_null(out);
    cr_expect(game_pgn_write(out, &g, &tags));
    cr_assert_eq(fclose(out), 0);
}

static void expect_line(const char *line)
{
    cr_expect_not_null(strstr(scratch_read(path), line), "%s is not in\n%s", line,
                       scratch_read(path));
}

/* Whether our reader finds the game that is in `g`. */
static void expect_read(struct pgn_reader *r)
{
    struct pgn_game read;
    struct error err = {""};
    cr_assert_eq(pgn_next(r, &read, &err), PGN_GAME, "%s", err.text);
    cr_expect_eq(memcmp(&read.start, &g.start, sizeof g.start), 0);
    cr_assert_eq(read.plies, (size_t)g.plies);
    for (int i = 0; i < g.plies; i++)
        cr_expect_eq(read.moves[i], g.moves[i].move, "ply %d", i);
}

static void expect_read_back(void)
{
    struct error err = {""};
    struct pgn_reader *r = pgn_open(path, &err);
    MUST(r);
    expect_read(r);
    pgn_close(r);
}

Test(game_pgn, a_game_as_it_is_written)
{
    static const char expected[] = "[Event \"a match\"]\n"
                                   "[Site \"?\"]\n"
                                   "[Date \"2026.11.21\"]\n"
                                   "[Round \"7.1\"]\n"
                                   "[White \"one\"]\n"
                                   "[Black \"two\"]\n"
                                   "[Result \"0-1\"]\n"
                                   "[NodesPerMove \"5000\"]\n"
                                   "[PlyCount \"4\"]\n"
                                   "[Seed \"0\"]\n"
                                   "[Termination \"normal\"]\n"
                                   "[TimeControl \"-\"]\n"
                                   "[WhiteEvaluation \"one.yaml\"]\n"
                                   "[WhiteEvaluationSHA256 \"1111\"]\n"
                                   "[WhiteSearch \"search.yaml\"]\n"
                                   "[WhiteSearchSHA256 \"2222\"]\n"
                                   "\n"
                                   "1. f3 e5 2. g4 {-12.07/9} 2... Qh4# {+M1/3} {Black mates} 0-1\n"
                                   "\n";
    set_game(FEN_START, "f3 e5 g4 Qh4#", 2);
    moves[2].score = -1207;
    moves[2].depth = 9;
    moves[3].score = MATE - 1;
    g.end = GAME_CHECKMATE;
    g.result = GAME_BLACK_WINS;
    write_game("w");
    cr_expect_str_eq(scratch_read(path), expected);
    expect_read_back();
}

Test(game_pgn, a_start_that_is_not_the_usual_one)
{
    set_game("4k3/7p/8/8/8/8/8/R3K2R b KQ - 3 40", "Kd7 O-O-O+", 0);
    moves[0].score = -7;
    write_game("w");
    expect_line("[FEN \"4k3/7p/8/8/8/8/8/R3K2R b KQ - 3 40\"]\n[NodesPerMove \"5000\"]\n"
                "[PlyCount \"2\"]\n[Seed \"0\"]\n[SetUp \"1\"]\n");
    expect_line("\n40... Kd7 {-0.07/0} 41. O-O-O+");
    expect_read_back();
    set_game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 9", "e4", 0);
    write_game("w");
    expect_line("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 9\"]");
    set_game("1rk4r/7p/8/8/8/8/8/1RK4R w KQkq - 0 1", "O-O-O Kb7", 0);
    write_game("w");
    expect_line("[FEN \"1rk4r/7p/8/8/8/8/8/1RK4R w HBhb - 0 1\"]\n");
    expect_line("[TimeControl \"-\"]\n[Variant \"Chess960\"]\n[WhiteEvaluation ");
    expect_read_back();
}

Test(game_pgn, what_players_made_of_their_moves)
{
    set_game(FEN_START, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", 1);
    static const int32_t scores[] = {0, 1, -99, MATE - 9, 2 - MATE, 10000};
    for (int i = 0; i < 6; i++)
        moves[i + 1].score = scores[i];
    write_game("w");
    expect_line("\n1. e4 e5 {0.00/1} 2. Nf3 {+0.01/2} 2... Nc6 {-0.99/3} 3. Bb5 {+M5/4} 3... a6\n"
                "{-M1/5} 4. Ba4 {+100.00/6} {draw by adjudication} 1/2-1/2\n");
}

Test(game_pgn, limits_have_their_tags_and_what_is_not_known_is_said)
{
    static const struct {
        struct game_limits limits;
        const char *lines;
    } all[] = {
        {{.depth = 8, .time = 60000, .increment = 50}, "[DepthPerMove \"8\"]\n[PlyCount"},
        {{.depth = 8, .time = 60000, .increment = 50}, "[TimeControl \"60+0.05\"]"},
        {{.time = 1500}, "[TimeControl \"1.5\"]"},
        {{.time = 1000, .movetime = 250, .grace = 50}, "[Grace \"0.05\"]\n[PlyCount"},
        {{.movetime = 12345678}, "[TimePerMove \"12345.678\"]"},
        {{.nodes = 1}, "[NodesPerMove \"1\"]\n[PlyCount"},
    };
    set_game(FEN_START, "e4", 0);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        tags = (struct game_pgn_tags){.limits = all[i].limits};
        write_game("w");
        expect_line(all[i].lines);
    }
    expect_line(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"\?\?\?\?.\?\?.\?\?\"]\n[Round \"?\"]\n[White \"?\"]\n"
        "[Black \"?\"]\n");
    cr_expect_null(strstr(scratch_read(path), "SHA256"));
    cr_expect_null(strstr(scratch_read(path), "TimePerMove"));
}

Test(game_pgn, quotes_and_backslashes_come_back)
{
    struct pgn_game read;
    struct error err = {""};
    set_game(FEN_START, "e4", 0);
    tags.players[WHITE].name = "the \"one\" \\ C:\\new\nline";
    write_game("w");
    struct pgn_reader *r = pgn_open(path, &err);
    cr_assert_eq(pgn_next(r, &read, &err), PGN_GAME);
    cr_expect_str_eq(read.white, "the \"one\" \\ C:\\new line");
    pgn_close(r);
}

/* Another engine has a command instead of files, and says how much it searches. */
Test(game_pgn, another_engine_has_its_command_and_options)
{
    set_game(FEN_START, "e4 e5 Nf3", 1);
    const struct uci_value values[] = {{"Hash", "16"}, {"Ponder", "false"}};
    const struct uci_settings process = {.command = "other -u", .values = values, .value_count = 2};
    tags.players[BLACK] =
        (struct game_pgn_player){.name = "two", .engine = "Other 1.0", .process = &process};
    g.efforts[BLACK] = (struct game_effort){.moves = 3, .nodes = 20000};
    g.efforts[WHITE] = g.efforts[BLACK];
    g.moves[1].score = GAME_UNSCORED;
    write_game("w");
    expect_line("[BlackCommand \"other -u\"]\n[BlackEngine \"Other 1.0\"]\n[BlackMeanNodes "
                "\"6666\"]\n[BlackOptions \"Hash=16; Ponder=false\"]\n");
    expect_line("e5 2. Nf3 {");
    cr_expect_null(strstr(scratch_read(path), "WhiteMeanNodes"));
    tags.limits = (struct game_limits){.time = 1000};
    write_game("w");
    cr_expect_null(strstr(scratch_read(path), "MeanNodes"));
}

/* Each end with its result and its words. */
Test(game_pgn, every_end_has_its_words)
{
    static const struct {
        enum game_end end;
        enum game_result result;
        const char *tags, *words;
        enum game_end read; /* from the tag */
    } ends[] = {
        {GAME_STALEMATE, GAME_DRAWN, "normal", "{draw by stalemate} 1/2-1/2\n"},
        {GAME_REPETITION, GAME_DRAWN, "normal", "{draw by threefold repetition} 1/2-1/2\n"},
        {GAME_FIFTY_MOVES, GAME_DRAWN, "normal", "{draw by the fifty-move rule} 1/2-1/2\n"},
        {GAME_MATERIAL, GAME_DRAWN, "normal", "{draw by insufficient material} 1/2-1/2\n"},
        {GAME_TIME, GAME_WHITE_WINS, "time forfeit", "{Black loses on time} 1-0\n", GAME_TIME},
        {GAME_EXITED, GAME_BLACK_WINS, "abandoned", "{White crashes} 0-1\n", GAME_EXITED},
        {GAME_HUNG, GAME_WHITE_WINS, "stalled connection", "{Black hangs} 1-0\n", GAME_HUNG},
        {GAME_ILLEGAL, GAME_WHITE_WINS, "rules infraction", "{Black makes an illegal move} 1-0\n",
         GAME_ILLEGAL},
        {GAME_RESIGNED, GAME_BLACK_WINS, "adjudication", "{Black wins by adjudication} 0-1\n"},
        {GAME_TOO_LONG, GAME_DRAWN, "adjudication", "{draw by length} 1/2-1/2\n"},
        {GAME_ABANDONED, GAME_DRAWN, "unterminated", "{abandoned} *\n"},
        {GAME_BROKEN, GAME_DRAWN, "rules infraction", "{an engine returned no legal move} *\n",
         GAME_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        set_game(FEN_START, "e4 e5", 1);
        g.end = ends[i].end;
        g.result = ends[i].result;
        write_game("w");
        expect_line(text_of("[Termination \"%s\"]", ends[i].tags));
        expect_line(ends[i].words);
        cr_expect_eq(game_pgn_termination(ends[i].tags), ends[i].read);
        expect_read_back();
    }
    set_game(FEN_START, "", 0);
    write_game("w");
    expect_line("\n\n{draw by adjudication} 1/2-1/2\n\n");
    expect_read_back();
}

/* Plays a game of its own, long enough for many lines. */
static void play_game(int number)
{
    static const char *const fens[] = {FEN_START, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"};
    const struct game_conditions c = {.limits = {.nodes = 100}};
    struct opening o = {.plies = 0};
    struct player *players[2];
    struct error err = {""};
    cr_assert(position_from_fen(&o.start, fens[number % 2], NULL, &err));
    for (int side = 0; side < 2; side++)
        players[side] = player_engine_create(1, &err);
    g = (struct game){0};
    MUST(game_play(players, &o, &c, &g, &err));
    for (int side = 0; side < 2; side++)
        player_destroy(players[side]);
}

Test(game_pgn, games_follow_one_another_in_narrow_lines)
{
    struct error err = {""};
    size_t width = 0;
    for (int i = 0; i < 4; i++) {
        play_game(i);
        write_game("a");
        game_free(&g);
    }
    for (const char *line = scratch_read(path); *line != '\0'; line += strcspn(line, "\n") + 1) {
        width = strcspn(line, "\n") > width ? strcspn(line, "\n") : width;
        cr_expect(line[strcspn(line, "\n") - (*line != '\n')] != ' ', "a space ends a line");
    }
    cr_expect(width < 80 && width > 70, "%zu columns", width);
    struct pgn_reader *r = pgn_open(path, &err);
    for (int i = 0; i < 4; i++) {
        play_game(i);
        expect_read(r);
        game_free(&g);
    }
    cr_expect_eq(pgn_next(r, &(struct pgn_game){0}, &err), PGN_END);
    pgn_close(r);
}

Test(game_pgn, pgn_extract_reads_them)
{
    if (system("PATH=$PATH:/usr/games; command -v pgn-extract > /dev/null") != 0) {
        scratch_end();
        cr_skip_test("pgn-extract is not installed");
    }
    set_game(FEN_START, "", 0);
    write_game("a");
    set_game("4k3/7p/8/8/8/8/8/R3K2R b KQ - 3 40", "Kd7 O-O-O+", 0);
    write_game("a");
    for (int i = 0; i < 2; i++) {
        play_game(i);
        write_game("a");
        game_free(&g);
    }
    cr_expect_eq(
        system(text_of("PATH=$PATH:/usr/games; pgn-extract -r '%s' > '%s.log' 2>&1", path, path)),
        0);
    path = scratch_path("games.pgn.log");
    cr_expect_not_null(strstr(scratch_read(path), "4 games matched out of 4"), "%s",
                       scratch_read(path));
    for (const char *line = scratch_read(path); *line != '\0'; line += strcspn(line, "\n") + 1)
        cr_expect(strncmp(line, "Processing ", 11) == 0 || strstr(line, "matched out of") != NULL,
                  "%s", line);
}

Test(game_pgn, a_stream_that_has_failed_is_told)
{
    FILE *out = fopen("/dev/full", "w");
    cr_assert_not_null(out);
    setvbuf(out, NULL, _IONBF, 0);
    set_game(FEN_START, "e4", 0);
    cr_expect_not(game_pgn_write(out, &g, &tags));
    fclose(out);
}
