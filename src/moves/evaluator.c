#include "evaluator.h"

#include "movegen.h"
#include "quiesce.h"

#include <stdlib.h>
#include <string.h>

static bool trace(struct evaluator *e, const struct position *positions, size_t count,
                  bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                  void *context, struct error *err)
{
    const enum evaluation_kind kind =
        e->table == &modern_eval_table ? EVALUATION_MODERN : EVALUATION_PAPER;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        struct weight_count items[EVALUATION_WEIGHTS];
        struct leaf_counts counts = {.count = evaluation_counts(kind, &positions[i], items),
                                     .items = items};
        if (!take(context, i, &counts))
            return false;
    }
    return true;
}

static void destroy(struct evaluator *e)
{
    free(e);
}

static struct evaluator *create(const void *context, struct error *err)
{
    const enum evaluation_kind kind = *(const enum evaluation_kind *)context;
    struct evaluator *e = malloc(sizeof *e);
    if (e == NULL)
        return error_null(err, "no memory for the evaluation");
    *e = (struct evaluator){trace, destroy, evaluation_tables[kind], evaluation_scale(kind)};
    return e;
}

static const enum evaluation_kind paper = EVALUATION_PAPER, modern = EVALUATION_MODERN;

const struct evaluator_source paper_evaluator_source = {create, &paper, NULL};
const struct evaluator_source modern_evaluator_source = {create, &modern, NULL};

enum evaluation_kind own_evaluator_kind(const struct evaluator_source *source)
{
    if (source == NULL)
        return EVALUATION_PAPER;
    return source->create == create ? *(const enum evaluation_kind *)source->context
                                    : EVALUATION_KINDS;
}

/* ---- over the trace protocol ---- */

/* Positions that every process is asked for, of games of so many moves. */
enum { PROBES = 200, PROBE_PLIES = 80 };

struct trace_evaluator_source {
    struct trace_settings settings;
    char *command; /* of the settings */
    struct trace_weights weights;
    struct position probes[PROBES];
    uint64_t sums[PROBES]; /* of the first process's counts */
};

struct trace_evaluator {
    struct evaluator base; /* first member, so that a struct evaluator * points to it */
    struct trace_client *client;
};

static bool ask(struct evaluator *e, const struct position *positions, size_t count,
                bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                void *context, struct error *err)
{
    return trace_client_ask(((struct trace_evaluator *)e)->client, positions, count, take, context,
                            err);
}

static void stop(struct evaluator *e)
{
    trace_client_stop(((struct trace_evaluator *)e)->client);
    free(e);
}

/* Fills in the probes: positions of games whose moves are arbitrary, and always the same. */
static void make_probes(struct position probes[PROBES])
{
    struct position p;
    int plies = PROBE_PLIES, number = 0;
    for (int count = 0; count < PROBES; number++) {
        struct move_list list;
        struct undo undo;
        if (plies >= PROBE_PLIES || leaf_status(&p) != QUIESCE_STAND_PAT) {
            position_from_fen(&p, FEN_START, NULL, NULL);
            plies = 0;
        }
        movegen_legal(&p, &list);
        position_make(&p, list.moves[number * 7 % list.count], &undo);
        plies++;
        if (leaf_status(&p) == QUIESCE_STAND_PAT)
            probes[count++] = p;
    }
}

static bool keep_sum(void *context, size_t index, const struct leaf_counts *counts)
{
    uint64_t *sums = context;
    sums[index] = trace_counts_sum(counts);
    return true;
}

/* Compares what a process says about the probes with what the first one said. */
static bool compare(const struct trace_evaluator_source *s, struct trace_client *client,
                    struct error *err)
{
    uint64_t sums[PROBES];
    char fen[FEN_MAX];
    if (!trace_client_ask(client, s->probes, PROBES, keep_sum, sums, err))
        return false;
    for (int i = 0; i < PROBES; i++)
        if (sums[i] != s->sums[i]) {
            position_to_fen(&s->probes[i], fen);
            return error_set(err,
                             "%s: %s: other counts when it is started again; an answer must depend "
                             "on its position alone, in each of its processes",
                             s->command, fen);
        }
    return true;
}

/* Starts a process and compares its weights and its counts with those of the first one. */
static struct evaluator *start(const void *context, struct error *err)
{
    const struct trace_evaluator_source *s = context;
    struct trace_evaluator *e = calloc(1, sizeof *e);
    if (e == NULL)
        return error_null(err, "no memory for an evaluator");
    e->client = trace_client_start(&s->settings, err);
    const struct trace_weights *w = e->client == NULL ? NULL : trace_client_weights(e->client);
    if (w != NULL &&
        (trace_same_weights(&s->weights, w, err) ||
         error_prefix(err, "%s: it names other weights when it is started again: ", s->command)) &&
        compare(s, e->client, err)) {
        e->base = (struct evaluator){ask, stop, &w->table, w->scale};
        return &e->base;
    }
    stop(&e->base);
    return NULL;
}

struct evaluator_source trace_evaluator_source(const struct trace_evaluator_source *s)
{
    return (struct evaluator_source){.create = start, .context = s};
}

struct trace_evaluator_source *trace_evaluator_source_create(const struct trace_settings *settings,
                                                             struct error *err)
{
    struct trace_evaluator_source *s = calloc(1, sizeof *s);
    struct trace_client *client = NULL;
    bool answers = false;
    if (s == NULL || (s->command = strdup(settings->command)) == NULL)
        error_set(err, "no memory for an evaluator");
    else {
        s->settings = *settings;
        s->settings.command = s->command;
        client = trace_client_start(&s->settings, err);
    }
    if (client != NULL) {
        make_probes(s->probes);
        answers = trace_client_ask(client, s->probes, PROBES, keep_sum, s->sums, err);
        s->weights = trace_client_take_weights(client);
        trace_client_stop(client);
    }
    if (answers)
        return s;
    trace_evaluator_source_destroy(s);
    return NULL;
}

void trace_evaluator_source_destroy(struct trace_evaluator_source *s)
{
    if (s == NULL)
        return;
    trace_weights_free(&s->weights);
    free(s->command);
    free(s);
}

const struct trace_weights *trace_evaluator_source_weights(const struct trace_evaluator_source *s)
{
    return &s->weights;
}
