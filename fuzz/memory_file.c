#define _GNU_SOURCE /* memfd_create */
#include "memory_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void memory_file_write(struct memory_file *m, const void *bytes, size_t size)
{
    if (m->path[0] == '\0') {
        m->fd = memfd_create("fuzz", 0);
        assert(m->fd >= 0);
        snprintf(m->path, sizeof m->path, "/dev/fd/%d", m->fd);
    }
    if (ftruncate(m->fd, 0) != 0 || pwrite(m->fd, bytes, size, 0) != (ssize_t)size)
        abort();
}

void memory_file_begin(struct memory_file *m, const void *sound, size_t size)
{
    assert(0 < size && size < sizeof m->sound);
    memmove(m->sound, sound, size);
    m->sound_size = size;
    memory_file_write(m, sound, size);
}

void memory_file_begin_with(struct memory_file *m, const char *path)
{
    FILE *in = fopen(path, "rb");
    assert(in != NULL);
    memory_file_begin(m, m->sound, fread(m->sound, 1, sizeof m->sound, in));
    fclose(in);
}

void memory_file_damage(struct memory_file *m, const uint8_t *data, size_t size)
{
    bool edits = size > 0 && data[0] == 'E';
    size_t length = edits ? m->sound_size : size;
    length = length < sizeof m->damaged ? length : sizeof m->damaged;
    memcpy(m->damaged, edits ? m->sound : data, length);
    for (size_t i = 1; edits && i + 4 <= size; i += 4) {
        size_t place = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];
        if (place < length)
            m->damaged[place] = data[i + 3];
        else if (length > 0)
            length = place % length;
    }
    m->damaged_size = length;
    memory_file_write(m, m->damaged, length);
}

bool memory_file_is_left(const struct memory_file *m)
{
    return lseek(m->fd, 0, SEEK_END) == (off_t)m->damaged_size && memory_file_is_cut(m);
}

bool memory_file_is_cut(const struct memory_file *m)
{
    uint8_t now[MEMORY_FILE_ROOM];
    ssize_t size = pread(m->fd, now, sizeof now, 0);
    return size >= 0 && (size_t)size <= m->damaged_size &&
           memcmp(now, m->damaged, (size_t)size) == 0;
}
