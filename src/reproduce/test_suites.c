#include "test_suites.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 3, PATH_SIZE = 1024 };

/* A file of a suite: its name, its number of solvable positions, and where to find it. */
struct suite_file {
    const char *name;
    size_t count;
    const char *where;
};

static const struct {
    const char *title;
    struct suite_file files[FILES_MAX];
} suites[TEST_SUITES] = {
    [SUITE_CRAFTY] = {"the six positions of Crafty's benchmark", {{0}}},
    [SUITE_ECM] = {"Encyclopedia of Chess Middlegames",
                   {{"ecm879.epd", 879,
                     "ECM as the papers used it; github.com/stannous/shatranj"}}},
    [SUITE_WCS] = {"Winning Chess Sacrifices and Combinations",
                   {{"wcsac1001.epd", 1001, "WCSAC; github.com/albertoruibal/carballo"}}},
    [SUITE_WAC] = {"Win at Chess, corrected keys",
                   {{"wac300_new.epd", 300, "WAC corrected; github.com/jdart1/arasan-chess"}}},
    [SUITE_WAC_BOOK] = {"Win at Chess, the book's keys",
                        {{"wac300_original.epd", 300, "WAC (Reinfeld); github.com/gcp/sjeng"}}},
    [SUITE_MATE_4] = {"mates in 4 from games",
                      {{"mate4_lichess.epd", 1000,
                        "puzzles of theme mateIn4, as EPD with bm; database.lichess.org"}}},
    [SUITE_MATE_5] = {"mates in 5 from games",
                      {{"mate5_lichess.epd", 833,
                        "puzzles of theme mateIn5, as EPD with bm; database.lichess.org"}}},
    [SUITE_ZUGZWANG] = {"zugzwangs and null-move tests",
                        {{"zugts.epd", 30, "the Zugzwang test suite ZPTS; talkchess.com"},
                         {"hardzugs.epd", 3, "github.com/cosmobobak/viridithas"},
                         {"nullmove_senjo.epd", 5, "github.com/zd3nik/SenjoUCIAdapter"}}},
};

/* david-2008, Appendix A. The paper gives no solutions; that of each line stands for "any move". */
static const char *const crafty_positions[] = {
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
};

const char *test_suite_title(enum test_suite suite)
{
    return suites[suite].title;
}

size_t test_suite_size(enum test_suite suite)
{
    size_t size = suite == SUITE_CRAFTY ? sizeof crafty_positions / sizeof crafty_positions[0] : 0;
    for (int i = 0; i < FILES_MAX; i++)
        size += suites[suite].files[i].count;
    return size;
}

/* ---- loading ---- */

/* Appends the compiled positions. */
static bool load_crafty(struct dataset *d, struct error *err)
{
    for (size_t i = 0; i < sizeof crafty_positions / sizeof crafty_positions[0]; i++) {
        struct epd epd;
        if (!epd_parse(crafty_positions[i], &epd, err) || !dataset_append(d, &epd, err))
            return false;
        snprintf(d->items[d->count - 1].id, EPD_ID, "Crafty.%zu", i + 1);
    }
    return true;
}

/* Appends the positions of a file. */
static bool load_file(const struct suite_file *file, const char *title, const char *directory,
                      struct dataset *d, struct error *err)
{
    char path[PATH_SIZE];
    struct suite suite;
    snprintf(path, sizeof path, "%s/%s", directory, file->name);
    if (access(path, R_OK) != 0)
        return error_set(err, "%s is not there: %s, with %zu positions (%s); --suites names where",
                         path, title, file->count, file->where);
    if (!suite_load(&suite, path, err))
        return false;
    bool good = true;
    if (suite.positions.count != file->count)
        good = error_set(err, "%s: %zu positions that can be solved, where %s has %zu (%s)", path,
                         suite.positions.count, title, file->count, file->where);
    for (size_t i = 0; good && i < suite.positions.count; i++)
        good = dataset_append(d, &suite.positions.items[i], err);
    suite_free(&suite);
    return good;
}

bool test_suite_load(enum test_suite suite, const char *directory, struct dataset *d,
                     struct error *err)
{
    if (suite == SUITE_CRAFTY)
        return load_crafty(d, err);
    for (int i = 0; i < FILES_MAX && suites[suite].files[i].name != NULL; i++)
        if (!load_file(&suites[suite].files[i], suites[suite].title, directory, d, err))
            return false;
    return true;
}

/* ---- choosing ---- */

/* True if a side has a piece besides king and pawns. */
static bool has_piece(const struct position *p, enum color side)
{
    return (p->by_color[side] & ~p->by_kind[PAWN] & ~p->by_kind[KING]) != 0;
}

/* True if the choice allows the position. */
static bool is_chosen(const struct test_choice *choice, const struct epd *epd)
{
    return !choice->with_pieces ||
           (has_piece(&epd->position, WHITE) && has_piece(&epd->position, BLACK));
}

void test_suite_choose(struct dataset *d, const struct test_choice *choice)
{
    size_t kept = 0, total, wanted = (size_t)choice->count;
    for (size_t i = 0; i < d->count; i++)
        if (is_chosen(choice, &d->items[i]))
            d->items[kept++] = d->items[i];
    total = d->count = kept;
    if (wanted == 0 || wanted >= total)
        return;
    for (size_t i = 0; i < wanted; i++)
        d->items[i] = d->items[i * total / wanted];
    d->count = wanted;
}

/* ---- spreading ---- */

static size_t greatest_divisor(size_t a, size_t b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* The step that divides a circle of `count` places most evenly: nearest to its golden section from below, and
 * without a common divisor, so that it comes to each place once. */
static size_t golden_step(size_t count)
{
    size_t step = (size_t)(0.6180339887498949 * (double)count);
    while (step > 1 && greatest_divisor(count, step) > 1)
        step--;
    return step > 0 ? step : 1;
}

bool test_suite_spread(struct dataset *d, struct error *err)
{
    const size_t step = golden_step(d->count);
    struct epd *spread = malloc((d->count + 1) * sizeof *spread);
    if (spread == NULL)
        return error_set(err, "no memory for %zu positions", d->count);
    for (size_t i = 0; i < d->count; i++)
        spread[i] = d->items[i * step % d->count];
    memcpy(d->items, spread, d->count * sizeof *spread);
    free(spread);
    return true;
}
