/* The evaluation: 35 parameters (david-2014, Figure 3), linear in its weights, written once.
 *
 * Every term is one line of eval_params.def. `evaluate` adds to the score only through one inlined
 * function, add(e, TERM, count); with a trace the same source records how often each term counted.
 * So replaying a trace against any weights gives bit for bit what evaluate gives:
 *
 *     evaluate(p, w) == sum over terms of trace.count[t] * w.value[t]      (from White's side)
 *
 * Control flow never reads a weight; there are no caches and no search state here. */
#ifndef GRAYLING_EVALUATE_H
#define GRAYLING_EVALUATE_H

#include "param.h"
#include "position.h"

enum eval_term {
#define PARAM(name, bits, min, max, initial, sign, meaning) name,
#include "eval_params.def"
#undef PARAM
    EVAL_TERMS
};

/* One value for each term, >= 0, in centipawns; the sign of a penalty is in the trace's count. */
struct eval_weights {
    int32_t value[EVAL_TERMS];
};

/* How often each term counted, White minus Black, penalties negative. */
struct eval_trace {
    int16_t count[EVAL_TERMS];
};

/* The parameters in the order of enum eval_term; kind "evaluation". */
extern const struct param_table eval_table;

/* The initial value of each parameter. */
struct eval_weights eval_initial_weights(void);

/* The score in centipawns, from the view of the side to move. |score| < EVAL_LIMIT for weights
 * within the ranges of the table. */
int32_t evaluate(const struct position *p, const struct eval_weights *w);

/* The counts behind the score, from White's side. */
void evaluate_trace(const struct position *p, struct eval_trace *trace);

/* Scores beyond EVAL_LIMIT are mates: MATE - n is mate in n plies. */
enum { EVAL_LIMIT = 1000000, MATE = 2000000, INFINITE_SCORE = 2100000 };

#endif
