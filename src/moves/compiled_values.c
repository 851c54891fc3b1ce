#include "compiled_values.h"

#include "compiled_set.h"

#include <assert.h>

static_assert((int)VALUE_GROUP == (int)REPLAY_LANES, "a group fills the lanes");

struct value_group {
    const struct compiled_set *set;
    const struct replay *replay;
    void *lanes;
    int count;
};

struct value_group *value_group_create(const struct compiled_set *set, const struct replay *replay,
                                       struct error *err)
{
    struct value_group *g = calloc(1, sizeof *g);
    void *lanes = compiled_create_lanes(set, err);
    if (g == NULL || lanes == NULL) {
        error_set(err, "no memory for the weights of a group");
        free(g);
        free(lanes);
        return NULL;
    }
    *g = (struct value_group){set, replay != NULL ? replay : replay_best(), lanes, 0};
    return g;
}

void value_group_destroy(struct value_group *g)
{
    if (g == NULL)
        return;
    free(g->lanes);
    free(g);
}

void value_group_set(struct value_group *g, const int32_t *weights, int count)
{
    assert(count >= 1 && count <= VALUE_GROUP);
    g->set->method->pack(g->set, weights, count, g->lanes);
    g->count = count;
}

bool value_group_read(struct value_group *g, size_t i, double values[VALUE_GROUP])
{
    struct replayed played;
    if (g->set->positions[i].wide)
        return false;
    g->set->method->choose(g->set, i, g->replay, NULL, g->count, g->lanes, &played);
    for (int lane = 0; lane < g->count; lane++)
        values[lane] = -g->set->method->score(g->set, played.value[lane]);
    return true;
}
