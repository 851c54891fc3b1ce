/* Making books: balanced positions are taken, each once, the same with any number of threads. */
#include "book_maker.h"
#include "drawn.h"
#include "opening.h"

TestSuite(book_maker, .init = scratch_begin, .fini = drawn_end);

/* Small searches, so that a test takes no time. */
static struct book_settings small(void)
{
    return (struct book_settings){.seed = 1,
                                  .count = 1000,
                                  .plies = 8,
                                  .bound = 100,
                                  .nodes = 500,
                                  .hash_mib = 1,
                                  .threads = 2,
                                  .evaluation = evaluation_initial(),
                                  .params = search_initial_params()};
}

/* Games of random moves, ten plies and more, in a file of the scratch directory. */
static const char *write_games(const char *name, uint64_t seed, int count)
{
    return random_games_write(name, seed, count, 10, 3);
}

/* What making a book gives, as a caller sees it. */
struct outcome {
    struct dataset book;
    struct book_report report;
};

static struct outcome made(const char *const *paths, int path_count,
                           const struct book_settings *settings)
{
    struct outcome o = {.book = {0}};
    struct error err = {""};
    const struct game_list_watcher watcher = {.context = NULL};
    MUST(book_make(paths, path_count, settings, &watcher, &o.book, &o.report, &err));
    cr_expect_eq(o.book.count, o.report.judged - o.report.one_sided - o.report.unvalued);
    drawn_keep(o.book);
    return o;
}

static struct outcome made_from(const struct book_settings *settings)
{
    return made(&(const char *){path}, 1, settings);
}

/* Balanced, a rook won for nothing, the first again, too short, mated, set up, a null move. */
static const char planted[] =
    "[White \"Even, A\"]\n[Black \"Steven, B\"]\n[Date \"1999.05.??\"]\n\n"
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 *\n\n"
    "1. b3 h5 2. Bb2 Rh6 3. e3 Rb6 4. h3 g6 5. Bxh8 *\n\n"
    "1. Nf3 Nc6 2. e4 e5 3. Bc4 Bc5 4. O-O Nf6 5. c3 *\n\n"
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n"
    "1. f3 e6 2. g4 d6 3. h3 h6 4. a3 Qh4# 0-1\n\n"
    "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"]\n\n"
    "1... e5 2. e4 Nf6 3. Nf3 Nc6 4. Bc4 Bc5 5. d3 d6 *\n\n"
    "1. e4 e5 2. -- Nc6 3. Bc4 Bc5 4. Nf3 Nf6 *\n";

Test(book_maker, what_is_balanced_is_taken_once)
{
    path = scratch_write("planted.pgn", planted);
    struct book_settings settings = small();
    struct outcome o = made_from(&settings);
    cr_assert_eq(o.book.count, 1, "%zu", o.book.count);
    const char *line = line_of(&o.book.items[0]);
    const char *fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - id \"";
    cr_expect_eq(strncmp(line, fen, strlen(fen)), 0, "%s", line);
    cr_expect(strstr(line, "hmvc 6;") != NULL && strstr(line, " bm ") == NULL, "%s", line);
    cr_expect_neq(o.book.items[0].game, 0);
    cr_expect_eq(o.report.read.games, 7);
    cr_expect_eq(o.report.unfit, 4);
    cr_expect_eq(o.report.positions, 2);
    cr_expect_eq(o.report.judged, 2);
    cr_expect_eq(o.report.one_sided, 1);
}

/* Each opening stands within the bound, by a search apart, and what is left out does not. */
Test(book_maker, the_search_decides)
{
    struct error err;
    path = write_games("games.pgn", 1, 60);
    struct book_settings settings = small(), all = small();
    all.bound = EVAL_LIMIT;
    struct outcome some = made_from(&settings), every = made_from(&all);
    struct engine *e = engine_create(1, &err);
    size_t within = 0;
    cr_assert(some.book.count > 5 && some.report.one_sided > 5, "%zu", some.book.count);
    cr_assert_eq(every.report.one_sided, 0);
    for (size_t i = 0; i < every.book.count; i++) {
        const struct search_limits limits = {.nodes = settings.nodes};
        engine_clear(e);
        int32_t score = engine_search(e, &every.book.items[i].position, NULL, &limits, NULL).score;
        if (score > 100 || score < -100)
            continue;
        cr_assert_lt(within, some.book.count);
        cr_expect_eq(some.book.items[within++].position.key, every.book.items[i].position.key);
    }
    cr_expect_eq(within, some.book.count);
    engine_destroy(e);
}

/* In one node no move is searched to its end: the score of 0 is none. */
Test(book_maker, a_search_without_a_value_decides_nothing)
{
    path = scratch_write("planted.pgn", planted);
    struct book_settings settings = small();
    settings.nodes = 1;
    struct outcome o = made_from(&settings);
    cr_expect_eq(o.book.count, 0);
    cr_expect_eq(o.report.judged, 2);
    cr_expect_eq(o.report.unvalued, 2);
    cr_expect_eq(o.report.one_sided, 0);
}

Test(book_maker, threads_change_nothing)
{
    path = write_games("games.pgn", 2, 100);
    struct book_settings settings = small();
    settings.count = 10;
    settings.threads = 1;
    struct outcome one = made_from(&settings);
    cr_assert_eq(one.book.count, settings.count);
    cr_expect_lt(one.report.judged, one.report.positions);
    for (int threads = 2; threads <= 5; threads += 3) {
        settings.threads = threads;
        struct outcome more = made_from(&settings);
        cr_expect_eq(more.book.count, one.book.count);
        expect_same(&one.book, &more.book, one.book.count);
        cr_expect_eq(memcmp(&one.report, &more.report, sizeof one.report), 0);
    }
}

Test(book_maker, the_seed_and_the_games_decide)
{
    const char *first = write_games("first.pgn", 4, 40);
    const char *second = write_games("second.pgn", 5, 40);
    struct book_settings settings = small();
    struct outcome a = made((const char *[]){first, second}, 2, &settings);
    struct outcome b = made((const char *[]){second, first, second}, 3, &settings);
    cr_expect_eq(b.report.read.twice, 40);
    cr_assert_eq(a.book.count, b.book.count);
    expect_same(&a.book, &b.book, a.book.count);
    settings.seed = 2;
    struct outcome c = made((const char *[]){first, second}, 2, &settings);
    cr_assert_eq(a.book.count, c.book.count, "the same openings");
    size_t moved = 0;
    for (size_t i = 0; i < a.book.count; i++)
        moved += a.book.items[i].position.key != c.book.items[i].position.key;
    cr_expect_gt(moved, 5, "in another order");
}

Test(book_maker, a_stop_ends_it_without_failure)
{
    const volatile sig_atomic_t stop = 1;
    path = write_games("games.pgn", 1, 10);
    struct book_settings settings = small();
    settings.stop = &stop;
    struct outcome o = made_from(&settings);
    cr_expect_eq(o.book.count, 0);
    cr_expect_eq(o.report.judged, 0);
}
