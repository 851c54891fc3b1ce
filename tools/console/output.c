#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BESIDE_PATH = 4096 };

bool output_is_file(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

bool output_check(const char *path, bool force, struct error *err)
{
    if (strlen(path) > BESIDE_PATH - 16)
        return error_set(err, "the name of the output file is too long");
    return force || !output_is_file(path) || access(path, F_OK) != 0 ||
           error_set(err, "%s exists; choose another name or give --force", path);
}

/* Prints and flushes to the disk. Returns -1, or the errno. */
static int print_all(FILE *out, void (*print)(FILE *out, void *context), void *context, bool sync)
{
    errno = 0;
    print(out, context);
    bool good = fflush(out) == 0 && !ferror(out) && (!sync || fsync(fileno(out)) == 0);
    int reason = errno;
    if (out == stdout)
        clearerr(out); /* the caller reports it; the end of the program need not (streams.h) */
    else if (fclose(out) != 0 && good)
        return errno;
    return good ? -1 : reason;
}

/* Creates "PATH.XXXXXX" beside the path, with the permissions of any new file. */
static FILE *create_beside(const char *path, char beside[BESIDE_PATH])
{
    snprintf(beside, BESIDE_PATH, "%.*s.XXXXXX", BESIDE_PATH - 16, path);
    int fd = mkstemp(beside);
    if (fd < 0)
        return NULL;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fdopen(fd, "w");
}

/* Writes a file. Returns -1, or the errno. */
static int write_replacing(const char *path, void (*print)(FILE *out, void *context), void *context)
{
    char beside[BESIDE_PATH];
    FILE *out = create_beside(path, beside);
    if (out == NULL)
        return errno;
    int reason = print_all(out, print, context, true);
    if (reason < 0 && rename(beside, path) == 0)
        return -1;
    reason = reason < 0 ? errno : reason;
    unlink(beside);
    return reason;
}

/* Writes to standard output, a device or a pipe. Returns -1, or the errno. */
static int write_through(const char *path, void (*print)(FILE *out, void *context), void *context)
{
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    return out == NULL ? errno : print_all(out, print, context, false);
}

bool output_write(const char *path, void (*print)(FILE *out, void *context), void *context,
                  struct error *err)
{
    int reason = output_is_file(path) ? write_replacing(path, print, context)
                                      : write_through(path, print, context);
    return reason < 0 ||
           error_set(err, "cannot write %s: %s", strcmp(path, "-") == 0 ? "standard output" : path,
                     reason > 0 ? strerror(reason) : "output failed");
}

void output_tell(const char *what, const char *path)
{
    if (strcmp(path, "-") != 0)
        fprintf(stderr, "%-10s  %s\n", what, path);
}
