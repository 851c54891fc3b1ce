/* A file in memory, for what reads and writes a path; and small changes to a sound file. */
#ifndef GRAYLING_FUZZ_MEMORY_FILE_H
#define GRAYLING_FUZZ_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_FILE_ROOM = 1 << 15 };

/* Zeroed at first; the file lives as long as the process. */
struct memory_file {
    int fd;
    char path[32];
    uint8_t sound[MEMORY_FILE_ROOM], damaged[MEMORY_FILE_ROOM];
    size_t sound_size, damaged_size;
};

/* Replaces the content. */
void memory_file_write(struct memory_file *m, const void *bytes, size_t size);

/* Takes these bytes, or those of the file at a path, for the sound ones, and writes them. */
void memory_file_begin(struct memory_file *m, const void *sound, size_t size);
void memory_file_begin_with(struct memory_file *m, const char *path);

/* Writes what an input stands for. After 'E' it is changes to the sound file, four bytes each: a place of
 * three bytes, and the byte to put there; a place beyond the file cuts it at the remainder. Else it is the
 * bytes themselves. */
void memory_file_damage(struct memory_file *m, const uint8_t *data, size_t size);

/* True if the file is as it was damaged; or the first bytes of that, or all of it. */
bool memory_file_is_left(const struct memory_file *m);
bool memory_file_is_cut(const struct memory_file *m);

#endif
