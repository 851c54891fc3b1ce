/* Values of positions for a group of organisms: those of the single reading, in every kernel. */
#include "compiled_values.h"
#include "random_chess.h"
#include "replay.h"
#include "tapered.h"
#include "thorough.h"

#include <criterion/criterion.h>

/* The first position is a mate, so that its value is a constant. */
static struct epd *random_set(uint64_t seed, size_t count)
{
    struct epd *set = calloc(count, sizeof *set);
    struct stream s;
    struct error err;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    for (size_t i = 0; i < count; i++)
        set[i].position = random_position(&s, (int)stream_below(&s, 160));
    cr_assert(position_from_fen(&set[0].position, "k1R5/8/1K6/8/8/8/8/8 b - - 0 1", NULL, &err));
    return set;
}

/* Checks a group of `count` organisms in one position against the single reading. */
static void check_position(const struct compiled_set *set, size_t i, struct value_group *group,
                           const int32_t *weights, int count)
{
    const int genes = compiled_table(set)->count;
    double *one = calloc((size_t)genes, sizeof *one), values[VALUE_GROUP];
    cr_assert(value_group_read(group, i, values));
    for (int o = 0; o < count; o++) {
        struct principal_leaf leaf;
        for (int g = 0; g < genes; g++)
            one[g] = weights[o * genes + g];
        cr_assert(compiled_value(set, i, one, &leaf));
        cr_assert_eq(values[o], leaf.value, "position %zu: %f, not %f", i, values[o], leaf.value);
    }
    free(one);
}

/* Checks groups of several sizes in all kernels of this machine. */
static void check_set(const struct compiled_set *set)
{
    static const int sizes[] = {1, 5, VALUE_GROUP};
    const struct param_table *table = compiled_table(set);
    struct stream s;
    struct error err;
    int32_t *weights = calloc((size_t)VALUE_GROUP * (size_t)table->count, sizeof *weights);
    stream_init(&s, 7, STREAM_TEST, 0, 0);
    for (int i = 0; i < VALUE_GROUP * table->count; i++) {
        const struct param *p = &table->params[i % table->count];
        weights[i] = (int32_t)(p->min + (int64_t)stream_below(&s, (uint64_t)(p->max - p->min) + 1));
    }
    for (const struct replay *const *kernel = replay_kernels; *kernel != NULL; kernel++) {
        if (!(*kernel)->supported())
            continue;
        struct value_group *group = value_group_create(set, *kernel, &err);
        cr_assert_not_null(group, "%s", err.text);
        for (int n = 0; n < 3; n++) {
            value_group_set(group, weights, sizes[n]);
            for (size_t i = 0; i < compiled_positions(set); i++)
                check_position(set, i, group, weights, sizes[n]);
        }
        value_group_destroy(group);
    }
    free(weights);
}

static void check_source(const struct evaluator_source *source)
{
    const size_t count = (size_t)thorough(60, 400);
    struct epd *positions = random_set(90, count);
    struct error err;
    struct compiled_set *set =
        compiled_create_values(positions, count, LEAF_QUIESCENCE, source, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    check_set(set);
    compiled_destroy(set);
    free(positions);
}

Test(compiled_values, dense_leaves_give_the_single_values)
{
    check_source(NULL);
}

Test(compiled_values, sparse_leaves_give_the_single_values)
{
    struct tapered tapered = tapered_make(700, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    check_source(&source);
    tapered_free(&tapered);
}
