/* The verdict on a run, for people who have the defaults already: are its values better, worse, or is that
 * not decided? The last lines of a run, `status` and the pages say the same sentence. */
#ifndef GRAYLING_VERDICT_H
#define GRAYLING_VERDICT_H

#include "format.h"
#include "run_summary.h"

enum { VERDICT_TEXT = 400 };

struct verdict {
    enum elo_verdict decided; /* by the 95 % interval */
    double by, margin;   /* better by so much, and the half-width of the interval; NAN: unknown */
    const char *unit;    /* "Elo" or "%" */
    const char *against; /* "the defaults", "the start" */
    /* "Better: toga2 with these values is 31 +/- 12 Elo stronger than with its defaults: 1,400 games
     * at 20,000 nodes a move". Empty: there is nothing to say. */
    char text[VERDICT_TEXT];
};

/* Returns the verdict: on held-out positions, paired by position; of a run by games, from those of its
 * estimates against the start, by pairs. */
struct verdict verdict_of(const struct run_summary *s);

/* "better", "worse", "not decided". */
const char *verdict_word(enum elo_verdict decided);

#endif
