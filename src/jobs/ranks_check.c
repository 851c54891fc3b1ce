/* Comparing results: a sample of jobs is done by two ranks, on different hosts where there are several.
 * Where two results differ, a third rank decides which one is wrong. */
#include "ranks_internal.h"

#include <stdlib.h>
#include <string.h>

/* A job that is compared, and the results of the ranks that did it. */
struct sample {
    struct sample *next;
    size_t number;
    int count; /* results */
    int by[3];
    bool away;               /* a rank has it */
    unsigned char results[]; /* three of them */
};

struct checks {
    struct ranks *r;
    const struct job_kind *kind;
    struct sample *samples;
    int hosts;
};

/* True if ranks are of different hosts. */
static bool far_apart(const struct ranks *r, int a, int b)
{
    return strcmp(r->peers[a].host, r->peers[b].host) != 0;
}

struct checks *checks_create(struct ranks *r, const struct job_kind *kind)
{
    struct checks *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->r = r;
    c->kind = kind;
    c->hosts = 1;
    for (int rank = 1; rank < r->count; rank++)
        c->hosts += far_apart(r, 0, rank);
    return c;
}

void checks_destroy(struct checks *c)
{
    if (c == NULL)
        return;
    while (c->samples != NULL) {
        struct sample *next = c->samples->next;
        free(c->samples);
        c->samples = next;
    }
    free(c);
}

static unsigned char *result_of(const struct checks *c, struct sample *s, int i)
{
    return s->results + (size_t)i * c->kind->result_size;
}

bool checks_draw(struct checks *c, int from, struct group *g)
{
    const size_t size = c->kind->result_size;
    for (size_t number = g->first; number < g->first + g->done; number++) {
        c->r->check_due += c->r->check_share;
        if (c->r->check_due < 1)
            continue;
        c->r->check_due -= 1;
        struct sample *s = calloc(1, sizeof *s + 3 * size);
        if (s == NULL)
            return false;
        s->number = number;
        s->by[0] = from;
        s->count = 1;
        memcpy(s->results, group_result(g, c->kind, number), size);
        s->next = c->samples;
        c->samples = s;
    }
    return true;
}

/* True if the rank may do the job again: it has not, and is on another host than who did it first. */
static bool may_do(const struct checks *c, const struct sample *s, int rank)
{
    bool did = false;
    for (int i = 0; i < s->count; i++)
        did = did || s->by[i] == rank;
    return !did && !s->away && (s->count > 1 || c->hosts == 1 || far_apart(c->r, s->by[0], rank));
}

struct group *checks_next(struct checks *c, int rank)
{
    struct sample *s = c->samples;
    while (s != NULL && !may_do(c, s, rank))
        s = s->next;
    struct group *g = s == NULL ? NULL : group_create(c->kind, s->number, 1);
    if (g == NULL)
        return NULL;
    g->checks = true;
    s->away = true;
    return g;
}

/* The sample of a group, or NULL. */
static struct sample **find(struct checks *c, const struct group *g)
{
    struct sample **at = &c->samples;
    while (*at != NULL && (*at)->number != g->first)
        at = &(*at)->next;
    return at;
}

void checks_return(struct checks *c, struct group *g)
{
    struct sample *s = *find(c, g);
    if (s != NULL)
        s->away = false;
    free(g);
}

static bool equal(const struct checks *c, struct sample *s, int a, int b)
{
    return memcmp(result_of(c, s, a), result_of(c, s, b), c->kind->result_size) == 0;
}

/* Breaks, and names the rank whose result is the odd one out, or both of two. */
static bool accuse(struct checks *c, struct sample *s)
{
    struct ranks *r = c->r;
    const struct peer *a = &r->peers[s->by[0]], *b = &r->peers[s->by[1]];
    const int wrong = s->count < 3        ? -1
                      : equal(c, s, 0, 2) ? s->by[1]
                      : equal(c, s, 1, 2) ? s->by[0]
                                          : -1;
    if (wrong >= 0)
        return ranks_break(r,
                           "rank %d on host %s computes something else than others: job %zu "
                           "has two results",
                           wrong, r->peers[wrong].host, s->number + 1);
    return ranks_break(r,
                       "rank %d on host %s and rank %d on host %s have different results of job "
                       "%zu; one of them computes wrongly",
                       s->by[0], a->host, s->by[1], b->host, s->number + 1);
}

bool checks_take(struct checks *c, int from, struct group *g)
{
    struct sample **at = find(c, g), *s = *at;
    if (s != NULL) {
        memcpy(result_of(c, s, s->count), g->results, c->kind->result_size);
        s->by[s->count++] = from;
        s->away = false;
    }
    free(g);
    if (s == NULL)
        return true;
    if (s->count == 2 && !equal(c, s, 0, 1) && c->r->count > 2)
        return true; /* a third rank decides */
    bool same = s->count == 2 && equal(c, s, 0, 1);
    if (!same)
        return accuse(c, s);
    *at = s->next;
    free(s);
    return true;
}

bool checks_wait(const struct checks *c)
{
    return c->samples != NULL;
}
