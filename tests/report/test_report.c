/* The report's content: read from a small run, it is what the store holds. */
#include "report.h"

#include "database.h"
#include "evaluate.h"
#include "one_max.h"
#include "run_work.h"
#include "scratch.h"
#include "search_params.h"
#include "values.h"

#include <criterion/criterion.h>
#include <math.h>

enum { POPULATION = 30, GENERATIONS = 25 };

static const char words[] =
    "name: ones\nseed: 7\ndata: {train: [a.epd]}\nga: {population: 30, generations: 25}\n";

static struct error err;
static struct report r;
static const char *path; /* of the run */

static void begin(void)
{
    scratch_begin();
    path = scratch_path("run.db");
}

static void end(void)
{
    report_free(&r);
    report_free(&r); /* a second time is no harm */
    scratch_end();
}

TestSuite(report, .init = begin, .fini = end);

/* Makes a run of one-max as far as this generation, -1: only begun; and changes it. */
static void make_run(int generations, const char *sql)
{
    struct run_observer nobody = {0};
    struct one_max m = one_max_make(1, false);
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    MUST(run_create_store(path, true, &recipe, words, &m.base, NULL, &err));
    recipe.generations = generations;
    struct store *s = store_open(path, STORE_WRITE, &err);
    MUST(s);
    if (generations >= 0)
        cr_assert_eq(run_loop(&m.base, &recipe, s, false, NULL, &nobody, &err), RUN_COMPLETE, "%s",
                     err.text);
    store_close(s);
    execute(path, sql);
}

/* Reads the run, in place of an earlier reading. */
static void read_run(void)
{
    report_free(&r);
    MUST(report_read(path, &r, &err));
}

Test(report, tells_what_the_run_left)
{
    make_run(GENERATIONS, "INSERT INTO data VALUES (1, 0, 'train', 'a.epd', '12ab');"
                          "INSERT INTO seed VALUES (1, 0, 'b.db', x'00'), (1, 1, 'c.yaml', x'00');"
                          "INSERT INTO game VALUES (1, 0, 0, 0, 0, 0, 1, 5, 1, 80, 9),"
                          " (1, 0, 1, 0, 1, 0, 0, 6, 2, 70, 8)");
    read_run();
    cr_assert_eq(r.summary.generation, GENERATIONS);
    cr_assert_eq(r.convergence.generations, GENERATIONS + 1);
    cr_assert_eq(r.genome.count, ONE_MAX_GENES);
    cr_assert(strstr(r.from.recipe, "population: 30") != NULL, "%s", r.from.recipe);
    cr_assert_eq(r.file_count, 1);
    cr_assert_str_eq(r.files[0].path, "a.epd");
    cr_assert_str_eq(r.files[0].sha256, "12ab");
    cr_assert_eq(r.seed_count, 2);
    cr_assert_str_eq(r.seeds[1].path, "c.yaml");
    cr_assert(0 < r.seeds[1].measure && r.seeds[1].measure <= r.summary.rows[0].measure);
    cr_assert(r.games == 2 && r.draws == 1);
    for (int i = 0; i < r.genome.count; i++) {
        const struct report_gene *g = &r.genes[i];
        cr_assert_eq(g->evolved, r.summary.best[i]);
        cr_assert_leq(g->last.lowest, g->evolved, "elitism keeps the best");
        cr_assert_geq(g->last.highest, g->evolved);
        cr_assert_not(g->has_paper);
        cr_assert_eq(g->inactive_by, -1);
    }
    cr_assert_eq(r.genes[0].chance, 1, "a constant");
    cr_assert_not(report_gene_idle(&r.genes[0]), "it does not evolve");
}

/* How many evolving genes have the chance of twelve bits, each with a sign that none of the neutral bits
 * shows: 2 (1 - (1 - 1/953)^12). */
static int count_beyond_chance(void)
{
    int count = 0;
    read_run();
    for (int i = 1; i < ONE_MAX_GENES; i++)
        count += fabs(r.genes[i].chance - 0.02504) < 0.00001;
    return count;
}

/* Copies of a single seed do not differ in neutral bits, so these show no sign (convergence.h). */
Test(report, genes_are_compared_with_descendants_of_as_many_seeds)
{
    make_run(GENERATIONS,
             "UPDATE property SET value = replace(value, 'generations: 25',"
             " 'generations: 25, fill: offspring, mutation: {rate: 0}') WHERE key = 'recipe'");
    cr_assert_lt(count_beyond_chance(), ONE_MAX_GENES - 1, "unrelated organisms differ");
    execute(path, "INSERT INTO seed VALUES (1, 0, 'b.db', x'00')");
    cr_assert_eq(count_beyond_chance(), ONE_MAX_GENES - 1);
}

Test(report, more_seeds_than_organisms_do_no_harm)
{
    make_run(3, "INSERT INTO seed WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL"
                " SELECT i + 1 FROM n WHERE i < 30) SELECT 1, i, 'b.db', x'00' FROM n");
    read_run();
    cr_assert_eq(r.seed_count, POPULATION + 1);
    cr_assert_eq(r.seeds[POPULATION].measure, NOT_MEASURED);
}

Test(report, a_run_without_a_generation_has_its_recipe)
{
    make_run(-1, "");
    read_run();
    cr_assert_eq(r.summary.generation, -1);
    cr_assert_null(r.genes);
    cr_assert(strstr(r.from.recipe, "population: 30") != NULL);
}

Test(report, a_damaged_run_is_refused)
{
    static const char *const cases[][2] = {
        {"UPDATE generation SET best = 99 WHERE idx = 2",
         "generation 2: no organism 99, which is called its best"},
        {"UPDATE organism SET genome = 4000 WHERE generation = 1 AND idx = 7",
         "generation 1: organism 7 or its genome is missing"},
        {"UPDATE organism SET fitness = -5 WHERE generation = 1 AND idx = 7",
         "generation 1, organism 7: its fitness -5 is below 0"},
        {"DELETE FROM organism WHERE generation = 3 AND idx = 1",
         "generation 3: organism 1 or its genome is missing"},
    };
    for (int i = 0; i < 4; i++) {
        make_run(3, cases[i][0]);
        cr_assert_not(report_read(path, &r, &err), "%s", cases[i][0]);
        SAID(cases[i][1]);
        SAID("run.db");
    }
}

Test(report, a_gene_is_inactive_where_its_condition_does_not_hold)
{
    make_run(3, "UPDATE gene SET name = 'Style', max = 0 WHERE idx = 2;"
                "UPDATE gene SET active_if = 'Style >= 1' WHERE idx = 1");
    read_run();
    cr_assert_eq(r.genes[1].inactive_by, 2);
    cr_assert_eq(r.genes[2].inactive_by, -1, "it has no condition");
}

/* Other evaluations have a BISHOP_PAIR of their own. */
Test(report, the_weights_of_another_engine_are_not_those_of_the_paper)
{
    static const char *const kinds[] = {"evaluation", "trace", "uci"};
    make_run(3, "UPDATE gene SET name = 'BISHOP_PAIR' WHERE idx = 1");
    for (int i = 0; i < 3; i++) {
        execute(path, text_of("UPDATE property SET value = '%s' WHERE key = 'kind'", kinds[i]));
        read_run();
        cr_assert_eq(r.genes[1].has_paper, i == 0, "%s", kinds[i]);
    }
}

/* Runs of older versions have no conditions: those of the search are known by name. */
Test(report, a_gene_of_an_old_search_has_the_condition_of_its_name)
{
    make_run(3, "UPDATE gene SET name = 'LMR_USE', max = 0 WHERE idx = 2;"
                "UPDATE gene SET name = 'LMR_BASE' WHERE idx = 1;"
                "UPDATE gene SET name = 'LMP_MOVES' WHERE idx = 3;"
                "UPDATE gene SET active_if = NULL");
    read_run();
    cr_assert_eq(r.genes[1].inactive_by, 2);
    cr_assert_eq(r.genes[2].inactive_by, -1, "it has no condition");
    cr_assert_eq(r.genes[3].inactive_by, -1, "the run has no LMP_DEPTH");
}

Test(report, a_value_at_or_near_a_bound_is_seen)
{
    make_run(GENERATIONS, "");
    read_run();
    const int value = r.genes[1].evolved;
    cr_assert(120 < value && value < 4000);
    cr_assert_eq(r.genes[1].end, ENDED_INSIDE);
    const struct {
        int distance;
        enum gene_end end;
        const char *type; /* of the parameter */
    } cases[] = {{0, ENDED_AT_MAXIMUM, ""},
                 {value / 120, ENDED_AT_MAXIMUM, ""},
                 {value / 40, ENDED_INSIDE, ""},
                 {0, ENDED_INSIDE, ", type = 2, choices = 'x' || char(10)"}}; /* without an order */
    for (int i = 0; i < 4; i++) {
        execute(path, text_of("UPDATE gene SET max = %d%s WHERE idx = 1", value + cases[i].distance,
                              cases[i].type));
        read_run();
        cr_assert_eq(r.genes[1].end, cases[i].end, "case %d", i);
    }
}

/* Pages call the initial values of the paper's tables its own: those of params/paper-eval.yaml, and of Table II. */
Test(report, the_papers_values_are_those_of_the_parameter_files)
{
    int32_t values[EVAL_TERMS];
    MUST(values_read(text_of("%s/params/paper-eval.yaml", getenv("GRAYLING_SOURCE")), &eval_table,
                     values, &err));
    for (int i = 0; i < EVAL_TERMS; i++)
        cr_assert_eq(eval_table.params[i].initial, values[i], "%s", eval_table.params[i].name);
    cr_assert_eq(search_table.params[param_find(&search_table, "NULL_MOVE_REDUCTION")].initial, 4);
}
