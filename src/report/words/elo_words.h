/* Formats Elo differences for reports. Each function writes into the caller's text and returns
 * it. */
#ifndef GRAYLING_ELO_WORDS_H
#define GRAYLING_ELO_WORDS_H

#include "elo.h"
#include "format.h"

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
