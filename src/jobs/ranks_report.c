/* What the ranks did: jobs, idle time, and why. */
#include "ranks_internal.h"

#include "clock.h"

#include <stdio.h>
#include <string.h>

/* An idle share above this has a reason worth telling. */
static const double MUCH = 0.1;

/* True if no lower rank is on the same machine. */
static bool leads_host(const struct ranks *r, int rank)
{
    for (int other = 0; other < rank; other++)
        if (strcmp(r->peers[other].host, r->peers[rank].host) == 0)
            return false;
    return true;
}

/* The reason for most of the idle time. */
static enum ranks_idle reason_of(const struct ranks *r, const struct ranks_report *p)
{
    const struct rank_times *t = &r->times;
    const double total = p->seconds * p->threads;
    const double between = (p->seconds - t->in_batches) * p->threads;
    const double rest = total - p->busy - between - t->few - t->tail;
    if (p->idle <= MUCH)
        return IDLE_LITTLE;
    if (2 * t->in_few > t->in_batches)
        return IDLE_FEW_JOBS;
    if (between >= t->few && between >= t->tail && between >= rest)
        return IDLE_MASTER;
    if (t->few >= t->tail && t->few >= rest)
        return IDLE_FEW_JOBS;
    return t->tail >= rest ? IDLE_LONG_JOBS : IDLE_SERVICE;
}

bool ranks_report(struct ranks_report *p)
{
    const struct ranks *r = ranks_here();
    *p = (struct ranks_report){0};
    if (r == NULL || r->rank != 0 || r->times.began <= 0)
        return false;
    p->ranks = r->count;
    p->threads = r->threads;
    p->batches = r->times.batches;
    p->groups = r->times.groups;
    p->serving = r->times.serving;
    p->in_batches = r->times.in_batches;
    p->bytes = r->times.bytes;
    p->waited = r->times.waited;
    p->ending = r->times.few + r->times.tail;
    p->seconds = clock_seconds() - r->times.began;
    for (int rank = 0; rank < r->count; rank++) {
        p->jobs += r->peers[rank].jobs;
        p->busy += r->peers[rank].busy;
        p->hosts += leads_host(r, rank);
    }
    p->idle = p->seconds > 0 ? 1 - p->busy / (p->seconds * p->threads) : 0;
    p->idle = p->idle < 0 ? 0 : p->idle;
    p->reason = reason_of(r, p);
    return true;
}

/* The rank that leads the host of this number; -1 if there is none. */
static int leader_of(const struct ranks *r, int host)
{
    for (int rank = 0; rank < r->count; rank++)
        if (leads_host(r, rank) && host-- == 0)
            return rank;
    return -1;
}

bool ranks_report_host(int host, struct rank_host *p)
{
    const struct ranks *r = ranks_here();
    const int first = r == NULL || r->rank != 0 ? -1 : leader_of(r, host);
    double busy = 0;
    if (first < 0)
        return false;
    *p = (struct rank_host){0};
    snprintf(p->name, sizeof p->name, "%s", r->peers[first].host);
    for (int rank = first; rank < r->count; rank++)
        if (strcmp(r->peers[rank].host, p->name) == 0) {
            p->ranks++;
            p->threads += r->peers[rank].threads;
            p->jobs += r->peers[rank].jobs;
            busy += r->peers[rank].busy;
        }
    const double time = (clock_seconds() - r->times.began) * p->threads;
    p->idle = time > 0 && busy < time ? 1 - busy / time : 0;
    return true;
}

const char *ranks_idle_text(enum ranks_idle reason)
{
    static const char *const texts[] = {
        [IDLE_LITTLE] = "",
        [IDLE_FEW_JOBS] = "there are fewer jobs than threads",
        [IDLE_LONG_JOBS] = "jobs are long: threads wait for the last ones of each batch",
        [IDLE_MASTER] = "rank 0 is busy with its own work between the batches",
        [IDLE_SERVICE] = "rank 0 or the network is slower than the jobs",
    };
    return texts[reason];
}
