#include "reproduction.h"

#include "lab_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The files of tables/, one after another: what lab_table.h describes. */
extern const char lab_data[];

static const struct {
    const char *name;
    bool (*run)(struct lab_table *t, struct error *err);
    const char *notes; /* of the last grid; NULL: it is shown already */
} kinds[] = {
    {"suite", suite_table_run, NULL},
    {"differences", differences_run, "notes"},
    {"peers", peers_run, "notes"},
    {"games", games_run, "notes"},
    {"values", values_run, "notes"},
    {"moves matched", moves_matched_run, "notes"},
    {"nodes", nodes_run, "control notes"},
    {"search values", search_values_run, "notes"},
    {"players", players_run, "notes"},
    {"quiescence", quiescence_run, "effort notes"},
    {"branching", branching_run, "notes"},
    {"fringe", fringe_run, "notes"},
    {"assumption", assumption_run, "notes"},
    {"zugzwang", zugzwang_run, "notes"},
    {"mate", mate_run, "notes"},
};

bool reproductions_read(struct yaml_document *data, struct error *err)
{
    return yaml_read_text(data, "tables", lab_data, strlen(lab_data), err);
}

bool reproduction_is_meant(const struct yaml_node *table, const char *name)
{
    size_t length = strlen(name);
    return strncmp(table->key, name, length) == 0 &&
           (table->key[length] == '\0' || table->key[length] == '-');
}

bool reproduction_run(struct experiment *x, const struct yaml_node *table, struct error *err)
{
    struct lab_table *t = calloc(1, sizeof *t);
    size_t i = 0;
    if (t == NULL)
        return error_set(err, "no memory for a table");
    t->x = x;
    t->title = yaml_text_at(table, "title");
    t->entry = table;
    while (strcmp(kinds[i].name, lab_text(t, "kind")) != 0) {
        i++;
        assert(i < sizeof kinds / sizeof kinds[0]);
    }
    lab_begin(t, t->title, "corner", "columns");
    bool good = kinds[i].run(t, err);
    if (good && kinds[i].notes != NULL)
        lab_show(t, kinds[i].notes);
    dataset_free(&t->positions);
    lab_runs_free(t->runs);
    free(t);
    return good;
}
