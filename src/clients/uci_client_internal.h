/* What the files of the UCI client share: its state, and lines to and from the engine. */
#ifndef GRAYLING_UCI_CLIENT_INTERNAL_H
#define GRAYLING_UCI_CLIENT_INTERNAL_H

#include "child.h"
#include "option_list.h"
#include "talk_log.h"
#include "uci_client.h"
#include "uci_words.h"

/* A value that was set, as the engine reads it. */
struct set_value {
    char *name, *value;
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
    struct set_value *values; /* in the order of their first setting */
    int value_count;
    int owed;            /* readyok */
    bool ignores_nodes;  /* a search went on beyond its nodes until it was stopped */
    bool speaks960;      /* the engine was told UCI_Chess960 last */
    bool needs_infinite; /* a search limited by nodes ended with depth 1 */
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
