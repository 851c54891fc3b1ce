#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool regular_file_is(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The reason why an open file is not read as one; NULL: it is. */
static const char *fault_of(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (S_ISREG(st.st_mode))
        return NULL;
    return S_ISDIR(st.st_mode) ? "it is a directory" : "it is not a file";
}

FILE *regular_file_open(const char *path, const char **reason)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    *reason = fd < 0 ? strerror(errno) : fault_of(fd);
    FILE *file = *reason == NULL ? fdopen(fd, "rb") : NULL;
    if (file == NULL && *reason == NULL)
        *reason = strerror(errno);
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}
