#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void streams_begin(void)
{
    /* open() takes the lowest number that is free: that of the closed stream. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    signal(SIGXFSZ, SIG_IGN); /* a limit for files is a write that fails, with its reason */
}

int streams_end(const char *program, int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "%s: cannot write standard output: %s\n", program,
            errno != 0 ? strerror(errno) : "part of it is lost");
    return code != 0 ? code : 1;
}
