/* Gives positions the scores of another engine. */
#ifndef GRAYLING_LABEL_H
#define GRAYLING_LABEL_H

#include "epd.h"
#include "jobs.h"
#include "uci_client.h"

struct label_settings {
    const struct uci_settings *engine; /* borrowed */
    struct uci_limits limits;          /* of a search */
    int threads;                       /* >= 1; each has a process of its own */
    const volatile sig_atomic_t *stop; /* nonzero ends the work early; may be NULL */
};

struct label_report {
    size_t done, scored;
    size_t mates;   /* positions in which the engine sees a mate: they have no score */
    size_t over;    /* positions without a legal move, which it is not asked about */
    size_t silent;  /* positions for which it gave no score */
    size_t shallow; /* searches that were stopped before their limit, as nothing new was reported */
    size_t faults;  /* crashes, hangs and illegal moves: no score either */
};

struct label_watcher {
    void *context;
    void (*labelled)(void *context, size_t done, size_t count); /* serialised; may be NULL */
};

/* Searches each position as a new game and sets its score: centipawns for the side to move, or has_score false. False,
 * with the reason, if the engine cannot be started. Then, and with `stop`, the first report->done are labelled. */
bool label_positions(const struct label_settings *settings, struct dataset *positions,
                     const struct label_watcher *watcher, struct label_report *report,
                     struct error *err);

/* The searches, which other ranks can do (ranks.h). */
extern const struct job_kind label_job;

#endif
