/* What a resumed night does with each of its runs. */
#include "night.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* evolve (2 runs) feeds coevolve and, through it, search and the match; alone feeds nothing. */
static const char recipe[] =
    "name: n\nphase: night\nhours: 2\nstages:\n"
    "  evolve:\n    runs: 2\n    recipe: |\n      name: e\n      data: {train: [a.epd]}\n"
    "      ga: {generations: 10}\n"
    "  alone:\n    recipe: |\n      name: a\n      data: {train: [a.epd]}\n"
    "  coevolve:\n    seeds: evolve\n    recipe: |\n      name: c\n      phase: coevolution\n"
    "      data: {openings: book.epd}\n"
    "  search:\n    evaluation: coevolve\n    recipe: |\n      name: s\n      phase: search\n"
    "      data: {train: [a.epd]}\n"
    "  match:\n    games: 10\n    openings: book.epd\n    players:\n"
    "      A: {evaluation: coevolve, search: search}\n      B: {evaluation: random}\n";

enum { EVOLVE_1, EVOLVE_2, ALONE, COEVOLVE, SEARCH, MATCH, RUNS };

static struct night_run_summary runs[RUNS];
static struct night_summary night;
static struct error err;

/* Sets up the night: a letter for the state of each run (Waiting, Begun, Time, Complete). */
static void set_up(const char *states)
{
    static const char letters[] = "WBTC";
    night = (struct night_summary){.given = 7200, .runs = runs, .run_count = RUNS};
    MUST(night_recipe_from_text("n.yaml", recipe, &night.recipe, &err));
    for (int i = 0, n = 0; i < night.recipe.stage_count; i++)
        for (int r = 0; r < night_stage_runs(&night.recipe.stages[i]); r++, n++)
            runs[n] = (struct night_run_summary){
                .run = night_run_named("n.db", &night.recipe.stages[i], r),
                .state = (enum night_state)(strchr(letters, states[n]) - letters)};
}

/* Checks the letter of each run's action: - (stays), g(oes on), r(eopens), a(new). */
static void expect(const char *states, struct night_request request, const char *actions)
{
    static const char letters[] = "-gra";
    char found[RUNS + 1] = "";
    set_up(states);
    MUST(night_plan(&night, &request, &err));
    for (int n = 0; n < RUNS; n++)
        found[n] = letters[runs[n].action];
    cr_expect_str_eq(found, actions, "%s became %s, not %s", states, found, actions);
    night_recipe_free(&night.recipe);
}

static void refuse(const char *states, struct night_request request, const char *reason)
{
    set_up(states);
    cr_assert_not(night_plan(&night, &request, &err));
    SAID(reason);
    night_recipe_free(&night.recipe);
}

Test(night_plan, an_interrupted_night_goes_on)
{
    expect("CCCBWW", (struct night_request){0}, "---ggg");
    expect("TTTBWW", (struct night_request){0}, "---ggg");
}

Test(night_plan, more_time_opens_what_has_fed_nothing)
{
    expect("TTTTTT", (struct night_request){.seconds = 1}, "--r--r");
    expect("TTTTTC", (struct night_request){.seconds = 1}, "--r---");
    expect("TTCWWW", (struct night_request){.seconds = 1}, "rr-ggg");
    expect("TTTTBW", (struct night_request){.seconds = 1}, "--r-gg");
    expect("CCCCCC", (struct night_request){.seconds = 1}, "------");
}

Test(night_plan, again_extends_a_stage_and_removes_its_dependents)
{
    expect("TTTTTT", (struct night_request){.seconds = 1, .again = "evolve"}, "rr-aaa");
    expect("TTTTTT", (struct night_request){.seconds = 1, .again = "coevolve"}, "---raa");
    expect("CTCTBW", (struct night_request){.seconds = 1, .again = "evolve"}, "-r-aag");
    expect("CCCCCC", (struct night_request){.again = "search", .generations = 300}, "----ra");
    refuse("TTTTTT", (struct night_request){.again = "evolve"}, "--again evolve needs time");
    refuse("CCCCCC", (struct night_request){.again = "evolve", .seconds = 1}, "is complete");
    refuse("CCCCCC", (struct night_request){.again = "match", .seconds = 1}, "needs no --again");
    refuse("CCCCCC", (struct night_request){.again = "none"}, "no stage 'none'");
}

SCRATCH_SUITE(night_games);

/* Enters a folder with a book of `openings` for the match. */
static void enter_book(int openings)
{
    char text[10 * 64] = "", *at = text;
    for (int i = 0; i < openings; i++)
        at += sprintf(at, "4k3/1%c6/8/8/8/8/4P3/4K3 w - -\n", "pnbrqPNBRQ"[i]);
    scratch_write("book.epd", text);
    cr_assert_eq(chdir(directory), 0);
}

Test(night_games, a_book_has_so_many_games)
{
    enter_book(1);
    refuse("CCCCCC", (struct night_request){.games = 20},
           "match: two players have 2 different games from the openings in book.epd");
}

Test(night_games, more_generations_and_games)
{
    enter_book(10);
    expect("CCCCCC", (struct night_request){.games = 20}, "-----r");
    expect("CCCCCC", (struct night_request){.games = 10}, "------");
    expect("CCCCCC", (struct night_request){.only = "alone", .generations = 300}, "--r---");
    expect("BWWWWW", (struct night_request){.generations = 300}, "gggggg");
    refuse(
        "CCCCCC", (struct night_request){.generations = 300},
        "--again evolve extends it, and computes coevolve, search, match anew; for another stage "
        "alone, name it, as NIGHT.db#STAGE");
    refuse("CCCCCC", (struct night_request){.games = 8}, "match has 10 games");
    refuse("CCCCCC", (struct night_request){.generations = 5},
           "evolve has 10 generations; --generations takes a larger number; name the stage, as "
           "NIGHT.db#STAGE");
    refuse("CCCCCC", (struct night_request){.only = "evolve", .generations = 5},
           "evolve has 10 generations");
    cr_expect_null(strstr(err.text, "NIGHT.db#STAGE"), "%s", err.text);
    refuse("CCCCCC", (struct night_request){.only = "evolve-1", .generations = 20},
           "name the stage");
}

Test(night_plan, a_stage_by_its_name)
{
    expect("TTTTTT", (struct night_request){.only = "match", .seconds = 1}, "-----r");
    expect("CCTCBW", (struct night_request){.only = "search"}, "----g-");
    refuse("TTTTTT", (struct night_request){.only = "evolve-2", .seconds = 1},
           "coevolve has begun from the result of evolve");
    refuse("CCCBWW", (struct night_request){.only = "search"},
           "search takes the result of coevolve, which has not ended");
    refuse("CCCBWW", (struct night_request){.only = "none"}, "no stage 'none'");
}

Test(night_plan, a_night_without_time_says_so)
{
    set_up("CCCCTB");
    night.spent = night.given;
    cr_assert_not(night_plan(&night, &(struct night_request){0}, &err));
    SAID("the time of the night is over; --hours H");
    night_recipe_free(&night.recipe);
}

/* Five stages share 100 seconds: 20 each, and 25 when one is left out. */
Test(night_fit, takes_runs_and_positions_and_then_stages)
{
    struct night_fit fit;
    struct night_need needs[NIGHT_STAGES] = {{5, 10, 300}, {0, 40, 200}, {1, 400}, {4, 42, 100}};
    set_up("WWWWWW");
    night_fit(&night.recipe, 100, needs, &fit);
    const struct night_stage *s = night.recipe.stages;
    cr_expect_eq(night_stage_runs(&s[0]), 1);
    cr_expect_eq(s[0].recipe->first, 0);
    cr_expect_eq(s[1].recipe->first, 100);
    cr_expect_eq(night.recipe.stage_count, 4);
    cr_expect_str_eq(s[2].name, "search");
    cr_expect_str_eq(s[2].evaluation, "evolve", "it stands for the one that began from it");
    cr_expect_eq(s[2].recipe->limit, 250000, "half of its nodes");
    cr_expect_str_eq(s[3].players[0].evaluation, "evolve");
    cr_expect_float_eq(fit.least, 15 + 20 + 25, 1e-9);
    cr_expect_eq(fit.count, 4);
    cr_expect_str_eq(fit.notes[2], "coevolve is left out, and evolve stands for it: a generation "
                                   "needs 401.0 s, its share is 20.0 s");
    night_recipe_free(&night.recipe);
}

Test(night_fit, a_stage_stays_if_another_learns_from_its_games)
{
    struct night_fit fit;
    struct night_need needs[NIGHT_STAGES] = {{0, 1}, {0, 1}, {1, 400}, {0, 1}};
    set_up("WWWWWW");
    night.recipe.stages[3].result_count = 1;
    strcpy(night.recipe.stages[3].results[0], "coevolve");
    night_fit(&night.recipe, 100, needs, &fit);
    cr_expect_eq(night.recipe.stage_count, 5);
    night_recipe_free(&night.recipe);
}
