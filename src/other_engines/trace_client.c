#include "trace_client.h"

#include "child.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REQUEST_MAX = FEN_MAX + 8, /* bytes of "fen FEN\n" */
    SET_MAX = 32,              /* of "set WEIGHT VALUE\n" */
    /* Requests on their way, at most. They fit the pipe to the process, so that sending never waits
     * for a process that waits itself until its answers are read. */
    WINDOW = 256,
    FAREWELL_SECONDS = 2, /* for a process to quit */
};

struct trace_client {
    char *command;
    double seconds; /* patience */
    struct child *child;
    struct trace_weights weights;
    struct weight_count *items; /* of the answer being read */
    char *requests;             /* room for those of a window */
    bool ready;                 /* to be asked: there was no fault yet */
};

/* ---- lines ---- */

/* Says why the process has not said what it should. Returns false. */
static bool explain(struct trace_client *c, enum child_event event, const char *expected,
                    struct error *err)
{
    char ending[CHILD_ENDING];
    if (event == CHILD_LATE)
        return error_set(err, "no %s within %g s", expected, c->seconds);
    child_ending(c->child, ending);
    const char *complaints = child_complaints(c->child);
    int length = (int)strcspn(complaints, "\r\n");
    return error_set(err, "it %s and gives no %s%s%.*s", ending, expected, length > 0 ? ": " : "",
                     length, complaints);
}

static const char *shown(const char *line, char text[WORD_SHOWN])
{
    return word_shown((struct word){line, (int)strcspn(line, "\r\n")}, text);
}

/* ---- starting and stopping ---- */

/* Does the handshake. Without one the reason has the last line that was not part of it. */
static bool read_weights(struct trace_client *c, struct error *err)
{
    static const char greeting[] = "trace 1\n";
    const struct patience limit = patience_for(c->seconds);
    char other[WORD_SHOWN] = "", text[WORD_SHOWN];
    const char *line;
    enum child_event event = child_send(c->child, greeting, sizeof greeting - 1, &limit);
    while (event == CHILD_DONE && (event = child_read(c->child, &line, &limit)) == CHILD_DONE) {
        const int count = c->weights.table.count, scale = c->weights.scale;
        const enum trace_step step = trace_read_weights(&c->weights, line, strlen(line), err);
        if (step == TRACE_REFUSED)
            return error_prefix(err, "in the handshake, '%s': ", shown(line, text));
        if (step == TRACE_READY)
            return true;
        if (count == c->weights.table.count && scale == c->weights.scale)
            shown(line, other);
    }
    explain(c, event, "'traceok' after 'trace 1'", err);
    return other[0] == '\0' ? false : error_prefix(err, "it says '%s', but ", other);
}

struct trace_client *trace_client_start(const struct trace_settings *settings, struct error *err)
{
    struct trace_client *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->seconds = settings->answer_seconds > 0 ? settings->answer_seconds : TRACE_ANSWER_SECONDS;
        c->command = strdup(settings->command);
        c->items = malloc(EVALUATOR_WEIGHTS_MAX * sizeof *c->items);
        c->requests = malloc(WINDOW * REQUEST_MAX);
    }
    if (c == NULL || c->command == NULL || c->items == NULL || c->requests == NULL)
        error_set(err, "no memory for %s", settings->command);
    else if ((c->child = child_start(settings->command, err)) != NULL) {
        c->ready = read_weights(c, err);
        if (c->ready)
            return c;
        error_prefix(err, "%s: ", c->command);
    }
    trace_client_stop(c);
    return NULL;
}

void trace_client_stop(struct trace_client *c)
{
    if (c == NULL)
        return;
    child_end(c->child, "quit\n", c->ready ? FAREWELL_SECONDS : 0);
    trace_weights_free(&c->weights);
    free(c->requests);
    free(c->items);
    free(c->command);
    free(c);
}

const struct trace_weights *trace_client_weights(const struct trace_client *c)
{
    return &c->weights;
}

struct trace_weights trace_client_take_weights(struct trace_client *c)
{
    struct trace_weights weights = c->weights;
    c->weights = (struct trace_weights){0};
    return weights;
}

/* ---- questions and answers ---- */

/* Positions being asked for: up to `answered` they are done, up to `sent` on their way. */
struct questions {
    const struct position *positions;
    size_t count, sent, answered;
    trace_taker *take;
    void *context;
    bool ended; /* by `take` */
};

/* Reads and checks the answer for the next position, and hands it over. */
static bool take_answer(struct trace_client *c, struct questions *q, const char *line,
                        struct error *err)
{
    int32_t score;
    struct leaf_counts counts;
    if (!trace_read_answer(line, strlen(line), c->weights.table.count, c->items, &score, &counts,
                           err)) {
        char text[WORD_SHOWN];
        return error_prefix(err, "the answer '%s': ", shown(line, text));
    }
    if (!trace_is_linear(&c->weights, score, &counts, err))
        return error_prefix(err, "the evaluation is not linear in its weights: ");
    if (!q->ended && !q->take(q->context, q->answered, &counts)) {
        q->ended = true;
        q->count = q->sent;
    }
    return true;
}

/* Sends all requests, as many at once as the window has room for, and reads all answers: to half of the
 * requests on their way, or to all if they are the last, so that requests go out in large pieces. */
static bool converse(struct trace_client *c, struct questions *q, struct error *err)
{
    while (q->answered < q->count) {
        struct patience limit = patience_for(c->seconds);
        char *to = c->requests;
        while (q->sent < q->count && q->sent - q->answered < WINDOW) {
            memcpy(to, "fen ", 4);
            to += 4 + position_to_fen(&q->positions[q->sent++], to + 4);
            *to++ = '\n';
        }
        enum child_event event =
            child_send(c->child, c->requests, (size_t)(to - c->requests), &limit);
        const size_t left = q->sent == q->count ? 0 : WINDOW / 2;
        while (event == CHILD_DONE && q->sent - q->answered > left) {
            const char *line;
            limit = patience_for(c->seconds);
            event = child_read(c->child, &line, &limit);
            if (event == CHILD_DONE && !take_answer(c, q, line, err))
                return false;
            q->answered += event == CHILD_DONE;
        }
        if (event != CHILD_DONE)
            return explain(c, event, "answer", err);
    }
    return true;
}

/* False if the process has said more than it was asked. */
static bool check_silence(struct trace_client *c, struct error *err)
{
    const struct patience none = {.until = 0};
    const char *line;
    char text[WORD_SHOWN];
    return child_read(c->child, &line, &none) != CHILD_DONE ||
           error_set(err, "it says '%s' without being asked", shown(line, text));
}

bool trace_client_ask(struct trace_client *c, const struct position *positions, size_t count,
                      trace_taker *take, void *context, struct error *err)
{
    struct questions q = {.positions = positions, .count = count, .take = take, .context = context};
    char fen[FEN_MAX];
    if (!c->ready)
        return error_set(err, "%s: it answers no more", c->command);
    if (check_silence(c, err) && converse(c, &q, err) && check_silence(c, err))
        return !q.ended;
    c->ready = false;
    if (q.answered == q.count)
        return error_prefix(err, "%s: ", c->command);
    position_to_fen(&q.positions[q.answered], fen);
    return error_prefix(err, "%s: %s: ", c->command, fen);
}

bool trace_client_set(struct trace_client *c, const int32_t *values, struct error *err)
{
    if (!c->ready)
        return error_set(err, "%s: it answers no more", c->command);
    for (int i = 0; i < c->weights.table.count; i++) {
        char text[SET_MAX];
        const struct patience limit = patience_for(c->seconds);
        const int length = snprintf(text, sizeof text, "set %d %d\n", i, (int)values[i]);
        if (values[i] == c->weights.table.params[i].initial)
            continue;
        trace_weights_set(&c->weights, i, values[i]);
        enum child_event event = child_send(c->child, text, (size_t)length, &limit);
        if (event != CHILD_DONE) {
            c->ready = false;
            explain(c, event, "room for 'set'", err);
            return error_prefix(err, "%s: ", c->command);
        }
    }
    return true;
}
