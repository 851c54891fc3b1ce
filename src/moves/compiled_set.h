/* How the trees of a compiled set grow. For this room alone. */
#ifndef GRAYLING_COMPILED_SET_H
#define GRAYLING_COMPILED_SET_H

#include "compiled.h"
#include "jobs.h"
#include "param.h"
#include "replay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Some of the root moves of a position: bit m stands for the move m in canonical order. */
struct move_mask {
    uint64_t bits[MAX_MOVES / 64];
};

/* Positions in a job: enough leaves to keep a pipeline to another process busy. */
enum { GROWN = 8 };

/* A set that is being compiled. Each job grows the trees of its own positions, a set without a table, whose arrays
 * are appended to those of the set in order. The first worker writes the evaluation's table and scale to the set. */
struct compiling {
    const struct epd *positions;
    size_t count;
    const struct compiled_settings *settings;
    const struct evaluator_source *source; /* that of the settings, or the paper's */
    const struct move_mask *masks;         /* the moves to keep, by position; NULL: all */
    struct compiled_set *set;
    struct compiled_set **grown; /* by job: of GROWN positions, while they are not in the set */
    bool is_short;               /* the set has no memory */
    int64_t before;              /* what the watcher is told is done before the set */
};

/* The worker of a thread that grows trees (growth.c): its counts come from an evaluator, and each leaf is kept
 * as the difference from a leaf before it, or from nothing (replay.h). Functions of struct job_kind; the
 * context is the struct compiling. */
void *growth_begin(const void *compiling, struct error *err);
void growth_finish(void *worker);
bool growth_work(struct job *job, void *result, struct error *err);

static inline struct replay_tree compiled_tree(const struct compiled_set *set, size_t i)
{
    const struct compiled_position *at = &set->positions[i];
    return (struct replay_tree){set->rows + at->first_row, set->terms + at->first_term,
                                set->roots + at->first_root, at->moves};
}

/* The score that a value of the leaves stands for, in the unit of the weights; mates as in evaluate.h. */
double compiled_score(const struct compiled_set *set, double value);

/* The array, perhaps moved, with room for `needed` items. NULL, and unchanged, without memory. */
static inline void *with_room(void *items, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return items;
    size_t wanted = 2 * *room > needed ? 2 * *room : needed + 255;
    void *moved = realloc(items, wanted * size);
    if (moved != NULL)
        *room = wanted;
    return moved;
}

#endif
