/* A ledger: the results of pieces of work, by a key of all that they depend on. No piece is
 * measured twice, in this process or after an interruption.
 *
 * A ledger is a text file. Its first line identifies the program that measured. Then each piece has
 * a line "KEY VALUE VALUE ...", which is written as soon as the result is known; a truncated last
 * line is dropped. A program with another first line cannot open the file.
 *
 * So results are as safe as first line and keys are complete. experiment.h says what they leave out;
 * after a change of that, begin anew.
 *
 * A published ledger is compressed with zstd: the results in LEDGER.zst are read too, but that file
 * is never written. If it has another first line, it is passed over once LEDGER has been begun anew. */
#ifndef GRAYLING_LEDGER_H
#define GRAYLING_LEDGER_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_BEGIN "grayling ledger " /* the beginning of every ledger's first line */

enum { LEDGER_KEY = 96, LEDGER_VALUES = 16 };

struct ledger;

/* Opens or creates the file; if `path` is NULL, the ledger is kept in memory only. `head` is the
 * first line, which starts with LEDGER_BEGIN. Returns NULL with an error if the file cannot be read
 * or written, is open in another process, is not a ledger, or has another first line. `anew`
 * discards the content, and does not read LEDGER.zst. To continue later what was begun so, open
 * without `anew`: then LEDGER.zst is read again if it has this first line. */
struct ledger *ledger_open(const char *path, const char *head, bool anew, struct error *err);
void ledger_close(struct ledger *l); /* accepts NULL */

/* Makes a key "KIND-DIGITS" from a kind of work and a text of all that the work depends on. */
void ledger_key(char key[LEDGER_KEY], const char *kind, const char *text);

/* Gets the values of a key. Returns false unless the ledger has the key with `count` values. */
bool ledger_find(const struct ledger *l, const char *key, int64_t *values, int count);

/* Adds a piece, or replaces the one with the same key. The key has at most LEDGER_KEY - 1
 * characters and no blanks; there are at most LEDGER_VALUES values. Calls must be serialised. */
bool ledger_add(struct ledger *l, const char *key, const int64_t *values, int count,
                struct error *err);

#endif
