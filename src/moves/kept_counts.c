#include "kept_counts.h"

#include <stdlib.h>
#include <string.h>

/* Columns that are compared at once while terms are written. */
enum { STRIDE = 8 };

bool kept_counts_init(struct kept_counts *k, const struct weight_places *places)
{
    const size_t columns = (places->columns / STRIDE + 1) * STRIDE;
    *k = (struct kept_counts){.places = places, .columns = columns};
    k->memory = calloc((SPARSE_SLOTS + 1) * columns, sizeof *k->memory);
    k->terms = calloc(columns, sizeof *k->terms);
    for (size_t s = 0; s < SPARSE_SLOTS && k->memory != NULL; s++)
        k->rows[s] = k->memory + s * columns;
    k->next = k->memory == NULL ? NULL : k->memory + SPARSE_SLOTS * columns;
    k->used[0] = true;
    return k->memory != NULL && k->terms != NULL;
}

void kept_counts_free(struct kept_counts *k)
{
    free(k->memory);
    free(k->terms);
    *k = (struct kept_counts){.columns = 0};
}

void kept_counts_begin(struct kept_counts *k)
{
    for (int s = 1; s < SPARSE_SLOTS; s++)
        k->used[s] = false;
}

/* Writes a leaf's counts to the next row, and returns the number of columns that are not 0. Weights rise,
 * and so do their places. */
static int write_row(const struct kept_counts *k, const struct leaf_counts *leaf)
{
    const uint16_t *place_of = k->places->of;
    int used = 0, last = -1;
    memset(k->next, 0, k->columns * sizeof *k->next);
    for (int i = 0; i < leaf->count; i++) {
        const int place = place_of[leaf->items[i].weight], column = place / 2;
        memcpy((char *)&k->next[column] + place % 2 * sizeof(int16_t), &leaf->items[i].count,
               sizeof(int16_t));
        used += column != last;
        last = column;
    }
    return used;
}

/* The number of columns in which two rows differ. */
static int count_differing(const uint32_t *a, const uint32_t *b, size_t columns)
{
    int count = 0;
    for (size_t c = 0; c < columns; c++)
        count += a[c] != b[c];
    return count;
}

/* Whether two rows are the same in the next columns. */
static bool same_stride(const uint32_t *a, const uint32_t *b)
{
    uint32_t different = 0;
    for (int c = 0; c < STRIDE; c++)
        different |= a[c] ^ b[c];
    return different == 0;
}

/* Appends the term of a column. False if a difference does not fit 16 bits. */
static bool add_term(struct kept_counts *k, size_t column, uint32_t from, uint32_t to)
{
    int16_t before[2], after[2];
    struct sparse_term *term = &k->terms[k->count++];
    memcpy(before, &from, sizeof before);
    memcpy(after, &to, sizeof after);
    term->column = (uint16_t)column;
    for (int half = 0; half < 2; half++) {
        const int difference = after[half] - before[half];
        if (difference < INT16_MIN || difference > INT16_MAX)
            return false;
        term->count[half] = (int16_t)difference;
    }
    return true;
}

/* Writes the terms by which the next row differs from another one. False if one does not fit. */
static bool write_terms(struct kept_counts *k, const uint32_t *from)
{
    k->count = 0;
    for (size_t first = 0; first < k->columns; first += STRIDE) {
        if (same_stride(from + first, k->next + first))
            continue;
        for (size_t c = first; c < first + STRIDE; c++)
            if (from[c] != k->next[c] && !add_term(k, c, from[c], k->next[c]))
                return false;
    }
    return true;
}

/* The slot that the next row, of `used` columns, is nearest to: of `to`, the slot before it, and nothing.
 * A difference of a fourth of the columns is near enough. */
static int nearest(const struct kept_counts *k, int to, int used)
{
    int best = 0, fewest = used;
    for (int slot = to; slot > 0 && slot >= to - 1 && fewest > used / 4; slot--) {
        if (!k->used[slot])
            continue;
        int count = count_differing(k->rows[slot], k->next, k->columns);
        if (count < fewest) {
            fewest = count;
            best = slot;
        }
    }
    return best;
}

int kept_counts_add(struct kept_counts *k, const struct leaf_counts *leaf, int to)
{
    int used = write_row(k, leaf);
    int from = nearest(k, to, used);
    if (!write_terms(k, k->rows[from])) {
        from = 0; /* a count fits where a difference does not */
        write_terms(k, k->rows[0]);
    }
    uint32_t *row = k->rows[to];
    k->rows[to] = k->next;
    k->next = row;
    k->used[to] = true;
    return from;
}
