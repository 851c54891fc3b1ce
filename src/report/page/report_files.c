/* The sections on files and on the recipe: the best organism as a parameter file, to copy and to download, the
 * figures of the generations; the recipe and the data of a run, with the commands that continue from it. */
#include "report_sections.h"

#include "foreign_text.h"
#include "format.h"
#include "hosts_kept.h"
#include "html.h"
#include "outcome_words.h"
#include "paths.h"

#include <inttypes.h>
#include <string.h>

/* ---- files ---- */

/* Writes the beginning of a link to a file beside the run, as a browser will name it: "small.yaml", "night-search.yaml". */
static void begin_link(const struct page *p, const char *ending)
{
    const char *name = path_name(p->report->from.path);
    const char *end = strstr(name, ".db"), *stage = strchr(name, '#');
    html_print(p->out, "<a download=\"%.*s%s%s%s\" href=\"",
               (int)(end != NULL ? (size_t)(end - name) : strlen(name)), name,
               stage != NULL ? "-" : "", stage != NULL ? stage + 1 : "", ending);
}

void report_write_params(const struct page *p)
{
    char file[SHELL_WORD];
    fputs("<p>Download ", p->out);
    begin_link(p, ".yaml");
    html_data(p->out, "application/yaml", p->report->values);
    fputs("\">the parameters</a> (YAML), ", p->out);
    /* The figures of each generation, but for its time, which does not repeat. */
    const struct run_summary *s = &p->report->summary;
    begin_link(p, "-generations.csv");
    html_data(p->out, "text/csv", "generation,train,mean,deviation,held_out,diversity\r\n");
    for (int g = 0; g <= s->generation; g++) {
        const struct generation_row *row = &s->rows[g];
        fprintf(p->out, "%d,%" PRId64 ",%.4f,%.4f,", row->generation, row->measure, row->mean,
                row->deviation);
        if (row->held_out != NOT_MEASURED)
            fprintf(p->out, "%" PRId64, row->held_out);
        fprintf(p->out, ",%.2f%%0D%%0A", row->diversity);
    }
    fputs("\">the generations</a> (CSV)", p->out);
    html_print(
        p->out,
        ".</p>\n<p>The best organism as a parameter file. A click or a tap selects all of it; this "
        "command writes the same values:</p>\n<pre>grayling export %s --format yaml</pre>\n"
        "<pre class=\"copy\" tabindex=\"0\">%s</pre>\n",
        shell_word(path_name(p->report->from.path), file), p->report->values);
}

/* ---- the recipe ---- */

static void write_fact(const struct page *p, const char *name, const char *value)
{
    html_print(p->out, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

/* Writes which machines worked on it, and a warning if they were idle for long. */
static void write_hosts(const struct page *p)
{
    char words[HOSTS_TEXT], jobs[FORMAT_MAX];
    struct ranks_report all;
    struct rank_host h;
    const char *text = hosts_kept_all(p->report->summary.hosts, &all);
    write_fact(p, "ranks", hosts_kept_words(&all, words));
    while ((text = hosts_kept_next(text, &h)) != NULL) {
        snprintf(words, sizeof words, "%d threads, %s jobs, %.0f %% idle", h.threads,
                 format_count(h.jobs, jobs), 100 * h.idle);
        write_fact(p, h.name, words);
    }
    if (hosts_kept_warning(&all, words)[0] != '\0')
        write_fact(p, "warning", words);
}

void report_write_recipe(const struct page *p)
{
    const struct report *r = p->report;
    const char *name = path_name(r->from.path);
    char file[SHELL_WORD], command[RESUME_WORDS];
    /* What the defaults of another engine measure, its faults, and the machines. */
    const struct run_summary *s = &r->summary;
    char figure[FORMAT_MAX];
    fputs("<dl class=\"facts\">\n", p->out);
    if (s->defaults.measure != NOT_MEASURED)
        write_fact(p, "the defaults, in training",
                   objective_full(s->value, s->defaults.measure, s->train_size, figure));
    if (s->defaults.held_out != NOT_MEASURED)
        write_fact(p, "the defaults, held out",
                   objective_full(s->value, s->defaults.held_out, s->held_out_size, figure));
    if (s->faults != NULL)
        write_fact(p, "faults of the engine", s->faults);
    if (s->hosts != NULL)
        write_hosts(p);
    fputs("</dl>\n", p->out);
    html_print(p->out, "<h%d>Recipe</h%d>\n<pre>%s</pre>\n", p->level + 1, p->level + 1,
               r->from.recipe);
    if (r->file_count > 0) {
        html_print(p->out, "<h%d>Data</h%d>\n", p->level + 1, p->level + 1);
        html_table(p->out, "files", "Paths are relative to the run", "role", "|file", "|SHA-256",
                   NULL);
        for (int i = 0; i < r->file_count; i++)
            html_print(p->out,
                       "<tr><th scope=\"row\">%s</th><td class=\"words\"><code>%s</code></td>"
                       "<td class=\"words\"><code class=\"sum\">%s</code></td></tr>\n",
                       r->files[i].role, r->files[i].path, r->files[i].sha256);
        html_table_end(p->out);
    }
    html_print(p->out, "<h%d>What next</h%d>\n<pre>", p->level + 1, p->level + 1);
    if (!r->summary.complete && p->prefix[0] == '\0')
        html_print(p->out, "%s\n", resume_words("grayling", name, command));
    shell_word(name, file);
    html_print(p->out, "grayling verify %s\ngrayling export %s --format uci\n</pre>\n", file, file);
}
