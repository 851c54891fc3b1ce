/* The page of a night, and its sections. */
#ifndef GRAYLING_NIGHT_SECTIONS_H
#define GRAYLING_NIGHT_SECTIONS_H

#include "foreign_text.h"
#include "format.h"
#include "night_report.h"

#include <stdio.h>

struct night_page {
    FILE *out;
    const struct night_report *report;
    const char *file; /* path of the night's database, as the user gave it */
};

enum { NIGHT_ID = STORE_STAGE + 16 };

/* The id of a stage's section. Elements inside the section have this id, a dot and a name; a
 * stage's name has no dot. */
const char *night_stage_id(const struct night_stage *s, char id[NIGHT_ID]);

/* The state of a run in words: "complete", "ended by its time", "stopped" ... */
const char *night_state_words(const struct night_page *p, enum night_state state);

/* "NIGHT.db#evolve-3" as a shell reads it: what a command names a run of the night by. Returns `word`. */
const char *night_run_word(const struct night_page *p, const struct night_run_summary *run,
                           char word[SHELL_WORD]);

/* ---- sections ---- */

/* Each function writes a section without its heading, unless it says otherwise. */

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
