#include "verdict.h"

#include "foreign_text.h"
#include "paths.h"
#include "space.h"
#include "text_stream.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

/* So few positions decide nothing. */
enum { FEW = 10, NAME = 96, CLAUSE = 160 };

const char *verdict_word(enum elo_verdict decided)
{
    static const char *const words[] = {
        [ELO_OPEN] = "not decided", [ELO_AHEAD] = "better", [ELO_BEHIND] = "worse"};
    return words[decided];
}

/* Names the engine that has the values: the file of another's command. */
static const char *engine_of(const struct run_summary *s, char name[NAME])
{
    char word[NAME] = "grayling";
    if (space_is_foreign(&s->space) && s->space.command != NULL)
        sscanf(s->space.command, "%95s", word);
    foreign_text_copy(name, NAME, path_name(word));
    return name;
}

/* Writes how long the players of a run by games think. */
static void write_limit(const struct recipe *r, char text[NAME])
{
    char count[COUNT_MAX];
    if (r->tc[0] != '\0')
        snprintf(text, NAME, "%s s a game", r->tc);
    else if (r->movetime > 0)
        snprintf(text, NAME, "%d ms a move", r->movetime);
    else if (r->depth > 0)
        snprintf(text, NAME, "%d plies a move", r->depth);
    else
        snprintf(text, NAME, "%s nodes a move", format_count(r->limit, count));
}

static void decide(struct verdict *v)
{
    v->decided = fabs(v->by) <= v->margin ? ELO_OPEN : v->by > 0 ? ELO_AHEAD : ELO_BEHIND;
}

static void judge_games(const struct run_summary *s, struct verdict *v)
{
    char limit[NAME], name[NAME], games[COUNTED_MAX];
    /* The first organism of generation 0 is the engine with its defaults. */
    const bool defaults = space_is_foreign(&s->space) && s->recipe.seed_count == 0 &&
                          s->recipe.optimiser.defaults > 0;
    int64_t pairs = 0;
    v->unit = "Elo";
    v->against = defaults ? "the defaults" : "the start";
    if (!run_gain_elo(&s->gain, &v->by, &v->margin)) {
        v->by = v->margin = NAN;
        snprintf(v->text, sizeof v->text, "not decided: too few games against %s yet", v->against);
        return;
    }
    decide(v);
    for (int i = 0; i < 5; i++)
        pairs += s->gain.start.pairs[i];
    write_limit(&s->recipe, limit);
    snprintf(v->text, sizeof v->text,
             "%s: %s with these values is %.0f +/- %.0f Elo %s than %s: %s at %s",
             verdict_word(v->decided), engine_of(s, name), fabs(v->by), v->margin,
             v->by < 0 ? "weaker" : "stronger", defaults ? "with its defaults" : "at its start",
             format_things(2 * pairs, "game", games), limit);
}

/* Writes by how much the best is better than the defaults, in per cent: of the positions for a share, else of
 * what the defaults cost. */
static void set_difference(const struct objective_value *o, int64_t best, int64_t defaults,
                           double margin, int64_t size, struct verdict *v)
{
    const double of_defaults = objective_axis(o, (double)defaults, size, size);
    const double scale = o->form == OBJECTIVE_SHARE ? 1 : 100 / of_defaults;
    const double by = scale * (objective_axis(o, (double)best, size, size) - of_defaults);
    v->by = o->lower_is_better ? -by : by;
    v->margin = scale *
                (objective_axis(o, (double)best + margin, size, size) -
                 objective_axis(o, (double)best - margin, size, size)) /
                2;
}

/* Writes "needs 30.3 +/- 4.0 % fewer nodes"; without a margin, the difference alone. */
static void write_clause(const struct objective_value *o, const struct verdict *v,
                         char clause[CLAUSE])
{
    const int decimals = o->form == OBJECTIVE_SHARE ? o->decimals : 1;
    char amount[64];
    snprintf(amount, sizeof amount, "%.*f", decimals, fabs(v->by));
    if (!isnan(v->margin))
        text_add(amount, sizeof amount, " +/- %.*f", decimals, v->margin);
    snprintf(clause, CLAUSE, "%s %s %% %s", o->does, amount, v->by < 0 ? o->worse : o->better);
}

static void judge_held_out(const struct run_summary *s, int64_t best, struct verdict *v)
{
    char clause[CLAUSE], name[NAME], size[COUNT_MAX];
    const double margin = 1.96 * (double)s->defaults.error / 1000;
    set_difference(s->value, best, s->defaults.held_out, margin, s->held_out_size, v);
    decide(v);
    if (s->held_out_size < FEW)
        v->decided = ELO_OPEN;
    write_clause(s->value, v, clause);
    snprintf(v->text, sizeof v->text,
             "%s: %s with these values %s than with its defaults: %s held-out positions",
             verdict_word(v->decided), engine_of(s, name), clause,
             format_count(s->held_out_size, size));
}

/* Tells the difference on the training positions, which decide nothing. */
static void tell_train(const struct run_summary *s, int64_t best, struct verdict *v)
{
    char clause[CLAUSE], name[NAME], size[COUNT_MAX];
    set_difference(s->value, best, s->defaults.measure, 0, s->train_size, v);
    v->margin = NAN;
    write_clause(s->value, v, clause);
    snprintf(v->text, sizeof v->text,
             "not decided: %s with these values %s than with its defaults on the %s training "
             "positions that chose them, and there are no others",
             engine_of(s, name), clause, format_count(s->train_size, size));
}

struct verdict verdict_of(const struct run_summary *s)
{
    struct verdict v = {.by = NAN, .margin = NAN, .unit = "%", .against = "the defaults"};
    const struct defaults_kept *d = &s->defaults;
    if (s->generation < 0)
        return v;
    const struct generation_row *best = &s->rows[s->best_generation];
    if (run_gain_known(&s->gain))
        judge_games(s, &v);
    else if (s->held_out_size == 0 && d->measure != NOT_MEASURED)
        tell_train(s, best->measure, &v);
    else if (d->compared == s->best_generation && d->error != NOT_MEASURED &&
             d->held_out != NOT_MEASURED && best->held_out != NOT_MEASURED)
        judge_held_out(s, best->held_out, &v);
    v.text[0] = (char)toupper((unsigned char)v.text[0]);
    return v;
}
