/* The machines that a run works on, as its store keeps them for other processes: the property `hosts`,
 * with a line about all and a line about each. A run of one process has none. */
#ifndef GRAYLING_HOSTS_KEPT_H
#define GRAYLING_HOSTS_KEPT_H

#include "ranks.h"
#include "store.h"

/* Puts what the ranks have done so far, within a transaction. */
bool hosts_kept_put(struct store *s, struct error *err);

/* Reads the line about all from the text of the property. Returns the text after it. */
const char *hosts_kept_all(const char *text, struct ranks_report *all);

/* Reads the line about the next host. Returns the text after it, or NULL if there is none. */
const char *hosts_kept_next(const char *text, struct rank_host *host);

enum { HOSTS_TEXT = 256 };

/* "4 ranks with 8 threads on 2 hosts, 1,234 jobs, 3 % idle". Returns `text`. */
const char *hosts_kept_words(const struct ranks_report *all, char text[HOSTS_TEXT]);

/* A warning if the threads are idle for more than a tenth of the time, or "". Returns `text`. */
const char *hosts_kept_warning(const struct ranks_report *all, char text[HOSTS_TEXT]);

#endif
