/* The sections of a report. Each writes what lies between its heading and the next section's. */
#ifndef GRAYLING_REPORT_SECTIONS_H
#define GRAYLING_REPORT_SECTIONS_H

#include "report.h"

#include <stdio.h>

/* What a section writes to, and about. */
struct page {
    FILE *out;
    const struct report *report;
    const char *file;   /* the run's database, as the reader knows it */
    const char *prefix; /* of the sections' ids, so that a page may tell of several runs */
    int level;          /* of the sections' headings: 2 where they are the page's own */
};

/* What the run is and came to; stands above the sections. */
void report_write_head(const struct page *p);
/* Of that only what it came to. */
void report_write_result(const struct page *p);
/* All sections that there is something for, below links to them. */
void report_write_sections(const struct page *p);
/* A heading `depth` below those of the sections. */
void report_write_heading(const struct page *p, int depth, const char *text);

/* The measure by generation: curves, and a table. */
void report_write_fitness(const struct page *p);
/* What generation 0 began with, and how many games were played; whether there is any of it. */
bool report_has_seeds(const struct report *r);
void report_write_seeds(const struct page *p);
/* How values and bits drew together: heat maps of genes by generations. */
void report_write_convergence(const struct page *p);
/* What each gene came to, and which of them want a second look. */
void report_write_genes(const struct page *p);
/* What the run was made from. */
void report_write_recipe(const struct page *p);

#endif
