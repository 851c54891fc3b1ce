#include "uci_client.h"

#include "clock.h"
#include "command_line.h"
#include "foreign_text.h"
#include "movegen.h"
#include "notation.h"
#include "parse.h"
#include "suggest.h"
#include "text_stream.h"
#include "uci_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How long an engine is given to quit. */
#define QUIT_SECONDS 1.0

/* An engine that keeps its limit of nodes reports more than that at most just before its move: so
 * long the move is waited for before `stop`, in engines that are not known to ignore the limit. */
#define OVER_SECONDS 0.01

/* How long a search may go on after the watcher's flags have stopped it. */
#define FLAG_SECONDS 2.0

enum {
    SAID_MAX = 4096,     /* the longest line that sets an option */
    COMMAND_SHOWN = 200, /* of a command in a reason */
    STARTS = 3,          /* how often an engine is started */
    ENOUGH_NODES = 1000, /* with so many an engine reaches more than depth 1 */
    GO_MAX = 256,
    LOG_SIZE = 16384,
    LOG_LINE = 4096
};

struct uci_client {
    char *command;
    double answer_seconds;
    struct child *child; /* NULL: it could not be started */
    enum uci_end fault;  /* of the process, which is gone, as a search ends by it; UCI_MOVE: none */
    struct error reason; /* of the latest fault */
    bool introduced;     /* name, author and options are known */
    struct error unkept; /* why these cannot be kept; "" if they can */
    char *name, *author; /* NULL: not given */
    struct option_list options;
    struct uci_values values; /* in the order of their first setting */
    int owed;                 /* readyok */
    bool ignores_nodes;       /* a search went on beyond its nodes until it was stopped */
    bool speaks960;           /* the engine was told UCI_Chess960 last */
    bool needs_infinite;      /* a search limited by nodes ended with depth 1 */
    size_t log_length;
    char log[LOG_SIZE + 1]; /* the latest lines of the conversation */
};

/* ---- the log ---- */

/* Adds the lines of a text, clean and cut to LOG_LINE bytes, each behind a mark and a blank. Where there is
 * no room it drops the oldest lines, a quarter of the log and more. */
static void log_lines(struct uci_client *c, char mark, const char *text)
{
    while (*text != '\0') {
        const size_t whole = strcspn(text, "\n"), length = whole < LOG_LINE ? whole : LOG_LINE;
        if (c->log_length + length + 3 > LOG_SIZE) {
            const size_t lost = c->log_length + length + 3 - LOG_SIZE + LOG_SIZE / 4;
            const char *cut = lost >= c->log_length ? NULL : strchr(c->log + lost, '\n');
            c->log_length = cut == NULL ? 0 : c->log_length - (size_t)(cut + 1 - c->log);
            if (cut != NULL)
                memmove(c->log, cut + 1, c->log_length);
        }
        char *at = c->log + c->log_length;
        snprintf(at, length + 3, "%c %.*s", mark, (int)length, text);
        foreign_text_copy(at, length + 3, at);
        c->log_length += strlen(at);
        c->log[c->log_length++] = '\n';
        c->log[c->log_length] = '\0';
        text += whole + (text[whole] == '\n');
    }
}

const char *uci_client_log(const struct uci_client *c)
{
    return c->log;
}

/* ---- lines ---- */

static bool is_there(const struct uci_client *c, struct error *err)
{
    return c->fault == UCI_MOVE || error_set(err, "%s", c->reason.text);
}

/* Sends lines, each with its newline, at once. */
static enum child_event say(struct uci_client *c, const char *lines)
{
    const struct patience patience = patience_for(c->answer_seconds);
    log_lines(c, '>', lines);
    return child_send(c->child, lines, strlen(lines), &patience);
}

static enum child_event hear(struct uci_client *c, const char **line, const struct patience *p)
{
    enum child_event event = child_read(c->child, line, p);
    if (event == CHILD_DONE)
        log_lines(c, '<', *line);
    return event;
}

/* ---- the introduction ---- */

/* Takes a line of the introduction: "id name ...", "id author ...", the first of each, or an option. True if the
 * engine says that it is the last. Some runtimes write a mark of byte order first. */
static bool read_introduction(struct uci_client *c, const char *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    line += strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    struct words words = words_of(line, strlen(line));
    const struct word first = words_next(&words);
    if (!c->introduced && word_is(first, "id")) {
        const struct word key = words_next(&words), rest = words_rest(&words);
        char **text = word_is(key, "name") ? &c->name : word_is(key, "author") ? &c->author : NULL;
        if (text != NULL && *text == NULL && rest.text != NULL) {
            *text = strndup(rest.text, (size_t)rest.length);
            if (*text != NULL)
                foreign_text_copy(*text, (size_t)rest.length + 1, *text);
            else
                error_set(&c->unkept, "has a name that is too long for the memory");
        }
    } else if (!c->introduced && word_is(first, "option"))
        option_list_add(&c->options, &words, &c->unkept);
    return word_is(first, "uciok");
}

/* Sends lines of which the last is "isready", and waits until the engine has answered "readyok" to all that it
 * was asked. What it says before the first one belongs to its introduction; what it says before a later
 * one is about earlier searches, and ignored. */
static enum child_event ask_ready(struct uci_client *c, const char *lines, const struct patience *p)
{
    const char *line;
    enum child_event event = say(c, lines);
    for (c->owed++; event == CHILD_DONE && c->owed > 0;) {
        event = hear(c, &line, p);
        if (event == CHILD_DONE) {
            struct words words = words_of(line, strlen(line));
            c->owed -= word_is(words_next(&words), "readyok");
            read_introduction(c, line);
        }
    }
    return event;
}

/* ---- faults ---- */

/* Ends the process because of a fault, and says why: "ENGINE WHAT", or, if `event` says that it
 * closed a stream, how it ended; then the end of its standard error. Returns false. */
__attribute__((format(printf, 4, 5))) static bool
end_by_fault(struct uci_client *c, enum child_event event, struct error *err, const char *what, ...)
{
    enum { SAID = 380 };
    char ending[CHILD_ENDING], text[400];
    va_list args;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    const char *how = event == CHILD_CLOSED ? child_ending(c->child, ending) : text;
    const char *said = child_complaints(c->child);
    log_lines(c, '!', said);
    said += strlen(said) > SAID ? strlen(said) - SAID : 0;
    error_set(&c->reason, "%.*s %s%s%s", COMMAND_SHOWN, c->command, how,
              said[strspn(said, " \t\r\n")] != '\0' ? "; it wrote to standard error: " : "", said);
    child_kill(c->child);
    c->fault = event == CHILD_CLOSED ? UCI_EXITED : event == CHILD_DONE ? UCI_ILLEGAL : UCI_HUNG;
    return is_there(c, err);
}

/* ---- the start ---- */

/* Sends lines of which the last is "isready", and waits until the engine is ready. */
static bool get_ready(struct uci_client *c, const char *lines, struct error *err)
{
    const struct patience patience = patience_for(c->answer_seconds);
    if (!is_there(c, err))
        return false;
    enum child_event event = ask_ready(c, lines, &patience);
    return event == CHILD_DONE ||
           end_by_fault(c, event, err, "does not answer \"isready\" within %g s",
                        c->answer_seconds);
}

/* Asks the engine what it is. What it says until it is ready belongs to the answer: some engines say
 * "uciok" before they are asked. */
static bool introduce(struct uci_client *c, struct error *err)
{
    const struct patience patience = patience_for(c->answer_seconds);
    const char *line;
    bool done = false;
    enum child_event event = say(c, "uci\n");
    while (event == CHILD_DONE && !done && (event = hear(c, &line, &patience)) == CHILD_DONE)
        done = read_introduction(c, line);
    if (!done) {
        end_by_fault(c, event, err,
                     "does not answer \"uci\" with \"uciok\" within %g s: it is no UCI engine, or "
                     "slow to start",
                     c->answer_seconds);
        return event != CHILD_CLOSED ? false : error_prefix(err, "no answer to \"uci\": ");
    }
    if (!c->introduced && !get_ready(c, "isready\n", err))
        return false;
    c->introduced = true;
    return c->unkept.text[0] == '\0' || end_by_fault(c, CHILD_DONE, err, "%s", c->unkept.text);
}

/* Sends an option. A fault is left to the next call that waits for an answer. */
static bool send_value(struct uci_client *c, const struct uci_value *v, struct error *err)
{
    char line[SAID_MAX];
    int length = v->value[0] == '\0' ? snprintf(line, sizeof line, "setoption name %s\n", v->name)
                                     : snprintf(line, sizeof line, "setoption name %s value %s\n",
                                                v->name, v->value);
    if (length >= (int)sizeof line)
        return error_set(err, "the value of the option %.200s is too long", v->name);
    if (strcasecmp(v->name, UCI_CHESS960) == 0)
        c->speaks960 = strcmp(v->value, "true") == 0;
    enum child_event event = c->fault == UCI_MOVE ? say(c, line) : CHILD_DONE;
    if (event != CHILD_DONE)
        end_by_fault(c, event, NULL, "does not read its input for %g s", c->answer_seconds);
    return true;
}

/* Forgets what an engine said that did not become ready. */
static void forget_introduction(struct uci_client *c)
{
    option_list_free(&c->options);
    free(c->name);
    free(c->author);
    c->name = c->author = NULL;
}

/* Starts the process, for the first time or again. Without its guardian it needs another one next time. */
static bool start_process(struct uci_client *c)
{
    if (c->child == NULL)
        return (c->child = child_start(c->command, &c->reason)) != NULL;
    if (child_restart(c->child, "quit\n", QUIT_SECONDS, &c->reason))
        return true;
    child_end(c->child, NULL, 0);
    c->child = NULL;
    return error_prefix(&c->reason, "%.*s: ", COMMAND_SHOWN, c->command);
}

/* Starts the process and introduces it; then sends what was set before. Values that were kept before the engine's
 * options were known are checked now. */
static bool begin(struct uci_client *c, struct error *err)
{
    struct error refused;
    if (!c->introduced)
        forget_introduction(c);
    c->owed = 0;
    c->fault = start_process(c) ? UCI_MOVE : UCI_EXITED;
    bool good = is_there(c, err) && introduce(c, err);
    const struct uci_option *option = uci_client_find(c, UCI_CHESS960);
    c->speaks960 = option != NULL && strcmp(option->initial, "true") == 0;
    for (int i = 0; good && i < c->values.count; i++)
        if (!uci_client_set(c, c->values.items[i].name, c->values.items[i].value, &refused)) {
            end_by_fault(c, CHILD_DONE, NULL, "refuses a value");
            good = error_set(err, "%s", refused.text);
        }
    return good && get_ready(c, "isready\n", err);
}

static bool has_not_started(const struct uci_client *c)
{
    return c->fault == UCI_EXITED || c->fault == UCI_HUNG;
}

/* Starts the process until it is ready, STARTS times at most: on a loaded machine an engine may be late. */
static bool begin_at_last(struct uci_client *c, struct error *err)
{
    bool ready = begin(c, err);
    for (int i = 1; i < STARTS && !ready && has_not_started(c); i++)
        ready = begin(c, err);
    return ready;
}

struct uci_client *uci_client_create(const struct uci_settings *settings, struct error *err)
{
    struct uci_client *c = calloc(1, sizeof *c);
    if (c == NULL || (c->command = strdup(settings->command)) == NULL) {
        free(c);
        return error_null(err, "no memory for a client");
    }
    c->answer_seconds =
        settings->answer_seconds > 0 ? settings->answer_seconds : UCI_ANSWER_SECONDS;
    bool good = true;
    c->fault = UCI_EXITED; /* there is no process yet */
    for (int i = 0; good && i < settings->value_count; i++)
        good = uci_client_set(c, settings->values[i].name, settings->values[i].value, err);
    if (good && (begin_at_last(c, err) || (c->child != NULL && has_not_started(c))))
        return c;
    uci_client_stop(c);
    return NULL;
}

struct uci_client *uci_client_start(const struct uci_settings *settings, struct error *err)
{
    struct uci_client *c = uci_client_create(settings, err);
    if (c == NULL || c->fault == UCI_MOVE)
        return c;
    uci_client_stop(c);
    return NULL;
}

bool uci_client_restart(struct uci_client *c, struct error *err)
{
    const bool known = c->introduced;
    if (c->fault == UCI_NO_MEMORY)
        return is_there(c, err);
    return begin_at_last(c, err) && (known || begin_at_last(c, err));
}

void uci_client_stop(struct uci_client *c)
{
    if (c == NULL)
        return;
    child_end(c->child, "quit\n", QUIT_SECONDS);
    uci_values_free(&c->values);
    forget_introduction(c);
    free(c->command);
    free(c);
}

bool uci_command_exists(const char *command)
{
    char file[PROGRAM_PATH];
    char **words = command_words(command, NULL);
    bool exists = words != NULL && program_find(words[0], file, NULL);
    free(words);
    return exists;
}

/* ---- what the engine is ---- */

const char *uci_client_name(const struct uci_client *c)
{
    return c->name != NULL ? c->name : c->command;
}

const char *uci_client_author(const struct uci_client *c)
{
    return c->author != NULL ? c->author : "";
}

const struct uci_option *uci_client_options(const struct uci_client *c, int *count)
{
    *count = c->options.count;
    return c->options.options;
}

const struct uci_option *uci_client_find(const struct uci_client *c, const char *name)
{
    return option_list_find(&c->options, name);
}

/* ---- options and games ---- */

/* Returns the value as the engine reads it, malloc'ed; NULL, with the reason, if it does not take it. */
static char *value_for(const struct uci_client *c, const char *name, const char *value,
                       struct error *err)
{
    const struct uci_option *option = uci_client_find(c, name);
    char *text = option != NULL ? option_value(option, value, err) : NULL;
    if (option == NULL) {
        struct suggestion near;
        suggest_init(&near, name);
        for (int i = 0; i < c->options.count; i++)
            suggest_offer(&near, c->options.options[i].name, c->options.options[i].name);
        error_set(err, "%.*s has no option \"%.200s\"%s%s%s", COMMAND_SHOWN, c->command, name,
                  near.name != NULL ? "; did you mean \"" : "", near.name != NULL ? near.name : "",
                  near.name != NULL ? "\"?" : "");
    } else if (text == NULL)
        error_prefix(err, "%.*s: ", COMMAND_SHOWN, c->command);
    return text;
}

bool uci_client_takes(const struct uci_client *c, const char *name, const char *value,
                      struct error *err)
{
    char *text = value_for(c, name, value, err);
    free(text);
    return text != NULL;
}

bool uci_client_set(struct uci_client *c, const char *name, const char *value, struct error *err)
{
    char *text = c->introduced ? value_for(c, name, value, err) : strdup(value);
    if (text == NULL)
        return c->introduced ? false : error_set(err, "no memory for a value");
    struct uci_values *v = &c->values; /* for restarts, each in the place of an earlier one */
    const int i = uci_values_find(v->items, v->count, name);
    const bool kept =
        uci_values_add(v, c->introduced ? uci_client_find(c, name)->name : name, text);
    free(text);
    if (!kept)
        return error_set(err, "no memory for a value");
    if (i < 0)
        return send_value(c, &v->items[v->count - 1], err);
    free((void *)(uintptr_t)v->items[i].name);
    v->items[i] = v->items[--v->count];
    return send_value(c, &v->items[i], err);
}

bool uci_client_new_game(struct uci_client *c, struct error *err)
{
    char lines[64]; /* names that are found differ in the case of letters alone */
    const struct uci_option *clear = uci_client_find(c, "Clear Hash");
    if (clear == NULL || clear->type != UCI_BUTTON)
        return get_ready(c, "ucinewgame\nisready\n", err);
    snprintf(lines, sizeof lines, "ucinewgame\nsetoption name %s\nisready\n", clear->name);
    return get_ready(c, lines, err);
}

/* ---- searches ---- */

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

bool uci_is_abandoned(enum uci_end end, const struct uci_watcher *w)
{
    return end == UCI_STOPPED || (end != UCI_MOVE && flags_are_set(w->stop, w->cancelled));
}

/* ---- the request ---- */

/* True if castling is to be spoken as in Chess960: the position or the user asks for it. */
static bool wants_960(const struct uci_client *c, const struct position *start)
{
    const int set = uci_values_find(c->values.items, c->values.count, UCI_CHESS960);
    return position_is_chess960(start) ||
           (set >= 0 && strcmp(c->values.items[set].value, "true") == 0);
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
    fclose(out);
    return text;
}

static bool has_clock(const struct uci_limits *limits)
{
    return limits->time[WHITE] != 0 || limits->time[BLACK] != 0;
}

static bool is_by_nodes(const struct uci_limits *l)
{
    return l->nodes != 0 && l->depth == 0 && l->movetime == 0 && !has_clock(l);
}

/* Writes the line "go". `infinite`: the client alone keeps the limit of nodes. */
static void go_line(const struct uci_limits *l, bool infinite, char go[GO_MAX])
{
    const struct {
        const char *name;
        int64_t value;
        bool given;
    } words[] = {{"nodes", (int64_t)l->nodes, l->nodes != 0 && !infinite},
                 {"depth", l->depth, l->depth != 0},
                 {"movetime", l->movetime, l->movetime != 0},
                 {"wtime", l->time[WHITE], has_clock(l)},
                 {"btime", l->time[BLACK], has_clock(l)},
                 {"winc", l->increment[WHITE], has_clock(l)},
                 {"binc", l->increment[BLACK], has_clock(l)}};
    strcpy(go, infinite ? "go infinite" : "go");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].given)
            text_add(go, GO_MAX, " %s %" PRId64, words[i].name, words[i].value);
    text_add(go, GO_MAX, "\n");
}

/* ---- ends ---- */

static void end_search(struct search *s, enum uci_end end)
{
    s->outcome.end = end;
    s->outcome.seconds = clock_seconds() - s->began;
    s->over = true;
}

static void fail(struct search *s, enum child_event event, const char *what, double seconds)
{
    end_search(s, event == CHILD_CLOSED ? UCI_EXITED : UCI_HUNG);
    end_by_fault(s->client, event, s->err, "%s for %.3g s", what, seconds);
}

/* Sends `stop`. The move is due at once then. */
static void stop(struct search *s, double seconds)
{
    enum child_event event = s->ending ? CHILD_DONE : say(s->client, "stop\n");
    s->ending = true;
    s->due = clock_seconds() + seconds;
    s->news_due = s->over_due = INFINITY;
    if (event != CHILD_DONE)
        fail(s, event, "does not read its input", s->client->answer_seconds);
}

/* ---- what the engine says ---- */

static void take_move(struct search *s, struct words words)
{
    char fen[FEN_MAX], shown[WORD_SHOWN];
    struct word word = words_next(&words);
    Move m;
    if (word.text != NULL && move_from_text(&s->position, word.text, word.length, &m, NULL))
        s->outcome.move = m;
    if (s->stopped || s->outcome.move != NO_MOVE) {
        end_search(s, s->stopped ? UCI_STOPPED : UCI_MOVE);
        return;
    }
    end_search(s, UCI_ILLEGAL);
    position_to_fen(&s->position, fen);
    end_by_fault(s->client, CHILD_DONE, s->err, "answers with an illegal move, \"%s\", in %s",
                 word.text == NULL ? "" : word_shown(word, shown), fen);
}

/* Takes the words after "info": news that the search goes on towards its limit, or that it is beyond. */
static void take_info(struct search *s, struct words words)
{
    const struct uci_limits *l = s->limits;
    const struct uci_info before = s->outcome.info;
    struct uci_info info = before, *all = &s->outcome.info;
    bool told = uci_info_line_read(&words, &s->position, &info);
    if (info.line == 1)
        *all = info;
    all->nodes = info.nodes;
    if (s->ending)
        return;
    if (s->news_due != INFINITY &&
        (all->nodes > before.nodes ||
         (l->nodes == 0 && (all->depth > before.depth || all->current > before.current))))
        s->news_due = clock_seconds() + s->client->answer_seconds;
    if (s->over_due == INFINITY &&
        ((l->nodes != 0 && all->nodes > l->nodes) || (l->depth != 0 && all->depth > l->depth)))
        s->over_due = s->client->ignores_nodes ? -INFINITY : clock_seconds() + OVER_SECONDS;
    if (told && s->watcher->info != NULL && (info.line == 1 || s->watcher->lines) &&
        !s->watcher->info(s->watcher->context, &info))
        stop(s, s->client->answer_seconds);
}

/* Follows the search to its end. Once the flags have stopped it they end no other wait. */
static void follow(struct search *s)
{
    while (!s->over) {
        const char *line;
        const struct patience patience = {.until = fmin(s->due, fmin(s->news_due, s->over_due)),
                                          .stop = s->stopped ? NULL : s->watcher->stop,
                                          .cancelled = s->stopped ? NULL : s->watcher->cancelled};
        const enum child_event event = hear(s->client, &line, &patience);
        const double now = clock_seconds();
        if (event == CHILD_DONE) { /* other lines have no meaning here */
            struct words words = words_of(line, strlen(line));
            const struct word first = words_next(&words);
            if (word_is(first, "bestmove"))
                take_move(s, words);
            else if (word_is(first, "info"))
                take_info(s, words);
        } else if (event == CHILD_CLOSED)
            fail(s, event, "", 0);
        else if (event == CHILD_LATE && now >= s->due)
            fail(s, event, s->ending ? "ignores \"stop\"" : "has not moved", now - s->began);
        else if (event == CHILD_LATE && (now >= s->over_due || now >= s->news_due)) {
            s->client->ignores_nodes |= now >= s->over_due;
            s->outcome.cut = true;
            stop(s, s->client->answer_seconds);
        } else if (event == CHILD_STOPPED) {
            s->stopped = true;
            stop(s, fmin(FLAG_SECONDS, s->client->answer_seconds));
        }
    }
}

/* Sets the position, and waits until what the engine says is about it. */
static bool set_position(struct search *s, const char *lines)
{
    struct uci_client *c = s->client;
    const struct patience patience = {.until = clock_seconds() + c->answer_seconds,
                                      .stop = s->watcher->stop,
                                      .cancelled = s->watcher->cancelled};
    enum child_event event = ask_ready(c, lines, &patience);
    if (event == CHILD_STOPPED)
        end_search(s, UCI_STOPPED);
    else if (event != CHILD_DONE)
        fail(s, event, "does not answer \"isready\"", c->answer_seconds);
    return event == CHILD_DONE;
}

/* Sends `go`, notes what is due when, and follows the search to its end. */
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
    enum child_event event = say(s->client, line);
    if (event != CHILD_DONE)
        fail(s, event, "does not read its input", s->client->answer_seconds);
    follow(s);
}

/* True if the engine knows no limit of nodes: with a choice, it played after depth 1. */
static bool ended_at_once(const struct search *s)
{
    const struct uci_info *info = &s->outcome.info;
    return s->outcome.end == UCI_MOVE && !s->ending && is_by_nodes(s->limits) &&
           s->limits->nodes >= ENOUGH_NODES && info->depth == 1 && !info->mate &&
           info->nodes < s->limits->nodes / 2 && movegen_count(&s->position) > 1;
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
    if (!is_there(c, err))
        return (struct uci_outcome){.end = c->fault};
    const bool plays = !wants_960(c, start) || uci_client_find(c, UCI_CHESS960) != NULL;
    char *lines = plays ? position_lines(c, &s.position, moves, count) : NULL;
    if (lines == NULL) {
        end_by_fault(c, CHILD_DONE, err,
                     plays ? "is stopped: no memory for a position"
                           : "has no option " UCI_CHESS960 ", and the position is one of Chess960");
        s.outcome.end = c->fault = UCI_NO_MEMORY;
    } else if (set_position(&s, lines)) {
        go(&s);
        if (!c->needs_infinite && ended_at_once(&s)) { /* it searches again, until it is stopped */
            c->needs_infinite = c->ignores_nodes = true;
            s.outcome = (struct uci_outcome){.end = UCI_EXITED};
            s.over = false;
            go(&s);
        }
    }
    free(lines);
    return s.outcome;
}
