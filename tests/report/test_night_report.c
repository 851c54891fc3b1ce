/* The ablation of each stage from the results of a closing match. */
#include "night_report.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define STAGES                                                                                     \
    "name: n\nphase: night\nstages:\n"                                                             \
    "  first:\n    recipe: |\n      name: e\n      data: {train: [a.epd]}\n"                       \
    "  second:\n    recipe: |\n      name: e\n      data: {train: [a.epd]}\n"                      \
    "  third:\n    evaluation: second\n    recipe: |\n      name: s\n      phase: search\n"        \
    "      data: {train: [a.epd]}\n"                                                               \
    "  match:\n    games: 10\n    limit: 7\n    openings: book.epd\n    players:\n"

static struct night_recipe recipe;
static struct night_ablation ablations[NIGHT_PAIRINGS];

static void end(void)
{
    night_recipe_free(&recipe);
}

TestSuite(night_report, .fini = end);

/* The match of a night, between these players. */
static const struct night_stage *match_of(const char *players)
{
    char text[2048];
    struct error err = {""};
    night_recipe_free(&recipe);
    snprintf(text, sizeof text, "%s%s", STAGES, players);
    cr_assert(night_recipe_from_text("n.yaml", text, &recipe, &err), "%s", err.text);
    return &recipe.stages[3];
}

/* What a single pairing of two players, of which the first has won two games more, tells. */
static int worths_of(const char *players)
{
    struct night_pairing pairing = {
        .a = 0, .b = 1, .counts = {.wins = 3, .draws = 2, .losses = 1, .pairs = {0, 1, 0, 0, 2}}};
    const struct night_report_stage match = {
        .stage = match_of(players), .pairings = &pairing, .pairing_count = 1};
    return night_ablations(&recipe, &match, ablations);
}

Test(night_report, the_later_stage_is_what_a_pairing_tells_of)
{
    cr_assert_eq(worths_of("      a: {evaluation: second, search: third}\n"
                           "      b: {evaluation: first, search: third}\n"),
                 1);
    cr_assert_str_eq(ablations[0].stage->name, "second");
    cr_assert_not(ablations[0].is_search);
    cr_assert(ablations[0].with == 0 && ablations[0].without == 1 && ablations[0].counts.wins == 3);
    cr_assert_eq(worths_of("      a: {evaluation: second}\n"
                           "      b: {evaluation: second, search: third}\n"),
                 1);
    cr_assert_str_eq(ablations[0].stage->name, "third", "whoever comes first in the pairing");
    cr_assert(ablations[0].is_search && ablations[0].with == 1 && ablations[0].without == 0);
    const struct match_counts *c = &ablations[0].counts;
    cr_assert(c->wins == 1 && c->draws == 2 && c->losses == 3);
    cr_assert(c->pairs[0] == 2 && c->pairs[3] == 1 && c->pairs[4] == 0);
}

Test(night_report, players_that_differ_in_both_halves_or_in_no_stage_tell_of_none)
{
    cr_assert_eq(worths_of("      a: {evaluation: second, search: third}\n"
                           "      b: {evaluation: first}\n"),
                 0);
    cr_assert_eq(worths_of("      a: {evaluation: random, search: random}\n"
                           "      b: {evaluation: random}\n"),
                 0);
}

Test(night_report, the_player_of_the_latest_stages_meets_files_first_and_chance_last)
{
    const struct night_stage *stage =
        match_of("      chance: {evaluation: random, search: random}\n"
                 "      early: {evaluation: first, search: third}\n"
                 "      late: {evaluation: second, search: third}\n"
                 "      paper: {evaluation: p.yaml, search: q.yaml}\n"
                 "      plain: {evaluation: second}\n");
    struct night_pairing pairings[10];
    struct night_report_stage match = {.stage = stage, .pairings = pairings};
    struct night_result results[NIGHT_PLAYERS];
    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5; b++)
            pairings[match.pairing_count++] = (struct night_pairing){
                .a = a, .b = b, .counts = {.wins = 3, .losses = 1, .pairs = {[4] = 2}}};
    cr_assert_eq(night_final_player(&recipe, stage), 2);
    cr_assert_eq(night_results(&recipe, &match, results), 4);
    static const char *const opponents[] = {"paper", "early", "plain", "chance"};
    for (int i = 0; i < 4; i++)
        cr_assert_str_eq(results[i].opponent, opponents[i]);
    cr_assert(results[0].counts.wins == 3 && results[0].counts.pairs[4] == 2);
    cr_assert(results[1].counts.wins == 1 && results[1].counts.pairs[0] == 2, "from its side");
    pairings[0 + 7].counts.losses = 0; /* late against paper */
    pairings[0 + 7].counts.wins = 1;
    cr_assert_eq(night_results(&recipe, &match, results), 3, "a single game is none");
}
