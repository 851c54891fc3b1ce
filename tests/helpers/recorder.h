/* What a search tells its observer, kept to be looked at, and summed up in one number. */
#ifndef GRAYLING_RECORDER_H
#define GRAYLING_RECORDER_H

#include "engine.h"

#include <string.h>

enum { RECORDED = 4096, RECORDED_PV = 16 };

enum told_sort { TOLD_BEST, TOLD_LINE };

struct told {
    enum told_sort sort;
    Move move; /* the best, or the first of the line */
    int index, depth, seldepth, length;
    int32_t score;
    enum bound bound;
    uint64_t nodes;
};

struct recorder {
    struct told told[RECORDED];
    int count;
    int end_after;      /* > 0: what is told as this number answers that the search should end */
    int polls, stop_at; /* `stop_at` > 0: the number of the poll that ends the search */
    const struct position *root;
    int bad_lines; /* lines that are not legal from the root */
    uint64_t sum;
};

static inline void recorder_add(struct recorder *r, uint64_t value)
{
    r->sum = (r->sum ^ value) * UINT64_C(0x100000001b3) + 1;
}

/* Keeps it, and answers whether the search may go on. */
static inline bool recorder_keep(struct recorder *r, struct told t)
{
    recorder_add(r, (uint64_t)t.sort << 32 | t.move);
    recorder_add(r, (uint64_t)t.depth << 32 | (uint32_t)t.score);
    recorder_add(r, t.nodes << 8 | (uint64_t)t.bound << 4 | (uint64_t)t.index);
    if (r->count < RECORDED)
        r->told[r->count] = t;
    r->count++;
    return r->count != r->end_after;
}

static inline bool recorder_best(void *context, Move best, int depth, uint64_t nodes)
{
    return recorder_keep(
        context, (struct told){.sort = TOLD_BEST, .move = best, .depth = depth, .nodes = nodes});
}

/* Whether the moves can be played one after the other. */
static inline bool is_legal_line(const struct position *root, const Move *moves, int length)
{
    struct position p = *root;
    for (int i = 0; i < length; i++) {
        struct undo undo;
        if (!movegen_is_legal(&p, moves[i]))
            return false;
        position_make(&p, moves[i], &undo);
    }
    return length > 0;
}

static inline bool recorder_line(void *context, const struct search_line *line)
{
    struct recorder *r = context;
    for (int i = 0; i < line->length; i++)
        recorder_add(r, line->moves[i]);
    recorder_add(r, (uint64_t)line->seldepth);
    if (r->root != NULL)
        r->bad_lines += !is_legal_line(r->root, line->moves, line->length);
    return recorder_keep(r, (struct told){.sort = TOLD_LINE,
                                          .move = line->moves[0],
                                          .index = line->index,
                                          .depth = line->depth,
                                          .seldepth = line->seldepth,
                                          .length = line->length,
                                          .score = line->score,
                                          .bound = line->bound,
                                          .nodes = line->nodes});
}

static inline bool recorder_stop(void *context)
{
    struct recorder *r = context;
    return ++r->polls == r->stop_at;
}

/* An observer that tells the recorder. */
static inline struct search_observer recorder_observer(struct recorder *r)
{
    return (struct search_observer){
        .context = r, .stop = recorder_stop, .best = recorder_best, .line = recorder_line};
}

#endif
