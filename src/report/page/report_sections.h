/* The parts of a page of a run or a night: what stands around its content, the head, and the sections. */
#ifndef GRAYLING_REPORT_SECTIONS_H
#define GRAYLING_REPORT_SECTIONS_H

#include "comparison.h"
#include "format.h"
#include "outcome_words.h"

#include <stdio.h>

/* ---- around the content, and in the head */

/* Writes the page up to its content, with its policy. */
void report_frame_begin(FILE *out, const char *title);

/* Writes the page from the end of its content on; `file` is the database that was read. */
void report_frame_end(FILE *out, const char *file);

/* Writes a figure within <dl class="figures">: its name, its value and a note in the form of printf. `css` is "plain",
 * or the class of a verdict: ahead, behind, or open, which is grey (format.h). */
void report_frame_figure(FILE *out, const char *css, const char *name, const char *figure,
                         const char *note, ...) __attribute__((format(printf, 5, 6)));

/* Writes what a run or a night leaves. */
void report_frame_outcome(FILE *out, const struct outcome_line *lines, int count);

/* Writes a time of the store ("2026-11-21T04:59:54Z") for people: "2026-11-21 04:59 UTC". */
void report_frame_moment(FILE *out, const char *moment);

/* ---- of a run */

/* The page that a section belongs to. */
struct page {
    FILE *out;
    const struct report *report;
    const char *prefix; /* of the sections' ids: a page may show several runs */
    int level;          /* of the sections' headings; 2 on a run's own page */
};

/* The head above the sections: what the run is, its result, and what it leaves. */
void report_write_head(const struct page *p);
/* The result alone. */
void report_write_result(const struct page *p);
/* Links to the sections, then all sections that have content. */
void report_write_sections(const struct page *p);

/* Each writes a section without its heading. */

/* The objective value by generation: curves and a table. */
void report_write_fitness(const struct page *p);
/* Convergence of bits and diversity. */
void report_write_convergence(const struct page *p);
/* The courses of the genes that moved most. */
void report_write_courses(const struct page *p);
/* A table of the evolved genes, and which of them need a second look. */
void report_write_genes(const struct page *p);
/* The best organism as a parameter file, to copy, and files to download. */
void report_write_params(const struct page *p);
/* The recipe and the data of the run. */
void report_write_recipe(const struct page *p);

/* ---- of a night */

struct night_page {
    FILE *out;
    const struct night_report *report;
    const struct comparison *comparison; /* NULL: its stages cannot be compared */
};

enum { NIGHT_ID = STORE_STAGE + 16 };

/* The id of a stage's section. Elements inside the section have this id, a dot and a name; a
 * stage's name has no dot. */
const char *night_stage_id(const struct night_stage *s, char id[NIGHT_ID]);

/* The state of a run in words: "complete", "ended by its time", "stopped" ... */
const char *night_state_words(const struct night_page *p, enum night_state state);

/* Each function writes a section without its heading, unless it says otherwise. */

/* The comparison of the stages. */
void night_write_comparison(const struct night_page *p);

/* Its first stage in the head of the page, as a figure within a list that the caller has opened. */
void night_write_comparison_figures(const struct night_page *p);

/* A stage of several runs: the result of each, and which run was chosen. */
void night_write_runs(const struct night_page *p, const struct night_report_stage *s);

/* A match: the players, the pairings, and the ablations of the stages. */
void night_write_match(const struct night_page *p, const struct night_report_stage *s);

/* The last match with a game, or NULL. */
const struct night_report_stage *night_match_played(const struct night_report *r);
/* The match in the head of the page: figures within a list that the caller has
 * opened. */
void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s);

#endif
