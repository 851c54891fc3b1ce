#define _GNU_SOURCE /* locks of an open file description: fcntl(F_OFD_GETLK) */
#include "output.h"

#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".new-"

/* -- names */

/* The number of the open file that a path names, such as 1 of /dev/stdout; -1: it names none. */
static int descriptor_of(const char *path)
{
    static const char *const standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (int i = 0; i < 3; i++)
        if (strcmp(path, standard[i]) == 0)
            return i;
    for (int i = 0; i < 2; i++) {
        const char *digits = path + strlen(folders[i]);
        if (strncmp(path, folders[i], strlen(folders[i])) != 0)
            continue;
        size_t length = strspn(digits, "0123456789");
        if (length > 0 && length < 10 && digits[length] == '\0')
            return atoi(digits);
    }
    return -1;
}

/* Splits a path into its directory, as a path that can be opened, and its name. */
static const char *split(const char *path, char directory[OUTPUT_PATH])
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        strcpy(directory, ".");
    else
        snprintf(directory, OUTPUT_PATH, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return path_name(path);
}

/* -- checks */

bool output_is_file(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && descriptor_of(path) < 0 &&
           (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

bool output_check(const char *path, bool force, struct error *err)
{
    struct stat status;
    char folder[OUTPUT_PATH];
    if (path[0] == '\0')
        return error_set(err, "the name of the output file is empty");
    if (strlen(path) >= OUTPUT_PATH)
        return error_set(err, "the name of the output file is too long");
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "cannot write %s: it is a directory; expected the name of a file",
                         path);
    if (!output_is_file(path)) {
        const int named = descriptor_of(path), flags = named < 0 ? O_WRONLY : fcntl(named, F_GETFL);
        return (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) ||
               error_set(err, "cannot write %s: it is not open for writing", path);
    }
    if (!force && access(path, F_OK) == 0)
        return error_set(err, "%s exists; choose another name or give --force", path);
    split(path, folder);
    return access(folder, W_OK | X_OK) == 0 ||
           error_set(err, "cannot write %s: %s: %s", path, folder, strerror(errno));
}

bool output_is_same(const char *path, const char *other)
{
    char folder[OUTPUT_PATH], other_folder[OUTPUT_PATH];
    struct stat a, b;
    const int stream = strcmp(path, "-") == 0 ? STDOUT_FILENO : descriptor_of(path);
    const int other_stream = strcmp(other, "-") == 0 ? STDOUT_FILENO : descriptor_of(other);
    if (stream >= 0 || other_stream >= 0)
        return stream == other_stream;
    return output_is_file(path) && output_is_file(other) &&
           strcmp(split(path, folder), split(other, other_folder)) == 0 && stat(folder, &a) == 0 &&
           stat(other_folder, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* -- files of other processes */

/* The number of the process at the end of a name "....new-PID"; 0 if it has none. */
static pid_t writer_of(const char *name)
{
    const char *digits = strrchr(name, '-');
    const size_t before = sizeof MARK - 2;
    if (digits == NULL || (size_t)(++digits - name) <= before ||
        strncmp(digits - before - 1, MARK, before + 1) != 0)
        return 0;
    const size_t length = strspn(digits, "0123456789");
    return length > 0 && length < 10 && digits[length] == '\0' ? (pid_t)atol(digits) : 0;
}

/* True if a process holds a lock on the file. Its number may be one of another container. */
static bool is_locked(int directory, const char *name)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool held = fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (fd >= 0)
        close(fd);
    return held;
}

void output_remove_leftovers(const char *path)
{
    char folder[OUTPUT_PATH];
    const char *name = split(path, folder);
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return;
    for (struct dirent *e; (e = readdir(directory)) != NULL;) {
        if (strncmp(e->d_name, name, strlen(name)) != 0)
            continue;
        pid_t writer = writer_of(e->d_name);
        if (writer > 0 && kill(writer, 0) != 0 && errno == ESRCH &&
            !is_locked(dirfd(directory), e->d_name))
            unlinkat(dirfd(directory), e->d_name, 0);
    }
    closedir(directory);
}

void output_suffix(char suffix[OUTPUT_SUFFIX])
{
    snprintf(suffix, OUTPUT_SUFFIX, MARK "%ld", (long)getpid());
}

/* What exists under a name with our number is of a process that had it before. */
int output_create(const char *path)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags, 0666);
    if (fd < 0 && errno == EEXIST && unlink(path) == 0)
        fd = open(path, flags, 0666);
    return fd;
}

void output_sync_directory(const char *path)
{
    char folder[OUTPUT_PATH];
    split(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* -- writing */

static bool fail(const struct output *o, int reason, struct error *err)
{
    return error_set(err, "cannot write %s: %s",
                     strcmp(o->path, "-") == 0 ? "standard output" : o->path,
                     reason != 0 ? strerror(reason) : "output failed");
}

/* Opens what is no file, for writing. An open file is written on where it is: opening /dev/stdout would
 * truncate the file that it leads to, and renaming a file to it would replace the link itself. */
static FILE *open_stream(const char *path)
{
    int named = descriptor_of(path);
    if (strcmp(path, "-") == 0)
        return stdout;
    if (named < 0)
        return fopen(path, "w");
    int fd = fcntl(named, F_DUPFD_CLOEXEC, 0);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (stream == NULL && fd >= 0)
        close(fd);
    return stream;
}

/* Creates the file beside the path, and locks it as long as it is open. */
static FILE *create_beside(struct output *o)
{
    char suffix[OUTPUT_SUFFIX];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    output_remove_leftovers(o->path);
    output_suffix(suffix);
    snprintf(o->beside, sizeof o->beside, "%s%s", o->path, suffix);
    int fd = output_create(o->beside);
    if (fd < 0)
        return NULL;
    fcntl(fd, F_OFD_SETLK, &lock); /* a file system without locks has the process's number */
    FILE *stream = fdopen(fd, "w");
    if (stream == NULL) {
        unlink(o->beside);
        close(fd);
    }
    return stream;
}

bool output_open(struct output *o, const char *path, struct error *err)
{
    *o = (struct output){.stream = NULL};
    if (!output_check(path, true, err))
        return false;
    snprintf(o->path, sizeof o->path, "%s", path);
    errno = 0;
    o->stream = output_is_file(path) ? create_beside(o) : open_stream(path);
    if (o->stream == NULL)
        return fail(o, errno, err);
    errno = 0; /* what a write that fails before the end leaves */
    return true;
}

bool output_finish(struct output *o, struct error *err)
{
    bool good = fflush(o->stream) == 0 && !ferror(o->stream) &&
                (o->beside[0] == '\0' || fsync(fileno(o->stream)) == 0);
    int reason = errno;
    if (o->stream == stdout)
        clearerr(stdout); /* the caller reports it; the end of the program need not (streams.h) */
    else if (fclose(o->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    o->stream = NULL;
    if (good)
        return true;
    output_discard(o);
    return fail(o, reason, err);
}

bool output_publish(struct output *o, struct error *err)
{
    if (o->beside[0] == '\0')
        return true;
    if (rename(o->beside, o->path) != 0) {
        int reason = errno;
        output_discard(o);
        return fail(o, reason, err);
    }
    o->beside[0] = '\0';
    output_sync_directory(o->path);
    return true;
}

void output_discard(struct output *o)
{
    if (o->stream != NULL && o->stream != stdout)
        fclose(o->stream);
    o->stream = NULL;
    if (o->beside[0] != '\0')
        unlink(o->beside);
    o->beside[0] = '\0';
}

bool output_write(const char *path, void (*print)(FILE *out, void *context), void *context,
                  struct error *err)
{
    struct output o;
    if (!output_open(&o, path, err))
        return false;
    print(o.stream, context);
    return output_finish(&o, err) && output_publish(&o, err);
}

bool output_write_or_fail(const char *path,
                          bool (*print)(FILE *out, const void *context, struct error *err),
                          const void *context, struct error *err)
{
    struct output o;
    if (!output_open(&o, path, err))
        return false;
    if (print(o.stream, context, err) || ferror(o.stream)) /* which output_finish tells better */
        return output_finish(&o, err) && output_publish(&o, err);
    output_discard(&o);
    return false;
}
