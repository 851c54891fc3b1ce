#include "status_json.h"

#include "elo.h"
#include "format.h"
#include "hosts_kept.h"
#include "json.h"
#include "verdict.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>

/* ,"name":"text" */
static void write_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    json_text(out, text);
}

static void write_integer(FILE *out, const char *name, int64_t value)
{
    fprintf(out, ",\"%s\":%" PRId64, name, value);
}

/* The same, null if the value is not known. */
static void write_known(FILE *out, const char *name, bool known, int64_t value)
{
    if (known)
        write_integer(out, name, value);
    else
        fprintf(out, ",\"%s\":null", name);
}

static void write_real(FILE *out, const char *name, double value, int decimals)
{
    fprintf(out, ",\"%s\":", name);
    json_number(out, value, decimals);
}

/* A value with its total, its text and, of a share, its 95 % interval in per cent. */
static void write_value(FILE *out, const char *name, const struct run_summary *r, int64_t value,
                        int64_t size)
{
    struct interval i;
    char text[FORMAT_MAX];
    bool share = objective_interval(r->value, value, size, &i);
    fprintf(out, ",\"%s\":{\"value\":%" PRId64, name, value);
    write_known(out, "of", size > 0, size);
    write_real(out, "low", share ? 100 * i.low : NAN, 4);
    write_real(out, "high", share ? 100 * i.high : NAN, 4);
    write_text(out, "text", objective_brief(r->value, (double)value, size, text));
    fputc('}', out);
}

static void write_best(FILE *out, const struct run_summary *r)
{
    if (r->generation < 0) {
        fputs(",\"best\":null", out);
        return;
    }
    const struct generation_row *row = &r->rows[r->best_generation];
    fprintf(out, ",\"best\":{\"generation\":%d,\"organism\":%d", r->best_generation, r->best_index);
    write_value(out, "train", r, row->measure, r->train_size);
    if (row->held_out == NOT_MEASURED)
        fputs(",\"held_out\":null", out);
    else
        write_value(out, "held_out", r, row->held_out, r->held_out_size);
    fputc('}', out);
}

/* What a run whose estimates play its start has gained. */
static void write_gain(FILE *out, const struct run_gain *gain)
{
    double elo, margin;
    char text[RUN_GAIN_TEXT];
    const bool known = run_gain_elo(gain, &elo, &margin);
    fprintf(out, ",\"gain\":{\"games\":%" PRId64, gain->games);
    write_integer(out, "of", gain->games_all);
    write_real(out, "elo", known ? elo : NAN, 2);
    write_real(out, "margin", known ? margin : NAN, 2);
    write_text(out, "text", run_gain_text(gain, text));
    fputc('}', out);
}

/* What the run has gained over what its author has. */
static void write_verdict(FILE *out, const struct run_summary *s)
{
    const struct verdict v = verdict_of(s);
    if (v.text[0] == '\0')
        return;
    fputs(",\"verdict\":{\"decided\":", out);
    json_text(out, verdict_word(v.decided));
    write_text(out, "against", v.against);
    write_text(out, "unit", v.unit);
    write_real(out, "by", v.by, 2);
    write_real(out, "margin", v.margin, 2);
    write_text(out, "text", v.text);
    fputc('}', out);
}

/* What a model of a larger cluster needs (docs/cluster.md). */
static void write_costs(FILE *out, const struct ranks_report *all)
{
    write_integer(out, "batches", all->batches);
    write_integer(out, "groups", all->groups);
    write_real(out, "seconds", all->seconds, 3);
    write_real(out, "seconds_in_batches", all->in_batches, 3);
    write_real(out, "seconds_of_jobs", all->busy, 3);
    write_real(out, "seconds_of_waiting", all->waited, 3);
    write_real(out, "seconds_of_ending", all->ending, 3);
    write_real(out, "seconds_of_serving", all->serving, 3);
    write_integer(out, "bytes", (int64_t)all->bytes);
}

/* The machines that work on it. */
static void write_hosts(FILE *out, const char *text)
{
    struct ranks_report all;
    struct rank_host h;
    const char *comma = "";
    if (text == NULL)
        return;
    text = hosts_kept_all(text, &all);
    fprintf(out, ",\"ranks\":{\"count\":%d,\"threads\":%d", all.ranks, all.threads);
    write_integer(out, "jobs", all.jobs);
    write_real(out, "idle", all.idle, 4);
    write_text(out, "reason", ranks_idle_text(all.reason));
    write_costs(out, &all);
    fputs(",\"hosts\":[", out);
    for (; (text = hosts_kept_next(text, &h)) != NULL; comma = ",") {
        fprintf(out, "%s{\"ranks\":%d,\"threads\":%d", comma, h.ranks, h.threads);
        write_text(out, "name", h.name);
        write_integer(out, "jobs", h.jobs);
        write_real(out, "idle", h.idle, 4);
        fputc('}', out);
    }
    fputs("]}", out);
}

/* The position inside the current generation. */
static void write_inside(FILE *out, const struct status_run *run)
{
    if (!run->inside) {
        fputs(",\"inside\":null", out);
        return;
    }
    const struct run_progress *p = &run->progress;
    fprintf(out, ",\"inside\":{\"generation\":%d,\"part\":\"%s\"", p->generation,
            p->held_out ? "held-out" : "train");
    write_text(out, "unit", run->unit);
    write_integer(out, "done", p->done);
    write_integer(out, "total", p->total);
    fputc('}', out);
}

/* The values of a run that evolves, after those that every run has. */
static void write_evolution(FILE *out, const struct status_run *run)
{
    const struct run_summary *r = &run->summary;
    write_real(out, "seconds_each", run->each, 3);
    write_text(out, "measure", r->value->name);
    write_known(out, "generation", r->generation >= 0, r->generation);
    write_integer(out, "generations", r->recipe.generations);
    write_integer(out, "genomes", r->genomes);
    if (r->faults != NULL)
        write_text(out, "faults", r->faults);
    write_hosts(out, r->hosts);
    if (r->defaults.measure != NOT_MEASURED)
        write_integer(out, "defaults_measure", r->defaults.measure);
    if (r->defaults.held_out != NOT_MEASURED)
        write_integer(out, "defaults_held_out", r->defaults.held_out);
    write_inside(out, run);
    write_best(out, r);
    if (run_gain_known(&r->gain))
        write_gain(out, &r->gain);
    write_verdict(out, r);
}

static void write_pairing(FILE *out, const struct night_stage *stage, const struct night_pairing *p)
{
    const struct elo_estimate e = elo_estimate(&p->counts);
    bool played = p->counts.wins + p->counts.draws + p->counts.losses > 0;
    fputs("{\"first\":", out);
    json_text(out, stage->players[p->a].name);
    write_text(out, "second", stage->players[p->b].name);
    write_integer(out, "wins", p->counts.wins);
    write_integer(out, "draws", p->counts.draws);
    write_integer(out, "losses", p->counts.losses);
    write_real(out, "elo", played ? e.elo : NAN, 2);
    write_real(out, "low", played ? e.elo_low : NAN, 2);
    write_real(out, "high", played ? e.elo_high : NAN, 2);
    fputc('}', out);
}

static void write_match(FILE *out, const struct night_stage *stage, const struct status_run *run)
{
    write_integer(out, "games", run->games);
    write_integer(out, "games_total", run->games_total);
    fputs(",\"pairings\":[", out);
    for (int i = 0; i < run->pairing_count; i++) {
        fputs(i > 0 ? "," : "", out);
        write_pairing(out, stage, &run->pairings[i]);
    }
    fputc(']', out);
}

static void write_stage(FILE *out, const struct status *s, int index)
{
    const struct status_run *run = &s->runs[index];
    fputs(index > 0 ? ",\n  {\"name\":" : "\n  {\"name\":", out);
    json_text(out, run->name);
    write_text(out, "state", status_run_state(run));
    write_real(out, "seconds", run->seconds, 3);
    write_real(out, "seconds_left", run->left, 3);
    if (run->is_match && !run->waiting)
        write_match(out, run->of->stage, run);
    else if (!run->waiting)
        write_evolution(out, run);
    fputc('}', out);
}

static void write_stages(FILE *out, const struct status *s)
{
    write_real(out, "seconds_given", s->night.given, 3);
    if (s->current < 0)
        fputs(",\"stage\":null", out);
    else
        write_text(out, "stage", s->runs[s->current].name);
    fputs(",\"stages\":[", out);
    for (int i = 0; i < s->run_count; i++)
        write_stage(out, s, i);
    fputs("\n]", out);
}

void status_json_write(FILE *out, const char *path, const struct status *s)
{
    uint64_t seed;
    const char *recipe = status_recipe(s, &seed);
    fprintf(out, "{\"kind\":\"%s\"", status_kind(s));
    write_text(out, "file", path);
    write_text(out, "program", "grayling " GRAYLING_VERSION);
    write_text(out, "recipe", recipe);
    fprintf(out, ",\"seed\":%" PRIu64, seed);
    write_text(out, "state", run_state_name(s->state));
    if (s->state == RUN_STATE_FAILED)
        write_text(out, "reason", s->reason);
    write_integer(out, "read", s->read);
    write_known(out, "changed", s->changed > 0, s->changed);
    write_real(out, "seconds", s->spent, 3);
    write_real(out, "seconds_left", s->left, 3);
    if (s->is_night)
        write_stages(out, s);
    else
        write_evolution(out, s->runs);
    fputs("}\n", out);
}
