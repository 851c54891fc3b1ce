/* Whether any chromosome can make the search crash, hang or overrun: random parameters, of the
 * paper's space and of the modern one in turn, search random positions to a limit of nodes.
 *   random_chromosomes [N]    N chromosomes (100), each on 20 positions of 2,000 nodes
 * Prints what went wrong, and a summary; a failure is exit code 1. */
#include "../tests/helpers/random_params.h"
#include "engine.h"
#include "parse.h"

#include <stdio.h>
#include <time.h>

enum { POSITIONS = 20, NODES = 2000, LONGEST_GAME = 160, PROGRESS = 1000 };

struct totals {
    uint64_t nodes;
    int searches, failures;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void report(int chromosome, const struct position *p, const struct search_result *r)
{
    char fen[FEN_MAX];
    position_to_fen(p, fen);
    printf("chromosome %d: %llu nodes of %d, best %04x, score %d: %s\n", chromosome,
           (unsigned long long)r->nodes, NODES, (unsigned)r->best, r->score, fen);
}

/* One search: it may end early, but never more than one node late, and with a legal move. */
static void search(struct engine *e, struct stream *s, int chromosome, struct totals *totals)
{
    const struct search_limits limits = {.nodes = NODES};
    struct position p = random_position(s, (int)stream_below(s, LONGEST_GAME));
    struct search_result r = engine_search(e, &p, NULL, &limits, NULL);
    bool good =
        r.nodes <= NODES + 1 && movegen_is_legal(&p, r.best) && r.score <= MATE && r.score >= -MATE;
    totals->nodes += r.nodes;
    totals->searches++;
    totals->failures += !good;
    if (!good)
        report(chromosome, &p, &r);
}

/* The chromosome of a number, and its positions, are the same in every run. */
static void try_chromosome(struct engine *e, int chromosome, struct totals *totals)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, (uint64_t)chromosome);
    struct search_params params =
        random_params(&s, chromosome % 2 == 0 ? &search_table : &search_all_table);
    engine_set_params(e, &params);
    for (int i = 0; i < POSITIONS; i++)
        search(e, &s, chromosome, totals);
}

int main(int argc, char **argv)
{
    int64_t count = 100;
    struct error err;
    if (argc > 2 || (argc == 2 && !parse_int64(argv[1], &count)) || count < 1 || count > 10000000) {
        fputs("usage: random_chromosomes [N]\n", stderr);
        return 2;
    }
    struct engine *e = engine_create(1, &err);
    if (e == NULL) {
        fprintf(stderr, "random_chromosomes: %s\n", err.text);
        return 2;
    }
    struct totals totals = {0};
    double start = seconds();
    for (int i = 0; i < count; i++) {
        try_chromosome(e, i, &totals);
        if ((i + 1) % PROGRESS == 0)
            fprintf(stderr, "%d chromosomes, %d failures, %.0f s\n", i + 1, totals.failures,
                    seconds() - start);
    }
    double taken = seconds() - start;
    engine_destroy(e);
    printf("%lld chromosomes, %d searches, %d failures, %llu nodes\n", (long long)count,
           totals.searches, totals.failures, (unsigned long long)totals.nodes);
    printf("random_chromosomes %.1f chromosomes/s\n", (double)count / taken);
    return totals.failures > 0;
}
