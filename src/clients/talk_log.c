#include "talk_log.h"

#include "foreign_text.h"

#include <stdio.h>
#include <string.h>

/* Drops the oldest lines, a quarter of the log and more, until there is room. */
static void make_room(struct talk_log *log, size_t needed)
{
    size_t lost = log->length + needed - TALK_LOG_SIZE + TALK_LOG_SIZE / 4;
    const char *cut = lost >= log->length ? NULL : strchr(log->text + lost, '\n');
    size_t kept = cut == NULL ? 0 : log->length - (size_t)(cut + 1 - log->text);
    if (kept > 0)
        memmove(log->text, cut + 1, kept);
    log->length = kept;
    log->text[kept] = '\0';
}

/* Adds so many bytes of a line. */
static void add(struct talk_log *log, char mark, const char *line, size_t length)
{
    length = length < TALK_LOG_LINE ? length : TALK_LOG_LINE;
    if (log->length + length + 3 > TALK_LOG_SIZE)
        make_room(log, length + 3);
    char *at = log->text + log->length;
    snprintf(at, length + 3, "%c %.*s", mark, (int)length, line);
    foreign_text_copy(at, length + 3, at);
    log->length += strlen(at);
    log->text[log->length++] = '\n';
    log->text[log->length] = '\0';
}

void talk_log_add(struct talk_log *log, char mark, const char *line)
{
    add(log, mark, line, strlen(line));
}

void talk_log_add_lines(struct talk_log *log, char mark, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        add(log, mark, text, length);
        text += text[length] == '\n' ? length + 1 : length;
    }
}
