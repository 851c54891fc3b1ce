/* What `evolve` and `resume` share: the head, the progress, and the end of a run. */
#ifndef GRAYLING_FINISH_H
#define GRAYLING_FINISH_H

#include "progress.h"
#include "run.h"

/* A run as its command sees it. */
struct run_view {
    const char *store_path; /* RUN.db; the outcome goes beside it: RUN.yaml, RUN.svg, RUN.png */
    const char *until;      /* "HH:MM", or NULL */
    int threads;
    bool force;
    const volatile sig_atomic_t *stop;
    struct progress progress;
    enum measure_unit unit; /* for the progress, as the next two */
    int64_t train_size, held_out_size;
};

/* Whether the outcome can be written: none of its files exists, unless `force` is given or the file
 * is as the run itself wrote it. */
bool run_view_check(const struct run_view *view, struct error *err);

/* From now on signals and the time of --until end the run, whose data is being read. */
bool run_view_begin(struct run_view *view, struct error *err);

/* Prints the head when the run begins, and a progress after each generation. */
struct run_observer run_view_observer(struct run_view *view);

/* Says how the run ended, writes its outcome, and returns the exit code. */
int run_view_finish(struct run_view *view, enum run_end end, const struct error *reason);

#endif
