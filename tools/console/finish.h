/* What `evolve` and `resume` share: the head, the progress, and the end of a run. */
#ifndef GRAYLING_FINISH_H
#define GRAYLING_FINISH_H

#include "progress.h"
#include "run.h"

/* A run as its command sees it. */
struct run_view {
    const char *store_path; /* RUN.db; its outcome goes beside it, from RUN.yaml to RUN.html */
    const char *until;      /* a time, as interrupt_parse_time has it, or NULL */
    double hours;           /* to stop after; 0: none are given */
    int threads;
    bool force;
    const volatile sig_atomic_t *stop;
    struct progress progress;
    const struct objective_value *value; /* for the progress, as the next two */
    int64_t train_size, held_out_size;
};

/* Whether the files of the outcome can be written (outcome.h): to be asked before the run. */
bool run_view_check(const struct run_view *view, struct error *err);

/* From now on signals end the run, whose data is being read, and so does the time given. */
bool run_view_begin(struct run_view *view, struct error *err);

/* The seconds that --until or --hours leave, whichever is less; 0 where neither is given. */
bool run_view_seconds(const struct run_view *view, double *seconds, struct error *err);

/* Prints the head when the run begins, and a progress after each generation. */
struct run_observer run_view_observer(struct run_view *view);

/* Says how the run ended, writes its outcome, and returns the exit code. */
int run_view_finish(struct run_view *view, enum run_end end, const struct error *reason);

#endif
