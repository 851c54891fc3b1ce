#define _XOPEN_SOURCE 700 /* realpath */
#include "paths.h"

#include "install_paths.h"
#include "text_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool too_long(const char *path, struct error *err)
{
    return error_set(err, "the path %.200s... is longer than %d bytes", path, PATH_SIZE - 1);
}

static bool copy(const char *path, char out[PATH_SIZE], struct error *err)
{
    if (strlen(path) >= PATH_SIZE)
        return too_long(path, err);
    memmove(out, path, strlen(path) + 1);
    return true;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool path_directory(const char *file, char directory[PATH_SIZE], struct error *err)
{
    char parent[PATH_SIZE];
    if (!copy(file, parent, err))
        return false;
    char *slash = strrchr(parent, '/');
    if (slash == NULL)
        strcpy(parent, ".");
    else
        slash[slash == parent] = '\0';
    char *absolute = realpath(parent, NULL);
    if (absolute == NULL)
        return error_set(err, "%s: %s", parent, strerror(errno));
    bool copied = copy(absolute, directory, err);
    free(absolute);
    return copied;
}

bool path_make_parents(const char *file, unsigned mode, struct error *err)
{
    char part[PATH_SIZE];
    if (!copy(file, part, err))
        return false;
    for (char *slash = part; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        if (mkdir(part, mode) != 0 && errno != EEXIST)
            return error_set(err, "cannot make the directory %s: %s", part, strerror(errno));
    }
    return true;
}

/* Returns the length of the common leading components, including the slash after them. */
static size_t shared_components(const char *a, const char *b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '/')
            shared = i + 1;
    return shared;
}

bool path_relative(const char *directory, const char *path, char relative[PATH_SIZE],
                   struct error *err)
{
    char from[PATH_SIZE + 1], out[PATH_SIZE];
    if (path[0] != '/' || strncmp(path, INSTALLED_DATA "/", sizeof INSTALLED_DATA) == 0)
        return copy(path, relative, err);
    snprintf(from, sizeof from, "%s%s", directory, directory[1] == '\0' ? "" : "/");
    size_t shared = shared_components(from, path), length = 0;
    for (const char *c = from + shared; *c != '\0'; c++) {
        if (*c != '/')
            continue;
        if (length + 4 > sizeof out)
            return too_long(path, err);
        memcpy(out + length, "../", 3);
        length += 3;
    }
    if (length + strlen(path + shared) >= sizeof out)
        return too_long(path, err);
    strcpy(out + length, path + shared);
    return copy(out, relative, err);
}

bool path_absolute(const char *directory, const char *path, char absolute[PATH_SIZE],
                   struct error *err)
{
    char out[PATH_SIZE];
    size_t kept = strcmp(directory, "/") == 0 ? 0 : strlen(directory);
    if (path[0] == '/' || path[0] == '\0')
        return copy(path, absolute, err);
    for (; strncmp(path, "../", 3) == 0; path += 3)
        while (kept > 0 && directory[--kept] != '/')
            continue;
    int length = snprintf(out, sizeof out, "%.*s/%s", (int)kept, directory, path);
    if (length < 0 || (size_t)length >= sizeof out)
        return too_long(path, err);
    return copy(out, absolute, err);
}

bool path_is_stage_name(const char *name)
{
    size_t length = strlen(name);
    return name[0] >= 'a' && name[0] <= 'z' && length < PATH_STAGE &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* -- regular files */

bool regular_file_is(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

FILE *regular_file_open(const char *path, const char **reason)
{
    struct stat st;
    FILE *file = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        *reason = strerror(errno);
    else if (!S_ISREG(st.st_mode))
        *reason = S_ISDIR(st.st_mode) ? "it is a directory" : "it is not a file";
    else if ((file = fdopen(fd, "rb")) == NULL)
        *reason = strerror(errno);
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}

/* -- files that grow */

static bool fail(const char *what, const char *path, struct error *err)
{
    return error_set(err, "cannot %s %s: %s", what, path, strerror(errno));
}

FILE *growing_file_open(const char *path, int flags, struct error *err)
{
    int fd = open(path, O_RDWR | flags, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r+");
    if (file == NULL) {
        fail(flags == 0 ? "open" : "write", path, err);
        if (fd >= 0)
            close(fd);
    } else if (!growing_file_lock(file, path, err)) {
        fclose(file);
        file = NULL;
    }
    return file;
}

bool growing_file_lock(FILE *file, const char *path, struct error *err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(file), F_SETLK, &all) == 0)
        return true;
    return errno == EACCES || errno == EAGAIN
               ? error_set(err, "%s is being written by another process", path)
               : fail("lock", path, err);
}

char *growing_file_read(FILE *file, const char *path, size_t *size, struct error *err)
{
    char *text = NULL, bytes[4096];
    FILE *out = text_stream(&text, size);
    bool good = out != NULL;
    for (size_t n; good && (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        good = fwrite(bytes, 1, n, out) == n;
    good = good && !ferror(file);
    if (!good)
        fail("read", path, err);
    if (text_close(out, path, err) && good)
        return text;
    free(text);
    return NULL;
}

bool growing_file_cut(FILE *file, const char *path, off_t end, struct error *err)
{
    return (fseeko(file, end, SEEK_SET) == 0 && ftruncate(fileno(file), end) == 0) ||
           fail("write", path, err);
}

bool growing_file_flush(FILE *file, const char *path, struct error *err)
{
    return (fflush(file) == 0 && !ferror(file)) || fail("write", path, err);
}
