/* Drawing positions: who is to move, what may be drawn, nothing twice, the same with one seed. */
#include "leaf_model.h"
#include "random_games.h"
#include "sample.h"
#include "scratch.h"

static char directory[SCRATCH_PATH];

static void begin(void)
{
    scratch_begin(directory);
}

static void end(void)
{
    scratch_end(directory);
}

TestSuite(sample, .init = begin, .fini = end);

/* Games of random moves, `count` of them, decided in turn for White, Black and neither. */
static void write_games(const char *name, uint64_t seed, int count, char path[SCRATCH_PATH])
{
    scratch_write(directory, name, "", path);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < count; i++) {
        static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};
        fprintf(file,
                "[Event \"e\"]\n[Date \"%d.0%d.??\"]\n[White \"Wh\xc3\xafte \\\"W\\\", A\"]\n"
                "[Black \"B%d\"]\n[Result \"%s\"]\n[WhiteElo \"%d\"]\n[BlackElo \"2700\"]\n\n",
                2000 + i % 20, 1 + i % 9, i, results[i % 3], 2500 + i % 200);
        random_moves_write(file, seed, i, 60);
        fprintf(file, "%s\n\n", results[i % 3]);
    }
    cr_assert_eq(fclose(file), 0);
}

/* What a draw gives, as a caller sees it. */
struct outcome {
    struct dataset positions;
    struct sample_report report;
    struct error err;
    bool good;
};

static struct outcome drawn(const char *const *paths, int path_count,
                            const struct sample_settings *settings, const struct dataset *exclude)
{
    struct outcome o = {.err = {""}};
    o.good = sample_positions(paths, path_count, settings, exclude, NULL, NULL, &o.positions,
                              &o.report, &o.err);
    return o;
}

static struct outcome drawn_from(const char *path, const struct sample_settings *settings)
{
    struct outcome o = drawn(&path, 1, settings, NULL);
    cr_assert(o.good, "%s", o.err.text);
    return o;
}

/* Whether two datasets hold the same lines in the same order. */
static bool same(const struct dataset *a, const struct dataset *b)
{
    char left[512], right[512];
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++) {
        epd_format(&a->items[i], left, sizeof left);
        epd_format(&b->items[i], right, sizeof right);
        equal = strcmp(left, right) == 0;
    }
    return equal;
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* How many of the n keys are also among the m; with `b` NULL, how many are there already. */
static size_t count_keys(uint64_t *a, size_t n, uint64_t *b, size_t m)
{
    size_t common = 0;
    qsort(a, n, sizeof *a, compare_keys);
    if (b != NULL)
        qsort(b, m, sizeof *b, compare_keys);
    for (size_t i = 0; i < n; i++)
        if (b != NULL)
            common += bsearch(&a[i], b, m, sizeof *b, compare_keys) != NULL;
        else
            common += i > 0 && a[i] == a[i - 1];
    return common;
}

/* How many positions and games of `a` are in `b` or, if both are the same, occur again. */
static void count_common(const struct dataset *a, const struct dataset *b, size_t *positions,
                         size_t *games)
{
    static uint64_t keys[2][2][25000];
    const struct dataset *const sets[2] = {a, b};
    for (int set = 0; set < 2; set++)
        for (size_t i = 0; i < sets[set]->count; i++) {
            keys[0][set][i] = sets[set]->items[i].position.key;
            keys[1][set][i] = sets[set]->items[i].game;
        }
    *positions = count_keys(keys[0][0], a->count, a == b ? NULL : keys[0][1], b->count);
    *games = count_keys(keys[1][0], a->count, a == b ? NULL : keys[1][1], b->count);
}

Test(sample, the_winner_is_to_move_and_has_a_choice)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 300, path);
    struct outcome o = drawn_from(path, &(struct sample_settings){.seed = 1, .winner = true});
    cr_assert_eq(o.report.games, 300u);
    cr_assert_eq(o.report.filtered, 100u);
    cr_assert_eq(o.positions.count, 200u);
    for (size_t i = 0; i < o.positions.count; i++) {
        const struct epd *e = &o.positions.items[i];
        int number = -1;
        cr_assert_eq(sscanf(strstr(e->id, "-B"), "-B%d", &number), 1, "%s", e->id);
        cr_assert_eq(e->position.side, number % 3 == 0 ? WHITE : BLACK);
        cr_assert_eq(e->best_count, 1);
        cr_assert(movegen_is_legal(&e->position, e->best[0]));
        cr_assert_geq(movegen_count(&e->position), 2);
        cr_assert_neq(e->game, 0u);
    }
    dataset_free(&o.positions);
}

Test(sample, the_id_is_short_and_fit_for_epd)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 1, path);
    struct outcome o = drawn_from(path, &(struct sample_settings){.seed = 1, .winner = true});
    cr_assert_str_eq(o.positions.items[0].id, "Wh\xc3\xafte 'W'-B0 2000-01");
    dataset_free(&o.positions);
}

Test(sample, either_side_from_any_game)
{
    char path[SCRATCH_PATH];
    int white = 0;
    write_games("games.pgn", 1, 300, path);
    struct outcome o = drawn_from(path, &(struct sample_settings){.seed = 1});
    cr_assert_eq(o.positions.count, 300u);
    for (size_t i = 0; i < 300; i++)
        white += o.positions.items[i].position.side == WHITE;
    cr_assert(white > 110 && white < 190, "%d", white);
    dataset_free(&o.positions);
}

/* Two games of 40 moves each in which every ply can be drawn: over many seeds, each equally often.
 * Chi-square with 19 degrees of freedom: 0.1 % point 43.8. */
/* How many positions there are of a player's moves, all of which must be White's or Black's. */
static size_t count_of_player(const char *path, const char *player, bool winner, enum color side)
{
    const struct sample_settings settings = {.seed = 1, .player = player, .winner = winner};
    struct outcome o = drawn(&path, 1, &settings, NULL);
    size_t count = o.positions.count;
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(o.positions.items[i].position.side, side, "%s", player);
    dataset_free(&o.positions);
    return count;
}

Test(sample, moves_of_one_player)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 45, path);
    cr_expect_eq(count_of_player(path, "b4", false, BLACK), 1u, "B4, and none of B40 to B44");
    cr_expect_eq(count_of_player(path, "Wh\xc3\xafte", false, WHITE), 45u);
    cr_expect_eq(count_of_player(path, "Wh\xc3\xafte", true, WHITE), 15u, "those that White won");
    cr_expect_eq(count_of_player(path, "Wh", false, WHITE), 0u, "a name does not end there");
}

Test(sample, each_ply_is_drawn_equally_often)
{
    char path[SCRATCH_PATH], text[2000] = "[Result \"1-0\"]\n\n";
    int count[20] = {0}, draws = 4000;
    for (int i = 0; i < 5; i++)
        strcat(text, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 ");
    strcat(text, "1-0");
    scratch_write(directory, "game.pgn", text, path);
    for (int seed = 0; seed < draws; seed++) {
        struct outcome o =
            drawn_from(path, &(struct sample_settings){.seed = (uint64_t)seed, .winner = true});
        cr_assert_eq(o.positions.count, 1u);
        count[o.positions.items[0].position.fullmove - 1]++;
        dataset_free(&o.positions);
    }
    double chi = 0, expected = draws / 20.0;
    for (int i = 0; i < 20; i++)
        chi += (count[i] - expected) * (count[i] - expected) / expected;
    cr_assert(chi < 43.8 && chi > 4, "%f", chi);
}

Test(sample, plies_outside_the_range_are_not_drawn)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 300, path);
    struct outcome o = drawn_from(
        path,
        &(struct sample_settings){.seed = 1, .winner = true, .first_ply = 10, .last_ply = 13});
    for (size_t i = 0; i < o.positions.count; i++) {
        int full = o.positions.items[i].position.fullmove;
        cr_assert(full == 6 || full == 7, "move %d", full);
    }
    dataset_free(&o.positions);
    o = drawn_from(path, &(struct sample_settings){.seed = 1, .winner = true, .first_ply = 60});
    cr_assert_eq(o.positions.count, 0u);
    cr_assert_eq(o.report.without_position, 200u);
}

Test(sample, forced_and_null_moves_are_not_drawn)
{
    char path[SCRATCH_PATH];
    scratch_write(directory, "game.pgn",
                  "[Result \"1-0\"]\n[FEN \"7k/8/8/8/8/8/5q2/7K w - - 0 1\"]\n\n1. -- Kh7 1-0\n\n"
                  "[Result \"1-0\"]\n[FEN \"7k/8/8/8/8/8/6q1/7K w - - 0 1\"]\n\n1. Kxg2 1-0\n\n"
                  "[Result \"0-1\"]\n\n1. e4 0-1\n",
                  path);
    struct outcome o = drawn_from(path, &(struct sample_settings){.seed = 1, .winner = true});
    cr_assert_eq(o.positions.count, 0u);
    cr_assert_eq(o.report.without_position, 3u);
}

Test(sample, a_seed_decides_the_draw)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 300, path);
    struct sample_settings settings = {.seed = 5, .winner = true, .count = 100};
    struct outcome a = drawn_from(path, &settings), b = drawn_from(path, &settings);
    settings.seed = 6;
    struct outcome c = drawn_from(path, &settings);
    cr_assert(same(&a.positions, &b.positions));
    cr_assert_not(same(&a.positions, &c.positions));
    dataset_free(&a.positions);
    dataset_free(&b.positions);
    dataset_free(&c.positions);
}

/* Whether a draw has a position of this game. */
static bool has_game(const struct dataset *d, uint64_t game)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].game == game)
            return true;
    return false;
}

/* An eighth of the games, the same ones when other games are in the file too, and the rest. */
Test(sample, a_game_is_apart_in_every_file)
{
    char few[SCRATCH_PATH], many[SCRATCH_PATH];
    write_games("few.pgn", 5, 200, few);
    write_games("many.pgn", 5, 800, many); /* has the games of the other */
    const struct sample_settings apart = {.seed = 1, .side = SAMPLE_APART};
    const struct sample_settings rest = {
        .seed = 1, .side = SAMPLE_REST, .average = 3, .per_game = 5};
    struct outcome a = drawn_from(few, &apart), b = drawn_from(many, &apart),
                   c = drawn_from(many, &rest);
    cr_expect(b.positions.count > 70 && b.positions.count < 130, "%zu", b.positions.count);
    cr_expect_eq(c.positions.count, 3 * (800 - b.positions.count));
    for (size_t i = 0; i < a.positions.count; i++)
        cr_expect(has_game(&b.positions, a.positions.items[i].game));
    for (size_t i = 0; i < c.positions.count; i++)
        cr_expect_not(has_game(&b.positions, c.positions.items[i].game));
    dataset_free(&a.positions);
    dataset_free(&b.positions);
    dataset_free(&c.positions);
}

Test(sample, files_may_come_in_any_order_and_overlap)
{
    char first[SCRATCH_PATH], second[SCRATCH_PATH];
    write_games("first.pgn", 1, 150, first);
    write_games("second.pgn", 2, 150, second);
    struct sample_settings settings = {.seed = 5, .winner = true, .count = 100};
    struct outcome a = drawn((const char *[]){first, second}, 2, &settings, NULL);
    struct outcome b = drawn((const char *[]){second, first, second}, 3, &settings, NULL);
    cr_assert(a.good && b.good);
    cr_assert_eq(a.report.duplicate_games, 0u);
    cr_assert_eq(b.report.duplicate_games, 100u);
    cr_assert(same(&a.positions, &b.positions));
    dataset_free(&a.positions);
    dataset_free(&b.positions);
}

Test(sample, parts_and_skips_are_disjoint_draws_of_one_order)
{
    char path[SCRATCH_PATH];
    size_t positions, games;
    write_games("games.pgn", 1, 300, path);
    struct outcome all =
        drawn_from(path, &(struct sample_settings){.seed = 2, .winner = true, .count = 150});
    struct outcome parts = drawn_from(
        path, &(struct sample_settings){.seed = 2, .winner = true, .count = 50, .parts = 3});
    struct outcome skipped = drawn_from(
        path, &(struct sample_settings){.seed = 2, .winner = true, .count = 50, .skip = 100});
    cr_assert(same(&all.positions, &parts.positions));
    struct dataset last = {.items = all.positions.items + 100, .count = 50};
    cr_assert(same(&last, &skipped.positions));
    count_common(&all.positions, &all.positions, &positions, &games);
    cr_assert(positions == 0 && games == 0);
    dataset_free(&all.positions);
    dataset_free(&parts.positions);
    dataset_free(&skipped.positions);
}

Test(sample, a_game_may_give_to_several_parts_but_once_to_each)
{
    char path[SCRATCH_PATH];
    size_t positions, games;
    write_games("games.pgn", 1, 300, path);
    struct outcome o =
        drawn_from(path, &(struct sample_settings){
                             .seed = 2, .winner = true, .count = 120, .parts = 5, .per_game = 4});
    cr_assert_eq(o.positions.count, 600u);
    cr_assert_eq(o.report.rounds, 1u);
    count_common(&o.positions, &o.positions, &positions, &games);
    cr_assert_eq(positions, 0u);
    cr_assert_gt(games, 0u);
    for (size_t part = 0; part < 5; part++) {
        struct dataset d = {.items = o.positions.items + 120 * part, .count = 120};
        count_common(&d, &d, &positions, &games);
        cr_assert_eq(games, 0u, "part %zu", part);
    }
    dataset_free(&o.positions);
}

Test(sample, a_part_larger_than_the_games_takes_rounds)
{
    char path[SCRATCH_PATH];
    size_t positions, games;
    write_games("games.pgn", 1, 300, path);
    struct outcome o = drawn_from(
        path, &(struct sample_settings){.seed = 2, .winner = true, .count = 450, .per_game = 3});
    cr_assert_eq(o.report.rounds, 3u);
    count_common(&o.positions, &o.positions, &positions, &games);
    cr_assert_eq(positions, 0u);
    for (size_t from = 0; from < 450; from += 200) {
        struct dataset d = {.items = o.positions.items + from, .count = from < 400 ? 200 : 50};
        count_common(&d, &d, &positions, &games);
        cr_assert_eq(games, 0u, "from %zu", from);
    }
    dataset_free(&o.positions);
}

/* Four games give three positions each to four parts, whatever the order of the shuffles, which come
 * in the middle of a part. */
Test(sample, all_that_games_may_give_is_drawn)
{
    char path[SCRATCH_PATH];
    scratch_write(directory, "games.pgn", "", path);
    random_games_write(path, 1, 4, 30, 1);
    const char *const paths[] = {path};
    for (uint64_t seed = 0; seed < 600; seed++) {
        const struct sample_settings settings = {
            .seed = seed, .count = 3, .parts = 4, .per_game = 3};
        struct outcome o = drawn(paths, 1, &settings, NULL);
        cr_expect(o.good && o.positions.count == 12, "seed %d: %zu; %s", (int)seed,
                  o.positions.count, o.err.text);
        dataset_free(&o.positions);
    }
}

Test(sample, too_few_positions_fail)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 30, path);
    const char *const paths[] = {path};
    struct outcome o =
        drawn(paths, 1, &(struct sample_settings){.seed = 1, .winner = true, .count = 21}, NULL);
    cr_assert_not(o.good);
    cr_assert(strstr(o.err.text, "20 of 21") != NULL, "%s", o.err.text);
    dataset_free(&o.positions);
    o = drawn(paths, 1, &(struct sample_settings){.winner = true, .count = 15, .parts = 2}, NULL);
    cr_assert_not(o.good);
    cr_assert(strstr(o.err.text, "part 2: ") != NULL, "%s", o.err.text);
    dataset_free(&o.positions);
}

/* Where fewer do, none do not: of no game, or of games without a ply to draw. */
Test(sample, fewer_is_not_none)
{
    char path[SCRATCH_PATH];
    write_games("games.pgn", 1, 3, path);
    const char *const paths[] = {path};
    struct sample_settings settings = {.seed = 1, .fewer = true, .average = 2, .per_game = 4};
    for (int way = 0; way < 4; way++) {
        settings.first_ply = way % 2 == 0 ? 0 : 500;
        settings.average = way < 2 ? 2 : 0; /* 0: one from every game */
        struct outcome o = drawn(paths, 1, &settings, NULL);
        cr_expect_eq(o.good, way % 2 == 0, "way %d", way);
        cr_expect(o.good || strstr(o.err.text, "no position is left to draw among 0 games"), "%s",
                  o.err.text);
        dataset_free(&o.positions);
    }
}

/* Eleven games with one first move each and no more: ten positions are the same. */
Test(sample, a_position_is_drawn_once)
{
    char path[SCRATCH_PATH], text[2000] = "";
    static const char *const firsts[] = {"a3", "b3", "c3", "d3", "e3",
                                         "f3", "g3", "h3", "a4", "b4"};
    for (int i = 0; i < 10; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "[Result \"1-0\"]\n\n1. %s 1-0\n\n", firsts[i]);
    scratch_write(directory, "games.pgn", text, path);
    struct outcome o = drawn_from(path, &(struct sample_settings){.seed = 1, .winner = true});
    cr_assert_eq(o.positions.count, 1u);
    cr_assert_eq(o.report.duplicate_positions, 9u);
    dataset_free(&o.positions);
}

Test(sample, excluded_games_and_positions_are_not_drawn)
{
    char path[SCRATCH_PATH], epd_path[SCRATCH_PATH], line[512];
    size_t positions, games;
    struct dataset exclude = {0};
    struct error err = {""};
    write_games("games.pgn", 1, 300, path);
    const char *const paths[] = {path};
    struct outcome a =
        drawn_from(path, &(struct sample_settings){.seed = 1, .winner = true, .count = 100});
    scratch_write(directory, "a.epd", "", epd_path);
    FILE *file = fopen(epd_path, "w");
    for (size_t i = 0; i < 100; i++) {
        cr_assert_gt(epd_format(&a.positions.items[i], line, sizeof line), 0);
        fprintf(file, "%s\n", line);
    }
    cr_assert_eq(fclose(file), 0);
    cr_assert(dataset_load(&exclude, epd_path, true, &err), "%s", err.text);
    cr_assert(same(&exclude, &a.positions), "what is written reads back");
    struct outcome b =
        drawn(paths, 1, &(struct sample_settings){.seed = 9, .winner = true}, &exclude);
    cr_assert(b.good);
    cr_assert_eq(b.report.excluded_games, 100u);
    cr_assert_eq(b.positions.count, 100u);
    count_common(&a.positions, &b.positions, &positions, &games);
    cr_assert(positions == 0 && games == 0);
    for (size_t i = 0; i < exclude.count; i++)
        exclude.items[i].game = 0; /* known by the positions only */
    struct outcome c =
        drawn(paths, 1, &(struct sample_settings){.seed = 1, .winner = true}, &exclude);
    cr_assert(c.good);
    cr_assert_geq(c.report.duplicate_positions, 100u);
    count_common(&a.positions, &c.positions, &positions, &games);
    cr_assert_eq(positions, 0u);
    dataset_free(&a.positions);
    dataset_free(&b.positions);
    dataset_free(&c.positions);
    dataset_free(&exclude);
}

static void note_reason(void *context, const char *text)
{
    snprintf(context, 256, "%s", strstr(text, "games.pgn"));
}

Test(sample, broken_games_are_told_and_counted)
{
    char path[SCRATCH_PATH], told[256] = "";
    struct outcome o = {.err = {""}};
    scratch_write(directory, "games.pgn",
                  "[Result \"1-0\"]\n\n1. e4 Ke7 1-0\n\n[Result \"1-0\"]\n\n1. e4 e5 2. d4 1-0\n",
                  path);
    const char *const paths[] = {path};
    cr_assert(sample_positions(paths, 1, &(struct sample_settings){.winner = true}, NULL,
                               note_reason, told, &o.positions, &o.report, &o.err));
    cr_assert(o.report.games == 2 && o.report.broken == 1 && o.report.drawn == 1);
    cr_assert(strncmp(told, "games.pgn:3:7: game 1: \"Ke7\"", 28) == 0, "%s", told);
    dataset_free(&o.positions);
}

Test(sample, a_file_that_is_missing_fails)
{
    const char *const paths[] = {"/nowhere/none.pgn"};
    struct outcome o = drawn(paths, 1, &(struct sample_settings){.winner = true}, NULL);
    cr_assert_not(o.good);
    cr_assert(strstr(o.err.text, "/nowhere/none.pgn") != NULL);
}

/* The project's own data: what data/README.md promises. */
Test(sample, the_projects_own_positions_are_apart)
{
    static const char *const names[] = {"train-1", "train-2", "train-3",
                                        "train-4", "train-5", "held-out"};
    const char *source = getenv("GRAYLING_SOURCE");
    struct dataset d[6] = {0};
    struct error err = {""};
    char path[SCRATCH_PATH];
    cr_assert_not_null(source);
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%.400s/data/%s.epd", source, names[i]);
        cr_assert(dataset_load(&d[i], path, true, &err), "%s", err.text);
        cr_assert_eq(d[i].count, i < 5 ? 5000u : 10000u);
        for (size_t j = 0; j < d[i].count; j++)
            cr_assert(d[i].items[j].best_count == 1 && d[i].items[j].game != 0);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            size_t positions, games;
            count_common(&d[i], &d[j], &positions, &games);
            cr_assert_eq(positions, 0u, "%s and %s", names[i], names[j]);
            cr_assert(games == 0 || (i < 5 && i != j) || (i == 5 && j == 5), "%s and %s", names[i],
                      names[j]);
        }
    for (int i = 0; i < 6; i++)
        dataset_free(&d[i]);
}

/* The positions with results: each has one, of all three kinds and either side, and the held-out
 * ones share neither game nor position with the others. */
Test(sample, the_projects_own_results_are_apart)
{
    static const char *const names[] = {"results-train", "results-held-out"};
    const char *source = getenv("GRAYLING_SOURCE");
    struct dataset d[2] = {0};
    struct error err = {""};
    size_t positions, games;
    cr_assert_not_null(source);
    for (int i = 0; i < 2; i++) {
        char path[SCRATCH_PATH];
        size_t kinds[2][4] = {{0}};
        snprintf(path, sizeof path, "%.400s/data/%s.epd.gz", source, names[i]);
        cr_assert(dataset_load_needed(&d[i], path, EPD_NEED_RESULT, &err), "%s", err.text);
        cr_assert_eq(d[i].count, i == 0 ? 25000u : 10000u);
        for (size_t j = 0; j < d[i].count; j++)
            kinds[d[i].items[j].position.side][d[i].items[j].result]++;
        for (int side = 0; side < 2; side++)
            for (enum pgn_result r = PGN_WHITE_WINS; r <= PGN_DRAW; r++)
                cr_expect_gt(kinds[side][r], d[i].count / 20);
        count_common(&d[i], &d[i], &positions, &games);
        cr_assert_eq(positions, 0u);
        cr_assert(i == 1 || games == 0);
    }
    count_common(&d[0], &d[1], &positions, &games);
    cr_assert(positions == 0 && games == 0);
    dataset_free(&d[0]);
    dataset_free(&d[1]);
}

/* What is kept of the games: their results, both sides to move, in lines that read back. */
Test(sample, results_are_kept_of_both_sides)
{
    char path[SCRATCH_PATH], line[512];
    int sides[2] = {0};
    write_games("games.pgn", 1, 300, path);
    struct outcome o = drawn_from(path, &(struct sample_settings){.seed = 1, .results = true});
    cr_assert_eq(o.positions.count, 300u);
    for (size_t i = 0; i < o.positions.count; i++) {
        static const enum pgn_result results[] = {PGN_WHITE_WINS, PGN_BLACK_WINS, PGN_DRAW};
        const struct epd *e = &o.positions.items[i];
        struct epd again;
        int number = -1;
        cr_assert_eq(sscanf(strstr(e->id, "-B"), "-B%d", &number), 1, "%s", e->id);
        cr_assert_eq(e->result, results[number % 3]);
        cr_assert_gt(epd_format(e, line, sizeof line), 0);
        cr_assert(epd_parse(line, &again, NULL));
        cr_assert_eq(again.result, e->result);
        sides[e->position.side]++;
    }
    cr_assert(sides[0] > 100 && sides[1] > 100, "%d and %d", sides[0], sides[1]);
    dataset_free(&o.positions);
}

/* A game without a result has none to keep; drawn without results, it counts. */
Test(sample, a_game_without_a_result_is_not_wanted_then)
{
    char path[SCRATCH_PATH];
    scratch_write(directory, "open.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 d5 2. c4 1-0\n", path);
    struct outcome all = drawn_from(path, &(struct sample_settings){.seed = 1});
    struct outcome some = drawn_from(path, &(struct sample_settings){.seed = 1, .results = true});
    cr_assert_eq(all.positions.count, 2u);
    cr_assert_eq(all.positions.items[0].result, PGN_UNKNOWN);
    cr_assert_eq(some.positions.count, 1u);
    cr_assert_eq(some.report.filtered, 1u);
    dataset_free(&all.positions);
    dataset_free(&some.positions);
}

/* A quiet position has the value of its own evaluation, whatever the weights; others are drawn
 * where quiet ones are not asked for. */
Test(sample, quiet_positions_are_worth_what_the_evaluation_says)
{
    char path[SCRATCH_PATH];
    size_t loud[2] = {0};
    write_games("games.pgn", 2, 300, path);
    for (int quiet = 0; quiet <= 1; quiet++) {
        struct outcome o =
            drawn_from(path, &(struct sample_settings){.seed = 1, .quiet = quiet != 0});
        const struct evaluation e = evaluation_initial();
        for (size_t i = 0; i < o.positions.count; i++) {
            const struct position *p = &o.positions.items[i].position;
            loud[quiet] += leaf_model(p, &e) != evaluation_exact(&e, p);
        }
        cr_assert_gt(o.positions.count, 290u);
        dataset_free(&o.positions);
    }
    cr_assert_gt(loud[0], 20u);
    cr_assert_eq(loud[1], 0u);
}
