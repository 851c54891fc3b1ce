/* The report's style sheet and script, report.css and report.js, compiled in. */
#ifndef GRAYLING_REPORT_STYLE_H
#define GRAYLING_REPORT_STYLE_H

extern const char report_style[], report_script[];

#endif
