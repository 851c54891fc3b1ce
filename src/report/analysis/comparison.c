#include "comparison.h"

#include "optimiser.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what can be compared ---- */

/* True if two recipes have the same fitness and data. Ignores all settings that may differ. */
static bool same_question(const struct recipe *a, const struct recipe *b)
{
    struct recipe x = *a;
    memcpy(x.name, b->name, sizeof x.name);
    memcpy(x.seeds, b->seeds, sizeof x.seeds);
    x.seed = b->seed;
    x.seed_count = b->seed_count;
    x.generations = b->generations;
    x.optimiser = b->optimiser;
    return memcmp(&x, b, sizeof x) == 0;
}

bool comparison_applies(const struct night_recipe *recipe)
{
    static_assert((int)RANK_SUM_MAX >= (int)NIGHT_RUNS, "a stage's runs are a sample");
    for (int i = 0; i < recipe->stage_count; i++) {
        const struct night_stage *s = &recipe->stages[i];
        if (s->is_match || s->seeds[0] != '\0' || s->evaluation[0] != '\0' ||
            s->search[0] != '\0' || !objective_value_of(s->recipe)->across_generations ||
            !same_question(s->recipe, recipe->stages[0].recipe))
            return false;
    }
    return recipe->stage_count >= 2;
}

bool comparison_same_start(const struct night_recipe *recipe)
{
    const struct recipe *first = recipe->stages[0].recipe;
    for (int i = 1; i < recipe->stage_count; i++) {
        const struct recipe *r = recipe->stages[i].recipe;
        if (r->seed_count != first->seed_count ||
            memcmp(r->seeds, first->seeds, sizeof r->seeds) != 0 ||
            !initial_population_agrees(&r->optimiser, &first->optimiser, r->seed_count))
            return false;
    }
    return true;
}

const char *comparison_or_night(const struct night_recipe *recipe)
{
    return comparison_applies(recipe) ? "comparison" : "night";
}

/* ---- one run ---- */

/* True if one objective value of the run is better than another. */
static bool better(const struct run_summary *run, int64_t a, int64_t b)
{
    return objective_better(run->value, (double)a, (double)b);
}

/* The generation with the best objective value, among those up to `generation`. */
static int best_of(const struct run_summary *run, int generation)
{
    int best = 0;
    for (int g = 1; g <= generation; g++)
        if (better(run, run->rows[g].measure, run->rows[best].measure))
            best = g;
    return best;
}

/* ---- the stages ---- */

/* Reads the runs of a stage after the common number of evaluations, up to the first that has made fewer, or whose first
 * generation alone has more. */
static void make_entry(struct comparison *c, const struct night_report_stage *stage)
{
    struct comparison_entry *e = &c->entries[c->count++];
    const int last = c->evaluations / stage->stage->recipe->optimiser.population - 1;
    double best[NIGHT_RUNS];
    *e = (struct comparison_entry){.stage = stage, .rank = NAN};
    for (int i = 0; i < stage->run_count && last >= 0; i++) {
        const struct run_summary *run = &stage->summaries[i];
        if (run->generation < last)
            break;
        const struct generation_row *row = &run->rows[best_of(run, last)];
        if (e->runs == 0 || better(run, row->measure, e->top))
            e->top = row->measure;
        e->best[e->runs++] = row->measure;
        e->held_out += row->held_out == NOT_MEASURED ? NAN : (double)row->held_out;
        c->summary = run;
    }
    for (int i = 0; i < e->runs; i++)
        best[i] = (double)e->best[i];
    e->spread = e->runs > 0 ? spread_of(best, e->runs) : (struct spread){NAN, NAN};
    e->held_out = e->runs > 0 ? e->held_out / e->runs : NAN;
}

/* The mean rank of each stage over the seeds that all stages have run. */
static void find_ranks(struct comparison *c)
{
    int seeds = NIGHT_RUNS;
    double sums[NIGHT_STAGES] = {0}, ranks[NIGHT_STAGES];
    for (int i = 0; i < c->count; i++)
        seeds = c->entries[i].runs < seeds ? c->entries[i].runs : seeds;
    for (int seed = 0; seed < seeds; seed++) {
        int64_t costs[NIGHT_STAGES];
        for (int i = 0; i < c->count; i++)
            costs[i] = objective_cost(c->summary->value, c->entries[i].best[seed]);
        rank_numbers(costs, c->count, ranks);
        for (int i = 0; i < c->count; i++)
            sums[i] += ranks[i];
    }
    for (int i = 0; i < c->count && seeds > 0; i++)
        c->entries[i].rank = sums[i] / seeds;
}

static void find_chances(struct comparison *c)
{
    double p[NIGHT_STAGES * NIGHT_STAGES];
    int pairs = 0;
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < i; j++) {
            const struct comparison_entry *a = &c->entries[i], *b = &c->entries[j];
            p[pairs++] = rank_sum_test(a->best, a->runs, b->best, b->runs);
        }
    holm_adjust(p, pairs);
    pairs = 0;
    for (int i = 0; i < c->count; i++) {
        c->chance[i][i] = 1;
        for (int j = 0; j < i; j++)
            c->chance[i][j] = c->chance[j][i] = p[pairs++];
    }
}

/* For qsort: the better mean first, stages without a run last. */
static int by_mean(const void *left, const void *right)
{
    const struct comparison_entry *a = *(const struct comparison_entry *const *)left;
    const struct comparison_entry *b = *(const struct comparison_entry *const *)right;
    if (a->runs == 0 || b->runs == 0)
        return (a->runs == 0) - (b->runs == 0);
    const struct objective_value *v = a->stage->summaries->value;
    return objective_better(v, b->spread.mean, a->spread.mean) -
           objective_better(v, a->spread.mean, b->spread.mean);
}

void comparison_make(struct comparison *c, const struct night_report *report)
{
    const struct night_recipe *recipe = &report->night.recipe;
    *c = (struct comparison){.evaluations = INT32_MAX}; /* of the shortest */
    for (int i = 0; i < recipe->stage_count; i++) {
        const struct recipe *r = recipe->stages[i].recipe;
        const int64_t all = ((int64_t)r->generations + 1) * r->optimiser.population;
        c->evaluations = all < c->evaluations ? (int)all : c->evaluations;
    }
    for (int i = 0; i < recipe->stage_count; i++)
        make_entry(c, &report->stages[i]);
    for (int i = 0; i < c->count; i++)
        c->order[i] = &c->entries[i];
    qsort(c->order, (size_t)c->count, sizeof *c->order, by_mean);
    if (c->summary == NULL)
        return;
    for (int i = 0; i < c->count; i++)
        c->has_held_out =
            c->has_held_out || (c->entries[i].runs > 0 && !isnan(c->entries[i].held_out));
    find_ranks(c);
    find_chances(c);
}

/* ---- what the pictures and tables show ---- */

struct spread comparison_spread_at(const struct comparison *c, const struct comparison_entry *e,
                                   int generation)
{
    const int64_t size = c->summary->train_size;
    double values[NIGHT_RUNS];
    for (int i = 0; i < e->runs; i++) {
        const struct run_summary *run = &e->stage->summaries[i];
        const int64_t measure = run->rows[best_of(run, generation)].measure;
        values[i] = objective_axis(c->summary->value, (double)measure, size, size);
    }
    return spread_of(values, e->runs);
}
