/* The parts of a page: what stands around its content, the head, and the sections. */
#ifndef GRAYLING_REPORT_SECTIONS_H
#define GRAYLING_REPORT_SECTIONS_H

#include "report.h"

#include <stdio.h>

/* ---- around the content, and in the head */

/* Writes the page up to its content, with its policy. */
void report_frame_begin(FILE *out, const char *title);

/* Writes the page from the end of its content on; `file` is the database that was read. */
void report_frame_end(FILE *out, const char *file);

/* Writes a figure within <dl class="figures">: its name, its value and a note in the form of printf. `css` is "plain",
 * or the class of a verdict: ahead, behind, or open, which is grey (elo_words.h). */
void report_frame_figure(FILE *out, const char *css, const char *name, const char *figure,
                         const char *note, ...) __attribute__((format(printf, 5, 6)));

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

#endif
