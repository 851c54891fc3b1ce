/* Hill climbing: rounds of flips, and kicks from the best local optimum. */
#include "optimiser.h"

#include "problems.h"
#include "real_genes.h"

enum { LOCI = 12, POPULATION = 4, GENERATIONS_OF_A_ROUND = LOCI / POPULATION };

static struct problem problem;

/* Generation 0, in which organism 2 is the best. */
static struct optimiser start(int kick, int64_t fitness)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_HILL_CLIMBING);
    make_problem(&problem, 1, LOCI, 0);
    s.population = POPULATION;
    s.hill_climbing.kick = kick;
    struct optimiser o = start_real(&problem, &s);
    measure_one(&o, 2, fitness);
    return o;
}

static uint64_t word_of(const struct optimiser *o, int index)
{
    return o->organisms[index].chromosome[0];
}

static int distance(const struct optimiser *o, int index, uint64_t point)
{
    return __builtin_popcountll(word_of(o, index) ^ point);
}

/* Returns the loci in which the organisms differ from a point: a locus each, and none twice. */
static uint64_t flips(const struct optimiser *o, uint64_t point)
{
    uint64_t loci = 0;
    for (int i = 0; i < o->population; i++) {
        cr_assert_eq(distance(o, i, point), 1, "organism %d of generation %d", i, o->generation);
        loci |= word_of(o, i) ^ point;
    }
    cr_assert_eq(__builtin_popcountll(loci), o->population);
    return loci;
}

/* The next generations flip each locus of a point that is not yet in `loci`, and none is a gain. */
static void expect_flips(struct optimiser *o, uint64_t point, uint64_t loci)
{
    while (loci != (1 << LOCI) - 1) {
        optimiser_step(o);
        uint64_t now = flips(o, point);
        cr_assert_eq(loci & now, 0, "flipped again");
        loci |= now;
        measure_one(o, 0, 1);
    }
}

/* The next generation is kicks by one flip of a point. */
static void expect_kicks(struct optimiser *o, uint64_t point)
{
    optimiser_step(o);
    for (int i = 0; i < o->population; i++)
        cr_expect_eq(distance(o, i, point), 1, "organism %d", i);
}

Test(rounds, flip_each_locus_once)
{
    struct optimiser o = start(1, 10);
    uint64_t point = word_of(&o, 2);
    expect_flips(&o, point, 0);
    cr_assert_eq(o.generation, GENERATIONS_OF_A_ROUND);
    expect_kicks(&o, point);
    optimiser_destroy(&o);
}

/* Thirteen loci take four generations, of which the last begins to flip them again. */
Test(rounds, end_when_no_locus_is_left)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_HILL_CLIMBING);
    uint64_t loci = 0;
    make_problem(&p, 1, 13, 0);
    s.population = POPULATION;
    struct optimiser o = start_real(&p, &s);
    uint64_t point = word_of(&o, 2);
    measure_one(&o, 2, 10);
    for (int t = 0; t < 4; t++) {
        optimiser_step(&o);
        loci |= flips(&o, point);
        measure_one(&o, 0, 1);
    }
    cr_assert_eq(loci, (1 << 13) - 1);
    optimiser_destroy(&o);
}

Test(rounds, begin_again_at_a_gain)
{
    struct optimiser o = start(1, 10);
    uint64_t point = word_of(&o, 2);
    for (int i = 0; i < POPULATION; i++) {
        optimiser_step(&o);
        flips(&o, point);
        measure_one(&o, i, 11 + i);
        point = word_of(&o, i);
    }
    expect_flips(&o, point, 0);
    expect_kicks(&o, point);
    optimiser_destroy(&o);
}

Test(rounds, have_an_order_of_their_own)
{
    struct optimiser o = start(1, 10);
    uint64_t first[2];
    for (int round = 0; round < 2; round++) {
        uint64_t point = word_of(&o, 2);
        optimiser_step(&o);
        first[round] = flips(&o, point);
        measure_one(&o, 2, 20);
    }
    cr_assert_neq(first[0], first[1]);
    optimiser_destroy(&o);
}

/* Draws the order of a round that begins in a generation: the loci in turn change places with one of
 * those before them, or stay. */
static void draw_order(const struct optimiser *o, uint64_t generation, int order[LOCI])
{
    struct stream stream;
    stream_init(&stream, o->seed, STREAM_PROPOSAL, generation, 0);
    for (int i = 0; i < LOCI; i++) {
        order[i] = i;
        int j = (int)stream_below(&stream, (uint64_t)i + 1), locus = order[j];
        order[j] = i;
        order[i] = locus;
    }
}

/* The order comes from the stream of the first generation of a round, which a resumed run draws again. */
Test(rounds, have_the_order_that_their_stream_draws)
{
    struct optimiser o = start(1, 10);
    int order[LOCI];
    for (int round = 0; round < 2; round++) {
        uint64_t point = word_of(&o, 2);
        optimiser_step(&o);
        draw_order(&o, (uint64_t)round + 1, order);
        for (int i = 0; i < POPULATION; i++)
            cr_expect_eq(word_of(&o, i) ^ point, (uint64_t)1 << order[i], "organism %d", i);
        measure_one(&o, 2, 20);
    }
    optimiser_destroy(&o);
}

/* The plateau is crossed, and the round goes on. */
Test(rounds, go_on_from_a_point_of_equal_fitness)
{
    struct optimiser o = start(1, 10);
    uint64_t point = word_of(&o, 2);
    optimiser_step(&o);
    uint64_t loci = flips(&o, point);
    measure_one(&o, 3, 10);
    point = word_of(&o, 3);
    expect_flips(&o, point, loci);
    expect_kicks(&o, point);
    optimiser_destroy(&o);
}

Test(kicks, flip_so_many_random_loci)
{
    struct optimiser o = start(3, 10);
    uint64_t point = word_of(&o, 2), loci = 0;
    int all = 0;
    expect_flips(&o, point, 0);
    optimiser_step(&o);
    for (int i = 0; i < POPULATION; i++) {
        int flipped = distance(&o, i, point);
        cr_expect(flipped == 1 || flipped == 3, "a locus drawn twice stays: %d", flipped);
        all += flipped == 3;
        loci |= word_of(&o, i) ^ point;
    }
    cr_expect_gt(all, 0);
    cr_expect_gt(__builtin_popcountll(loci), 3, "each organism has a kick of its own");
    optimiser_destroy(&o);
}

/* Each organism's kick comes from a stream of its own in the generation of the kicks. */
Test(kicks, flip_the_loci_that_their_streams_draw)
{
    struct optimiser o = start(3, 10);
    uint64_t point = word_of(&o, 2);
    expect_flips(&o, point, 0);
    optimiser_step(&o);
    for (int i = 0; i < POPULATION; i++) {
        struct stream stream;
        uint64_t loci = 0;
        stream_init(&stream, o.seed, STREAM_PROPOSAL, GENERATIONS_OF_A_ROUND + 1, (uint64_t)i);
        for (int k = 0; k < 3; k++)
            loci ^= (uint64_t)1 << stream_below(&stream, LOCI);
        cr_expect_eq(word_of(&o, i) ^ point, loci, "organism %d", i);
    }
    optimiser_destroy(&o);
}

/* The best of the kicks is the next point, even if it is worse. */
Test(kicks, come_from_the_best_local_optimum)
{
    struct optimiser o = start(1, 10);
    uint64_t top = word_of(&o, 2);
    expect_flips(&o, top, 0);
    expect_kicks(&o, top);
    measure_one(&o, 1, 5);
    expect_flips(&o, word_of(&o, 1), 0);
    expect_kicks(&o, top);
    measure_one(&o, 3, 10);
    uint64_t as_good = word_of(&o, 3);
    expect_flips(&o, as_good, 0);
    expect_kicks(&o, as_good);
    optimiser_destroy(&o);
}

/* A generation in which nothing is worth anything begins a round as well: each organism flips a locus of its
 * own. */
Test(hill_climbing, begins_where_nothing_is_worth_anything)
{
    struct optimiser o = start(4, 0);
    for (int i = 0; i < POPULATION; i++)
        o.organisms[i].fitness = 0;
    uint64_t first = word_of(&o, 0);
    optimiser_step(&o);
    flips(&o, first);
    optimiser_destroy(&o);
}
