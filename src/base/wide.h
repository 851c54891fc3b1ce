/* Products of 128 bits, also on machines that have no integers of 128 bits, and logarithms by them. */
#ifndef GRAYLING_WIDE_H
#define GRAYLING_WIDE_H

#include <stdint.h>

struct wide {
    uint64_t high, low;
};

/* The product from four products of halves. */
static inline struct wide wide_product_of_halves(uint64_t a, uint64_t b)
{
    const uint64_t half = 0xffffffffu;
    uint64_t low = (a & half) * (b & half);
    uint64_t cross = (a >> 32) * (b & half) + (low >> 32); /* at most 2^64 - 2^32 */
    uint64_t other = (a & half) * (b >> 32) + (cross & half);
    return (struct wide){.high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32),
                         .low = other << 32 | (low & half)};
}

static inline struct wide wide_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (struct wide){.high = (uint64_t)(product >> 64), .low = (uint64_t)product};
#else
    return wide_product_of_halves(a, b);
#endif
}

/* -- node counts on a logarithmic scale (`scale: log`), so that hard positions do not dominate a sum of nodes to
 * solution */

/* The value of one doubling of the nodes. */
enum { LOG_NODES_UNIT = 1024 };

/* Returns floor(LOG_NODES_UNIT * log2(nodes)) for nodes >= 1, by integers. A sum over n positions
 * gives the geometric mean of the nodes, 2 ^ (sum / (LOG_NODES_UNIT * n)). */
int64_t log_nodes(uint64_t nodes);

#endif
