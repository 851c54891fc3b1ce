#include "store_compressed.h"

#include "input.h"
#include "store_head.h"

#include <stdlib.h>
#include <string.h>

enum { BEGINNING = 64, FIRST_ROOM = 1 << 20 };

/* The largest store, in bytes, that is read into memory. */
static const size_t limit = (size_t)1 << 30;

bool store_is_compressed(const char *file)
{
    static const char magic[] = {0x28, (char)0xb5, 0x2f, (char)0xfd};
    char head[sizeof magic];
    return store_read_head(file, head, sizeof head) && memcmp(head, magic, sizeof magic) == 0;
}

bool store_compressed_begins(const char *file, const char *bytes, size_t length)
{
    char head[BEGINNING];
    struct input *in = store_is_compressed(file) ? input_open(file, FILE_OTHER, NULL) : NULL;
    if (in == NULL || length > sizeof head) {
        input_close(in);
        return false;
    }
    size_t found = 0;
    bool read = input_read(in, head, length, &found, NULL);
    input_close(in);
    return read && found == length && memcmp(head, bytes, length) == 0;
}

/* Reads to the end of the input, into a block that grows. */
static unsigned char *read_all(struct input *in, const char *file, size_t *length,
                               struct error *err)
{
    unsigned char *bytes = NULL;
    size_t read = 1;
    *length = 0;
    for (size_t room = FIRST_ROOM; read > 0 && room <= limit; room *= 2) {
        unsigned char *moved = realloc(bytes, room);
        if (moved == NULL)
            break;
        bytes = moved;
        if (!input_read(in, bytes + *length, room - *length, &read, err)) {
            free(bytes);
            return NULL;
        }
        *length += read;
        if (*length < room)
            return bytes;
    }
    free(bytes);
    error_set(err, "no memory for %s, which is larger than %zu MiB", file, *length >> 20);
    return NULL;
}

unsigned char *store_decompress(const char *file, size_t *length, struct error *err)
{
    struct input *in = input_open(file, FILE_OTHER, err);
    unsigned char *bytes = in == NULL ? NULL : read_all(in, file, length, err);
    input_close(in);
    return bytes;
}
