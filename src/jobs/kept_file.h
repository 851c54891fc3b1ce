/* Files that a job leaves for people: reports of faults and of broken games. They lie beside the run,
 * on the machine of rank 0, wherever the job is done. */
#ifndef GRAYLING_KEPT_FILE_H
#define GRAYLING_KEPT_FILE_H

#include "error.h"

#include <stddef.h>

/* Writes a file into an existing folder, or sends it to rank 0. May be called by any thread. False
 * with the reason if it cannot be written here. */
bool kept_file_write(const char *path, const void *bytes, size_t size, struct error *err);

/* Writes a file into a folder that is created and holds at most `most` files; beyond them, and where
 * it cannot be written, nothing happens. */
void kept_file_add(const char *folder, const char *name, const void *bytes, size_t size, int most);

#endif
