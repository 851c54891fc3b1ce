#include "programs.h"

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A call of `run`. */
struct call {
    int (*run)(int argc, char **argv);
    int argc;
    char **argv;
    int code;
};

static void *run(void *context)
{
    struct call *call = context;
    call->code = call->run(call->argc, call->argv);
    return NULL;
}

int program_main(const char *name, int (*work)(int argc, char **argv), int argc, char **argv)
{
    struct call call = {.run = work, .argc = argc, .argv = argv, .code = 1};
    /* open() takes the lowest number that is free: that of the closed stream. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    signal(SIGXFSZ, SIG_IGN); /* a limit for files is a write that fails, with its reason */
    if (!thread_call(run, &call))
        fprintf(stderr, "%s: cannot start a thread: %s\n", name, strerror(errno));
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return call.code;
    fprintf(stderr, "%s: cannot write standard output: %s\n", name,
            errno != 0 ? strerror(errno) : "part of it is lost");
    return call.code != 0 ? call.code : 1;
}
