/* Node counts on a logarithmic scale (`scale: log`), so that hard positions do not dominate a sum
 * of nodes to solution. */
#ifndef GRAYLING_LOG_NODES_H
#define GRAYLING_LOG_NODES_H

#include <stdint.h>

/* The value of one doubling of the nodes. */
enum { LOG_NODES_UNIT = 1024 };

/* Returns floor(LOG_NODES_UNIT * log2(nodes)) for nodes >= 1. The arithmetic is on integers, so the
 * result is the same on every machine. A sum over n positions gives the geometric mean of the
 * nodes, 2 ^ (sum / (LOG_NODES_UNIT * n)). */
int64_t log_nodes(uint64_t nodes);

#endif
