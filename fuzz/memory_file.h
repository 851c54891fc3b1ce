/* A file in memory, for what reads and writes a path; and small changes to a sound file. */
#ifndef GRAYLING_FUZZ_MEMORY_FILE_H
#define GRAYLING_FUZZ_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_file {
    int fd;
    char path[32];
};

/* Makes an empty file; aborts if there is none to be had. It lives as long as the process. */
struct memory_file memory_file_make(void);

/* Replaces the content. */
void memory_file_write(const struct memory_file *m, const uint8_t *bytes, size_t size);

/* Reads the content, at most `room` bytes of it; its whole length. */
size_t memory_file_read(const struct memory_file *m, uint8_t *bytes, size_t room);

/* What an input stands for. After 'E' it is changes to the sound file, four bytes each: a place of three
 * bytes, and the byte to put there; a place beyond the file cuts it at the remainder. Else it is the bytes
 * themselves. Returns how many bytes went to `to`, at most `room`. */
size_t memory_file_input(const uint8_t *sound, size_t size, const uint8_t *data, size_t count,
                         uint8_t *to, size_t room);

/* True if the file has the first bytes of an input, or all of it. */
bool memory_file_begins(const struct memory_file *m, const uint8_t *bytes, size_t size);

#endif
