#include "gene_spread.h"

#include "report.h"

#include <stdlib.h>

/* True if the source is a run whose population converges. */
static bool has_spread(const struct source *s)
{
    return s->run.best != NULL && optimiser_method_of(s->run.recipe.optimiser.kind)->converges;
}

bool gene_spread_read(const struct source *s, double **spread, struct error *err)
{
    struct report report;
    *spread = NULL;
    if (!has_spread(s))
        return true;
    if (!report_read(s->path, &report, err))
        return false;
    *spread = calloc((size_t)report.genome.count + 1, sizeof **spread);
    for (int i = 0; *spread != NULL && i < report.genome.count; i++)
        (*spread)[i] = report.genes[i].last.deviation;
    report_free(&report);
    return *spread != NULL || error_set(err, "no memory for %d parameters", s->table.count);
}
