/* The genes of a run and their groups, when the space file changes between two of its stretches. */
#include "run_work.h"

#include "default_settings.h"
#include "one_max.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <string.h>

/* A run that began with the genes A, B, C in one group and the rest in none; and the space as it is now. */
struct begun {
    struct recipe recipe;
    struct one_max fitness;
    struct param genes[ONE_MAX_GENES];
    struct param_table space;
};

static struct begun b;

/* In the place of fitness_create: no recipe tells of this one. */
struct fitness *__wrap_fitness_create(const struct recipe *recipe, int threads, struct error *err);

struct fitness *__wrap_fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    (void)recipe, (void)threads, (void)err;
    b.fitness.base.space = b.space;
    return &b.fitness.base;
}

static void destroy(struct fitness *f)
{
    (void)f;
}

static const struct fitness_method method = {
    .name = "one_max", .value = &one_max_value, .destroy = destroy};

static void set_groups(const char *const groups[ONE_MAX_GENES])
{
    for (int i = 0; i < ONE_MAX_GENES; i++)
        b.genes[i].group = groups[i];
}

/* Begins it in the directory as genes of an engine that has this command, or of none. */
static void begin(enum optimiser_kind kind, bool groups, const char *command, bool moves)
{
    struct error err = {""};
    b.recipe = one_max_recipe(4, 1);
    b.fitness = one_max_make(1, false);
    b.fitness.base.method = &method;
    memcpy(b.genes, one_max_params, sizeof b.genes);
    set_groups((const char *const[ONE_MAX_GENES]){NULL, "abc", "abc", "abc"});
    b.space = (struct param_table){"ones",
                                   b.genes,
                                   ONE_MAX_GENES,
                                   .command = command,
                                   .command_moves = moves,
                                   .mixed = command != NULL};
    b.fitness.base.space = b.space;
    b.recipe.optimiser = optimiser_default_settings(kind);
    b.recipe.optimiser.evolution_strategy.groups = groups;
    MUST(run_create_store(scratch_path("run.db"), false, &b.recipe, "name: ones\n", &b.fitness.base,
                          NULL, &err));
}

SCRATCH_SUITE(run_genes);

/* Expects that the run goes on with the space as it is, or is refused for a reason. */
static void expect(const char *reason)
{
    struct error err = {""};
    const char *path = scratch_path("run.db");
    struct store *s = store_open(path, STORE_READ, &err);
    MUST(s);
    const bool good = run_load_fitness(s, path, &b.recipe, 1, &err) != NULL;
    cr_expect_eq(good, reason == NULL, "%s", err.text);
    cr_expect(good || strstr(err.text, reason) != NULL, "expected '%s' in: %s", reason, err.text);
    store_close(s);
}

/* Of groups only what is together counts. The optimiser looks at those of another engine's options in any case. */
Test(run_genes, what_the_optimiser_takes_from_the_space_may_not_change)
{
    static const struct {
        bool spsa, groups;
        const char *command, *now[ONE_MAX_GENES];
        int c, less; /* the perturbation of A, and by how much the range of B is smaller */
        const char *reason;
    } cases[] = {
        {false, true, NULL, {NULL, "abc", "abc", "abc"}, 0, 0, NULL},
        {false, true, NULL, {"rest", "x", "x", "x", "rest", "rest", "rest"}, 0, 0, NULL},
        {false, true, NULL, {NULL, "abc", "abc"}, 0, 0, "other groups of genes"},
        {false, false, NULL, {NULL}, 0, 0, NULL},
        {false, false, "engine", {NULL}, 0, 0, "other groups of genes"},
        {true, false, NULL, {NULL}, 0, 0, NULL},
        {true, false, NULL, {NULL}, 2, 0, "other perturbations (c)"},
        {false, true, NULL, {NULL, "abc", "abc", "abc"}, 0, 1, "the gene B had 12 bits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin(cases[i].spsa ? OPTIMISER_SPSA : OPTIMISER_EVOLUTION_STRATEGY, cases[i].groups,
              cases[i].command, false);
        set_groups(cases[i].now);
        b.genes[1].c = cases[i].c;
        b.genes[2].max -= cases[i].less;
        expect(cases[i].reason);
        unlink(scratch_path("run.db"));
    }
}

/* Sets the command to a program in the folder of the run, as a space there has it. */
static const char *beside(const char *program)
{
    return text_of("%s/./%s", directory, program);
}

Test(run_genes, another_engine_is_refused)
{
    begin(OPTIMISER_EVOLUTION_STRATEGY, false, beside("engine -u"), true);
    expect(NULL);
    b.space.command = beside("engine2 -u");
    expect("began with the engine ./engine -u, and the space has ./engine2 -u now");
}

Test(run_genes, a_program_that_does_not_move_stays_where_it_is)
{
    begin(OPTIMISER_EVOLUTION_STRATEGY, false, "/opt/old/engine", false);
    expect(NULL);
    b.space.command = "/opt/new/engine";
    expect("began with the engine /opt/old/engine");
}

Test(run_genes, an_engine_moves_with_its_run)
{
    struct error err = {""};
    struct param_table genes;
    char before[sizeof directory];
    begin(OPTIMISER_EVOLUTION_STRATEGY, false, beside("engine -u"), true);
    strcpy(before, directory);
    directory[strlen(directory) - 1] ^= 1;
    cr_assert_eq(rename(before, directory), 0);
    b.space.command = beside("engine -u");
    expect(NULL);
    struct store *s = store_open(scratch_path("run.db"), STORE_READ, &err);
    MUST(store_get_genes(s, &genes, &err));
    cr_expect_str_eq(genes.command, beside("engine -u"));
    store_free_genes(&genes);
    store_close(s);
}
