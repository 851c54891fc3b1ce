/* Writes the table of the modern evaluation's weights, two for each combination of the dimensions of a
 * term (modern_terms.def), and the distances of squares. Runs at build.
 *
 *   gen_modern OUT.c */
#include "chess.h"
#include "modern_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dimension {
    int size;
    const char *names; /* separated by blanks */
};

enum dimension_name {
#define DIMENSION(name, size, names) DIM_##name,
    MODERN_DIMENSIONS
#undef DIMENSION
};

static const struct dimension dimensions[] = {
#define DIMENSION(name, size, names) {size, names},
    MODERN_DIMENSIONS
#undef DIMENSION
};

enum { DIMENSIONS = 4 };

/* A term, a sum, or, without a meaning, the beginning of a group. */
struct term {
    const char *name;
    const char *summed; /* of a sum: the name of its term; else NULL */
    enum dimension_name of[DIMENSIONS];
    const char *meaning;
};

static const struct term terms[] = {
#define GROUP(name, meaning) {#name, NULL, {DIM_ONE}, NULL},
#define TERM(name, a, b, c, d, meaning)                                                            \
    {#name, NULL, {DIM_##a, DIM_##b, DIM_##c, DIM_##d}, meaning},
#define SUM(name, term, a, b, c, d, meaning)                                                       \
    {#name, #term, {DIM_##a, DIM_##b, DIM_##c, DIM_##d}, meaning},
#include "modern_terms.def"
};

enum { TERMS = sizeof terms / sizeof terms[0] };

/* The name of a term's group. A sum belongs to that of the term that it sums. */
static const char *group_of(const struct term *t)
{
    const char *name = t->summed != NULL ? t->summed : t->name;
    for (t = terms; strcmp(t->name, name) != 0;)
        t++;
    while (t->meaning != NULL)
        t--;
    return t->name;
}

/* The combinations of a term; a group has none. */
static int size_of(const struct term *t)
{
    int size = t->meaning != NULL;
    for (int d = 0; d < DIMENSIONS; d++)
        size *= dimensions[t->of[d]].size;
    return size;
}

/* Takes an index within a term apart: a value for each dimension. */
static void values_of(const struct term *t, int index, int values[DIMENSIONS])
{
    for (int d = DIMENSIONS - 1; d >= 0; d--) {
        const int size = dimensions[t->of[d]].size;
        values[d] = index % size;
        index /= size;
    }
}

/* Bits, range and initial value of a weight, in eighths of a centipawn. Only pieces have an initial
 * value, by which a fit begins near its end: pawn 1, knight and bishop 3, rook 5, queen 9. */
struct range {
    int bits, min, max, initial;
};

static struct range range_of(const struct term *t, int index)
{
    static const int pieces[] = {800, 2400, 2400, 4000, 7200};
    if (strcmp(t->name, "MATERIAL") == 0)
        return (struct range){14, 0, 16383, pieces[index]};
    return (struct range){13, -4096, 4095, 0};
}

/* Appends "_" and the name of a value, unless the dimension has only one. */
static void append_name(char name[64], const struct dimension *d, int value)
{
    const char *at = d->names;
    if (d->size == 1)
        return;
    for (int i = 0; i < value; i++)
        at = strchr(at, ' ') + 1;
    size_t used = strlen(name);
    snprintf(name + used, 64 - used, "_%.*s", (int)strcspn(at, " "), at);
}

/* Writes the two weights of a combination, given by its index within the term. */
static void write_weights(FILE *out, const struct term *t, int index)
{
    char name[64];
    int values[DIMENSIONS];
    struct range r = range_of(t, index);
    values_of(t, index, values);
    snprintf(name, sizeof name, "%s", t->name);
    for (int i = 0; i < DIMENSIONS; i++)
        append_name(name, &dimensions[t->of[i]], values[i]);
    for (int phase = 0; phase < 2; phase++) {
        const char *suffix = phase == 0 ? "MG" : "EG";
        fprintf(out, "    {\"%s_%s\", %d, %d, %d, %d, 1, NULL, \"%s\", .group = \"%s_%s\"},\n",
                name, suffix, r.bits, r.min, r.max, r.initial, t->meaning, group_of(t), suffix);
    }
}

/* ---- the sums ---- */

/* The index within a sum of a combination of its term, by the dimensions that both have. */
static int index_in(const struct term *sum, const struct term *t, const int values[DIMENSIONS])
{
    int index = 0, at = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
        if (sum->of[d] == DIM_ONE)
            continue;
        while (at < DIMENSIONS && t->of[at] != sum->of[d])
            at++;
        if (at == DIMENSIONS) {
            fprintf(stderr, "gen_modern: %s has a dimension that %s lacks\n", sum->name, t->name);
            exit(EXIT_FAILURE);
        }
        index = index * dimensions[sum->of[d]].size + values[at++];
    }
    return index;
}

/* Writes the sums of a combination, by their indices among all terms. */
static void write_sums_of(FILE *out, const struct term *t, int index)
{
    int values[DIMENSIONS], first = 0;
    values_of(t, index, values);
    fputs("    {", out);
    for (int s = 0; s < TERMS; first += size_of(&terms[s++]))
        if (terms[s].summed != NULL && strcmp(terms[s].summed, t->name) == 0)
            fprintf(out, "%d, ", first + index_in(&terms[s], t, values));
    fputs("MODERN_TERMS},\n", out);
}

static void write_sums(FILE *out)
{
    fputs("\nconst uint16_t modern_sums[MODERN_COUNTED][MODERN_SUMS] = {\n", out);
    for (int t = 0; t < TERMS; t++)
        for (int index = 0; terms[t].summed == NULL && index < size_of(&terms[t]); index++)
            write_sums_of(out, &terms[t], index);
    fputs("};\n", out);
}

/* Writes the king moves between any two squares. */
static void write_distances(FILE *out)
{
    fputs("\nconst uint8_t modern_distances[64][64] = {\n", out);
    for (int a = 0; a < 64; a++) {
        fputs("    {", out);
        for (int b = 0; b < 64; b++)
            fprintf(out, "%d, ", square_distance(a, b));
        fputs("},\n", out);
    }
    fputs("};\n", out);
}

int main(int argc, char **argv)
{
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (out == NULL)
        return EXIT_FAILURE;
    fputs("#include \"modern_sink.h\"\n\n#include <stddef.h>\n\n"
          "static const struct param params[MODERN_WEIGHTS] = {\n",
          out);
    for (int t = 0; t < TERMS; t++)
        for (int index = 0; index < size_of(&terms[t]); index++)
            write_weights(out, &terms[t], index);
    fputs(
        "};\n\nconst struct param_table modern_eval_table = {\"evaluation-modern\", params, MODERN_WEIGHTS, NULL, "
        "NULL};\n",
        out);
    write_sums(out);
    write_distances(out);
    return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
