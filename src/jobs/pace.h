/* How a batch is divided into groups, and when rank 0 looks for messages: arithmetic without
 * threads, messages or clocks.
 *
 * A group is jobs with successive numbers. Large groups come first, because each costs a message
 * and wakes the serving thread twice. A thread's first group is more than half of its expected work
 * in the batch. Towards the end of the batch groups shrink, so that all threads end together. A
 * cost is what the submitter expects of a job (jobs.h), and 1 where it expects nothing; a rate is
 * the seconds that a cost of 1 takes in a thread of a rank, as measured. */
#ifndef GRAYLING_PACE_H
#define GRAYLING_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pace {
    size_t count, next;   /* jobs; the next one to give away */
    const int64_t *costs; /* job n is expected to cost costs[n % cost_count]; NULL: all alike */
    size_t cost_count;
    double total, left;   /* cost of all jobs, and of those from `next` on */
    double group_seconds; /* of a full group; 0: jobs go one by one */
    size_t fits;          /* the most jobs in a group */
    int threads;          /* of all ranks */
    double speed;         /* cost that they do in a second, together; 0: unknown */
};

/* Fills in `total` and `left`. */
void pace_begin(struct pace *p);

/* The cost of some jobs. */
double pace_cost(const struct pace *p, size_t first, size_t count);

/* The number of jobs of the next group, for a rank with this rate, 0: unknown. At least 1. `first`: one of
 * its threads has had none in this batch. */
size_t pace_size(const struct pace *p, double rate, bool first);

/* Gives these jobs away. */
void pace_give(struct pace *p, size_t size);

/* The number of groups that a rank should have, at work and waiting, if a group takes so long. `here`: it is
 * rank 0, whose threads need no messages. */
int pace_groups(double seconds, int threads, bool here);

/* A group that takes longer waits in no queue. */
#define PACE_SHORT 0.25

/* The rate of a rank after jobs of some cost took so long. */
double pace_rate(double rate, double cost, double seconds);

/* How long a thread that serves may sleep if the threads of a rank will have nothing to do in so many
 * seconds; less than 0: they may have had nothing since. Each wake costs some ten microseconds of a core. */
double pace_nap(double until_idle, double most);

#endif
