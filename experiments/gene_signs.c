/* Whether the report tells genes that count from genes that do not: of many evolutions with known
 * genes by each method, the share of either that shows a sign of having mattered.
 *
 *   gene_signs [SEEDS]    evolutions by each method (100)
 *
 * Exit code 1 if more than 10 % of the genes without effect show a sign. The same numbers each
 * time. */
#include "../tests/helpers/known_genes.h"
#include "parse.h"

#include <stdio.h>

/* Prints the shares of one method; false when too many genes without effect show a sign. */
static bool judge(enum optimiser_kind kind, int seeds)
{
    struct known_signs found;
    int idle = seeds * (KNOWN_GENES - KNOWN_COUNTING);
    if (!known_signs_of(kind, seeds, &found))
        return false;
    printf("%-24s %3.0f %% of genes with effect, %4.1f %% of genes without\n",
           optimiser_method_of(kind)->name, 100.0 * found.counting / (seeds * KNOWN_COUNTING),
           100.0 * found.idle / idle);
    return found.idle <= idle / 10;
}

int main(int argc, char **argv)
{
    int64_t seeds = 100;
    bool good =
        argc <= 2 && (argc < 2 || (parse_int64(argv[1], &seeds) && seeds >= 1 && seeds <= 100000));
    if (!good) {
        fputs("usage: gene_signs [SEEDS]\n", stderr);
        return 2;
    }
    printf("%d genes, %d of them with effect; population %d, %d generations, %d seeds\n",
           KNOWN_GENES, KNOWN_COUNTING, KNOWN_POPULATION, KNOWN_GENERATIONS, (int)seeds);
    for (int kind = 0; kind < OPTIMISERS; kind++)
        good = judge((enum optimiser_kind)kind, (int)seeds) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
