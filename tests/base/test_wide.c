/* Products of 128 bits: the same with and without integers of that size. */
#include "wide.h"

#include "stream.h"

#include <criterion/criterion.h>

static void expect(uint64_t a, uint64_t b, uint64_t high, uint64_t low)
{
    struct wide product = wide_product(a, b), halves = wide_product_of_halves(a, b);
    cr_assert_eq(product.high, high);
    cr_assert_eq(product.low, low);
    cr_assert_eq(halves.high, high);
    cr_assert_eq(halves.low, low);
}

Test(wide, knows_the_largest_and_the_smallest)
{
    expect(0, UINT64_MAX, 0, 0);
    expect(1, UINT64_MAX, 0, UINT64_MAX);
    expect(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1);
    expect((uint64_t)1 << 63, 6, 3, 0);
    expect(0xffffffffu, 0x100000001u, 0, UINT64_MAX);
}

Test(wide, is_the_same_from_halves)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t a = stream_bits(&s) >> i % 64, b = stream_bits(&s) >> i / 64 % 64;
        struct wide product = wide_product(a, b), halves = wide_product_of_halves(a, b);
        cr_assert_eq(product.low, a * b);
        cr_assert_eq(halves.low, product.low);
        cr_assert_eq(halves.high, product.high);
    }
}
