#include "wide.h"

#include <stdbool.h>

int64_t log_nodes(uint64_t nodes)
{
    int whole = 63 - __builtin_clzll(nodes);
    uint64_t mantissa = nodes << (63 - whole); /* 1 to 2, times 2^63 */
    int64_t log = whole;
    for (int unit = LOG_NODES_UNIT; unit > 1; unit /= 2) {
        struct wide square = wide_product(mantissa, mantissa);
        bool carry = square.high >> 63 != 0;
        mantissa = carry ? square.high : square.high << 1 | square.low >> 63;
        log = 2 * log + carry;
    }
    return log;
}
