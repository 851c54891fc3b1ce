/* Atomic output: a file is written completely or not at all.
 *
 * The content goes to PATH.new-PID, a file that did not exist, is flushed to the disk, and then gets
 * the name PATH. So a full disk or a kill leaves the file that was there before, and nothing is
 * written through a link. What a killed process leaves is removed by the next one that writes the same file. */
#ifndef GRAYLING_OUTPUT_H
#define GRAYLING_OUTPUT_H

#include "error.h"

#include <stdio.h>

enum { OUTPUT_PATH = 4096, OUTPUT_SUFFIX = 32 };

/* A file that is being written. */
struct output {
    FILE *stream; /* NULL after output_finish */
    char path[OUTPUT_PATH];
    char beside[OUTPUT_PATH + OUTPUT_SUFFIX]; /* "" where output_is_file is false */
};

/* -- checks */

/* True if the path is a file or does not exist. False for standard output ("-", /dev/stdout), another
 * open file (/dev/stderr, /dev/fd/N, /proc/self/fd/N), a device or a pipe, which cannot be replaced. */
bool output_is_file(const char *path);

/* Refuses an existing file, unless `force`, a directory, and a name in a folder where no file can be created. */
bool output_check(const char *path, bool force, struct error *err);

/* True if two outputs would be one: the same name in the same folder, however the folder is named, or the
 * same open file. A device takes both. */
bool output_is_same(const char *path, const char *other);

/* -- writing in steps: open, finish, publish; or discard after any of these */

/* Opens the stream. "-" is standard output. */
bool output_open(struct output *o, const char *path, struct error *err);
/* Closes the stream when its content is complete and on the disk. Discards it on failure. */
bool output_finish(struct output *o, struct error *err);
/* Gives the finished file its name; it replaces an existing file. Discards it on failure. */
bool output_publish(struct output *o, struct error *err);
/* Closes the stream and removes the content. */
void output_discard(struct output *o);

/* -- writing at once */

/* Calls `print` with a stream for the path, then finishes and publishes the file. */
bool output_write(const char *path, void (*print)(FILE *out, void *context), void *context,
                  struct error *err);
/* Same for a `print` that may fail, with its reason: then nothing is written. */
bool output_write_or_fail(const char *path,
                          bool (*print)(FILE *out, const void *context, struct error *err),
                          const void *context, struct error *err);

/* -- for other writers of files */

/* The ending of a file that this process writes: ".new-PID". */
void output_suffix(char suffix[OUTPUT_SUFFIX]);
/* Creates a file that does not exist. Returns its descriptor, or -1 with errno. */
int output_create(const char *path);
/* Removes the files that killed processes left: all PATH*.new-PID of which no process PID lives. */
void output_remove_leftovers(const char *path);
/* Flushes the directory of a file to the disk, so that a new name outlasts a power cut. */
void output_sync_directory(const char *path);

#endif
