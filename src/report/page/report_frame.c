#include "report_frame.h"

#include "canvas.h"
#include "checksum.h"
#include "html.h"
#include "version.h"

#include <string.h>

/* report.css and report.js, compiled in. */
extern const char report_style[], report_script[];

/* A digit of a checksum; 0 beyond its end. */
static unsigned digit_of(char digit)
{
    return digit == '\0' ? 0 : (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* Writes a checksum as policies have it, in base64: two characters for three of its 64 digits. */
static void write_base64(const char sum[CHECKSUM_MAX], char text[45])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 63; i += 3) {
        unsigned bits = digit_of(sum[i]) << 8 | digit_of(sum[i + 1]) << 4 | digit_of(sum[i + 2]);
        *text++ = digits[bits >> 6];
        *text++ = digits[bits & 63];
    }
    snprintf(text, 3, "%c=", digits[digit_of(sum[63]) << 2]);
}

const char *report_frame_policy(char text[REPORT_POLICY])
{
    char sum[CHECKSUM_MAX], base64[45];
    checksum_bytes(report_script, strlen(report_script), sum);
    write_base64(sum, base64);
    snprintf(text, REPORT_POLICY,
             "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; img-src data:",
             base64);
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
            "<link rel=\"icon\" href=\"data:,\"/>\n<title>",
            report_frame_policy(policy));
    html_text(out, title);
    fputs(" – Grayling</title>\n<style>\n", out);
    canvas_write_page_style(out);
    fprintf(out, "%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

void report_frame_end(FILE *out, const char *file)
{
    fputs("<footer>Written by grayling " GRAYLING_VERSION " from ", out);
    html_text(out, file);
    fprintf(out, ".</footer>\n</main>\n<script>%s</script>\n</body>\n</html>\n", report_script);
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
