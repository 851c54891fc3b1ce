/* Numbers for people. Each writes into the caller's text and returns it. */
#ifndef GRAYLING_FORMAT_H
#define GRAYLING_FORMAT_H

#include "count.h"
#include "fitness.h"

#include <stdint.h>

enum { FORMAT_MAX = 96 };

/* "41 ms", "1.4 s", "41 s", "3 min 20 s", "7 h 02 min", "2 d 7 h" */
const char *format_duration(double seconds, char text[FORMAT_MAX]);

/* "32.44 %", or the plain number when there is nothing that it is out of. */
const char *format_share(double measure, int64_t size, char text[FORMAT_MAX]);

/* "1,622 of 5,000   32.44 %  (31.15 to 33.75)": the share with its 95 % Wilson interval. */
const char *format_measure(int64_t measure, int64_t size, char text[FORMAT_MAX]);

/* A measure of any unit over `size` positions, in few words ("32.44 %", "219.35 M nodes",
 * "geometric mean 15,321 nodes") and in all ("219,345,678   249,541 a position"). */
const char *format_brief(enum measure_unit unit, double measure, int64_t size,
                         char text[FORMAT_MAX]);
const char *format_full(enum measure_unit unit, int64_t measure, int64_t size,
                        char text[FORMAT_MAX]);

/* ", 95 % interval in parentheses" where format_full gives one, else "". */
const char *format_note(enum measure_unit unit);

#endif
