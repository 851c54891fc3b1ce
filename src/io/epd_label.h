/* Labels of positions: the result of the game, from White's side, after a FEN or EPD's fields.
 *
 *     FEN [1.0]            also [0.5], [0.0], [1-0], [1/2-1/2], [0-1]; a score may follow: [1.0] 35
 *     FEN; [1-0]
 *     FEN | 35 | 1.0       a score in between, which is not read
 *
 * The place in the line makes it a label; the same text elsewhere in the line does not. The result
 * of an EPD operation, `c9 "1-0";`, is read by epd.h. */
#ifndef GRAYLING_EPD_LABEL_H
#define GRAYLING_EPD_LABEL_H

#include "error.h"
#include "pgn.h"

#include <stdbool.h>
#include <stddef.h>

/* Parses a result: 1-0, 1.0 or 1; 1/2-1/2 or 0.5; 0-1, 0.0 or 0. PGN_UNKNOWN if it is none. */
enum pgn_result epd_result_from_text(const char *text, size_t length);

/* True if what follows the fields of a position is a label, or was meant to be one: it begins with
 * `[`, `; [` or `|`. */
bool epd_has_label(const char *rest);

/* Reads the label, for which epd_has_label holds, and finds the end of it. PGN_UNKNOWN, with the
 * reason, if it is wrong or other text than EPD operations follows it. The reason names the column in
 * `line`, which contains `rest`. */
enum pgn_result epd_label_read(const char *line, const char *rest, const char **end,
                               struct error *err);

#endif
