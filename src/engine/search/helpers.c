#include "helpers.h"

#include "thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct helper {
    struct tree tree;
    struct search_observer observer;
    struct helpers *all;
    pthread_t thread;
    bool running;
    atomic_uint_fast64_t nodes; /* as of its last poll */
};

struct helpers {
    int count;
    atomic_bool over;
    struct helper of[];
};

/* ---- life cycle ---- */

struct helpers *helpers_create(int count, struct error *err)
{
    struct helpers *h = calloc(1, sizeof *h + (size_t)count * sizeof h->of[0]);
    if (h == NULL) {
        error_set(err, "no memory for %d threads", count + 1);
        return NULL;
    }
    h->count = count;
    return h;
}

void helpers_destroy(struct helpers *h)
{
    free(h);
}

void helpers_clear(struct helpers *h, bool evaluation)
{
    for (int i = 0; h != NULL && i < h->count; i++) {
        struct tree *t = &h->of[i].tree;
        tree_forget(t);
        if (evaluation)
            evaluation_cache_clear(&t->pawns);
    }
}

/* ---- a search ---- */

/* Publishes the nodes so far, and tells whether the main search is over. */
static bool poll(void *context)
{
    struct helper *helper = context;
    atomic_store_explicit(&helper->nodes, helper->tree.nodes, memory_order_relaxed);
    return atomic_load_explicit(&helper->all->over, memory_order_relaxed);
}

/* Copies what a search is given and begins with; what the helper has learned stays. */
static void follow(struct helper *helper, const struct tree *t)
{
    struct tree *mine = &helper->tree;
    mine->position = t->position;
    mine->history = t->history;
    mine->evaluation = t->evaluation;
    mine->worth = t->worth;
    mine->params = t->params;
    mine->tt = t->tt;
    mine->nodes = mine->next_poll = 0;
    mine->node_limit = UINT64_MAX;
    mine->stopped = false;
    mine->iteration = mine->seldepth = 0;
    mine->root_count = t->root_count;
    memset(mine->ordering.killers, 0, sizeof mine->ordering.killers);
    memcpy(mine->frames, t->frames, sizeof mine->frames);
    memcpy(mine->root, t->root, (size_t)t->root_count * sizeof t->root[0]);
}

static void *work(void *context)
{
    struct helper *helper = context;
    const struct search_limits none = {0};
    tree_deepen(&helper->tree, &none);
    poll(helper);
    return NULL;
}

void helpers_begin(struct helpers *h, const struct tree *t)
{
    if (h != NULL)
        atomic_store(&h->over, false);
    for (int i = 0; h != NULL && i < h->count; i++) {
        struct helper *helper = &h->of[i];
        follow(helper, t);
        helper->all = h;
        helper->observer = (struct search_observer){.context = helper, .stop = poll};
        helper->tree.observer = &helper->observer;
        helper->tree.number = i + 1;
        atomic_store(&helper->nodes, 0);
        helper->running = thread_start(&helper->thread, work, helper) == 0;
    }
}

void helpers_end(struct helpers *h)
{
    if (h == NULL)
        return;
    atomic_store(&h->over, true);
    for (int i = 0; i < h->count; i++) {
        if (h->of[i].running)
            pthread_join(h->of[i].thread, NULL);
        h->of[i].running = false;
    }
}

uint64_t helpers_nodes(const struct helpers *h)
{
    uint64_t sum = 0;
    for (int i = 0; i < h->count; i++)
        sum += atomic_load_explicit(&h->of[i].nodes, memory_order_relaxed);
    return sum;
}
