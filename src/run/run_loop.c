/* The loop of a run, from where its store is. */
#include "run_work.h"

#include "clock.h"
#include "version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the loop ---- */

/* Stores a generation in one transaction. */
static bool keep_generation(struct run *r, const struct generation_row *row, struct error *err)
{
    struct store *s = r->store;
    bool kept =
        store_begin(s, err) && store_put_genomes(s, &r->cache, r->stored, r->cache.count, err) &&
        (row->held_out == NOT_MEASURED ||
         store_put_held_out(s, r->genomes[row->best], row->held_out, err)) &&
        store_put_organisms(s, &r->optimiser, r->genomes, err) && store_put_row(s, row, err) &&
        run_faults_put(s, r->fitness, err) && store_commit(s, err);
    if (kept)
        r->stored = r->cache.count;
    return kept;
}

static enum run_end measure_generation(struct run *r, struct generation_row *row, struct error *err)
{
    enum run_end end = run_measure_generation(r, err);
    if (end != RUN_COMPLETE)
        return end;
    if (!run_score(r, err))
        return RUN_FAILED;
    *row = run_describe(r);
    struct measured *best = &r->cache.entries[r->genomes[row->best]];
    if (r->fitness->held_out_size > 0 && best->held_out == NOT_MEASURED) {
        if (!run_keep_now_and_then(r, err))
            return RUN_FAILED;
        best->held_out = run_measure_held_out(r, r->genomes[row->best]);
        if (best->held_out == NOT_MEASURED || r->cannot_keep)
            return run_end_unmeasured(r, err);
    }
    row->held_out = best->held_out;
    return run_note_best(r, row->best, err) ? RUN_COMPLETE : RUN_FAILED;
}

/* Tells the observer what the run has gained, if games show it. */
static bool tell_gain(struct run *r, int generation, struct error *err)
{
    struct run_gain gain;
    if (r->observer->gain == NULL)
        return true;
    if (!run_gain_read(r->store, r->recipe, generation, &gain, err))
        return false;
    r->observer->gain(r->observer->context, &gain);
    return true;
}

/* Runs from the generation after `last` (-1: from the beginning) to the end. */
static enum run_end run_generations(struct run *r, int last, struct error *err)
{
    const struct run_observer *observer = r->observer;
    int generations = r->recipe->generations;
    double start = clock_seconds();
    while (last < generations) {
        struct generation_row row;
        if (run_must_stop(r))
            return RUN_STOPPED;
        if (last >= 0)
            optimiser_step(&r->optimiser);
        enum run_end end = measure_generation(r, &row, err);
        if (end != RUN_COMPLETE)
            return end;
        double finish = clock_seconds();
        row.seconds = finish - start;
        row.ended = (int64_t)time(NULL);
        start = finish;
        if (!keep_generation(r, &row, err))
            return RUN_FAILED;
        end = run_defaults_compare(r, err);
        if (end != RUN_COMPLETE)
            return end;
        last = row.generation;
        if (!tell_gain(r, last, err))
            return RUN_FAILED;
        bool on = observer->generation == NULL ||
                  observer->generation(observer->context, &row, generations);
        if ((!on || observer->one_generation) && last < generations)
            return RUN_STOPPED;
    }
    return RUN_COMPLETE;
}

/* Refuses to continue a run whose original program measured differently, so many of a unit. */
static bool fail_measure(const struct run *r, const char *what, const char *unit, int64_t then,
                         int64_t now, struct error *err)
{
    char *version = store_get(r->store, "version");
    error_set(
        err,
        "generation %d, %s had %" PRId64 " %s and now has %" PRId64 ": grayling " GRAYLING_VERSION
        " measures differently from grayling %s, which began the "
        "run; resume with that version",
        r->optimiser.generation, what, then, unit, now, version == NULL ? "(unknown)" : version);
    free(version);
    return false;
}

/* True if an organism, of the genome `id`, measures as before. */
static bool same_organism(struct run *r, int organism, int64_t id, struct error *err)
{
    int64_t again;
    char name[32];
    if (!run_measure(r, &id, 1, &again))
        return run_unmeasured(r, err) == RUN_STOPPED;
    if (again == r->cache.entries[id].measure)
        return true;
    snprintf(name, sizeof name, "organism %d", organism);
    return fail_measure(r, name, r->fitness->method->value->name, r->cache.entries[id].measure,
                        again, err);
}

/* True if the generation's organisms still have their fitness, on its batch. */
static bool same_batch(struct run *r, struct error *err)
{
    if (!run_compete(r, PLAY_ALL))
        return run_unmeasured(r, err) == RUN_STOPPED;
    for (int i = 0; i < r->optimiser.population; i++) {
        const int64_t then = r->optimiser.organisms[i].fitness;
        const int64_t now = r->fitness->method->score(r->fitness, r->measures[i]);
        char organism[32];
        snprintf(organism, sizeof organism, "organism %d", i);
        if (then != now)
            return fail_measure(r, organism, "of fitness", then, now, err);
    }
    return true;
}

/* True if the first game of the generation still takes as many nodes and has the same result. */
static bool same_game(struct run *r, struct error *err)
{
    if (!run_load_games(r, err))
        return false;
    if (r->game_count == 0)
        return true;
    struct game_record then = r->games[0];
    memmove(r->games, r->games + 1, --r->game_count * sizeof *r->games);
    const size_t known = r->game_count;
    run_compete(r, PLAY_ONE); /* an unfinished generation has more to play */
    const struct game_record *now = &r->games[known];
    if (r->game_count > known &&
        (now->number != then.number || now->nodes != then.nodes || now->result != then.result))
        return fail_measure(r, "its first game", "nodes", then.nodes, now->nodes, err);
    return run_unmeasured(r, err) == RUN_STOPPED;
}

/* Compares with what the original program measured of the last complete generation: its best organism, first
 * game, or batch; before the first, the first that is stored. Another engine need not repeat. */
static bool measures_as_before(struct run *r, int last, struct error *err)
{
    if (r->fitness->approximate)
        return true;
    if (run_plays(r))
        return (last >= 0 || run_find_genomes(r, err) >= 0) && same_game(r, err);
    if (run_competes(r))
        return last < 0 || same_batch(r, err);
    if (last < 0)
        return r->cache.count == 0 || same_organism(r, 0, 0, err);
    const int best = optimiser_statistics(&r->optimiser).best;
    return same_organism(r, best, r->genomes[best], err);
}

/* run_generations, with the run's state in the store. Measures missing defaults first. */
static enum run_end run_noted(struct run *r, int last, struct error *err)
{
    const struct run_observer *o = r->observer;
    if (!run_defaults_begin(r, err) || !run_state_begin(r->store, o->deadline, err))
        return RUN_FAILED;
    const int reserve = run_state_reserve(store_file(r->store));
    r->tells = true;
    if (o->begun != NULL)
        o->begun(o->context, r->recipe, r->fitness, last + 1);
    enum run_end end = last < 0 ? RUN_COMPLETE : run_defaults_compare(r, err);
    if (end == RUN_COMPLETE)
        end = run_generations(r, last, err);
    bool by_time = o->one_generation || (o->stop != NULL && *o->stop == SIGALRM);
    const bool failed = end == RUN_FAILED;
    run_state_release(reserve);
    if (!run_state_end(r->store, end, by_time, failed ? err->text : NULL, failed ? NULL : err))
        end = RUN_FAILED;
    return end;
}

/* Moves a run to where its store is. Call run_release even on failure. */
static bool catch_up(struct run *r, struct fitness *fitness, const struct recipe *recipe,
                     struct store *store, const struct run_observer *observer, struct error *err)
{
    const int last = store_last_generation(store);
    if (!run_init(r, fitness, recipe, store, observer, err))
        return false;
    /* Has broken games and faults reported next to the store, and goes on counting these. */
    struct fitness *f = r->fitness;
    char *faults = store_get(r->store, "faults");
    f->faults = engine_faults_from_text(faults);
    free(faults);
    snprintf(f->fault_folder, sizeof f->fault_folder, "%.1080s.faults", store_file(r->store));
    snprintf(f->broken_path, sizeof f->broken_path, "%.1080s.broken-game", store_file(r->store));
    return run_load_genomes(r, err) && (last < 0 || run_load_generation(r, last, err)) &&
           measures_as_before(r, last, err);
}

enum run_end run_loop(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                      bool check, const char *longer, const struct run_observer *observer,
                      struct error *err)
{
    struct run r;
    enum run_end end = RUN_REFUSED;
    if (catch_up(&r, fitness, recipe, store, observer, err)) {
        if (check)
            end = run_must_stop(&r) ? RUN_STOPPED : RUN_COMPLETE;
        else if (longer != NULL && !run_put_generations(store, longer, recipe, err))
            end = RUN_FAILED;
        else
            end = run_noted(&r, store_last_generation(store), err);
    }
    run_release(&r);
    return end;
}
