/* The status of a run, a night or a comparison at this moment: state, time left, best organism, and
 * the position inside the current generation. Every view of a run that goes on reads it from here:
 * `status`, its JSON, the live page and the server. */
#ifndef GRAYLING_STATUS_H
#define GRAYLING_STATUS_H

#include "night.h"
#include "night_match.h"
#include "run_state.h"
#include "run_summary.h"

/* A run: one alone, a run of a night's stage, or a closing match. */
struct status_run {
    const struct night_run *of; /* the run of a night, in its summary; NULL for a run alone */
    char name[STORE_STAGE];     /* of a stage; "" for a run alone */
    bool waiting;               /* a stage that has not begun; state is RUN_STATE_NEW */
    enum run_state state;
    double seconds; /* spent on it */
    /* Not of a match: */
    struct run_summary summary; /* owned; of a waiting one all 0, and generation -1 */
    double each;                /* seconds a generation, lately; NAN: unknown */
    double left; /* seconds to its end, by its generations or its time; NAN: unknown */
    bool inside; /* a generation is being measured, and this is how far it is: */
    struct run_progress progress;
    char unit[RUN_UNIT]; /* of the progress */
    /* Of a match that has begun: */
    bool is_match;
    struct night_pairing *pairings; /* owned; NULL before */
    int pairing_count;
    int64_t games, games_total;
};

struct status {
    bool is_night; /* a night or a comparison, whose recipe and time are in `night` */
    struct night_summary night;
    enum run_state state;
    char reason[RUN_REASON]; /* why it failed; "": it did not, or that is not known */
    int64_t read;            /* Unix time at which all this was true */
    double spent;            /* seconds */
    double left;             /* seconds; NAN: unknown */
    int64_t changed;         /* Unix time of the last complete generation; 0: none */
    bool over;               /* nothing of it has to go on */
    struct status_run *runs; /* owned, in order; one for a run alone */
    int run_count;
    int current; /* the run that goes on, or the next to go on; -1: none of these */
};

/* Reads the status of a run, of a night, or of a night's runs of one stage ("night.db#evolve"). The
 * run may be in progress. */
bool status_read(const char *path, struct status *s, struct error *err);
void status_free(struct status *s); /* accepts a zeroed one */

/* The kind: "run", "night" or "comparison". */
const char *status_kind(const struct status *s);

/* Its recipe's name and seed. */
const char *status_recipe(const struct status *s, uint64_t *seed);

/* The state of a run of it: "waiting", or as run_state_name. */
const char *status_run_state(const struct status_run *run);

#endif
