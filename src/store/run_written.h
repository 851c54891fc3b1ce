/* The files that a run has written beside its store, known by their checksums. */
#ifndef GRAYLING_RUN_WRITTEN_H
#define GRAYLING_RUN_WRITTEN_H

#include "error.h"

/* True if `path` is an unmodified file of this run's outcome; the run may overwrite it. */
bool run_wrote(const char *store_path, const char *path);

/* Notes in the store that `path` will have what the file `content` has. The note before it counts
 * until the next one: a process that is killed before it has moved the content to `path` leaves no
 * file that the run does not know. */
bool run_note_written(const char *store_path, const char *path, const char *content,
                      struct error *err);

#endif
