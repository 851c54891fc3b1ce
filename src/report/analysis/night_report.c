#include "night_report.h"

#include <stdlib.h>
#include <string.h>

/* ---- stages ---- */

/* True if two summaries are of one run, at the same generation. A run that was made again has the same
 * values perhaps, but took other times. */
static bool is_same_run(const struct run_summary *a, const struct run_summary *b)
{
    bool same = a->generation == b->generation;
    for (int i = 0; same && i <= a->generation; i++)
        same = a->rows[i].seconds == b->rows[i].seconds && a->rows[i].mean == b->rows[i].mean;
    return same;
}

/* Reads the report of a stage's best run, or takes it from an earlier reading, if that is of the same run. */
static bool find_report(struct night_report_stage *s, struct night_report_stage *before,
                        struct error *err)
{
    if (s->taken < 0)
        return true;
    if (before != NULL && before->report != NULL && before->taken == s->taken && before->ended &&
        s->ended && is_same_run(&before->report->summary, &s->summaries[s->taken])) {
        s->report = before->report;
        before->report = NULL;
        return true;
    }
    s->report = calloc(1, sizeof *s->report);
    if (s->report == NULL)
        return error_set(err, "no memory for the report of %s", s->stage->name);
    return report_read(s->runs[s->taken].run.path, s->report, err);
}

/* Reads the results of each run of a stage, and finds the best run. */
static bool read_runs(struct night_report_stage *s, struct night_report_stage *before,
                      struct error *err)
{
    s->summaries = calloc((size_t)s->run_count, sizeof *s->summaries);
    if (s->summaries == NULL)
        return error_set(err, "no memory for the runs of %s", s->stage->name);
    for (int i = 0; i < s->run_count; i++)
        s->summaries[i].generation = -1;
    for (int i = 0; i < s->run_count; i++) {
        if (s->runs[i].state == NIGHT_WAITING)
            continue;
        if (!run_summary_read(s->runs[i].run.path, &s->summaries[i], err))
            return false;
        bool begun = s->summaries[i].generation >= 0;
        if (begun && (s->taken < 0 || night_run_better(&s->summaries[i], &s->summaries[s->taken])))
            s->taken = i;
    }
    return find_report(s, before, err);
}

static bool read_stages(struct night_report *r, struct night_report *before, struct error *err)
{
    const struct night_summary *night = &r->night;
    r->stages = calloc((size_t)night->recipe.stage_count, sizeof *r->stages);
    if (r->stages == NULL)
        return error_set(err, "no memory for the stages");
    for (int i = 0, n = 0; i < night->recipe.stage_count; i++) {
        struct night_report_stage *s = &r->stages[i];
        s->stage = &night->recipe.stages[i];
        s->runs = &night->runs[n];
        s->ended = night_has_ended(night, s->stage);
        s->taken = -1;
        for (; n < night->run_count && night->runs[n].run.stage == s->stage; n++)
            s->run_count++;
    }
    for (int i = 0; i < night->recipe.stage_count; i++) {
        struct night_report_stage *s = &r->stages[i];
        const bool begun = s->runs[0].state != NIGHT_WAITING;
        if (s->stage->is_match && begun)
            s->pairings = night_match_read(&s->runs[0].run, &s->pairing_count, err);
        if (s->stage->is_match
                ? begun && s->pairings == NULL
                : !read_runs(
                      s, before == NULL || before->stages == NULL ? NULL : &before->stages[i], err))
            return false;
    }
    return true;
}

int night_count_ended(const struct night_summary *n, bool *timed)
{
    int ended = 0;
    *timed = false;
    for (int i = 0; i < n->run_count; i++) {
        ended += n->runs[i].state >= NIGHT_TIME;
        *timed = *timed || n->runs[i].state == NIGHT_TIME;
    }
    return ended;
}

/* ---- the night ---- */

bool night_report_read(const char *path, struct night_report *before, struct night_report *r,
                       struct error *err)
{
    *r = (struct night_report){.stages = NULL};
    if (!night_summary_read(path, &r->night, err))
        return false;
    struct store *s = store_open(path, STORE_READ, err);
    bool read =
        s != NULL && report_origin_read(&r->from, path, s, "night", err) && store_whole(s, err);
    store_close(s);
    read = read && read_stages(r, before, err);
    if (!read)
        night_report_free(r);
    return read;
}

void night_report_free(struct night_report *r)
{
    for (int i = 0; r->stages != NULL && i < r->night.recipe.stage_count; i++) {
        struct night_report_stage *s = &r->stages[i];
        for (int run = 0; s->summaries != NULL && run < s->run_count; run++)
            run_summary_free(&s->summaries[run]);
        free(s->summaries);
        free(s->pairings);
        if (s->report != NULL)
            report_free(s->report);
        free(s->report);
    }
    free(r->stages);
    report_origin_free(&r->from);
    night_summary_free(&r->night);
    *r = (struct night_report){.stages = NULL};
}

/* ---- the players of a match ---- */

struct match_counts night_counts_of(const struct night_pairing *p, int player)
{
    const struct match_counts *c = &p->counts;
    struct match_counts other = {.wins = c->losses, .losses = c->wins, .draws = c->draws};
    for (int i = 0; i < 5; i++)
        other.pairs[i] = c->pairs[4 - i];
    return player == p->a ? *c : other;
}

/* The number of a half's stage, from 1; 0 if it comes from no stage. */
static int stage_number(const struct night_recipe *recipe, const char *half)
{
    const struct night_stage *stage = night_stage_find(recipe, half);
    return stage == NULL ? 0 : (int)(stage - recipe->stages) + 1;
}

/* The numbers of the stages of a player's two halves, added. */
static int lateness(const struct night_recipe *recipe, const struct night_player *player)
{
    return stage_number(recipe, player->evaluation) + stage_number(recipe, player->search);
}

int night_final_player(const struct night_recipe *recipe, const struct night_stage *match)
{
    int last = 0;
    for (int i = 1; i < match->player_count; i++)
        if (lateness(recipe, &match->players[i]) > lateness(recipe, &match->players[last]))
            last = i;
    return last;
}

enum origin { FROM_FILES, FROM_STAGES, FROM_CHANCE, ORIGINS };

static enum origin origin_of(const struct night_recipe *recipe, const struct night_player *player)
{
    if (lateness(recipe, player) > 0)
        return FROM_STAGES;
    bool random =
        strcmp(player->evaluation, NIGHT_RANDOM) == 0 || strcmp(player->search, NIGHT_RANDOM) == 0;
    return random ? FROM_CHANCE : FROM_FILES;
}

int night_results(const struct night_recipe *recipe, const struct night_report_stage *match,
                  struct night_result results[NIGHT_PLAYERS])
{
    const struct night_player *players = match->stage->players;
    const int player = night_final_player(recipe, match->stage);
    int count = 0;
    for (enum origin origin = 0; origin < ORIGINS; origin++)
        for (int i = 0; i < match->pairing_count; i++) {
            const struct night_pairing *p = &match->pairings[i];
            const struct night_player *other = &players[p->a == player ? p->b : p->a];
            const struct match_counts counts = night_counts_of(p, player);
            if ((p->a == player || p->b == player) && match_counts_games(&counts) > 1 &&
                origin_of(recipe, other) == origin)
                results[count++] = (struct night_result){players[player].name, other->name, counts,
                                                         elo_estimate(&counts)};
        }
    return count;
}

/* ---- ablations ---- */

/* The later of the stages of two halves; `first` says whether it is that of `a`. NULL if neither is from a stage. */
static const struct night_stage *later_stage(const struct night_recipe *recipe, const char *a,
                                             const char *b, bool *first)
{
    const struct night_stage *of_a = night_stage_find(recipe, a);
    const struct night_stage *of_b = night_stage_find(recipe, b);
    *first = of_b == NULL || (of_a != NULL && of_a > of_b);
    return *first ? of_a : of_b;
}

/* Makes the ablation of a pairing. Returns false unless its players differ in exactly one stage. */
static bool ablation_of(const struct night_recipe *recipe, const struct night_stage *match,
                        const struct night_pairing *pairing, struct night_ablation *w)
{
    const struct night_player *a = &match->players[pairing->a], *b = &match->players[pairing->b];
    bool same_evaluation = strcmp(a->evaluation, b->evaluation) == 0;
    bool same_search = strcmp(a->search, b->search) == 0, first;
    if (same_evaluation == same_search)
        return false;
    w->is_search = same_evaluation;
    w->stage = same_evaluation ? later_stage(recipe, a->search, b->search, &first)
                               : later_stage(recipe, a->evaluation, b->evaluation, &first);
    w->with = first ? pairing->a : pairing->b;
    w->without = first ? pairing->b : pairing->a;
    w->counts = night_counts_of(pairing, w->with);
    return w->stage != NULL;
}

int night_ablations(const struct night_recipe *recipe, const struct night_report_stage *match,
                    struct night_ablation ablations[NIGHT_PAIRINGS])
{
    int count = 0;
    for (int i = 0; i < match->pairing_count; i++)
        count += ablation_of(recipe, match->stage, &match->pairings[i], &ablations[count]);
    return count;
}
