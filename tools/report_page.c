#include "report_page.h"

#include "html.h"
#include "report_sections.h"
#include "report_style.h"

#include <inttypes.h>

/* A section with its heading; it is left out where `wanted` says so. */
struct section {
    const char *id, *title;
    bool (*wanted)(const struct report *r);
    void (*write)(const struct page *p);
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

/* What is told of a run, in this order. */
static const struct section sections[] = {
    {"fitness", "Fitness", has_generations, report_write_fitness},
    {"genes", "Genes", has_generations, report_write_genes},
    {"convergence", "Convergence", has_generations, report_write_convergence},
    {"recipe", "Recipe and data", always, report_write_recipe},
};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

/* No script, nothing from anywhere: the policy makes the browser hold the page to it. */
static void write_beginning(const struct page *p)
{
    const struct recipe *recipe = &p->report->summary.recipe;
    fputs("<!DOCTYPE html>\n"
          "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"grayling " GRAYLING_VERSION "\"/>\n"
          "<link rel=\"icon\" href=\"data:,\"/>\n<title>",
          p->out);
    html_format(p->out, "%s, seed %" PRIu64 " – Grayling", recipe->name, recipe->seed);
    fprintf(p->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

/* Where the sections are. */
static void write_contents(const struct page *p)
{
    fputs("<nav aria-label=\"Sections\">", p->out);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].wanted(p->report))
            fprintf(p->out, "<a href=\"#%s\">%s</a>", sections[i].id, sections[i].title);
    fputs("</nav>\n", p->out);
}

static void write_section(const struct page *p, const struct section *s)
{
    fprintf(p->out, "<section id=\"%s\">\n<h2>%s</h2>\n", s->id, s->title);
    s->write(p);
    fputs("</section>\n", p->out);
}

static void write_end(const struct page *p)
{
    fputs("<footer>Written by grayling " GRAYLING_VERSION " from ", p->out);
    html_text(p->out, p->file);
    fputs(".</footer>\n</main>\n</body>\n</html>\n", p->out);
}

void report_page_write(FILE *out, const struct report *r, const char *file)
{
    const struct page page = {out, r, file};
    write_beginning(&page);
    report_write_head(&page);
    write_contents(&page);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].wanted(r))
            write_section(&page, &sections[i]);
    write_end(&page);
}
