#include "trace_evaluator.h"

#include <stdlib.h>
#include <string.h>

struct trace_evaluator_source {
    struct trace_settings settings;
    char *command; /* of the settings */
    struct trace_weights weights;
};

struct trace_evaluator {
    struct evaluator base; /* first member, so that a struct evaluator * points to it */
    struct trace_client *client;
};

static struct trace_client *client_of(struct evaluator *e)
{
    return ((struct trace_evaluator *)e)->client;
}

static bool trace(struct evaluator *e, const struct position *positions, size_t count,
                  bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                  void *context, struct error *err)
{
    return trace_client_ask(client_of(e), positions, count, take, context, err);
}

static void destroy(struct evaluator *e)
{
    trace_client_stop(client_of(e));
    free(e);
}

static const struct evaluator_method method = {trace, destroy};

/* Starts a process and compares its weights with those of the source. */
static struct trace_client *start(const struct trace_evaluator_source *s, struct error *err)
{
    struct trace_client *client = trace_client_start(&s->settings, err);
    if (client == NULL || trace_same_weights(&s->weights, trace_client_weights(client), err))
        return client;
    error_prefix(err, "%s: it names other weights when it is started again: ", s->command);
    trace_client_stop(client);
    return NULL;
}

static struct evaluator *create(const void *context, struct error *err)
{
    struct trace_client *client = start(context, err);
    struct trace_evaluator *e = client == NULL ? NULL : malloc(sizeof *e);
    if (e == NULL) {
        if (client != NULL)
            error_set(err, "no memory for an evaluator");
        trace_client_stop(client);
        return NULL;
    }
    const struct trace_weights *w = trace_client_weights(client);
    e->base = (struct evaluator){&method, &w->table, w->scale};
    e->client = client;
    return &e->base;
}

struct evaluator_source trace_evaluator_source(const struct trace_evaluator_source *s)
{
    return (struct evaluator_source){.create = create, .context = s};
}

/* Starts the command and keeps its weights. */
static bool learn(struct trace_evaluator_source *s, struct error *err)
{
    if (s->command == NULL)
        return error_set(err, "no memory for an evaluator");
    s->settings.command = s->command;
    struct trace_client *client = trace_client_start(&s->settings, err);
    if (client == NULL)
        return false;
    s->weights = trace_client_take_weights(client);
    trace_client_stop(client);
    return true;
}

struct trace_evaluator_source *trace_evaluator_source_create(const struct trace_settings *settings,
                                                             struct error *err)
{
    struct trace_evaluator_source *s = calloc(1, sizeof *s);
    if (s == NULL) {
        error_set(err, "no memory for an evaluator");
        return NULL;
    }
    s->settings = *settings;
    s->command = strdup(settings->command);
    if (learn(s, err))
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
