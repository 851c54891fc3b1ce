/* An experiment: the settings, searches, games and runs behind the reproductions of the papers' tables.
 *
 * Each expensive piece of work has a key in the ledger. So an interrupted experiment continues where it stopped, and
 * tables that need the same searches share them. Only results with a time limit depend on the machine. */
#ifndef GRAYLING_EXPERIMENT_H
#define GRAYLING_EXPERIMENT_H

#include "match.h"
#include "solve.h"

/* ---- the ledger ---- */

/* A ledger: the results of pieces of work, by a key of all that they depend on. No piece is
 * measured twice, in this process or after an interruption.
 *
 * A ledger is a text file. Its first line identifies the program that measured. Then each piece has
 * a line "KEY VALUE VALUE ...", which is written as soon as the result is known; a truncated last
 * line is dropped. A program with another first line cannot open the file.
 *
 * So results are as safe as first line and keys are complete. experiment_head says what they leave out;
 * after a change of that, begin anew.
 *
 * A published ledger is compressed with zstd: the results in LEDGER.zst are read too, but that file
 * is never written. If it has another first line, it is passed over once LEDGER has been begun anew. */
#define LEDGER_BEGIN "grayling ledger " /* the beginning of every ledger's first line */

enum { LEDGER_KEY = 96, LEDGER_VALUES = 16 };

struct ledger;

/* Opens or creates the file, whose path is shorter than PATH_SIZE; if `path` is NULL, the ledger is kept in memory only. `head` is the
 * first line, which starts with LEDGER_BEGIN. Returns NULL with an error if the file cannot be read
 * or written, is open in another process, is not a ledger, or has another first line. `anew`
 * discards the content, and does not read LEDGER.zst. To continue later what was begun so, open
 * without `anew`: then LEDGER.zst is read again if it has this first line. */
struct ledger *ledger_open(const char *path, const char *head, bool anew, struct error *err);
void ledger_close(struct ledger *l); /* accepts NULL */

/* Makes a key "KIND-DIGITS" from a kind of work and a text of all that the work depends on. */
void ledger_key(char key[LEDGER_KEY], const char *kind, const char *text);

/* Gets the values of a key. Returns false unless the ledger has the key with `count` values. */
bool ledger_find(const struct ledger *l, const char *key, int64_t *values, int count);

/* Adds a piece, or replaces the one with the same key. The key has at most LEDGER_KEY - 1
 * characters and no blanks; there are at most LEDGER_VALUES values. Calls must be serialised. */
bool ledger_add(struct ledger *l, const char *key, const int64_t *values, int count,
                struct error *err);

/* ---- the experiment ---- */

struct grid;
struct yaml_node;

/* The size of the experiments: all within three minutes; an hour or two; a night. */
enum experiment_size { SIZE_QUICK, SIZE_USUAL, SIZE_OVERNIGHT, EXPERIMENT_SIZES };

/* Called with progress and results. No function may be NULL. */
struct experiment_observer {
    void *context;
    /* `done` of `total` units ("search", "game") of the step are known. Calls are serialised. */
    void (*progress)(void *context, const char *unit, const char *step, int64_t done,
                     int64_t total);
    /* A table is complete. */
    void (*show)(void *context, const struct grid *grid);
};

/* Positions that all engines of an overnight table search before any of them goes on, so that an
 * interrupted night leaves figures that can be compared; the usual size shows them. */
enum { EXPERIMENT_SLICE = 44 };

struct experiment {
    enum experiment_size size;
    const struct yaml_node *data;       /* the tables (lab_table.h) */
    const char *suites;                 /* the directory of test suites */
    const char *recipes;                /* the directory of the project's recipes */
    const char *runs;                   /* the directory in which runs are kept */
    const struct eval_weights *weights; /* of all engines, unless a table says otherwise */
    const struct search_params *params; /* of our engine when compared with others */
    const struct book *book;            /* for games; not empty */
    const char *book_name;
    struct ledger *ledger;
    int threads;
    const volatile sig_atomic_t *stop; /* not 0: give up; never NULL */
    const struct experiment_observer *observer;
};

/* The first line of a ledger for this program: its version, and the nodes of four searches by our
 * engine with the initial parameters, one in each mode of the null move. The key of a search adds
 * position, weights, parameters and limits; that of a game both players' weights and parameters, the
 * limits, the book's name and size, and the game's number.
 *
 * Neither tells of a change
 *   - in Beal's search (beal.h);
 *   - in what is off in the initial parameters: VERIFIED_STORE, VERIFIED_PROBE, QUIESCENCE_CHECKS,
 *     QUIESCENCE_EVASIONS, the switches of david_2002_params;
 *   - in the openings of a book of the same name and size;
 *   - in the version of another engine, which is known by its command and options.
 * After such a change begin anew, with `--anew` or another directory of runs. */
bool experiment_head(const struct yaml_node *data, char *text, size_t size, struct error *err);

/* True if the experiment is to stop. Then functions return false without setting an error. */
bool experiment_stopped(const struct experiment *x);

/* Each position with each method, from a cleared engine, by one thread; positions in parallel. */
struct experiment_search {
    const char *step;                   /* the name of the step, for people */
    const struct search_method *method; /* NULL: the engine's */
    const struct eval_weights *weights; /* NULL: the experiment's */
    const struct epd *positions;
    size_t position_count;
    const struct search_params *methods;
    int method_count;
    struct solve_limits limits; /* one of nodes, depth, movetime */
    size_t before, of; /* searches of the step before these, and in all; 0: these are all */
};

/* Does the searches, and returns cells[position * method_count + method], which the caller frees. With
 * `known` it searches nothing: it takes what the ledger has, and *known is how many positions, from the
 * first on, all methods have searched. NULL with an error, or without one if stopped. */
struct solved *experiment_solve(struct experiment *x, const struct experiment_search *s,
                                size_t *known, struct error *err);

/* Plays `games` games (even) between two engines. */
struct experiment_match {
    const char *step;
    const char *names[2];
    const struct eval_weights *weights[2]; /* NULL: the experiment's */
    struct search_params players[2];
    struct game_limits limits;
    int64_t games;
};

bool experiment_play(struct experiment *x, const struct experiment_match *m,
                     struct match_counts *counts, struct error *err);

#endif
