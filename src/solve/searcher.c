#include "searcher.h"

#include <string.h>

static const char *const names[SEARCH_METHODS] = {[SEARCH_ENGINE] = "engine",
                                                  [SEARCH_BEAL1] = "beal1",
                                                  [SEARCH_BEAL2] = "beal2",
                                                  [SEARCH_BEAL3] = "beal3"};

const char *search_method_name(enum search_method method)
{
    return names[method];
}

bool search_method_from_name(const char *name, enum search_method *method, struct error *err)
{
    for (*method = 0; *method < SEARCH_METHODS; ++*method)
        if (strcmp(names[*method], name) == 0)
            return true;
    return error_set(err, "unknown search '%s'; expected engine, beal1, beal2 or beal3", name);
}

bool search_method_check(enum search_method method, const struct evaluation *evaluation,
                         struct error *err)
{
    return method == SEARCH_ENGINE || evaluation->kind == EVALUATION_PAPER ||
           error_set(err, "%s needs an evaluation of kind %s, not %s", names[method],
                     eval_table.kind, evaluation_table(evaluation)->kind);
}

bool searcher_init(struct searcher *s, enum search_method method, int hash_mib,
                   const struct evaluation *evaluation, struct error *err)
{
    struct beal_settings settings = {.order = method - SEARCH_ENGINE};
    *s = (struct searcher){0};
    if (!search_method_check(method, evaluation, err))
        return false;
    if (method != SEARCH_ENGINE) {
        settings.weights = evaluation->paper;
        return (s->beal = beal_create(&settings, hash_mib, err)) != NULL;
    }
    if ((s->engine = engine_create(hash_mib, err)) == NULL)
        return false;
    engine_set_evaluation(s->engine, evaluation);
    return true;
}

void searcher_finish(struct searcher *s)
{
    engine_destroy(s->engine);
    beal_destroy(s->beal);
    *s = (struct searcher){0};
}

struct solved searcher_solve(struct searcher *s, const struct search_params *params,
                             const struct epd *epd, const struct solve_limits *limits)
{
    if (s->beal != NULL)
        return solve_position_by_beal(s->beal, epd, limits);
    engine_set_params(s->engine, params);
    return solve_position(s->engine, epd, limits);
}
