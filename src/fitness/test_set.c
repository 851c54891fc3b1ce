#include "test_set.h"

#include "suite.h"

#include <stdlib.h>

/* ---- files ---- */

static bool read_file(struct test_set *set, const char *path, struct left_out *left_out,
                      struct error *err)
{
    struct suite file;
    if (!suite_load(&file, path, err))
        return false;
    if (left_out->count == 0 && file.left_out_count > 0)
        left_out->first = file.left_out[0];
    left_out->count += file.left_out_count;
    bool read = true;
    for (size_t i = 0; read && i < file.positions.count; i++)
        read = dataset_append(&set->positions, &file.positions.items[i], err);
    suite_free(&file);
    return read;
}

bool test_set_read(struct test_set *set, const char paths[][RECIPE_PATH], int count,
                   struct left_out *left_out, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!read_file(set, paths[i], left_out, err))
            return false;
    return count == 0 || set->positions.count > 0 ||
           error_set(err, "%s: no position with bm or am to learn from", paths[0]);
}

void test_set_keep(struct test_set *set, int count)
{
    if (count > 0 && (size_t)count < set->positions.count)
        set->positions.count = (size_t)count;
}

bool test_set_split(struct test_set *set, struct test_set *held_out, struct error *err)
{
    struct dataset *all = &set->positions;
    size_t kept = 0;
    if (all->count < 2)
        return error_set(err, "data.split: cannot split a single position");
    for (size_t i = 0; i < all->count; i++)
        if (i % 2 == 0)
            all->items[kept++] = all->items[i];
        else if (!dataset_append(&held_out->positions, &all->items[i], err))
            return false;
    all->count = kept;
    return true;
}

/* ---- order ---- */

bool test_set_begin(struct test_set *set, struct error *err)
{
    size_t count = set->positions.count;
    set->order = calloc(count + 1, sizeof *set->order);
    set->spent = calloc(count + 1, sizeof *set->spent);
    if (set->order == NULL || set->spent == NULL)
        return error_set(err, "no memory for %zu positions", count);
    for (size_t i = 0; i < count; i++)
        set->order[i] = (int)i;
    return true;
}

/* Insertion sort, because the order changes little between generations. */
void test_set_sort(struct test_set *set)
{
    for (int i = 1; i < (int)set->positions.count; i++) {
        int position = set->order[i], to = i;
        for (; to > 0; to--) {
            int before = set->order[to - 1];
            if (set->spent[before] > set->spent[position] ||
                (set->spent[before] == set->spent[position] && before < position))
                break;
            set->order[to] = before;
        }
        set->order[to] = position;
    }
}

int64_t *test_set_costs(const struct test_set *set)
{
    const size_t positions = set->positions.count;
    if (positions == 0 || set->spent[set->order[0]] == 0)
        return NULL;
    int64_t *costs = malloc(positions * sizeof *costs);
    for (size_t i = 0; costs != NULL && i < positions; i++)
        costs[i] = set->spent[set->order[i]];
    return costs;
}

void test_set_free(struct test_set *set)
{
    dataset_free(&set->positions);
    free(set->order);
    free(set->spent);
}
