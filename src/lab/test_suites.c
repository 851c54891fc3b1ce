/* The positions of the tables (lab_table.h). */
#include "lab_table.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct yaml_node *suite_entry(const struct yaml_node *data, const char *suite)
{
    return yaml_find(yaml_find(data, "suites"), suite);
}

static size_t count_of(const struct yaml_node *file)
{
    return strtoul(yaml_find(file, "count")->text, NULL, 10);
}

/* The first of the files, or of the positions, of a suite. */
static const struct yaml_node *first_of(const struct yaml_node *suite, const char *list)
{
    const struct yaml_node *found = yaml_find(suite, list);
    return found != NULL ? found->child : NULL;
}

size_t test_suite_size(const struct yaml_node *data, const char *suite)
{
    const struct yaml_node *entry = suite_entry(data, suite);
    size_t size = 0;
    for (const struct yaml_node *n = first_of(entry, "positions"); n != NULL; n = n->next)
        size++;
    for (const struct yaml_node *n = first_of(entry, "files"); n != NULL; n = n->next)
        size += count_of(n);
    return size;
}

static bool load_file(const struct yaml_node *file, const char *title, const char *directory,
                      struct dataset *d, struct error *err)
{
    char path[1024];
    struct suite suite;
    const size_t count = count_of(file);
    const char *where = yaml_find(file, "where")->text;
    snprintf(path, sizeof path, "%s/%s", directory, yaml_find(file, "name")->text);
    if (access(path, R_OK) != 0)
        return error_set(err, "%s is not there: %s, with %zu positions (%s); --suites names where",
                         path, title, count, where);
    if (!suite_load(&suite, path, err))
        return false;
    bool good = true;
    if (suite.positions.count != count)
        good = error_set(err, "%s: %zu positions that can be solved, where %s has %zu (%s)", path,
                         suite.positions.count, title, count, where);
    for (size_t i = 0; good && i < suite.positions.count; i++)
        good = dataset_append(d, &suite.positions.items[i], err);
    suite_free(&suite);
    return good;
}

bool test_suite_load(const struct yaml_node *data, const char *suite, const char *directory,
                     struct dataset *d, struct error *err)
{
    const struct yaml_node *entry = suite_entry(data, suite);
    bool good = true;
    for (const struct yaml_node *n = first_of(entry, "positions"); good && n != NULL; n = n->next) {
        struct epd epd;
        good = epd_parse(n->text, &epd, err) && dataset_append(d, &epd, err);
    }
    for (const struct yaml_node *n = first_of(entry, "files"); good && n != NULL; n = n->next)
        good = load_file(n, yaml_find(entry, "title")->text, directory, d, err);
    return good;
}

/* ---- choosing ---- */

/* True if each side has a piece besides king and pawns. */
static bool has_pieces(const struct position *p)
{
    Bitboard pieces = ~p->by_kind[PAWN] & ~p->by_kind[KING];
    return (p->by_color[WHITE] & pieces) != 0 && (p->by_color[BLACK] & pieces) != 0;
}

void test_suite_choose(struct dataset *d, int count, bool with_pieces)
{
    size_t kept = 0, total, wanted = (size_t)count;
    for (size_t i = 0; i < d->count; i++)
        if (!with_pieces || has_pieces(&d->items[i].position))
            d->items[kept++] = d->items[i];
    total = d->count = kept;
    if (wanted == 0 || wanted >= total)
        return;
    for (size_t i = 0; i < wanted; i++)
        d->items[i] = d->items[i * total / wanted];
    d->count = wanted;
}

bool lab_positions(struct lab_table *t, struct error *err)
{
    struct dataset *d = &t->positions;
    if (!test_suite_load(t->x->data, lab_text(t, "suite"), t->x->suites, d, err))
        return false;
    test_suite_choose(d, (int)lab_number(t, "positions"), lab_text(t, "with pieces") != NULL);
    lab_word(t, "positions", "%zu", d->count);
    return true;
}

/* ---- spreading ---- */

static size_t greatest_divisor(size_t a, size_t b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

bool test_suite_spread(struct dataset *d, struct error *err)
{
    /* The step that divides the circle of places most evenly: nearest to its golden section from below, and without a
     * common divisor, so that it comes to each place once. */
    size_t step = (size_t)(0.6180339887498949 * (double)d->count);
    while (step > 1 && greatest_divisor(d->count, step) > 1)
        step--;
    step = step > 0 ? step : 1;
    struct epd *spread = malloc((d->count + 1) * sizeof *spread);
    if (spread == NULL)
        return error_set(err, "no memory for %zu positions", d->count);
    for (size_t i = 0; i < d->count; i++)
        spread[i] = d->items[i * step % d->count];
    memcpy(d->items, spread, d->count * sizeof *spread);
    free(spread);
    return true;
}
