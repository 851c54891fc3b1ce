/* Matches: what is counted, that threads and interruptions change nothing, and their file. */
#include "match.h"
#include "match_file.h"
#include "notation.h"

#include "scratch.h"

#include <sys/stat.h>

enum { BOOK = 5, GAMES = 8 };

static const char *path;
static struct book book;
static struct match_settings settings;
static struct match match;
static struct match_file file;

/* Two players with different evaluations, and openings of one move each. */
static void begin(void)
{
    static const char *const moves[BOOK] = {"e4", "d4", "c4", "Nf3", "b3"};
    scratch_begin();
    path = scratch_write("games.pgn", "");
    book.items = calloc(BOOK, sizeof *book.items);
    book.count = BOOK;
    for (int i = 0; i < BOOK; i++) {
        struct opening *o = &book.items[i];
        cr_assert(position_from_fen(&o->start, FEN_START, NULL, NULL));
        cr_assert(move_from_text(&o->start, moves[i], (int)strlen(moves[i]), &o->moves[0], NULL));
        o->plies = 1;
    }
    settings = (struct match_settings){.book = &book,
                                       .book_name = "five.epd",
                                       .seed = 1,
                                       .games = GAMES,
                                       .limits.nodes = 60,
                                       .adjudication.max_plies = 40,
                                       .hash_mib = 1,
                                       .threads = 2};
    for (int p = 0; p < 2; p++) {
        struct match_player *player = &settings.players[p];
        *player = (struct match_player){.eval = evaluation_initial(),
                                        .params = search_plain_params(),
                                        .evaluation = {"eval.yaml", "12ab"},
                                        .search = {"plain", "34cd"}};
        strcpy(player->name, p == 0 ? "one" : "two");
        if (p == 1) /* it does not know what anything is worth */
            player->eval = evaluation_of_weights(&(struct eval_weights){{0}});
    }
}

static void end(void)
{
    match_file_close(&file);
    match_finish(&match);
    book_free(&book);
    scratch_end();
}

TestSuite(match, .init = begin, .fini = end);

static void init(void)
{
    struct error err = {""};
    match_finish(&match);
    MUST(match_init(&match, &settings, &err));
}

/* ---- counting ---- */

Test(match, counts_pairs_from_both_sides)
{
    settings.games = 10;
    init();
    const enum game_result results[] = {GAME_WHITE_WINS, GAME_BLACK_WINS, /* 2-0 */
                                        GAME_WHITE_WINS, GAME_WHITE_WINS, /* 1-1 */
                                        GAME_DRAWN,      GAME_BLACK_WINS, /* 1.5-0.5 */
                                        GAME_BLACK_WINS, GAME_DRAWN,      /* 0.5-1.5 */
                                        GAME_BLACK_WINS};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        cr_assert(match_goes_on(&match));
        match_count(&match, results[i], GAME_CHECKMATE);
    }
    const struct match_counts *c = &match.counts;
    cr_expect(c->wins == 4 && c->losses == 3 && c->draws == 2);
    const int64_t pairs[] = {0, 1, 1, 1, 1};
    for (int i = 0; i < 5; i++)
        cr_expect_eq(c->pairs[i], pairs[i], "%d half points", i);
    match_count(&match, GAME_WHITE_WINS, GAME_CHECKMATE);
    cr_expect_eq(c->pairs[0], 1);
    cr_expect_not(match_goes_on(&match));
}

Test(match, openings_come_in_pairs_and_all_before_one_comes_again)
{
    settings.games = 4 * BOOK;
    init();
    for (int pass = 0; pass < 2; pass++) {
        bool seen[BOOK] = {false};
        for (int64_t n = 2 * BOOK * pass; n < 2 * BOOK * (pass + 1); n += 2) {
            const struct opening *o = match_opening(&match, n);
            cr_expect_eq(o, match_opening(&match, n + 1));
            cr_expect_not(seen[o - book.items]);
            seen[o - book.items] = true;
        }
    }
}

Test(match, test_ends_it_at_a_pair)
{
    settings.games = 1000;
    settings.sequential = true;
    settings.sprt = (struct sprt){0, 50, 0.05, 0.05};
    init();
    while (match_goes_on(&match))
        match_count(&match, match.played % 2 == 0 ? GAME_WHITE_WINS : GAME_BLACK_WINS,
                    GAME_CHECKMATE);
    cr_expect_eq(match.decision, SPRT_ACCEPTS_H1);
    cr_expect_eq(match.played % 2, 0);
    cr_expect_lt(match.played, 100);
    struct match_counts before = match.counts;
    before.pairs[4]--;
    cr_expect_eq(sprt_decide(&settings.sprt, &before), SPRT_GOES_ON);
}

/* ---- playing ---- */

/* A digest of the reported games: all their moves in one number. */
struct told {
    int64_t games, fail_at;
    uint64_t moves, nodes;
    volatile sig_atomic_t stop;
    int64_t stop_at;
};

static bool after_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct told *t = context;
    cr_assert_eq(number, t->games);
    cr_assert_eq(match.played, number + 1);
    t->games++;
    t->nodes += g->nodes;
    for (int i = 0; i < g->plies; i++)
        t->moves = 31 * t->moves + g->moves[i].move;
    if (t->games == t->stop_at)
        t->stop = SIGINT;
    return t->games != t->fail_at ? match_file_add(&file, number, g, err)
                                  : error_set(err, "the disk is full");
}

static enum jobs_end play(struct told *t, struct error *err)
{
    const struct match_watcher watcher = {.context = t, .played = after_game};
    t->games = match.played;
    return match_play(&match, &watcher, err);
}

/* The match is played by one thread and by more, always the same. Returns its games. */
static int64_t play_by_threads(void)
{
    struct told first = {0};
    for (int threads = 1; threads <= 4; threads++) {
        struct told t = {0};
        settings.threads = threads;
        init();
        cr_assert_eq(play(&t, NULL), JOBS_DONE);
        if (threads == 1)
            first = t;
        cr_expect(t.games == first.games && t.moves == first.moves && t.nodes == first.nodes,
                  "%d threads", threads);
    }
    return first.games;
}

Test(match, is_the_same_for_any_number_of_threads)
{
    cr_expect_eq(play_by_threads(), GAMES);
    settings.games = 200;
    settings.sequential = true;
    settings.sprt = (struct sprt){0, 100, 0.2, 0.2};
    cr_expect(play_by_threads() < 200 && match.decision != SPRT_GOES_ON);
}

Test(match, equal_players_make_each_pair_even)
{
    struct told t = {0};
    settings.players[1] = settings.players[0];
    settings.games = 2 * BOOK;
    init();
    cr_assert_eq(play(&t, NULL), JOBS_DONE);
    cr_expect_eq(match.counts.pairs[2], BOOK);
    cr_expect_eq(match.counts.wins, match.counts.losses);
}

Test(match, stops_when_asked_and_goes_on)
{
    struct told whole = {0}, t = {.stop_at = 3};
    init();
    cr_assert_eq(play(&whole, NULL), JOBS_DONE);
    settings.stop = &t.stop;
    settings.threads = 1;
    init();
    cr_assert_eq(play(&t, NULL), JOBS_STOPPED);
    cr_expect_eq(match.played, 3);
    t.stop = 0;
    t.stop_at = 0;
    cr_assert_eq(play(&t, NULL), JOBS_DONE);
    cr_expect(t.moves == whole.moves && t.games == GAMES);
}

Test(match, fails_with_its_watcher)
{
    struct told t = {.fail_at = 2};
    struct error err = {""};
    init();
    cr_assert_eq(play(&t, &err), JOBS_FAILED);
    cr_expect_str_eq(err.text, "the disk is full");
    cr_expect_eq(t.games, 2);
}

/* ---- the file ---- */

/* Opens the file of one match. */
static bool open_file(enum match_file_mode mode, struct error *err)
{
    return match_file_open(&file, path, mode, err) && match_file_next(&file, &match, true, err);
}

/* Plays the whole match into the file and returns what it holds (malloc'ed). */
static char *play_file(void)
{
    struct told t = {0};
    struct error err = {""};
    init();
    MUST(open_file(MATCH_FILE_OVER, &err));
    cr_assert_eq(play(&t, &err), JOBS_DONE, "%s", err.text);
    match_file_close(&file);
    return strdup(scratch_read(path));
}

Test(match, file_can_be_taken_up_wherever_it_was_cut)
{
    struct error err = {""};
    char *whole = play_file();
    const size_t length = strlen(whole);
    for (size_t cut = 0; cut <= length; cut += cut % 5 == 0 ? 1 : 307) {
        scratch_write_bytes("games.pgn", whole, cut);
        init();
        cr_assert(open_file(MATCH_FILE_RESUMES, &err), "%zu bytes: %s", cut, err.text);
        const size_t now = strlen(scratch_read(path));
        cr_assert(now <= cut && strncmp(scratch_read(path), whole, now) == 0);
        cr_assert(now == 0 || memcmp(whole + now - 2, "\n\n", 2) == 0);
        cr_assert(cut < length || match.played == GAMES);
        struct told t = {0};
        cr_assert_eq(play(&t, &err), JOBS_DONE);
        match_file_close(&file);
        cr_assert_str_eq(scratch_read(path), whole, "cut at %zu", cut);
    }
    free(whole);
}

static void expect_refused(const char *reason)
{
    struct error err = {""};
    char *there = strdup(scratch_read(path));
    init();
    cr_assert_not(open_file(MATCH_FILE_RESUMES, &err), "expected: %s", reason);
    SAID(reason);
    match_file_close(&file);
    cr_expect_str_eq(scratch_read(path), there, "the file was changed");
    free(there);
}

/* Of another build everything says that it is the same, but it plays otherwise. */
Test(match, file_of_another_match_or_build_is_refused)
{
    const struct match_settings usual = settings;
    struct match_settings others[8];
    const char *const reasons[8] = {
        "begun with [Seed \"1\"], and now there is [Seed \"7\"]",
        "begun with [NodesPerMove \"60\"], and now there is [NodesPerMove \"61\"]",
        "[Adjudication \"plies 40\"], and now there is [Adjudication \"plies 41\"]",
        "[BlackEvaluationSHA256 \"12ab\"], and now there is",
        "[Hash \"1\"]",
        "more games than --games 6",
        "the test was decided before it",
        "game 1 does not repeat from move "};
    free(play_file());
    for (int i = 0; i < 8; i++)
        others[i] = usual;
    others[0].seed = 7;
    others[1].limits.nodes = 61;
    others[2].adjudication.max_plies = 41;
    strcpy(others[3].players[1].evaluation.sha256, "another");
    others[4].hash_mib = 2;
    others[5].games = 6;
    others[6].sequential = true;
    others[6].sprt = (struct sprt){-900, 900, 0.49, 0.49};
    others[7].players[0].eval = usual.players[1].eval;
    for (int i = 0; i < 8; i++) {
        settings = others[i];
        expect_refused(reasons[i]);
    }
    settings = usual;
    book.items[2].moves[0] = book.items[4].moves[0];
    expect_refused("[OpeningsSHA256 ");
}

Test(match, damaged_file_is_refused)
{
    char *whole = play_file(), *move = strstr(whole, "1. ");
    scratch_write_bytes("games.pgn", "hello", 5);
    expect_refused(":1: the match was begun with hello, and now there is [Event ");
    memcpy(move, "7. ", 3);
    memcpy(strstr(move, "{") - 4, "Qh9 ", 4);
    scratch_write_bytes("games.pgn", whole, strlen(whole));
    expect_refused("Qh9");
    free(whole);
}

Test(match, file_that_exists_is_refused_without_force)
{
    struct error err = {""};
    init();
    cr_assert_not(open_file(MATCH_FILE_NEW, &err));
    SAID("games.pgn exists; resume with --resume, or overwrite");
    MUST(open_file(MATCH_FILE_OVER, &err));
}

/* ---- failures ---- */

/* Counts how the games of a match end, without playing: game `number` ends so. */
static void add_game(int64_t number, enum game_end end, enum game_result result)
{
    struct error err = {""};
    struct game_move moves[1] = {{.move = match_opening(&match, number)->moves[0]}};
    struct game g = {.start = match_opening(&match, number)->start,
                     .moves = moves,
                     .plies = 1,
                     .opening_plies = 1,
                     .end = end,
                     .result = result};
    bool failed = end == GAME_EXITED || end == GAME_HUNG || end == GAME_ILLEGAL;
    snprintf(g.failure, sizeof g.failure, "%s", failed ? "it says no\n> go\n" : "");
    match_count(&match, result, end);
    MUST(match_file_add(&file, number, &g, &err));
}

static void expect_failures(int player, int64_t exited, int64_t hung, int64_t illegal, int64_t late)
{
    const int64_t *f = match.failures[player].counts;
    cr_expect(f[FAULT_EXITED] == exited && f[FAULT_HUNG] == hung && f[FAULT_ILLEGAL] == illegal &&
                  f[FAULT_LATE] == late,
              "player %d: %lld %lld %lld %lld", player, (long long)f[1], (long long)f[2],
              (long long)f[3], (long long)f[4]);
}

Test(match, games_lost_by_failures_are_counted_apart_and_come_back)
{
    struct error err = {""};
    char log[MATCH_LOG_PATH];
    init();
    MUST(open_file(MATCH_FILE_OVER, &err));
    add_game(0, GAME_EXITED, GAME_WHITE_WINS);  /* of B */
    add_game(1, GAME_HUNG, GAME_WHITE_WINS);    /* of A */
    add_game(2, GAME_ILLEGAL, GAME_BLACK_WINS); /* of A */
    add_game(3, GAME_TIME, GAME_BLACK_WINS);    /* of B */
    add_game(4, GAME_TIME, GAME_DRAWN);         /* of nobody */
    add_game(5, GAME_CHECKMATE, GAME_WHITE_WINS);
    for (int i = 0; i < 2; i++) {
        expect_failures(0, 0, 1, 1, 0);
        expect_failures(1, 1, 0, 0, 1);
        cr_expect(match.counts.wins == 2 && match.counts.losses == 3 && match.counts.draws == 1);
        match_file_close(&file);
        init();
        if (i == 0)
            MUST(open_file(MATCH_FILE_RESUMES, &err));
    }
    match_file_log(path, log);
    const char *text = scratch_read(log);
    cr_expect_not_null(strstr(text, "game     1: one vs two: Black crashes\nstart    "));
    cr_expect_not_null(strstr(text, "\nit says no\n> go\n"));
    cr_expect_not_null(strstr(text, "game     3: one vs two: White makes an illegal move\n"));
    cr_expect_null(strstr(text, "game     4"));
}

/* ---- several matches in a file ---- */

/* Plays the rest of a match, and ends it. */
static void play_match(struct match *m, struct error *err)
{
    struct told t = {0};
    match_finish(&match);
    match = *m;
    file.match = &match;
    if (match_goes_on(&match))
        cr_assert_eq(play(&t, err), JOBS_DONE, "%s", err->text);
}

/* Plays two matches into the file: the second has the players the other way round. */
static void play_two(bool resume, struct error *err)
{
    struct match_settings second = settings;
    struct match first_match, second_match;
    second.players[0] = settings.players[1];
    second.players[1] = settings.players[0];
    cr_assert(match_init(&first_match, &settings, err) && match_init(&second_match, &second, err));
    cr_assert(match_file_open(&file, path, resume ? MATCH_FILE_RESUMES : MATCH_FILE_OVER, err) &&
                  match_file_next(&file, &first_match, false, err),
              "%s", err->text);
    play_match(&first_match, err);
    cr_assert(match_file_next(&file, &second_match, true, err), "%s", err->text);
    play_match(&second_match, err);
    match_file_close(&file);
}

Test(match, two_matches_in_a_file_can_be_taken_up_wherever_it_was_cut)
{
    struct error err = {""};
    play_two(false, &err);
    char *whole = strdup(scratch_read(path));
    const size_t length = strlen(whole);
    for (size_t cut = length / 2 - 900; cut <= length; cut += 711) {
        scratch_write_bytes("games.pgn", whole, cut);
        play_two(true, &err);
        cr_assert_str_eq(scratch_read(path), whole, "cut at %zu", cut);
    }
    settings.games -= 2;
    init();
    cr_assert(match_file_open(&file, path, MATCH_FILE_RESUMES, &err));
    cr_expect_not(match_file_next(&file, &match, true, &err));
    SAID("more games than --games 6");
    match_file_close(&file);
    free(whole);
}

Test(match, checksum_of_a_book_is_that_of_its_lines)
{
    char sum[CHECKSUM_MAX];
    const char line[] = FEN_START " e2e4\n";
    book.count = 1;
    char *whole = play_file();
    checksum_bytes(line, sizeof line - 1, sum);
    cr_expect_not_null(strstr(whole, text_of("[OpeningsSHA256 \"%s\"]\n", sum)), "%s", sum);
    free(whole);
}

/* ---- a broken game ---- */

Test(match, broken_game_leaves_all_that_is_known)
{
    static const char *const parts[] = {
        "start    " FEN_START "\nmoves    e2e4\nposition "
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n",
        "game     2, seed 1, openings five.epd\n",
        "White: two\n",
        "Black: one\n",
        "# eval.yaml\nkind: evaluation\n",
        "PAWN_VALUE:                      100 ",
        "# plain\nkind: search-all\n"};
    struct error err = {""};
    struct game_move moves[2] = {{.move = book.items[0].moves[0]}};
    struct game g = {.start = book.items[0].start, .moves = moves, .plies = 1};
    init();
    cr_assert_not(match_broken_fail(path, &match, 1, &g, &err));
    SAID("a bug; position, moves and parameters are in ");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(scratch_read(path), parts[i]), "%s", parts[i]);
    cr_assert_not(match_broken_fail("/no/such/folder/file", &match, 0, &g, &err));
    SAID("cannot write /no/such/folder/file: ");
}
