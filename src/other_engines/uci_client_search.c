#include "uci_client_internal.h"

#include "clock.h"
#include "movegen.h"
#include "notation.h"
#include "text_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An engine that keeps its limit of nodes reports more than that at most just before its move: so
 * long the move is waited for before `stop`, in engines that are not known to ignore the limit. */
#define OVER_SECONDS 0.01

/* With so many nodes an engine reaches more than depth 1. */
enum { ENOUGH_NODES = 1000 };

/* How long a search may go on after the watcher's flags have stopped it. */
#define FLAG_SECONDS 2.0

enum { GO_MAX = 256 };

/* A search in progress. */
struct search {
    struct uci_client *client;
    const struct uci_limits *limits;
    const struct uci_watcher *watcher; /* never NULL */
    struct error *err;
    struct position position; /* that is searched */
    struct uci_outcome outcome;
    double began;    /* when `go` was sent */
    double due;      /* when the engine has a fault; of a search by nodes or depth infinite */
    double news_due; /* when `stop` is sent because nothing new was reported */
    double over_due; /* when `stop` is sent because the limit was exceeded */
    bool ending;     /* `stop` was sent */
    bool stopped;    /* by the flags */
    bool over;
};

/* ---- flags ---- */

bool uci_is_abandoned(enum uci_end end, const struct uci_watcher *w)
{
    const bool flagged =
        (w->stop != NULL && *w->stop != 0) || (w->cancelled != NULL && atomic_load(w->cancelled));
    return end == UCI_STOPPED || (end != UCI_MOVE && flagged);
}

/* ---- the request ---- */

/* True if castling is to be spoken as in Chess960: the position or the user asks for it. */
static bool wants_960(const struct uci_client *c, const struct position *start)
{
    bool wants = position_is_chess960(start);
    for (int i = 0; i < c->values.count; i++)
        wants |= strcasecmp(c->values.items[i].name, UCI_CHESS960) == 0 &&
                 strcmp(c->values.items[i].value, "true") == 0;
    return wants;
}

/* Writes UCI_Chess960 if it changes, "position fen FEN moves ..." and "isready", and makes the moves on the
 * position. NULL without memory. */
static char *position_lines(struct uci_client *c, struct position *p, const Move *moves, int count)
{
    char fen[FEN_MAX], *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return NULL;
    if (wants_960(c, p) != c->speaks960) {
        c->speaks960 = !c->speaks960;
        fprintf(out, "setoption name %s value %s\n", uci_client_find(c, UCI_CHESS960)->name,
                c->speaks960 ? "true" : "false");
    }
    position_to_fen(p, fen);
    fprintf(out, strcmp(fen, FEN_START) == 0 ? "position startpos" : "position fen %s", fen);
    fputs(count > 0 ? " moves" : "", out);
    for (int i = 0; i < count; i++) {
        struct undo undo;
        char uci[UCI_MAX];
        (c->speaks960 ? move_to_uci960 : move_to_uci)(p, moves[i], uci);
        fprintf(out, " %s", uci);
        position_make(p, moves[i], &undo);
    }
    fputs("\nisready\n", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Adds " NAME VALUE". */
static void add_limit(char go[GO_MAX], const char *name, int64_t value)
{
    size_t used = strlen(go);
    snprintf(go + used, GO_MAX - used, " %s %" PRId64, name, value);
}

static bool has_clock(const struct uci_limits *limits)
{
    return limits->time[WHITE] != 0 || limits->time[BLACK] != 0;
}

/* True if a number of nodes is the only limit. */
static bool is_by_nodes(const struct uci_limits *l)
{
    return l->nodes != 0 && l->depth == 0 && l->movetime == 0 && !has_clock(l);
}

/* Writes the line "go". `infinite`: the client alone keeps the limit of nodes. */
static void go_line(const struct uci_limits *l, bool infinite, char go[GO_MAX])
{
    strcpy(go, infinite ? "go infinite" : "go");
    if (l->nodes != 0 && !infinite)
        add_limit(go, "nodes", (int64_t)l->nodes);
    if (l->depth != 0)
        add_limit(go, "depth", l->depth);
    if (l->movetime != 0)
        add_limit(go, "movetime", l->movetime);
    if (has_clock(l)) {
        add_limit(go, "wtime", l->time[WHITE]);
        add_limit(go, "btime", l->time[BLACK]);
        add_limit(go, "winc", l->increment[WHITE]);
        add_limit(go, "binc", l->increment[BLACK]);
    }
    strcat(go, "\n");
}

/* ---- ends ---- */

static void end_search(struct search *s, enum uci_end end)
{
    s->outcome.end = end;
    s->outcome.seconds = clock_seconds() - s->began;
    s->over = true;
}

/* Ends a search in which the process fails. */
static void fail(struct search *s, enum child_event event, const char *what, double seconds)
{
    end_search(s, event == CHILD_CLOSED ? UCI_EXITED : UCI_HUNG);
    client_fault(s->client, event, s->err, "%s for %.3g s", what, seconds);
}

/* Sends `stop`. The move is due at once then. */
static void stop(struct search *s, double seconds)
{
    enum child_event event = s->ending ? CHILD_DONE : client_say(s->client, "stop\n");
    s->ending = true;
    s->due = clock_seconds() + seconds;
    s->news_due = s->over_due = INFINITY;
    if (event != CHILD_DONE)
        fail(s, event, "does not read its input", s->client->answer_seconds);
}

/* Stops a search that the flags end. */
static void stop_for_flags(struct search *s)
{
    s->stopped = true;
    stop(s, fmin(FLAG_SECONDS, s->client->answer_seconds));
}

/* Stops a search that does not end by itself. */
static void cut(struct search *s)
{
    s->outcome.cut = true;
    stop(s, s->client->answer_seconds);
}

/* Something is late: the engine's move, its news, or its move after the limit was exceeded. */
static void be_late(struct search *s)
{
    double now = clock_seconds();
    if (now >= s->due)
        fail(s, CHILD_LATE, s->ending ? "ignores \"stop\"" : "has not moved", now - s->began);
    else if (now >= s->over_due) {
        s->client->ignores_nodes = true;
        cut(s);
    } else if (now >= s->news_due)
        cut(s);
}

/* ---- what the engine says ---- */

/* Takes the words after "bestmove". */
static void take_move(struct search *s, struct words words)
{
    char fen[FEN_MAX], shown[WORD_SHOWN];
    struct word word = words_next(&words);
    Move m;
    if (word.text != NULL && move_from_text(&s->position, word.text, word.length, &m, NULL)) {
        s->outcome.move = m;
        end_search(s, s->stopped ? UCI_STOPPED : UCI_MOVE);
        return;
    }
    if (s->stopped) {
        end_search(s, UCI_STOPPED);
        return;
    }
    end_search(s, UCI_ILLEGAL);
    position_to_fen(&s->position, fen);
    client_fault(s->client, CHILD_DONE, s->err, "answers with an illegal move, \"%s\", in %s",
                 word.text == NULL ? "" : word_shown(word, shown), fen);
}

/* True if the engine reports more than it was allowed. */
static bool is_beyond(const struct uci_limits *limits, const struct uci_info *info)
{
    return (limits->nodes != 0 && info->nodes > limits->nodes) ||
           (limits->depth != 0 && info->depth > limits->depth);
}

/* True if a report shows that the search goes on towards its limit. */
static bool is_news(const struct search *s, const struct uci_info *before)
{
    const struct uci_info *info = &s->outcome.info;
    return info->nodes > before->nodes ||
           (s->limits->nodes == 0 &&
            (info->depth > before->depth || info->current > before->current));
}

/* Takes the words after "info". */
static void take_info(struct search *s, struct words words)
{
    struct uci_info before = s->outcome.info, info = before;
    bool told = uci_info_line_read(words, &s->position, &info);
    if (info.line == 1)
        s->outcome.info = info;
    s->outcome.info.nodes = info.nodes;
    if (s->ending)
        return;
    if (s->news_due != INFINITY && is_news(s, &before))
        s->news_due = clock_seconds() + s->client->answer_seconds;
    if (is_beyond(s->limits, &s->outcome.info) && s->over_due == INFINITY)
        s->over_due = s->client->ignores_nodes ? -INFINITY : clock_seconds() + OVER_SECONDS;
    if (told && s->watcher->info != NULL && (info.line == 1 || s->watcher->lines) &&
        !s->watcher->info(s->watcher->context, &info))
        stop(s, s->client->answer_seconds);
}

/* Takes a line; other lines than "info" and "bestmove" have no meaning here. */
static void take_line(struct search *s, const char *line)
{
    struct words words = words_of(line, strlen(line));
    struct word first = words_next(&words);
    if (word_is(first, "bestmove"))
        take_move(s, words);
    else if (word_is(first, "info"))
        take_info(s, words);
}

/* ---- the search ---- */

/* What the next wait of a search is for. */
static struct patience search_patience(const struct search *s)
{
    struct patience p = {.until = fmin(s->due, fmin(s->news_due, s->over_due))};
    if (!s->stopped) {
        p.stop = s->watcher->stop;
        p.cancelled = s->watcher->cancelled;
    }
    return p;
}

/* Follows the search to its end. */
static void follow(struct search *s)
{
    while (!s->over) {
        const char *line;
        const struct patience patience = search_patience(s);
        enum child_event event = client_hear(s->client, &line, &patience);
        if (event == CHILD_DONE)
            take_line(s, line);
        else if (event == CHILD_STOPPED)
            stop_for_flags(s);
        else if (event == CHILD_LATE)
            be_late(s);
        else
            fail(s, event, "", 0);
    }
}

/* Sets the position, and waits until what the engine says is about it. */
static bool set_position(struct search *s, const char *lines)
{
    struct uci_client *c = s->client;
    struct patience patience = client_patience(c);
    patience.stop = s->watcher->stop;
    patience.cancelled = s->watcher->cancelled;
    enum child_event event = client_ask_ready(c, lines);
    if (event == CHILD_DONE)
        event = client_wait_ready(c, &patience);
    if (event == CHILD_STOPPED)
        end_search(s, UCI_STOPPED);
    else if (event != CHILD_DONE)
        fail(s, event, "does not answer \"isready\"", c->answer_seconds);
    return event == CHILD_DONE;
}

/* Sends `go`, and notes what is due when. */
static void go(struct search *s)
{
    const struct uci_limits *l = s->limits;
    char line[GO_MAX];
    go_line(l, s->client->needs_infinite && is_by_nodes(l), line);
    s->began = clock_seconds();
    s->due = s->news_due = s->over_due = INFINITY;
    const double grace = (double)l->grace / 1000 + s->client->answer_seconds;
    if (l->movetime > 0)
        s->due = s->began + (double)l->movetime / 1000 + grace;
    if (has_clock(l))
        s->due = fmin(s->due, s->began + (double)l->time[s->position.side] / 1000 + grace);
    if (s->due == INFINITY)
        s->news_due = s->began + s->client->answer_seconds;
    enum child_event event = client_say(s->client, line);
    if (event != CHILD_DONE)
        fail(s, event, "does not read its input", s->client->answer_seconds);
}

/* True if the engine knows no limit of nodes, and ended the search at once: it has a choice, and
 * played after depth 1. */
static bool ended_at_once(const struct search *s)
{
    const struct uci_info *info = &s->outcome.info;
    return s->outcome.end == UCI_MOVE && !s->ending && is_by_nodes(s->limits) &&
           s->limits->nodes >= ENOUGH_NODES && info->depth == 1 && !info->mate &&
           info->nodes < s->limits->nodes / 2 && movegen_count(&s->position) > 1;
}

/* Searches the position. An engine that knows no limit of nodes searches again, until it is stopped. */
static void search(struct search *s)
{
    go(s);
    follow(s);
    if (s->client->needs_infinite || !ended_at_once(s))
        return;
    s->client->needs_infinite = s->client->ignores_nodes = true;
    s->outcome = (struct uci_outcome){.end = UCI_EXITED};
    s->over = false;
    go(s);
    follow(s);
}

struct uci_outcome uci_client_search(struct uci_client *c, const struct position *start,
                                     const Move *moves, int count, const struct uci_limits *limits,
                                     const struct uci_watcher *watcher, struct error *err)
{
    static const struct uci_watcher nobody = {0};
    struct search s = {.client = c,
                       .limits = limits,
                       .watcher = watcher != NULL ? watcher : &nobody,
                       .err = err,
                       .position = *start,
                       .began = clock_seconds()};
    s.outcome.end = UCI_EXITED;
    if (!client_is_there(c, err))
        return (struct uci_outcome){.end = c->fault};
    const bool plays = !wants_960(c, start) || uci_client_find(c, UCI_CHESS960) != NULL;
    char *lines = plays ? position_lines(c, &s.position, moves, count) : NULL;
    if (lines == NULL) {
        client_fault(c, CHILD_DONE, err,
                     plays ? "is stopped: no memory for a position"
                           : "has no option " UCI_CHESS960 ", and the position is one of Chess960");
        s.outcome.end = c->fault = UCI_NO_MEMORY;
    } else if (set_position(&s, lines))
        search(&s);
    free(lines);
    return s.outcome;
}

/* ---- the line `info` ---- */

/* Consumes a number from min on; false, and nothing consumed, if the next word is none. */
static bool read_number(struct words *w, int64_t min, int64_t max, int64_t *value)
{
    return word_number(words_peek(w), min, max, value) && words_next(w).text != NULL;
}

bool uci_info_line_read(struct words words, const struct position *p, struct uci_info *info)
{
    const struct uci_info before = *info;
    bool depth = false, nodes = false, score = false, pv = false; /* given */
    bool bound = false,
         current = false; /* a bound is written behind the score or its `wdl`, or before */
    int64_t number;
    Move m;
    info->line = 1;
    for (struct word w; (w = words_next(&words)).text != NULL;) {
        if (word_is(w, "lowerbound") || word_is(w, "upperbound")) {
            bound = true;
        } else if (word_is(w, "depth") && read_number(&words, 0, INT32_MAX, &number)) {
            info->depth = (int)number;
            depth = true;
        } else if (word_is(w, "nodes") && read_number(&words, 0, INT64_MAX, &number)) {
            info->nodes = (uint64_t)number;
            nodes = true;
        } else if (word_is(w, "time") && read_number(&words, 0, INT64_MAX, &number)) {
            info->time = number;
        } else if (word_is(w, "multipv") && read_number(&words, 1, INT32_MAX, &number)) {
            info->line = (int)number;
        } else if (word_is(w, "currmovenumber") && read_number(&words, 1, INT32_MAX, &number)) {
            info->current = (int)number;
        } else if (word_is(w, "currmove")) {
            current = true;
        } else if (word_is(w, "string")) {
            break;
        } else if (word_is(w, "score")) {
            struct word unit = words_next(&words);
            if (word_is(unit, "lowerbound") || word_is(unit, "upperbound")) {
                bound = true;
                unit = words_next(&words);
            }
            const bool mate = word_is(unit, "mate");
            if ((mate || word_is(unit, "cp")) &&
                read_number(&words, -INT32_MAX, INT32_MAX, &number)) {
                info->score = (int32_t)number;
                info->mate = mate;
                info->has_score = score = true;
            }
        } else if (word_is(w, "pv")) { /* whose other moves have no meaning here */
            const struct word first = words_next(&words);
            if (first.text != NULL && move_from_text(p, first.text, first.length, &m, NULL)) {
                info->move = m;
                pv = true;
            }
        }
    }
    if (current)
        info->depth = before.depth;
    if (info->line !=
        1) { /* what earlier lines gave of the best does not hold for another variation */
        info->has_score = score;
        info->move = pv ? info->move : NO_MOVE;
    }
    if (score)
        info->bound = bound;
    info->judges = score || pv;
    info->nodes = info->nodes > before.nodes ? info->nodes : before.nodes;
    return (depth && !current) || nodes || score || pv;
}
