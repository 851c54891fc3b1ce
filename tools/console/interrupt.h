/* Stops a long command early: by Ctrl-C, a termination signal, or at a time of day. */
#ifndef GRAYLING_INTERRUPT_H
#define GRAYLING_INTERRUPT_H

#include "error.h"

#include <signal.h>
#include <time.h>

/* Makes the first SIGINT or SIGTERM, and each SIGHUP (a lost terminal), write its number into the
 * returned flag. A second SIGINT or SIGTERM, a second after the first or later, ends the process as
 * usual. A signal that is already ignored (nohup) stays ignored. */
const volatile sig_atomic_t *interrupt_watch(void);

/* The same, and each SIGPIPE too: the reader of standard output or error has gone. For work that has to
 * stop in order then, as when the terminal is lost; what only prints is better ended by the signal. */
const volatile sig_atomic_t *interrupt_watch_output(void);

/* Parses "HH:MM", the next time the clock shows it, or "YYYY-MM-DD HH:MM", which must be in the future. */
bool interrupt_parse_time(const char *text, time_t now, time_t *when, struct error *err);

/* Writes SIGALRM into the flag of interrupt_watch after `seconds`, or at once if they are not above
 * 0. Time in which the machine is suspended counts. Replaces an earlier alarm. */
bool interrupt_in(double seconds, struct error *err);

/* The same at a Unix time, whenever the machine's clock shows it: a clock that is set moves the alarm. */
bool interrupt_at(double when, struct error *err);

/* Takes an alarm out of the flag: if the flag holds SIGALRM, clears it and returns true, so that the next
 * work can go on. A signal of the user stays, and false is returned. */
bool interrupt_take_alarm(void);

#endif
