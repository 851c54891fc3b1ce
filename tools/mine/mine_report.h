/* What `grayling mine` writes about its work: the head of a suite, and the counts. */
#ifndef GRAYLING_MINE_REPORT_H
#define GRAYLING_MINE_REPORT_H

#include "mine.h"
#include "positions.h"

/* Positions found. The names of the engines are used with `other` only; `check` is then "" if there
 * is no second engine. */
struct mined {
    struct positions positions;
    const struct uci_tactic_settings *other; /* NULL: our engine decided */
    const char *engine, *check;
};

/* Writes a `struct mined` as EPD; a callback for output_write. Comments before the positions of
 * other engines name them and their limits. */
void mine_print(FILE *out, void *context);

/* Reports on standard error what was read, and what became of the positions: how many failed at
 * which step. */
void mine_tell(const struct mine_report *report, bool other);

/* Reports how many positions of those wanted were found. */
void mine_tell_found(size_t found, const struct mine_settings *settings);

#endif
