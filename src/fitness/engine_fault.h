/* What another engine does wrong during a run: it exits, hangs, or plays an illegal move. The
 * position or the game is lost for the organism, the fault is counted, and its parameters, position
 * and conversation are kept in a folder beside the run. */
#ifndef GRAYLING_ENGINE_FAULT_H
#define GRAYLING_ENGINE_FAULT_H

#include "param.h"
#include "uci_client.h"

enum { ENGINE_FAULTS_KEPT = 100 }; /* reports in a folder; later faults are only counted */

/* How often; indexed by what happened. */
struct engine_faults {
    int64_t exited, hung, illegal;
};

/* Counts an end of a search; UCI_MOVE and UCI_STOPPED are no faults. */
void engine_faults_add(struct engine_faults *f, enum uci_end end);
/* Adds the counts of `more`. */
void engine_faults_join(struct engine_faults *f, const struct engine_faults *more);
int64_t engine_faults_total(const struct engine_faults *f);

enum { ENGINE_FAULTS_TEXT = 96 };

/* Writes "2 crashes, 1 hang, 1 illegal move"; "" if there are none. Returns `text`. */
const char *engine_faults_text(const struct engine_faults *f, char text[ENGINE_FAULTS_TEXT]);
/* Reads such a text, as the store keeps it. Unknown words count as nothing. */
struct engine_faults engine_faults_from_text(const char *text);

/* Writes a report into `folder`, which is created. Its name is the checksum of its content, so that
 * the same fault is kept once. `position` is a FEN or the moves of a game. Does nothing if `folder`
 * is "" or full; a report that cannot be written is not an error. */
void engine_fault_keep(const char *folder, const struct param_table *table, const int32_t *values,
                       enum uci_end end, const char *position, const char *log);

#endif
