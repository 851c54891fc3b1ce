/* Games between two engines at several limits, with Elo, its interval, and whether one is stronger than the other. */
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
    const struct yaml_node *players = lab_find(t, "players");
    const char *base = lab_text(t, "base"), *coevolutions = lab_text(t, "coevolutions");
    struct evolved_engine engines[EVOLVED_ENGINES];
    const struct lab_runs *runs = NULL;
    p->pairs = 1;
    for (int i = 0; i < 2; i++) {
        const char *name = p->names[i] = data_text_at(players, i);
        if (base != NULL)
            p->params[i] = data_search_params(t->x, name, base, &p->names[i]);
    }
    if (base != NULL)
        return true;
    p->weights = true;
    if (!evolved_engines(t, engines, err) ||
        (coevolutions != NULL && (runs = lab_runs_evolve(t, coevolutions, err)) == NULL))
        return false;
    p->evolved[0] = engines[EVOL_STAR].weights;
    p->other = engines[EVOL_0].weights;
    p->params[0] = p->params[1] = engines[EVOL_0].params;
    p->pairs = runs != NULL ? runs->count : 1;
    for (int i = 0; runs != NULL && i < runs->count; i++) {
        p->evolved[i] = evolved_weights(&runs->of[i]);
        lab_word(t, "population", "%d", runs->of[i].recipe.optimiser.population);
        lab_word(t, "generations", "%d", runs->of[i].generation);
        lab_count_word(t, "nodes", runs->of[i].recipe.limit);
    }
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
    const char *proviso = lab_text(t, "proviso");
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
    lab_note(t, p->pairs > 1
                    ? "Claim: {players}. At {limit}, the {pairs} together: {verdict}{proviso}."
                    : "Claim: {players}. At {limit}: {verdict}{proviso}.");
    if (p->pairs > 1)
        lab_note(t, "At {limit}, the runs themselves: {spread}.");
    return true;
}

bool games_run(struct lab_table *t, struct error *err)
{
    struct players p = {.pairs = 0};
    bool good = make_players(t, &p, err);
    lab_rows(t, "published");
    for (const struct yaml_node *n = lab_first(t, "rows"); good && n != NULL; n = n->next)
        good = play_row(t, &p, n, err);
    return good;
}
