#include "regress.h"

#include "clock.h"
#include "match_all.h"
#include "prune.h"
#include "softmax.h"

#include <stdlib.h>

static void show_step(void *context, int done, int total, double loss)
{
    struct regress *r = context;
    char note[64];
    if (done == 1)
        progress_begin(&r->progress, "step", 0);
    snprintf(note, sizeof note, "loss %.5f", loss);
    progress_show(&r->progress, done, total, note);
}

static void show_compiled(void *context, int64_t done, int64_t total)
{
    struct regress *r = context;
    progress_show(&r->progress, done, total,
                  r->likely > 0 ? "likely moves, in two rounds" : "compiled");
}

/* Compiles the likely moves of the training positions. */
static struct compiled_set *compile_likely(struct regress *r, const struct subject *train,
                                           const struct compiled_watcher *watcher,
                                           struct error *err)
{
    const int count = r->evaluation.genes.count;
    double *weights = calloc((size_t)count + 1, sizeof *weights);
    for (int i = 0; weights != NULL && i < count; i++)
        weights[i] = r->weights[i];
    struct compiled_set *set = NULL;
    if (weights == NULL)
        error_set(err, "no memory for %d weights", count);
    else
        set = compiled_create_likely(train->positions.items, train->positions.count,
                                     LEAF_QUIESCENCE, tuned_evaluation_source(&r->evaluation),
                                     weights, r->likely, r->settings.threads, watcher, err);
    free(weights);
    return set;
}

/* Compiles positions with all their moves. */
static struct compiled_set *compile(const struct regress *r, const struct subject *s,
                                    const struct compiled_watcher *watcher, struct error *err)
{
    return r->settings.method->compile(s->positions.items, s->positions.count,
                                       tuned_evaluation_source(&r->evaluation), r->settings.threads,
                                       watcher, err);
}

/* Compiles the training positions. NULL without a reason if it was stopped. */
static struct compiled_set *compile_train(struct regress *r, const struct subject *train,
                                          struct error *err)
{
    const struct compiled_watcher watcher = {.context = r, .done = show_compiled, .stop = r->stop};
    progress_begin(&r->progress, "position", 0);
    struct compiled_set *set =
        r->likely > 0 ? compile_likely(r, train, &watcher, err) : compile(r, train, &watcher, err);
    progress_end(&r->progress);
    return set;
}

bool regress_fit(struct regress *r, struct error *err)
{
    const struct regression_settings *s = &r->settings;
    const struct regression_watcher watcher = {.context = r, .step = show_step, .stop = r->stop};
    double begun = clock_seconds();
    r->set = compile_train(r, &r->subjects[0], err);
    r->fit.stopped = r->set == NULL && *r->stop != 0;
    bool good = r->fit.stopped ||
                (r->set != NULL && regression_run(r->set, s, &watcher, r->weights, &r->fit, err));
    r->seconds = clock_seconds() - begun;
    progress_end(&r->progress);
    return good;
}

static void show_pruned(void *context, int left, int wanted)
{
    struct regress *r = context;
    progress_end(&r->progress);
    fprintf(stderr, "%d weights are left, of %d wanted\n", left, wanted);
}

bool regress_prune(struct regress *r, int keep, struct error *err)
{
    const struct prune_watcher watcher = {
        .context = r,
        .pruned = show_pruned,
        .fit = {.context = r, .step = show_step, .stop = r->stop}};
    double begun = clock_seconds();
    bool good = prune_run(r->set, &r->settings, r->rows, keep, &watcher, r->weights, &r->fit, err);
    r->seconds += clock_seconds() - begun;
    progress_end(&r->progress);
    return good;
}

/* Measures the loss on held-out positions. False without a reason if it was stopped. */
static bool measure_loss(const struct regress *r, struct subject *s, struct error *err)
{
    const struct regression_settings *set = &r->settings;
    const struct compiled_watcher stop_only = {.stop = r->stop};
    struct compiled_set *compiled = compile(r, s, &stop_only, err);
    bool good = compiled != NULL && regression_measure(compiled, set->method, r->weights,
                                                       r->fit.scale, set->threads, &s->loss, err);
    compiled_destroy(compiled);
    return good;
}

static void show_matched(void *context, int64_t done, int64_t total)
{
    struct regress *r = context;
    progress_show(&r->progress, done, total, "moves matched");
}

/* Counts the moves matched; of a part of the positions if it was stopped. */
static bool match_positions(struct regress *r, struct subject *s, struct error *err)
{
    const struct compiled_watcher watcher = {.context = r, .done = show_matched, .stop = r->stop};
    const struct match_all wanted = {.positions = s->positions.items,
                                     .count = s->positions.count,
                                     .leaf = LEAF_QUIESCENCE,
                                     .source = tuned_evaluation_source(&r->evaluation),
                                     .values = r->weights,
                                     .organisms = 1};
    progress_begin(&r->progress, "position", 0);
    bool good = match_all(&wanted, r->settings.threads, &watcher, &s->matched, err) != JOBS_FAILED;
    progress_end(&r->progress);
    return good;
}

/* Counts the moves matched in the training positions: in the set that was fitted, if it has all moves. */
static bool match_train(struct regress *r, struct subject *train, struct error *err)
{
    int32_t matched;
    if (r->settings.method->need != EPD_NEED_BEST || r->likely > 0)
        return match_positions(r, train, err);
    bool good = compiled_match(r->set, r->weights, 1, r->settings.threads, NULL, &matched, err);
    train->matched = matched;
    return good;
}

bool regress_measure(struct regress *r, struct error *err)
{
    const struct regression_settings *set = &r->settings;
    struct subject *train = &r->subjects[0];
    if (!regression_measure(r->set, set->method, r->weights, r->fit.scale, set->threads,
                            &train->loss, err) ||
        (train->has_moves && !match_train(r, train, err)))
        return false;
    for (int i = 1; i <= r->held_out.count && *r->stop == 0; i++) {
        struct subject *s = &r->subjects[i];
        if ((s->has_loss && !measure_loss(r, s, err)) ||
            (s->has_moves && !match_positions(r, s, err)))
            return error_prefix(err, "%s: ", r->held_out.items[i - 1]);
    }
    return true;
}
