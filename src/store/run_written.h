/* The output files that a run wrote beside its store, identified by their checksums. The notes of a
 * stage are those of its file, since a night writes the files of its stages. */
#ifndef GRAYLING_RUN_WRITTEN_H
#define GRAYLING_RUN_WRITTEN_H

#include "error.h"

/* True if `path` is an unmodified output file of this run. The run may overwrite it. */
bool run_wrote(const char *store_path, const char *path);

/* Notes in the store that `path` will get the content of the file `content`. The previous note
 * stays valid as well. If the process is killed before it moves the content to `path`, the run
 * still recognises the old file. */
bool run_note_written(const char *store_path, const char *path, const char *content,
                      struct error *err);

#endif
