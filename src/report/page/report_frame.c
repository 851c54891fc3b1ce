#include "report_frame.h"

#include "html.h"
#include "report_style.h"
#include "version.h"

void report_frame_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n"
          "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"grayling " GRAYLING_VERSION "\"/>\n"
          "<link rel=\"icon\" href=\"data:,\"/>\n<title>",
          out);
    html_text(out, title);
    fprintf(out, " – Grayling</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
            report_style);
}

void report_frame_end(FILE *out, const char *file)
{
    fputs("<footer>Written by grayling " GRAYLING_VERSION " from ", out);
    html_text(out, file);
    fputs(".</footer>\n</main>\n</body>\n</html>\n", out);
}

void report_frame_figure(FILE *out, const char *name, const char *figure, const char *note)
{
    report_frame_verdict(out, "plain", name, figure, note);
}

void report_frame_verdict(FILE *out, const char *css, const char *name, const char *figure,
                          const char *note)
{
    fprintf(out, "<div class=\"%s\"><dt>", css);
    html_text(out, name);
    fputs("</dt><dd>", out);
    html_text(out, figure);
    fputs("</dd><dd class=\"note\">", out);
    html_text(out, note);
    fputs("</dd></div>\n", out);
}

void report_frame_moment(FILE *out, const char *moment)
{
    int year, month, day, hour, minute;
    if (sscanf(moment, "%4d-%2d-%2dT%2d:%2d", &year, &month, &day, &hour, &minute) == 5)
        fprintf(out, "<time>%04d-%02d-%02d</time> <time>%02d:%02d UTC</time>", year, month, day,
                hour, minute);
    else
        html_text(out, moment);
}
