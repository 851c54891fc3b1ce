/* Stages compared by what they found with equally many evaluations. */
#include "comparison.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { GENERATIONS = 6, RUNS = 3 };

/* Two stages of three runs, whose recipes and rows the tests write. */
static struct recipe recipes[2];
static struct night_stage stages[2];
static struct run_summary summaries[2][RUNS];
static struct generation_row rows[2][RUNS][GENERATIONS];
static struct night_report_stage report_stages[2];
static struct night_report report;
static struct comparison comparison;

/* Stage `s` has `population` organisms; the best of run r's generation g is start[s] + r + 10 g. */
static void make(const struct objective_value *value, const int population[2], const int start[2])
{
    for (int s = 0; s < 2; s++) {
        recipes[s] = (struct recipe){.generations = GENERATIONS - 1};
        recipes[s].optimiser.population = population[s];
        stages[s] = (struct night_stage){.name = "s", .recipe = &recipes[s], .runs = RUNS};
        for (int r = 0; r < RUNS; r++) {
            summaries[s][r] = (struct run_summary){.generation = GENERATIONS - 1,
                                                   .rows = rows[s][r],
                                                   .value = value,
                                                   .train_size = 100};
            summaries[s][r].recipe = recipes[s];
            for (int g = 0; g < GENERATIONS; g++)
                rows[s][r][g] =
                    (struct generation_row){.measure = start[s] + r + 10 * g, .held_out = 7};
        }
        report_stages[s] = (struct night_report_stage){
            .stage = &stages[s], .run_count = RUNS, .summaries = summaries[s]};
    }
    report.night.recipe.stages = stages;
    report.night.recipe.stage_count = 2;
    report.stages = report_stages;
}

Test(comparison, takes_the_best_so_far_of_each_run)
{
    make(&objective_moves_matched, (const int[]){10, 10}, (const int[]){1, 5});
    rows[0][2][3].measure = 99; /* the best need not be the last */
    comparison_make(&comparison, &report);
    const struct comparison_entry *a = &comparison.entries[0], *b = &comparison.entries[1];
    cr_assert_eq(comparison.evaluations, 60);
    cr_assert_eq(a->runs, 3);
    cr_assert_eq(a->best[0], 51);
    cr_assert_eq(a->best[2], 99);
    cr_assert_eq(a->top, 99);
    cr_assert_float_eq(b->spread.mean, 56, 1e-12);
    cr_assert_float_eq(b->spread.deviation, 1, 1e-12);
    cr_assert_float_eq(b->held_out, 7, 0);
    cr_assert_float_eq(a->rank, (2 + 2 + 1) / 3.0, 1e-12);
    cr_assert_float_eq(b->rank, (1 + 1 + 2) / 3.0, 1e-12);
}

Test(comparison, takes_few_nodes_for_the_better)
{
    make(&objective_nodes, (const int[]){10, 10}, (const int[]){1, 5});
    comparison_make(&comparison, &report);
    cr_assert_eq(comparison.entries[0].top, 1);
    cr_assert_eq(comparison.entries[1].best[2], 7);
    cr_assert_float_eq(comparison.entries[0].rank, 1, 0);
    cr_assert_float_eq(comparison.chance[0][1], 2.0 / 20, 1e-12, "3 below 3");
    cr_assert_float_eq(comparison.chance[1][0], 2.0 / 20, 1e-12);
}

/* Points are not compared across generations by a night; what compares them must know their
 * direction all the same. */
Test(comparison, takes_many_points_for_the_better)
{
    make(&objective_points, (const int[]){10, 10}, (const int[]){1, 5});
    comparison_make(&comparison, &report);
    cr_assert_eq(comparison.entries[0].best[0], 51);
    cr_assert_eq(comparison.entries[0].top, 53);
    cr_assert_float_eq(comparison.entries[0].rank, 2, 0);
    cr_assert_float_eq(comparison.entries[1].rank, 1, 0);
}

/* The first entry of a comparison's order, with means of 52 and 56. */
static int first_of(const struct objective_value *value)
{
    make(value, (const int[]){10, 10}, (const int[]){1, 5});
    comparison_make(&comparison, &report);
    return (int)(comparison.order[0] - comparison.entries);
}

Test(comparison, orders_stages_by_their_means_the_best_first)
{
    cr_assert_eq(first_of(&objective_moves_matched), 1);
    cr_assert_eq(first_of(&objective_points), 1);
    cr_assert_eq(first_of(&objective_nodes), 0);
    cr_assert_eq(first_of(&objective_log_nodes), 0);
}

Test(comparison, orders_a_stage_without_runs_last)
{
    make(&objective_moves_matched, (const int[]){10, 10}, (const int[]){1, 5});
    summaries[1][0] = (struct run_summary){.generation = -1};
    comparison_make(&comparison, &report);
    cr_assert_eq(comparison.order[1], &comparison.entries[1]);
}

/* Larger generations count for more: of the second stage only the first two fit. */
Test(comparison, gives_stages_the_same_evaluations)
{
    make(&objective_moves_matched, (const int[]){10, 30}, (const int[]){1, 1});
    comparison_make(&comparison, &report);
    cr_assert_eq(comparison.evaluations, 60);
    cr_assert_eq(comparison.entries[0].best[0], 51);
    cr_assert_eq(comparison.entries[1].best[0], 11);
    make(&objective_moves_matched, (const int[]){10, 100}, (const int[]){1, 1});
    comparison_make(&comparison, &report);
    cr_assert_eq(comparison.entries[1].runs, 0, "its first generation is too large");
    cr_assert(isnan(comparison.entries[1].rank));
    cr_assert_float_eq(comparison.chance[0][1], 1, 0);
}

Test(comparison, leaves_out_runs_that_have_not_come_so_far)
{
    make(&objective_moves_matched, (const int[]){10, 10}, (const int[]){1, 5});
    summaries[0][1].generation = 3;
    summaries[1][0] = (struct run_summary){.generation = -1};
    rows[0][0][2].held_out = rows[0][0][5].held_out = NOT_MEASURED;
    comparison_make(&comparison, &report);
    cr_assert_eq(comparison.entries[0].runs, 1);
    cr_assert_float_eq(comparison.entries[0].spread.deviation, 0, 0);
    cr_assert(isnan(comparison.entries[0].held_out));
    cr_assert_eq(comparison.entries[1].runs, 0);
    summaries[0][0].generation = -1;
    comparison_make(&comparison, &report);
    cr_assert_null(comparison.summary);
}

/* Each setting by itself, in turn. */
Test(comparison, stages_begin_with_the_same_organisms_unless_their_settings_differ)
{
    const struct night_recipe *night = &report.night.recipe;
    struct optimiser_settings *own = &recipes[1].optimiser;
    make(&objective_moves_matched, (const int[]){10, 20}, (const int[]){1, 5});
    cr_assert_not(comparison_same_start(night), "another population");
    own->population = 10;
    own->kind = OPTIMISER_SPSA;
    own->variation.mutation_rate = 0.1;
    recipes[1].generations = 3;
    cr_assert(comparison_same_start(night), "generation 0 is random");
    strcpy(recipes[0].seeds[0], "a.yaml");
    strcpy(recipes[1].seeds[0], "b.yaml");
    recipes[0].seed_count = recipes[1].seed_count = 1;
    cr_assert_not(comparison_same_start(night), "other seeds");
    strcpy(recipes[1].seeds[0], "a.yaml");
    cr_assert(comparison_same_start(night), "seeds, and the others random");
    own->fill = FILL_OFFSPRING;
    cr_assert_not(comparison_same_start(night), "children of the seeds in one stage");
    recipes[0].optimiser.fill = FILL_OFFSPRING;
    cr_assert_not(comparison_same_start(night), "children with other mutations");
    recipes[0].optimiser.variation.mutation_rate = 0.1;
    cr_assert(comparison_same_start(night));
    own->defaults = 0.5;
    cr_assert_not(comparison_same_start(night), "the defaults in one stage");
}

Test(comparison, applies_to_stages_that_ask_the_same)
{
    const struct night_recipe *night = &report.night.recipe;
    make(&objective_moves_matched, (const int[]){10, 20}, (const int[]){1, 5});
    recipes[1].optimiser.kind = OPTIMISER_SPSA;
    recipes[1].generations = 3;
    cr_assert(comparison_applies(night));
    recipes[1].power = 3;
    cr_assert_not(comparison_applies(night), "another fitness");
    recipes[1].power = 0;
    strcpy(recipes[1].train[0], "other.epd");
    cr_assert_not(comparison_applies(night), "other data");
    memset(recipes[1].train[0], 0, sizeof recipes[1].train[0]);
    strcpy(stages[1].seeds, "s");
    cr_assert_not(comparison_applies(night), "one stage reads the other");
    stages[1].seeds[0] = '\0';
    cr_assert(comparison_applies(night));
    stages[1].is_match = true;
    cr_assert_not(comparison_applies(night), "a match");
    stages[1].is_match = false;
    recipes[0].measure = recipes[1].measure = MEASURE_GAMES;
    cr_assert_not(comparison_applies(night), "games");
}
