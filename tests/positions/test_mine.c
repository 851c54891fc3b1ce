/* Mining: a known tactic is found, what is found is what was asked for, the same by any number of
 * threads, and no game and no position twice. */
#include "drawn.h"
#include "mine.h"
#include "solve.h"
#include "thorough.h"

TestSuite(mine, .init = scratch_begin, .fini = drawn_end);

/* A game that goes wrong, one in which nothing happens, and the queen offer with which Reinfeld
 * begins his collection: 1. Qg6 fxg6 2. Nxg6 is mate. */
static const char planted[] =
    "[White \"Broken\"]\n\n1. e4 Ke7 1-0\n\n"
    "[White \"Quiet\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n\n"
    "[White \"Rein, F\"]\n[Black \"Feld, G\"]\n[Date \"1955.??.??\"]\n"
    "[FEN \"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1\"]\n"
    "[SetUp \"1\"]\n\n1. Qg6 fxg6 2. Nxg6# 1-0\n";

/* Small searches, so that a test takes no time. */
static struct mine_settings small(void)
{
    return (struct mine_settings){.seed = 1,
                                  .count = 1000,
                                  .glance = 300,
                                  .surprise = 200,
                                  .per_game = 4,
                                  .pieces = 30,
                                  .hash_mib = 1,
                                  .threads = 2,
                                  .evaluation = evaluation_initial(),
                                  .tactic = {.solver = search_initial_params(),
                                             .judge = tactic_modern_params(),
                                             .shallow = 300,
                                             .look = 6000,
                                             .deep = 20000,
                                             .margin = 200,
                                             .bound = 1000}};
}

/* Games of random moves, which are full of tactics, in a file of the scratch directory. */
static const char *write_games(const char *name, uint64_t seed, int count)
{
    return random_games_write(name, seed, count, 60, 1);
}

/* What a mine gives, as a caller sees it. */
struct outcome {
    struct dataset found;
    struct mine_report report;
};

static void count_skipped(void *context, const char *reason)
{
    cr_expect_not_null(strstr(reason, "Ke7"), "%s", reason);
    ++*(int *)context;
}

static struct outcome mined(const char *const *paths, int path_count,
                            const struct mine_settings *settings)
{
    struct outcome o = {0};
    struct error err = {""};
    int skipped = 0;
    const struct game_list_watcher watcher = {.context = &skipped, .skipped = count_skipped};
    MUST(mine_games(paths, path_count, settings, &watcher, &o.found, &o.report, &err));
    cr_expect_eq((size_t)skipped, o.report.read.broken);
    drawn_keep(o.found);
    return o;
}

static struct outcome mined_from(const struct mine_settings *settings)
{
    return mined(&(const char *){path}, 1, settings);
}

Test(mine, a_known_tactic_is_found)
{
    path = scratch_write("planted.pgn", planted);
    struct mine_settings settings = small();
    struct outcome o = mined_from(&settings);
    cr_assert_eq(o.found.count, 1);
    const char *line = line_of(&o.found.items[0]);
    const char *expected = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; "
                           "id \"Rein-Feld 1955\"; c0 \"game ";
    cr_expect_eq(strncmp(line, expected, strlen(expected)), 0, "%s", line);
    cr_expect_eq(o.report.read.games, 3);
    cr_expect_eq(o.report.read.broken, 1);
    cr_expect_eq(o.report.games, 2);
    cr_expect_eq(o.report.verdicts[TACTIC_FOUND], 1);
}

/* Each rule of tactic.h alone keeps the planted position out. */
Test(mine, what_does_not_pass_is_left_out)
{
    path = scratch_write("planted.pgn", planted);
    struct mine_settings many[6];
    for (int i = 0; i < 6; i++)
        many[i] = small();
    many[0].first_ply = 1;                                       /* an opening move */
    many[1].tactic.shallow = 10000, many[1].tactic.look = 20000; /* found by the short search */
    many[2].tactic.margin = 3 * MATE;                            /* no such lead */
    many[3].tactic.bound = 1;                                    /* the second move wins too */
    many[4].tactic.deep = many[4].tactic.look = 301;             /* not found at all */
    many[5].filter.min_elo = 2000;                               /* players without a rating */
    for (int i = 0; i < 6; i++) {
        struct outcome o = mined_from(&many[i]);
        cr_expect_eq(o.found.count, 0, "rule %d", i);
    }
}

/* The short search does not choose the key, and the long one does, as a search apart shows. */
Test(mine, findings_are_missed_and_then_found)
{
    struct error err;
    path = write_games("games.pgn", 1, thorough(25, 60));
    struct mine_settings settings = small();
    const struct tactic_settings *t = &settings.tactic;
    struct outcome o = mined_from(&settings);
    struct engine *e = engine_create(1, &err);
    cr_assert_gt(o.found.count, (size_t)thorough(1, 4), "%zu found: other games are needed",
                 o.found.count);
    for (size_t i = 0; i < o.found.count; i++) {
        const struct epd *epd = &o.found.items[i];
        cr_assert(epd->best_count == 1 && movegen_is_legal(&epd->position, epd->best[0]));
        cr_expect_gt(movegen_count(&epd->position), 1);
        struct solved brief = solve_position(e, epd, &(struct solve_limits){.nodes = t->shallow});
        struct solved whole = solve_position(e, epd, &(struct solve_limits){.nodes = t->deep});
        cr_expect_eq(brief.first.nodes, 0, "%s", line_of(epd));
        cr_expect_neq(whole.stable.nodes, 0, "%s", line_of(epd));
    }
    engine_destroy(e);
}

Test(mine, threads_change_nothing)
{
    path = write_games("games.pgn", 2, thorough(28, 60));
    struct mine_settings settings = small();
    settings.count = thorough(1, 3);
    settings.threads = 1;
    struct outcome one = mined_from(&settings);
    cr_assert_eq(one.found.count, settings.count);
    for (int threads = 2; threads <= 5; threads += 3) {
        settings.threads = threads;
        struct outcome more = mined_from(&settings);
        cr_expect_eq(more.found.count, one.found.count);
        expect_same(&one.found, &more.found, one.found.count);
        cr_expect_eq(memcmp(&one.report, &more.report, sizeof one.report), 0);
    }
}

Test(mine, fewer_are_the_first_of_more)
{
    path = write_games("games.pgn", 3, thorough(20, 60));
    struct mine_settings settings = small();
    struct outcome all = mined_from(&settings);
    settings.count = 2;
    struct outcome few = mined_from(&settings);
    cr_assert_eq(few.found.count, 2);
    cr_assert_gt(all.found.count, 2);
    expect_same(&all.found, &few.found, 2);
}

/* The same games in two files, once with their order changed and twice: nothing comes twice, and
 * nothing is found that was not found before. */
Test(mine, no_game_and_no_position_twice)
{
    const int games = thorough(12, 40);
    const char *first = write_games("first.pgn", 4, games);
    const char *second = write_games("second.pgn", 5, games);
    struct mine_settings settings = small();
    struct outcome a = mined((const char *[]){first, second}, 2, &settings);
    struct outcome b = mined((const char *[]){second, first, second}, 3, &settings);
    cr_expect_eq(b.report.read.twice, (size_t)games);
    cr_assert_eq(a.found.count, b.found.count);
    expect_same(&a.found, &b.found, a.found.count);
    for (size_t i = 0; i < a.found.count; i++)
        for (size_t j = 0; j < i; j++) {
            cr_expect_neq(a.found.items[i].game, a.found.items[j].game);
            cr_expect_neq(a.found.items[i].position.key, a.found.items[j].position.key);
        }
}

/* Two games that differ only after the tactic. */
Test(mine, a_position_of_two_games_counts_once)
{
    char other[sizeof planted];
    const char *first = scratch_write("first.pgn", planted);
    strcpy(other, planted);
    strcpy(strstr(other, "fxg6 2. "), "fxg6 2. Bxg6 1-0\n");
    const char *second = scratch_write("second.pgn", other);
    struct mine_settings settings = small();
    settings.tactic.margin = settings.surprise = 150;
    struct outcome o = mined((const char *[]){first, second}, 2, &settings);
    cr_expect_eq(o.found.count, 1);
    cr_expect_eq(o.report.twice, 1);
}

/* Nothing of two games is examined. */
static void expect_no_surprise(const struct mine_settings *settings)
{
    struct outcome o = mined_from(settings);
    cr_expect_eq(o.report.games, 2);
    for (int v = 0; v < TACTIC_VERDICTS; v++)
        cr_expect_eq(o.report.verdicts[v], 0, "%zu positions with verdict %d", o.report.verdicts[v],
                     v);
}

/* Two games that differ in the king's last move, of which the glance chooses one at most: mated by
 * either, Black loses nothing that it had before. */
Test(mine, a_mate_at_the_end_is_no_surprise)
{
    path =
        scratch_write("mated.pgn", "[FEN \"3k4/7R/6R1/8/8/8/8/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n"
                                   "1... Kc8 2. Rg8# 1-0\n\n"
                                   "[FEN \"3k4/7R/6R1/8/8/8/8/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n"
                                   "1... Ke8 2. Rg8# 1-0\n");
    struct mine_settings settings = small();
    expect_no_surprise(&settings);
}

/* In two nodes a king's move is valued, but not the next one, after which a pawn can be captured: its
 * score of 0 is none. The glance chooses one of the two moves at most. */
Test(mine, a_glance_without_a_value_surprises_nobody)
{
    path = scratch_write("lost.pgn", "[FEN \"3q3k/8/8/8/8/8/7P/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n"
                                     "1. Ka2 Qd6 0-1\n\n"
                                     "[FEN \"3q3k/8/8/8/8/8/7P/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n"
                                     "1. Kb1 Qd6 0-1\n");
    struct mine_settings settings = small();
    settings.glance = 2;
    expect_no_surprise(&settings);
}

Test(mine, a_stop_ends_it_without_failure)
{
    const volatile sig_atomic_t stop = 1;
    path = write_games("games.pgn", 1, 10);
    struct mine_settings settings = small();
    settings.stop = &stop;
    struct outcome o = mined_from(&settings);
    cr_expect_eq(o.found.count, 0);
    cr_expect_eq(o.report.games, 0);
}

static void expect_nothing_shared(const struct dataset *a, const struct dataset *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            cr_expect_neq(a->items[i].game, b->items[j].game);
            cr_expect_neq(a->items[i].position.key, b->items[j].position.key);
        }
}

/* The suite of our engine, in two halves of the same size, and that of Stockfish. */
Test(mine, the_suites_in_data_share_nothing)
{
    const struct dataset train = drawn_own("tactics-train.epd", EPD_NEED_BEST),
                         held_out = drawn_own("tactics-held-out.epd", EPD_NEED_BEST),
                         other = drawn_own("tactics-stockfish.epd", EPD_NEED_BEST);
    cr_expect_eq(train.count, held_out.count);
    cr_expect_geq(train.count, 200);
    cr_expect_geq(other.count, 100);
    expect_nothing_shared(&train, &held_out);
    expect_nothing_shared(&train, &other);
    expect_nothing_shared(&held_out, &other);
    for (size_t i = 0; i < other.count; i++)
        cr_expect(other.items[i].has_score && other.items[i].best_count == 1);
}
