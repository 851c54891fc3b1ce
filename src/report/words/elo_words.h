/* Elo differences in the words and figures of a report. Each writes into the caller's text and
 * returns it. */
#ifndef GRAYLING_ELO_WORDS_H
#define GRAYLING_ELO_WORDS_H

#include "elo.h"
#include "format.h"

/* "+61", "−20.4", "0", "+∞": with a sign as wide as a plus, and so many decimals. */
const char *elo_signed(double elo, int decimals, char text[FORMAT_MAX]);

/* "−39.4 to +113.4"; "–" where there is no interval. */
const char *elo_range(const struct elo_estimate *e, int decimals, char text[FORMAT_MAX]);

/* A chance in per cent that is never said to be 0 or 1: "< 0.1 %", "78.3 %", "> 99.9 %". */
const char *elo_chance(double chance, char text[FORMAT_MAX]);

/* What the 95 % interval says of a player. */
enum elo_verdict { ELO_OPEN, ELO_AHEAD, ELO_BEHIND };

enum elo_verdict elo_verdict(const struct elo_estimate *e);

/* Its class in the page's style: "open", "ahead", "behind". */
const char *elo_verdict_class(enum elo_verdict verdict);

#endif
