/* Hill climbing by single bit flips (Forrest and Mitchell 1993), with kicks at local optima
 * (iterated local search: Lourenco, Martin and Stuetzle 2003).
 *
 * The moves are bit flips, not steps of genes. In Gray code a flip reaches each neighbour of a
 * gene's value, so the flips include all steps by one, and longer steps too.
 *
 *   1  The best organism of the generation becomes the current point if it is no worse. A point of
 *      equal fitness does not start a new round of flips, so the climb can cross a plateau.
 *   2  If every locus was flipped without a gain, the point is a local optimum. It is kept if it is
 *      no worse than the best one so far. The next generation consists of copies of the best local
 *      optimum with `kick` random loci flipped. The best of these is the next point.
 *   3  Otherwise each organism of the next generation is the point with one locus flipped. The
 *      order of loci is random, and each is flipped once before any is flipped again. */
#include "methods.h"

#include "operators.h"
#include "optimiser.h"

#include <stdlib.h>

struct climb {
    struct organism *point, *top; /* the current point, and the best local optimum: one block */
    bool restart;                 /* the current generation is the first one, or of kicks */
    int tried;                    /* flips since the last gain */
    int *order;                   /* of the loci */
};

static bool create(struct optimiser *o, struct error *err)
{
    struct climb *c = calloc(1, sizeof *c);
    o->state = c;
    if (c == NULL)
        return error_set(err, "no memory for hill climbing");
    c->point = population_create(o->genome, 2);
    c->order = calloc((size_t)o->genome->length + 1, sizeof *c->order);
    if (c->point == NULL || c->order == NULL)
        return error_set(err, "no memory for hill climbing");
    c->top = c->point + 1;
    c->top->fitness = -1;
    c->restart = true;
    return true;
}

static void destroy(struct optimiser *o)
{
    struct climb *c = o->state;
    free(c->point);
    free(c->order);
    free(c);
}

/* Starts a round of flips in a new order (Fisher and Yates 1938). */
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
static void accept_best(const struct optimiser *o, struct climb *c)
{
    const struct organism *best = &o->organisms[population_best(o->organisms, o->population)];
    bool better = c->restart || best->fitness > c->point->fitness;
    if (better || best->fitness == c->point->fitness)
        organism_copy(c->point, best, o->genome->words);
    if (better)
        shuffle(o, c);
    c->restart = false;
}

/* Step 2. */
static void kick(struct optimiser *o, struct climb *c)
{
    if (c->point->fitness >= c->top->fitness)
        organism_copy(c->top, c->point, o->genome->words);
    for (int i = 0; i < o->population; i++) {
        struct stream s;
        stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)i);
        organism_copy(&o->organisms[i], c->top, o->genome->words);
        for (int k = 0; k < o->settings.hill_climbing.kick; k++)
            chromosome_flip(o->organisms[i].chromosome,
                            (int)stream_below(&s, (uint64_t)o->genome->length));
    }
    c->restart = true;
}

/* Step 3. */
static void flip(struct optimiser *o, struct climb *c)
{
    for (int i = 0; i < o->population; i++) {
        organism_copy(&o->organisms[i], c->point, o->genome->words);
        chromosome_flip(o->organisms[i].chromosome, c->order[c->tried++ % o->genome->length]);
    }
}

static void step(struct optimiser *o)
{
    struct climb *c = o->state;
    accept_best(o, c);
    (c->tried >= o->genome->length ? kick : flip)(o, c);
}

const struct optimiser_method hill_climbing_method = {.name = "hill-climbing",
                                                      .fewest = 2,
                                                      .across_generations = true,
                                                      .one_bit = true,
                                                      .create = create,
                                                      .step = step,
                                                      .destroy = destroy};
