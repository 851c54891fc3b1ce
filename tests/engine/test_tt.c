/* The transposition table: what goes in comes out, what gives way, and what an epoch forgets. */
#include "tree.h"

#include "random_chess.h"
#include "thorough.h"

#include <criterion/criterion.h>

enum { SLOTS = 4, FULL_DEPTH = 400 };

static struct tt table(int mib)
{
    struct tt tt;
    struct error err;
    cr_assert(tt_create(&tt, mib, &err), "%s", err.text);
    tt_new_search(&tt);
    return tt;
}

static struct tt_hit hit(int depth, enum bound bound, Move move, int32_t value, int32_t eval)
{
    return (struct tt_hit){.bound = bound,
                           .move = move,
                           .depth = depth,
                           .on_pv = (depth & 1) != 0,
                           .value = value,
                           .eval = eval};
}

static void put(struct tt *tt, uint64_t key, struct tt_hit in)
{
    tt_store(tt, key, 0, &in);
}

static bool has(const struct tt *tt, uint64_t key)
{
    return tt_probe(tt, key, 0).found;
}

/* An entry of which only the depth matters. */
static struct tt_hit exact(int depth)
{
    return hit(depth, BOUND_EXACT, 9, 1, 1);
}

static void assert_hit(const struct tt_hit *h, const struct tt_hit *expected)
{
    cr_assert(h->found);
    cr_assert_eq(h->bound, expected->bound);
    cr_assert_eq(h->move, expected->move);
    cr_assert_eq(h->depth, expected->depth);
    cr_assert_eq(h->on_pv, expected->on_pv);
    cr_assert_eq(h->value, expected->value, "%d, not %d", h->value, expected->value);
    cr_assert_eq(h->eval, expected->eval, "%d, not %d", h->eval, expected->eval);
}

/* A miss says nothing, however the table was filled before. */
static void assert_miss(const struct tt *tt, uint64_t key)
{
    struct tt_hit h = tt_probe(tt, key, 0);
    cr_assert_not(h.found);
    cr_assert_eq(h.move, NO_MOVE);
    cr_assert_eq(h.bound, BOUND_NONE);
    cr_assert_eq(h.eval, NO_EVAL);
}

/* The keys of one bucket differ in their low half alone. */
static uint64_t key_of(unsigned bucket, unsigned i)
{
    return (uint64_t)bucket << 50 | (i + 1);
}

/* ---- round trips ---- */

Test(tt, keeps_extreme_values)
{
    const int32_t values[] = {0,        1,         -1,         EVAL_LIMIT, -EVAL_LIMIT,
                              MATE - 1, -MATE + 1, MATE - 255, -MATE + 255};
    const int32_t evals[] = {0, 1, -1, EVAL_LIMIT, -EVAL_LIMIT, NO_EVAL};
    const int depths[] = {0, 1, 3, 4, 255, 256, 400, 404, 1023};
    const Move moves[] = {NO_MOVE, move_make(1, 18, QUIET), 0xffff};
    const uint64_t keys[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(0xffffffff)};
    struct tt tt = table(1);
    for (int v = 0; v < 9; v++)
        for (int e = 0; e < 6; e++)
            for (int d = 0; d < 9; d++)
                for (int m = 0; m < 3; m++)
                    for (int k = 0; k < 5; k++)
                        for (int b = BOUND_UPPER; b <= BOUND_EXACT; b++) {
                            tt_new_epoch(&tt);
                            struct tt_hit in =
                                hit(depths[d], (enum bound)b, moves[m], values[v], evals[e]);
                            tt_store(&tt, keys[k], 0, &in);
                            struct tt_hit out = tt_probe(&tt, keys[k], 0);
                            assert_hit(&out, &in);
                        }
    tt_destroy(&tt);
}

Test(tt, keeps_random_entries)
{
    struct tt tt = table(1);
    struct stream s = seeded(1);
    for (int i = 0; i < 100000; i++) {
        uint64_t key = stream_bits(&s);
        int ply = (int)stream_below(&s, MAX_PLY);
        struct tt_hit in = hit((int)stream_below(&s, FULL_DEPTH + 1), BOUND_EXACT,
                               (Move)(1 + stream_below(&s, 65535)),
                               (int32_t)stream_below(&s, 2 * EVAL_LIMIT + 1) - EVAL_LIMIT,
                               (int32_t)stream_below(&s, 2 * EVAL_LIMIT + 1) - EVAL_LIMIT);
        tt_store(&tt, key, ply, &in);
        struct tt_hit out = tt_probe(&tt, key, (int)stream_below(&s, MAX_PLY));
        assert_hit(&out, &in);
    }
    tt_destroy(&tt);
}

/* A mate is as far from the position as ever, wherever the position is met. */
Test(tt, counts_mates_from_the_position)
{
    struct tt tt = table(1);
    for (int stored = 0; stored < MAX_PLY; stored += 3)
        for (int probed = 0; probed < MAX_PLY; probed += 5)
            for (int distance = 0; distance < MAX_PLY; distance += 7) {
                tt_new_epoch(&tt);
                struct tt_hit in = hit(4, BOUND_EXACT, 1, MATE - stored - distance, 0);
                tt_store(&tt, 77, stored, &in);
                cr_assert_eq(tt_probe(&tt, 77, probed).value, MATE - probed - distance);
                in.value = -in.value;
                tt_store(&tt, 77, stored, &in);
                cr_assert_eq(tt_probe(&tt, 77, probed).value, -MATE + probed + distance);
            }
    tt_destroy(&tt);
}

/* ---- replacement ---- */

Test(tt, fills_a_bucket_before_anything_gives_way)
{
    struct tt tt = table(1);
    for (unsigned i = 0; i < SLOTS; i++)
        put(&tt, key_of(9, i), hit(4 * (int)i, BOUND_EXACT, 1, (int32_t)i, 0));
    for (unsigned i = 0; i < SLOTS; i++)
        cr_assert_eq(tt_probe(&tt, key_of(9, i), 0).value, (int32_t)i);
    tt_destroy(&tt);
}

Test(tt, the_shallowest_gives_way)
{
    const int depths[SLOTS] = {40, 8, 24, 16};
    for (unsigned first = 0; first < SLOTS; first++) {
        struct tt tt = table(1);
        for (unsigned i = 0; i < SLOTS; i++)
            put(&tt, key_of(3, (first + i) % SLOTS), exact(depths[(first + i) % SLOTS]));
        put(&tt, key_of(3, 10), exact(4));
        cr_assert(has(&tt, key_of(3, 10)), "the newest is always kept");
        for (unsigned i = 0; i < SLOTS; i++)
            cr_assert_eq(has(&tt, key_of(3, i)), i != 1, "slot %u", i);
        tt_destroy(&tt);
    }
}

/* Of equally deep entries, that of the older search gives way first. */
Test(tt, the_older_search_gives_way)
{
    for (unsigned old = 0; old < SLOTS; old++) {
        struct tt tt = table(1);
        put(&tt, key_of(5, old), exact(20));
        tt_new_search(&tt);
        for (unsigned i = 0; i < SLOTS; i++)
            if (i != old)
                put(&tt, key_of(5, i), exact(20));
        cr_assert(has(&tt, key_of(5, old)), "still valid in a later search");
        put(&tt, key_of(5, 10), exact(20));
        for (unsigned i = 0; i < SLOTS; i++)
            cr_assert_eq(has(&tt, key_of(5, i)), i != old);
        tt_destroy(&tt);
    }
}

/* The same position has one slot: the newer replaces it, unless it is a mere bound much shallower
 * in the same search. */
Test(tt, a_deep_entry_stands_against_a_shallow_bound)
{
    struct tt tt = table(1);
    const struct tt_hit deep = hit(40, BOUND_LOWER, 7, 100, 0);
    put(&tt, 123, deep);
    put(&tt, 123, hit(4, BOUND_UPPER, 8, 50, 0));
    cr_assert_eq(tt_probe(&tt, 123, 0).depth, 40, "a bound in the same search");
    put(&tt, 123, exact(4));
    cr_assert_eq(tt_probe(&tt, 123, 0).depth, 4, "an exact value");
    put(&tt, 123, deep);
    tt_new_search(&tt);
    put(&tt, 123, hit(4, BOUND_UPPER, 8, 50, 0));
    cr_assert_eq(tt_probe(&tt, 123, 0).depth, 4, "a bound in a later search");
    tt_destroy(&tt);
}

Test(tt, an_entry_without_a_move_keeps_the_move)
{
    struct tt tt = table(1);
    put(&tt, 123, hit(4, BOUND_LOWER, 7, 100, 0));
    put(&tt, 123, hit(8, BOUND_UPPER, NO_MOVE, -5, 3));
    const struct tt_hit expected = hit(8, BOUND_UPPER, 7, -5, 3), out = tt_probe(&tt, 123, 0);
    assert_hit(&out, &expected);
    tt_destroy(&tt);
}

/* ---- epochs ---- */

/* What two tables do with the same keys must never differ, be one new and the other full of an
 * earlier epoch's entries. */
static void assert_same_behaviour(struct tt *a, struct tt *b, uint64_t seed)
{
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 0, 1);
    for (int i = 0; i < 100000; i++) {
        uint64_t key = key_of((unsigned)stream_below(&s, 64), (unsigned)stream_below(&s, 16));
        struct tt_hit x = tt_probe(a, key, 3), y = tt_probe(b, key, 3);
        cr_assert(x.found == y.found && x.bound == y.bound && x.move == y.move &&
                  x.depth == y.depth && x.value == y.value && x.eval == y.eval);
        struct tt_hit in = hit((int)stream_below(&s, 60), (enum bound)(1 + stream_below(&s, 3)),
                               (Move)stream_below(&s, 3), (int32_t)stream_below(&s, 100), 0);
        tt_store(a, key, 5, &in);
        tt_store(b, key, 5, &in);
        if (i % 20000 == 0) {
            tt_new_search(a);
            tt_new_search(b);
        }
        if (i % 1000 == 0)
            cr_assert_eq(tt_full(a), tt_full(b));
    }
}

/* Stores deep entries under the keys that assert_same_behaviour uses. */
static void fill(struct tt *tt)
{
    for (unsigned bucket = 0; bucket < 64; bucket++)
        for (unsigned i = 0; i < 16; i++)
            put(tt, key_of(bucket, i), exact(FULL_DEPTH));
}

Test(tt, a_new_epoch_is_an_empty_table)
{
    struct tt used = table(1), fresh = table(1);
    for (int i = 0; i < 10; i++) {
        fill(&used);
        cr_assert_gt(tt_full(&used), 0);
        assert_miss(&fresh, key_of(7, 15)); /* tables know nothing of each other */
        for (int searches = 0; searches < i; searches++)
            tt_new_search(&used);
        tt_new_epoch(&used);
        cr_assert_eq(tt_full(&used), 0);
        for (unsigned j = 0; j < 16; j++)
            assert_miss(&used, key_of(7, j));
    }
    tt_new_search(&used);
    assert_same_behaviour(&used, &fresh, 1);
    tt_destroy(&used);
    tt_destroy(&fresh);
}

/* Entries of the first epoch must not come back when the numbers begin again. */
Test(tt, epochs_wrap)
{
    struct tt used = table(1), fresh = table(1);
    fill(&used);
    for (int i = 0; i < 65536; i++) {
        tt_new_epoch(&used);
        cr_assert_neq(used.epoch, 0, "the epoch of slots that were never used");
        if (i % 64 == 0 || i > 65530)
            assert_miss(&used, key_of(7, 15));
    }
    tt_new_epoch(&used);
    tt_new_search(&used);
    for (unsigned bucket = 0; bucket < 64; bucket++)
        for (unsigned i = 0; i < 16; i++)
            assert_miss(&used, key_of(bucket, i));
    assert_same_behaviour(&used, &fresh, 2);
    tt_destroy(&used);
    tt_destroy(&fresh);
}

/* Every one of the 65,535 epochs forgets the one before, and the wrap those of the round before. */
Test(tt, no_epoch_sees_another)
{
    struct tt tt = table(1);
    for (int i = 0; i < 2 * 65536 + 5; i++) {
        cr_assert_not(has(&tt, 42), "epoch %d", i);
        put(&tt, 42, exact(FULL_DEPTH));
        cr_assert(has(&tt, 42), "epoch %d", i);
        tt_new_epoch(&tt);
    }
    tt_destroy(&tt);
}

/* The age is counted modulo 128: entries stay valid, however many searches there were. */
Test(tt, searches_wrap)
{
    struct tt tt = table(1);
    const struct tt_hit in = exact(20);
    put(&tt, 42, in);
    for (int i = 0; i < 600; i++) {
        tt_new_search(&tt);
        struct tt_hit out = tt_probe(&tt, 42, 0);
        assert_hit(&out, &in);
    }
    tt_destroy(&tt);
}

/* ---- size ---- */

/* A table has room for the entries that its size is worth, and uses all of it. */
Test(tt, sizes)
{
    const int sizes[] = {1, 2, 3, 7, 64};
    for (int i = 0; i < thorough(4, 5); i++) {
        struct tt tt = table(sizes[i]);
        struct stream s;
        stream_init(&s, 3, STREAM_TEST, 0, (uint64_t)i);
        cr_assert_eq(tt.count, ((size_t)sizes[i] << 20) / 64);
        uint64_t entries = tt.count * SLOTS, found = 0;
        for (uint64_t j = 0; j < 4 * entries; j++)
            put(&tt, stream_bits(&s), exact(4));
        cr_assert_gt(tt_full(&tt), 950);
        stream_init(&s, 3, STREAM_TEST, 0, (uint64_t)i);
        for (uint64_t j = 0; j < 4 * entries; j++)
            found += has(&tt, stream_bits(&s));
        cr_assert_gt(found, entries * 95 / 100);
        cr_assert_leq(found, entries);
        tt_destroy(&tt);
    }
}

/* Thousandths of slots that the present search has filled. */
Test(tt, fullness)
{
    struct tt tt = table(1);
    struct stream s = seeded(4);
    cr_assert_eq(tt_full(&tt), 0);
    for (size_t i = 0; i < tt.count; i++)
        put(&tt, stream_bits(&s), exact(4));
    int full = tt_full(&tt);
    cr_assert(full > 200 && full < 280, "a quarter, less what fell into full buckets: %d", full);
    tt_new_search(&tt);
    cr_assert_eq(tt_full(&tt), 0, "entries of earlier searches do not count");
    tt_destroy(&tt);
}

/* Two threads write an entry of the same position at once: what holds a word of each is not found. */
Test(tt, an_entry_of_two_writers_is_not_found)
{
    struct tt tt = table(1);
    const uint64_t key = key_of(0, 1);
    uint64_t *words = (uint64_t *)tt.buckets, first, second;
    const struct tt_hit other = hit(40, BOUND_UPPER, 9, -700, 30);
    put(&tt, key, hit(8, BOUND_LOWER, 9, 120, 30));
    first = words[0];
    tt_new_search(&tt);
    put(&tt, key, other);
    second = words[0];
    words[0] = first;
    assert_miss(&tt, key);
    words[0] = second;
    struct tt_hit found = tt_probe(&tt, key, 0);
    assert_hit(&found, &other);
    tt_destroy(&tt);
}
