#include "canvas.h"
#include "checksum.h"
#include "html.h"
#include "report_page.h"
#include "report_sections.h"
#include "version.h"

#include <stdarg.h>
#include <string.h>

/* report.css and report.js, compiled in. */
extern const char report_style[], report_script[];

const char *report_frame_policy(char text[REPORT_POLICY])
{
    char sum[CHECKSUM_BASE64];
    checksum_base64(report_script, strlen(report_script), sum);
    snprintf(text, REPORT_POLICY,
             "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; img-src data:",
             sum);
    return text;
}

void report_frame_begin(FILE *out, const char *title)
{
    char policy[REPORT_POLICY];
    fprintf(out,
            "<!DOCTYPE html>\n"
            "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
            "<meta charset=\"utf-8\"/>\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
            "<meta name=\"generator\" content=\"grayling " GRAYLING_VERSION "\"/>\n"
            "<link rel=\"icon\" href=\"data:,\"/>\n",
            report_frame_policy(policy));
    html_print(out, "<title>%s – Grayling</title>\n<style>\n", title);
    canvas_write_page_style(out);
    fprintf(out, "%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

void report_frame_end(FILE *out, const char *file)
{
    html_print(out,
               "<footer>Written by grayling " GRAYLING_VERSION
               " from %s.</footer>\n</main>\n<script>",
               file);
    fprintf(out, "%s</script>\n</body>\n</html>\n", report_script);
}

void report_frame_figure(FILE *out, const char *css, const char *name, const char *figure,
                         const char *note, ...)
{
    char text[8192];
    va_list args;
    va_start(args, note);
    vsnprintf(text, sizeof text, note, args);
    va_end(args);
    html_print(out, "<div class=\"%s\"><dt>%s</dt><dd>%s</dd><dd class=\"note\">%s</dd></div>\n",
               css, name, figure, text);
}

void report_frame_outcome(FILE *out, const struct outcome_line *lines, int count)
{
    if (count > 0)
        fputs("<dl class=\"outcome\">\n", out);
    for (int i = 0; i < count; i++)
        html_print(out, "<div><dt>%s</dt><dd><code>%s</code></dd></div>\n", outcome_name(lines, i),
                   lines[i].text);
    if (count > 0)
        fputs("</dl>\n", out);
}

void report_frame_moment(FILE *out, const char *moment)
{
    if (strlen(moment) > strlen("2026-11-21T04:59"))
        html_print(out, "<time>%.10s</time> <time>%.5s UTC</time>", moment,
                   moment + strlen("2026-11-21T"));
    else
        html_text(out, moment);
}
