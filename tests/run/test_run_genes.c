/* The genes of a run and their groups, when the space file changes between two of its stretches. */
#include "run_genes.h"

#include "one_max.h"
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

static void begin(struct begun *b, bool groups)
{
    struct error err = {""};
    struct one_max m = one_max_make(1, false);
    struct recipe recipe = one_max_recipe(4, 1);
    b->files = temporary_make();
    const char *path = temporary_file(&b->files, "run.db");
    memcpy(b->genes, one_max_params, sizeof b->genes);
    set_groups(b, three_together);
    b->space = (struct param_table){"ones", b->genes, ONE_MAX_GENES};
    m.base.space = b->space;
    recipe.optimiser = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    recipe.optimiser.evolution_strategy.groups = groups;
    cr_assert(run_create_store(path, false, &recipe, "name: ones\n", &m.base, NULL, &err), "%s",
              err.text);
    b->store = store_open(path, STORE_READ, &err);
    cr_assert_not_null(b->store, "%s", err.text);
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
