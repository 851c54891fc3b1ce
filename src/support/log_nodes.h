/* How nodes to solution add up where hard positions shall not decide alone (`scale: log`). */
#ifndef GRAYLING_LOG_NODES_H
#define GRAYLING_LOG_NODES_H

#include <stdint.h>

/* A doubling of the nodes. */
enum { LOG_NODES_UNIT = 1024 };

/* floor(LOG_NODES_UNIT * log2(nodes)) for nodes >= 1, in integers, so that it is the same on every
 * machine. Sums of it over n positions are the logarithm of a geometric mean:
 * 2 ^ (sum / (LOG_NODES_UNIT * n)) nodes. */
int64_t log_nodes(uint64_t nodes);

#endif
