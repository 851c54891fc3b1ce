#include "pace.h"

/* The first group of a thread is a HEAD of its share of the batch, and each later one a SHARE-th of a
 * thread's share of what is left, but not of less than LEAST seconds: a message takes about ROUND, and a wake of a
 * thread of this process ROUND_HERE. */
static const double HEAD = 0.75, SHARE = 3, LEAST = 0.0006, ROUND = 0.001, ROUND_HERE = 0.0001;

/* The most groups that wait for a thread. */
enum { QUEUED_MOST = 100 };

/* The shortest sleep. */
static const double NAP = 0.0001;

/* What is expected of a job. */
static double cost_of(const struct pace *p, size_t job)
{
    const int64_t cost = p->costs == NULL ? 1 : p->costs[job % p->cost_count];
    return cost > 1 ? (double)cost : 1;
}

double pace_cost(const struct pace *p, size_t first, size_t count)
{
    double sum = 0;
    if (p->costs == NULL)
        return (double)count;
    for (size_t job = first; job < first + count; job++)
        sum += cost_of(p, job);
    return sum;
}

void pace_begin(struct pace *p)
{
    const size_t cycle = p->costs == NULL ? 1 : p->cost_count;
    const double cycles = (double)(p->count / cycle);
    p->total = p->left = cycles * pace_cost(p, 0, cycle) + pace_cost(p, 0, p->count % cycle);
}

/* What a group should cost, for a rank with a known rate. */
static double aim_of(const struct pace *p, double rate, bool first)
{
    const double full = p->group_seconds / rate, least = LEAST / rate;
    const double share = first && p->speed > 0 ? HEAD * p->total / (p->speed * rate)
                                               : p->left / (SHARE * p->threads);
    const double fair = share > least ? share : least;
    return fair < full ? fair : full;
}

size_t pace_size(const struct pace *p, double rate, bool first)
{
    const size_t left = p->count - p->next, most = left < p->fits ? left : p->fits;
    if (p->group_seconds <= 0 || rate <= 0)
        return 1;
    const double aim = aim_of(p, rate, first);
    if (p->costs == NULL)
        return aim < 1 ? 1 : aim < (double)most ? (size_t)aim : most;
    size_t size = 1;
    double cost = cost_of(p, p->next);
    while (size < most && (cost += cost_of(p, p->next + size)) <= aim)
        size++;
    return size;
}

void pace_give(struct pace *p, size_t size)
{
    p->left -= pace_cost(p, p->next, size);
    p->next += size;
}

int pace_groups(double seconds, int threads, bool here)
{
    const double round = here ? ROUND_HERE : ROUND;
    const int queued = seconds <= 0                    ? 1
                       : seconds > PACE_SHORT          ? 0
                       : seconds > round               ? 1
                       : seconds > round / QUEUED_MOST ? (int)(round / seconds) + 1
                                                       : QUEUED_MOST;
    return threads * (1 + queued);
}

double pace_rate(double rate, double cost, double seconds)
{
    const double now = seconds / cost + 1e-12;
    return rate > 0 ? 0.75 * rate + 0.25 * now : now;
}

double pace_nap(double until_idle, double most)
{
    const double nap = until_idle > 0 ? until_idle / 2 : -until_idle / 8;
    return nap < NAP ? NAP : nap < most ? nap : most;
}
