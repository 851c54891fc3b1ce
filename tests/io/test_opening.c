/* Books: each format is told by its content, what is no opening is refused with its place, and each
 * opening comes once. */
#include "notation.h"
#include "opening.h"
#include "scratch.h"
#include "shared_data.h"

#define RUY_LOPEZ "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -"
#define SICILIAN  "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"

SCRATCH_SUITE(opening);

static struct book read_path(const char *path, int plies)
{
    struct book b;
    struct error err = {""};
    MUST(book_read(&b, path, plies, &err));
    return b;
}

static struct book read_text(const char *text, int plies)
{
    return read_path(scratch_write("book", text), plies);
}

/* The position at the end of an opening, without its counters. */
static const char *end_of(const struct opening *o)
{
    static char fen[FEN_MAX];
    struct position p = o->start;
    struct undo undo;
    for (int i = 0; i < o->plies; i++)
        position_make(&p, o->moves[i], &undo);
    position_to_fen(&p, fen);
    *strrchr(fen, ' ') = '\0';
    *strrchr(fen, ' ') = '\0';
    return fen;
}

static void expect_ends(const struct book *b, const char *const *ends, size_t count)
{
    cr_assert_eq(b->count, count, "%zu openings", b->count);
    for (size_t i = 0; i < count; i++)
        cr_expect_str_eq(end_of(&b->items[i]), ends[i]);
}

static const char games[] = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n\n"
                            "[Event \"b\"]\n\n1. e4 c5 { sharp } *\n";

Test(opening, games_are_taken_up_to_the_ply)
{
    struct book b = read_text(games, 5);
    expect_ends(&b, (const char *[]){RUY_LOPEZ, SICILIAN}, 2);
    cr_expect_eq(b.items[0].plies, 5);
    cr_expect_eq(b.items[1].plies, 2, "all there are");
    cr_expect_eq(b.items[0].start.fullmove, 1);
    book_free(&b);
    cr_expect(b.items == NULL && b.count == 0);
    b = read_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", 5);
    expect_ends(&b, (const char *[]){RUY_LOPEZ}, 1);
    book_free(&b);
}

Test(opening, games_may_be_set_up)
{
    struct book b = read_text("[FEN \"" SICILIAN " 0 2\"]\n[SetUp \"1\"]\n\n2. Nf3 *\n", 8);
    cr_assert_eq(b.count, 1);
    cr_expect_eq(b.items[0].start.fullmove, 2);
    cr_expect_eq(b.items[0].plies, 1);
    book_free(&b);
}

Test(opening, positions_are_epd_or_fen)
{
    struct book b =
        read_text("# mine\n\n" RUY_LOPEZ " id \"Ruy; Lopez\"; bm a6;\r\n" SICILIAN " 0 2\n  \n", 8);
    expect_ends(&b, (const char *[]){RUY_LOPEZ, SICILIAN}, 2);
    cr_expect_eq(b.items[0].plies, 0);
    cr_expect_eq(b.items[0].start.fullmove, 1);
    cr_expect_eq(b.items[1].start.fullmove, 2);
    book_free(&b);
}

Test(opening, of_chess960_suits_who_plays_it)
{
    struct uci_settings engine = {.command = "toy"};
    struct error err;
    struct book b =
        read_text(SICILIAN "\nnrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq -\n", 8);
    cr_expect(book_suits(&b, NULL, &err));
    cr_expect_not(book_suits(&b, &engine, &err));
    cr_expect_str_eq(err.text, "toy has no option UCI_Chess960, which opening 2 of the book needs: "
                               "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1");
    engine.chess960 = true;
    cr_expect(book_suits(&b, &engine, &err));
    b.count = 1;
    engine.chess960 = false;
    cr_expect(book_suits(&b, &engine, &err), "standard chess");
    b.count = 2;
    book_free(&b);
}

Test(opening, of_one_final_position_the_first_is_taken)
{
    struct book b = read_text(RUY_LOPEZ "\n" SICILIAN "\n" RUY_LOPEZ " 3 3\n" RUY_LOPEZ "\n", 8);
    expect_ends(&b, (const char *[]){RUY_LOPEZ, SICILIAN}, 2);
    book_free(&b);
    b = read_text("1. Nf3 d5 2. d4 *\n\n1. d4 d5 2. Nf3 *\n\n1. d4 Nf6 2. Nf3 *\n", 3);
    cr_expect_eq(b.count, 2);
    book_free(&b);
}

/* ---- what is refused ---- */

static void expect_refused(const char *text, const char *reason)
{
    const char *path = scratch_write("bad", text);
    struct book b;
    struct error err = {""};
    cr_expect_not(book_read(&b, path, 8, &err), "%s", reason);
    cr_expect(b.items == NULL && b.count == 0);
    cr_expect(strstr(err.text, text_of("%s%s", path, reason)) == err.text, "%s", err.text);
    book_free(&b);
}

Test(opening, a_line_that_is_none_is_refused)
{
    expect_refused(RUY_LOPEZ "\nnonsense\n", ":2: FEN column 2");
    expect_refused(RUY_LOPEZ " bm Qh5;\n", ":1: column ");
    expect_refused("4k3/8/8/8/8/8/8/4R1K1 w - -\n", ":1: FEN ");
    expect_refused("rnbqkbnr/pppp w - -\n", ":1: FEN ");
}

Test(opening, a_game_that_is_broken_is_refused)
{
    expect_refused("1. e4 e5 *\n\n1. e4 Ke7 *\n", ":3:7: game 2: \"Ke7\"");
    expect_refused("1. e4 e5 2. -- Nf6 *\n", ":1: game 1: a null move in the opening");
    expect_refused("what is this\n", ":1:1: game 1: \"what\"");
}

Test(opening, what_is_over_is_refused)
{
    expect_refused(RUY_LOPEZ "\nR5k1/5ppp/8/8/8/8/8/4K3 b - -\n",
                   ":2: the game is over after the opening, by checkmate");
    expect_refused("8/8/8/8/8/8/5K1p/7k b - -\n",
                   ":1: the game is over after the opening, draw by stalemate");
    expect_refused("4k3/8/8/8/8/8/8/4K3 w - -\n",
                   ":1: the game is over after the opening, draw by insufficient material");
    expect_refused("4k3/8/8/8/8/8/8/R3K3 w - - 100 90\n",
                   ":1: the game is over after the opening, draw by the fifty-move rule");
    expect_refused("[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
                   ":1: the game is over after the opening, by checkmate");
    expect_refused("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n",
                   ":1: the game is over after the opening, draw by threefold repetition");
}

Test(opening, an_empty_book_is_refused)
{
    expect_refused("", ": no opening is in this book");
    expect_refused("\n# nothing\n\n", ": no opening is in this book");
    struct book b;
    struct error err = {""};
    cr_expect_not(book_read(&b, "/nowhere/book.epd", 8, &err));
    SAID("cannot open /nowhere/book.epd");
}

/* ---- the order ---- */

enum { MANY = 1000 };

Test(opening, the_order_is_a_permutation_by_seed_and_pass)
{
    static uint32_t a[MANY], b[MANY];
    bool seen[MANY] = {false};
    size_t fixed = 0;
    book_shuffle(7, 0, MANY, a);
    for (size_t i = 0; i < MANY; i++) {
        cr_assert(a[i] < MANY && !seen[a[i]]);
        seen[a[i]] = true;
        fixed += a[i] == i;
    }
    cr_expect_lt(fixed, 10);
    book_shuffle(7, 0, MANY, b);
    cr_expect_eq(memcmp(a, b, sizeof a), 0);
    book_shuffle(7, 1, MANY, b);
    cr_expect_neq(memcmp(a, b, sizeof a), 0, "another pass");
    book_shuffle(8, 0, MANY, b);
    cr_expect_neq(memcmp(a, b, sizeof a), 0, "another seed");
    b[0] = 5;
    book_shuffle(8, 0, 1, b);
    cr_expect_eq(b[0], 0);
    book_shuffle(8, 0, 0, NULL);
}

/* ---- the project's own book, and those of the field ---- */

Test(opening, the_book_in_data_is_large_and_has_nothing_twice)
{
    struct book b = read_path(text_of("%s/data/openings.epd", getenv("GRAYLING_SOURCE")), 8);
    cr_expect_eq(b.count, 1500, "%zu", b.count);
    for (size_t i = 0; i < b.count; i++)
        cr_expect(b.items[i].plies == 0 && b.items[i].start.side == WHITE, "opening %zu", i);
    book_free(&b);
}

Test(opening, the_books_of_the_field)
{
    static const struct {
        const char *name;
        int plies;
        size_t count;
    } books[] = {{"8moves_v3.pgn.gz", 16, 34700}, {"noob_2moves.epd", 8, 7314}};
    char path[SHARED_PATH];
    shared_data_need();
    for (size_t i = 0; i < sizeof books / sizeof books[0]; i++) {
        shared_data_path(books[i].name, path);
        struct book b = read_path(path, books[i].plies);
        cr_expect_eq(b.count, books[i].count, "%s: %zu", path, b.count);
        book_free(&b);
    }
}
