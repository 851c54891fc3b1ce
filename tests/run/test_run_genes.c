/* The genes of a run and their groups, when the space file changes between two of its stretches. */
#include "run_genes.h"

#include "default_settings.h"
#include "one_max.h"
#include "paths.h"
#include "run.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <string.h>

/* A run of an evolution strategy, begun with the genes A, B, C in one group and the rest in none. */
struct begun {
    struct temporary files;
    struct store *store;
    struct param genes[ONE_MAX_GENES];
    struct param_table space;
};

static void set_groups(struct begun *b, const char *const groups[ONE_MAX_GENES])
{
    for (int i = 0; i < ONE_MAX_GENES; i++)
        b->genes[i].group = groups[i];
}

static const char *const three_together[ONE_MAX_GENES] = {NULL, "abc", "abc", "abc"};

/* Begins it as genes of an engine that has this command, or of none. */
static void begin_with(struct begun *b, enum optimiser_kind kind, bool groups, const char *command,
                       bool moves)
{
    struct error err = {""};
    struct one_max m = one_max_make(1, false);
    struct recipe recipe = one_max_recipe(4, 1);
    const char *path = temporary_file(&b->files, "run.db");
    memcpy(b->genes, one_max_params, sizeof b->genes);
    set_groups(b, three_together);
    b->space = (struct param_table){"ones",
                                    b->genes,
                                    ONE_MAX_GENES,
                                    .command = command,
                                    .command_moves = moves,
                                    .mixed = command != NULL};
    m.base.space = b->space;
    recipe.optimiser = optimiser_default_settings(kind);
    recipe.optimiser.evolution_strategy.groups = groups;
    cr_assert(run_create_store(path, false, &recipe, "name: ones\n", &m.base, NULL, &err), "%s",
              err.text);
    b->store = store_open(path, STORE_READ, &err);
    cr_assert_not_null(b->store, "%s", err.text);
}

static void begin(struct begun *b, bool groups)
{
    b->files = temporary_make();
    begin_with(b, OPTIMISER_EVOLUTION_STRATEGY, groups, NULL, false);
}

static void end(struct begun *b)
{
    store_close(b->store);
    temporary_remove(&b->files);
}

Test(run_genes, the_same_groups_are_accepted_whatever_they_are_called)
{
    struct begun b;
    struct error err = {""};
    begin(&b, true);
    cr_expect(run_genes_check(b.store, &b.space, &err), "%s", err.text);
    set_groups(&b,
               (const char *const[ONE_MAX_GENES]){"rest", "x", "x", "x", "rest", "rest", "rest"});
    cr_expect(run_genes_check(b.store, &b.space, &err), "%s", err.text);
    end(&b);
}

Test(run_genes, a_gene_in_another_group_is_refused)
{
    struct begun b;
    struct error err = {""};
    begin(&b, true);
    set_groups(&b, (const char *const[ONE_MAX_GENES]){NULL, "abc", "abc"});
    cr_expect_not(run_genes_check(b.store, &b.space, &err));
    cr_expect_not_null(strstr(err.text, "other groups of genes"), "%s", err.text);
    end(&b);
}

Test(run_genes, groups_that_the_optimiser_does_not_use_may_change)
{
    struct begun b;
    struct error err = {""};
    begin(&b, false);
    set_groups(&b, (const char *const[ONE_MAX_GENES]){NULL});
    cr_expect(run_genes_check(b.store, &b.space, &err), "%s", err.text);
    end(&b);
}

/* It looks at the groups of options of another engine in any case. */
Test(run_genes, groups_of_options_may_not_change)
{
    struct begun b;
    struct error err = {""};
    b.files = temporary_make();
    begin_with(&b, OPTIMISER_EVOLUTION_STRATEGY, false, "engine", false);
    set_groups(&b, (const char *const[ONE_MAX_GENES]){NULL});
    cr_expect_not(run_genes_check(b.store, &b.space, &err));
    cr_expect_not_null(strstr(err.text, "other groups of genes"), "%s", err.text);
    end(&b);
}

Test(run_genes, perturbations_of_spsa_may_not_change)
{
    struct begun b;
    struct error err = {""};
    b.files = temporary_make();
    begin_with(&b, OPTIMISER_SPSA, false, NULL, false);
    cr_expect(run_genes_check(b.store, &b.space, &err), "%s", err.text);
    b.genes[1].c = 2;
    cr_expect_not(run_genes_check(b.store, &b.space, &err));
    cr_expect_not_null(strstr(err.text, "other perturbations (c)"), "%s", err.text);
    end(&b);
}

Test(run_genes, another_range_is_refused)
{
    struct begun b;
    struct error err = {""};
    begin(&b, true);
    b.genes[2].max--;
    cr_expect_not(run_genes_check(b.store, &b.space, &err));
    cr_expect_not_null(strstr(err.text, "the gene B had 12 bits"), "%s", err.text);
    end(&b);
}

enum { COMMAND = PATH_SIZE + 32 };

/* Writes the command of a program in the folder of the run, as a space there has it. */
static void beside(struct begun *b, const char *program, char command[COMMAND])
{
    struct error err;
    char directory[PATH_SIZE];
    cr_assert(path_directory(temporary_file(&b->files, "run.db"), directory, &err), "%s", err.text);
    snprintf(command, COMMAND, "%s/./%s", directory, program);
}

/* Whether the run goes on with a command. */
static bool accepts(struct begun *b, const char *command, bool moves, struct error *err)
{
    b->space.command = command;
    b->space.command_moves = moves;
    return run_genes_check(b->store, &b->space, err);
}

Test(run_genes, another_engine_is_refused)
{
    struct begun b = {.files = temporary_make()};
    struct error err = {""};
    char first[COMMAND], other[COMMAND];
    beside(&b, "engine -u", first);
    beside(&b, "engine2 -u", other);
    begin_with(&b, OPTIMISER_EVOLUTION_STRATEGY, false, first, true);
    cr_expect(accepts(&b, first, true, &err), "%s", err.text);
    cr_expect_not(accepts(&b, other, true, &err));
    cr_expect_not_null(strstr(err.text, "began with the engine ./engine -u, and the space has "
                                        "./engine2 -u now"),
                       "%s", err.text);
    end(&b);
    b.files = temporary_make();
    begin_with(&b, OPTIMISER_EVOLUTION_STRATEGY, false, "/opt/old/engine", false);
    cr_expect(accepts(&b, "/opt/old/engine", false, &err), "%s", err.text);
    cr_expect_not(accepts(&b, "/opt/new/engine", false, &err));
    end(&b);
}

Test(run_genes, an_engine_moves_with_its_run)
{
    struct begun b = {.files = temporary_make()};
    struct error err = {""};
    struct param_table genes;
    struct temporary elsewhere = temporary_make();
    char command[COMMAND];
    beside(&b, "engine -u", command);
    begin_with(&b, OPTIMISER_EVOLUTION_STRATEGY, false, command, true);
    store_close(b.store);
    cr_assert_eq(rename(b.files.directory, elsewhere.directory), 0);
    b.files = elsewhere;
    beside(&b, "engine -u", command);
    b.store = store_open(temporary_file(&b.files, "run.db"), STORE_READ, &err);
    cr_assert_not_null(b.store, "%s", err.text);
    cr_expect(accepts(&b, command, true, &err), "%s", err.text);
    void *memory = store_get_genes(b.store, &genes, &err);
    cr_assert_not_null(memory, "%s", err.text);
    cr_expect_str_eq(genes.command, command);
    free(memory);
    end(&b);
}

/* Such runs have the path that the program had when they began. */
Test(run_genes, a_run_of_an_older_version_goes_on_where_it_was_moved_to)
{
    struct begun b = {.files = temporary_make()};
    struct error err = {""};
    char same[COMMAND], other[COMMAND];
    beside(&b, "engine -u", same);
    beside(&b, "engine -x", other);
    begin_with(&b, OPTIMISER_EVOLUTION_STRATEGY, false, "/no/such/folder/./engine -u", false);
    cr_expect(accepts(&b, same, true, &err), "%s", err.text);
    cr_expect_not(accepts(&b, other, true, &err));
    end(&b);
}
