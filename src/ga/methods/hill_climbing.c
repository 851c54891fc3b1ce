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

struct climb {
    uint64_t *point, *top; /* the current point, and the best local optimum */
    int64_t fitness, top_fitness;
    bool kicks; /* the current generation is one of kicks */
    int tried;  /* flips since the last gain */
    int *order; /* of the loci */
};

static void create(struct optimiser *o)
{
    struct climb *c = o->state;
    c->point = optimiser_array(o, (size_t)o->genome->words, sizeof *c->point);
    c->top = optimiser_array(o, (size_t)o->genome->words, sizeof *c->top);
    c->order = optimiser_array(o, (size_t)o->genome->length, sizeof *c->order);
}

/* Step 1, and the first part of step 2. */
static void learn(struct optimiser *o)
{
    struct climb *c = o->state;
    const struct organism *best = &o->organisms[population_best(o->organisms, o->population)];
    const bool better = o->generation == 0 || c->kicks || best->fitness > c->fitness;
    if (better || best->fitness == c->fitness)
        chromosome_copy(c->point, best->chromosome, o->genome->words);
    if (better) {
        c->fitness = best->fitness;
        /* A round of flips in a new order (Fisher and Yates 1938). */
        struct stream s;
        proposal_stream(o, &s, 0);
        for (int i = 0; i < o->genome->length; i++) {
            int j = (int)stream_below(&s, (uint64_t)i + 1);
            c->order[i] = c->order[j];
            c->order[j] = i;
        }
        c->tried = 0;
    }
    c->kicks = c->tried >= o->genome->length;
    if (c->kicks && c->fitness >= c->top_fitness) {
        chromosome_copy(c->top, c->point, o->genome->words);
        c->top_fitness = c->fitness;
    }
}

/* Steps 2 and 3. */
static void propose(struct optimiser *o, int index)
{
    struct climb *c = o->state;
    struct stream s;
    uint64_t *chromosome = o->organisms[index].chromosome;
    chromosome_copy(chromosome, c->kicks ? c->top : c->point, o->genome->words);
    proposal_stream(o, &s, index);
    for (int k = 0; c->kicks && k < o->settings.hill_climbing.kick; k++)
        chromosome_flip(chromosome, (int)stream_below(&s, (uint64_t)o->genome->length));
    if (!c->kicks)
        chromosome_flip(chromosome, c->order[c->tried++ % o->genome->length]);
}

const struct optimiser_method hill_climbing_method = {.name = "hill-climbing",
                                                      .across_generations = true,
                                                      .one_bit = true,
                                                      .state = sizeof(struct climb),
                                                      .create = create,
                                                      .learn = learn,
                                                      .propose = propose};
