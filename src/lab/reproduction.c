#include "reproduction.h"

#include "lab_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The files of tables/, one after another (embed.py): what lab_table.h describes. */
extern const char lab_data[];
extern const size_t lab_data_size;

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

bool reproductions_read(struct reproductions *r, struct error *err)
{
    *r = (struct reproductions){0};
    if (!yaml_read_text(&r->data, "tables", lab_data, lab_data_size, err))
        return false;
    const struct yaml_node *tables = yaml_find(r->data.root, "tables");
    r->of = calloc((size_t)data_count(tables), sizeof *r->of);
    if (r->of == NULL)
        return error_set(err, "no memory for the tables");
    for (const struct yaml_node *n = tables->child; n != NULL; n = n->next)
        r->of[r->count++] = (struct reproduction){n->key, yaml_find(n, "title")->text, n};
    return true;
}

void reproductions_free(struct reproductions *r)
{
    free(r->of);
    yaml_finish(&r->data);
    *r = (struct reproductions){0};
}

bool reproduction_is_meant(const struct reproduction *r, const char *name)
{
    size_t length = strlen(name);
    return strncmp(r->name, name, length) == 0 &&
           (r->name[length] == '\0' || r->name[length] == '-');
}

bool reproduction_run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct lab_table *t = calloc(1, sizeof *t);
    size_t i = 0;
    if (t == NULL)
        return error_set(err, "no memory for a table");
    t->x = x;
    t->title = r->title;
    t->entry = r->entry;
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
