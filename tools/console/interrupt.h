/* Ending a long command early: Ctrl-C, a termination signal, or a time of day. */
#ifndef GRAYLING_INTERRUPT_H
#define GRAYLING_INTERRUPT_H

#include "error.h"

#include <signal.h>
#include <time.h>

/* From now on SIGINT and SIGTERM only write their number into the flag that is returned, once: the
 * second one ends the process as ever. A signal that was ignored (nohup) stays ignored. */
const volatile sig_atomic_t *interrupt_watch(void);

/* The next time that the clock shows "HH:MM", or "YYYY-MM-DD HH:MM", which must be to come. The
 * reason says what is wrong with it. */
bool interrupt_parse_time(const char *text, time_t now, time_t *when, struct error *err);

/* Seconds from now on SIGALRM is written into the flag of interrupt_watch, at once where there are
 * none; an earlier alarm is forgotten. */
bool interrupt_in(double seconds, struct error *err);

/* Whether the flag has SIGALRM; it is cleared then. */
bool interrupt_was_alarm(void);

#endif
