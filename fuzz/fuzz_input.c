/* Any bytes as a compressed file: refused with a reason, or lines that are the same each time. */
#include "fuzz.h"
#include "input.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads all lines; the number of their bytes, or -1. */
static long read_lines(const char *path)
{
    struct error err = {""};
    struct input_line line;
    enum input_status status = INPUT_FAILED;
    struct input *in = input_open(path, FILE_OTHER, &err);
    long bytes = 0, most = 64L << 20;
    while (in != NULL && bytes < most && (status = input_next(in, &line, &err)) == INPUT_LINE)
        bytes += (long)line.length + 1;
    assert(status != INPUT_FAILED || err.text[0] != '\0');
    input_close(in);
    return status == INPUT_FAILED ? -1 : bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/grayling-fuzz-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        return 0;
    if (write(fd, data, size) == (ssize_t)size)
        assert(read_lines(path) == read_lines(path));
    close(fd);
    unlink(path);
    return 0;
}
