/* The latest lines of a conversation. */
#ifndef GRAYLING_TALK_LOG_H
#define GRAYLING_TALK_LOG_H

#include <stddef.h>

enum { TALK_LOG_SIZE = 16384, TALK_LOG_LINE = 4096 };

/* An empty log is all 0. */
struct talk_log {
    size_t length;
    char text[TALK_LOG_SIZE + 1];
};

/* Adds a line, clean (foreign_text.h) and cut to TALK_LOG_LINE bytes, behind a mark and a blank. Drops the oldest lines if there
 * is no room. */
void talk_log_add(struct talk_log *log, char mark, const char *line);

/* Adds the lines of a text. */
void talk_log_add_lines(struct talk_log *log, char mark, const char *text);

#endif
