/* The report's style sheet, report.css, compiled in. */
#ifndef GRAYLING_REPORT_STYLE_H
#define GRAYLING_REPORT_STYLE_H

extern const char report_style[];

#endif
