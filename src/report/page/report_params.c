/* The section on files: the best organism as a parameter file, to copy and to download, with the command that
 * writes it, and the figures of the generations. */
#include "report_sections.h"

#include "html.h"
#include "paths.h"
#include "shell_word.h"

#include <inttypes.h>
#include <string.h>

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
