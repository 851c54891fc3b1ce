#include "status_json.h"

#include "elo.h"
#include "format.h"
#include "hosts_kept.h"
#include "json.h"
#include "verdict.h"
#include "version.h"

#include <math.h>

/* An integer, or null if it is not known. */
static void write_known(struct json *j, const char *name, bool known, int64_t value)
{
    if (known)
        json_integer(j, name, value);
    else
        json_null(j, name);
}

/* A value with its total, its text and, of a share, its 95 % interval in per cent. */
static void write_value(struct json *j, const char *name, const struct run_summary *r,
                        int64_t value, int64_t size)
{
    struct interval i;
    char text[FORMAT_MAX];
    const bool share = objective_interval(r->value, value, size, &i);
    json_begin(j, name, '{');
    json_integer(j, "value", value);
    write_known(j, "of", size > 0, size);
    json_real(j, "low", share ? 100 * i.low : NAN, 4);
    json_real(j, "high", share ? 100 * i.high : NAN, 4);
    json_text(j, "text", objective_brief(r->value, (double)value, size, text));
    json_end(j, '}');
}

static void write_best(struct json *j, const struct run_summary *r)
{
    if (r->generation < 0) {
        json_null(j, "best");
        return;
    }
    const struct generation_row *row = &r->rows[r->best_generation];
    json_begin(j, "best", '{');
    json_integer(j, "generation", r->best_generation);
    json_integer(j, "organism", r->best_index);
    write_value(j, "train", r, row->measure, r->train_size);
    if (row->held_out == NOT_MEASURED)
        json_null(j, "held_out");
    else
        write_value(j, "held_out", r, row->held_out, r->held_out_size);
    json_end(j, '}');
}

/* What a run whose estimates play its start has gained. */
static void write_gain(struct json *j, const struct run_gain *gain)
{
    double elo, margin;
    char text[RUN_GAIN_TEXT];
    const bool known = run_gain_elo(gain, &elo, &margin);
    json_begin(j, "gain", '{');
    json_integer(j, "games", gain->games);
    json_integer(j, "of", gain->games_all);
    json_real(j, "elo", known ? elo : NAN, 2);
    json_real(j, "margin", known ? margin : NAN, 2);
    json_text(j, "text", run_gain_text(gain, text));
    json_end(j, '}');
}

/* What the run has gained over what its author has. */
static void write_verdict(struct json *j, const struct run_summary *s)
{
    const struct verdict v = verdict_of(s);
    if (v.text[0] == '\0')
        return;
    json_begin(j, "verdict", '{');
    json_text(j, "decided", verdict_word(v.decided));
    json_text(j, "against", v.against);
    json_text(j, "unit", v.unit);
    json_real(j, "by", v.by, 2);
    json_real(j, "margin", v.margin, 2);
    json_text(j, "text", v.text);
    json_end(j, '}');
}

/* The machines that work on it, with what a model of a larger cluster needs (docs/cluster.md). */
static void write_hosts(struct json *j, const char *text)
{
    struct ranks_report all;
    struct rank_host h;
    text = hosts_kept_all(text, &all);
    json_begin(j, "ranks", '{');
    json_integer(j, "count", all.ranks);
    json_integer(j, "threads", all.threads);
    json_integer(j, "jobs", all.jobs);
    json_real(j, "idle", all.idle, 4);
    json_text(j, "reason", ranks_idle_text(all.reason));
    json_integer(j, "batches", all.batches);
    json_integer(j, "groups", all.groups);
    json_real(j, "seconds", all.seconds, 3);
    json_real(j, "seconds_in_batches", all.in_batches, 3);
    json_real(j, "seconds_of_jobs", all.busy, 3);
    json_real(j, "seconds_of_serving", all.serving, 3);
    json_integer(j, "bytes", (int64_t)all.bytes);
    json_begin(j, "hosts", '[');
    while ((text = hosts_kept_next(text, &h)) != NULL) {
        json_begin(j, NULL, '{');
        json_integer(j, "ranks", h.ranks);
        json_integer(j, "threads", h.threads);
        json_text(j, "name", h.name);
        json_integer(j, "jobs", h.jobs);
        json_real(j, "idle", h.idle, 4);
        json_end(j, '}');
    }
    json_end(j, ']');
    json_end(j, '}');
}

/* The position inside the current generation. */
static void write_inside(struct json *j, const struct status_run *run)
{
    const struct run_progress *p = &run->progress;
    if (!run->inside) {
        json_null(j, "inside");
        return;
    }
    json_begin(j, "inside", '{');
    json_integer(j, "generation", p->generation);
    json_text(j, "part", p->held_out ? "held-out" : "train");
    json_text(j, "unit", run->unit);
    json_integer(j, "done", p->done);
    json_integer(j, "total", p->total);
    json_end(j, '}');
}

/* The values of a run that evolves, after those that every run has. */
static void write_evolution(struct json *j, const struct status_run *run)
{
    const struct run_summary *r = &run->summary;
    json_real(j, "seconds_each", run->each, 3);
    json_text(j, "measure", r->value->name);
    write_known(j, "generation", r->generation >= 0, r->generation);
    json_integer(j, "generations", r->recipe.generations);
    json_integer(j, "genomes", r->genomes);
    if (r->faults != NULL)
        json_text(j, "faults", r->faults);
    if (r->hosts != NULL)
        write_hosts(j, r->hosts);
    if (r->defaults.measure != NOT_MEASURED)
        json_integer(j, "defaults_measure", r->defaults.measure);
    if (r->defaults.held_out != NOT_MEASURED)
        json_integer(j, "defaults_held_out", r->defaults.held_out);
    write_inside(j, run);
    write_best(j, r);
    if (run_gain_known(&r->gain))
        write_gain(j, &r->gain);
    write_verdict(j, r);
}

static void write_match(struct json *j, const struct night_stage *stage,
                        const struct status_run *run)
{
    json_integer(j, "games", run->games);
    json_integer(j, "games_total", run->games_total);
    json_begin(j, "pairings", '[');
    for (int i = 0; i < run->pairing_count; i++) {
        const struct night_pairing *p = &run->pairings[i];
        const struct match_counts *c = &p->counts;
        const struct elo_estimate e = elo_estimate(c);
        const bool played = c->wins + c->draws + c->losses > 0;
        json_begin(j, NULL, '{');
        json_text(j, "first", stage->players[p->a].name);
        json_text(j, "second", stage->players[p->b].name);
        json_integer(j, "wins", c->wins);
        json_integer(j, "draws", c->draws);
        json_integer(j, "losses", c->losses);
        json_real(j, "elo", played ? e.elo : NAN, 2);
        json_real(j, "low", played ? e.elo_low : NAN, 2);
        json_real(j, "high", played ? e.elo_high : NAN, 2);
        json_end(j, '}');
    }
    json_end(j, ']');
}

static void write_stages(struct json *j, const struct status *s)
{
    json_real(j, "seconds_given", s->night.given, 3);
    if (s->current < 0)
        json_null(j, "stage");
    else
        json_text(j, "stage", s->runs[s->current].name);
    json_begin(j, "stages", '[');
    for (int i = 0; i < s->run_count; i++) {
        const struct status_run *run = &s->runs[i];
        json_begin(j, NULL, '{');
        json_text(j, "name", run->name);
        json_text(j, "state", status_run_state(run));
        json_real(j, "seconds", run->seconds, 3);
        json_real(j, "seconds_left", run->left, 3);
        if (run->is_match && !run->waiting)
            write_match(j, run->of->stage, run);
        else if (!run->waiting)
            write_evolution(j, run);
        json_end(j, '}');
    }
    json_end(j, ']');
}

void status_json_write(FILE *out, const char *path, const struct status *s)
{
    struct json j = {.out = out};
    uint64_t seed;
    const char *recipe = status_recipe(s, &seed);
    json_begin(&j, NULL, '{');
    json_text(&j, "kind", status_kind(s));
    json_text(&j, "file", path);
    json_text(&j, "program", "grayling " GRAYLING_VERSION);
    json_text(&j, "recipe", recipe);
    json_integer(&j, "seed", (int64_t)seed);
    json_text(&j, "state", run_state_name(s->state));
    if (s->state == RUN_STATE_FAILED)
        json_text(&j, "reason", s->reason);
    json_integer(&j, "read", s->read);
    write_known(&j, "changed", s->changed > 0, s->changed);
    json_real(&j, "seconds", s->spent, 3);
    json_real(&j, "seconds_left", s->left, 3);
    if (s->is_night)
        write_stages(&j, s);
    else
        write_evolution(&j, s->runs);
    json_end(&j, '}');
    fputc('\n', out);
}
