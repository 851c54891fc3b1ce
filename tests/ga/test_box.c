/* The genome as a box: cells of one width, bounds, and the way back. */
#include "box.h"

#include <criterion/criterion.h>

static const struct param params[] = {
    {"SWITCH", 1, 0, 1, 0, 1, NULL, ""},
    {"CONSTANT", 0, 7, 7, 7, 1, NULL, ""},
    {"THREE", 2, -1, 1, 0, 1, NULL, ""},
    {"ONE", 3, 5, 5, 5, 1, NULL, ""},
    {"WIDE", 32, INT32_MIN, INT32_MAX, 0, 1, NULL, ""},
};
static const struct param_table table = {"test", params, 5};

static struct genome genome;
static struct box box;

static void make(void)
{
    struct error err;
    cr_assert(genome_init(&genome, &table, &err), "%s", err.text);
    cr_assert(box_create(&box, &genome, &err), "%s", err.text);
}

static void unmake(void)
{
    box_destroy(&box);
}

TestSuite(box, .init = make, .fini = unmake);

Test(box, has_a_coordinate_for_each_gene_that_has_bits)
{
    cr_assert_eq(box.count, 4);
    cr_assert_float_eq(box_cell(&box, 0), 1.0 / 2, 0);
    cr_assert_float_eq(box_cell(&box, 1), 1.0 / 3, 0);
    cr_assert_float_eq(box_cell(&box, 2), 1, 0);
    cr_assert_float_eq(box_cell(&box, 3), 0x1p-32, 0);
}

/* The values of a point whose coordinates are all alike. */
static void values_at(double x, int32_t values[5])
{
    const double point[] = {x, x, x, x};
    uint64_t c[1];
    box_encode(&box, point, c);
    genome_decode(&genome, c, values);
}

Test(box, gives_every_value_a_cell_of_the_same_width)
{
    const struct {
        double x;
        int32_t on, three;
    } cases[] = {{0, 0, -1},  {0.33, 0, -1}, {0.34, 0, 0}, {0.49, 0, 0},
                 {0.5, 1, 0}, {0.66, 1, 0},  {0.67, 1, 1}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t values[5];
        values_at(cases[i].x, values);
        cr_expect_eq(values[0], cases[i].on, "%g", cases[i].x);
        cr_expect_eq(values[1], 7);
        cr_expect_eq(values[2], cases[i].three, "%g", cases[i].x);
        cr_expect_eq(values[3], 5);
    }
}

Test(box, takes_what_lies_outside_for_the_bound)
{
    int32_t values[5];
    values_at(-1e300, values);
    cr_assert(values[0] == 0 && values[2] == -1 && values[4] == INT32_MIN);
    values_at(1e300, values);
    cr_assert(values[0] == 1 && values[2] == 1 && values[4] == INT32_MAX);
}

Test(box, cells_count_steps)
{
    const struct param p = {.name = "P", .bits = 4, .min = -40, .max = 49, .step = 10};
    const struct param_table one = {"test", &p, 1};
    struct genome g;
    struct box b;
    cr_assert(genome_init(&g, &one, NULL) && box_create(&b, &g, NULL));
    cr_assert_float_eq(box_cell(&b, 0), 1.0 / 9, 0);
    for (int i = 0; i < 9; i++) {
        uint64_t c[1];
        int32_t value;
        double back;
        box_encode(&b, &(double){(i + 0.1) / 9}, c);
        genome_decode(&g, c, &value);
        cr_assert_eq(value, -40 + 10 * i);
        box_decode(&b, c, &back);
        cr_assert_float_eq(back, (i + 0.5) / 9, 1e-12);
    }
    box_destroy(&b);
}

/* The centre of a cell lies in it, also where the chromosome goes beyond the maximum. */
Test(box, leads_back_from_any_chromosome)
{
    for (uint64_t round = 0; round < 1000; round++) {
        struct stream s;
        uint64_t c[1], again[1] = {UINT64_MAX};
        double point[4];
        int32_t values[5], back[5];
        stream_init(&s, 1, STREAM_TEST, round, 0);
        c[0] = stream_bits(&s) & (((uint64_t)1 << genome.length) - 1);
        box_decode(&box, c, point);
        box_encode(&box, point, again);
        cr_assert_eq(again[0] >> genome.length, 0, "no locus lies there");
        genome_decode(&genome, c, values);
        genome_decode(&genome, again, back);
        cr_assert_arr_eq(values, back, sizeof values);
    }
}
