/* The live page: the report of a run, rewritten while the run goes on.
 *
 * Another process writes it: `grayling report --follow`, at the lowest priority. So no thread of
 * the run waits for a page, and when the run's process dies, the page says so. The process that
 * runs `evolve --page` starts the writer, ends it, and writes the last page itself, without a
 * refresh. */
#ifndef GRAYLING_LIVE_PAGE_H
#define GRAYLING_LIVE_PAGE_H

#include "report_file.h"

#include <signal.h>
#include <sys/types.h>

struct live_page {
    const char *path; /* NULL: there is no live page */
    pid_t writer;     /* 0: not started */
};

/* Checks that the page can be written, and would not replace the run itself. Call it before the run. */
bool live_page_check(const struct live_page *p, const char *store_path, bool force,
                     struct error *err);

/* Refuses a page that is another file of the run: `path`, which the page would replace. */
bool live_page_is_apart(const struct live_page *p, const char *path, struct error *err);

/* Starts the writer, once the store exists. Does nothing without a page, or if it is started. */
bool live_page_start(struct live_page *p, const char *store_path, struct error *err);

/* Ends the writer. Call it before other files of the outcome are written. */
void live_page_stop(struct live_page *p);

/* Writes the last page. `outcome` is the run's report of this moment, whose content is used; NULL
 * if there is none. Does nothing without a page. */
bool live_page_finish(const struct live_page *p, const char *store_path, const char *outcome,
                      struct error *err);

/* ---- the writer */

/* How often the page is written: every 5 seconds, and less often if a page costs more than 50 ms of
 * processor time, so that pages take at most a hundredth of the time. */
double live_page_interval(double cost);

/* The page of this moment. `refresh` > 0 is written into it only while the run goes on; then
 * *running is true. So the content of a page without a refresh is never of a run that goes on.
 * `reading` may be NULL. The caller frees text->bytes. */
bool live_page_compose(const char *store_path, int refresh, struct report_reading *reading,
                       struct report_text *text, bool *running, struct error *err);

/* Adds the live head to a page without one; `refresh` only if the status is that of a run that goes
 * on. Read the status before the page. Frees the text if it fails. */
bool live_page_enliven(const char *store_path, const struct status *status, int refresh,
                       struct report_text *text, struct error *err);

/* Rewrites the page until the run ends or dies, or until `stop` is set; the last page has no
 * refresh. SIGTERM ends the process at once. Returns the exit code. */
int live_page_follow(const char *store_path, const char *output, const volatile sig_atomic_t *stop,
                     struct error *err);

#endif
