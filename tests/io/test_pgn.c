/* PGN as it occurs: each oddity by itself, broken games and the games after them. */
#include "pgn.h"
#include "scratch.h"
#include "shared_data.h"

static const char *path;
static struct pgn_reader *reader;
static struct pgn_game game;
static struct error reason;

SCRATCH_SUITE_ENDS(pgn, pgn_close(reader));

static void open_text(const char *text)
{
    path = scratch_write("games.pgn", text);
    pgn_close(reader);
    reader = pgn_open(path, &reason);
    cr_assert_not_null(reader, "%s", reason.text);
}

/* The moves of the game in UCI, with a blank between. */
static const char *moves(void)
{
    static char text[8192];
    char uci[UCI_MAX];
    struct position p = game.start;
    text[0] = '\0';
    for (size_t i = 0; i < game.plies; i++) {
        struct undo undo;
        move_to_uci(&p, game.moves[i], uci);
        if (game.moves[i] != NO_MOVE)
            position_make(&p, game.moves[i], &undo);
        else
            position_make_null(&p, &undo);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "", uci);
    }
    return text;
}

static void expect_game(const char *expected)
{
    reason.text[0] = '\0';
    enum pgn_status status = pgn_next(reader, &game, &reason);
    cr_assert_eq(status, PGN_GAME, "status %d: %s", (int)status, reason.text);
    cr_assert_str_eq(moves(), expected);
}

/* The next game is broken; the reason begins with the file and `place`, and holds `words`. */
static void expect_broken(const char *place, const char *words)
{
    cr_assert_eq(pgn_next(reader, &game, &reason), PGN_BROKEN);
    cr_assert(strstr(reason.text, text_of("%s:%s", path, place)) == reason.text, "%s", reason.text);
    cr_assert(strstr(reason.text, words) != NULL, "%s", reason.text);
}

static void expect_end(void)
{
    enum pgn_status status = pgn_next(reader, &game, &reason);
    cr_assert_eq(status, PGN_END, "status %d, moves %s", (int)status, moves());
    cr_assert_eq(pgn_next(reader, &game, &reason), PGN_END);
}

/* A text of these games, up to a NULL: moves, or of a broken one "!PLACE|WORDS". */
static void expect_each(const char *text, const char *const *games)
{
    open_text(text);
    for (long number = 1; *games != NULL; games++, number++) {
        char place[64] = "";
        const size_t length = strcspn(*games, "|");
        if (**games != '!') {
            expect_game(*games);
            cr_assert_eq(game.number, number);
            continue;
        }
        memcpy(place, *games + 1, length - 1);
        expect_broken(place, *games + length + 1);
    }
    expect_end();
}

#define expect_all(text, ...) expect_each(text, (const char *const[]){__VA_ARGS__})

/* A text of one game. */
static void expect_only(const char *text, const char *expected)
{
    expect_all(text, expected, NULL);
}

#define TAGS      "[Event \"e\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n"
#define E4_E5_NF3 "e2e4 e7e5 g1f3"

#define FEN_TAG   "[FEN \"4k3/3p4/8/8/8/8/3PP3/4K3 w - - 0 1\"]\n"
#define TWO_GAMES "\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *"

/* Texts, and the games that they hold. */
static const struct {
    const char *text, *games[10];
} oddities[] = {
    /* move numbers */
    {TAGS "1. e4 e5 2. Nf3 1-0", {E4_E5_NF3}},
    {TAGS "1.e4 e5 2.Nf3 1-0", {E4_E5_NF3}},
    {TAGS "1. e4 1... e5 2. Nf3 1-0", {E4_E5_NF3}},
    {TAGS "1. e4 1. ... e5 2. Nf3 1-0", {E4_E5_NF3}},
    {TAGS "1. e4 1...e5 2 Nf3 1-0", {E4_E5_NF3}},
    {TAGS "1.\ne4\n1 . . . e5 2\xe2\x80\xa6 Nf3 1-0", {E4_E5_NF3}},
    {TAGS "e4 e5 Nf3 1-0", {E4_E5_NF3}},
    /* a comment may hold a tag that is not event */
    {TAGS "1. e4 {as in\n[White \"Doe\"]\nlong ago} e5 1-0", {"e2e4 e7e5"}},
    /* variations are left out */
    {TAGS "1. e4 (1. d4 d5 (1... Nf6 {not ) here} 2. c4 (2. Nf3; nor ) here\n)) 2. c4 "
          "1-0) 1... e5 (illegal Kxz9 $5) 2. Nf3 () 1-0",
     {E4_E5_NF3}},
    /* castling with zeros and passing notes */
    {TAGS "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 5. d4 exd4 1-0",
     {"e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 d2d4 e5d4"}},
    {TAGS "1. e4 a6 2. e5 d5 3. exd6 e.p. 1-0", {"e2e4 a7a6 e4e5 d7d5 e5d6"}},
    /* other variants are refused */
    {"[Variant \"Atomic\"]\n\n1. e4 *\n\n[Variant \"Standard\"]\n\n1. e4 *",
     {"!1:1: game 1|Atomic", "e2e4"}},
    /* an ambiguous move breaks the game */
    {TAGS "1. Nf3 Nf6 2. d4 Ng8 3. Nd2 1-0\n\n" TAGS "1. c4 1-0",
     {"!6:25: game 1|ambiguous", "c2c4"}},
    /* a variant above a stray line is not lost */
    {"[Variant \"Atomic\"]\nhello\n[White \"a\"]\n\n1. e4 e5 *\n\n[Variant \"Chess\"]\n\n1. d4 *",
     {"!1:1: game 1|Atomic", "d2d4"}},
    /* games after a broken one are all read */
    {"junk\n\n" TAGS "1. e4 *\n\n[FEN \"x\"]\n1. e4 *\n" FEN_TAG "1. e4 *\n" FEN_TAG
     "1. Kh9 *\n\n[White \"c\"]\n1. d4 *\n{ intro\n" TAGS "1. c4 *",
     {"!1:1: game 1|junk", "e2e4", "!10:1: game 3|tag FEN", "e2e4", "!15:4: game 5|Kh9", "d2d4",
      "!19:1: game 7|no '}'", "c2c4"}},
    /* an asterisk ends a word */
    {TAGS "1. e4 e5 2. Nf3*\n\n" TAGS "1. d4*" TAGS "1. c4 **", {E4_E5_NF3, "d2d4", "c2c4"}},
    /* ctrl z ends a file */
    {TAGS "1. e4 *\n\x1a", {"e2e4"}},
    {TAGS "1. e4 *\x1a\x1a\x1a rest", {"e2e4"}},
    {TAGS "1. e4 *\n\x1a[Event \"old\"]\n\n1. d4 *", {"e2e4"}},
    /* spaces without a break or a width */
    {"\xe2\x80\x8b[Event \"e\"]\xc2\xa0\n\xef\xbb\xbf[FEN\xc2\xa0\"4k3/3p4/8/8/8/8/3PP3/4K3\xc2\xa0w "
     "- - 0 1\"]\n\n1.\xc2\xa0"
     "e4\xe2\x80\x8b d5\xa0"
     "2. e5\xef\xbb\xbf d4 *",
     {"e2e4 d7d5 e4e5 d5d4"}},
    /* an open comment does not swallow the file */
    {TAGS "1. e4 {no end\n e5 1-0\n\n" TAGS "1. d4 1-0\n\n" TAGS "1. c4 {to the end\n",
     {"!6:7: game 1|comment", "d2d4", "!21:7: game 3|comment"}},
    /* an open variation does not swallow the file */
    {TAGS "1. e4 (1. d4 {x}\n 1-0\n\n" TAGS "1. d4 1-0\n\n" TAGS "1. c4 ((\n",
     {"!6:7: game 1|variation", "d2d4", "!21:7: game 3|variation"}},
    /* comments, of which the first is before the moves, and lines that are left out */
    {TAGS "1. e4 { [%eval 0.36] [%clk 0:05:00] } 1... e5 { [%eval 0.3] } 2. Nf3 1-0", {E4_E5_NF3}},
    {TAGS "{before} 1. e4 {over\r\n two ( lines ; [%x]\n[%clk 1] } {and more}; to the end } e5\n "
          "e5{}2. Nf3{close}1-0",
     {E4_E5_NF3}},
    {"% nothing here\n[Event \"e\"]\n% [Result \"0-1\"]\n\n1. e4\n% e5 {\ne5 2. Nf3 *",
     {E4_E5_NF3}},
    /* signs and numbers that judge a move */
    {TAGS "1. e4! e5?? $255 2. Nf3 $14 $3 a6 ?! 3. Bb5 !! Nc6!? 4. O-O? $300 +- = \xe2\x88\x9e 1-0",
     {E4_E5_NF3 " a7a6 f1b5 b8c6 e1g1"}},
    /* null moves */
    {TAGS "1. e4 -- 2. Nf3 Z0 3. d4 --! 1-0", {"e2e4 0000 g1f3 0000 d2d4 0000"}},
    {TAGS "1. e4 f6 2. Qh5+ -- 1-0\n\n" TAGS "1. e4 1-0",
     {"!6:18: game 1|null move in check", "e2e4"}},
    /* moves may be over qualified or uci */
    {TAGS "1. e2-e4 e7e5 2. Ng1f3 Nb8-c6 1-0", {E4_E5_NF3 " b8c6"}},
    /* games without moves */
    {TAGS "1-0\n\n" TAGS "*\n\n" TAGS "\n" TAGS "1. e4 1-0\n\n" TAGS, {"", "", "", "e2e4", ""}},
    /* a repeated tag after a blank line begins a game */
    {"[White \"a\"]\n[Black \"b\"]\n \t\n[White \"c\"]\n\n1. e4 *", {"", "e2e4"}},
    /* positions set up */
    {"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n\n40... Kd7 41. e4 *\n\n"
     "[FEN \"8/P7/8/8/8/8/7k/K7 w - - 0 1\"]\n\n1. a8=Q+ *\n\n"
     "[FEN \"8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n[Event \"x\"]\n\n1. Nf3 *\n",
     {"e8d7 e2e4", "a7a8q", "!10:1: game 3|tag FEN", "g1f3"}},
    /* a start that is missing or given twice */
    {"[SetUp \"1\"]" TWO_GAMES, {"!|no tag FEN", "d2d4"}},
    {"[SETUP \"yes\"]" TWO_GAMES, {"!|no tag FEN", "d2d4"}},
    {"[FEN \"\"]" TWO_GAMES, {"!|tag FEN", "d2d4"}},
    {FEN_TAG "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]" TWO_GAMES, {"!|two starts", "d2d4"}},
    {"[Variant \"Chess\"]\n[Variant \"Atomic\"]" TWO_GAMES, {"!|two starts", "d2d4"}},
    {"[SetUp \"0\"]\n[SetUp \"1\"]" TWO_GAMES, {"!|two starts", "d2d4"}},
    {"[Site \"a\"]\n;[FEN \"\"]\n[Site \"b\"]" TWO_GAMES, {"!|a tag after ';'", "d2d4"}},
    {"[SetUp \"0\"]" TWO_GAMES, {"e2e4", "d2d4"}},
    {FEN_TAG FEN_TAG "[SetUp \"1\"]\n\n1. e4 d5 *", {"e2e4 d7d5"}},
    /* byte order marks and line ends */
    {"\xef\xbb\xbf[Event \"e\"]\r\n\r\n1. e4\r\ne5 2. Nf3 *\r\n", {E4_E5_NF3}},
    {"\xef\xbb\xbf" TAGS "1. e4 *\n\n\xef\xbb\xbf" TAGS "1. d4 *", {"e2e4", "d2d4"}},
    /* missing blank lines and results */
    {"[Event \"1\"]\n1. e4 e5\n[Event \"2\"]\n1. d4 1-0\n[Event \"3\"]\n\n1. c4 1-0 "
     "[Event \"4\"]\n1. Nf3",
     {"e2e4 e7e5", "d2d4", "c2c4", "g1f3"}},
    /* a bad tag breaks its game only */
    {"[Event \"1\"]\n[White Doe]\n[Black \"x\"]" TWO_GAMES,
     {"!2:1: game 1|[Name \"value\"]", "d2d4"}},
    /* a file without a game, and what comes before one */
    {"", {NULL}},
    {"\n\n", {NULL}},
    {"% a\n", {NULL}},
    {"{ a comment }\n; another\n", {NULL}},
    {"* 1-0\n\n*", {NULL}},
    {"1.", {NULL}},
    {"\xef\xbb\xbf", {NULL}},
    {"*\n{intro}\n1.\n" TAGS "1. e4 *", {"e2e4"}},
};

Test(pgn, each_oddity_by_itself)
{
    for (size_t i = 0; i < sizeof oddities / sizeof oddities[0]; i++)
        expect_each(oddities[i].text, oddities[i].games);
}

Test(pgn, tags)
{
    expect_only(
        "[Event \"Some Open\"]\n[Date \"2019.05.??\"] [White \"Doe, Jane\"]\n  [ Black   \"Roe\"  ]\n"
        "[Result\"0-1\"]\n[WhiteElo \"2650\"]\n[BlackElo \"?\"]\n[Unknown \"x\"]\n\n1. e4 0-1\n",
        "e2e4");
    cr_assert_str_eq(game.white, "Doe, Jane");
    cr_assert_str_eq(game.black, "Roe");
    cr_assert_eq(game.white_elo, 2650);
    cr_assert_eq(game.black_elo, 0);
    cr_assert(game.year == 2019 && game.month == 5 && game.day == 0);
    cr_assert_eq(game.result, PGN_BLACK_WINS);
    cr_assert_eq(game.line, 1);
}

Test(pgn, absent_tags_are_empty)
{
    expect_only("1. e4 e5 1/2-1/2", "e2e4 e7e5");
    cr_assert_str_eq(game.white, "");
    cr_assert(game.white_elo == 0 && game.year == 0 && game.result == PGN_DRAW);
}

Test(pgn, dates)
{
    static const struct {
        const char *text;
        int year, month, day;
    } dates[] = {{"1999.12.31", 1999, 12, 31}, {"????.??.??", 0, 0, 0}, {"2004", 2004, 0, 0},
                 {"2004-1-2", 2004, 1, 2},     {"", 0, 0, 0},           {"2010.??.??", 2010, 0, 0}};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "[Event \"\"]\n[Date \"%s\"]\n\n*", dates[i].text);
        expect_only(text, "");
        cr_assert(game.year == dates[i].year && game.month == dates[i].month &&
                      game.day == dates[i].day,
                  "%s", dates[i].text);
    }
}

/* Each text of White ends where it should. */
Test(pgn, quotes_backslashes_and_brackets_in_tags)
{
    static const struct {
        const char *tags, *white;
    } cases[] = {
        {"[White \"the \\\"big\\\" one \\\\ x\"]", "the \"big\" one \\ x"},
        {"[White \"an \"inner\" quote\"]", "an \"inner\" quote"},
        {"[White \"C:\\games\\\"]", "C:\\games\\"},
        {"[White \"no end]", "no end]"},
        {"[White \"]\"]", "]"},
        {"[White \"Rated [Blitz\"]", "Rated [Blitz"},
        {"[White \"A [x\" ]", "A [x"},
        {"[White \"a\" [Site \"x\"] [Black \"b\"]", "a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_only(text_of("%s\n[Black \"b\"]\n\n1. e4 *", cases[i].tags), "e2e4");
        cr_expect_str_eq(game.white, cases[i].white);
        cr_expect_str_eq(game.black, "b");
    }
    expect_only(
        "[White \"a\" [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"] [Black \"b\"]\n\n1... Kd7 *",
        "e8d7");
    expect_only("[Event \"a] [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n\n1... Kd7 *", "e8d7");
    cr_expect_eq(game.start.halfmove, 5);
}

/* Scores of match runners. None are comments of another form, second ones, and those of variations. */
Test(pgn, comments_give_scores)
{
    static const int32_t scores[] = {56,        -50, PGN_UNSCORED, PGN_UNSCORED, PGN_UNSCORED,
                                     -PGN_MATE, 0,   PGN_UNSCORED, 1234,         PGN_UNSCORED};
    open_text(
        TAGS
        "1. e4 {+0.56/12 0.1s} e5 {-0.50/9} 2. Nf3 {0.3} Nc6 {[%eval 0.3]} 3. Bb5 (3. Bc4 {+1.00/3}) "
        "a6 {-M5/20} 4. Ba4 {0.00/1} {+9.00/1} Nf6 {+0.07/\n1} 5. O-O {12.34/3} b5 1-0");
    cr_assert_eq(pgn_next(reader, &game, &reason), PGN_GAME);
    for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++)
        cr_expect_eq(game.scores[i], scores[i], "%zu: %d", i, (int)game.scores[i]);
}

Test(pgn, results)
{
    static const struct {
        const char *tag, *moves;
        enum pgn_result result;
    } results[] = {
        {"1-0", "1-0", PGN_WHITE_WINS},   {"0-1", "*", PGN_BLACK_WINS},
        {"*", "0-1", PGN_BLACK_WINS},     {"?", "1/2", PGN_DRAW},
        {"1/2-1/2", "1/2-1/2", PGN_DRAW}, {"1-0", "0-1", PGN_UNKNOWN},
        {"*", "*", PGN_UNKNOWN},          {"", "\xc2\xbd-\xc2\xbd", PGN_DRAW},
        {"1-0", "", PGN_WHITE_WINS},
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        expect_only(text_of("[Result \"%s\"]\n\n1. e4 %s\n", results[i].tag, results[i].moves),
                    "e2e4");
        cr_assert_eq(game.result, results[i].result, "%zu", i);
    }
}

Test(pgn, a_promotion_in_parentheses_is_no_variation)
{
    static const char *const words[] = {"e8(Q)+ Kg7",         "e8(Q)+! (e8(R)+ Kf7 (Kh7)) Kg7",
                                        "1.e8(q) Kg7",        "e8=Q (e8=R) Kg7",
                                        "e8=Q(e8(R) Kf7)Kg7", "1. e8(Q)(Kb2) Kg7"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        expect_only(text_of("[FEN \"6k1/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n\n%s *", words[i]),
                    "e7e8q g8g7");
    }
}

Test(pgn, a_repeated_tag_keeps_its_first_value)
{
    expect_only("[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n"
                "[WhiteElo \"1\"]\n[WhiteElo \"2\"] \n[Black \"c\"] [White \"d\"]\n\n1. e4 1-0",
                "e2e4");
    cr_assert_eq(game.white_elo, 1);
    cr_assert_str_eq(game.white, "a");
    cr_assert_str_eq(game.black, "b");
}

Test(pgn, chess960_has_its_names_and_a_start)
{
    static const char *const names[] = {"Chess960", "chess 960", "fischerandom", "Fischerrandom"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "[Variant \"%s\"]\n[SetUp \"1\"]\n[FEN \"nrk4r/8/8/8/8/8/PPPP4/1RK4R w KQkq - 0 1\"]\n\n"
            "1. O-O-O O-O 2. Kb1 *",
            names[i]);
        expect_only(text, "c1b1 c8h8 c1b1");
    }
    expect_all("[Variant \"Chess960\"]\n\n1. e4 *",
               "!1:1: game 1|the variant is 'Chess960', and there is no tag FEN", NULL);
}

/* What is not UTF-8 though it looks like it is overlong, a surrogate, past the last character, or torn. */
Test(pgn, latin_1_becomes_utf_8_and_utf_8_stays)
{
    expect_only("[White \"Tim\xe1n, J\xf3zsef \xd0\xa8\"]\n"
                "[Black \"\xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xc3\"]\n\n1. e4 {h\xfc} e5 *",
                "e2e4 e7e5");
    cr_assert_str_eq(game.white, "Tim\xc3\xa1n, J\xc3\xb3zsef \xd0\xa8");
    cr_assert_str_eq(game.black, "\xc3\xa0?\xc2\xaf \xc3\xad\xc2\xa0? \xc3\xb4??? \xc3\x83");
}

Test(pgn, broken_games_are_named_and_the_next_ones_read)
{
    expect_all(TAGS "1. e4 e5\n2. Ke3 Nc6 1-0\n\n" TAGS "1. d4 1-0\n\n" TAGS
                    "1. e4 hello 1-0\n" TAGS "1. c4 1-0",
               "!7:4: game 1|\"Ke3\" is not a legal move", "d2d4", "!21:7: game 3|hello", "c2c4",
               NULL);
    cr_assert_eq(game.line, 22);
}

Test(pgn, stray_brackets_break_the_game)
{
    static const char *const strays[] = {")", "}", "]", "[ 5", "[]"};
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        expect_all(text_of("%s1. e4 %s e5 1-0\n\n%s1. d4 1-0", TAGS, strays[i], TAGS),
                   "!6:7: game 1|", "d2d4", NULL);
    }
}

/* A line that is no tag breaks the game, and the tags below it are not another one, which would begin
 * elsewhere and have no White. */
Test(pgn, a_stray_line_among_the_tags_breaks_the_whole_game)
{
    static const char *const strays[] = {
        "lines\"]",        "$3",      "1.", "(x)", "]", "0 1\"]", "Event \"", "{ open",
        "; [Round \"1\"]", "\nhello", "="};
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        expect_all(text_of("[Event \"1\"]\n" FEN_TAG
                           "%s\n[White \"a\"]\n[Black \"b\"]\n\n1. e4 d5 2. e5 d4 1-0\n\n"
                           "[Event \"2\"]\n\n1. d4 *",
                           strays[i]),
                   "!|game 1", "d2d4", NULL);
    }
}

/* A result or moves among the tags, or tags that begin again, end a game; its start may be that of the moves
 * below. */
Test(pgn, a_start_above_other_tags_is_not_lost)
{
    static const char *const between[] = {"1-0\n[White \"a\"]\n", "[Event \"2\"]\n",
                                          "\n[Event \"2\"]\n[White \"a\"]\n", "\n*\n"};
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        expect_all(text_of("[Event \"1\"]\n" FEN_TAG "%s\n1. e4 *\n\n[Event \"3\"]\n\n1. d4 *",
                           between[i]),
                   "", "!|of the tags above", "d2d4", NULL);
    }
    expect_all(FEN_TAG "1. e4 d5\n[White \"a\"]\n\n1. d4 *\n\n[Event \"3\"]\n1. c4 *", "e2e4 d7d5",
               "!|of the tags above", "c2c4", NULL);
    expect_all("[Event \"1\"]\n[SetUp \"1\"]\n[Event \"2\"]\n\n1. e4 *\n\n[Event \"3\"]\n1. c4 *",
               "!|no tag FEN", "!|of the tags above", "c2c4", NULL);
    expect_all("[Event \"1\"]\n" FEN_TAG "\n*\n\n[Event \"2\"]\n\n1. Nf3 *\n\n" FEN_TAG "\n" FEN_TAG
               "\n1. d4 *",
               "", "g1f3", "", "d2d4", NULL);
}

Test(pgn, tag_names_may_hold_signs_and_tags_may_be_empty)
{
    expect_only(
        "[Event \"e\"]\n[X-Level \"3\"]\n[BlackType: \"program\"]\n[]\n[ ] [\xc3\x89lo \"1\"]\n"
        "[Result: \"1-0\"]\n[White-Elo \"2500\"]\n\n1. e4 *",
        "e2e4");
    cr_assert_eq(game.result, PGN_WHITE_WINS);
    cr_assert_eq(game.white_elo, 2500);
}

Test(pgn, tag_names_are_compared_without_case)
{
    expect_all("[Fen \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n[Setup \"1\"]\n\n40... Kd7 *\n\n"
               "[variant \"Atomic\"]\n\n1. e4 *\n\n[event \"3\"]\n[WHITE \" a \"]\n\n1. d4 *",
               "e8d7", "!6:1: game 2|Atomic", "d2d4", NULL);
    cr_assert_str_eq(game.white, "a");
}

Test(pgn, deep_variations_are_no_trouble)
{
    enum { DEPTH = 100000 };
    static char text[2 * DEPTH + 100];
    strcpy(text, "1. e4 ");
    memset(text + 6, '(', DEPTH);
    memset(text + 6 + DEPTH, ')', DEPTH);
    strcpy(text + 6 + 2 * DEPTH, " e5 *");
    expect_only(text, "e2e4 e7e5");
}

Test(pgn, a_nul_byte_breaks_a_game)
{
    static const char text[] = "[White \"a\0b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. \0 *\n\n\0\n";
    path = scratch_write_bytes("games.pgn", text, sizeof text - 1);
    reader = pgn_open(path, &reason);
    expect_game("e2e4");
    cr_assert_str_eq(game.white, "a b");
    expect_broken("7:4: game 2", "");
    expect_end();
}

Test(pgn, a_game_that_never_ends_is_broken)
{
    path = scratch_write("games.pgn", "");
    FILE *file = fopen(path, "w");
    fputs(TAGS, file);
    for (int i = 0; i < 5001; i++)
        fputs("Nf3 Nf6 Ng1 Ng8\n", file);
    fputs("1-0\n\n" TAGS "1. e4 1-0\n", file);
    cr_assert_eq(fclose(file), 0);
    reader = pgn_open(path, &reason);
    expect_broken("5006:1: game 1", "20000 plies");
    expect_game("e2e4");
    expect_end();
}

Test(pgn, a_file_that_fails_on_the_way_says_so)
{
    path = scratch_write("games.pgn", "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n");
    cr_assert_eq(truncate(path, 18 << 20), 0); /* a line of zeros */
    reader = pgn_open(path, &reason);
    expect_game("e2e4");
    cr_assert_eq(pgn_next(reader, &game, &reason), PGN_FAILED);
    cr_assert(strstr(reason.text, "games.pgn:6: ") != NULL, "%s", reason.text);
    expect_end();
    cr_assert_null(pgn_open("/nowhere/none.pgn", &reason));
    cr_assert(strstr(reason.text, "/nowhere/none.pgn") != NULL, "%s", reason.text);
}

Test(pgn, reasons_may_be_unwanted)
{
    open_text(TAGS "1. e5 *\n\n[bad]\n\n*\n\n" TAGS "{");
    cr_assert_eq(pgn_next(reader, &game, NULL), PGN_BROKEN);
    cr_assert_eq(pgn_next(reader, &game, NULL), PGN_BROKEN);
    cr_assert_eq(pgn_next(reader, &game, NULL), PGN_END);
    cr_assert_null(pgn_open("/nowhere/none.pgn", NULL));
}

Test(pgn, filters)
{
    struct pgn_game g = {
        .white_elo = 2600, .black_elo = 2700, .year = 2018, .month = 12, .day = 31, .plies = 40};
    struct pgn_filter all = {0};
    cr_assert(pgn_wanted(&all, &g));
    cr_assert(pgn_wanted(&(struct pgn_filter){.min_elo = 2600}, &g));
    cr_assert_not(pgn_wanted(&(struct pgn_filter){.min_elo = 2601}, &g));
    cr_assert(pgn_wanted(&(struct pgn_filter){.min_plies = 40}, &g));
    cr_assert_not(pgn_wanted(&(struct pgn_filter){.min_plies = 41}, &g));
    cr_assert(pgn_wanted(&(struct pgn_filter){.from_date = 20181231, .to_date = 20181231}, &g));
    cr_assert_not(pgn_wanted(&(struct pgn_filter){.from_date = 20190000}, &g));
    cr_assert_not(pgn_wanted(&(struct pgn_filter){.to_date = 20181230}, &g));
    g.year = g.month = g.day = 0;
    cr_assert(pgn_wanted(&all, &g));
    cr_assert_not(pgn_wanted(&(struct pgn_filter){.to_date = 20181231}, &g));
}

/* The whole collection without a broken game. */
Test(pgn, a_real_collection)
{
    char collection[SHARED_PATH];
    shared_data_need();
    shared_data_path("gm2600-classical.pgn.gz", collection);
    long count[4] = {0}, broken = 0;
    enum pgn_status status;
    reader = pgn_open(collection, &reason);
    cr_assert_not_null(reader, "%s", reason.text);
    while ((status = pgn_next(reader, &game, &reason)) == PGN_GAME || status == PGN_BROKEN) {
        broken += status == PGN_BROKEN;
        count[game.result] += status == PGN_GAME;
    }
    cr_assert_eq(status, PGN_END, "%s", reason.text);
    cr_assert_eq(broken, 0);
    cr_assert_eq(count[PGN_WHITE_WINS] + count[PGN_BLACK_WINS], 19753);
    cr_assert_eq(count[PGN_DRAW] + count[PGN_UNKNOWN], 48374 - 19753);
}
