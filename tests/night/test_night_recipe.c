/* The recipe of a night: what it says comes back from its text, and each mistake is named. */
#include "night_recipe.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The least stages that evolve, spelled out. */
#define EVOLVE                                                                                     \
    "  evolve:\n    runs: 3\n    recipe: |\n      name: e\n      data: {train: [a.epd]}\n"
#define SEARCH                                                                                     \
    "  search:\n    evaluation: evolve\n    share: 2.5\n    recipe: |\n      name: s\n"            \
    "      phase: search\n      data: {train: [a.epd]}\n"
#define NIGHT "name: n\nphase: night\nhours: 2\nstages:\n" EVOLVE

/* A stage with the name of a word. */
#define RANDOM "  random:\n    recipe: |\n      name: r\n      data: {train: [a.epd]}\n"

static struct night_recipe night;
static struct error err;

static bool read_text(const char *text)
{
    return night_recipe_from_text("n.yaml", text, &night, &err);
}

Test(night_recipe, text_reads_back_as_the_same_recipe)
{
    cr_assert(read_text(NIGHT SEARCH
                        "  match:\n    games: 10\n    limit: 7\n    openings: book.epd\n"
                        "    players:\n      A \"quoted\": {evaluation: evolve, search: search}\n"
                        "      b: {evaluation: random}\n"),
              "%s", err.text);
    char *text = night_recipe_text(&night);
    cr_assert_not_null(text);
    night_recipe_free(&night);
    cr_assert(read_text(text), "%s\n%s", err.text, text);
    char *again = night_recipe_text(&night);
    cr_assert_str_eq(text, again);
    cr_assert_eq(night.stage_count, 3);
    cr_assert_eq(night.stages[0].runs, 3);
    cr_assert_str_eq(night.stages[1].evaluation, "evolve");
    cr_assert_float_eq(night.stages[1].share, 2.5, 1e-12);
    cr_assert_eq(night.stages[1].recipe->phase, PHASE_SEARCH);
    cr_assert(night.stages[2].is_match);
    cr_assert_eq(night.stages[2].games, 10);
    cr_assert_str_eq(night.stages[2].players[0].name, "A \"quoted\"");
    cr_assert_str_eq(night.stages[2].players[1].search, NIGHT_PLAIN);
    free(text);
    free(again);
    night_recipe_free(&night);
}

/* The least stages of a night that learns from its games. */
#define GAMES                                                                                      \
    "  games:\n    win_score: 900\n    openings: book.epd\n"                                       \
    "    players: {a: {evaluation: evolve}, b: {evaluation: random}}\n"
#define LEARN      "  learn:\n    results: games\n    recipe: |\n      name: l\n"
#define BY_RESULTS "      fitness: {measure: results}\n"
#define PLAY                                                                                       \
    "  play:\n    recipe: |\n      name: p\n      phase: coevolution\n"                            \
    "      data: {openings: book.epd}\n      fitness: {measure: games}\n"

Test(night_recipe, a_stage_learns_from_the_games_of_matches)
{
    cr_assert(
        read_text(
            NIGHT GAMES
            "  more:\n    openings: book.epd\n"
            "    players: {a: {evaluation: evolve}, b: {evaluation: random}}\n" LEARN BY_RESULTS
            "  learn-more:\n    results: [games, more]\n    recipe: |\n"
            "      name: l\n" BY_RESULTS PLAY
            "  learn-play:\n    results: play\n    recipe: |\n      name: l\n" BY_RESULTS),
        "%s", err.text);
    char *text = night_recipe_text(&night);
    night_recipe_free(&night);
    cr_assert(text != NULL && read_text(text), "%s\n%s", err.text, text);
    const struct night_stage *s = night.stages;
    cr_assert_eq(s[1].win_score, 900);
    cr_assert(s[1].keeps && s[2].keeps, "what is learned from is kept");
    cr_assert(s[3].result_count == 1 && s[4].result_count == 2);
    cr_assert_str_eq(s[3].results[0], "games");
    cr_assert_str_eq(s[4].results[1], "more");
    cr_assert_eq(s[3].recipe->train_count, 0);
    cr_assert(s[3].evolves_evaluation);
    cr_assert(night_stage_learns(&s[4], &s[2]) && !night_stage_learns(&s[4], &s[0]));
    cr_assert(s[5].recipe->keep == 1 && s[5].keeps && night_stage_learns(&s[6], &s[5]));
    free(text);
    night_recipe_free(&night);
}

Test(night_recipe, a_stage_of_a_comparison_may_be_named_as_a_word)
{
    cr_assert(read_text(NIGHT RANDOM), "%s", err.text);
    cr_assert_str_eq(night.stages[1].name, NIGHT_RANDOM);
    night_recipe_free(&night);
}

Test(night_recipe, each_mistake_is_named_with_its_place)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"phase: night\nstages:\n" EVOLVE, "name: missing; the name of the run"},
        {"name: n\nphase: night\n", "stages: missing; at least one is needed"},
        {"name: n\nphase: night\nhours: 0\nstages:\n" EVOLVE,
         "n.yaml:3:1: hours: '0' is wrong; expected a number from 0.001 to 10000"},
        {"name: n\nphase: night\nstages:\n  Evolve: {recipe: x}\n",
         "the name of a stage has lower-case"},
        {NIGHT "  b: {recipe: x.yaml, set: {data: {train: a}}}\n", "expected keys inside: name"},
        {NIGHT "  b: {seeds: evolve}\n", "n.yaml:10:3: stages.b: a stage needs a recipe"},
        {NIGHT GAMES LEARN "      data: {train: [a.epd]}\n", "results: the recipe does not learn"},
        {NIGHT GAMES LEARN BY_RESULTS "      data: {train: [a.epd]}\n", "leave out its data.train"},
        {NIGHT LEARN BY_RESULTS, "n.yaml:11:5: stages.learn.results: 'games' is not an earlier"},
        {NIGHT GAMES "  learn:\n    results: [games, games]\n    recipe: |\n"
                     "      name: l\n" BY_RESULTS,
         "'games' stands there twice"},
        {NIGHT GAMES "  learn:\n    results: {a: games}\n    recipe: |\n"
                     "      name: l\n" BY_RESULTS,
         "expected the name of an earlier stage of games, or a list of names"},
        {NIGHT "  b:\n    search: evolve\n    recipe: |\n      name: l\n      data: {train: a}\n",
         "the stage evolve evolves an evaluation; expected one that evolves a search"},
        {NIGHT "  b: {seds: evolve, recipe: x}\n", "unknown key; did you mean seeds?"},
        {NIGHT "  m: {openings: b, players: {a: {evaluation: random}}}\n",
         "a match needs two players or more"},
        {NIGHT "  m: {players: {a: {evaluation: random}, b: {evaluation: random}}}\n",
         "a match needs openings"},
        {NIGHT "  m: {openings: b, players: {a: {search: evolve, evaluation: random}}}\n",
         "the stage evolve evolves an evaluation; expected one that evolves a search"},
        {NIGHT "  m: {openings: b, players: {a: {search: plain}}}\n",
         "a player needs an evaluation"},
        {NIGHT "  search: {evaluation: later, recipe: \"name: s\\nphase: search\\n"
               "data: {train: a}\\n\"}\n",
         "'later' is not an earlier stage that evolves"},
        {NIGHT "  evolve-2:\n    recipe: |\n      name: l\n      data: {train: [a.epd]}\n",
         "n.yaml:6:5: stages.evolve.runs: run 2 of the stage evolve is named evolve-2, as another"},
        {NIGHT RANDOM "  m: {openings: b, players: {a: {evaluation: evolve}, "
                      "b: {evaluation: random}}}\n",
         "stages.m.players.b.evaluation: 'random' may be the stage of this name, or the word for a "
         "random evaluation; rename the stage"},
        {NIGHT
         "  m: {openings: b, players: {a: {evaluation: evolve}, b: {evaluation: random}}}\n" RANDOM,
         "'random' may be the stage of this name"},
        {NIGHT "  plain:\n    recipe: |\n      name: s\n      phase: search\n"
               "      data: {train: [a.epd]}\n"
               "  m: {openings: b, players: {a: {evaluation: evolve}, "
               "b: {evaluation: evolve, search: plain}}}\n",
         "'plain' may be the stage of this name, or the word for a plain search"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_not(read_text(cases[i].text), "%s", cases[i].text);
        cr_expect_not_null(strstr(err.text, cases[i].reason), "got  %s\nwant %s", err.text,
                           cases[i].reason);
    }
}
