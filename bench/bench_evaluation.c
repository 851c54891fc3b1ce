/* The cost of the two evaluations, in processor time: nanoseconds a position, by turns over the positions
 * of a file, with pawns and material cached as far as earlier ones have the same. With "children", over
 * fewer positions and what follows after each legal move: neighbours, as a search meets them.
 *
 *   bench_evaluation POSITIONS.epd [children] */
#include "epd.h"
#include "evaluation.h"
#include "movegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 15, MOST = 4000 };

struct bench {
    size_t count;
    struct position *positions;
    struct evaluation evaluations[EVALUATION_KINDS];
    struct evaluation_cache cache;
    int64_t sum; /* of all scores: they are not computed in vain */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(struct bench *b, const struct evaluation *e)
{
    evaluation_cache_clear(&b->cache);
    for (size_t i = 0; i < b->count; i++)
        b->sum += evaluation_score(e, &b->positions[i], &b->cache);
}

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
    for (int i = 0; i < MODERN_WEIGHTS; i++)
        values[i] = i % 97 - 48;
    b->evaluations[EVALUATION_PAPER] = evaluation_initial();
    b->evaluations[EVALUATION_MODERN] = evaluation_from(&modern_eval_table, values);
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct dataset d = {0};
    struct error err;
    double best[EVALUATION_KINDS];
    bool children = argc == 3 && strcmp(argv[2], "children") == 0, usage = argc == 2 || children;
    if (!usage || !dataset_load(&d, argv[1], EPD_ANY, &err)) {
        fprintf(stderr, "bench_evaluation: %s\n", usage ? err.text : "expected FILE [children]");
        return EXIT_FAILURE;
    }
    prepare(&b, &d, children);
    for (int t = 0; t < TRIES; t++)
        for (int i = 0; i < EVALUATION_KINDS; i++) {
            double begun = seconds();
            run(&b, &b.evaluations[i]);
            double taken = seconds() - begun;
            best[i] = t == 0 || taken < best[i] ? taken : best[i];
        }
    for (int i = 0; i < EVALUATION_KINDS; i++)
        printf("%-20s %8.1f ns\n", evaluation_tables[i]->kind, 1e9 * best[i] / (double)b.count);
    printf("modern, in times of paper %.2f\n", best[1] / best[0]);
    fprintf(stderr, "sum %lld\n", (long long)b.sum);
    return EXIT_SUCCESS;
}
