/* A solver: searches with the parameters of organisms. */
#define _GNU_SOURCE /* asprintf */
#include "search_params.h"
#include "solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct solver {
    struct solver_settings settings;
    struct engine *engine;     /* ours, or */
    struct uci_client *client; /* another; NULL: it could not be started for other values */
    int32_t *values;           /* those set */
    bool set;
};

/* Starts another engine with its constants; ends a process that has other values. */
static bool begin_other(struct solver *s, struct error *err)
{
    uci_client_stop(s->client);
    s->set = false;
    s->client = uci_client_start(s->settings.engine, err);
    return s->client != NULL;
}

struct solver *solver_create(const struct solver_settings *settings, struct error *err)
{
    struct solver *s = calloc(1, sizeof *s);
    int32_t *values = calloc((size_t)settings->table->count + 1, sizeof *values);
    if (s == NULL || values == NULL) {
        free(s);
        free(values);
        return error_null(err, "no memory for a search");
    }
    *s = (struct solver){.settings = *settings, .values = values};
    if (settings->engine != NULL)
        begin_other(s, err);
    else if ((s->engine = engine_create(settings->hash_mib, err)) != NULL)
        engine_set_evaluation(s->engine, settings->evaluation);
    if (s->engine != NULL || s->client != NULL)
        return s;
    solver_destroy(s);
    return NULL;
}

void solver_destroy(struct solver *s)
{
    if (s == NULL)
        return;
    engine_destroy(s->engine);
    uci_client_stop(s->client);
    free(s->values);
    free(s);
}

/* Sends the values of the genes, in a new process if others are set: Toga II keeps its pawn and
 * material tables over ucinewgame, so that results would depend on what the worker did before. */
static bool set_options(struct solver *s, const int32_t *values, struct error *err)
{
    const struct param_table *table = s->settings.table;
    if ((s->set || s->client == NULL) && !begin_other(s, err))
        return false;
    for (int i = 0; i < table->count; i++) {
        char text[PARAM_TEXT];
        const struct param *p = &table->params[i];
        if (p->bits > 0 &&
            !uci_client_set(s->client, p->name, param_value_text(p, values[i], text), err))
            return false;
    }
    return true;
}

static bool set_values(struct solver *s, const int32_t *values, struct error *err)
{
    const struct param_table *table = s->settings.table;
    size_t size = (size_t)table->count * sizeof *values;
    if (s->set && memcmp(s->values, values, size) == 0)
        return true;
    if (s->settings.engine != NULL) {
        if (!set_options(s, values, err))
            return false;
    } else {
        struct search_params params = search_params_from(table, values);
        engine_set_params(s->engine, &params);
    }
    memcpy(s->values, values, size);
    return s->set = true;
}

bool solver_solve(struct solver *s, const int32_t *values, const struct epd *epd,
                  const struct solve_limits *limits, struct solved *solved, char **log,
                  struct error *err)
{
    struct error reason = {""};
    *log = NULL;
    if (!set_values(s, values, err))
        return false;
    if (s->settings.engine == NULL) {
        *solved = solve_position(s->engine, epd, limits);
        return true;
    }
    *solved = solve_position_by_uci(s->client, epd, limits, &reason);
    if (solved->fault == UCI_MOVE)
        return true;
    if (solved->fault == UCI_NO_MEMORY)
        return error_set(err, "%s", reason.text);
    if (asprintf(log, "%s\n\n%s", reason.text, uci_client_log(s->client)) < 0)
        *log = NULL;
    /* If the values prevent it, the next position has a fault as well. */
    uci_client_restart(s->client, NULL);
    return true;
}
