#include "report_page.h"

#include "report_frame.h"
#include "report_sections.h"

#include <inttypes.h>

/* A section with its heading; omitted unless `wanted` returns true. */
struct section {
    const char *id, *title;
    bool (*wanted)(const struct report *r);
    void (*write)(const struct page *p);
    bool folds; /* on a night's page it is initially closed */
};

static bool always(const struct report *r)
{
    (void)r;
    return true;
}

static bool has_generations(const struct report *r)
{
    return r->summary.generation >= 0;
}

/* The sections of a run, in order. */
static const struct section sections[] = {
    {"genes", "Genes", has_generations, report_write_courses, false},
    {"fitness", "Fitness", has_generations, report_write_fitness, false},
    {"parameters", "Parameters", has_generations, report_write_genes, true},
    {"files", "Files", has_generations, report_write_params, true},
    {"convergence", "Convergence", has_generations, report_write_convergence, false},
    {"recipe", "Recipe and data", always, report_write_recipe, true},
};

enum { SECTIONS = sizeof sections / sizeof sections[0], PAGE_LEVEL = 2 };

void report_write_heading(const struct page *p, int depth, const char *text)
{
    fprintf(p->out, "<h%d>%s</h%d>\n", p->level + depth, text, p->level + depth);
}

/* Links to the sections. */
static void write_contents(const struct page *p)
{
    fputs("<nav aria-label=\"Sections\">", p->out);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].wanted(p->report))
            fprintf(p->out, "<a href=\"#%s%s\">%s</a>", p->prefix, sections[i].id,
                    sections[i].title);
    fputs("</nav>\n", p->out);
}

static void write_section(const struct page *p, const struct section *s)
{
    bool folded = s->folds && p->level > PAGE_LEVEL;
    fprintf(p->out, "<section id=\"%s%s\">\n", p->prefix, s->id);
    if (folded)
        fputs("<details class=\"folded\"><summary>", p->out);
    report_write_heading(p, 0, s->title);
    if (folded)
        fputs("</summary>\n", p->out);
    s->write(p);
    fputs(folded ? "</details>\n</section>\n" : "</section>\n", p->out);
}

void report_write_sections(const struct page *p)
{
    write_contents(p);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].wanted(p->report))
            write_section(p, &sections[i]);
}

void report_page_write(FILE *out, const struct report *r, const char *file)
{
    const struct page page = {out, r, file, "", PAGE_LEVEL};
    const struct recipe *recipe = &r->summary.recipe;
    char title[RECIPE_NAME + 40];
    snprintf(title, sizeof title, "%s, seed %" PRIu64, recipe->name, recipe->seed);
    report_frame_begin(out, title);
    report_write_head(&page);
    report_write_sections(&page);
    report_frame_end(out, file);
}
