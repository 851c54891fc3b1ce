/* Games between two engines at several limits, with Elo, its interval, and whether one is stronger than the
 * other. */
#include "comparisons.h"
#include "lab_runs.h"
#include "reproduction.h"

#include <stdio.h>

/* The engines: one pair, or one for each seed of a run, against the same opponent. */
struct players {
    const char *names[2];
    struct eval_weights evolved[LAB_RUNS], other;
    bool weights; /* false: those of the experiment */
    struct search_params params[2];
    int pairs;
};

/* Two methods; or EVOL* and EVOL0; or the coevolutions of several seeds and EVOL0. */
static bool make_players(struct lab_table *t, struct players *p, struct error *err)
{
    struct experiment *x = t->x;
    const struct yaml_node *players = data_find(x, t->entry, "players");
    const char *base = data_text(x, t->entry, "base");
    const char *coevolutions = data_text(x, t->entry, "coevolutions");
    struct evolved_engine engines[EVOLVED_ENGINES];
    struct lab_runs runs = {.count = 0};
    p->pairs = 1;
    for (int i = 0; i < 2; i++) {
        const char *name = data_text_at(players, i);
        p->names[i] = name;
        if (base != NULL) {
            p->names[i] = data_text(x, data_entry(x, "searches", name), "name");
            p->params[i] = data_search_params(x, name, base);
        }
    }
    if (base != NULL)
        return true;
    p->weights = true;
    if (!evolved_engines(t, engines, err) ||
        (coevolutions != NULL && !lab_runs_evolve(t, coevolutions, &runs, err)))
        return false;
    p->evolved[0] = engines[EVOL_STAR].weights;
    p->other = engines[EVOL_0].weights;
    p->params[0] = p->params[1] = engines[EVOL_0].params;
    p->pairs = coevolutions != NULL ? runs.count : 1;
    for (int i = 0; i < runs.count; i++) {
        p->evolved[i] = evolved_weights(&runs.of[i]);
        lab_word(t, "population", "%d", runs.of[i].recipe.optimiser.population);
        lab_word(t, "generations", "%d", runs.of[i].generation);
        lab_count_word(t, "nodes", runs.of[i].recipe.limit);
    }
    lab_runs_free(&runs);
    return true;
}

static void show_counts(struct lab_table *t, const char *label, const struct match_counts *c)
{
    const struct elo_estimate e = elo_estimate(c);
    lab_row(t, "%s", label);
    lab_cell(t, "%lld", (long long)(c->wins + c->losses + c->draws));
    lab_cell(t, "+%lld -%lld =%lld", (long long)c->wins, (long long)c->losses, (long long)c->draws);
    lab_cell(t, "%.1f %%", 100 * e.score);
    lab_cell(t, "%+.1f (%+.1f to %+.1f)", e.elo, e.elo_low, e.elo_high);
}

/* The games of a row, and whether the first engine is stronger by them. */
static bool play_row(struct lab_table *t, const struct players *p, const struct yaml_node *row,
                     struct error *err)
{
    struct experiment *x = t->x;
    const int64_t games = data_number(x, row, "games", 0);
    const char *limit = data_text(x, row, "label");
    struct match_counts sum = {0};
    double scores[LAB_RUNS];
    char label[GRID_TEXT], step[GRID_NOTE];
    for (int i = 0; games > 0 && i < p->pairs; i++) {
        struct match_counts counts;
        snprintf(label, sizeof label, "%s, seed %d", limit, i + 1);
        snprintf(step, sizeof step, "games at %s", p->pairs > 1 ? label : limit);
        const struct experiment_match match = {
            .step = step,
            .names = {p->names[0], p->names[1]},
            .weights = {p->weights ? &p->evolved[i] : NULL, p->weights ? &p->other : NULL},
            .players = {p->params[0], p->params[1]},
            .limits = {.nodes = (uint64_t)data_number(x, row, "nodes", 0),
                       .time = data_number(x, row, "time", 0),
                       .increment = data_number(x, row, "increment", 0)},
            .games = games};
        if (!experiment_play(x, &match, &counts, err))
            return false;
        if (p->pairs > 1)
            show_counts(t, label, &counts);
        scores[i] = 100 * elo_estimate(&counts).score;
        match_counts_add(&sum, &counts);
    }
    if (games == 0)
        return true;
    const struct elo_estimate e = elo_estimate(&sum);
    const struct spread s = spread_of(scores, p->pairs);
    const char *proviso = data_text(x, t->entry, "proviso");
    snprintf(label, sizeof label, p->pairs > 1 ? "%s, all" : "%s, ours", limit);
    show_counts(t, label, &sum);
    lab_word(t, "players", "%s is stronger than %s", p->names[0], p->names[1]);
    lab_word(t, "limit", "%s", limit);
    lab_word(t, "pairs", "%d", p->pairs);
    lab_word(t, "proviso", "%s%s", proviso != NULL ? ", " : "", proviso != NULL ? proviso : "");
    lab_word(t, "verdict", "%s",
             e.elo_low > 0    ? "holds here, with 95 % confidence"
             : e.elo_high < 0 ? "does not hold here: it is weaker, with 95 % confidence"
                              : "not decided here: 0 is within the 95 % interval");
    lab_word(t, "spread", "%.1f %%, standard deviation %.1f", s.mean, s.deviation);
    if (p->pairs == 1) {
        lab_note(t, "Claim: {players}. At {limit}: {verdict}{proviso}.");
        return true;
    }
    lab_note(t, "Claim: {players}. At {limit}, the {pairs} together: {verdict}{proviso}.");
    lab_note(t, "At {limit}, the runs themselves: {spread}.");
    return true;
}

bool games_run(struct lab_table *t, struct error *err)
{
    const struct yaml_node *published = data_find(t->x, t->entry, "published");
    struct players p = {.pairs = 0};
    if (!make_players(t, &p, err))
        return false;
    lab_begin(t, NULL);
    lab_row(t, "published");
    for (int i = 0; i < data_count(published); i++)
        lab_cell(t, "%s", data_text_at(published, i));
    for (const struct yaml_node *n = data_find(t->x, t->entry, "rows")->child; n != NULL;
         n = n->next)
        if (!play_row(t, &p, n, err))
            return false;
    lab_notes(t, "notes");
    lab_note(t, "Differs: {differs}");
    lab_show(t);
    return true;
}
