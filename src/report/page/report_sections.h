/* The sections of a report. Each function writes a section without its heading. */
#ifndef GRAYLING_REPORT_SECTIONS_H
#define GRAYLING_REPORT_SECTIONS_H

#include "report.h"

#include <stdio.h>

/* The page that a section belongs to. */
struct page {
    FILE *out;
    const struct report *report;
    const char *file;   /* path of the run's database, as the user gave it */
    const char *prefix; /* of the sections' ids: a page may show several runs */
    int level;          /* of the sections' headings; 2 on a run's own page */
};

/* The head above the sections: what the run is, and its result. */
void report_write_head(const struct page *p);
/* The result alone. */
void report_write_result(const struct page *p);
/* Links to the sections, then all sections that have content. */
void report_write_sections(const struct page *p);
/* A heading, `depth` levels below those of the sections. */
void report_write_heading(const struct page *p, int depth, const char *text);

/* The objective value by generation: curves and a table. */
void report_write_fitness(const struct page *p);
/* Convergence of bits and diversity. */
void report_write_convergence(const struct page *p);
/* The courses of the genes that moved most. */
void report_write_courses(const struct page *p);
/* A table of the evolved genes, and which of them need a second look. */
void report_write_genes(const struct page *p);
/* The best organism as a parameter file, to copy, and files to download; `file` must name the run. */
void report_write_params(const struct page *p);
/* The recipe and the data of the run. */
void report_write_recipe(const struct page *p);

#endif
