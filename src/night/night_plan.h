/* What a resumed night does: which runs go on, which of those that had ended are opened again, and
 * which are computed anew.
 *
 * A run that ended by its time goes on when the night gets more time. A run that is complete goes
 * on when its stage gets more generations or games. Neither goes on by itself if a later stage has
 * begun from its result: the later stage would no longer follow from its input. `again` names such
 * a stage. It goes on then, and every stage that depends on it is removed and computed anew. */
#ifndef GRAYLING_NIGHT_PLAN_H
#define GRAYLING_NIGHT_PLAN_H

#include "night_summary.h"

/* What the user asks of a night. */
struct night_request {
    double seconds;    /* > 0: the time from now on; 0: the rest of the night's time */
    const char *only;  /* the stage or run that goes on, by name; NULL: all */
    const char *again; /* the stage that goes on although later ones began from it; NULL: none */
    int generations;   /* > 0: the generations of the stages that go on */
    int games;         /* > 0: the games a pairing of the matches that go on */
};

/* Sets the action of every run, and the generations and games of the recipe. Fails, with what to ask
 * for instead, if the request names no stage, asks for fewer generations or games than there are, or
 * if no time is left for what it asks for. */
bool night_plan(struct night_summary *night, const struct night_request *request,
                struct error *err);

/* Returns a later stage that has begun from the result of stage `s`, or NULL. */
const struct night_stage *night_fed(const struct night_summary *night, const struct night_stage *s);

/* True if the result of `later` depends on stage `s`, directly or through other stages. */
bool night_depends(const struct night_recipe *recipe, const struct night_stage *later,
                   const struct night_stage *s);

#endif
