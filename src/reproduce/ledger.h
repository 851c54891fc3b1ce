/* A ledger: what pieces of work came to, by a key that says all they depend on, so that nothing is
 * measured twice, in this process or after an interruption.
 *
 * A text file: a first line that says which program measured, then for each piece a line
 * "KEY VALUE VALUE ...", written out as it is known; one that was cut short is dropped. A program
 * that would measure otherwise has another first line, and is refused the file.
 *
 * A ledger that is published is compressed with zstd: what LEDGER.zst holds is known too, and is
 * never written. */
#ifndef GRAYLING_LEDGER_H
#define GRAYLING_LEDGER_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_BEGIN "grayling ledger " /* what the first line of any ledger begins with */

enum { LEDGER_KEY = 96, LEDGER_VALUES = 16 };

struct ledger;

/* Opens the file, which is created if it is not there; `path` NULL keeps things in memory alone.
 * `head` is the first line, LEDGER_BEGIN and more. NULL with the reason: a file that cannot be
 * written or read, that another process has open, that is no ledger, or whose first line
 * differs. With `anew` what it held is thrown away, and LEDGER.zst is not read. */
struct ledger *ledger_open(const char *path, const char *head, bool anew, struct error *err);
void ledger_close(struct ledger *l); /* accepts NULL */

/* "KIND-DIGITS": the key of a kind of work, and of a text that says all it depends on. */
void ledger_key(char key[LEDGER_KEY], const char *kind, const char *text);

/* The `count` values of a key, if it is there with so many. */
bool ledger_find(const struct ledger *l, const char *key, int64_t *values, int count);

/* Enters a piece, in the place of one with its key: a key of at most LEDGER_KEY - 1 characters
 * without blanks, at most LEDGER_VALUES values. One call at a time. */
bool ledger_add(struct ledger *l, const char *key, const int64_t *values, int count,
                struct error *err);

#endif
