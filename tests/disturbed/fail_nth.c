/* A library to be loaded before others (LD_PRELOAD): the Nth call of a kind fails, or is where the program is
 * killed. For tests of what a program does then.
 *
 *   GRAYLING_FAIL=KIND:N    the Nth call fails
 *   GRAYLING_FAIL=KIND:N+   so do all later ones
 *   GRAYLING_FAIL=KIND:N!   the program is killed (SIGKILL) instead of the Nth call
 *   GRAYLING_FAIL_STACK=1   the stack of the first of them goes to standard error
 *   GRAYLING_FAIL_COUNT=F   where nothing has to fail, F gets at the end a line for each kind: its name and the
 *                           number of its calls
 *   GRAYLING_FAIL_PLACES=1  then also the first call from each place (a stack of functions of the program itself) as
 *                           CALL:PLACE; a place has the same number in each run
 *
 * Kinds: malloc (and its relatives), open, write (to files; also what a stream writes when it is flushed or
 * closed), sync, rename, spawn. What the program starts is left alone. */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* both names of a function are defined here */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { MALLOC, OPEN, WRITE, SYNC, RENAME, SPAWN, KINDS };

enum { DEPTH = 64, PLACES = 1 << 16 };

static const struct {
    const char *name;
    int reason;
} kinds[KINDS] = {{"malloc", ENOMEM}, {"open", EMFILE},   {"write", ENOSPC},
                  {"sync", EIO},      {"rename", ENOSPC}, {"spawn", EAGAIN}};

static atomic_long calls[KINDS];
static enum kind chosen = KINDS;
static long first, last;
static bool kills, tells, notes, armed;
static char count_path[PATH_MAX];

/* By kind, a table of the places that called it, by a hash of their stack; 0: no place. */
static struct {
    uint64_t stack;
    long first;
} places[KINDS][PLACES];
static atomic_flag placing = ATOMIC_FLAG_INIT;
static uintptr_t code, code_end; /* of the program itself */

/* glibc's own, which need no dlsym, as dlsym may allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* ---- which call fails ---- */

/* Finds the code of the program, which is the first of what is loaded. */
static int find_code(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)size, (void)nothing;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            code = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            code_end = code + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("GRAYLING_FAIL"), *path = getenv("GRAYLING_FAIL_COUNT");
    char name[16] = "", how = '\0';
    if (text != NULL && sscanf(text, "%15[a-z]:%ld%c", name, &first, &how) >= 2)
        for (int k = 0; k < KINDS; k++)
            chosen = strcmp(kinds[k].name, name) == 0 ? (enum kind)k : chosen;
    last = how == '+' ? LONG_MAX : first;
    kills = how == '!';
    snprintf(count_path, sizeof count_path, "%s", path != NULL ? path : "");
    tells = getenv("GRAYLING_FAIL_STACK") != NULL;
    notes = getenv("GRAYLING_FAIL_PLACES") != NULL;
    dl_iterate_phdr(find_code, NULL);
    unsetenv("LD_PRELOAD");
    unsetenv("GRAYLING_FAIL");
    unsetenv("GRAYLING_FAIL_COUNT");
    armed = true;
}

__attribute__((destructor)) static void end(void)
{
    armed = false;
    FILE *out = count_path[0] == '\0' ? NULL : fopen(count_path, "w");
    for (int k = 0; out != NULL && k < KINDS; k++) {
        fprintf(out, "%s %ld", kinds[k].name, atomic_load(&calls[k]));
        for (int i = 0; i < PLACES; i++)
            if (places[k][i].stack != 0)
                fprintf(out, " %ld:%016llx", places[k][i].first,
                        (unsigned long long)places[k][i].stack);
        fprintf(out, "\n");
    }
    if (out != NULL)
        fclose(out);
}

/* Prints where the program is. */
static void tell(void)
{
    void *stack[DEPTH];
    armed = tells = false;
    backtrace_symbols_fd(stack, backtrace(stack, DEPTH), STDERR_FILENO);
    armed = true;
}

/* Notes the place of a call, if it is the first from there. What a stack is found with is not counted, nor what
 * another thread calls meanwhile. */
static void note_place(enum kind k, long number)
{
    void *stack[DEPTH];
    if (atomic_flag_test_and_set(&placing))
        return;
    armed = false;
    uint64_t hash = 1;
    for (int i = backtrace(stack, DEPTH) - 1; i >= 0; i--)
        if ((uintptr_t)stack[i] >= code && (uintptr_t)stack[i] < code_end)
            hash = (hash ^ (uint64_t)((uintptr_t)stack[i] - code)) * 0x9e3779b97f4a7c15u,
            hash ^= hash >> 29;
    size_t at = hash % PLACES;
    for (int looked = 0; looked < PLACES && places[k][at].stack != 0 && places[k][at].stack != hash;
         looked++)
        at = (at + 1) % PLACES;
    if (places[k][at].stack == 0) {
        places[k][at].stack = hash;
        places[k][at].first = number;
    }
    armed = true;
    atomic_flag_clear(&placing);
}

/* Counts a call; whether it has to fail. */
static bool fails(enum kind k)
{
    if (!armed)
        return false;
    long number = atomic_fetch_add(&calls[k], 1) + 1;
    if (notes)
        note_place(k, number);
    if (k != chosen || number < first || number > last)
        return false;
    if (tells)
        tell();
    if (kills)
        kill(getpid(), SIGKILL);
    errno = kinds[k].reason;
    return true;
}

/* Loading a module is left alone: without memory, constructors of libraries abort or wait for ever. */
void *dlopen(const char *path, int mode)
{
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    armed = false;
    void *module = next(path, mode);
    armed = true;
    return module;
}

/* ---- memory ---- */

void *malloc(size_t size)
{
    return fails(MALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(MALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(MALLOC) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MALLOC) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = fails(MALLOC) ? NULL : __libc_memalign(alignment, size);
    if (made != NULL)
        *memory = made;
    return made != NULL ? 0 : ENOMEM;
}

/* ---- files ---- */

static int open_at(int folder, const char *path, int flags, va_list rest)
{
    int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, int) : 0;
    return fails(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int fd = open_at(folder, path, flags, rest);
    va_end(rest);
    return fd;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int fd = open_at(AT_FDCWD, path, flags, rest);
    va_end(rest);
    return fd;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *);
    *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    return fails(OPEN) ? NULL : next(path, mode);
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

/* A pipe is never full. */
static bool is_file(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    return is_file(fd) && fails(WRITE) ? -1 : syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    return fails(WRITE) ? -1 : syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) __attribute__((alias("pwrite")));

int ftruncate(int fd, off_t size)
{
    return fails(WRITE) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off_t size) __attribute__((alias("ftruncate")));

/* Calls a function of a stream while its disk is full. */
static int with_full_disk(FILE *stream, int (*next)(FILE *), bool closes)
{
    int fd = fileno(stream), kept = dup(fd);
    int full = (int)syscall(SYS_openat, AT_FDCWD, "/dev/full", O_WRONLY | O_CLOEXEC);
    dup2(full, fd);
    int result = next(stream), reason = errno;
    if (!closes)
        dup2(kept, fd);
    close(kept);
    close(full);
    errno = reason;
    return result;
}

static int stream_call(FILE *stream, const char *name, bool closes)
{
    int (*next)(FILE *);
    *(void **)&next = dlsym(RTLD_NEXT, name);
    bool writes = stream != NULL && __fwritable(stream) && __fpending(stream) > 0;
    return writes && fails(WRITE) ? with_full_disk(stream, next, closes) : next(stream);
}

int fflush(FILE *stream)
{
    return stream_call(stream, "fflush", false);
}

int fclose(FILE *stream)
{
    return stream_call(stream, "fclose", true);
}

int fsync(int fd)
{
    return fails(SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return fails(SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- processes ---- */

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
                           const posix_spawnattr_t *, char *const[], char *const[]);

static spawn_function *next_spawn(const char *name)
{
    spawn_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, name);
    return next;
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    return fails(SPAWN) ? EAGAIN
                        : next_spawn("posix_spawn")(process, path, actions, attributes, argv, envp);
}

int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    return fails(SPAWN)
               ? EAGAIN
               : next_spawn("posix_spawnp")(process, file, actions, attributes, argv, envp);
}
