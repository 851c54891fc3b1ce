/* The cost of the two evaluations, whole and by group, in processor time: nanoseconds a position, with
 * the pawns cached, by turns over the positions of a file.
 *
 *   bench_evaluation POSITIONS.epd */
#include "epd.h"
#include "evaluate.h"
#include "modern.h"
#include "modern_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIES = 15, MOST = 4000 };

/* The positions, with what depends on them. */
struct bench {
    size_t count;
    struct position *positions;
    struct pawn_structure *paper_pawns;
    struct modern_pawns *modern_pawns;
    struct modern_facts *facts;
    struct eval_weights paper;
    struct modern_weights modern;
    int64_t sum; /* of all scores: they are not computed in vain */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_paper(struct bench *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->sum += evaluate_with_pawns(&b->positions[i], &b->paper, &b->paper_pawns[i]);
}

static void run_modern(struct bench *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->sum += modern_evaluate_exact(&b->positions[i], &b->modern, &b->modern_pawns[i]);
}

static void run_facts(struct bench *b)
{
    for (size_t i = 0; i < b->count; i++)
        modern_facts_find(&b->facts[i], &b->positions[i], &b->modern_pawns[i]);
}

#define GROUP(name)                                                                                \
    static void run_##name(struct bench *b)                                                        \
    {                                                                                              \
        for (size_t i = 0; i < b->count; i++)                                                      \
            b->sum += modern_##name(&b->facts[i], &b->modern);                                     \
    }
MODERN_GROUPS
#undef GROUP

static const struct {
    const char *name;
    void (*run)(struct bench *b);
} parts[] = {{"paper", run_paper},
             {"modern", run_modern},
             {"facts", run_facts},
#define GROUP(name) {#name, run_##name},
             MODERN_GROUPS
#undef GROUP
};

enum { PARTS = sizeof parts / sizeof parts[0] };

static void prepare(struct bench *b, const struct dataset *d)
{
    static int32_t values[MODERN_WEIGHTS];
    b->count = d->count < MOST ? d->count : MOST;
    b->positions = calloc(b->count, sizeof *b->positions);
    b->paper_pawns = calloc(b->count, sizeof *b->paper_pawns);
    b->modern_pawns = calloc(b->count, sizeof *b->modern_pawns);
    b->facts = calloc(b->count, sizeof *b->facts);
    b->paper = eval_initial_weights();
    for (int i = 0; i < MODERN_WEIGHTS; i++)
        values[i] = i % 97 - 48;
    modern_pack(values, &b->modern);
    for (size_t i = 0; i < b->count; i++) {
        b->positions[i] = d->items[i].position;
        pawn_structure_find(&b->positions[i], &b->paper, &b->paper_pawns[i]);
        modern_pawns_find(&b->positions[i], &b->modern, &b->modern_pawns[i]);
        modern_facts_find(&b->facts[i], &b->positions[i], &b->modern_pawns[i]);
    }
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct dataset d = {0};
    struct error err;
    double best[PARTS];
    if (argc != 2 || !dataset_load(&d, argv[1], true, &err)) {
        fprintf(stderr, "bench_evaluation: %s\n", argc != 2 ? "expected a file" : err.text);
        return EXIT_FAILURE;
    }
    prepare(&b, &d);
    for (int t = 0; t < TRIES; t++)
        for (int i = 0; i < PARTS; i++) {
            double begun = seconds();
            parts[i].run(&b);
            double taken = seconds() - begun;
            best[i] = t == 0 || taken < best[i] ? taken : best[i];
        }
    for (int i = 0; i < PARTS; i++)
        printf("%-10s %8.1f ns\n", parts[i].name, 1e9 * best[i] / (double)b.count);
    printf("modern, in times of paper %.2f\n", best[1] / best[0]);
    fprintf(stderr, "sum %lld\n", (long long)b.sum);
    return EXIT_SUCCESS;
}
