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

/* The sections, without their headings: the objective value by generation; convergence of bits and diversity; the courses
 * of the genes that moved most; a table of the evolved genes, and which of them need a second look; the best organism as
 * a parameter file, and files to download; the recipe and the data. */
void report_write_fitness(const struct page *p);
void report_write_convergence(const struct page *p);
void report_write_courses(const struct page *p);
void report_write_genes(const struct page *p);
void report_write_params(const struct page *p);
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

/* Writes a cell: the best of a run (NULL: none) in training or held out, and where that is, if `place`; `none` if it is
 * not known. */
void night_write_best(const struct night_page *p, const struct run_summary *run, bool held_out,
                      bool place, const char *none);

/* The state of a run in words: "complete", "ended by its time", "stopped" ... */
const char *night_state_words(const struct night_page *p, enum night_state state);

/* The sections, without their headings: the comparison of the stages; a stage of several runs, with the result of each
 * and which was chosen; a match, with its players, pairings and the ablations of the stages. */
void night_write_comparison(const struct night_page *p);
void night_write_runs(const struct night_page *p, const struct night_report_stage *s);
void night_write_match(const struct night_page *p, const struct night_report_stage *s);

/* The last match with a game, or NULL. */
const struct night_report_stage *night_match_played(const struct night_report *r);
/* Figures of the head, within a list that the caller has opened: the first stage of the comparison, and a match. */
void night_write_comparison_figures(const struct night_page *p);
void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s);

#endif
