#include "live_page.h"

#include "elo.h"
#include "format.h"
#include "hosts_kept.h"
#include "json.h"
#include "verdict.h"
#include "version.h"

#include <math.h>

/* An integer, which is null if it is not known. */
static double known(bool is, int64_t value)
{
    return is ? (double)value : NAN;
}

/* A value with its total, its text and, of a share, its 95 % interval in per cent. */
static void write_value(struct json *j, const char *name, const struct run_summary *r,
                        int64_t value, int64_t size)
{
    struct interval i;
    char text[FORMAT_MAX];
    const bool share = objective_interval(r->value, value, size, &i);
    if (value == NOT_MEASURED)
        json_put(j, "*:s", name, NULL);
    else
        json_put(j, "*:{ value:l of:0 low:4 high:4 text:s }", name, value, known(size > 0, size),
                 share ? 100 * i.low : NAN, share ? 100 * i.high : NAN,
                 objective_brief(r->value, (double)value, size, text));
}

static void write_best(struct json *j, const struct run_summary *r)
{
    if (r->generation < 0) {
        json_put(j, "best:s", NULL);
        return;
    }
    const struct generation_row *row = &r->rows[r->best_generation];
    json_put(j, "best:{ generation:d organism:d", r->best_generation, r->best_index);
    write_value(j, "train", r, row->measure, r->train_size);
    write_value(j, "held_out", r, row->held_out, r->held_out_size);
    json_put(j, "}");
}

/* The machines that work on it, with what a model of a larger cluster needs (docs/cluster.md). */
static void write_hosts(struct json *j, const char *text)
{
    struct ranks_report all;
    struct rank_host h;
    text = hosts_kept_all(text, &all);
    json_put(j,
             "ranks:{ count:d threads:d jobs:l idle:4 reason:s batches:l groups:l seconds:3 "
             "seconds_in_batches:3 seconds_of_jobs:3 "
             "seconds_of_serving:3 bytes:0 hosts:[",
             all.ranks, all.threads, all.jobs, all.idle, ranks_idle_text(all.reason), all.batches,
             all.groups, all.seconds, all.in_batches, all.busy, all.serving, all.bytes);
    while ((text = hosts_kept_next(text, &h)) != NULL)
        json_put(j, "{ ranks:d threads:d name:s jobs:l idle:4 }", h.ranks, h.threads, h.name,
                 h.jobs, h.idle);
    json_put(j, "] }");
}

/* The values of a run that evolves, after those that every run has. */
static void write_evolution(struct json *j, const struct status_run *run)
{
    const struct run_summary *r = &run->summary;
    const struct run_progress *p = &run->progress;
    const struct verdict v = verdict_of(r);
    double elo, margin;
    char text[RUN_GAIN_TEXT];
    json_put(j, "seconds_each:3 measure:s generation:0 generations:d genomes:l", run->each,
             r->value->name, known(r->generation >= 0, r->generation), r->recipe.generations,
             r->genomes);
    if (r->faults != NULL)
        json_put(j, "faults:s", r->faults);
    if (r->hosts != NULL)
        write_hosts(j, r->hosts);
    if (r->defaults.measure != NOT_MEASURED)
        json_put(j, "defaults_measure:l", r->defaults.measure);
    if (r->defaults.held_out != NOT_MEASURED)
        json_put(j, "defaults_held_out:l", r->defaults.held_out);
    if (run->inside)
        json_put(j, "inside:{ generation:d part:s unit:s done:l total:l }", p->generation,
                 p->held_out ? "held-out" : "train", run->unit, p->done, p->total);
    else
        json_put(j, "inside:s", NULL);
    write_best(j, r);
    if (run_gain_known(&r->gain)) { /* by the estimates, which play the start */
        const bool is = run_gain_elo(&r->gain, &elo, &margin);
        json_put(j, "gain:{ games:l of:l elo:2 margin:2 text:s }", r->gain.games, r->gain.games_all,
                 is ? elo : NAN, is ? margin : NAN, run_gain_text(&r->gain, text));
    }
    if (v.text[0] != '\0')
        json_put(j, "verdict:{ decided:s against:s unit:s by:2 margin:2 text:s }",
                 verdict_word(v.decided), v.against, v.unit, v.by, v.margin, v.text);
}

static void write_match(struct json *j, const struct night_stage *stage,
                        const struct status_run *run)
{
    json_put(j, "games:l games_total:l pairings:[", run->games, run->games_total);
    for (int i = 0; i < run->pairing_count; i++) {
        const struct night_pairing *p = &run->pairings[i];
        const struct match_counts *c = &p->counts;
        const struct elo_estimate e = elo_estimate(c);
        const bool played = match_counts_games(c) > 0;
        json_put(j, "{ first:s second:s wins:l draws:l losses:l elo:2 low:2 high:2 }",
                 stage->players[p->a].name, stage->players[p->b].name, c->wins, c->draws, c->losses,
                 played ? e.elo : NAN, played ? e.elo_low : NAN, played ? e.elo_high : NAN);
    }
    json_put(j, "]");
}

static void write_stages(struct json *j, const struct status *s)
{
    json_put(j, "seconds_given:3 stage:s stages:[", s->night.given,
             s->current < 0 ? NULL : s->runs[s->current].name);
    for (int i = 0; i < s->run_count; i++) {
        const struct status_run *run = &s->runs[i];
        json_put(j, "{ name:s state:s seconds:3 seconds_left:3", run->name, status_run_state(run),
                 run->seconds, run->left);
        if (run->is_match && !run->waiting)
            write_match(j, run->of->stage, run);
        else if (!run->waiting)
            write_evolution(j, run);
        json_put(j, "}");
    }
    json_put(j, "]");
}

void status_json_write(FILE *out, const char *path, const struct status *s)
{
    struct json j = {.out = out};
    uint64_t seed;
    const char *recipe = status_recipe(s, &seed);
    json_put(&j, "{ kind:s file:s program:s recipe:s seed:l state:s", status_kind(s), path,
             "grayling " GRAYLING_VERSION, recipe, seed, run_state_name(s->state));
    if (s->state == RUN_STATE_FAILED)
        json_put(&j, "reason:s", s->reason);
    json_put(&j, "read:l changed:0 seconds:3 seconds_left:3", s->read,
             known(s->changed > 0, s->changed), s->spent, s->left);
    if (s->is_night)
        write_stages(&j, s);
    else
        write_evolution(&j, s->runs);
    fputs("}\n", out);
}
