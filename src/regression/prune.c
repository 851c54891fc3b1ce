#include "prune.h"

#include "gradient.h"
#include "surgeon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions in a job. */
enum { SQUARED = 256 };

/* The share of the weights that stays when a part is removed. */
static const double stays = 0.8;

/* ---- saliency ---- */

/* A worker's gradient of one position. */
static void *begin(const void *context, struct error *err)
{
    const struct gradient_problem *p = context;
    double *by = calloc((size_t)regression_coordinates(p->set), sizeof *by);
    if (by == NULL)
        error_set(err, "no memory for a gradient");
    return by;
}

/* Adds the squared derivatives of a job's positions. The block is x. */
static bool add_squares(struct job *job, void *result, struct error *err)
{
    const struct gradient_problem *p = job->context;
    const int count = regression_coordinates(p->set);
    const size_t positions = compiled_positions(p->set), first = job->number * SQUARED;
    double *sum = result, *by = job->worker;
    (void)err;
    for (size_t i = first; i < first + SQUARED && i < positions; i++) {
        double loss = 0;
        memset(by, 0, (size_t)count * sizeof *by);
        p->method->add(p->set, i, job->block, &loss, by);
        for (int c = 0; c < count; c++)
            sum[c] += by[c] * by[c];
    }
    return true;
}

/* The sums over jobs. */
struct total {
    double *sum;
    int count;
};

static bool add_total(void *taker, size_t number, void *result)
{
    const struct total *total = taker;
    const double *sum = result;
    (void)number;
    for (int i = 0; i < total->count; i++)
        total->sum[i] += sum[i];
    return true;
}

/* Writes the Fisher information of each weight, times the positions. `x` is the point. */
static bool find_information(const struct gradient_problem *p, const double *x, int threads,
                             double *sum, struct error *err)
{
    const int count = regression_coordinates(p->set);
    const size_t size = (size_t)count * sizeof *x;
    struct total total = {sum, count - 1};
    const struct job_kind kind = {
        .result_size = size, .begin = begin, .finish = free, .work = add_squares};
    const struct jobs_batch batch = {.count = (compiled_positions(p->set) + SQUARED - 1) / SQUARED,
                                     .block = x,
                                     .block_size = size,
                                     .taker = &total,
                                     .take = add_total};
    return jobs_run_here(&kind, p, threads, &batch, err) == JOBS_DONE;
}

bool prune_saliency(const struct compiled_set *set, const struct regression_method *method,
                    const int32_t *weights, double scale, int threads, double *saliency,
                    struct error *err)
{
    const struct gradient_problem problem = {set, method};
    const int count = compiled_table(set)->count;
    double *x = calloc((size_t)count + 1, sizeof *x);
    bool good = x != NULL || error_set(err, "no memory for %d weights", count);
    memset(saliency, 0, (size_t)count * sizeof *saliency);
    for (int i = 0; good && i < count; i++)
        x[i] = weights[i];
    if (good) {
        x[count] = log(1 / scale);
        good = find_information(&problem, x, threads, saliency, err);
    }
    for (int i = 0; good && i < count; i++)
        saliency[i] *= 0.5 * (double)weights[i] * weights[i] / (double)compiled_positions(set);
    free(x);
    return good;
}

/* ---- pruning ---- */

bool prune_check(const struct param_table *table, int keep, struct error *err)
{
    const struct param *first = NULL;
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        if (!surgeon_must_stay(&table->params[i]))
            continue;
        first = first != NULL ? first : &table->params[i];
        count++;
    }
    return count <= keep ||
           error_set(
               err,
               "cannot prune to %d: %d weights must stay, because their ranges exclude 0 (the first is "
               "%s, from %d to %d); expected %d or more",
               keep, count, first->name, first->min, first->max, count);
}

static int count_left(const struct param *rows, int count)
{
    int left = 0;
    for (int i = 0; i < count; i++)
        left += !regression_constant(&rows[i]);
    return left;
}

/* Removes weights until `keep` are left, and changes the others to make up for them. They are whole numbers
 * then: a fit rounds to the steps of their ranges, and `to_steps` is for when there is none. */
static void remove_weights(struct surgeon *s, struct param *rows, int keep, bool to_steps,
                           int32_t *weights)
{
    while (s->left > keep) {
        const int gone = surgeon_remove(s);
        rows[gone].bits = 0;
        rows[gone].min = rows[gone].max = rows[gone].initial = 0;
        weights[gone] = 0;
    }
    for (int i = 0; i < s->left; i++) {
        const struct param *row = &rows[s->weight[i]];
        const int32_t whole = (int32_t)lround(fmin(fmax(s->value[i], row->min), row->max));
        weights[s->weight[i]] = to_steps ? regression_round(row, whole) : whole;
    }
}

/* Removes a part and fits the rest. */
static bool prune_part(const struct compiled_set *set, const struct regression_settings *settings,
                       struct param *rows, int keep, const struct prune_watcher *watcher,
                       int32_t *weights, struct regression_fit *fit, struct error *err)
{
    struct regression_settings next = *settings;
    struct surgeon surgeon;
    if (!surgeon_begin(&surgeon, set, settings, rows, weights, fit->scale, err))
        return false;
    remove_weights(&surgeon, rows, keep, settings->steps == 0, weights);
    surgeon_finish(&surgeon);
    if (watcher->pruned != NULL)
        watcher->pruned(watcher->context, count_left(rows, settings->table->count), keep);
    next.start = weights;
    return regression_run(set, &next, &watcher->fit, weights, fit, err);
}

/* How many of `left` weights stay in the next part: at least one goes. */
static int next_part(int left, int keep)
{
    const int part = (int)ceil(stays * left), most = part < left ? part : left - 1;
    return most > keep ? most : keep;
}

bool prune_run(const struct compiled_set *set, const struct regression_settings *settings,
               struct param *rows, int keep, const struct prune_watcher *watcher, int32_t *weights,
               struct regression_fit *fit, struct error *err)
{
    const int count = settings->table->count;
    bool good = prune_check(settings->table, keep, err);
    for (int left; good && !fit->stopped && (left = count_left(rows, count)) > keep;)
        good = prune_part(set, settings, rows, next_part(left, keep), watcher, weights, fit, err);
    return good;
}
