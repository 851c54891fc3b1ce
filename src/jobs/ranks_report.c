/* What the ranks did: jobs, idle time, and why. */
#include "jobs_internal.h"

#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first rank of the host of this number; the count of ranks if there is none. */
static int first_of(const struct ranks *r, int host)
{
    for (int rank = 0; rank < r->count; rank++) {
        int other = 0;
        while (strcmp(r->peers[other].host, r->peers[rank].host) != 0)
            other++;
        if (other == rank && host-- == 0)
            return rank;
    }
    return r->count;
}

/* The reason for most of the idle time, if it is worth telling. */
static enum ranks_idle reason_of(const struct ranks *r, const struct ranks_report *p)
{
    const double between = (p->seconds - p->in_batches) * p->threads;
    if (p->idle <= 0.1)
        return IDLE_LITTLE;
    if (2 * r->in_few > p->in_batches)
        return IDLE_FEW_JOBS;
    if (between >= p->ending && between >= p->waited)
        return IDLE_MASTER;
    return p->ending >= p->waited ? IDLE_LONG_JOBS : IDLE_SERVICE;
}

bool ranks_report(struct ranks_report *p)
{
    const struct ranks *r = ranks_here();
    *p = (struct ranks_report){0};
    if (!ranks_many() || r->began <= 0)
        return false;
    *p = r->times;
    p->ranks = r->count;
    p->threads = r->threads;
    p->seconds = clock_seconds() - r->began;
    while (first_of(r, p->hosts) < r->count)
        p->hosts++;
    for (int rank = 0; rank < r->count; rank++) {
        p->jobs += r->peers[rank].jobs;
        p->busy += r->peers[rank].busy;
    }
    p->waited = fmax(0, p->in_batches * p->threads - p->busy - p->ending);
    p->idle = p->seconds > 0 ? fmax(0, 1 - p->busy / (p->seconds * p->threads)) : 0;
    p->reason = reason_of(r, p);
    return true;
}

bool ranks_report_host(int host, struct rank_host *p)
{
    const struct ranks *r = ranks_here();
    const int first = ranks_many() ? first_of(r, host) : -1;
    double busy = 0;
    if (first < 0 || first == r->count)
        return false;
    *p = (struct rank_host){0};
    snprintf(p->name, sizeof p->name, "%s", r->peers[first].host);
    for (const struct peer *peer = r->peers + first; peer < r->peers + r->count; peer++)
        if (strcmp(peer->host, p->name) == 0) {
            p->ranks++;
            p->threads += peer->threads;
            p->jobs += peer->jobs;
            busy += peer->busy;
        }
    const double time = (clock_seconds() - r->began) * p->threads;
    p->idle = time > 0 ? fmax(0, 1 - busy / time) : 0;
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
