#include "trace_genes.h"

#include "suggest.h"

/* Reports a name that the evaluation has not, with the closest that it has. Returns false. */
static bool refuse_name(const struct param_table *weights, const char *name, struct error *err)
{
    struct suggestion s;
    suggest_init(&s, name);
    for (int i = 0; i < weights->count; i++)
        suggest_offer(&s, weights->params[i].name, weights->params[i].name);
    if (s.name == NULL)
        return error_set(err, "the evaluation has no weight %s", name);
    return error_set(err, "the evaluation has no weight %s; did you mean %s?", name, s.name);
}

/* A weight that does not evolve. */
static struct param constant(const struct param *weight)
{
    struct param p = *weight;
    p.bits = 0;
    p.min = p.max = p.initial;
    return p;
}

/* Gives a weight the range of its gene. */
static bool bind(const struct param *gene, const struct param *weight, struct param *bound,
                 struct error *err)
{
    if (gene->min < weight->min || gene->max > weight->max)
        return error_set(err, "%s: %d to %d is not within the evaluation's %d to %d", gene->name,
                         gene->min, gene->max, weight->min, weight->max);
    *bound = *gene;
    bound->name = weight->name;
    return true;
}

bool trace_genes_bind(const struct trace_weights *w, const struct param_table *space,
                      struct param *params, struct error *err)
{
    for (int i = 0; i < w->table.count; i++)
        params[i] = constant(&w->table.params[i]);
    for (int i = 0; i < space->count; i++) {
        int weight = param_find(&w->table, space->params[i].name);
        if (weight < 0)
            return refuse_name(&w->table, space->params[i].name, err);
        if (!bind(&space->params[i], &w->table.params[weight], &params[weight], err))
            return false;
    }
    return true;
}
