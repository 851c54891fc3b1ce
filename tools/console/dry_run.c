#include "run_view.h"

#include "clock.h"
#include "command.h"
#include "comparison.h"
#include "games_plan.h"
#include "night.h"
#include "scratch.h"

#include <math.h>

/* How long a calibration takes, after the data is read. Where nothing is measured in this time, it
 * is repeated with four times as much. */
#define RUN_SECONDS   1.5
#define STAGE_SECONDS 0.5
#define MOST_SECONDS  30
#define FIT_SECONDS   2  /* of a stage that is about to run */
#define FIT_SHORTEST  30 /* a night of less time would spend it on calibrations */

/* A calibration: the first seconds of a run. */
struct calibration {
    struct run_view *view;        /* of the run, for its head; NULL: no head is printed */
    struct run_observer observer; /* of that view */
    double seconds;               /* how long it takes */
    double most;                  /* how long it takes at most, where nothing is measured before */
    double started, begun;        /* when, in seconds of the clock; and when the data was read */
    int64_t positions, held_out;  /* to train on, and held out */
    int complete;                 /* generations */
    double part;                  /* of the generation after them: 0 to 1 */
    double measured;              /* the seconds of all that was measured */
    int64_t earlier, work; /* pieces of work, such as games: of complete generations; of all */
};

struct span {
    double low, high;
};

/* What a whole run takes, where its first generation is 1. Moves matched cost the same for any
 * organism. Searches and games grow shorter or longer as the organisms improve: the mean generation
 * of kept runs (docs/runs) took 0.3 to 1.8 times the first. */
static const struct span spreads[] = {
    [MEASURE_MOVE_MATCH] = {0.75, 1.2}, [MEASURE_NODES_TO_SOLUTION] = {0.33, 2},
    [MEASURE_GAMES] = {0.33, 2},        [MEASURE_MENTOR] = {0.75, 1.2},
    [MEASURE_RESULTS] = {0.75, 1.2},
};

/* ---- calibrating ---- */

static void begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next)
{
    struct error err;
    struct calibration *c = context;
    if (c->view != NULL)
        c->observer.begun(c->view, recipe, fitness, next);
    c->begun = clock_seconds();
    c->positions = fitness->train_size;
    c->held_out = fitness->held_out_size;
    interrupt_in(c->seconds, &err);
}

static bool after_generation(void *context, const struct generation_row *row, int generations)
{
    struct calibration *c = context;
    (void)generations;
    c->complete = row->generation + 1;
    c->measured = clock_seconds() - c->begun;
    c->earlier = c->work;
    c->part = 0;
    return true;
}

static void after_work(void *context, const struct run_progress *p)
{
    struct calibration *c = context;
    if (p->held_out || p->total == 0)
        return;
    c->part = (double)p->done / (double)p->total;
    c->work = c->earlier + p->done;
    c->measured = clock_seconds() - c->begun;
}

/* Runs the beginning of a recipe. False with the reason, or without one if the user stops it. */
static bool run_beginning(const struct recipe *recipe, int threads, struct calibration *c,
                          struct error *err)
{
    struct scratch scratch;
    const struct run_observer observer = {.context = c,
                                          .begun = begun,
                                          .generation = after_generation,
                                          .progress = after_work,
                                          .stop = interrupt_watch()};
    if (!scratch_make(&scratch, err))
        return false;
    c->started = clock_seconds();
    enum run_end end = run_evolve(recipe, scratch.run, false, threads, &observer, err);
    scratch_remove(&scratch);
    if (end != RUN_STOPPED || interrupt_take_alarm())
        return end == RUN_COMPLETE || end == RUN_STOPPED;
    *err = (struct error){""};
    return false;
}

/* True if something is measured. Mates play nothing in generation 0. */
static bool has_measured(const struct calibration *c, const struct recipe *r)
{
    return c->part > 0 || (r->mates ? c->work > 0 : c->complete > 0);
}

static bool calibrate(const struct recipe *recipe, int threads, struct calibration *c,
                      struct error *err)
{
    bool done;
    while ((done = run_beginning(recipe, threads, c, err)) && !has_measured(c, recipe) &&
           c->seconds < c->most) {
        c->seconds *= 4;
        c->view = NULL;
    }
    return done;
}

/* ---- estimating ---- */

static double games_a_second(const struct calibration *c)
{
    return (double)c->work / c->measured;
}

/* The seconds that a generation takes; 0 if nothing was measured. */
static double generation_seconds(const struct calibration *c, const struct recipe *r)
{
    if (r->mates && has_measured(c, r))
        return (double)games_plan_of(r, 0).all / (r->generations + 1) / games_a_second(c);
    const int population = r->optimiser.population;
    double held_out = 0; /* of the best, as a part of the generation's other work */
    if (r->measure == MEASURE_NODES_TO_SOLUTION)
        held_out = 1.0 / population;
    else if (r->measure == MEASURE_GAMES && r->opponent[0] != '\0')
        held_out =
            2.0 * r->opponent_games / ((double)r->games * population * recipe_opponents(r) + 1);
    const double generations = c->complete + c->part / (1 + held_out);
    return generations > 0 ? c->measured / generations : 0;
}

double dry_run_generation(const struct recipe *recipe, int threads, double seconds,
                          struct error *err)
{
    struct calibration c = {.seconds = seconds};
    return calibrate(recipe, threads, &c, err) ? generation_seconds(&c, recipe) : -1;
}

/* The seconds that `runs` runs of a recipe take; 0 if nothing was measured. */
static struct span estimate(const struct calibration *c, const struct recipe *r, int runs)
{
    const struct span spread = spreads[r->measure];
    const double all = generation_seconds(c, r) * (r->generations + 1) * runs;
    return (struct span){spread.low * all, spread.high * all};
}

/* "4 s to 6 s" */
static const char *format_span(struct span s, char text[2 * FORMAT_MAX])
{
    char low[FORMAT_MAX], high[FORMAT_MAX];
    if (s.high <= 0)
        return "not known: the first organism takes too long";
    snprintf(text, (size_t)2 * FORMAT_MAX, "%s to %s", format_duration(s.low, low),
             format_duration(s.high, high));
    return text;
}

/* ---- a run ---- */

int dry_run_evolve(const struct recipe *recipe, struct run_view *view, const struct outcome *o)
{
    struct error err = {""};
    char text[2 * FORMAT_MAX], games[COUNTED_MAX];
    struct calibration c = {.view = view,
                            .observer = run_view_observer(view),
                            .seconds = RUN_SECONDS,
                            .most = MOST_SECONDS};
    if (!run_view_seconds(view, &err))
        return command_fail(EXIT_BAD, &err);
    progress_wait(&view->progress, "reading the data");
    bool done = calibrate(recipe, view->threads, &c, &err);
    progress_end(&view->progress);
    if (!done)
        return command_fail(EXIT_BAD, &err);
    run_view_print_files(view, o);
    struct span span = estimate(&c, recipe, 1);
    printf("time     %s, from a calibration of %.1f s\n", format_span(span, text), c.seconds);
    if (recipe->measure == MEASURE_GAMES && c.work > 0)
        printf("pace     %s games an hour, from %s\n",
               format_count((int64_t)(3600 * games_a_second(&c)), text),
               format_things(c.work, "game", games));
    else if (recipe->measure == MEASURE_GAMES)
        printf("pace     not measured: no game ended in %.0f s\n", c.seconds);
    if (view->seconds > 0 && view->seconds < span.high)
        printf("ends     after %s at the latest\n", format_duration(view->seconds, text));
    puts("nothing was written");
    return EXIT_DONE;
}

/* ---- a night ---- */

/* What a run needs to the end of generation 0, with a reserve: the best organism is measured on held-out data,
 * and so are the defaults. Where nothing was measured, an organism takes longer than what was tried. */
static struct night_need need_of(const struct calibration *c, const struct recipe *r)
{
    const double reserve = 1.3, measured = generation_seconds(c, r);
    const double generation = measured > 0 ? measured : c->seconds * r->optimiser.population;
    const bool games = r->measure == MEASURE_GAMES;
    const double held_out = games ? 0 : (double)c->held_out / (double)c->positions;
    const double more = games ? 0 : (1 + 2 * held_out) / r->optimiser.population;
    return (struct night_need){.data = c->begun - c->started,
                               .seconds = reserve * generation * (1 + more),
                               .positions = games ? 0 : c->positions};
}

/* Calibrates the stages that evolve, each in `most` seconds at most. A random population stands for the seeds
 * of an earlier stage; nothing stands for games that are not played yet. */
static bool calibrate_stages(const struct night_recipe *recipe, struct run_view *view, double most,
                             struct span spans[NIGHT_STAGES], struct night_need needs[NIGHT_STAGES],
                             struct error *err)
{
    char what[STORE_STAGE + 32];
    bool done = true;
    progress_begin(&view->progress, "stage", 0);
    for (int i = 0; i < recipe->stage_count && done; i++) {
        const struct night_stage *stage = &recipe->stages[i];
        struct calibration c = {.seconds = STAGE_SECONDS, .most = most};
        if (stage->is_match || stage->result_count > 0)
            continue;
        snprintf(what, sizeof what, "calibrating %s", stage->name);
        progress_show(&view->progress, i, recipe->stage_count, what);
        done = calibrate(stage->recipe, view->threads, &c, err) ||
               (err->text[0] != '\0' && error_prefix(err, "stage %s: ", stage->name));
        spans[i] = estimate(&c, stage->recipe, stage->runs);
        needs[i] = need_of(&c, stage->recipe);
    }
    progress_end(&view->progress);
    return done;
}

/* Prints a stage: its share of the time (0: it has all that it needs), and what it would take to its end. */
static void print_stage(const struct night_stage *stage, double seconds, struct span span)
{
    char share[FORMAT_MAX], text[2 * FORMAT_MAX], pairings[COUNTED_MAX];
    printf("  %-14s ", stage->name);
    if (seconds > 0)
        printf("%-11s  ", format_duration(seconds, share));
    if (stage->is_match)
        printf(
            "%s, %d games each\n",
            format_things(stage->player_count * (stage->player_count - 1) / 2, "pairing", pairings),
            stage->games);
    else if (stage->result_count > 0)
        printf("not known before the games of %s%s\n", stage->results[stage->result_count - 1],
               stage->runs > 1 ? ", all runs" : "");
    else
        printf("%s%s\n", format_span(span, text), stage->runs > 1 ? ", all runs" : "");
}

static void fit(struct night_recipe *recipe, double seconds, struct night_need needs[NIGHT_STAGES])
{
    struct night_fit fitted;
    char least[FORMAT_MAX];
    night_fit(recipe, seconds, needs, &fitted);
    printf("needs    %s at least%s\n", format_duration(fitted.least, least),
           fitted.least > seconds ? ", more than it is given: --hours H gives it more" : "");
    for (int i = 0; i < fitted.count; i++)
        printf("fits     %s\n", fitted.notes[i]);
}

int dry_run_fit(struct night_recipe *recipe, struct run_view *view)
{
    const double began = clock_seconds();
    const double seconds = view->seconds > 0 ? view->seconds : 3600 * recipe->hours;
    struct error err = {""};
    struct span spans[NIGHT_STAGES] = {{0, 0}};
    struct night_need needs[NIGHT_STAGES] = {{0}};
    if (seconds < FIT_SHORTEST || seconds >= 3600 * NIGHT_UNLIMITED_HOURS ||
        comparison_applies(recipe))
        return EXIT_DONE;
    if (!calibrate_stages(recipe, view, FIT_SECONDS, spans, needs, &err))
        return command_fail(EXIT_BAD, &err);
    const double spent = clock_seconds() - began;
    fit(recipe, seconds - spent, needs);
    if (view->end == 0 && spent > seconds / 50)
        view->seconds = fmax(seconds - spent, 0.001);
    return EXIT_DONE;
}

int dry_run_night(struct night_recipe *recipe, struct run_view *view)
{
    const double seconds = view->seconds > 0 ? view->seconds : 3600 * recipe->hours;
    struct error err = {""};
    struct span spans[NIGHT_STAGES] = {{0, 0}};
    struct night_need needs[NIGHT_STAGES] = {{0}};
    char text[2 * FORMAT_MAX], limit[FORMAT_MAX];
    if (!calibrate_stages(recipe, view, MOST_SECONDS, spans, needs, &err))
        return command_fail(EXIT_BAD, &err);
    struct span total = {0, 0}; /* of all stages to their ends; 0 if it is not known of all */
    double shares = 0;
    bool known = true;
    for (int i = 0; i < recipe->stage_count; i++) {
        shares += recipe->stages[i].share;
        known = known && spans[i].high > 0;
        total = (struct span){total.low + spans[i].low, total.high + spans[i].high};
    }
    if (!known)
        total = (struct span){0, 0};
    bool enough =
        seconds >= 3600 * NIGHT_UNLIMITED_HOURS || (total.high > 0 && total.high < seconds);
    printf("  stage          %sto its end\n", enough ? "" : "its share    ");
    for (int i = 0; i < recipe->stage_count; i++)
        print_stage(&recipe->stages[i], enough ? 0 : seconds * recipe->stages[i].share / shares,
                    spans[i]);
    if (enough)
        printf("time     %s\n", format_span(total, text));
    else
        printf("time     %s at most\n", format_duration(seconds, limit));
    if (!enough && !comparison_applies(recipe))
        fit(recipe, seconds, needs);
    puts("nothing was written");
    return EXIT_DONE;
}
