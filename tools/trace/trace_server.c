#include "trace_server.h"

#include "trace_protocol.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    IN_SIZE = 64 * 1024,
    OUT_SIZE = 2 * TRACE_LINE_MAX,
    ANSWER_MAX = TRACE_LINE_MAX + 1, /* bytes of an answer with its newline */
    VERSION = 1,
};

struct trace_server {
    const struct evaluation *evaluation;
    int in, out;
    struct error *err;
    size_t in_end, out_end;
    char from[IN_SIZE + 1], to[OUT_SIZE];
};

/* ---- output ---- */

/* Writes all that is queued. */
static bool flush(struct trace_server *s)
{
    for (size_t at = 0; at < s->out_end;) {
        ssize_t n = write(s->out, s->to + at, s->out_end - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return error_set(s->err, "cannot write standard output: %s", strerror(errno));
        at += (size_t)n;
    }
    s->out_end = 0;
    return true;
}

/* Makes room for an answer and returns its place; NULL if output fails. */
static char *answer_place(struct trace_server *s)
{
    return OUT_SIZE - s->out_end >= ANSWER_MAX || flush(s) ? s->to + s->out_end : NULL;
}

/* Queues a line. */
__attribute__((format(printf, 2, 3))) static bool say(struct trace_server *s, const char *format,
                                                      ...)
{
    va_list args;
    char *to = answer_place(s);
    if (to == NULL)
        return false;
    va_start(args, format);
    int length = vsnprintf(to, ANSWER_MAX - 1, format, args);
    va_end(args);
    length = length < ANSWER_MAX - 1 ? length : ANSWER_MAX - 2;
    to[length] = '\n';
    s->out_end += (size_t)length + 1;
    return true;
}

/* ---- answers ---- */

/* Names the weights. */
static bool shake_hands(struct trace_server *s, const char *version)
{
    if (strcmp(version, "1") != 0)
        return say(s, "error this is version %d of the trace protocol, not '%s'", VERSION, version);
    int32_t values[EVALUATION_WEIGHTS];
    const struct param_table *table = evaluation_table(s->evaluation);
    evaluation_values(s->evaluation, values);
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        if (!say(s, "weight %s %d %d %d", p->name, values[i], p->min, p->max))
            return false;
    }
    return say(s, "scale %d", evaluation_scale(s->evaluation->kind)) && say(s, "traceok");
}

/* Answers for a position: its score by the evaluation itself, in whole centipawns, and the counts by
 * its trace. */
static bool answer_position(struct trace_server *s, const char *fen)
{
    struct position p;
    struct error reason;
    struct weight_count items[EVALUATION_WEIGHTS];
    const enum evaluation_kind kind = s->evaluation->kind;
    if (!position_from_fen(&p, fen, NULL, &reason))
        return say(s, "error %s", reason.text);
    char *to = answer_place(s);
    if (to == NULL)
        return false;
    const struct leaf_counts counts = {.count = evaluation_counts(kind, &p, items), .items = items};
    int32_t score = evaluation_exact(s->evaluation, &p) / evaluation_scale(kind);
    size_t length = trace_write_answer(to, p.side == WHITE ? score : -score, &counts);
    to[length] = '\n';
    s->out_end += length + 1;
    return true;
}

/* Returns the text after `word` if the line begins with it; else NULL. */
static const char *after_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length + strspn(line + length, " ");
}

/* Answers a line; lines of unknown words have no answer. Sets `*quit`. */
static bool answer_line(struct trace_server *s, char *line, bool *quit)
{
    const char *rest;
    line[strcspn(line, "\r")] = '\0';
    *quit = after_word(line, "quit") != NULL;
    if ((rest = after_word(line, "fen")) != NULL)
        return answer_position(s, rest);
    if ((rest = after_word(line, "trace")) != NULL)
        return shake_hands(s, rest);
    return true;
}

/* ---- input ---- */

/* Reads what there is, behind what is left. False at the end of the input. A line that fills the
 * buffer is cut. */
static bool read_more(struct trace_server *s)
{
    ssize_t n;
    if (s->in_end == IN_SIZE)
        s->in_end = 0;
    do
        n = read(s->in, s->from + s->in_end, IN_SIZE - s->in_end);
    while (n < 0 && errno == EINTR);
    s->in_end += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* Answers all complete lines and keeps the rest. */
static bool answer_lines(struct trace_server *s, bool *quit)
{
    char *line = s->from, *end = s->from + s->in_end, *feed;
    while (!*quit && (feed = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        *feed = '\0';
        if (!answer_line(s, line, quit))
            return false;
        line = feed + 1;
    }
    s->in_end = (size_t)(end - line);
    memmove(s->from, line, s->in_end);
    return flush(s);
}

/* Answers a last line without a newline. */
static bool answer_rest(struct trace_server *s)
{
    bool quit;
    s->from[s->in_end] = '\0';
    return s->in_end == 0 || (answer_line(s, s->from, &quit) && flush(s));
}

bool trace_server_run(const struct evaluation *e, int in, int out, struct error *err)
{
    bool quit = false, good = true;
    struct trace_server *s = malloc(sizeof *s);
    if (s == NULL)
        return error_set(err, "no memory for the trace protocol");
    s->evaluation = e;
    s->in = in;
    s->out = out;
    s->err = err;
    s->in_end = s->out_end = 0;
    while (good && !quit && read_more(s))
        good = answer_lines(s, &quit);
    good = good && (quit || answer_rest(s));
    free(s);
    return good;
}
