/* Drawing positions: who is to move, what may be drawn, nothing twice, the same with one seed. */
#include "drawn.h"
#include "key_set.h"
#include "leaf_model.h"
#include "sample.h"

#include <math.h>

/* Games of random moves, `count` of them, decided in turn for White, Black and neither. */
static const char *write_games(const char *name, uint64_t seed, int count)
{
    const char *written = scratch_path(name);
    FILE *file = fopen(written, "w");
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
    return written;
}

static void begin(void)
{
    scratch_begin();
    path = write_games("games.pgn", 1, 300);
}

TestSuite(sample, .init = begin, .fini = drawn_end);

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
    const struct game_list_watcher nobody = {0};
    o.good = sample_positions(paths, path_count, settings, exclude, &nobody, &o.positions,
                              &o.report, &o.err);
    return o;
}

/* A draw from one file, which must succeed. */
static struct outcome drawn_from(const char *file, const struct sample_settings *settings)
{
    struct outcome o = drawn(&file, 1, settings, NULL);
    cr_assert(o.good, "%s", o.err.text);
    drawn_keep(o.positions);
    return o;
}

/* A draw from the games, by these settings. */
#define DRAWN(...) drawn_from(path, &(struct sample_settings){__VA_ARGS__})

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

/* How many positions and games of `a` are in `b` or, if both are the same, occur again. */
struct common {
    size_t positions, games;
};

static struct common common(const struct dataset *a, const struct dataset *b)
{
    struct common c = {0};
    struct key_set keys[2] = {{0}};
    for (size_t i = 0; a != b && i < b->count; i++)
        cr_assert(key_set_add(&keys[0], b->items[i].position.key) &&
                  key_set_add(&keys[1], b->items[i].game));
    for (size_t i = 0; i < a->count; i++) {
        const uint64_t key = a->items[i].position.key, game = a->items[i].game;
        c.positions += key_set_has(&keys[0], key);
        c.games += key_set_has(&keys[1], game);
        if (a == b)
            cr_assert(key_set_add(&keys[0], key) && key_set_add(&keys[1], game));
    }
    key_set_free(&keys[0]);
    key_set_free(&keys[1]);
    return c;
}

/* Whether nothing is in both or, if both are the same, twice: no position, and no game. */
static bool are_apart(const struct dataset *a, const struct dataset *b)
{
    const struct common c = common(a, b);
    return c.positions == 0 && c.games == 0;
}

Test(sample, the_winner_is_to_move_and_has_a_choice)
{
    struct outcome o = DRAWN(.seed = 1, .winner = true);
    cr_assert_eq(o.report.read.games, 300u);
    cr_assert_eq(o.report.read.filtered, 100u);
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
        cr_assert(number > 0 || strcmp(e->id, "Wh\xc3\xafte 'W'-B0 2000-01") == 0, "%s", e->id);
    }
}

/* How many positions there are of a player's moves, all of which must be White's or Black's. */
static size_t count_of_player(const char *player, bool winner, enum color side)
{
    const struct sample_settings settings = {.seed = 1, .player = player, .winner = winner};
    struct outcome o = drawn(&(const char *){path}, 1, &settings, NULL);
    size_t count = o.positions.count;
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(o.positions.items[i].position.side, side, "%s", player);
    dataset_free(&o.positions);
    return count;
}

Test(sample, moves_of_one_player)
{
    path = write_games("games.pgn", 1, 45);
    cr_expect_eq(count_of_player("b4", false, BLACK), 1u, "B4, and none of B40 to B44");
    cr_expect_eq(count_of_player("Wh\xc3\xafte", false, WHITE), 45u);
    cr_expect_eq(count_of_player("Wh\xc3\xafte", true, WHITE), 15u, "those that White won");
    cr_expect_eq(count_of_player("Wh", false, WHITE), 0u, "a name does not end there");
}

/* A game of 40 moves in which every ply can be drawn: over many seeds, each equally often. Chi-square with 19
 * degrees of freedom: 0.1 % point 43.8. */
Test(sample, each_ply_is_drawn_equally_often)
{
    char text[2000] = "[Result \"1-0\"]\n\n";
    int count[20] = {0}, draws = 4000;
    for (int i = 0; i < 5; i++)
        strcat(text, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 ");
    strcat(text, "1-0");
    path = scratch_write("game.pgn", text);
    for (int seed = 0; seed < draws; seed++) {
        const struct sample_settings settings = {.seed = (uint64_t)seed, .winner = true};
        struct outcome o = drawn(&(const char *){path}, 1, &settings, NULL);
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
    struct outcome o = DRAWN(.seed = 1, .winner = true, .first_ply = 10, .last_ply = 13);
    for (size_t i = 0; i < o.positions.count; i++) {
        int full = o.positions.items[i].position.fullmove;
        cr_assert(full == 6 || full == 7, "move %d", full);
    }
    o = DRAWN(.seed = 1, .winner = true, .first_ply = 60);
    cr_assert_eq(o.positions.count, 0u);
    cr_assert_eq(o.report.without_position, 200u);
}

Test(sample, forced_and_null_moves_are_not_drawn)
{
    path = scratch_write(
        "game.pgn", "[Result \"1-0\"]\n[FEN \"7k/8/8/8/8/8/5q2/7K w - - 0 1\"]\n\n1. -- Kh7 1-0\n\n"
                    "[Result \"1-0\"]\n[FEN \"7k/8/8/8/8/8/6q1/7K w - - 0 1\"]\n\n1. Kxg2 1-0\n\n"
                    "[Result \"0-1\"]\n\n1. e4 0-1\n");
    struct outcome o = DRAWN(.seed = 1, .winner = true);
    cr_assert_eq(o.positions.count, 0u);
    cr_assert_eq(o.report.without_position, 3u);
}

Test(sample, a_seed_decides_the_draw)
{
    struct sample_settings settings = {.seed = 5, .winner = true, .count = 100};
    struct outcome a = drawn_from(path, &settings), b = drawn_from(path, &settings);
    settings.seed = 6;
    struct outcome c = drawn_from(path, &settings);
    cr_assert(same(&a.positions, &b.positions));
    cr_assert_not(same(&a.positions, &c.positions));
}

/* An eighth of the games, the same ones when other games are in the file too, and the rest. */
Test(sample, a_game_is_apart_in_every_file)
{
    const char *few = write_games("few.pgn", 5, 200);
    const char *many = write_games("many.pgn", 5, 800); /* has the games of the other */
    const struct sample_settings apart = {.seed = 1, .side = SAMPLE_APART};
    const struct sample_settings rest = {
        .seed = 1, .side = SAMPLE_REST, .average = 3, .per_game = 5};
    struct outcome a = drawn_from(few, &apart), b = drawn_from(many, &apart),
                   c = drawn_from(many, &rest);
    cr_expect(b.positions.count > 70 && b.positions.count < 130, "%zu", b.positions.count);
    cr_expect_eq(c.positions.count, 3 * (800 - b.positions.count));
    cr_expect_eq(common(&a.positions, &b.positions).games, a.positions.count);
    cr_expect_eq(common(&c.positions, &b.positions).games, 0u);
}

Test(sample, files_may_come_in_any_order_and_overlap)
{
    const char *first = write_games("first.pgn", 1, 150);
    const char *second = write_games("second.pgn", 2, 150);
    struct sample_settings settings = {.seed = 5, .winner = true, .count = 100};
    struct outcome a = drawn((const char *[]){first, second}, 2, &settings, NULL);
    struct outcome b = drawn((const char *[]){second, first, second}, 3, &settings, NULL);
    cr_assert(a.good && b.good);
    cr_assert_eq(a.report.read.twice, 0u);
    cr_assert_eq(b.report.read.twice, 100u);
    cr_assert(same(&a.positions, &b.positions));
    dataset_free(&a.positions);
    dataset_free(&b.positions);
}

Test(sample, parts_and_skips_are_disjoint_draws_of_one_order)
{
    struct outcome all = DRAWN(.seed = 2, .winner = true, .count = 150);
    struct outcome parts = DRAWN(.seed = 2, .winner = true, .count = 50, .parts = 3);
    struct outcome skipped = DRAWN(.seed = 2, .winner = true, .count = 50, .skip = 100);
    cr_assert(same(&all.positions, &parts.positions));
    struct dataset last = {.items = all.positions.items + 100, .count = 50};
    cr_assert(same(&last, &skipped.positions));
    cr_assert(are_apart(&all.positions, &all.positions));
}

Test(sample, a_game_may_give_to_several_parts_but_once_to_each)
{
    struct outcome o = DRAWN(.seed = 2, .winner = true, .count = 120, .parts = 5, .per_game = 4);
    cr_assert_eq(o.positions.count, 600u);
    cr_assert_eq(o.report.rounds, 1u);
    const struct common again = common(&o.positions, &o.positions);
    cr_assert(again.positions == 0 && again.games > 0);
    for (size_t part = 0; part < 5; part++) {
        struct dataset d = {.items = o.positions.items + 120 * part, .count = 120};
        cr_assert_eq(common(&d, &d).games, 0u, "part %zu", part);
    }
}

Test(sample, a_part_larger_than_the_games_takes_rounds)
{
    struct outcome o = DRAWN(.seed = 2, .winner = true, .count = 450, .per_game = 3);
    cr_assert_eq(o.report.rounds, 3u);
    cr_assert_eq(common(&o.positions, &o.positions).positions, 0u);
    for (size_t from = 0; from < 450; from += 200) {
        struct dataset d = {.items = o.positions.items + from, .count = from < 400 ? 200 : 50};
        cr_assert_eq(common(&d, &d).games, 0u, "from %zu", from);
    }
}

/* Four games give three positions each to four parts, whatever the order of the shuffles, which come
 * in the middle of a part. */
Test(sample, all_that_games_may_give_is_drawn)
{
    path = random_games_write("games.pgn", 1, 4, 30, 1);
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
    path = write_games("games.pgn", 1, 30);
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
    path = write_games("games.pgn", 1, 3);
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
    char text[2000] = "";
    static const char *const firsts[] = {"a3", "b3", "c3", "d3", "e3",
                                         "f3", "g3", "h3", "a4", "b4"};
    for (int i = 0; i < 10; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "[Result \"1-0\"]\n\n1. %s 1-0\n\n", firsts[i]);
    path = scratch_write("games.pgn", text);
    struct outcome o = DRAWN(.seed = 1, .winner = true);
    cr_assert_eq(o.positions.count, 1u);
    cr_assert_eq(o.report.duplicate_positions, 9u);
}

Test(sample, excluded_games_and_positions_are_not_drawn)
{
    const char *epd_path = scratch_path("a.epd");
    char line[512];
    struct dataset exclude = {0};
    struct error err = {""};
    const char *const paths[] = {path};
    struct outcome a = DRAWN(.seed = 1, .winner = true, .count = 100);
    FILE *file = fopen(epd_path, "w");
    for (size_t i = 0; i < 100; i++) {
        cr_assert_gt(epd_format(&a.positions.items[i], line, sizeof line), 0);
        fprintf(file, "%s\n", line);
    }
    cr_assert_eq(fclose(file), 0);
    MUST(dataset_load(&exclude, epd_path, EPD_ANY, &err));
    cr_assert(same(&exclude, &a.positions), "what is written reads back");
    struct outcome b =
        drawn(paths, 1, &(struct sample_settings){.seed = 9, .winner = true}, &exclude);
    cr_assert(b.good);
    cr_assert_eq(b.report.excluded_games, 100u);
    cr_assert_eq(b.positions.count, 100u);
    cr_assert(are_apart(&a.positions, &b.positions));
    for (size_t i = 0; i < exclude.count; i++)
        exclude.items[i].game = 0; /* known by the positions only */
    struct outcome c =
        drawn(paths, 1, &(struct sample_settings){.seed = 1, .winner = true}, &exclude);
    cr_assert(c.good);
    cr_assert_geq(c.report.duplicate_positions, 100u);
    cr_assert_eq(common(&a.positions, &c.positions).positions, 0u);
    dataset_free(&b.positions);
    dataset_free(&c.positions);
    dataset_free(&exclude);
}

/* The project's own data: what data/README.md promises. */
Test(sample, the_projects_own_positions_are_apart)
{
    static const char *const names[] = {"train-1.epd", "train-2.epd", "train-3.epd",
                                        "train-4.epd", "train-5.epd", "held-out.epd"};
    struct dataset d[6];
    for (int i = 0; i < 6; i++) {
        d[i] = drawn_own(names[i], EPD_NEED_BEST);
        cr_assert_eq(d[i].count, i < 5 ? 5000u : 10000u, "%s", names[i]);
        for (size_t j = 0; j < d[i].count; j++)
            cr_assert(d[i].items[j].best_count == 1 && d[i].items[j].game != 0);
        for (int j = 0; j <= i; j++) {
            const struct common c = common(&d[i], &d[j]);
            cr_assert_eq(c.positions, 0u, "%s and %s", names[i], names[j]);
            cr_assert(c.games == 0 || (i < 5 && i != j) || (i == 5 && j == 5), "%s and %s",
                      names[i], names[j]);
        }
    }
}

/* The positions with results: each has one, of all three kinds and either side, and the held-out
 * ones share neither game nor position with the others. */
Test(sample, the_projects_own_results_are_apart)
{
    const struct dataset d[2] = {drawn_own("results-train.epd.zst", EPD_NEED_RESULT),
                                 drawn_own("results-held-out.epd.zst", EPD_NEED_RESULT)};
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(d[i].count, i == 0 ? 25000u : 10000u);
        size_t kinds[2][4] = {{0}};
        for (size_t j = 0; j < d[i].count; j++)
            kinds[d[i].items[j].position.side][d[i].items[j].result]++;
        for (int side = 0; side < 2; side++)
            for (enum pgn_result r = PGN_WHITE_WINS; r <= PGN_DRAW; r++)
                cr_expect_gt(kinds[side][r], d[i].count / 20);
        const struct common c = common(&d[i], &d[i]);
        cr_assert(c.positions == 0 && (i == 1 || c.games == 0));
    }
    cr_assert(are_apart(&d[0], &d[1]));
}

/* What is kept of the games: their results, both sides to move, in lines that read back. */
Test(sample, results_are_kept_of_both_sides)
{
    char line[512];
    int sides[2] = {0};
    struct outcome o = DRAWN(.seed = 1, .results = true);
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
}

/* Three times of four, White wins at +1.00, which Black calls -0.50: both are worth K ln 3. */
Test(sample, scores_of_all_players_have_one_unit)
{
    path = scratch_write("scored.pgn",
                         "[White \"a\"]\n[Black \"b\"]\n\n1. e4 {+1.00/5} e5 {-0.50/5} 1-0\n\n"
                         "[White \"a\"]\n[Black \"b\"]\n\n1. d4 {+1.00/5} e5 {-0.50/5} 1-0\n\n"
                         "[White \"a\"]\n[Black \"b\"]\n\n1. c4 {+1.00/5} e5 {-0.50/5} 1-0\n\n"
                         "[White \"a\"]\n[Black \"b\"]\n\n1. b4 {+1.00/5} e5 {-0.50/5} 0-1\n");
    struct outcome o = DRAWN(.seed = 1, .results = true, .per_game = 2, .count = 5);
    for (size_t i = 0; i < 5; i++) {
        const struct epd *e = &o.positions.items[i];
        cr_expect(e->has_score);
        cr_expect_float_eq(e->score, (e->position.side == WHITE ? 1 : -1) * EPD_SCORE_K * log(3),
                           4);
    }
}

/* A game without a result has none to keep; drawn without results, it counts. */
Test(sample, a_game_without_a_result_is_not_wanted_then)
{
    path = scratch_write("open.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 d5 2. c4 1-0\n");
    struct outcome all = DRAWN(.seed = 1);
    struct outcome some = DRAWN(.seed = 1, .results = true);
    cr_assert_eq(all.positions.count, 2u);
    cr_assert_eq(all.positions.items[0].result, PGN_UNKNOWN);
    cr_assert_eq(some.positions.count, 1u);
    cr_assert_eq(some.report.read.filtered, 1u);
}

/* A quiet position has the value of its own evaluation, whatever the weights; others are drawn
 * where quiet ones are not asked for. */
Test(sample, quiet_positions_are_worth_what_the_evaluation_says)
{
    size_t loud[2] = {0};
    path = write_games("games.pgn", 2, 300);
    for (int quiet = 0; quiet <= 1; quiet++) {
        struct outcome o = DRAWN(.seed = 1, .quiet = quiet != 0);
        const struct evaluation e = evaluation_initial();
        for (size_t i = 0; i < o.positions.count; i++) {
            const struct position *p = &o.positions.items[i].position;
            loud[quiet] += leaf_model(p, &e) != evaluation_exact(&e, p);
        }
        cr_assert_gt(o.positions.count, 290u);
    }
    cr_assert_gt(loud[0], 20u);
    cr_assert_eq(loud[1], 0u);
}
