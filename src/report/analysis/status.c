#include "status.h"

#include "comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECENT = 20 }; /* generations from which the time left is estimated */

/* ---- a run ---- */

/* Reads how far the generation after the last complete one is, and estimates what is left, of a run whose summary and
 * state are read: by the mean of the latest generations, or the part of the first that is done. */
static void read_times(struct store *s, struct status_run *run)
{
    const struct run_summary *r = &run->summary;
    const int64_t now = (int64_t)time(NULL), began = store_get_number(s, "began", 0);
    const int64_t deadline = store_get_number(s, "deadline", 0);
    const int count = r->generation + 1 < RECENT ? r->generation + 1 : RECENT;
    double recent = 0;
    if (r->complete && run->state != RUN_STATE_RUNNING)
        run->state = RUN_STATE_COMPLETE;
    else if (!r->complete && run->state == RUN_STATE_COMPLETE)
        run->state = RUN_STATE_STOPPED; /* it was given more generations */
    run->inside = run->state == RUN_STATE_RUNNING &&
                  run_progress_get(s, &run->progress, run->unit) &&
                  run->progress.generation == r->generation + 1;
    const struct run_progress *p = &run->progress;
    const double fraction = !run->inside || p->total <= 0 ? 0 /* of the current generation */
                            : p->held_out                 ? 1
                                                          : (double)p->done / (double)p->total;
    for (int i = 0; i < count; i++)
        recent += r->rows[r->generation - i].seconds;
    run->each = count > 0                   ? recent / count
                : fraction > 0 && began > 0 ? (double)(now - began) / fraction
                                            : NAN;
    run->left = run->each * (r->recipe.generations - r->generation - fraction);
    if (run->state == RUN_STATE_RUNNING && deadline > now)
        run->left = fmin(run->left, (double)(deadline - now)); /* of a number and NAN, the number */
    if (r->complete)
        run->left = 0;
}

/* Reads a run that has begun: one alone, with the reason why it failed, or of a stage (NULL), whose own state only tells
 * how it ended. */
static bool read_run(const char *path, struct status_run *run, char *reason, struct error *err)
{
    struct store *s = store_open(path, STORE_READ, err);
    bool read = s != NULL && run_summary_read(path, &run->summary, err);
    if (read) {
        if (reason != NULL) {
            run->state = run_state_read(s);
            run_state_reason(s, reason);
        }
        read_times(s, run);
        for (int g = 0; reason != NULL && g <= run->summary.generation; g++)
            run->seconds += run->summary.rows[g].seconds;
        if (reason == NULL &&
            run->state == RUN_STATE_RUNNING) /* rows tell of complete generations alone */
            run->seconds =
                fmax(run->seconds, difftime(time(NULL), (time_t)store_get_number(s, "began", 0)));
        read = store_whole(s, err);
    }
    store_close(s);
    return read;
}

/* ---- a night ---- */

/* Reads a run of a night whose state is given, of a stage or a match; `current` if it is the one that goes on. */
static bool read_night_run(const struct night_run_summary *from, bool current, enum run_state night,
                           struct status_run *run, struct error *err)
{
    const struct night_stage *stage = from->run.stage;
    const bool shared = current && (night == RUN_STATE_RUNNING || night == RUN_STATE_DIED);
    *run = (struct status_run){.of = &from->run,
                               .waiting = from->state == NIGHT_WAITING,
                               .state = from->state == NIGHT_COMPLETE  ? RUN_STATE_COMPLETE
                                        : from->state == NIGHT_TIME    ? RUN_STATE_ENDED
                                        : shared                       ? night
                                        : from->state == NIGHT_WAITING ? RUN_STATE_NEW
                                                                       : RUN_STATE_STOPPED,
                               .seconds = from->seconds,
                               .summary.generation = -1,
                               .each = NAN,
                               .left = NAN,
                               .is_match = stage->is_match};
    snprintf(run->name, sizeof run->name, "%s", from->run.name);
    if (run->waiting)
        return true;
    if (!run->is_match)
        return read_run(from->run.path, run, NULL, err);
    run->games_total = (int64_t)stage->games * stage->player_count * (stage->player_count - 1) / 2;
    run->pairings = night_match_read(&from->run, &run->pairing_count, err);
    for (int i = 0; i < run->pairing_count; i++)
        run->games += match_counts_games(&run->pairings[i].counts);
    return run->pairings != NULL;
}

/* Reads the state of a night, the seconds left of its time, and which of its runs goes on, as the night notes it; else
 * the first that has not ended. */
static bool read_night_state(const char *path, struct status *s, int *current, struct error *err)
{
    const struct night_summary *night = &s->night;
    struct store *store = store_open(path, STORE_READ, err);
    bool timed;
    *current = -1;
    if (store == NULL)
        return false;
    char *noted = store_get(store, "current");
    const int64_t deadline = store_get_number(store, "deadline", 0);
    s->state = run_state_read(store);
    run_state_reason(store, s->reason);
    for (int i = night->run_count - 1; i >= 0; i--)
        if (night->runs[i].state < NIGHT_TIME &&
            (*current < 0 || noted == NULL || strcmp(night->runs[*current].run.name, noted) != 0))
            *current = i;
    free(noted);
    const bool whole = store_whole(store, err);
    store_close(store);
    if (!whole)
        return false;
    s->over = *current < 0;
    night_count_ended(night, &timed);
    if (s->over && s->state != RUN_STATE_RUNNING)
        s->state = timed ? RUN_STATE_ENDED : RUN_STATE_COMPLETE;
    else if (s->state == RUN_STATE_ENDED || s->state == RUN_STATE_COMPLETE)
        s->state = RUN_STATE_STOPPED; /* a stage was resumed alone */
    s->left = s->state == RUN_STATE_RUNNING && deadline > 0 ? (double)(deadline - s->read)
                                                            : night->given - night->spent;
    s->left = s->over ? 0 : night_is_limited(night) ? fmax(s->left, 0) : NAN;
    return true;
}

/* Reads a night, or its runs that are named `only`. */
static bool read_night(const char *path, const char *only, struct status *s, struct error *err)
{
    int current;
    bool timed;
    if (!night_summary_read(path, &s->night, err))
        return false;
    s->is_night = true;
    s->spent = s->night.spent;
    s->current = -1;
    s->runs = calloc((size_t)s->night.run_count, sizeof *s->runs);
    if (s->runs == NULL)
        return error_set(err, "no memory for %d stages", s->night.run_count);
    if (!read_night_state(path, s, &current, err))
        return false;
    for (int i = 0; i < s->night.run_count; i++) {
        const struct night_run_summary *from = &s->night.runs[i];
        if (only != NULL && !night_run_is_named(&from->run, only))
            continue;
        if (i == current)
            s->current = s->run_count;
        if (!read_night_run(from, i == current, s->state, &s->runs[s->run_count], err))
            return false;
        s->run_count++;
    }
    if (s->run_count == 0)
        return night_fail_name(&s->night.recipe, only, err);
    /* If only the current run is left, the night ends with it. */
    if (night_count_ended(&s->night, &timed) == s->night.run_count - 1 && s->current >= 0 &&
        !isnan(s->runs[s->current].left))
        s->left = fmin(s->left, s->runs[s->current].left);
    return true;
}

/* ---- any ---- */

static bool read_alone(const char *path, struct status *s, struct error *err)
{
    struct status_run *run = s->runs = calloc(1, sizeof *s->runs);
    if (run == NULL)
        return error_set(err, "no memory for a run");
    s->run_count = 1;
    run->summary.generation = -1;
    if (!read_run(path, run, s->reason, err))
        return false;
    s->state = run->state;
    s->spent = run->seconds;
    s->left = run->left;
    s->over = run->summary.complete;
    s->current = s->over ? -1 : 0;
    return true;
}

bool status_read(const char *path, struct status *s, struct error *err)
{
    char night[NIGHT_PATH];
    const char *stage = night_split(path, night);
    struct run_summary run; /* which has generations, or could have */
    *s = (struct status){.read = (int64_t)time(NULL)};
    if (stage != NULL && run_summary_read(path, &run, NULL)) {
        run_summary_free(&run);
        stage = NULL;
    }
    bool read = stage != NULL    ? read_night(night, stage, s, err)
                : night_is(path) ? read_night(path, NULL, s, err)
                                 : read_alone(path, s, err);
    for (int i = 0; read && i < s->run_count; i++) {
        const struct run_summary *r = &s->runs[i].summary;
        if (r->generation >= 0 && r->rows[r->generation].ended > s->changed)
            s->changed = r->rows[r->generation].ended;
    }
    if (!read)
        status_free(s);
    return read;
}

void status_free(struct status *s)
{
    for (int i = 0; i < s->run_count; i++) {
        run_summary_free(&s->runs[i].summary);
        free(s->runs[i].pairings);
    }
    free(s->runs);
    if (s->is_night)
        night_summary_free(&s->night);
    *s = (struct status){.is_night = false};
}

const char *status_kind(const struct status *s)
{
    return s->is_night ? comparison_or_night(&s->night.recipe) : "run";
}

const char *status_recipe(const struct status *s, uint64_t *seed)
{
    const struct recipe *r = &s->runs[0].summary.recipe;
    *seed = s->is_night ? s->night.recipe.seed : r->seed;
    return s->is_night ? s->night.recipe.name : r->name;
}

const char *status_run_state(const struct status_run *run)
{
    return run->state == RUN_STATE_NEW && run->waiting ? "waiting" : run_state_name(run->state);
}
