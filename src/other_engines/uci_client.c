#include "uci_client_internal.h"

#include "clock.h"
#include "command_line.h"
#include "foreign_text.h"
#include "suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How long an engine is given to quit; the longest line that sets an option; how often it is started. */
#define QUIT_SECONDS 1.0
enum { SAID_MAX = 4096, COMMAND_SHOWN = 200, STARTS = 3 };

/* ---- lines ---- */

struct patience client_patience(const struct uci_client *c)
{
    return (struct patience){.until = clock_seconds() + c->answer_seconds};
}

bool client_is_there(const struct uci_client *c, struct error *err)
{
    return c->fault == UCI_MOVE || error_set(err, "%s", c->reason.text);
}

enum child_event client_say(struct uci_client *c, const char *lines)
{
    const struct patience patience = client_patience(c);
    talk_log_add_lines(&c->log, '>', lines);
    return child_send(c->child, lines, strlen(lines), &patience);
}

enum child_event client_hear(struct uci_client *c, const char **line, const struct patience *p)
{
    enum child_event event = child_read(c->child, line, p);
    if (event == CHILD_DONE)
        talk_log_add(&c->log, '<', *line);
    return event;
}

enum child_event client_ask_ready(struct uci_client *c, const char *lines)
{
    c->owed++;
    return client_say(c, lines);
}

/* ---- the introduction ---- */

/* Keeps the words of "id name ..." or "id author ...", the first of each. False without memory. */
static bool read_id(struct uci_client *c, struct words words)
{
    struct word key = words_next(&words), rest = words_rest(&words);
    char **text = word_is(key, "name") ? &c->name : word_is(key, "author") ? &c->author : NULL;
    if (text == NULL || *text != NULL || rest.text == NULL)
        return true;
    *text = strndup(rest.text, (size_t)rest.length);
    if (*text != NULL)
        foreign_text_copy(*text, (size_t)rest.length + 1, *text);
    return *text != NULL;
}

/* Takes a line of the introduction. True if the engine says that it is the last. Some runtimes write a mark
 * of byte order first. */
static bool read_introduction(struct uci_client *c, const char *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    line += strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    struct words words = words_of(line, strlen(line));
    struct word first = words_next(&words);
    if (!c->introduced && word_is(first, "id") && !read_id(c, words))
        error_set(&c->unkept, "has a name that is too long for the memory");
    else if (!c->introduced && word_is(first, "option"))
        option_list_add(&c->options, words, &c->unkept);
    return word_is(first, "uciok");
}

enum child_event client_wait_ready(struct uci_client *c, const struct patience *p)
{
    const char *line;
    while (c->owed > 0) {
        enum child_event event = client_hear(c, &line, p);
        if (event != CHILD_DONE)
            return event;
        struct words words = words_of(line, strlen(line));
        c->owed -= word_is(words_next(&words), "readyok");
        read_introduction(c, line);
    }
    return CHILD_DONE;
}

/* ---- faults ---- */

/* Adds the last lines of standard error to a reason, as one line. */
static void add_complaints(struct error *reason, const char *complaints)
{
    char text[400];
    size_t length = strlen(complaints);
    const char *from = length < sizeof text ? complaints : complaints + length - sizeof text + 1;
    snprintf(text, sizeof text, "%s", from);
    for (char *at = text; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = ' ';
    if (text[strspn(text, " ")] != '\0') {
        const struct error before = *reason;
        error_set(reason, "%.600s; it wrote to standard error: %s", before.text, text);
    }
}

bool client_fault(struct uci_client *c, enum child_event event, struct error *err, const char *what,
                  ...)
{
    char ending[CHILD_ENDING], text[400];
    va_list args;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    if (event == CHILD_CLOSED)
        error_set(&c->reason, "%.*s %s", COMMAND_SHOWN, c->command, child_ending(c->child, ending));
    else
        error_set(&c->reason, "%.*s %s", COMMAND_SHOWN, c->command, text);
    talk_log_add_lines(&c->log, '!', child_complaints(c->child));
    add_complaints(&c->reason, child_complaints(c->child));
    child_kill(c->child);
    c->fault = event == CHILD_CLOSED ? UCI_EXITED : event == CHILD_DONE ? UCI_ILLEGAL : UCI_HUNG;
    return client_is_there(c, err);
}

/* ---- the start ---- */

/* Sends lines of which the last is "isready", and waits until the engine is ready. */
static bool get_ready(struct uci_client *c, const char *lines, struct error *err)
{
    const struct patience patience = client_patience(c);
    if (!client_is_there(c, err))
        return false;
    enum child_event event = client_ask_ready(c, lines);
    if (event == CHILD_DONE)
        event = client_wait_ready(c, &patience);
    return event == CHILD_DONE ||
           client_fault(c, event, err, "does not answer \"isready\" within %g s",
                        c->answer_seconds);
}

/* Asks the engine what it is. What it says until it is ready belongs to the answer: some engines say
 * "uciok" before they are asked. */
static bool introduce(struct uci_client *c, struct error *err)
{
    const struct patience patience = client_patience(c);
    const char *line;
    bool done = false;
    enum child_event event = client_say(c, "uci\n");
    while (event == CHILD_DONE && !done && (event = client_hear(c, &line, &patience)) == CHILD_DONE)
        done = read_introduction(c, line);
    if (!done) {
        client_fault(c, event, err,
                     "does not answer \"uci\" with \"uciok\" within %g s: it is no UCI engine, or "
                     "slow to start",
                     c->answer_seconds);
        return event != CHILD_CLOSED ? false : error_prefix(err, "no answer to \"uci\": ");
    }
    if (!c->introduced && !get_ready(c, "isready\n", err))
        return false;
    c->introduced = true;
    return c->unkept.text[0] == '\0' || client_fault(c, CHILD_DONE, err, "%s", c->unkept.text);
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
    enum child_event event = c->fault == UCI_MOVE ? client_say(c, line) : CHILD_DONE;
    if (event != CHILD_DONE)
        client_fault(c, event, NULL, "does not read its input for %g s", c->answer_seconds);
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

/* Sets the values that were kept before the engine's options were known. */
static bool take_values(struct uci_client *c, struct error *err)
{
    struct uci_values kept = c->values;
    struct error refused;
    bool good = true;
    c->values = (struct uci_values){0};
    for (int i = 0; i < kept.count; i++)
        good = good && uci_client_set(c, kept.items[i].name, kept.items[i].value, &refused);
    uci_values_free(&kept);
    return good || client_fault(c, CHILD_DONE, NULL, "refuses a value") ||
           error_set(err, "%s", refused.text);
}

/* Starts the process and introduces it; then sends what was set before. */
static bool begin(struct uci_client *c, struct error *err)
{
    const bool known = c->introduced;
    if (!known)
        forget_introduction(c);
    c->owed = 0;
    c->fault = start_process(c) ? UCI_MOVE : UCI_EXITED;
    bool good = client_is_there(c, err) && introduce(c, err);
    const struct uci_option *option = uci_client_find(c, UCI_CHESS960);
    c->speaks960 = option != NULL && strcmp(option->initial, "true") == 0;
    good = good && (known || take_values(c, err));
    for (int i = 0; good && known && i < c->values.count; i++)
        good = send_value(c, &c->values.items[i], err);
    return good && get_ready(c, "isready\n", err);
}

/* True if the process has not started, or not in time. */
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
        error_set(err, "no memory for a client");
        return NULL;
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
        return client_is_there(c, err);
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

const char *uci_client_log(const struct uci_client *c)
{
    return c->log.text;
}

/* ---- options and games ---- */

/* Says that there is no such option, and what may be meant. */
static bool refuse_name(const struct uci_client *c, const char *name, struct error *err)
{
    struct suggestion near;
    suggest_init(&near, name);
    for (int i = 0; i < c->options.count; i++)
        suggest_offer(&near, c->options.options[i].name, c->options.options[i].name);
    return error_set(err, "%.*s has no option \"%.200s\"%s%s%s", COMMAND_SHOWN, c->command, name,
                     near.name != NULL ? "; did you mean \"" : "",
                     near.name != NULL ? near.name : "", near.name != NULL ? "\"?" : "");
}

/* Remembers a value for restarts. NULL without memory. */
static const struct uci_value *remember(struct uci_client *c, const char *name, const char *value)
{
    for (int i = 0; i < c->values.count; i++) {
        struct uci_value *old = &c->values.items[i];
        if (strcmp(old->name, name) != 0)
            continue;
        char *copy = strdup(value);
        if (copy == NULL)
            return NULL;
        free((void *)(uintptr_t)old->value);
        old->value = copy;
        return old;
    }
    return uci_values_add(&c->values, name, value) ? &c->values.items[c->values.count - 1] : NULL;
}

/* Returns the value as the engine reads it, malloc'ed; NULL, with the reason, if it does not take it. */
static char *value_for(const struct uci_client *c, const char *name, const char *value,
                       struct error *err)
{
    const struct uci_option *option = uci_client_find(c, name);
    if (option == NULL) {
        refuse_name(c, name, err);
        return NULL;
    }
    char *text = option_value(option, value != NULL ? value : "", err);
    if (text == NULL)
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
    char *text =
        c->introduced ? value_for(c, name, value, err) : strdup(value != NULL ? value : "");
    if (text == NULL)
        return c->introduced ? false : error_set(err, "no memory for a value");
    const char *own = c->introduced ? uci_client_find(c, name)->name : name;
    const struct uci_value *set = remember(c, own, text);
    free(text);
    return set != NULL ? send_value(c, set, err) : error_set(err, "no memory for a value");
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

/* Drops the oldest lines, a quarter of the log and more, until there is room. */
static void log_room(struct talk_log *log, size_t needed)
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
static void log_line(struct talk_log *log, char mark, const char *line, size_t length)
{
    length = length < TALK_LOG_LINE ? length : TALK_LOG_LINE;
    if (log->length + length + 3 > TALK_LOG_SIZE)
        log_room(log, length + 3);
    char *at = log->text + log->length;
    snprintf(at, length + 3, "%c %.*s", mark, (int)length, line);
    foreign_text_copy(at, length + 3, at);
    log->length += strlen(at);
    log->text[log->length++] = '\n';
    log->text[log->length] = '\0';
}

void talk_log_add(struct talk_log *log, char mark, const char *line)
{
    log_line(log, mark, line, strlen(line));
}

void talk_log_add_lines(struct talk_log *log, char mark, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        log_line(log, mark, text, length);
        text += text[length] == '\n' ? length + 1 : length;
    }
}
