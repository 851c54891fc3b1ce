/* The genome: Gray code, where genes lie in the chromosome, and what they decode to. */
#include "genome.h"
#include "stream.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct param mixed[] = {
    {"constant", 0, 0, 100, 42, 1, NULL, "never varies"},
    {"one_bit", 1, 0, 1, 0, 1, NULL, ""},
    {"clamped", 3, 0, 4, 0, 1, NULL, "its codes 5 to 7 mean 4"},
    {"negative", 10, -512, 511, 0, 1, NULL, ""},
    {"wide", 32, INT32_MIN, INT32_MAX, 0, 1, NULL, "all that a value can be"},
    {"across", 31, 0, INT32_MAX, 0, 1, NULL, "lies across the first and the second word"},
    {"shifted", 6, 1000, 1063, 1000, 1, NULL, ""},
    {"cut", 32, -5, INT32_MAX, 0, 1, NULL, "codes beyond the range of a value are its maximum"},
};

static struct genome make_genome(const struct param *params, int count)
{
    struct genome g;
    struct error err = {""};
    const struct param_table table = {"test", params, count};
    cr_assert(genome_init(&g, &table, &err), "%s", err.text);
    return g;
}

Test(gray, neighbours_differ_in_one_bit)
{
    for (uint32_t i = 0; i < 1 << 16; i++)
        cr_assert_eq(__builtin_popcount(gray_encode(i) ^ gray_encode(i + 1)), 1, "at %u", i);
}

Test(gray, the_first_codes_are_the_published_ones)
{
    const uint32_t codes[] = {0, 1, 3, 2, 6, 7, 5, 4};
    for (uint32_t i = 0; i < 8; i++)
        cr_assert_eq(gray_encode(i), codes[i]);
}

Test(genome, counts_genes_loci_and_words)
{
    struct genome g = make_genome(mixed, COUNT(mixed));
    cr_assert_eq(g.count, 8);
    cr_assert_eq(g.length, 1 + 3 + 10 + 32 + 31 + 6 + 32);
    cr_assert_eq(g.words, 2);
    cr_assert_eq(make_genome(mixed, 1).length, 0);
    cr_assert_eq(make_genome(mixed, 1).words, 0);
}

/* 4 in three bits is Gray 110: its most significant bit on the gene's first locus. */
Test(genome, the_most_significant_bit_has_the_lowest_locus)
{
    struct genome g = make_genome(mixed, 3);
    uint64_t c[WORDS];
    genome_encode(&g, (int32_t[]){42, 0, 4}, c);
    const int expected[] = {0, 1, 1, 0};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(chromosome_locus(c, i), expected[i], "locus %d", i);
}

Test(genome, decodes_what_it_encodes)
{
    struct genome g = make_genome(mixed, COUNT(mixed));
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int round = 0; round < 2000; round++) {
        int32_t values[COUNT(mixed)], back[COUNT(mixed)];
        for (int i = 0; i < g.count; i++) {
            uint64_t range = (uint64_t)((int64_t)mixed[i].max - mixed[i].min);
            uint64_t steps = round < 2 ? (uint64_t)round * range : stream_below(&s, range + 1);
            values[i] = (int32_t)(mixed[i].min + (int64_t)steps);
        }
        values[0] = mixed[0].initial;
        uint64_t c[WORDS];
        genome_encode(&g, values, c);
        genome_decode(&g, c, back);
        for (int i = 0; i < g.count; i++)
            cr_assert_eq(back[i], values[i], "%s: %d became %d", mixed[i].name, values[i], back[i]);
        for (int locus = g.length; locus < 64 * g.words; locus++)
            cr_assert_eq(chromosome_locus(c, locus), 0);
    }
}

/* A gene of any width at any place relative to the words, with a neighbour behind it. */
Test(genome, genes_may_lie_anywhere)
{
    struct stream s;
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int place = 0; place < 64; place++)
        for (int bits = 1; bits <= 32; bits++) {
            int32_t high = bits < 32 ? (int32_t)((1u << (bits - 1)) - 1) : INT32_MAX;
            const struct param params[] = {
                {"before", place / 2, 0, 0, 0, 1, NULL, ""},
                {"between", place - place / 2, 0, 0, 0, 1, NULL, ""},
                {"gene", bits, -high - 1, high, 0, 1, NULL, ""},
                {"after", 32, INT32_MIN, INT32_MAX, 0, 1, NULL, ""},
            };
            struct genome g = make_genome(params, COUNT(params));
            uint64_t drawn = stream_below(&s, (uint64_t)1 << bits);
            int32_t value = (int32_t)((int64_t)drawn - high - 1);
            int32_t values[] = {0, 0, value, place % 2 == 0 ? INT32_MIN : INT32_MAX};
            int32_t back[COUNT(params)];
            uint64_t c[WORDS];
            genome_encode(&g, values, c);
            genome_decode(&g, c, back);
            cr_assert_arr_eq(back, values, sizeof values, "%d bits at locus %d", bits, place);
            for (int i = 0; i < bits; i++) {
                uint32_t gray = gray_encode((uint32_t)drawn);
                cr_assert_eq(chromosome_locus(c, place + i), (int)(gray >> (bits - 1 - i) & 1),
                             "%d bits at locus %d", bits, place);
            }
        }
}

Test(genome, every_chromosome_decodes_to_legal_values)
{
    struct genome g = make_genome(mixed, COUNT(mixed));
    struct stream s;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int round = 0; round < 2000; round++) {
        uint64_t c[WORDS] = {stream_bits(&s), stream_bits(&s)};
        int32_t values[COUNT(mixed)];
        genome_decode(&g, c, values);
        cr_assert_eq(values[0], 42);
        for (int i = 0; i < g.count; i++)
            cr_assert(values[i] >= mixed[i].min && values[i] <= mixed[i].max, "%s is %d",
                      mixed[i].name, values[i]);
    }
}

Test(genome, refuses_genes_that_make_no_sense)
{
    static const struct {
        struct param gene;
        const char *reason;
    } refused[] = {
        {{"P", 6, 0, 100, 50, 1, NULL, ""},
         "6 bits from 0 do not reach its maximum 100; it needs 7 bits"},
        {{"P", 31, INT32_MIN, INT32_MAX, 0, 1, NULL, ""},
         "31 bits from -2147483648 do not reach its maximum 2147483647; it needs 32 bits"},
        {{.name = "P", .bits = 3, .max = 160, .step = 20},
         "3 bits from 0 in steps of 20 do not reach its maximum 160; it needs 4 bits"},
        {{"P", 3, 7, 0, 0, 1, NULL, ""}, "its minimum 7 is above its maximum 0"},
        {{"P", 3, 0, 7, 8, 1, NULL, ""}, "its initial value 8 is not between 0 and 7"},
        {{"P", 33, 0, 7, 0, 1, NULL, ""}, "33 bits; a gene has 0 (a constant) to 32"},
        {{"P", -1, 0, 7, 0, 1, NULL, ""}, "-1 bits; a gene has 0 (a constant) to 32"},
    };
    for (int i = 0; i < COUNT(refused); i++) {
        struct genome g;
        struct error err = {""};
        cr_assert_not(
            genome_init(&g, &(struct param_table){"evaluation", &refused[i].gene, 1}, &err));
        cr_assert(strncmp(err.text, "evaluation parameter P: ", 24) == 0, "%s", err.text);
        cr_expect_str_eq(err.text + 24, refused[i].reason);
    }
    make_genome(&(struct param){.name = "P", .bits = 3, .max = 159, .step = 20}, 1);
}

/* The largest genome has 32,768 genes of 32 bits: its first and last genes are read and written. */
Test(genome, holds_a_million_loci_and_no_more)
{
    enum { GENES = GENOME_LOCI_MAX / 32 };
    struct param *params = calloc(GENES + 1, sizeof *params);
    int32_t *values = calloc(GENES, sizeof *values), *back = calloc(GENES, sizeof *back);
    for (int i = 0; i < GENES; i++) {
        params[i] = (struct param){"gene", 32, INT32_MIN, INT32_MAX, 0, 1, NULL, ""};
        values[i] = INT32_MAX - i * 65535;
    }
    params[GENES] = (struct param){"LAST", 1, 0, 1, 0, 1, NULL, ""};
    struct genome g = make_genome(params, GENES);
    cr_assert_eq(g.length, 1048576);
    cr_assert_eq(g.words, 16384);
    uint64_t *c = malloc(genome_bytes(&g, 1));
    genome_encode(&g, values, c);
    genome_decode(&g, c, back);
    cr_assert_arr_eq(back, values, GENES * sizeof *values);

    struct error err;
    const struct param_table table = {"test", params, GENES + 1};
    cr_assert_not(genome_init(&g, &table, &err));
    cr_assert_str_eq(err.text, "test parameter LAST: its gene ends 1048577 bits into the "
                               "chromosome, which holds at most 1048576");
    free(params);
    free(values);
    free(back);
    free(c);
}

/* ---- steps ---- */

static const struct param stepped[] = {
    {.name = "QUARTERS", .bits = 4, .min = -100, .max = 160, .initial = 30, .step = 25},
    {.name = "WHOLE", .bits = 32, .min = INT32_MIN, .max = INT32_MAX, .step = 3},
};

/* -100, -75, ..., 150: ten steps; 175 would be beyond. */
Test(steps, a_gene_counts_them_from_its_minimum)
{
    struct genome g = make_genome(stepped, COUNT(stepped));
    for (uint32_t number = 0; number < 16; number++) {
        uint64_t c[WORDS] = {0};
        int32_t values[COUNT(stepped)];
        chromosome_set_number(c, 0, 4, number);
        genome_decode(&g, c, values);
        cr_assert_eq(values[0], number < 10 ? -100 + 25 * (int)number : 150, "%u", number);
        cr_assert_eq(values[1], INT32_MIN);
    }
}

Test(steps, a_value_between_two_becomes_the_nearest_and_the_higher_halfway)
{
    const struct {
        int32_t value, becomes;
    } cases[] = {{-100, -100}, {-88, -100}, {-87, -75}, {30, 25}, {38, 50}, {150, 150}, {160, 150}};
    struct genome g = make_genome(stepped, COUNT(stepped));
    for (int i = 0; i < COUNT(cases); i++) {
        uint64_t c[WORDS];
        int32_t values[COUNT(stepped)];
        genome_encode(&g, (int32_t[]){cases[i].value, INT32_MAX}, c);
        genome_decode(&g, c, values);
        cr_expect_eq(values[0], cases[i].becomes, "%d became %d", cases[i].value, values[0]);
        cr_expect_eq(values[1], INT32_MAX, "the whole range is a multiple of 3");
    }
    const struct param even = {.name = "EVEN", .bits = 3, .max = 8, .initial = 4, .step = 2};
    struct genome one = make_genome(&even, 1);
    uint64_t c[WORDS];
    int32_t value;
    genome_encode(&one, &(int32_t){3}, c);
    genome_decode(&one, c, &value);
    cr_expect_eq(value, 4, "halfway");
}

Test(genome, the_defaults_encode_as_the_initial_values)
{
    struct genome g = make_genome(stepped, COUNT(stepped));
    uint64_t c[WORDS], defaults[WORDS];
    genome_encode(&g, (int32_t[]){30, 0}, c);
    genome_encode(&g, NULL, defaults);
    cr_assert(chromosome_equal(c, defaults, g.words));
}

Test(genome, a_gene_begins_where_those_before_it_end)
{
    struct genome g = make_genome(mixed, COUNT(mixed));
    cr_assert_eq(genome_first_locus(&g, 0), 0);
    cr_assert_eq(genome_first_locus(&g, 1), 0, "a constant has no locus");
    cr_assert_eq(genome_first_locus(&g, 4), 14);
    cr_assert_eq(genome_first_locus(&g, g.count), g.length);
}

/* ---- the box ---- */

static const struct param sides[] = {
    {"SWITCH", 1, 0, 1, 0, 1, NULL, ""},
    {"CONSTANT", 0, 7, 7, 7, 1, NULL, ""},
    {"THREE", 2, -1, 1, 0, 1, NULL, ""},
    {"ONE", 3, 5, 5, 5, 1, NULL, ""},
    {"WIDE", 32, INT32_MIN, INT32_MAX, 0, 1, NULL, ""},
    {.name = "STEPS", .bits = 4, .min = -40, .max = 49, .step = 10},
};

/* Each value has a cell of the same width; what lies outside is taken for the bound. */
Test(box, gives_every_value_a_cell_of_the_same_width)
{
    const struct {
        double x;
        int32_t values[COUNT(sides)];
    } cases[] = {{-1e300, {0, 7, -1, 5, INT32_MIN, -40}}, {0, {0, 7, -1, 5, INT32_MIN, -40}},
                 {0.33, {0, 7, -1, 5, -730144441, -20}},  {0.34, {0, 7, 0, 5, -687194768, -10}},
                 {0.49, {0, 7, 0, 5, -42949673, 0}},      {0.5, {1, 7, 0, 5, 0, 0}},
                 {0.66, {1, 7, 0, 5, 687194767, 10}},     {0.67, {1, 7, 1, 5, 730144440, 20}},
                 {1, {1, 7, 1, 5, INT32_MAX, 40}},        {1e300, {1, 7, 1, 5, INT32_MAX, 40}}};
    const double cells[] = {2, 3, 1, 0x1p32, 9};
    struct genome g = make_genome(sides, COUNT(sides));
    struct box b;
    cr_assert(box_create(&b, &g, NULL));
    cr_assert_eq(b.count, COUNT(cells));
    for (int i = 0; i < b.count; i++)
        cr_expect_float_eq(box_cell(&b, i), 1 / cells[i], 0);
    for (int i = 0; i < COUNT(cases); i++) {
        const double x = cases[i].x, point[] = {x, x, x, x, x};
        int32_t values[COUNT(sides)];
        uint64_t c[1];
        box_encode(&b, point, c);
        genome_decode(&g, c, values);
        for (int k = 0; k < g.count; k++)
            cr_expect_eq(values[k], cases[i].values[k], "%g: %s is %d", x, sides[k].name,
                         values[k]);
    }
    box_destroy(&b);
}

/* A chromosome decodes to the centres of its cells, also where it goes beyond the maximum. */
Test(box, leads_back_from_any_chromosome)
{
    struct genome g = make_genome(sides, COUNT(sides));
    struct box b;
    cr_assert(box_create(&b, &g, NULL));
    for (uint64_t round = 0; round < 1000; round++) {
        struct stream s;
        uint64_t c[1], again[1] = {UINT64_MAX};
        double point[COUNT(sides)];
        int32_t values[COUNT(sides)], back[COUNT(sides)];
        stream_init(&s, 1, STREAM_TEST, round, 0);
        c[0] = stream_bits(&s) & (((uint64_t)1 << g.length) - 1);
        box_decode(&b, c, point);
        box_encode(&b, point, again);
        cr_assert_eq(again[0] >> g.length, 0, "no locus lies there");
        genome_decode(&g, c, values);
        genome_decode(&g, again, back);
        cr_assert_arr_eq(values, back, sizeof values);
        cr_assert_float_eq(point[4], ((values[5] + 40) / 10 + 0.5) / 9, 1e-12);
    }
    box_destroy(&b);
}
