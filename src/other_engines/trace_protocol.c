#include "trace_protocol.h"

#include "suggest.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words and numbers of a line ---- */

/* A line being read. */
struct reader {
    const char *start, *at, *end;
    struct error *err;
};

static struct reader reader_of(const char *line, size_t length, struct error *err)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    return (struct reader){line, line, line + length, err};
}

/* Reports what is wrong at the reader's place. Returns false. */
__attribute__((format(printf, 2, 3))) static bool wrong(const struct reader *r, const char *format,
                                                        ...)
{
    char reason[200];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return error_set(r->err, "column %d: %s", (int)(r->at - r->start) + 1, reason);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline void skip_blanks(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

/* The length of the word at the reader's place. */
static int word_length(const struct reader *r)
{
    const char *at = r->at;
    while (at < r->end && !is_blank(*at))
        at++;
    return (int)(at - r->at);
}

/* Moves past `word` and the blanks after it, if it is the next word. */
static bool take_word(struct reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0 ||
        (r->at + length < r->end && !is_blank(r->at[length])))
        return false;
    r->at += length;
    skip_blanks(r);
    return true;
}

/* Reads digits as a number of at most nine of them. False if there are none, or more. */
static inline bool take_digits(struct reader *r, int32_t *number)
{
    const char *at = r->at, *end = r->end - at > 10 ? at + 10 : r->end;
    int32_t sum = 0;
    for (; at < end && (unsigned char)(*at - '0') < 10 && at - r->at < 9; at++)
        sum = 10 * sum + (*at - '0');
    if (at == r->at || (at < r->end && (unsigned char)(*at - '0') < 10))
        return false;
    r->at = at;
    *number = sum;
    return true;
}

/* Reads a number with an optional minus. */
static inline bool take_number(struct reader *r, int32_t *number)
{
    const char *start = r->at;
    bool negative = r->at < r->end && *r->at == '-';
    r->at += negative;
    if (!take_digits(r, number)) {
        r->at = start;
        return false;
    }
    if (negative)
        *number = -*number;
    return true;
}

/* Reads a number that is a word, within [min, max]; `what` names it in the reason. */
static bool take_value(struct reader *r, const char *what, int32_t min, int32_t max,
                       int32_t *number)
{
    const char *start = r->at;
    bool good = take_number(r, number) && (r->at == r->end || is_blank(*r->at)) && *number >= min &&
                *number <= max;
    if (!good) {
        r->at = start;
        int length = word_length(r);
        return wrong(r, "%s is a whole number from %d to %d, not '%.*s'", what, min, max,
                     length < 40 ? length : 40, r->at);
    }
    skip_blanks(r);
    return true;
}

/* The line must be over. */
static bool take_end(const struct reader *r)
{
    int length = word_length(r);
    return length == 0 || wrong(r, "'%.*s' follows, expected the end of the line",
                                length < 40 ? length : 40, r->at);
}

/* ---- the handshake ---- */

struct trace_rows {
    struct param params[EVALUATOR_WEIGHTS_MAX];
    char names[EVALUATOR_WEIGHTS_MAX][TRACE_NAME_MAX + 1];
};

/* Whether a name can be a key in files and a word in other engines' formats. */
static bool is_name(const char *name, int length)
{
    bool good = length > 0 && length <= TRACE_NAME_MAX &&
                (isalpha((unsigned char)name[0]) || name[0] == '_');
    for (int i = 1; i < length && good; i++)
        good = isalnum((unsigned char)name[i]) || (name[i] != '\0' && strchr("_.-[]", name[i]));
    return good;
}

static bool take_name(struct reader *r, char name[TRACE_NAME_MAX + 1])
{
    int length = word_length(r);
    if (!is_name(r->at, length))
        return wrong(r,
                     "'%.*s' is not a name: up to %d letters, digits and _ . - [ ], "
                     "first a letter or _",
                     length < 70 ? length : 70, r->at, TRACE_NAME_MAX);
    memcpy(name, r->at, (size_t)length);
    name[length] = '\0';
    r->at += length;
    skip_blanks(r);
    return true;
}

/* Makes room for rows before the first. */
static bool reserve(struct trace_weights *w, struct error *err)
{
    if (w->rows == NULL && (w->rows = calloc(1, sizeof *w->rows)) == NULL)
        return error_set(err, "no memory for the weights");
    w->table.kind = "trace";
    w->table.params = w->rows->params;
    return w->table.count < EVALUATOR_WEIGHTS_MAX ||
           error_set(err, "more than %d weights", EVALUATOR_WEIGHTS_MAX);
}

/* Takes the rest of "weight NAME VALUE MIN MAX". */
static bool take_weight(struct trace_weights *w, struct reader *r)
{
    const int32_t most = TRACE_VALUE_MAX;
    int32_t value, min, max;
    if (!reserve(w, r->err))
        return false;
    char *name = w->rows->names[w->table.count];
    if (!take_name(r, name) || !take_value(r, "VALUE", -most, most, &value) ||
        !take_value(r, "MIN", -most, most, &min) || !take_value(r, "MAX", -most, most, &max) ||
        !take_end(r))
        return false;
    if (min > max)
        return error_set(r->err, "MIN %d is more than MAX %d", min, max);
    if (value < min || value > max)
        return error_set(r->err, "VALUE %d is not from MIN %d to MAX %d", value, min, max);
    struct param *p = &w->rows->params[w->table.count++];
    *p = (struct param){
        .name = name, .min = min, .max = max, .initial = value, .sign = 1, .meaning = ""};
    p->bits = param_bits(p);
    return true;
}

/* Takes the rest of "settable". */
static bool take_settable(struct trace_weights *w, const struct reader *r)
{
    w->settable = true;
    return take_end(r);
}

/* Takes the rest of "scale N". */
static bool take_scale(struct trace_weights *w, struct reader *r)
{
    if (w->scale != 0)
        return error_set(r->err, "the scale is named a second time");
    return take_value(r, "the scale", 1, TRACE_SCALE_MAX, &w->scale) && take_end(r);
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* False if two weights have the same name. */
static bool check_names(const struct trace_weights *w, struct error *err)
{
    const char *names[EVALUATOR_WEIGHTS_MAX];
    int count = w->table.count;
    for (int i = 0; i < count; i++)
        names[i] = w->rows->names[i];
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 1; i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            return error_set(err, "the weight %s is named twice", names[i]);
    return true;
}

/* Takes the end of the handshake. */
static bool take_ready(const struct trace_weights *w, struct reader *r)
{
    if (w->table.count == 0)
        return error_set(r->err, "no line 'weight NAME VALUE MIN MAX' before traceok");
    if (w->scale == 0)
        return error_set(r->err, "no line 'scale N' before traceok");
    return take_end(r) && check_names(w, r->err);
}

enum trace_step trace_read_weights(struct trace_weights *w, const char *line, size_t length,
                                   struct error *err)
{
    struct reader r = reader_of(line, length, err);
    bool good = true, ready = false;
    if (take_word(&r, "weight"))
        good = take_weight(w, &r);
    else if (take_word(&r, "scale"))
        good = take_scale(w, &r);
    else if (take_word(&r, "settable"))
        good = take_settable(w, &r);
    else if (take_word(&r, "error"))
        good = error_set(err, "%.*s", (int)(r.end - r.at), r.at);
    else if (take_word(&r, "traceok"))
        good = ready = take_ready(w, &r);
    return !good ? TRACE_REFUSED : ready ? TRACE_READY : TRACE_GOES_ON;
}

/* False if weight i is not the same in both. */
static bool check_same(const struct param *a, const struct param *b, int i, struct error *err)
{
    if (strcmp(a->name, b->name) != 0)
        return error_set(err, "weight %d is %s, not %s", i, b->name, a->name);
    if (a->initial != b->initial || a->min != b->min || a->max != b->max)
        return error_set(err, "the weight %s is %d (%d to %d), not %d (%d to %d)", a->name,
                         b->initial, b->min, b->max, a->initial, a->min, a->max);
    return true;
}

bool trace_same_weights(const struct trace_weights *a, const struct trace_weights *b,
                        struct error *err)
{
    if (a->table.count != b->table.count)
        return error_set(err, "%d weights, not %d", b->table.count, a->table.count);
    if (a->scale != b->scale)
        return error_set(err, "the scale is %d, not %d", b->scale, a->scale);
    for (int i = 0; i < a->table.count; i++)
        if (!check_same(&a->table.params[i], &b->table.params[i], i, err))
            return false;
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

/* Explains why no entry could be read at the reader's place. Returns false. */
static bool wrong_entry(const struct reader *r, int weights, int last)
{
    struct reader again = *r;
    int32_t weight, count;
    if (!take_digits(&again, &weight) || again.at == again.end || *again.at++ != ':' ||
        !take_number(&again, &count) || (again.at < again.end && !is_blank(*again.at)))
        return wrong(r, "expected WEIGHT:COUNT, not '%.*s'",
                     word_length(r) < 40 ? word_length(r) : 40, r->at);
    if (weight >= weights)
        return wrong(r, "a count for weight %d, but there are %d, counted from 0", weight, weights);
    if (weight <= last)
        return wrong(r, "weight %d after weight %d; indices rise", weight, last);
    return wrong(r, "the count %d of weight %d is beyond %d", count, weight, TRACE_COUNT_MAX);
}

/* Reads one "WEIGHT:COUNT", whose index is above `last` and below `weights`. */
static inline bool take_entry(struct reader *r, int weights, int last, int32_t *weight,
                              int32_t *count)
{
    const struct reader before = *r;
    bool good = take_digits(r, weight) && r->at < r->end && *r->at++ == ':' &&
                take_number(r, count) && (r->at == r->end || is_blank(*r->at)) &&
                *weight<weights && * weight> last && *count >= -TRACE_COUNT_MAX &&
                *count <= TRACE_COUNT_MAX;
    return good || wrong_entry(&before, weights, last);
}

/* Reads the entries up to the end of the line. */
static bool take_entries(struct reader *r, int weights, struct weight_count *items, int *count)
{
    int last = -1, found = 0;
    for (; r->at < r->end; skip_blanks(r)) {
        int32_t weight = 0, times = 0;
        if (!take_entry(r, weights, last, &weight, &times))
            return false;
        last = weight;
        items[found] = (struct weight_count){(uint16_t)weight, (int16_t)times};
        found += times != 0;
    }
    *count = found;
    return true;
}

bool trace_read_answer(const char *line, size_t length, int weights, struct weight_count *items,
                       int32_t *score, struct leaf_counts *counts, struct error *err)
{
    struct reader r = reader_of(line, length, err);
    const int32_t most = TRACE_VALUE_MAX;
    skip_blanks(&r);
    if (take_word(&r, "error"))
        return error_set(err, "%.*s", (int)(r.end - r.at), r.at);
    if (!take_value(&r, "SCORE", -most, most, score))
        return false;
    if (!take_word(&r, "bias"))
        return wrong(&r, "expected 'bias'");
    if (!take_value(&r, "BIAS", -most, most, &counts->bias))
        return false;
    counts->items = items;
    return take_entries(&r, weights, items, &counts->count);
}

/* Writes a number. Returns the end of the text. */
static inline char *write_number(char *to, int32_t number)
{
    char digits[12];
    int count = 0;
    uint32_t rest = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;
    if (number < 0)
        *to++ = '-';
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

size_t trace_write_answer(char *text, int32_t score, const struct leaf_counts *counts)
{
    char *to = write_number(text, score);
    memcpy(to, " bias ", 6);
    to = write_number(to + 6, counts->bias);
    for (int i = 0; i < counts->count; i++) {
        *to++ = ' ';
        to = write_number(to, counts->items[i].weight);
        *to++ = ':';
        to = write_number(to, counts->items[i].count);
    }
    return (size_t)(to - text);
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

int64_t trace_scaled_score(const struct trace_weights *w, const struct leaf_counts *counts)
{
    const struct param *params = w->table.params;
    int64_t sum = (int64_t)w->scale * counts->bias;
    for (int i = 0; i < counts->count; i++)
        sum += (int64_t)params[counts->items[i].weight].initial * counts->items[i].count;
    return sum;
}

bool trace_is_linear(const struct trace_weights *w, int32_t score, const struct leaf_counts *counts,
                     struct error *err)
{
    int64_t sum = trace_scaled_score(w, counts), difference = (int64_t)w->scale * score - sum;
    if (difference > -w->scale && difference < w->scale)
        return true;
    return error_set(err, "its score is %d, but its counts times its weights give %.2f", score,
                     (double)sum / w->scale);
}

/* Reports a name that the evaluation has not, with the closest that it has. Returns false. */
static bool refuse_name(const struct param_table *weights, const char *name, struct error *err)
{
    struct suggestion s;
    suggest_init(&s, name);
    for (int i = 0; i < weights->count; i++)
        suggest_offer(&s, weights->params[i].name, weights->params[i].name);
    if (s.name == NULL)
        return error_set(err, "the evaluation has no weight %s", name);
    return error_set(err, "the evaluation has no weight %s; did you mean %s?", name, s.name);
}

/* A weight that does not evolve. */
static struct param constant(const struct param *weight)
{
    struct param p = *weight;
    p.bits = 0;
    p.min = p.max = p.initial;
    return p;
}

/* Gives a weight the range of its gene. */
static bool bind(const struct param *gene, const struct param *weight, struct param *bound,
                 struct error *err)
{
    if (gene->min < weight->min || gene->max > weight->max)
        return error_set(err, "%s: %d to %d is not within the evaluation's %d to %d", gene->name,
                         gene->min, gene->max, weight->min, weight->max);
    *bound = *gene;
    bound->name = weight->name;
    return true;
}

bool trace_genes_bind(const struct trace_weights *w, const struct param_table *space,
                      struct param *params, struct error *err)
{
    for (int i = 0; i < w->table.count; i++)
        params[i] = constant(&w->table.params[i]);
    for (int i = 0; i < space->count; i++) {
        int weight = param_find(&w->table, space->params[i].name);
        if (weight < 0)
            return refuse_name(&w->table, space->params[i].name, err);
        if (!bind(&space->params[i], &w->table.params[weight], &params[weight], err))
            return false;
    }
    return true;
}
