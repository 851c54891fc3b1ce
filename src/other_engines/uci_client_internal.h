/* What the files of the UCI client share: its state, and lines to and from the engine. */
#ifndef GRAYLING_UCI_CLIENT_INTERNAL_H
#define GRAYLING_UCI_CLIENT_INTERNAL_H

#include "child.h"
#include "parse.h"
#include "uci_client.h"

#include <stddef.h>

/* ---- the latest lines of a conversation ---- */

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

/* ---- the options that an engine announces: its lines `option`, and what values they take ---- */

/* An empty list is all 0. Owns the texts of its options. */
struct option_list {
    struct uci_option *options;
    int count, room;
};

/* Parses the words after `option` and adds the option. A line without a name or a known type is
 * skipped, as is a name that is there already. The default of a check becomes "true" or "false", also
 * from "1" or "On", and that of a spin a whole number, also from "1.0". False, with what the engine
 * "has", if these are more than 10,000 options, or more than the memory holds. */
bool option_list_add(struct option_list *list, struct words words, struct error *err);

/* Returns the option with this name, in letters of either case, or NULL. */
const struct uci_option *option_list_find(const struct option_list *list, const char *name);

/* Checks a value, and returns it as the engine reads it: "" of a string as "<empty>", a choice as
 * the engine spells it, a check's 1 or 0, which tuners write, on or off as "true" or "false". The caller
 * frees the result. NULL, with the reason, if the option does not take the value. */
char *option_value(const struct uci_option *option, const char *value, struct error *err);

void option_list_free(struct option_list *list);

/* ---- the line `info` ---- */

/* Parses the words after `info` in a search of position `p`, and adds to `info` what they give:
 * depth, nodes, time, score, and the first move of the pv if it is legal. The score is a bound if
 * the line says so anywhere. Returns true if they hold
 * depth, nodes, score or pv. Skips unknown and unreadable words, and all after `string`. The depth
 * of a line with `currmove` is that of a search in progress, and is left out. Nodes never go back.
 * If `info->line` is not 1 afterwards, the line is about another variation than the best (multipv):
 * score and move are those that it gives, or none. `info->judges` is of this line alone. */
bool uci_info_line_read(struct words words, const struct position *p, struct uci_info *info);

/* ---- the client ---- */

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
    struct talk_log log;
};

/* Sends lines, each with its newline, at once. */
enum child_event client_say(struct uci_client *c, const char *lines);

/* Reads a line. */
enum child_event client_hear(struct uci_client *c, const char **line, const struct patience *p);

/* Waits until the engine has answered "readyok" to all that it was asked. What it says before the first one
 * belongs to its introduction; what it says before a later one is about earlier searches, and ignored. Flags
 * of `p` end the wait. */
enum child_event client_wait_ready(struct uci_client *c, const struct patience *p);

/* Sends lines of which the last is "isready". */
enum child_event client_ask_ready(struct uci_client *c, const char *lines);

/* Ends the process because of a fault, and says why: "ENGINE WHAT", or, if `event` says that it
 * closed a stream, how it ended; then the end of its standard error. The client keeps fault and reason.
 * Returns false. */
bool client_fault(struct uci_client *c, enum child_event event, struct error *err, const char *what,
                  ...) __attribute__((format(printf, 4, 5)));

/* Returns the time until which an answer is due that is asked for now. */
struct patience client_patience(const struct uci_client *c);

/* Fails, with the reason, after a fault. */
bool client_is_there(const struct uci_client *c, struct error *err);

#endif
