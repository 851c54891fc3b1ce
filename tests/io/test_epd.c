/* EPD as found in the wild, in and out. */
#include "epd.h"
#include "scratch.h"
#include "shared_data.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

static const char *path;

SCRATCH_SUITE(epd);

static struct epd parsed(const char *line)
{
    struct epd epd;
    struct error err = {""};
    cr_assert(epd_parse(line, &epd, &err), "'%s': %s", line, err.text);
    return epd;
}

static void expect_refused(const char *line, const char *words)
{
    struct epd epd;
    struct error err = {""};
    cr_assert_not(epd_parse(line, &epd, &err), "'%s' is taken", line);
    SAID(words);
}

/* The move in SAN, of a position from a line. */
static void expect_move(const struct epd *epd, Move m, const char *expected)
{
    char san[SAN_MAX];
    move_to_san(&epd->position, m, san);
    cr_assert_str_eq(san, expected);
}

Test(epd, operations_are_read)
{
    struct epd e = parsed(START " bm e4 Nf3; am a4; id \"Start.1\"; hmvc 7; fmvn 12;");
    cr_assert_eq(e.best_count, 2);
    expect_move(&e, e.best[0], "e4");
    expect_move(&e, e.best[1], "Nf3");
    cr_assert_eq(e.avoid_count, 1);
    expect_move(&e, e.avoid[0], "a4");
    cr_assert_str_eq(e.id, "Start.1");
    cr_assert_eq(e.position.halfmove, 7);
    cr_assert_eq(e.position.fullmove, 12);
    cr_assert_eq(e.game, 0u);
}

/* A position of a book is written as a FEN with the game, and read again. */
Test(epd, the_largest_move_number_is_one_of_a_fen)
{
    char fen[FEN_MAX];
    struct position again;
    struct error err = {""};
    struct epd e = parsed(START " fmvn 65535; hmvc 255;");
    position_to_fen(&e.position, fen);
    MUST(position_from_fen(&again, fen, NULL, &err));
    cr_assert_eq(again.fullmove, 65535);
    cr_assert_eq(again.halfmove, 255);
    cr_assert_not(epd_parse(START " fmvn 65536;", &e, &err));
}

Test(epd, move_number_0_is_1_and_the_largest_counts_on)
{
    char fen[FEN_MAX];
    struct undo undo;
    struct epd e = parsed(START " fmvn 0;");
    cr_assert_eq(e.position.fullmove, 1);
    e = parsed("4k3/8/8/8/8/8/8/4K3 b - - bm Kd8; fmvn 65535;");
    position_make(&e.position, e.best[0], &undo);
    cr_assert_eq(e.position.fullmove, 65536);
    position_to_fen(&e.position, fen);
    cr_assert_str_eq(fen, "3k4/8/8/8/8/8/8/4K3 w - - 1 65535");
    position_unmake(&e.position, e.best[0], &undo);
    cr_assert_eq(e.position.fullmove, 65535);
}

/* What follows it would be taken for its operand, and a bm be missed. */
Test(epd, a_single_counter_and_an_open_quote_are_named)
{
    expect_refused(START " 0 bm e4;", "column 54: '0' alone; expected both counters");
    expect_refused(START " 0 1 7 bm e4;", "column 58: '7' alone");
    expect_refused(START " id \"a; bm e4;", "column 57: the quote that begins here has no end");
    cr_assert_eq(parsed(START " 0").best_count, 0);
}

Test(epd, quotes_may_be_escaped)
{
    struct epd e = parsed(START " id \"a\\\"b; c\"; bm e4;");
    cr_assert_str_eq(e.id, "a  b; c");
    cr_assert_eq(e.best_count, 1);
    e = parsed(START " id \"C:\\\"; bm e4;");
    cr_assert_str_eq(e.id, "C:\\");
    cr_assert_eq(e.best_count, 1);
    e = parsed(START " id \"C:\\\\\"; bm e4; c0 \"x\";");
    cr_assert_eq(e.best_count, 1);
}

Test(epd, counters_of_a_full_fen_are_read)
{
    struct epd e = parsed("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 3 41 bm Rf1; id \"z\";");
    cr_assert_eq(e.position.halfmove, 3);
    cr_assert_eq(e.position.fullmove, 41);
    cr_assert_eq(e.best_count, 1);
    e = parsed(START " 0 1");
    cr_assert_eq(e.best_count, 0);
    e = parsed(START " 0 1 ;D1 20 ;D2 400");
    cr_assert_eq(e.best_count, 0);
    e = parsed(START " 0 1 hmvc 9;");
    cr_assert_eq(e.position.halfmove, 9);
}

Test(epd, moves_may_be_uci_and_named_twice)
{
    struct epd e = parsed(START " bm e2e4 e4 g1f3;");
    cr_assert_eq(e.best_count, 2);
    expect_move(&e, e.best[1], "Nf3");
}

Test(epd, a_semicolon_in_quotes_ends_nothing)
{
    struct epd e = parsed(START " id \"a; b\"; c0 \"bm x; y\"; bm d4");
    cr_assert_str_eq(e.id, "a; b");
    cr_assert_eq(e.best_count, 1);
}

Test(epd, text_that_is_no_operation_is_left_out)
{
    struct epd e = parsed("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - bm Rf1; id \"ZPTS.08\"; "
                          "CCC post by someone, id \"MES.831\"");
    cr_assert_str_eq(e.id, "ZPTS.08");
    e = parsed(START " ; ;; \"quoted\" text; 27.4.2004; bm e4; id \"open");
    cr_assert_eq(e.best_count, 1);
    cr_assert_str_eq(e.id, "open");
}

Test(epd, the_first_id_counts_and_a_long_one_is_cut)
{
    struct epd e = parsed(START " id \"one\"; id \"two\";");
    cr_assert_str_eq(e.id, "one");
    e = parsed(text_of("%s id \"%0126d\xc3\xa9\xc3\xa9\";", START, 7));
    cr_assert_eq(strlen(e.id), 126u, "cut within a character");
}

Test(epd, failures_name_column_and_move)
{
    expect_refused(START " bm e4 Ke2;", "column 60: ");
    expect_refused(START " bm e4 Ke2;", "Ke2");
    expect_refused(START " am Qh5;", "Qh5");
    expect_refused(START " hmvc many;", "column 59: expected a number from 0 to 255, not 'many'");
    expect_refused(START " hmvc 256;", "not '256'");
    expect_refused(START " hmvc;", "a number from 0 to 255");
    expect_refused("8/8/8/8/8/8/8/8 w - - bm e4;", "king");
    expect_refused("nonsense", "FEN column 2");
    expect_refused("", "column 1");
}

Test(epd, more_moves_than_there_is_room_for_are_refused)
{
    expect_refused(START " bm a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Nf3;",
                   "more than 16 moves");
}

Test(epd, what_is_written_reads_back)
{
    static const char *const lines[] = {
        START " bm e4;",
        START,
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - bm O-O-O; id \"castle; long\"; hmvc 12;",
        ("8/P7/8/8/8/8/7k/K7 w - - bm a8=Q; am a8=N a8=B; id \"A-B 1990-12-31\"; "
         "c0 \"game 00ff00ff12345678\";"),
        START " bm e4; c0 \"game 00ff00ff12345678\"; c9 \"1/2-1/2\"; hmvc 3;",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 bm exf6;",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[512];
        struct epd e = parsed(lines[i]);
        cr_assert_eq(epd_format(&e, text, sizeof text), (int)strlen(lines[i]));
        cr_assert_str_eq(text, lines[i]);
        cr_assert_eq(epd_format(&e, text, strlen(lines[i]) + 1), (int)strlen(lines[i]));
        cr_assert_eq(epd_format(&e, text, strlen(lines[i])), -1);
        cr_assert_eq(epd_format(&e, text, 0), -1);
    }
}

Test(epd, the_game_is_known_by_its_hash_only)
{
    cr_assert_eq(parsed(START " c0 \"game 00ff00ff12345678\";").game, UINT64_C(0x00ff00ff12345678));
    cr_assert_eq(parsed(START " c0 \"game of the year\";").game, 0u);
    cr_assert_eq(parsed(START " c0 \"game 00FF00FF1234567x\";").game, 0u);
}

Test(epd, a_result_is_read_and_any_other_c9_is_a_comment)
{
    cr_assert_eq(parsed(START " c9 \"1-0\";").result, PGN_WHITE_WINS);
    cr_assert_eq(parsed(START " c9 \"0-1\"; c9 \"f4f5\";").result, PGN_BLACK_WINS);
    cr_assert_eq(parsed(START " c9 1/2-1/2").result, PGN_DRAW);
    cr_assert_eq(parsed(START " c9 \"1-0 on time\";").result, PGN_UNKNOWN);
    cr_assert_eq(parsed(START " c0 \"1-0\";").result, PGN_UNKNOWN);
}

/* Every label of each result, in each place, with and without counters, must give it. */
Test(epd, labels_are_read)
{
    static const char *const texts[][4] = {[PGN_WHITE_WINS] = {"1.0", "1-0", "1"},
                                           [PGN_BLACK_WINS] = {"0.0", "0-1", "0"},
                                           [PGN_DRAW] = {"0.5", "1/2-1/2"}};
    static const char *const shapes[] = {
        " [%s]",          "; [%s]",     ";[%s]\r\n",
        " c9 \"%s\";",    " [%s] -83",  " | 35 | %s",
        "|-12.5|%s \r\n", " ; [ %s ];", " [%s]; id \"0-1 [0.5]\";"};
    static const char *const boards[] = {START, START " 0 1",
                                         "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk b - - 10 41"};
    for (enum pgn_result r = PGN_WHITE_WINS; r <= PGN_DRAW; r++)
        for (int t = 0; texts[r][t] != NULL; t++)
            for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
                for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++) {
                    const char *line = text_of("%s%s", boards[b], text_of(shapes[s], texts[r][t]));
                    cr_expect_eq(parsed(line).result, r, "%s", line);
                }
}

Test(epd, a_label_is_known_by_its_place_alone)
{
    cr_assert_eq(parsed(START " id \"[1.0]\"; [0.5]").result, PGN_UNKNOWN);
    cr_assert_eq(parsed(START " bm e4; id \"1.0\"; [1-0]").result, PGN_UNKNOWN);
    cr_assert_eq(parsed(START " 0.5").result, PGN_UNKNOWN);
    cr_assert_eq(parsed(START " [2.0] c9 \"1-0\";").result, PGN_UNKNOWN);
    cr_assert_eq(parsed(START " [1.0] 0-1").result, PGN_UNKNOWN);
    cr_assert_eq(parsed(START " [1.0]; c9 \"0-1\";").result, PGN_BLACK_WINS);
}

/* A file must be refused for this line, with this reason after its name and line. */
static void expect_needed(enum epd_need need, const char *line, const char *reason)
{
    struct dataset d = {0};
    struct error err = {""};
    path =
        scratch_write("needed.epd", text_of("# needed\n%s bm e4; c9 \"1-0\";\n%s\n", START, line));
    cr_assert_not(dataset_load(&d, path, need, &err));
    cr_assert_str_eq(err.text, text_of("%s:3: %s", path, reason));
    cr_assert_eq(d.count, 1u);
    MUST(dataset_load(&d, path, EPD_ANY, &err));
    cr_assert_eq(d.count, 3u);
    dataset_free(&d);
}

Test(epd, what_is_needed_and_lacks_is_named_with_its_place)
{
    expect_needed(EPD_NEED_RESULT, START " bm e4; c9 \"2-0\";",
                  "column 65: expected a result as c9, \"1-0\", \"0-1\" or \"1/2-1/2\", not '2-0'");
    expect_needed(
        EPD_NEED_RESULT, START " bm e4;",
        "no result; expected c9 \"1-0\", \"0-1\" or \"1/2-1/2\"; or a label such as [0.5]");
    expect_needed(EPD_NEED_RESULT, START " 0 1 [won]",
                  "column 59: expected a result, 1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1, not 'won'");
    expect_needed(EPD_NEED_RESULT, START " [1.0",
                  "column 54: expected a result in brackets, as [1.0], not '[1.0'");
    expect_needed(EPD_NEED_RESULT, START " [0.5] by mate",
                  "column 60: expected the end of the line after the result, not 'by mate'");
    expect_needed(EPD_NEED_RESULT, START " | good | 1.0",
                  "column 56: expected a score in centipawns, as | 35 | 1.0, not 'good'");
    expect_needed(EPD_NEED_RESULT, START " | 35",
                  "column 58: expected a result after the score, as | 35 | 1.0, not ''");
    expect_needed(
        EPD_NEED_RESULT, START " | 35 | 1.0 | 2",
        "column 61: expected a result, 1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1, not '1.0 | 2'");
    expect_needed(
        EPD_NEED_RESULT, START " id \"[1.0]\"; c0 \"1-0\";",
        "no result; expected c9 \"1-0\", \"0-1\" or \"1/2-1/2\"; or a label such as [0.5]");
    expect_needed(EPD_NEED_BEST, START " id \"none\"; c9 \"1-0\";",
                  "no best move in none; expected bm MOVE;");
}

Test(epd, a_file_is_read_up_to_a_line_that_does_not_parse)
{
    struct dataset d = {0};
    struct error err = {""};
    static const char good[] = "# a comment\r\n\r\n" START " bm e4;\r\n   \n" START " bm\xc2\xa0"
                               "c4;\n\x1a" START " bm a4;";
    path = scratch_write("some.epd", good);
    MUST(dataset_load(&d, path, EPD_ANY, &err));
    MUST(dataset_load(&d, path, EPD_ANY, &err));
    cr_assert_eq(d.count, 4u, "a second load appends");
    expect_move(&d.items[3], d.items[3].best[0], "c4");
    path = scratch_write("some.epd", START "\n\n" START " bm Ke2;\n");
    cr_assert_not(dataset_load(&d, path, EPD_ANY, &err));
    SAID("/some.epd:3: ");
    cr_assert_not(dataset_load(&d, "/nowhere/none.epd", EPD_ANY, &err));
    SAID("/nowhere/none.epd");
    dataset_free(&d);
}

Test(epd, a_line_with_a_nul_byte_is_no_position)
{
    struct dataset d = {0};
    struct error err = {""};
    path = scratch_write("nul.epd", "");
    FILE *file = fopen(path, "wb");
    fwrite(START "\0 bm e4;\n", 1, sizeof START + 8, file);
    fclose(file);
    cr_assert_not(dataset_load(&d, path, EPD_ANY, &err));
    SAID("NUL");
}

/* The suites of the field: every position, and a best move in each line that promises one. */
Test(epd, the_suites_of_the_field_parse)
{
    static const struct {
        const char *name;
        size_t count;
        bool best;
    } suites[] = {
        {"ecm879.epd", 879, true},
        {"ecm98-corrected-770.epd", 770, true},
        {"wac300_original.epd", 300, true},
        {"wac300_new.epd", 300, true},
        {"wcsac1001.epd", 1001, true},
        {"mate4_lichess.epd", 1000, true},
        {"mate5_lichess.epd", 833, true},
        {"mate4_problems_chestuci.epd", 67, false},
        {"mate5_problems_chestuci.epd", 186, false},
        {"zugts.epd", 30, true},
        {"hardzugs.epd", 3, true},
        {"nullmove_senjo.epd", 5, true},
        {"perft-standard-128.epd", 128, false},
        {"noob_2moves.epd", 7314, false},
    };
    char suite[SHARED_PATH];
    shared_data_need();
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        struct dataset d = {0};
        struct error err = {""};
        shared_data_path(suites[i].name, suite);
        MUST(dataset_load(&d, suite, EPD_ANY, &err));
        cr_expect_eq(d.count, suites[i].count, "%s: %zu", suite, d.count);
        for (size_t j = 0; suites[i].best && j < d.count; j++)
            cr_expect(d.items[j].best_count + d.items[j].avoid_count > 0, "%s", d.items[j].id);
        dataset_free(&d);
    }
}
