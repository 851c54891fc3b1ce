#include "gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURED = 64 }; /* positions a job */

static size_t job_count(const struct compiled_set *set)
{
    return (compiled_positions(set) + MEASURED - 1) / MEASURED;
}

/* The loss of a position, and its game. */
struct position_loss {
    uint64_t game; /* 0: unknown; treated as a game of its own */
    size_t index;
    double loss;
    bool counts;
};

/* Orders by game, then by the order of the set. */
static int compare_losses(const void *left, const void *right)
{
    const struct position_loss *a = left, *b = right;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Mean and standard error of the counted losses; sorts them. */
static struct regression_loss summarise(struct position_loss *losses, size_t count)
{
    struct regression_loss loss = {.positions = 0};
    double sum = 0, squares = 0, game_sum = 0;
    for (size_t i = 0; i < count; i++) {
        loss.positions += losses[i].counts;
        sum += losses[i].loss;
    }
    if (loss.positions == 0)
        return loss;
    loss.mean = sum / (double)loss.positions;
    qsort(losses, count, sizeof *losses, compare_losses);
    for (size_t i = 0; i < count; i++) {
        game_sum += losses[i].counts ? losses[i].loss - loss.mean : 0;
        if (i + 1 < count && losses[i].game != 0 && losses[i].game == losses[i + 1].game)
            continue;
        squares += game_sum * game_sum;
        game_sum = 0;
    }
    loss.error = sqrt(squares) / (double)loss.positions;
    return loss;
}

/* Computes the losses of a job's positions; the block is x. */
static bool measure_losses(struct job *job, void *result, struct error *err)
{
    const struct gradient_problem *p = job->context;
    const size_t positions = compiled_positions(p->set), first = job->number * MEASURED;
    struct position_loss *losses = result;
    (void)err;
    for (size_t i = first; i < first + MEASURED && i < positions; i++) {
        double loss = 0;
        bool counts = p->method->add(p->set, i, job->block, &loss, NULL);
        losses[i - first] = (struct position_loss){compiled_epd(p->set, i)->game, i, loss, counts};
    }
    return true;
}

static const struct job_kind loss_job = {.result_size = MEASURED * sizeof(struct position_loss),
                                         .work = measure_losses};

/* Stores a job's losses; `taker` has room for those of all jobs. */
static bool take_losses(void *taker, size_t number, void *result)
{
    struct position_loss *losses = taker;
    memcpy(losses + number * MEASURED, result, MEASURED * sizeof *losses);
    return true;
}

/* Measures the losses at x, in the order of the set. */
static bool measure_at(const struct gradient_problem *problem, const double *x, int threads,
                       struct position_loss *losses, struct error *err)
{
    const struct jobs_batch batch = {.count = job_count(problem->set),
                                     .block = x,
                                     .block_size =
                                         (size_t)regression_coordinates(problem->set) * sizeof *x,
                                     .taker = losses,
                                     .take = take_losses};
    return jobs_run_here(&loss_job, problem, threads, &batch, err) == JOBS_DONE;
}

bool regression_measure(const struct compiled_set *set, const struct regression_method *method,
                        const int32_t *weights, double scale, int threads,
                        struct regression_loss *loss, struct error *err)
{
    const struct gradient_problem problem = {set, method};
    const int count = compiled_table(set)->count;
    struct position_loss *losses = calloc(job_count(set) * MEASURED + 1, sizeof *losses);
    double *x = calloc((size_t)count + 1, sizeof *x);
    bool good = losses != NULL && x != NULL;
    if (good) {
        for (int t = 0; t < count; t++)
            x[t] = weights[t];
        x[count] = log(1 / scale);
        good = measure_at(&problem, x, threads, losses, err);
    } else
        error_set(err, "no memory for the losses of %zu positions", compiled_positions(set));
    if (good)
        *loss = summarise(losses, compiled_positions(set));
    free(losses);
    free(x);
    return good;
}
