/* Any bytes as what an evaluation says over the trace protocol: lines of a handshake up to `traceok`,
 * then answers. Weights that are taken are in order and within their limits; so are counts, and an
 * answer that is written again reads the same. */
#include "fuzz.h"
#include "trace_protocol.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 6000 };

static void check_weights(const struct trace_weights *w)
{
    assert(w->table.count >= 1 && w->table.count <= EVALUATOR_WEIGHTS_MAX && w->scale >= 1);
    for (int i = 0; i < w->table.count; i++) {
        const struct param *p = &w->table.params[i];
        assert(p->name[0] != '\0' && strlen(p->name) <= TRACE_NAME_MAX);
        assert(p->min <= p->initial && p->initial <= p->max);
        assert((int64_t)p->max - p->min < (int64_t)1 << p->bits);
    }
    assert(trace_same_weights(w, w, NULL));
}

/* Sets all weights to ends of their ranges, as the check does. */
static void set_weights(struct trace_weights *w)
{
    for (int i = 0; w->settable && i < w->table.count; i++)
        trace_weights_set(w, i, i % 2 == 0 ? w->table.params[i].min : w->table.params[i].max);
}

/* Writes the answer and reads it again. */
static void check_written(int32_t score, const struct leaf_counts *counts, int weights)
{
    static char text[TRACE_LINE_MAX];
    static struct weight_count items[EVALUATOR_WEIGHTS_MAX];
    struct leaf_counts again;
    int32_t score_again;
    size_t length = trace_write_answer(text, score, counts);
    assert(length < sizeof text);
    assert(trace_read_answer(text, length, weights, items, &score_again, &again, NULL));
    assert(score_again == score && again.bias == counts->bias && again.count == counts->count);
    assert(memcmp(items, counts->items, (size_t)counts->count * sizeof *items) == 0);
}

static void check_answer(const struct trace_weights *w, const char *line, size_t length)
{
    static struct weight_count items[EVALUATOR_WEIGHTS_MAX];
    struct leaf_counts counts;
    struct error err = {""};
    int32_t score;
    if (!trace_read_answer(line, length, w->table.count, items, &score, &counts, &err))
        return;
    assert(counts.count <= w->table.count);
    for (int i = 0; i < counts.count; i++) {
        assert(items[i].weight < w->table.count && items[i].count != 0);
        assert(i == 0 || items[i].weight > items[i - 1].weight);
    }
    trace_is_linear(w, score, &counts, &err);
    check_written(score, &counts, w->table.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace_weights w = {0};
    struct error err = {""};
    enum trace_step step = TRACE_GOES_ON;
    const char *at = (const char *)data, *end = at + size;
    for (int lines = 0; at < end && step != TRACE_REFUSED && lines < LINES; lines++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((feed != NULL ? feed : end) - at);
        if (step == TRACE_READY)
            check_answer(&w, at, length);
        else if ((step = trace_read_weights(&w, at, length, &err)) == TRACE_READY) {
            set_weights(&w);
            check_weights(&w);
        }
        at += length + (feed != NULL);
    }
    trace_weights_free(&w);
    return 0;
}
