#include "report.h"

#include "evaluate.h"
#include "gene_signs.h"
#include "param.h"
#include "params_write.h"
#include "search_params.h"
#include "space.h"
#include "text_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the genes ---- */

bool paper_value(const char *name, int32_t *value)
{
    const struct param_table *const published[] = {&eval_table, &search_table};
    for (int t = 0; t < 2; t++) {
        int index = param_find(published[t], name);
        if (index < 0)
            continue;
        *value = published[t]->params[index].initial;
        return true;
    }
    return false;
}

bool report_gene_idle(const struct report_gene *g)
{
    return g->param->bits > 0 && g->chance >= REPORT_NO_SIGN;
}

static enum gene_end end_of(const struct param *p, int32_t value)
{
    int64_t steps = param_steps(p), above = ((int64_t)value - p->min) / param_step(p);
    if (p->bits == 0 || steps < 2 || p->choices != NULL) /* choices have no order */
        return ENDED_INSIDE;
    if (steps - above <= steps / 100)
        return ENDED_AT_MAXIMUM;
    return above <= steps / 100 ? ENDED_AT_MINIMUM : ENDED_INSIDE;
}

double report_gene_felt(const struct report_gene *g)
{
    const double range = (double)g->param->max - g->param->min;
    return g->param->c > 0 && range > 0 ? g->param->c / range : 1;
}

/* Negative if the first gene moved further, or it evolves and the second does not. */
static double compare_moves(const struct report_gene *a, const struct report_gene *b)
{
    const int constants = (a->param->bits == 0) - (b->param->bits == 0);
    return constants != 0 ? constants : b->moved - a->moved;
}

/* Negative if a change of the first gene costs more. */
static double compare_costs(const struct report_gene *a, const struct report_gene *b)
{
    const double felt = report_gene_felt(a) - report_gene_felt(b);
    const int constants = (a->param->bits == 0) - (b->param->bits == 0);
    return constants != 0           ? constants
           : felt != 0              ? felt
           : a->chance != b->chance ? a->chance - b->chance
                                    : compare_moves(a, b);
}

/* The number of genes before this one; equal ones keep their order. */
static int place_of(const struct report *r, int gene,
                    double (*compare)(const struct report_gene *a, const struct report_gene *b))
{
    int place = 0;
    for (int i = 0; i < r->genome.count; i++) {
        const double order = compare(&r->genes[i], &r->genes[gene]);
        place += order < 0 || (order == 0 && i < gene);
    }
    return place;
}

/* Fills in each gene from the last generation. */
static bool describe_genes(struct report *r, const struct gene_signs *signs, struct error *err)
{
    const struct run_summary *s = &r->summary;
    r->genes = calloc((size_t)r->genome.count + 1, sizeof *r->genes);
    if (r->genes == NULL)
        return error_set(err, "no memory for the genes");
    r->neutral = gene_signs_count(signs);
    r->by_bits = gene_signs_by_bits(signs);
    r->signs = gene_signs_kinds(signs);
    for (int i = 0; i < r->genome.count; i++) {
        struct report_gene *g = &r->genes[i];
        g->param = &s->space.params[i];
        g->evolved = s->best[i];
        g->has_paper = !space_is_foreign(&s->space) && paper_value(g->param->name, &g->paper);
        g->last = *convergence_gene(&r->convergence, s->generation, i);
        g->end = end_of(g->param, g->evolved);
        g->chance = r->neutral == 0 ? 0 : gene_signs_chance(signs, i);
        g->inactive_by = inactive_by(&s->space, s->best, i);
        g->compared = g->has_paper ? g->paper : g->param->initial;
        g->moved =
            fabs((double)g->evolved - g->compared) / fmax(1, (double)g->param->max - g->param->min);
    }
    for (int i = 0; i < r->genome.count; i++) {
        r->genes[i].by_moves = place_of(r, i, compare_moves);
        r->genes[i].by_cost = place_of(r, i, compare_costs);
    }
    return true;
}

/* ---- the generations ---- */

/* State while the generations are read in order. */
struct reading {
    struct store *store;
    int words;
    struct gene_signs *signs;
    struct organism *population;
    int64_t *measures; /* of their genomes */
};

/* The number of seeds in generation 0. A damaged run may list more than there is room for. */
static int seeds_in_population(const struct report *r)
{
    int population = r->summary.recipe.optimiser.population;
    return r->seed_count < population ? r->seed_count : population;
}

static bool reading_init(struct reading *g, const struct report *r, struct store *s,
                         struct error *err)
{
    const struct recipe *recipe = &r->summary.recipe;
    size_t population = (size_t)recipe->optimiser.population;
    *g = (struct reading){.store = s, .words = r->genome.words};
    g->population = population_create(&r->genome, (int)population);
    g->measures = calloc(population, sizeof *g->measures);
    if (g->population == NULL || g->measures == NULL)
        return error_set(err, "no memory for a population of %zu", population);
    g->signs = gene_signs_create(&r->genome, &recipe->optimiser, recipe->seed,
                                 seeds_in_population(r), err);
    return g->signs != NULL;
}

static void reading_release(struct reading *g)
{
    gene_signs_destroy(g->signs);
    free(g->population);
    free(g->measures);
}

/* The organisms of a generation. */
static bool read_population(struct reading *g, int generation, int count, struct error *err)
{
    if (!store_get_population(g->store, generation, g->population, g->measures, count, g->words,
                              err))
        return false;
    for (int i = 0; i < count; i++)
        if (g->population[i].fitness < 0)
            return error_set(err, "generation %d, organism %d: its fitness %" PRId64 " is below 0",
                             generation, i, g->population[i].fitness);
    return true;
}

/* Gets the seeds' objective values in generation 0, which is read already. */
static void measure_seeds(struct report *r, const struct reading *g)
{
    for (int i = 0; i < seeds_in_population(r); i++)
        r->seeds[i].measure =
            r->summary.value->over_positions ? g->measures[i] : g->population[i].fitness;
}

/* Reads each generation into the convergence and the signs of genes. */
static bool read_generations(struct report *r, struct reading *g, struct error *err)
{
    const struct run_summary *s = &r->summary;
    int count = s->recipe.optimiser.population;
    for (int t = 0; t <= s->generation; t++) {
        int best = s->rows[t].best;
        if (best < 0 || best >= count)
            return error_set(err, "generation %d: no organism %d, which is called its best", t,
                             best);
        if (!read_population(g, t, count, err))
            return false;
        if (t == 0)
            measure_seeds(r, g);
        convergence_add(&r->convergence, g->population, count, best);
        gene_signs_add(g->signs, g->population);
        r->seconds += s->rows[t].seconds;
    }
    return true;
}

/* Fills in all that depends on the organisms; nothing before the first generation. */
static bool read_organisms(struct report *r, struct store *s, struct error *err)
{
    struct reading g = {0};
    if (r->summary.generation < 0)
        return true;
    bool read = genome_init(&r->genome, &r->summary.space, err) &&
                convergence_create(&r->convergence, &r->genome, r->summary.generation + 1, err) &&
                reading_init(&g, r, s, err) && read_generations(r, &g, err) &&
                describe_genes(r, g.signs, err);
    reading_release(&g);
    return read;
}

/* ---- the rest ---- */

/* Appends a data file to the list; `context` is the report. */
static bool keep_file(void *context, const char *role, const char *path, const char *sha256,
                      struct error *err)
{
    struct report *r = context;
    struct report_file *more = realloc(r->files, ((size_t)r->file_count + 1) * sizeof *r->files);
    if (more == NULL)
        return error_set(err, "no memory for the data files");
    r->files = more;
    struct report_file *f = &r->files[r->file_count++];
    *f = (struct report_file){strdup(role), strdup(path), strdup(sha256)};
    return (f->role != NULL && f->path != NULL && f->sha256 != NULL) ||
           error_set(err, "no memory for the data files");
}

/* Appends a seed to the list; `context` is the report. */
static bool keep_seed(void *context, const char *source, struct error *err)
{
    struct report *r = context;
    struct report_seed *more = realloc(r->seeds, ((size_t)r->seed_count + 1) * sizeof *r->seeds);
    if (more == NULL)
        return error_set(err, "no memory for the seeds");
    r->seeds = more;
    struct report_seed *seed = &r->seeds[r->seed_count++];
    *seed = (struct report_seed){strdup(source), NOT_MEASURED};
    return seed->source != NULL || error_set(err, "no memory for the seeds");
}

/* A value of the run, "" if it has none; NULL when out of memory. */
static char *text_of(struct store *s, const char *key)
{
    char *text = store_get(s, key);
    return text != NULL ? text : strdup("");
}

static bool read_texts(struct report *r, const char *store_path, struct store *s, struct error *err)
{
    r->path = strdup(store_path);
    r->recipe = text_of(s, "recipe");
    r->version = text_of(s, "version");
    r->created = text_of(s, "created");
    return (r->path != NULL && r->recipe != NULL && r->version != NULL && r->created != NULL) ||
           error_set(err, "no memory for the recipe");
}

/* Writes the values of the best organism as a parameter file. */
static bool write_values(struct report *r, struct error *err)
{
    const struct run_summary *s = &r->summary;
    char comment[RECIPE_NAME + 96];
    size_t size;
    if (s->best == NULL)
        return true;
    FILE *out = text_stream(&r->values, &size);
    if (out == NULL)
        return error_set(err, "no memory for the parameters");
    snprintf(comment, sizeof comment, "%s, seed %" PRIu64 ": organism %d of generation %d",
             s->recipe.name, s->recipe.seed, s->best_index, s->best_generation);
    bool written = params_write(out, PARAMS_YAML, &s->space, s->best, comment, err);
    return (fclose(out) == 0 || error_set(err, "no memory for the parameters")) && written;
}

bool report_read(const char *store_path, struct report *r, struct error *err)
{
    *r = (struct report){0};
    if (!run_summary_read(store_path, &r->summary, err))
        return false;
    struct store *s = store_open(store_path, STORE_READ, err);
    bool read = s != NULL && read_texts(r, store_path, s, err) && write_values(r, err) &&
                store_each_data(s, keep_file, r, err) && store_each_seed(s, keep_seed, r, err) &&
                store_count_games(s, &r->games, &r->draws, err) && store_whole(s, err);
    if (read && !read_organisms(r, s, err))
        read = error_prefix(err, "%s: ", store_path);
    store_close(s);
    if (!read)
        report_free(r);
    return read;
}

void report_free(struct report *r)
{
    run_summary_free(&r->summary);
    for (int i = 0; i < r->file_count; i++) {
        free(r->files[i].role);
        free(r->files[i].path);
        free(r->files[i].sha256);
    }
    free(r->files);
    for (int i = 0; i < r->seed_count; i++)
        free(r->seeds[i].source);
    free(r->seeds);
    free(r->path);
    free(r->recipe);
    free(r->version);
    free(r->created);
    free(r->values);
    free(r->genes);
    convergence_destroy(&r->convergence);
    *r = (struct report){.summary = {.generation = -1}};
}
