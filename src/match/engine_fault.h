/* What goes wrong in games, and its reports.
 *
 * Another engine has a fault: it exits, hangs, plays an illegal move, or exceeds its time in a game. The game is
 * lost, or in a run the position for the organism, the fault is counted, and beside a run its parameters, position
 * and conversation are kept in a folder. That our engine returns no legal move is a bug, and ends the work. */
#ifndef GRAYLING_ENGINE_FAULT_H
#define GRAYLING_ENGINE_FAULT_H

#include "game_end.h"
#include "jobs.h"
#include "param.h"
#include "uci_client.h"

enum { ENGINE_FAULTS_KEPT = 100 }; /* reports in a folder; later faults are only counted */

enum engine_fault {
    FAULT_NONE,
    FAULT_EXITED,
    FAULT_HUNG,
    FAULT_ILLEGAL,
    FAULT_LATE, /* a game lost on time */
    FAULT_KINDS,
};

/* How often each happened. */
struct engine_faults {
    int64_t counts[FAULT_KINDS]; /* [FAULT_NONE] is unused */
};

/* The fault by which a search ended; UCI_MOVE and UCI_STOPPED are none. */
enum engine_fault engine_fault_of(enum uci_end end);
/* The fault by which a game ended. */
enum engine_fault engine_fault_of_game(enum game_end end);

/* Counts a fault; FAULT_NONE counts as nothing. */
void engine_faults_add(struct engine_faults *f, enum engine_fault fault);
/* Adds the counts of `more`. */
void engine_faults_join(struct engine_faults *f, const struct engine_faults *more);
int64_t engine_faults_total(const struct engine_faults *f);

enum { ENGINE_FAULTS_TEXT = 160 };

/* Writes "2 crashes, 1 hang, 1 loss on time"; "" if there are none. Returns `text`. */
const char *engine_faults_text(const struct engine_faults *f, char text[ENGINE_FAULTS_TEXT]);
/* Reads such a text, as the store keeps it. Unknown words count as nothing. */
struct engine_faults engine_faults_from_text(const char *text);

/* ---- reports ---- */

/* Appends the report of a fault, a text, to the `size` bytes that the result of a job has, since the job may be
 * done on another machine. `position` is a FEN, `log` the conversation or NULL. Returns the result in its new
 * place; NULL, with the reason, without memory. */
void *engine_fault_report(struct job *job, size_t size, const struct param_table *table,
                          const int32_t *values, enum engine_fault fault, const char *position,
                          const char *log, struct error *err);

/* Writes a report into `folder`, which is created. Its name is the checksum of its content, so that the same fault is
 * kept once. Does nothing if `folder` is "" or full; a report that cannot be written is not an error. */
void engine_fault_keep(const char *folder, enum engine_fault fault, const char *report);

struct match; /* match.h */
struct game;  /* game.h */

/* Appends a game that a player lost because its process crashed, hung or gave an illegal move, to a log:
 * the reason, the position, the moves that led to it, and the end of the conversation with the process. */
bool match_failure_add(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err);

/* The crash report of a broken game, in which an engine returned no legal move: writes the position, the
 * moves that led to it, the settings of the match and the parameters of both players to a file, which it
 * replaces; none if the path is NULL or "". Sets an error that names the file. Always returns false. */
bool match_broken_fail(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err);

#endif
