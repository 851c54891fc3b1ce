/* Moves matched on any number of positions, of which no set is kept: to measure a few organisms once.
 *
 * Our own evaluations search each position (quiesce.h), whose cutoffs leave out most of the tree. Others
 * have their positions compiled, some thousands at a time. */
#ifndef GRAYLING_MATCH_ALL_H
#define GRAYLING_MATCH_ALL_H

#include "compiled.h"
#include "jobs.h"

/* What is measured. All of it is borrowed. */
struct match_all {
    const struct epd *positions; /* each has a bm and a legal move */
    size_t count;
    enum leaf leaf;
    const struct evaluator_source *source; /* as for compiled_create */
    const int32_t *values; /* a row for each organism, as for compiled_matcher_run */
    int organisms;
};

/* matched[o] = number of positions in which organism o's 1-ply search plays a bm: what compiled_match
 * counts. All ranks take part for our own evaluations. `watcher` may be NULL. After JOBS_STOPPED, when
 * its `stop` is set, the counts are of some of the positions; JOBS_FAILED has the reason. */
enum jobs_end match_all(const struct match_all *m, int threads,
                        const struct compiled_watcher *watcher, int64_t *matched,
                        struct error *err);

/* The jobs, which other ranks can do (ranks.h). */
extern const struct job_kind match_all_job;

#endif
