#include "reproduction.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The files of tables/, one after another (embed.py): what lab_table.h describes. */
extern const char lab_data[];
extern const size_t lab_data_size;

static const struct {
    const char *name;
    bool (*run)(struct lab_table *t, struct error *err);
} kinds[] = {
    {"suite", suite_table_run},
    {"differences", differences_run},
    {"peers", peers_run},
    {"games", games_run},
    {"values", values_run},
    {"moves matched", moves_matched_run},
    {"nodes", nodes_run},
    {"search values", search_values_run},
    {"players", players_run},
    {"quiescence", quiescence_run},
    {"branching", branching_run},
    {"fringe", fringe_run},
    {"assumption", assumption_run},
    {"zugzwang", zugzwang_run},
    {"mate", mate_run},
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
    const char *kind = data_text(x, r->entry, "kind");
    struct lab_table *t = calloc(1, sizeof *t);
    size_t i = 0;
    if (t == NULL)
        return error_set(err, "no memory for a table");
    while (strcmp(kinds[i].name, kind) != 0) {
        i++;
        assert(i < sizeof kinds / sizeof kinds[0]);
    }
    t->x = x;
    t->title = r->title;
    t->entry = r->entry;
    bool good = kinds[i].run(t, err);
    free(t);
    return good;
}
