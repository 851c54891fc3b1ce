#include "run_work.h"

#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>

/* A replay in progress, and which genomes it has compared. */
struct replay_state {
    struct run run;
    bool *measured, *held_out;   /* by id */
    bool *selected;              /* organisms of the current generation to measure */
    struct generation_row *rows; /* as stored */
    int row_count;
    struct run_verified *verified;
};

/* Compares the score of each objective value with the stored fitness. */
static bool same_fitness(struct run *r, struct error *err)
{
    if (!run_score(r, err))
        return false;
    for (int i = 0; i < r->optimiser.population; i++) {
        int64_t fitness = r->optimiser.organisms[i].fitness;
        if (fitness != r->results[i])
            return error_set(err,
                             "generation %d, organism %d: fitness %" PRId64
                             " is stored, and its measure gives %" PRId64,
                             r->optimiser.generation, i, r->results[i], fitness);
    }
    return true;
}

/* Selects the organisms to measure: all, or `sample` of them, with the best. */
static void select_sample(struct replay_state *p, int sample, int best)
{
    struct run *r = &p->run;
    int population = r->optimiser.population;
    bool all = sample <= 0 || sample >= population;
    for (int i = 0; i < population; i++)
        p->selected[i] = all;
    if (all)
        return;
    struct stream s;
    stream_init(&s, r->recipe->seed, STREAM_VERIFY, (uint64_t)r->optimiser.generation, 0);
    p->selected[best] = true;
    for (int n = 1; n < sample;) {
        int i = (int)stream_below(&s, (uint64_t)population);
        n += !p->selected[i];
        p->selected[i] = true;
    }
}

/* Measures the selected genomes that are not compared yet. */
static enum run_end same_measures(struct replay_state *p, int sample, struct error *err)
{
    struct run *r = &p->run;
    int count = 0;
    select_sample(p, sample, optimiser_statistics(&r->optimiser).best);
    for (int i = 0; i < r->optimiser.population; i++)
        if (p->selected[i] && !p->measured[r->genomes[i]]) {
            p->measured[r->genomes[i]] = true;
            r->pending[count++] = r->genomes[i];
        }
    if (!run_measure(r, r->pending, count, r->results))
        return run_unmeasured(r, err);
    p->verified->measured += count;
    for (int n = 0; n < count; n++) {
        const int64_t id = r->pending[n], stored = r->cache.entries[id].measure;
        int organism = 0;
        if (stored == r->results[n])
            continue;
        while (r->genomes[organism] != id)
            organism++;
        error_set(err,
                  "generation %d, organism %d: %" PRId64
                  " %s are stored, and the replay has %" PRId64,
                  r->optimiser.generation, organism, stored, r->fitness->method->value->name,
                  r->results[n]);
        return RUN_FAILED;
    }
    return RUN_COMPLETE;
}

/* True if a sample of this size includes this generation, which is measured as a whole. */
static bool is_sampled(const struct run *r, int sample)
{
    int population = r->optimiser.population;
    struct stream s;
    stream_init(&s, r->recipe->seed, STREAM_VERIFY, (uint64_t)r->optimiser.generation, 0);
    return sample <= 0 || stream_below(&s, (uint64_t)population) < (uint64_t)sample;
}

static int by_number(const void *a, const void *b)
{
    const struct game_record *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static bool same_game(const struct game_record *a, const struct game_record *b)
{
    return a->number == b->number && player_ref_equal(a->white, b->white) &&
           player_ref_equal(a->black, b->black) && a->opening == b->opening &&
           a->result == b->result && a->plies == b->plies && a->nodes == b->nodes;
}

static bool same_games(const struct run *r, const struct game_record *stored, size_t count,
                       struct error *err)
{
    qsort(r->games, r->game_count, sizeof *r->games, by_number);
    for (size_t i = 0; i < count && i < r->game_count; i++)
        if (!same_game(&stored[i], &r->games[i]))
            return error_set(err,
                             "generation %d, game %d: the stored game and the replayed one differ",
                             r->optimiser.generation, stored[i].number);
    if (count == r->game_count)
        return true;
    return error_set(err, "generation %d: %zu games are stored, but the replay has %zu",
                     r->optimiser.generation, count, r->game_count);
}

/* Replays the current generation's games, or counts the stored ones if left out. */
static enum run_end replay_games(struct replay_state *p, int sample, struct error *err)
{
    struct run *r = &p->run;
    if (!run_load_games(r, err))
        return RUN_FAILED;
    struct game_record *stored = r->games;
    size_t count = r->game_count;
    if (is_sampled(r, sample)) {
        r->games = NULL;
        r->game_count = 0;
        p->verified->measured += r->optimiser.population;
    } else
        stored = NULL;
    enum run_end end = RUN_COMPLETE;
    if (!run_compete(r, PLAY_ALL))
        end = run_unmeasured(r, err);
    else if (stored != NULL && !same_games(r, stored, count, err))
        end = RUN_FAILED;
    free(stored);
    return end;
}

static bool same_row(const struct generation_row *stored, const struct generation_row *row,
                     struct error *err)
{
    const char *wrong = NULL;
    if (stored->best != row->best)
        wrong = "best organism";
    else if (stored->measure != row->measure)
        wrong = "best measure";
    else if (stored->mean != row->mean || stored->deviation != row->deviation)
        wrong = "mean or deviation";
    else if (stored->diversity != row->diversity)
        wrong = "diversity";
    return wrong == NULL || error_set(err,
                                      "generation %d, organism %d: the stored %s is not what the "
                                      "population gives",
                                      row->generation, row->best, wrong);
}

/* Compares the best's held-out value, in the row and in the cache. */
static bool same_held_out(struct replay_state *p, const struct generation_row *stored,
                          struct error *err)
{
    struct run *r = &p->run;
    int64_t id = r->genomes[stored->best];
    int64_t again = r->cache.entries[id].held_out;
    if (!p->held_out[id]) {
        again = r->fitness->held_out_size > 0 ? run_measure_held_out(r, id) : NOT_MEASURED;
        p->held_out[id] = true;
        p->verified->held_out += r->fitness->held_out_size > 0;
    }
    if (r->fitness->failed.text[0] != '\0')
        return error_set(err, "%s", r->fitness->failed.text);
    if (again == r->cache.entries[id].held_out && again == stored->held_out)
        return true;
    return error_set(err,
                     "generation %d, organism %d: %" PRId64 " held-out %s are stored, and the "
                     "replay has %" PRId64,
                     stored->generation, stored->best,
                     again == stored->held_out ? r->cache.entries[id].held_out : stored->held_out,
                     r->fitness->method->value->name, again);
}

/* Compares objective values and their fitness; that of a batch left out is as stored. */
static enum run_end replay_measures(struct replay_state *p, int sample, bool left_out,
                                    struct error *err)
{
    struct run *r = &p->run;
    enum run_end end = RUN_COMPLETE;
    if (left_out) {
        for (int i = 0; i < r->optimiser.population; i++)
            r->optimiser.organisms[i].fitness = r->results[i];
        return RUN_COMPLETE;
    }
    if (run_competes(r))
        end = replay_games(p, sample, err);
    else
        run_recall_measures(r);
    if (end == RUN_COMPLETE && !same_fitness(r, err))
        return RUN_FAILED;
    return end != RUN_COMPLETE || run_competes(r) ? end : same_measures(p, sample, err);
}

static enum run_end replay_generation(struct replay_state *p, int sample, struct error *err)
{
    struct run *r = &p->run;
    const struct generation_row *stored = &p->rows[r->optimiser.generation];
    const bool left_out = run_competes(r) && !run_plays(r) && !is_sampled(r, sample);
    if (!run_match_population(r, err))
        return RUN_FAILED;
    p->verified->organisms += r->optimiser.population;
    enum run_end end = replay_measures(p, sample, left_out, err);
    if (end != RUN_COMPLETE)
        return end;
    struct generation_row row = run_describe(r);
    if (left_out) {
        row.measure = stored->measure;
        row.mean = stored->mean;
        row.deviation = stored->deviation;
    }
    if (!same_row(stored, &row, err))
        return RUN_FAILED;
    if (!same_held_out(p, stored, err))
        return run_must_stop(r) ? RUN_STOPPED : RUN_FAILED;
    if (!run_note_best(r, row.best, err))
        return RUN_FAILED;
    p->verified->generations++;
    return RUN_COMPLETE;
}

static enum run_end replay_all(struct replay_state *p, int sample, struct error *err)
{
    const struct run_observer *observer = p->run.observer;
    for (int g = 0; g < p->row_count; g++) {
        if (run_must_stop(&p->run))
            return RUN_STOPPED;
        if (g > 0)
            optimiser_step(&p->run.optimiser);
        enum run_end end = replay_generation(p, sample, err);
        if (end != RUN_COMPLETE)
            return end;
        if (observer->generation != NULL &&
            !observer->generation(observer->context, &p->rows[g], p->row_count - 1) &&
            g + 1 < p->row_count)
            return RUN_STOPPED;
    }
    return RUN_COMPLETE;
}

static bool replay_init(struct replay_state *p, struct error *err)
{
    struct run *r = &p->run;
    p->rows = store_get_rows(r->store, &p->row_count, err);
    if (p->rows == NULL || !run_load_genomes(r, err))
        return false;
    if (p->row_count > r->recipe->generations + 1)
        return error_set(err,
                         "%s is damaged (%d generations are stored, and its recipe ends after "
                         "generation %d); go back to a copy",
                         store_file(r->store), p->row_count, r->recipe->generations);
    p->measured = calloc(r->cache.count + 1, sizeof *p->measured);
    p->held_out = calloc(r->cache.count + 1, sizeof *p->held_out);
    p->selected = calloc((size_t)r->optimiser.population, sizeof *p->selected);
    if (p->measured == NULL || p->held_out == NULL || p->selected == NULL)
        return error_set(err, "no memory for the replay");
    return true;
}

enum run_end run_replay(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                        int sample, const struct run_observer *observer,
                        struct run_verified *verified, struct error *err)
{
    *verified = (struct run_verified){0};
    struct replay_state p = {.verified = verified};
    enum run_end end = RUN_REFUSED;
    if (run_init(&p.run, fitness, recipe, store, observer, err) && replay_init(&p, err)) {
        if (observer->begun != NULL)
            observer->begun(observer->context, recipe, fitness, 0);
        end = replay_all(&p, sample, err);
    }
    free(p.rows);
    free(p.measured);
    free(p.held_out);
    free(p.selected);
    run_release(&p.run);
    return end;
}
