/* Random search: every organism is new. It is the baseline for the other methods. */
#include "methods.h"

#include "operators.h"
#include "optimiser.h"

static void step(struct optimiser *o)
{
    for (int i = 0; i < o->population; i++) {
        struct stream s;
        stream_init(&s, o->seed, STREAM_INITIAL, (uint64_t)o->generation + 1, (uint64_t)i);
        chromosome_random(o->organisms[i].chromosome, o->genome, &s);
    }
}

const struct optimiser_method random_search_method = {.name = "random", .fewest = 2, .step = step};
