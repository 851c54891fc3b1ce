/* A fixed workload that anyone can repeat, for `grayling bench` and `grayling-uci bench`. Its node
 * count is the engine's signature. It measures the set `paper`: paper-eval and paper-search. */
#ifndef GRAYLING_BENCH_H
#define GRAYLING_BENCH_H

#include "error.h"

/* Runs the workload on one core and prints the count of each part, then "N nodes M nps". */
bool bench_run(struct error *err);

#endif
