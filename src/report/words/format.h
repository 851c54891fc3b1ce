/* Formats numbers for people. Each function writes into the caller's text and returns it. */
#ifndef GRAYLING_FORMAT_H
#define GRAYLING_FORMAT_H

#include "count.h"
#include "elo.h"
#include "objective_value.h"

#include <stdbool.h>

enum { FORMAT_MAX = OBJECTIVE_TEXT }; /* room for the texts of objective_value.h too */

/* "41 ms", "1.4 s", "41 s", "3 min 20 s", "7 h 02 min", "2 d 7 h" */
const char *format_duration(double seconds, char text[FORMAT_MAX]);

/* How far a run is: "complete, 200 generations"; "complete, generation 0 only" if its recipe has no
 * more; else `state` and the generation: "stopped after generation 3 of 200". */
const char *format_progress(const char *state, bool complete, int generation, int generations,
                            char text[FORMAT_MAX]);

/* A generation of a run: "3 of 200", or "0" if the run has no other. */
const char *format_generation(int generation, int generations, char text[FORMAT_MAX]);

/* A p-value in per cent: "< 2 %", "4.9 %", "37 %". Below 10 % it is rounded down, so that none looks as
 * if it had reached a threshold. */
const char *format_chance(double chance, char text[FORMAT_MAX]);

/* ---- Elo differences */

/* "+61", "−20.4", "0", "+∞": with a minus sign as wide as a plus. */
const char *elo_signed(double elo, int decimals, char text[FORMAT_MAX]);

/* "−39.4 to +113.4"; "–" if there is no interval. */
const char *elo_range(const struct elo_estimate *e, int decimals, char text[FORMAT_MAX]);

/* A probability in per cent, never shown as 0 or 100: "< 0.1 %", "78.3 %", "> 99.9 %". */
const char *elo_chance(double chance, char text[FORMAT_MAX]);

/* "1 game", "1,000 games": all games of the counts. */
const char *elo_games(const struct match_counts *c, char text[FORMAT_MAX]);

/* Whether the 95 % interval puts a player ahead, behind, or neither. */
enum elo_verdict { ELO_OPEN, ELO_AHEAD, ELO_BEHIND };

enum elo_verdict elo_verdict(const struct elo_estimate *e);

/* The CSS class of a verdict: "open", "ahead", "behind". */
const char *elo_verdict_class(enum elo_verdict verdict);

#endif
