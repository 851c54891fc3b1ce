#define _GNU_SOURCE /* memfd_create */
#include "memory_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct memory_file memory_file_make(void)
{
    struct memory_file m = {.fd = memfd_create("fuzz", 0)};
    assert(m.fd >= 0);
    snprintf(m.path, sizeof m.path, "/dev/fd/%d", m.fd);
    return m;
}

void memory_file_write(const struct memory_file *m, const uint8_t *bytes, size_t size)
{
    if (ftruncate(m->fd, 0) != 0 || pwrite(m->fd, bytes, size, 0) != (ssize_t)size)
        abort();
}

size_t memory_file_read(const struct memory_file *m, uint8_t *bytes, size_t room)
{
    struct stat status;
    if (fstat(m->fd, &status) != 0 || pread(m->fd, bytes, room, 0) < 0)
        abort();
    return (size_t)status.st_size;
}

size_t memory_file_input(const uint8_t *sound, size_t size, const uint8_t *data, size_t count,
                         uint8_t *to, size_t room)
{
    bool edits = count > 0 && data[0] == 'E';
    size_t length = edits ? size : count;
    length = length < room ? length : room;
    memcpy(to, edits ? sound : data, length);
    for (size_t i = 1; edits && i + 4 <= count; i += 4) {
        size_t place = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];
        if (place < length)
            to[place] = data[i + 3];
        else if (length > 0)
            length = place % length;
    }
    return length;
}

bool memory_file_begins(const struct memory_file *m, const uint8_t *bytes, size_t size)
{
    static uint8_t now[1 << 16];
    size_t length = memory_file_read(m, now, sizeof now);
    return length <= size && memcmp(now, bytes, length < sizeof now ? length : sizeof now) == 0;
}
