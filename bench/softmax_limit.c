/* How far the 35 terms can go: softmax regression on training draws, scored where it has not been.
 *
 *   softmax_limit TRAIN.epd... -- TEST.epd...
 *
 * Prints moves matched by the fit, by the paper's values, and the fitted values. */
#include "softmax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 150, THREADS = 2 };

static void die(const struct error *err)
{
    fprintf(stderr, "softmax_limit: %s\n", err->text);
    exit(2);
}

/* Compiles the files together. */
static struct compiled_set *compile(char **paths, int count)
{
    struct dataset data = {0};
    struct error err;
    for (int i = 0; i < count; i++)
        if (!dataset_load(&data, paths[i], true, &err))
            die(&err);
    struct compiled_set *set =
        compiled_create(data.items, data.count, LEAF_QUIESCENCE, THREADS, &err);
    if (set == NULL)
        die(&err);
    dataset_free(&data);
    return set;
}

static double share(const struct compiled_set *set, const struct eval_weights *w)
{
    int32_t matched;
    compiled_match(set, w, 1, THREADS, NULL, &matched);
    return 100.0 * matched / (double)compiled_positions(set);
}

int main(int argc, char **argv)
{
    int cut = 1;
    while (cut < argc && strcmp(argv[cut], "--") != 0)
        cut++;
    if (cut == 1 || cut + 1 >= argc) {
        fputs("usage: softmax_limit TRAIN.epd... -- TEST.epd...\n", stderr);
        return 2;
    }
    struct compiled_set *train = compile(argv + 1, cut - 1);
    struct compiled_set *test = compile(argv + cut + 1, argc - cut - 1);
    const struct eval_weights paper = eval_initial_weights();
    const struct softmax_fit fit = softmax_regression(train, STEPS, THREADS);
    printf("softmax  loss %.4f nats a position, temperature %.0f centipawns\n", fit.loss,
           fit.temperature);
    printf("softmax  train %.2f %%  test %.2f %%\n", share(train, &fit.weights),
           share(test, &fit.weights));
    printf("paper    train %.2f %%  test %.2f %%\n", share(train, &paper), share(test, &paper));
    for (int t = 0; t < EVAL_TERMS; t++)
        printf("%-32s %5d\n", eval_table.params[t].name, fit.weights.value[t]);
    compiled_destroy(train);
    compiled_destroy(test);
    return 0;
}
