#include "trace_protocol.h"

#include "parse.h"
#include "suggest.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words and numbers of a line ---- */

struct reader {
    const char *start;
    struct words rest;
    struct error *err;
};

/* Puts before a reason where it is: at a word, or at the end of the line. Returns false. */
static bool at_column(const struct reader *r, struct word word)
{
    const char *at = word.text != NULL ? word.text : r->rest.end;
    return error_prefix(r->err, "column %d: ", (int)(at - r->start) + 1);
}

/* Reads a number within [min, max]; `what` names it in the reason. */
static bool take_value(struct reader *r, const char *what, int32_t min, int32_t max,
                       int32_t *number)
{
    char shown[WORD_SHOWN];
    int64_t value;
    const struct word word = words_next(&r->rest);
    if (!word_number(word, INT32_MIN, INT32_MAX, &value) || value < min || value > max)
        return error_set(r->err, "%s is a whole number from %d to %d, not '%s'", what, min, max,
                         word_shown(word, shown)) ||
               at_column(r, word);
    *number = (int32_t)value;
    return true;
}

static bool take_end(struct reader *r)
{
    char shown[WORD_SHOWN];
    const struct word word = words_next(&r->rest);
    return word.text == NULL ||
           error_set(r->err, "'%s' follows, expected the end of the line",
                     word_shown(word, shown)) ||
           at_column(r, word);
}

/* What is left of the line is a reason of the evaluation. Returns false. */
static bool take_reason(struct reader *r)
{
    const struct word rest = words_rest(&r->rest);
    return error_set(r->err, "%.*s", rest.length, rest.length > 0 ? rest.text : "");
}

/* ---- the handshake ---- */

struct trace_rows {
    struct param params[EVALUATOR_WEIGHTS_MAX];
    char names[EVALUATOR_WEIGHTS_MAX][TRACE_NAME_MAX + 1];
};

/* Takes a name that can be a key in files and a word in other engines' formats. */
static bool take_name(struct reader *r, char name[TRACE_NAME_MAX + 1])
{
    char shown[WORD_SHOWN];
    const struct word word = words_next(&r->rest);
    bool good = word.length > 0 && word.length <= TRACE_NAME_MAX &&
                (isalpha((unsigned char)word.text[0]) || word.text[0] == '_');
    for (int i = 1; i < word.length && good; i++)
        good = isalnum((unsigned char)word.text[i]) || strchr("_.-[]", word.text[i]) != NULL;
    if (!good)
        return error_set(r->err,
                         "'%s' is not a name: up to %d letters, digits and _ . - [ ], "
                         "first a letter or _",
                         word_shown(word, shown), TRACE_NAME_MAX) ||
               at_column(r, word);
    memcpy(name, word.text, (size_t)word.length);
    name[word.length] = '\0';
    return true;
}

/* Takes the rest of "weight NAME VALUE MIN MAX". */
static bool take_weight(struct trace_weights *w, struct reader *r)
{
    const int32_t most = TRACE_VALUE_MAX;
    int32_t value, min, max;
    if (w->rows == NULL && (w->rows = calloc(1, sizeof *w->rows)) == NULL)
        return error_set(r->err, "no memory for the weights");
    w->table.kind = "trace";
    w->table.params = w->rows->params;
    if (w->table.count == EVALUATOR_WEIGHTS_MAX)
        return error_set(r->err, "more than %d weights", EVALUATOR_WEIGHTS_MAX);
    char *name = w->rows->names[w->table.count];
    if (!take_name(r, name) || !take_value(r, "VALUE", -most, most, &value) ||
        !take_value(r, "MIN", -most, most, &min) || !take_value(r, "MAX", -most, most, &max) ||
        !take_end(r))
        return false;
    if (min > max)
        return error_set(r->err, "MIN %d is more than MAX %d", min, max);
    if (value < min || value > max)
        return error_set(r->err, "VALUE %d is not from MIN %d to MAX %d", value, min, max);
    if (param_find(&w->table, name) >= 0)
        return error_set(r->err, "the weight %s is named twice", name);
    struct param *p = &w->rows->params[w->table.count++];
    *p = (struct param){
        .name = name, .min = min, .max = max, .initial = value, .sign = 1, .meaning = ""};
    p->bits = param_bits(p);
    return true;
}

enum trace_step trace_read_weights(struct trace_weights *w, const char *line, size_t length,
                                   struct error *err)
{
    struct reader r = {line, words_of(line, length), err};
    const struct word first = words_next(&r.rest);
    bool good = true;
    if (word_is(first, "weight")) {
        good = take_weight(w, &r);
    } else if (word_is(first, "scale")) {
        good = w->scale == 0
                   ? take_value(&r, "the scale", 1, TRACE_SCALE_MAX, &w->scale) && take_end(&r)
                   : error_set(err, "the scale is named a second time");
    } else if (word_is(first, "settable")) {
        w->settable = true;
        good = take_end(&r);
    } else if (word_is(first, "error")) {
        good = take_reason(&r);
    } else if (word_is(first, "traceok")) {
        if (w->table.count > 0 && w->scale > 0)
            return take_end(&r) ? TRACE_READY : TRACE_REFUSED;
        good = error_set(err, "no line '%s' before traceok",
                         w->table.count == 0 ? "weight NAME VALUE MIN MAX" : "scale N");
    }
    return good ? TRACE_GOES_ON : TRACE_REFUSED;
}

bool trace_same_weights(const struct trace_weights *a, const struct trace_weights *b,
                        struct error *err)
{
    if (a->table.count != b->table.count)
        return error_set(err, "%d weights, not %d", b->table.count, a->table.count);
    if (a->scale != b->scale)
        return error_set(err, "the scale is %d, not %d", b->scale, a->scale);
    for (int i = 0; i < a->table.count; i++) {
        const struct param *p = &a->table.params[i], *q = &b->table.params[i];
        if (strcmp(p->name, q->name) != 0)
            return error_set(err, "weight %d is %s, not %s", i, q->name, p->name);
        if (p->initial != q->initial || p->min != q->min || p->max != q->max)
            return error_set(err, "the weight %s is %d (%d to %d), not %d (%d to %d)", p->name,
                             q->initial, q->min, q->max, p->initial, p->min, p->max);
    }
    return true;
}

void trace_weights_set(struct trace_weights *w, int weight, int32_t value)
{
    struct param *p = &w->rows->params[weight];
    assert(weight < w->table.count && value >= p->min && value <= p->max);
    p->initial = value;
}

void trace_weights_free(struct trace_weights *w)
{
    free(w->rows);
    *w = (struct trace_weights){0};
}

/* ---- answers ---- */

/* Reads an optional minus and digits, at most nine. Returns the end; NULL if there are none, or more. */
static inline const char *read_number(const char *at, const char *end, int32_t *number)
{
    const bool negative = at < end && *at == '-';
    const char *first = at += negative;
    int32_t sum = 0;
    for (; at < end && (unsigned char)(*at - '0') < 10 && at - first < 10; at++)
        sum = at - first < 9 ? 10 * sum + (*at - '0') : sum;
    *number = negative ? -sum : sum;
    return at > first && at - first < 10 ? at : NULL;
}

static inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reads "WEIGHT:COUNT WEIGHT:COUNT ..." up to the end of the line. */
static bool take_entries(struct reader *r, int weights, struct weight_count *items, int *count)
{
    const char *at = r->rest.at, *end = r->rest.end;
    int last = -1, found = 0;
    for (;;) {
        int32_t weight, times = 0;
        char shown[WORD_SHOWN];
        while (at < end && is_blank(*at))
            at++;
        if (at == end)
            break;
        const char *colon = read_number(at, end, &weight);
        const char *next = colon != NULL && colon < end && *colon == ':'
                               ? read_number(colon + 1, end, &times)
                               : NULL;
        struct words here = {at, end};
        bool good = true;
        if (next == NULL || *at == '-' || (next < end && !is_blank(*next)))
            good = error_set(r->err, "expected WEIGHT:COUNT, not '%s'",
                             word_shown(words_peek(&here), shown));
        else if (weight >= weights)
            good = error_set(r->err, "a count for weight %d, but there are %d, counted from 0",
                             weight, weights);
        else if (weight <= last)
            good = error_set(r->err, "weight %d after weight %d; indices rise", weight, last);
        else if (times < -TRACE_COUNT_MAX || times > TRACE_COUNT_MAX)
            good = error_set(r->err, "the count %d of weight %d is beyond %d", times, weight,
                             TRACE_COUNT_MAX);
        if (!good)
            return at_column(r, words_peek(&here));
        last = weight;
        items[found] = (struct weight_count){(uint16_t)weight, (int16_t)times};
        found += times != 0;
        at = next;
    }
    *count = found;
    return true;
}

bool trace_read_answer(const char *line, size_t length, int weights, struct weight_count *items,
                       int32_t *score, struct leaf_counts *counts, struct error *err)
{
    struct reader r = {line, words_of(line, length), err};
    const int32_t most = TRACE_VALUE_MAX;
    if (word_is(words_peek(&r.rest), "error")) {
        words_next(&r.rest);
        return take_reason(&r);
    }
    if (!take_value(&r, "SCORE", -most, most, score))
        return false;
    const struct word bias = words_next(&r.rest);
    if (!word_is(bias, "bias"))
        return error_set(err, "expected 'bias'") || at_column(&r, bias);
    if (!take_value(&r, "BIAS", -most, most, &counts->bias))
        return false;
    counts->items = items;
    return take_entries(&r, weights, items, &counts->count);
}

size_t trace_write_answer(char *text, int32_t score, const struct leaf_counts *counts)
{
    int length = sprintf(text, "%d bias %d", score, counts->bias);
    for (int i = 0; i < counts->count; i++)
        length += sprintf(text + length, " %d:%d", counts->items[i].weight, counts->items[i].count);
    return (size_t)length;
}

uint64_t trace_counts_sum(const struct leaf_counts *counts)
{
    /* FNV-1a */
    uint64_t sum = 0xcbf29ce484222325 ^ (uint32_t)counts->bias;
    for (int i = 0; i < counts->count; i++) {
        sum = (sum ^ counts->items[i].weight) * 0x100000001b3;
        sum = (sum ^ (uint16_t)counts->items[i].count) * 0x100000001b3;
    }
    return sum;
}

bool trace_is_linear(const struct trace_weights *w, int32_t score, const struct leaf_counts *counts,
                     struct error *err)
{
    int64_t sum = (int64_t)w->scale * counts->bias;
    for (int i = 0; i < counts->count; i++)
        sum += (int64_t)w->table.params[counts->items[i].weight].initial * counts->items[i].count;
    const int64_t difference = (int64_t)w->scale * score - sum;
    if (difference > -w->scale && difference < w->scale)
        return true;
    return error_set(err, "its score is %d, but its counts times its weights give %.2f", score,
                     (double)sum / w->scale);
}

bool trace_genes_bind(const struct trace_weights *w, const struct param_table *space,
                      struct param *params, struct error *err)
{
    for (int i = 0; i < w->table.count; i++) {
        params[i] = w->table.params[i];
        params[i].bits = 0;
        params[i].min = params[i].max = params[i].initial;
    }
    for (int i = 0; i < space->count; i++) {
        const struct param *gene = &space->params[i];
        const int at = param_find(&w->table, gene->name);
        if (at < 0) {
            struct suggestion s;
            suggest_init(&s, gene->name);
            for (int k = 0; k < w->table.count; k++)
                suggest_offer(&s, w->table.params[k].name, w->table.params[k].name);
            return error_set(err, "the evaluation has no weight %s%s%s%s", gene->name,
                             s.name != NULL ? "; did you mean " : "", s.name != NULL ? s.name : "",
                             s.name != NULL ? "?" : "");
        }
        const struct param *weight = &w->table.params[at];
        if (gene->min < weight->min || gene->max > weight->max)
            return error_set(err, "%s: %d to %d is not within the evaluation's %d to %d",
                             gene->name, gene->min, gene->max, weight->min, weight->max);
        params[at] = *gene;
        params[at].name = weight->name;
    }
    return true;
}
