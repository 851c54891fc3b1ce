/* The cost of the two evaluations, whole and by group, in processor time: nanoseconds a position, with
 * pawns, kings and material cached, by turns over the positions of a file. With "children", over fewer positions and
 * what follows after each legal move: neighbours, as a search meets them.
 *
 *   bench_evaluation POSITIONS.epd [children] */
#include "epd.h"
#include "evaluate.h"
#include "modern.h"
#include "modern_sink.h"
#include "movegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 15, MOST = 4000 };

/* The positions, with what depends on them. */
struct bench {
    size_t count;
    struct position *positions;
    struct pawn_structure *paper_pawns;
    struct modern_pawns *modern_pawns;
    struct modern_material *material;
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
    for (size_t i = 0; i < b->count; i++) {
        struct modern_facts f;
        int32_t scores[2];
        modern_facts_find(&f, &b->positions[i], &b->modern_pawns[i]);
        modern_weigh(&f, &b->modern, &b->material[i], scores);
        b->sum += scores[WHITE];
    }
}

static void run_facts(struct bench *b)
{
    for (size_t i = 0; i < b->count; i++)
        modern_facts_find(&b->facts[i], &b->positions[i], &b->modern_pawns[i]);
}

#define GROUP(name)                                                                                \
    static void run_##name(struct bench *b)                                                        \
    {                                                                                              \
        int64_t sums[2] = {0, 0};                                                                  \
        for (size_t i = 0; i < b->count; i++)                                                      \
            modern_##name(&b->facts[i], &b->modern, sums);                                         \
        b->sum += sums[WHITE];                                                                     \
    }
FOR_EACH_GROUP
#undef GROUP

static const struct {
    const char *name;
    void (*run)(struct bench *b);
} parts[] = {{"paper", run_paper},
             {"modern", run_modern},
             {"facts", run_facts},
#define GROUP(name) {#name, run_##name},
             FOR_EACH_GROUP
#undef GROUP
};

enum { PARTS = sizeof parts / sizeof parts[0] };

/* Takes positions of the file, with their children if wanted. */
static void choose_positions(struct bench *b, const struct dataset *d, bool children)
{
    b->positions = calloc(MOST, sizeof *b->positions);
    for (size_t i = 0; i < d->count && b->count < MOST; i++) {
        struct move_list list;
        struct undo undo;
        struct position p = d->items[i].position;
        b->positions[b->count++] = p;
        movegen_legal(&p, &list);
        for (int k = 0; children && k < list.count && b->count < MOST; k++) {
            position_make(&p, list.moves[k], &undo);
            b->positions[b->count++] = p;
            position_unmake(&p, list.moves[k], &undo);
        }
    }
}

static void prepare(struct bench *b, const struct dataset *d, bool children)
{
    static int32_t values[MODERN_WEIGHTS];
    choose_positions(b, d, children);
    b->paper_pawns = calloc(b->count, sizeof *b->paper_pawns);
    b->modern_pawns = calloc(b->count, sizeof *b->modern_pawns);
    b->material = calloc(b->count, sizeof *b->material);
    b->facts = calloc(b->count, sizeof *b->facts);
    b->paper = eval_initial_weights();
    for (int i = 0; i < MODERN_WEIGHTS; i++)
        values[i] = i % 97 - 48;
    modern_pack(values, &b->modern);
    for (size_t i = 0; i < b->count; i++) {
        pawn_structure_find(&b->positions[i], &b->paper, &b->paper_pawns[i]);
        modern_pawns_find(&b->positions[i], &b->modern, &b->modern_pawns[i]);
        modern_facts_find(&b->facts[i], &b->positions[i], &b->modern_pawns[i]);
        modern_material_find(&b->facts[i], &b->modern, &b->material[i]);
    }
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct dataset d = {0};
    struct error err;
    double best[PARTS];
    bool children = argc == 3 && strcmp(argv[2], "children") == 0, usage = argc == 2 || children;
    if (!usage || !dataset_load(&d, argv[1], true, &err)) {
        fprintf(stderr, "bench_evaluation: %s\n", usage ? err.text : "expected FILE [children]");
        return EXIT_FAILURE;
    }
    prepare(&b, &d, children);
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
