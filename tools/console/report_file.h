/* Writes a report to a file. The page ends with its own checksum, so that a later report can
 * replace it if nobody has changed it. */
#ifndef GRAYLING_REPORT_FILE_H
#define GRAYLING_REPORT_FILE_H

#include "night_report.h"
#include "output.h"
#include "report_page.h"

#include <stdbool.h>
#include <stddef.h>

/* Prints the page of a run or a night, whose path is the context (outcome.h). */
bool report_file_print(FILE *out, const void *store_path, struct error *err);

/* A page in memory. */
struct report_text {
    char *bytes; /* owned; NULL if there is none */
    size_t length;
};

/* Reads a run or a night and composes its page; with a second run, which may be NULL, one page of both. The caller frees
 * text->bytes, and `reading` at the end, which may be NULL: what was read of a night, for the next page of the same one,
 * as what has ended is not read again. It is zeroed before the first page. */
bool report_text_compose(const char *store_path, const char *second, struct night_report *reading,
                         struct report_text *text, struct error *err);

/* Writes a page with its checksum to a file ("-": standard output), which it replaces, and frees text->bytes. */
bool report_text_write(struct report_text *text, const char *output, struct error *err);

/* The same but for the last step: the caller publishes or discards `o`. */
bool report_text_finish(struct report_text *text, const char *output, struct output *o,
                        struct error *err);

/* True if a file is an unmodified report. */
bool report_file_untouched(const char *path);

#endif
