/* What tells others of a run: the live page, and the command that runs when it is over.
 *
 * The live page is the report of a run, rewritten while the run goes on.
 *
 * Another process writes it: `grayling report --follow`, at the lowest priority. So no thread of the run waits for a
 * page, and when the run's process dies, the page says so. The process that runs `evolve --page` starts the writer,
 * ends it, and writes the last page itself, without a refresh. */
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

/* Writes the last page. Does nothing without a page. */
bool live_page_finish(const struct live_page *p, const char *store_path, struct error *err);

/* ---- the writer */

/* How often the page is written: every 5 seconds, and less often if a page costs more than 50 ms of
 * processor time, so that pages take at most a hundredth of the time. */
double live_page_interval(double cost);

/* Makes a page with the live head of one without; `refresh` only if the status is that of a run that goes on. Read the
 * status before the page. The caller frees page->bytes. */
bool live_page_enliven(const char *store_path, const struct status *status, int refresh,
                       const struct report_text *body, struct report_text *page, struct error *err);

/* Rewrites the page until the run ends or dies, another process replaces the page, or `stop` is set; the last page has
 * no refresh. SIGTERM ends the process at once. Returns the exit code. */
int live_page_follow(const char *store_path, const char *output, const volatile sig_atomic_t *stop,
                     struct error *err);

/* ---- the status as JSON */

/* Writes the status of a run or a night as an object, and a line feed. A run's own values stand in the object; those of a night's
 * runs are the list `stages`. What is not known is null. */
void status_json_write(FILE *out, const char *path, const struct status *s);

/* ---- the command of `--at-end`
 *
 * It is started without a shell (command_line.h), with these variables in its environment:
 *
 *     GRAYLING_RUN         the run's file
 *     GRAYLING_STATE       complete, ended (by its time), stopped, or failed
 *     GRAYLING_BEST        the best organism's objective value; of a night the first pairing of its
 *                          closing match, or the best of its last stage
 *     GRAYLING_PARAMETERS  the parameter file written; of a night that of the last stage whose runs
 *                          have all ended
 *     GRAYLING_REPORT      the report written
 *
 * What there is not is empty; files that an earlier end left are none of this one. Standard input is empty; its output
 * goes where the run's goes. */
#define AT_END_SECONDS 60.0

/* Runs the command for the run or night at `store_path`, and waits for it. When its seconds are over, its process group
 * is ended. `written`: the outcome is that of this end. False with the reason if the command cannot be started, fails,
 * or takes too long. */
bool at_end_run(const char *command, const char *store_path, bool written, double seconds,
                struct error *err);

#endif
