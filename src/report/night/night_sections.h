/* The sections of a night's page. Each function writes a section without its heading, unless it
 * says otherwise. */
#ifndef GRAYLING_NIGHT_SECTIONS_H
#define GRAYLING_NIGHT_SECTIONS_H

#include "format.h"
#include "night_labels.h"

/* An overview of the stages; with its heading. */
void night_write_overview(const struct night_page *p);

/* A comparison of the stages, if they can be compared (comparison.h), else nothing; with its
 * heading. */
void night_write_comparison(const struct night_page *p);

/* The first stage of a comparison in the head of the page, as a figure (report_frame.h) within a list
 * that the caller has opened; nothing if there is none. */
void night_write_comparison_figures(const struct night_page *p);

/* A stage of several runs: the result of each, and which run was chosen. */
void night_write_runs(const struct night_page *p, const struct night_report_stage *s);

/* A match: the players, the pairings, and the ablations of the stages. */
void night_write_match(const struct night_page *p, const struct night_report_stage *s);

/* The last match with a game, or NULL. */
const struct night_report_stage *night_match_played(const struct night_report *r);
/* The match in the head of the page: figures (report_frame.h) within a list that the caller has
 * opened. */
void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s);

#endif
