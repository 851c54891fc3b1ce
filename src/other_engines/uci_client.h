/* A client of a UCI engine: one process, spoken to over its standard input and output.
 *
 *     uci_client_start ---> uci, options, isready        the process lives in a group of its own
 *     uci_client_new_game -> ucinewgame, isready
 *     uci_client_search --> position, go ... bestmove    follows `info` lines, sends `stop`
 *     uci_client_restart -> after a fault: a new process with the same options, under the same guardian
 *     uci_client_stop ----> quit; then the group is killed
 *
 * Nothing here waits for ever: each answer has a limit. A process that exits, does not answer in time, or plays an
 * illegal move has a fault. After a fault the process is gone, and every call that needs it fails with the reason
 * until the next restart. The process ends with this program, however this program ends.
 *
 * A client serves one thread at a time. Different clients share nothing. */
#ifndef GRAYLING_UCI_CLIENT_H
#define GRAYLING_UCI_CLIENT_H

#include "child.h"
#include "uci_lines.h"

struct uci_client;

/* ---- life cycle */

enum { UCI_ANSWER_SECONDS = 10 };

struct uci_settings {
    const char *command;            /* command_line.h */
    const struct uci_value *values; /* set at each start, in this order */
    int value_count;
    bool chess960; /* the engine has UCI_Chess960: known once it is set up (engine_setup.h) */
    double answer_seconds; /* patience for uciok, readyok and a bestmove that is due; 0: 10 s */
};

/* Starts the engine and waits until it is ready. One that is not ready in time, or exits, is started three
 * times: on a loaded machine an engine may be late. Copies the settings. NULL, with the reason, if the command
 * cannot be started, is not a UCI engine, lacks an option, or refuses a value. */
struct uci_client *uci_client_start(const struct uci_settings *settings, struct error *err);

/* The same, but an engine that has not started becomes a client with a fault, whose reason is in `err`; values
 * that are set then are looked at by the restart. */
struct uci_client *uci_client_create(const struct uci_settings *settings, struct error *err);

/* Starts a process again, with the settings and all values set since, in three attempts too. Fails after
 * UCI_NO_MEMORY: a search that was never sent must not count as a result. */
bool uci_client_restart(struct uci_client *c, struct error *err);

/* Asks the engine to quit; kills its process group if it does not. Accepts NULL. */
void uci_client_stop(struct uci_client *c);

/* True if a command can be found. */
bool uci_command_exists(const char *command);

/* ---- what the engine is */

const char *uci_client_name(const struct uci_client *c);   /* "id name", clean, or the command */
const char *uci_client_author(const struct uci_client *c); /* clean; "" if it gave none */
const struct uci_option *uci_client_options(const struct uci_client *c, int *count);
const struct uci_option *uci_client_find(const struct uci_client *c,
                                         const char *name); /* or NULL */

/* ---- play */

/* True if the engine has an option and takes a value; else false with the reason. Sends nothing. */
bool uci_client_takes(const struct uci_client *c, const char *name, const char *value,
                      struct error *err);

/* Sets an option; remembered for restarts. Takes effect with the next new game or search, which also
 * tells the fault of an engine that dies of the value, or is gone. False, with the reason, if there is
 * no such option, the value is out of its range, or memory is short. */
bool uci_client_set(struct uci_client *c, const char *name, const char *value, struct error *err);

/* Begins a new game: the engine forgets what it learned from earlier positions. Also presses its
 * button "Clear Hash" if it has one. False if the engine has a fault. */
bool uci_client_new_game(struct uci_client *c, struct error *err);

/* Limits of a search; 0: none of that kind. At least one is set. With clocks (indexed by colour, in
 * milliseconds) the engine decides how long it thinks. */
struct uci_limits {
    uint64_t nodes;
    int depth;
    int64_t movetime; /* milliseconds */
    int64_t time[2], increment[2];
    int64_t
        grace; /* milliseconds by which it may exceed a time; it has a fault answer_seconds later */
};

/* Follows and stops a search. All members may be 0. */
struct uci_watcher {
    /* Called after each info line that holds depth, nodes, score or pv. Returning false sends
     * `stop`: the search then ends in order with UCI_MOVE. */
    bool (*info)(void *context, const struct uci_info *info);
    void *context;
    /* True: `info` is also called for each line of another variation than the best, with the score
     * and move of that line alone. The engine's option MultiPV must ask for them. */
    bool lines;
    const volatile sig_atomic_t *stop; /* nonzero ends the search with UCI_STOPPED, soon */
    const atomic_bool *cancelled;      /* same, set by another thread */
};

enum uci_end {
    UCI_MOVE,      /* a legal move */
    UCI_STOPPED,   /* the watcher's flags; the process is in order */
    UCI_EXITED,    /* fault: the process exited or closed its output */
    UCI_HUNG,      /* fault: no answer in time, or `stop` is ignored */
    UCI_ILLEGAL,   /* fault: an illegal move, or none */
    UCI_NO_MEMORY, /* this program could not ask, for want of memory or of the option UCI_Chess960 */
};

/* The end of a search. */
struct uci_outcome {
    enum uci_end end;
    Move move;            /* of UCI_MOVE */
    struct uci_info info; /* the last */
    double seconds;       /* from `go` to `bestmove` */
    bool cut; /* it was sent `stop`: it went on beyond its limit, or reported nothing new */
};

/* Searches the position that `moves` reach from `start`: the engine is given both, so that it knows repetitions.
 * There is a legal move. Where `start` is a position of Chess960, or UCI_Chess960 was set, that option is true and
 * castling is spoken as king takes rook; else as the king's move. An engine that goes on beyond its nodes or depth is
 * sent `stop`, and one that knows no limit of nodes and plays after depth 1 searches again, with `go infinite`, until
 * it is sent `stop`. One that the flags stop has two seconds to move. After a fault the reason is in `err`, with the
 * end of standard error; otherwise `err` is left alone. A search without a process ends by the process's fault. */
struct uci_outcome uci_client_search(struct uci_client *c, const struct position *start,
                                     const Move *moves, int count, const struct uci_limits *limits,
                                     const struct uci_watcher *watcher, struct error *err);

/* True if a search counts for nothing: the watcher's flags ended it, or the engine failed while they
 * were set, as a signal that sets them may have ended the engine as well. */
bool uci_is_abandoned(enum uci_end end, const struct uci_watcher *watcher);

/* Returns the latest lines of the conversation, each with `> ` or `< ` (`! ` for standard error)
 * before it: the log for a crash report. Owned by the client, valid until its next call. */
const char *uci_client_log(const struct uci_client *c);

#endif
