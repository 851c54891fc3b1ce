/* The trace protocol as text (docs/trace-protocol.md): lines in, values out, and back. Nothing here
 * reads, writes or waits.
 *
 *     weight KNIGHT_MG 337 0 1023     trace_read_weights: the lines of the handshake
 *     scale 24
 *     settable
 *     traceok
 *     31 bias 0 0:24 1:-12            trace_read_answer, trace_write_answer: the answer for a position
 *
 * A line is given without its newline; a carriage return at its end is ignored. */
#ifndef GRAYLING_TRACE_PROTOCOL_H
#define GRAYLING_TRACE_PROTOCOL_H

#include "error.h"
#include "leaf_counts.h"
#include "param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TRACE_NAME_MAX = 63,       /* bytes of a weight's name */
    TRACE_VALUE_MAX = 1000000, /* values and ranges of weights, scores and biases, of either sign */
    TRACE_COUNT_MAX = 32767,   /* counts, of either sign */
    TRACE_SCALE_MAX = 32767,   /* scales, from 1 */
    TRACE_LINE_MAX = 64 * 1024 /* bytes of a line: all weights with their longest counts fit */
};

/* ---- the handshake */

struct trace_rows;

/* The weights that an evaluation names. All zero before the first line. */
struct trace_weights {
    struct param_table table; /* kind "trace"; `initial` is the value that the evaluation uses */
    int32_t scale;            /* 0: not named yet */
    bool settable;            /* it follows `set` */
    struct trace_rows *rows;  /* owned: the table's rows and names */
};

enum trace_step { TRACE_GOES_ON, TRACE_READY, TRACE_REFUSED };

/* Takes a line of the handshake. Lines that begin with another word than `weight`, `scale`, `settable`, `traceok` or
 * `error` are ignored. TRACE_READY at `traceok`; TRACE_REFUSED, with the reason, for anything wrong. */
enum trace_step trace_read_weights(struct trace_weights *w, const char *line, size_t length,
                                   struct error *err);

/* False, with the first difference, if two evaluations do not have the same weights with the same
 * values and ranges, and the same scale. */
bool trace_same_weights(const struct trace_weights *a, const struct trace_weights *b,
                        struct error *err);

/* Notes that the evaluation uses another value, which is within its range, from now on. */
void trace_weights_set(struct trace_weights *w, int weight, int32_t value);

void trace_weights_free(struct trace_weights *w); /* accepts a zeroed one */

/* ---- answers */

/* Reads an answer about `weights` weights. Counts go to `items`, which has room for `weights` and
 * which `counts` then borrows; those that are 0 are left out. False, with the column and the
 * reason, if the line is not an answer. An answer `error REASON` gives the reason itself. */
bool trace_read_answer(const char *line, size_t length, int weights, struct weight_count *items,
                       int32_t *score, struct leaf_counts *counts, struct error *err);

/* Writes an answer without a newline, and a NUL, into a text of TRACE_LINE_MAX bytes. Returns its length. */
size_t trace_write_answer(char *text, int32_t score, const struct leaf_counts *counts);

/* A checksum of bias and counts. */
uint64_t trace_counts_sum(const struct leaf_counts *counts);

/* False, with both scores, if `score` differs by 1 or more from the score by the counts, with the values
 * that the evaluation uses. */
bool trace_is_linear(const struct trace_weights *w, int32_t score, const struct leaf_counts *counts,
                     struct error *err);

/* The weights of an evaluation over the trace protocol as genes of a run. */

/* Writes a row for each weight to params[w->table.count], in the order of the evaluation. Weights that
 * `space` names have its bits, ranges, steps and defaults; the others are constants, at the values of
 * the evaluation. The rows borrow the names of `w`. False, with the reason, if the space names a
 * weight that the evaluation has not, or a range beyond that of the evaluation. */
bool trace_genes_bind(const struct trace_weights *w, const struct param_table *space,
                      struct param *params, struct error *err);

#endif
