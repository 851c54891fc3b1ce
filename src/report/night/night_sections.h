/* What a night's page says of its stages. Each writes what lies below the stage's heading. */
#ifndef GRAYLING_NIGHT_SECTIONS_H
#define GRAYLING_NIGHT_SECTIONS_H

#include "format.h"
#include "night_labels.h"

/* The stages at a glance; a section of its own. */
void night_write_overview(const struct night_page *p);

/* The stages compared, where they ask one question (comparison.h); a section of its own, or
 * nothing. */
void night_write_comparison(const struct night_page *p);

/* A stage of several runs: what each came to, and which was taken. */
void night_write_runs(const struct night_page *p, const struct night_report_stage *s);

/* A match: the players, the pairings, and what they tell of the stages. */
void night_write_match(const struct night_page *p, const struct night_report_stage *s);

/* The last match that has a game, or NULL. */
const struct night_report_stage *night_match_played(const struct night_report *r);
/* What stands of it in the head of the page: a sentence, and figures (report_frame.h) in a
 * list that is open. */
void night_write_match_result(const struct night_page *p, const struct night_report_stage *s);
void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s);

#endif
