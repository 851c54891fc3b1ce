/* Hill climbing by single bits (Forrest and Mitchell 1993), with kicks where it is stuck (iterated
 * local search: Lourenco, Martin and Stuetzle 2003).
 *
 * In Gray code both neighbours of a gene's value are one flip away, so that the flips of a bit hold
 * all steps by one, and far ones besides; hence bits, and not steps of genes.
 *
 *   1  the best organism of the generation becomes the present point if it is no worse; from one
 *      of equal fitness the climb goes on, so that it can cross a plateau
 *   2  when every locus has been flipped without a gain, the point is kept if it is the best such,
 *      and the next generation are copies of the best with `kick` random loci flipped, the best of
 *      which is the next point
 *   3  otherwise the next organisms are the point with one locus flipped each, in a random order in
 *      which no locus comes twice before all have come */
#include "methods.h"

#include "operators.h"

#include <stdlib.h>

struct climb {
    struct organism point, top; /* the present one, and the best that a climb has ended at */
    bool lands;                 /* the present generation are kicks or the first one */
    int tried;                  /* flips since the last gain */
    int order[64 * CHROMOSOME_WORDS];
};

/* Loci that a kick flips: 1 to as many as a chromosome has, 4 by default. */
static void set_defaults(struct optimiser_settings *s)
{
    s->hill_climbing = (struct hill_climbing_settings){.kick = 4};
}

static bool check(const struct optimiser_settings *s, struct error *err)
{
    return settings_whole("kick", s->hill_climbing.kick, 1, 64 * CHROMOSOME_WORDS, err);
}

static bool create(struct optimiser *o, struct error *err)
{
    struct climb *c = calloc(1, sizeof *c);
    o->state = c;
    if (c == NULL)
        return error_set(err, "no memory for hill climbing");
    c->lands = true;
    c->top.fitness = -1;
    return true;
}

static void destroy(struct optimiser *o)
{
    free(o->state);
}

/* Begins a round of flips in a new order (Fisher and Yates 1938). */
static void shuffle(const struct optimiser *o, struct climb *c)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, 0);
    for (int i = 0; i < o->genome->length; i++) {
        int j = (int)stream_below(&s, (uint64_t)i + 1);
        c->order[i] = c->order[j];
        c->order[j] = i;
    }
    c->tried = 0;
}

/* Step 1. */
static void look(const struct optimiser *o, struct climb *c)
{
    const struct organism *best = &o->organisms[population_best(o->organisms, o->population)];
    if (c->lands || best->fitness > c->point.fitness) {
        c->point = *best;
        shuffle(o, c);
    } else if (best->fitness == c->point.fitness)
        c->point = *best;
    c->lands = false;
}

/* Step 2. */
static void kick(struct optimiser *o, struct climb *c)
{
    if (c->point.fitness >= c->top.fitness)
        c->top = c->point;
    for (int i = 0; i < o->population; i++) {
        struct stream s;
        stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)i);
        o->organisms[i] = c->top;
        for (int k = 0; k < o->settings.hill_climbing.kick; k++)
            chromosome_flip(&o->organisms[i].chromosome,
                            (int)stream_below(&s, (uint64_t)o->genome->length));
    }
    c->lands = true;
}

/* Step 3. */
static void flip(struct optimiser *o, struct climb *c)
{
    for (int i = 0; i < o->population; i++) {
        o->organisms[i] = c->point;
        chromosome_flip(&o->organisms[i].chromosome, c->order[c->tried++ % o->genome->length]);
    }
}

static void step(struct optimiser *o)
{
    struct climb *c = o->state;
    look(o, c);
    (c->tried >= o->genome->length ? kick : flip)(o, c);
}

const struct optimiser_method hill_climbing_method = {.name = "hill-climbing",
                                                      .fewest = 2,
                                                      .across_generations = true,
                                                      .set_defaults = set_defaults,
                                                      .check = check,
                                                      .create = create,
                                                      .step = step,
                                                      .destroy = destroy};
