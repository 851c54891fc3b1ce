#include "report.h"

#include "array.h"
#include "evaluate.h"
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

/* Negative if the first gene moved further, or it evolves and the second does not. */
static double compare_moves(const struct report_gene *a, const struct report_gene *b)
{
    const int constants = (a->param->bits == 0) - (b->param->bits == 0);
    return constants != 0 ? constants : b->moved - a->moved;
}

/* Negative if a change of the first gene costs more. */
static double compare_costs(const struct report_gene *a, const struct report_gene *b)
{
    const double felt = a->felt - b->felt;
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

static bool describe_genes(struct report *r, const struct gene_signs *signs, struct error *err)
{
    const struct run_summary *s = &r->summary;
    r->genes = calloc((size_t)r->genome.count + 1, sizeof *r->genes);
    if (r->genes == NULL)
        return error_set(err, "no memory for the genes");
    r->neutral = gene_signs_neutral(signs);
    for (int i = 0; i < r->genome.count; i++) {
        struct report_gene *g = &r->genes[i];
        g->param = &s->space.params[i];
        g->evolved = s->best[i];
        /* The initial values of ours that david-2014 publishes: Figure 3 for the evaluation, Table II for the search. */
        const bool foreign = space_is_foreign(&s->space);
        const int eval = foreign ? -1 : param_find(&eval_table, g->param->name);
        const int search = foreign ? -1 : param_find(&search_table, g->param->name);
        const struct param *published = eval >= 0     ? &eval_table.params[eval]
                                        : search >= 0 ? &search_table.params[search]
                                                      : g->param;
        g->has_paper = published != g->param;
        g->last = *convergence_gene(&r->convergence, s->generation, i);
        g->end = end_of(g->param, g->evolved);
        g->chance = r->neutral.count == 0 ? 0 : gene_signs_chance(signs, i);
        g->inactive_by = inactive_by(&s->space, s->best, i);
        g->compared = published->initial;
        const double range = (double)g->param->max - g->param->min;
        g->moved = fabs((double)g->evolved - g->compared) / fmax(1, range);
        g->felt = g->param->c > 0 && range > 0 ? g->param->c / range : 1;
    }
    for (int i = 0; i < r->genome.count; i++) {
        r->genes[i].by_moves = place_of(r, i, compare_moves);
        r->genes[i].by_cost = place_of(r, i, compare_costs);
    }
    return true;
}

/* ---- the generations ---- */

/* Gets a generation. Returns the index of its best organism, or -1 with the reason. */
static int read_generation(const struct report *r, struct store *s, int generation,
                           struct organism *population, int64_t *measures, struct error *err)
{
    const int count = r->summary.recipe.optimiser.population;
    const int best = r->summary.rows[generation].best;
    if (best < 0 || best >= count)
        error_set(err, "generation %d: no organism %d, which is called its best", generation, best);
    if (best < 0 || best >= count ||
        !store_get_population(s, generation, population, measures, count, r->genome.words, err))
        return -1;
    for (int i = 0; i < count; i++)
        if (population[i].fitness < 0) {
            error_set(err, "generation %d, organism %d: its fitness %" PRId64 " is below 0",
                      generation, i, population[i].fitness);
            return -1;
        }
    return best;
}

/* Reads each generation into the convergence and the signs of genes. A damaged run may list more seeds than there is
 * room for. */
static bool read_generations(struct report *r, struct store *s, struct gene_signs *signs, int seeds,
                             struct error *err)
{
    const int count = r->summary.recipe.optimiser.population;
    struct organism *population = population_create(&r->genome, count);
    int64_t *measures = calloc((size_t)count, sizeof *measures);
    bool read = (population != NULL && measures != NULL) ||
                error_set(err, "no memory for a population of %d", count);
    for (int t = 0; read && t <= r->summary.generation; t++) {
        const int best = read_generation(r, s, t, population, measures, err);
        read = best >= 0;
        for (int i = 0; read && t == 0 && i < seeds; i++)
            r->seeds[i].measure =
                r->summary.value->over_positions ? measures[i] : population[i].fitness;
        if (read) {
            convergence_add(&r->convergence, population, count, best);
            gene_signs_add(signs, population);
            r->seconds += r->summary.rows[t].seconds;
        }
    }
    free(population);
    free(measures);
    return read;
}

/* Fills in all that depends on the organisms; nothing before the first generation. */
static bool read_organisms(struct report *r, struct store *s, struct error *err)
{
    const struct recipe *recipe = &r->summary.recipe;
    const int count = recipe->optimiser.population;
    const int seeds = r->seed_count < count ? r->seed_count : count;
    struct gene_signs *signs = NULL;
    if (r->summary.generation < 0)
        return true;
    const bool read =
        genome_init(&r->genome, &r->summary.space, err) &&
        convergence_create(&r->convergence, &r->genome, r->summary.generation + 1, err) &&
        (signs = gene_signs_create(&r->genome, &recipe->optimiser, recipe->seed, seeds, err)) !=
            NULL &&
        read_generations(r, s, signs, seeds, err) && describe_genes(r, signs, err);
    gene_signs_destroy(signs);
    return read;
}

/* ---- the rest ---- */

/* Reads rows of role, path and checksum into a list. */
static bool list_files(struct store_rows rows, struct report_file **files, int *count,
                       struct error *err)
{
    const char *role, *path, *sha256;
    bool good = true;
    while (good && store_next(&rows, "ttt", &role, &path, &sha256)) {
        good = array_grow(*files, *count);
        if (!good)
            break;
        struct report_file *more = &(*files)[(*count)++];
        *more = (struct report_file){strdup(role), strdup(path), strdup(sha256), NOT_MEASURED};
        good = more->role != NULL && more->path != NULL && more->sha256 != NULL;
    }
    return store_end(&rows, err) && (good || error_set(err, "no memory for the files of a run"));
}

static void free_files(struct report_file *files, int count)
{
    for (int i = 0; i < count; i++) {
        free(files[i].role);
        free(files[i].path);
        free(files[i].sha256);
    }
    free(files);
}

/* A value of the store, "" if it has none; NULL when out of memory. */
static char *text_of(struct store *s, const char *key)
{
    char *text = store_get(s, key);
    return text != NULL ? text : strdup("");
}

bool report_origin_read(struct report_origin *o, const char *path, struct store *s, const char *key,
                        struct error *err)
{
    *o = (struct report_origin){strdup(path), text_of(s, key), text_of(s, "version"),
                                text_of(s, "created")};
    return (o->path != NULL && o->recipe != NULL && o->version != NULL && o->created != NULL) ||
           error_set(err, "no memory for the recipe");
}

void report_origin_free(struct report_origin *o)
{
    free(o->path);
    free(o->recipe);
    free(o->version);
    free(o->created);
}

static bool write_values(struct report *r, struct error *err)
{
    const struct run_summary *s = &r->summary;
    char comment[RECIPE_NAME + 96];
    size_t size;
    if (s->best == NULL)
        return true;
    FILE *out = text_stream(&r->values, &size);
    snprintf(comment, sizeof comment, "%s, seed %" PRIu64 ": organism %d of generation %d",
             s->recipe.name, s->recipe.seed, s->best_index, s->best_generation);
    bool written = out != NULL && params_write(out, PARAMS_YAML, &s->space, s->best, comment, err);
    return text_close(out, "the parameters", err) && written;
}

bool report_read(const char *store_path, struct report *r, struct error *err)
{
    *r = (struct report){0};
    if (!run_summary_read(store_path, &r->summary, err))
        return false;
    struct store *s = store_open(store_path, STORE_READ, err);
    bool read = s != NULL && report_origin_read(&r->from, store_path, s, "recipe", err) &&
                write_values(r, err) && list_files(store_data(s), &r->files, &r->file_count, err) &&
                list_files(store_seeds(s), &r->seeds, &r->seed_count, err) &&
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
    free_files(r->files, r->file_count);
    free_files(r->seeds, r->seed_count);
    report_origin_free(&r->from);
    free(r->values);
    free(r->genes);
    convergence_destroy(&r->convergence);
    *r = (struct report){.summary = {.generation = -1}};
}
