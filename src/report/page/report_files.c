/* The sections on files and on the recipe: the best organism as a parameter file, to copy and to download, the
 * figures of the generations; the recipe and the data of a run, with the commands that continue from it. */
#include "report_sections.h"

#include "foreign_text.h"
#include "format.h"
#include "hosts_kept.h"
#include "html.h"
#include "paths.h"
#include "resume_words.h"

#include <inttypes.h>
#include <string.h>

/* ---- files ---- */

/* Writes the beginning of a link to a file beside the run, as a browser will name it: "small.yaml", "night-search.yaml". */
static void begin_link(const struct page *p, const char *ending)
{
    const char *name = path_name(p->file);
    const char *end = strstr(name, ".db"), *stage = strchr(name, '#');
    fputs("<a download=\"", p->out);
    html_format(p->out, "%.*s%s%s%s", (int)(end != NULL ? (size_t)(end - name) : strlen(name)),
                name, stage != NULL ? "-" : "", stage != NULL ? stage + 1 : "", ending);
    fputs("\" href=\"", p->out);
}

/* Writes the figures of each generation as CSV, but for its time, which does not repeat. */
static void write_history(const struct page *p)
{
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
}

void report_write_params(const struct page *p)
{
    char file[SHELL_WORD];
    fputs("<p>Download ", p->out);
    begin_link(p, ".yaml");
    html_data(p->out, "application/yaml", p->report->values);
    fputs("\">the parameters</a> (YAML), ", p->out);
    write_history(p);
    fputs(
        ".</p>\n<p>The best organism as a parameter file. A click or a tap selects all of it; this "
        "command writes the same values:</p>\n<pre>",
        p->out);
    html_format(p->out, "grayling export %s --format yaml", shell_word(p->file, file));
    fputs("</pre>\n<pre class=\"copy\" tabindex=\"0\">", p->out);
    html_text(p->out, p->report->values);
    fputs("</pre>\n", p->out);
}

/* ---- the recipe ---- */

static void write_fact(const struct page *p, const char *name, const char *value)
{
    fputs("<div><dt>", p->out);
    html_text(p->out, name);
    fputs("</dt><dd>", p->out);
    html_text(p->out, value);
    fputs("</dd></div>\n", p->out);
}

/* Writes what the defaults of another engine measure. */
static void write_defaults(const struct page *p)
{
    char text[FORMAT_MAX];
    const struct run_summary *s = &p->report->summary;
    if (s->defaults.measure != NOT_MEASURED)
        write_fact(p, "the defaults, in training",
                   objective_full(s->value, s->defaults.measure, s->train_size, text));
    if (s->defaults.held_out != NOT_MEASURED)
        write_fact(p, "the defaults, held out",
                   objective_full(s->value, s->defaults.held_out, s->held_out_size, text));
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

static void write_facts(const struct page *p)
{
    const struct report *r = p->report;
    fputs("<dl class=\"facts\">\n", p->out);
    write_defaults(p);
    if (r->summary.faults != NULL)
        write_fact(p, "faults of the engine", r->summary.faults);
    if (r->summary.hosts != NULL)
        write_hosts(p);
    fputs("</dl>\n", p->out);
}

static void write_files(const struct page *p)
{
    const struct report *r = p->report;
    if (r->file_count == 0)
        return;
    report_write_heading(p, 1, "Data");
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"files\">\n"
          "<caption>Paths are relative to the run</caption>\n<thead><tr>"
          "<th scope=\"col\">role</th><th scope=\"col\" class=\"words\">file</th>"
          "<th scope=\"col\" class=\"words\">SHA-256</th>"
          "</tr></thead>\n<tbody>\n",
          p->out);
    for (int i = 0; i < r->file_count; i++) {
        fputs("<tr><th scope=\"row\">", p->out);
        html_text(p->out, r->files[i].role);
        fputs("</th><td class=\"words\"><code>", p->out);
        html_text(p->out, r->files[i].path);
        fputs("</code></td><td class=\"words\"><code class=\"sum\">", p->out);
        html_text(p->out, r->files[i].sha256);
        fputs("</code></td></tr>\n", p->out);
    }
    fputs("</tbody></table></div>\n", p->out);
}

/* The commands to use the run. */
static void write_commands(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    char file[SHELL_WORD], command[RESUME_WORDS];
    shell_word(p->file, file);
    report_write_heading(p, 1, "What next");
    fputs("<pre>", p->out);
    if (!s->complete && p->prefix[0] == '\0')
        html_format(p->out, "%s\n", resume_words("grayling", p->file, command));
    html_format(p->out, "grayling verify %s\n", file);
    html_format(p->out, "grayling export %s --format uci\n", file);
    fputs("</pre>\n", p->out);
}

void report_write_recipe(const struct page *p)
{
    write_facts(p);
    report_write_heading(p, 1, "Recipe");
    fputs("<pre>", p->out);
    html_text(p->out, p->report->recipe);
    fputs("</pre>\n", p->out);
    write_files(p);
    write_commands(p);
}
