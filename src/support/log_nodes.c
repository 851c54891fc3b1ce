#include "log_nodes.h"

#include <stdbool.h>

int64_t log_nodes(uint64_t nodes)
{
    int whole = 63 - __builtin_clzll(nodes);
    uint64_t mantissa = nodes << (63 - whole); /* 1 to 2, times 2^63 */
    int64_t log = whole;
    for (int unit = LOG_NODES_UNIT; unit > 1; unit /= 2) {
        __extension__ unsigned __int128 square = (unsigned __int128)mantissa * mantissa;
        bool carry = square >> 127 != 0;
        mantissa = (uint64_t)(square >> (carry ? 64 : 63));
        log = 2 * log + carry;
    }
    return log;
}
