/* What is compiled in: sets of parameters, from params/, and the openings of a match that names none, from
 * data/openings.epd.
 *
 *     default    default-eval.yaml, default-search.yaml    what a command uses that is given no other
 *     games      games-eval.yaml, games-search.yaml        the strongest: what grayling-uci plays with */
#ifndef GRAYLING_DEFAULT_PARAMS_H
#define GRAYLING_DEFAULT_PARAMS_H

#include "evaluation.h"
#include "opening.h"
#include "search_params.h"
#include "values.h"

extern const struct eval_weights default_weights;
extern const struct search_params default_search;
extern const int32_t games_weights[MODERN_WEIGHTS]; /* of evaluation-modern */
extern const struct search_params games_search;

extern const char *const default_openings[]; /* FENs */
extern const size_t default_opening_count;

/* Reads the openings as a book, which the caller frees. False without memory. */
bool default_book_read(struct book *b, struct error *err);

/* The default set as values of a table: that of `space`, which is of one of our kinds, if it has them, else of the
 * smallest other one that has. Returns the table. */
const struct param_table *default_values(const struct param_table *space,
                                         int32_t values[VALUES_MAX]);

#endif
