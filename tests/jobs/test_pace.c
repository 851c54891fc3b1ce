/* How batches are divided: simulated ranks of a thread each, with the sizes and sleeps of pace.h. */
#include "pace.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>

/* Seconds: a step of the simulation; the way of a message; from the end of a sleep until a thread runs. */
static const double STEP = 0.00001, MESSAGE = 0.00003, WAKE = 0.00006;

enum { RANKS_MOST = 8, GROUPS_MOST = 5000 };

enum state { GOES, WAITS, WORKS, DONE, COMES, TAKEN };

/* A group, from rank 0 to the thread of its rank and back. */
struct group {
    int rank;
    size_t first, count;
    double cost, seconds, expected;
    double at; /* when it arrives or ends */
    enum state state;
};

/* A rank: `slow` times as long for a job as others. */
struct rank {
    double slow, rate, owed_cost, idle_at, expected, since;
    double wakes_at; /* its thread that serves */
    int given, owed, held, wakes;
};

struct cluster {
    struct pace pace;
    double job; /* seconds of a cost of 1 */
    int ranks, groups, taken;
    double now, busy;
    struct rank rank[RANKS_MOST];
    struct group *group;
};

/* ---- a thread that works ---- */

/* Wakes a thread that serves. */
static void wake(struct cluster *c, int rank)
{
    struct rank *r = &c->rank[rank];
    const double then = c->now + WAKE;
    r->wakes_at = then < r->wakes_at ? then : r->wakes_at;
}

/* Begins the next group of a rank, and ends the one at work. */
static void work(struct cluster *c, int rank)
{
    struct group *next = NULL;
    for (int i = c->taken; i < c->groups; i++) {
        struct group *g = &c->group[i];
        if (g->rank != rank || (g->state != WAITS && g->state != WORKS))
            continue;
        if (g->state == WORKS && g->at > c->now)
            return;
        if (g->state == WORKS) {
            g->state = DONE;
            wake(c, rank);
        } else if (next == NULL)
            next = g;
    }
    if (next == NULL)
        return;
    next->state = WORKS;
    next->at = c->now + next->seconds;
    c->busy += next->seconds;
}

/* ---- threads that serve ---- */

static void note_owed(struct cluster *c, int rank, double cost)
{
    struct rank *r = &c->rank[rank];
    r->owed_cost += cost;
    r->idle_at = c->now + r->owed_cost * r->rate;
}

/* Rank 0 gives the next group. */
static void give(struct cluster *c, int rank, size_t size)
{
    struct rank *r = &c->rank[rank];
    const double cost = pace_cost(&c->pace, c->pace.next, size);
    cr_assert(c->groups < GROUPS_MOST);
    c->group[c->groups++] = (struct group){.rank = rank,
                                           .first = c->pace.next,
                                           .count = size,
                                           .cost = cost,
                                           .seconds = cost * c->job * r->slow,
                                           .expected = cost * r->rate,
                                           .at = c->now + MESSAGE,
                                           .state = rank == 0 ? WAITS : GOES};
    pace_give(&c->pace, size);
    r->given++;
    r->owed++;
    note_owed(c, rank, cost);
}

/* Rank 0 takes a group back. */
static void take(struct cluster *c, struct group *g)
{
    struct rank *r = &c->rank[g->rank];
    g->state = TAKEN;
    r->owed--;
    r->rate = pace_rate(r->rate, g->cost, g->seconds);
    note_owed(c, g->rank, -g->cost);
}

/* Gives the next group to a rank, if it wants one. */
static bool give_if_wanted(struct cluster *c, int rank)
{
    const struct rank *r = &c->rank[rank];
    const size_t size = pace_size(&c->pace, r->rate, r->given == 0);
    const double cost = pace_cost(&c->pace, c->pace.next, size);
    if (r->owed >= pace_groups(cost * r->rate, 1, rank == 0))
        return false;
    give(c, rank, size);
    return true;
}

/* Gives each rank as many groups as it should have, the idlest first. */
static void hand_out(struct cluster *c)
{
    bool full[RANKS_MOST] = {false};
    for (int best = 0; best >= 0 && c->pace.next < c->pace.count;) {
        best = -1;
        for (int i = 0; i < c->ranks; i++)
            if (!full[i] && (best < 0 || c->rank[i].idle_at < c->rank[best].idle_at))
                best = i;
        if (best >= 0)
            full[best] = !give_if_wanted(c, best);
    }
}

/* How long rank 0 sleeps. */
static double nap(const struct cluster *c)
{
    const bool last = c->pace.next == c->pace.count;
    double first = HUGE_VAL;
    for (int i = 1; i < c->ranks; i++)
        if (c->rank[i].owed > 0 && c->rank[i].idle_at < first)
            first = c->rank[i].idle_at;
    return first < HUGE_VAL ? pace_nap(first - c->now, last ? 0.001 : 0.005) : 0.001;
}

static void lead(struct cluster *c)
{
    for (int i = c->taken; i < c->groups; i++) {
        struct group *g = &c->group[i];
        if ((g->state == COMES && g->at <= c->now) || (g->state == DONE && g->rank == 0))
            take(c, g);
    }
    while (c->taken < c->groups && c->group[c->taken].state == TAKEN)
        c->taken++;
    hand_out(c);
    c->rank[0].wakes_at = c->now + nap(c) + WAKE;
}

/* Another rank sends results and takes groups. */
static void serve(struct cluster *c, int rank)
{
    struct rank *r = &c->rank[rank];
    for (int i = c->taken; i < c->groups; i++) {
        struct group *g = &c->group[i];
        if (g->rank != rank)
            continue;
        if (g->state == DONE) {
            g->state = COMES;
            g->at = c->now + MESSAGE;
            r->held--;
            r->expected -= g->expected;
            r->since = c->now;
        } else if (g->state == GOES && g->at <= c->now) {
            g->state = WAITS;
            r->held++;
            r->expected += g->expected;
            r->since = c->now;
        }
    }
    const double most = 0.005;
    const double sleep = r->held == 0   ? most / 50
                         : r->held >= 2 ? most
                                        : pace_nap(r->since + r->expected - c->now, most);
    r->wakes_at = c->now + sleep + WAKE;
}

/* ---- batches ---- */

/* What all threads do in a second; 0 if it is not known yet. */
static double speed(const struct cluster *c)
{
    double sum = 0;
    for (int i = 0; i < c->ranks; i++) {
        if (c->rank[i].rate <= 0)
            return 0;
        sum += 1 / c->rank[i].rate;
    }
    return sum;
}

/* Runs a batch; returns its seconds. */
static double run(struct cluster *c)
{
    const double began = c->now;
    c->pace.next = 0;
    c->groups = c->taken = 0;
    c->busy = 0;
    pace_begin(&c->pace);
    c->pace.speed = speed(c);
    for (int i = 0; i < c->ranks; i++) {
        c->rank[i].given = 0;
        c->rank[i].wakes = 0;
        c->rank[i].owed_cost = c->rank[i].idle_at = 0;
    }
    for (lead(c); c->taken < c->groups; c->now += STEP)
        for (int i = 0; i < c->ranks; i++) {
            work(c, i);
            if (c->rank[i].wakes_at > c->now)
                continue;
            c->rank[i].wakes++;
            i == 0 ? lead(c) : serve(c, i);
        }
    return c->now - began;
}

/* What some equal batches took, of which the last one counts: the first ones measure the jobs. */
struct outcome {
    double busy; /* share of the threads' time */
    int groups, wakes;
};

/* Runs batches of jobs that take so many seconds. The second rank is so much slower. */
static struct outcome settle(int ranks, size_t jobs, double job, double slow)
{
    static struct group groups[GROUPS_MOST];
    struct cluster c = {.ranks = ranks, .job = job, .group = groups};
    double seconds = 0;
    c.pace = (struct pace){.count = jobs, .group_seconds = 0.02, .fits = 1000, .threads = ranks};
    for (int i = 0; i < ranks; i++)
        c.rank[i] = (struct rank){.slow = i == 1 ? slow : 1};
    for (int i = 0; i < 5; i++, c.now += 0.003)
        seconds = run(&c);
    return (struct outcome){c.busy / (seconds * ranks), c.groups,
                            c.rank[0].wakes + c.rank[1].wakes};
}

Test(pace, threads_end_together_after_few_messages)
{
    const struct outcome two = settle(2, 79, 0.0005, 1), four = settle(4, 79, 0.0005, 1);
    cr_expect(two.busy > 0.97, "%.3f", two.busy);
    cr_expect(four.busy > 0.92, "%.3f", four.busy);
    cr_expect(two.groups <= 24, "%d", two.groups);
    cr_expect(two.wakes <= 42, "%d", two.wakes);
}

Test(pace, long_batches_are_no_trouble)
{
    const struct outcome o = settle(2, 2000, 0.004, 1);
    cr_expect(o.busy > 0.995, "%.3f", o.busy);
    cr_expect(o.groups < 550, "%d", o.groups);
}

Test(pace, a_slow_rank_gets_less)
{
    const struct outcome o = settle(2, 79, 0.0005, 2);
    cr_expect(o.busy > 0.97, "%.3f", o.busy);
}

/* Gives away all jobs; returns the number of groups, and the cost of the dearest and of the last. */
static int give_all(struct pace *p, double rate, double *most, double *last)
{
    int groups = 0;
    pace_begin(p);
    for (*most = 0; p->next < p->count; groups++) {
        const size_t size = pace_size(p, rate, false);
        cr_assert(size >= 1 && size <= p->count - p->next);
        *last = pace_cost(p, p->next, size);
        *most = *last > *most ? *last : *most;
        pace_give(p, size);
    }
    cr_expect(fabs(p->left) < 1e-6);
    return groups;
}

Test(pace, groups_are_equal_in_cost_not_in_number)
{
    const int64_t costs[] = {1000, 100, 100, 100, 100, 1, 0};
    double most, last;
    struct pace p = {.count = 700,
                     .costs = costs,
                     .cost_count = 7,
                     .group_seconds = 0.02,
                     .fits = 1000,
                     .threads = 2};
    cr_expect(pace_cost(&p, 4, 4) == 1102, "a job costs at least 1");
    int groups = give_all(&p, 1e-5, &most, &last);
    cr_expect(most > 1000 && most <= 2000, "%.0f", most);
    cr_expect(groups < 140, "%d", groups);
    cr_expect(last < 200, "%.0f", last);
}

Test(pace, a_rate_follows_what_is_measured)
{
    double rate = pace_rate(0, 10, 5);
    cr_expect(fabs(rate - 0.5) < 1e-9);
    for (int i = 0; i < 10; i++)
        rate = pace_rate(rate, 10, 20);
    cr_expect(rate > 1.8 && rate < 2);
}

Test(pace, jobs_go_one_by_one_where_groups_are_not_wanted_or_nothing_is_known)
{
    double most, last;
    struct pace p = {.count = 50, .fits = 10, .threads = 2};
    cr_expect(give_all(&p, 1e-6, &most, &last) == 50);
    p.next = 0;
    p.group_seconds = 1;
    cr_expect(give_all(&p, 0, &most, &last) == 50);
    p.next = 0;
    cr_expect(give_all(&p, 1e-9, &most, &last) == 5);
}

Test(pace, short_groups_wait_in_longer_queues)
{
    cr_expect(pace_groups(1.0, 4, false) == 4);
    cr_expect(pace_groups(0.01, 4, false) == 8);
    cr_expect(pace_groups(0.0005, 1, false) == 4);
    cr_expect(pace_groups(0.0005, 1, true) == 2);
    cr_expect(pace_groups(1e-9, 1, false) == 101);
}

Test(pace, sleeps_end_before_the_work_does)
{
    cr_expect(pace_nap(0.004, 0.005) == 0.002);
    cr_expect(pace_nap(1, 0.005) == 0.005);
    cr_expect(pace_nap(0, 0.005) == 0.0001);
    cr_expect(pace_nap(-0.008, 0.005) == 0.001);
}
