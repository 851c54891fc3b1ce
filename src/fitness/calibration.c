#include "calibration.h"

#include "player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions of a job, and faults after which the rest of a job counts as such too. */
enum { CHUNK = 50, FAULTS_MAX = 3 };

/* What is searched: one gene with another value, or none. */
struct probe {
    int32_t gene; /* -1: all as they are */
    int32_t value;
    uint64_t nodes;
};

/* The moves of a job. */
struct answers {
    Move moves[CHUNK];
    int32_t faults;
};

/* The players of a thread. */
struct worker {
    struct seats *seats;
    int32_t values[];
};

/* The distances between which that of a gene lies, and their shares. */
struct bracket {
    double low, low_share, high, high_share;
    bool open;
};

/* The whole work. */
struct work {
    const struct calibration_settings *settings;
    const struct param_table *table;
    struct calibration *out;
    struct jobs *jobs;
    struct bracket *brackets;
    bool bounds;          /* the next round is that of the bounds */
    struct probe *probes; /* of a batch */
    int64_t *changed;     /* moves that each of them changes */
    int count;
    Move *baseline;
    int64_t
        answered; /* positions in which there was a move at first; the others count for nothing */
    size_t done, expected; /* jobs */
};

static size_t chunks_of(const struct calibration_settings *s)
{
    return (s->count + CHUNK - 1) / CHUNK;
}

/* ---- a job: some positions with some values ---- */

static void finish_worker(void *worker)
{
    struct worker *w = worker;
    seats_destroy(w->seats);
    free(w);
}

static void *begin_worker(const void *context, struct error *err)
{
    const struct calibration_settings *s = context;
    const size_t size = (size_t)s->lineup->space.table.count * sizeof(int32_t);
    struct worker *w = calloc(1, sizeof *w + size);
    if (w != NULL && (w->seats = seats_create(s->lineup, err)) != NULL)
        return w;
    free(w);
    return error_null(err, "no memory for a calibration");
}

/* Seats a player with the values of a probe, anew if it keeps what it computed in the job before. */
static struct player *take_player(struct worker *w, const struct calibration_settings *s,
                                  const struct probe *probe, struct error *err)
{
    const struct param_table *table = &s->lineup->space.table;
    memcpy(w->values, s->values, (size_t)table->count * sizeof *w->values);
    if (probe->gene >= 0)
        w->values[probe->gene] = probe->value;
    struct player *player = seats_take(w->seats, WHITE, w->values, err);
    if (player != NULL && space_is_foreign(table) && !s->lineup->lives)
        player_process_renew(player);
    return player;
}

/* Searches positions, each as a new game. */
static bool work(struct job *job, void *result, struct error *err)
{
    const struct calibration_settings *s = job->context;
    const struct probe *probe = (const struct probe *)job->block + job->number / chunks_of(s);
    const struct game_limits limits = {.nodes = s->depth > 0 ? 0 : probe->nodes, .depth = s->depth};
    const size_t first = job->number % chunks_of(s) * CHUNK;
    struct answers *answers = result;
    struct player *player = take_player(job->worker, s, probe, err);
    if (player == NULL)
        return false;
    for (size_t i = 0; i < CHUNK && first + i < s->count; i++) {
        struct error reason = {""};
        struct history history;
        const struct player_turn turn = {.position = &s->positions[first + i],
                                         .history = &history,
                                         .start = &s->positions[first + i],
                                         .limits = &limits,
                                         .stop = job->stop,
                                         .cancelled = job->cancelled};
        struct player_answer a = {.end = UCI_NO_MEMORY};
        if (answers->faults >= FAULTS_MAX) {
            answers->faults++;
            continue;
        }
        history_init(&history);
        if (player->method->new_game(player, &reason))
            a = player->method->move(player, &turn, &reason);
        if (a.end == UCI_NO_MEMORY)
            return error_set(err, "%s", reason.text);
        if (a.end == UCI_STOPPED)
            return false;
        answers->moves[i] = a.end == UCI_MOVE ? a.move.move : NO_MOVE;
        answers->faults += a.end != UCI_MOVE;
        if (probe->gene < 0 && answers->faults == (int32_t)i + 1 && i + 1 == FAULTS_MAX)
            return error_set(err, "the engine fails with the values as they are: %s", reason.text);
    }
    return true;
}

static const struct job_kind search_job = {.result_size = sizeof(struct answers),
                                           .begin = begin_worker,
                                           .finish = finish_worker,
                                           .work = work};

/* ---- a batch: some probes ---- */

/* Counts the moves that differ from those of the first probe of all. */
static bool take(void *taker, size_t number, void *result)
{
    struct work *w = taker;
    const struct calibration_settings *s = w->settings;
    const struct answers *answers = result;
    const size_t probe = number / chunks_of(s), first = number % chunks_of(s) * CHUNK;
    const bool is_baseline = w->out->searches < (int64_t)s->count;
    for (size_t i = 0; i < CHUNK && first + i < s->count; i++) {
        if (is_baseline)
            w->baseline[first + i] = answers->moves[i];
        w->answered += is_baseline && answers->moves[i] != NO_MOVE;
        w->changed[probe] +=
            w->baseline[first + i] != NO_MOVE && answers->moves[i] != w->baseline[first + i];
        w->out->searches++;
    }
    w->out->faults += answers->faults;
    w->done++;
    if (s->progress != NULL)
        s->progress(s->context, w->done, w->expected);
    return true;
}

static void add_probe(struct work *w, int gene, double value)
{
    w->changed[w->count] = 0;
    w->probes[w->count++] = (struct probe){gene, (int32_t)value, w->settings->nodes};
}

static double share_of(const struct work *w, int probe)
{
    return (double)w->changed[probe] / (double)(w->answered > 0 ? w->answered : 1);
}

/* ---- a gene ---- */

/* The room of a gene below and above its value. */
static double room_below(const struct work *w, int gene)
{
    return (double)w->settings->values[gene] - w->table->params[gene].min;
}

static double room_above(const struct work *w, int gene)
{
    return (double)w->table->params[gene].max - w->settings->values[gene];
}

/* Adds the probes of a gene: each other value of a choice, else both sides at this distance. */
static void add_probes(struct work *w, int gene, double distance)
{
    const struct param *p = &w->table->params[gene];
    const double value = w->settings->values[gene];
    if (param_is_choice(p)) {
        for (int32_t other = p->min; other <= p->max; other++)
            if (other != value)
                add_probe(w, gene, other);
        return;
    }
    if (room_below(w, gene) > 0)
        add_probe(w, gene, value - fmin(distance, room_below(w, gene)));
    if (room_above(w, gene) > 0)
        add_probe(w, gene, value + fmin(distance, room_above(w, gene)));
}

/* The distance to try next: at first the bounds, then whole steps between the two of the bracket. 0: there is
 * none, or they are near enough to each other. */
static double next_distance(const struct work *w, int gene)
{
    const struct bracket *b = &w->brackets[gene];
    const double step = param_step(&w->table->params[gene]);
    if (w->bounds)
        return w->table->params[gene].bits > 0 ? INFINITY : 0;
    const double next = step * round(sqrt(fmax(b->low, step) * b->high) / step);
    return b->open && b->high_share >= w->settings->share && b->high > 1.3 * b->low &&
                   next > b->low && next < b->high
               ? next
               : 0;
}

/* Takes the probes of a gene, from `probe` on; returns the next. */
static int take_probes(struct work *w, int gene, int probe)
{
    struct calibrated *found = &w->out->genes[gene];
    struct bracket *b = &w->brackets[gene];
    const bool choice = param_is_choice(&w->table->params[gene]);
    const double distance = next_distance(w, gene);
    double sum = 0;
    int count = 0;
    for (; probe < w->count && w->probes[probe].gene == gene; probe++, count++) {
        const bool below = !choice && w->probes[probe].value < w->settings->values[gene];
        double *side = below ? &found->down : &found->up;
        sum += share_of(w, probe);
        if (w->bounds)
            *side = fmax(*side, share_of(w, probe));
    }
    if (choice)
        return probe;
    if (w->bounds || sum / count >= w->settings->share) {
        b->high = fmin(distance, fmax(room_below(w, gene), room_above(w, gene)));
        b->high_share = sum / count;
        b->open = true;
    } else {
        b->low = distance;
        b->low_share = sum / count;
    }
    return probe;
}

/* Sets c. Below the first distance tried the share grows as the distance does. */
static void set_c(const struct work *w, int gene)
{
    const struct param *p = &w->table->params[gene];
    const struct bracket *b = &w->brackets[gene];
    struct calibrated *found = &w->out->genes[gene];
    const double quarter = ((double)p->max - p->min) / 4, share = w->settings->share;
    double c = quarter;
    if (p->bits == 0 || !b->open || calibration_is_idle(w->out, gene))
        return;
    found->weak = b->high_share < share;
    if (!found->weak && b->low > 0)
        c = b->low * pow(b->high / b->low, (share - b->low_share) / (b->high_share - b->low_share));
    else if (!found->weak)
        c = b->high * share / b->high_share;
    c = fmax(c, param_step(p) / 2.0);
    const double digit = pow(10, floor(log10(c)) - 1); /* the second */
    found->c = fmin(quarter, round(c / digit) * digit);
}

/* ---- all of them ---- */

/* Searches the bounds of step 2, after the probes of step 1, or a round of step 3. */
static enum jobs_end search_round(struct work *w, struct error *err)
{
    int probe = w->bounds ? 3 : 0;
    w->count = 0;
    for (int i = 0; i < probe; i++)
        add_probe(w, -1, 0);
    if (w->bounds)
        w->probes[2].nodes += w->settings->nodes / 100 + 1;
    for (int i = 0; i < w->table->count; i++)
        if (next_distance(w, i) > 0)
            add_probes(w, i, next_distance(w, i));
    if (w->bounds)
        w->expected =
            chunks_of(w->settings) * (size_t)(w->count + w->settings->rounds * (w->count - 3));
    const struct jobs_batch batch = {.count = (size_t)w->count * chunks_of(w->settings),
                                     .block = w->probes,
                                     .block_size = (size_t)w->count * sizeof *w->probes,
                                     .stop = w->settings->stop,
                                     .taker = w,
                                     .take = take};
    const enum jobs_end end = w->count == 0 ? JOBS_DONE : jobs_run(w->jobs, &batch, err);
    if (end == JOBS_DONE && w->bounds) {
        w->out->again = share_of(w, 1);
        w->out->more = share_of(w, 2);
    }
    for (int i = 0; end == JOBS_DONE && i < w->table->count; i++)
        if (next_distance(w, i) > 0)
            probe = take_probes(w, i, probe);
    w->bounds = false;
    return end;
}

static bool reserve(struct work *w, struct error *err)
{
    size_t genes = (size_t)w->table->count + 1, probes = 3;
    for (int i = 0; i < w->table->count; i++) {
        const struct param *p = &w->table->params[i];
        probes += param_is_choice(p) ? param_steps(p) : 2;
    }
    w->out->genes = calloc(genes, sizeof *w->out->genes);
    w->brackets = calloc(genes, sizeof *w->brackets);
    w->probes = calloc(probes, sizeof *w->probes);
    w->changed = calloc(probes, sizeof *w->changed);
    w->baseline = calloc(w->settings->count, sizeof *w->baseline);
    return (w->out->genes != NULL && w->brackets != NULL && w->probes != NULL &&
            w->changed != NULL && w->baseline != NULL) ||
           error_set(err, "no memory for a calibration");
}

enum jobs_end calibrate(const struct calibration_settings *settings, struct calibration *result,
                        struct error *err)
{
    struct work w = {.settings = settings,
                     .table = &settings->lineup->space.table,
                     .out = result,
                     .bounds = true};
    enum jobs_end end = JOBS_FAILED;
    *result = (struct calibration){0};
    if (reserve(&w, err) &&
        (w.jobs = jobs_create(&search_job, settings, settings->threads, err)) != NULL) {
        end = JOBS_DONE;
        for (int round = 0; end == JOBS_DONE && round <= settings->rounds; round++)
            end = search_round(&w, err);
        for (int i = 0; end == JOBS_DONE && i < w.table->count; i++)
            set_c(&w, i);
    }
    jobs_destroy(w.jobs);
    free(w.brackets);
    free(w.probes);
    free(w.changed);
    free(w.baseline);
    if (end != JOBS_DONE)
        calibration_free(result);
    return end;
}

void calibration_free(struct calibration *c)
{
    free(c->genes);
    *c = (struct calibration){0};
}

bool calibration_is_idle(const struct calibration *c, int gene)
{
    return fmax(c->genes[gene].down, c->genes[gene].up) <= 2 * c->again;
}
