#define _GNU_SOURCE /* reallocarray */
#include "torn_disk.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, PATH = 512 };

enum event_kind {
    EVENT_WRITE,
    EVENT_CUT_SHORT,
    EVENT_SYNC,
    EVENT_NAME,
    EVENT_UNNAME,
    EVENT_SYNC_NAMES
};

/* One thing that was done. */
struct event {
    enum event_kind kind;
    int file; /* the file that it was done to, or that was named */
    size_t offset, size;
    unsigned char *bytes; /* of a write */
    char name[TORN_NAME];
    int64_t promised; /* up to this event */
};

struct names {
    int count;
    struct {
        char name[TORN_NAME];
        int file;
    } at[TORN_FILES];
};

struct content {
    unsigned char *bytes;
    size_t size;
};

/* A file as a moment of the list has it. */
struct state {
    struct content synced;
    size_t *pending; /* its events since then */
    size_t pending_count;
};

/* SQLite knows a VFS by its functions alone, so the list is one for the process. */
static struct {
    bool on;
    enum torn_lie lie;
    char folder[PATH];
    struct names first, now; /* when the list began, and while it is made */
    struct content *before;  /* of the files that there were then */
    int files, files_before;
    struct event *events;
    size_t count;
    int64_t promised;
    sqlite3_vfs *real;
    struct methods {
        const sqlite3_io_methods *real;
        sqlite3_io_methods torn;
    } methods[2]; /* of databases, and of other files, which have no locks */
} disk;

/* The moment at which the list is looked at. */
static struct {
    size_t count;
    struct state *files;
    int file_count;
    struct names names; /* synced */
    size_t *pending;    /* the names since then */
    size_t pending_count;
} moment;

static void *grow(void *old, size_t count, size_t size)
{
    void *new = reallocarray(old, count + 1, size);
    if (new == NULL)
        abort();
    return new;
}

/* -- names */

static int find(const struct names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->at[i].name, name) == 0)
            return i;
    return -1;
}

static void apply_name(struct names *names, const struct event *e)
{
    int i = find(names, e->name);
    if (e->kind == EVENT_UNNAME) {
        if (i >= 0)
            names->at[i] = names->at[--names->count];
        return;
    }
    if (i < 0 && (i = names->count++) == TORN_FILES)
        abort();
    snprintf(names->at[i].name, TORN_NAME, "%s", e->name);
    names->at[i].file = e->file;
}

/* The name of a path in the folder; NULL if it lies elsewhere or nothing is recorded. */
static const char *name_of(const char *path)
{
    size_t length = strlen(disk.folder);
    bool inside = disk.on && path != NULL && strncmp(path, disk.folder, length) == 0 &&
                  path[length] == '/' && strlen(path + length + 1) < TORN_NAME;
    return inside ? path + length + 1 : NULL;
}

/* -- the list */

static struct event *add(enum event_kind kind, int file)
{
    disk.events = grow(disk.events, disk.count, sizeof *disk.events);
    struct event *e = &disk.events[disk.count++];
    *e = (struct event){.kind = kind, .file = file, .promised = disk.promised};
    return e;
}

static void add_name(enum event_kind kind, const char *name, int file)
{
    struct event *e = add(kind, file);
    snprintf(e->name, sizeof e->name, "%s", name);
    apply_name(&disk.now, e);
}

static void add_sync_names(void)
{
    if (disk.lie != LIE_NAMES && disk.lie != LIE_ALL)
        add(EVENT_SYNC_NAMES, -1);
}

/* The file of this name, which is new if there is none. */
static int file_named(const char *name)
{
    int i = find(&disk.now, name);
    if (i >= 0)
        return disk.now.at[i].file;
    add_name(EVENT_NAME, name, disk.files);
    return disk.files++;
}

/* -- the VFS: an open file is the system's, with other methods and this after it */

struct tail {
    int file; /* -1: not in the folder */
    bool is_database, names_too;
};

static struct tail *tail_of(sqlite3_file *file)
{
    return (struct tail *)((char *)file + disk.real->szOsFile);
}

static const sqlite3_io_methods *real_methods(sqlite3_file *file)
{
    return disk.methods[!tail_of(file)->is_database].real;
}

static int torn_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    int status = real_methods(file)->xWrite(file, bytes, size, offset);
    if (status != SQLITE_OK || !disk.on || tail_of(file)->file < 0)
        return status;
    struct event *e = add(EVENT_WRITE, tail_of(file)->file);
    e->offset = (size_t)offset;
    e->size = (size_t)size;
    e->bytes = memcpy(grow(NULL, e->size, 1), bytes, e->size);
    return status;
}

static int torn_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    int status = real_methods(file)->xTruncate(file, size);
    if (status == SQLITE_OK && disk.on && tail_of(file)->file >= 0)
        add(EVENT_CUT_SHORT, tail_of(file)->file)->size = (size_t)size;
    return status;
}

/* The first sync of a new journal or WAL syncs the folder as well, as the system's VFS does. */
static int torn_sync(sqlite3_file *file, int flags)
{
    struct tail *t = tail_of(file);
    int status = real_methods(file)->xSync(file, flags);
    if (status != SQLITE_OK || !disk.on || t->file < 0)
        return status;
    if (disk.lie != LIE_ALL && disk.lie != (t->is_database ? LIE_DATABASE : LIE_WAL))
        add(EVENT_SYNC, t->file);
    if (t->names_too)
        add_sync_names();
    t->names_too = false;
    return status;
}

/* Puts our methods before those of a file. No mapped pages: they are read and written unseen. */
static void put_before(struct methods *m, sqlite3_file *file)
{
    if (m->real == NULL) {
        m->real = file->pMethods;
        m->torn = *m->real;
        m->torn.iVersion = m->real->iVersion < 2 ? m->real->iVersion : 2;
        m->torn.xWrite = torn_write;
        m->torn.xTruncate = torn_truncate;
        m->torn.xSync = torn_sync;
    }
    file->pMethods = &m->torn;
}

static int torn_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    bool is_new = (flags & SQLITE_OPEN_CREATE) != 0 && path != NULL && access(path, F_OK) != 0;
    int status = disk.real->xOpen(disk.real, path, file, flags, out);
    if (status != SQLITE_OK)
        return status;
    const char *name = name_of(path);
    bool is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    put_before(&disk.methods[!is_database], file);
    *tail_of(file) = (struct tail){.file = name == NULL ? -1 : file_named(name),
                                   .is_database = is_database,
                                   .names_too = is_new && !is_database};
    return status;
}

static int torn_delete(sqlite3_vfs *vfs, const char *path, int sync_names)
{
    (void)vfs;
    int status = disk.real->xDelete(disk.real, path, sync_names);
    const char *name = name_of(path);
    if (status == SQLITE_OK && name != NULL) {
        add_name(EVENT_UNNAME, name, -1);
        if (sync_names)
            add_sync_names();
    }
    return status;
}

static void add_vfs(void)
{
    static sqlite3_vfs vfs;
    if (disk.real != NULL)
        return;
    sqlite3_initialize();
    disk.real = sqlite3_vfs_find(NULL);
    vfs = *disk.real;
    vfs.zName = "torn";
    vfs.pNext = NULL;
    vfs.szOsFile += (int)sizeof(struct tail);
    vfs.xOpen = torn_open;
    vfs.xDelete = torn_delete;
    sqlite3_vfs_register(&vfs, 1);
}

/* -- names without SQLite: the linker puts these in the place of the system's */

int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_fsync(int fd);
int __wrap_fsync(int fd);

int __wrap_link(const char *from, const char *to)
{
    int status = __real_link(from, to);
    if (status == 0 && name_of(from) != NULL && name_of(to) != NULL)
        add_name(EVENT_NAME, name_of(to), file_named(name_of(from)));
    return status;
}

int __wrap_rename(const char *from, const char *to)
{
    int status = __real_rename(from, to);
    if (status == 0 && name_of(from) != NULL && name_of(to) != NULL) {
        add_name(EVENT_NAME, name_of(to), file_named(name_of(from)));
        add_name(EVENT_UNNAME, name_of(from), -1);
    }
    return status;
}

int __wrap_unlink(const char *path)
{
    int status = __real_unlink(path);
    if (status == 0 && name_of(path) != NULL)
        add_name(EVENT_UNNAME, name_of(path), -1);
    return status;
}

/* Only folders are synced without SQLite. */
int __wrap_fsync(int fd)
{
    struct stat st;
    if (disk.on && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
        add_sync_names();
    return __real_fsync(fd);
}

/* -- recording */

static void read_file(const char *name, struct content *content)
{
    char path[PATH + TORN_NAME];
    snprintf(path, sizeof path, "%s/%s", disk.folder, name);
    struct stat st;
    FILE *in = fopen(path, "rb");
    if (in == NULL || fstat(fileno(in), &st) != 0)
        abort();
    content->size = (size_t)st.st_size;
    content->bytes = grow(NULL, content->size, 1);
    if (fread(content->bytes, 1, content->size, in) != content->size)
        abort();
    fclose(in);
}

/* Takes in what the folder has, but for the index of a WAL, which SQLite makes anew. */
static void read_folder(void)
{
    DIR *d = opendir(disk.folder);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        size_t length = strlen(e->d_name);
        if (e->d_name[0] == '.' || (length > 4 && strcmp(e->d_name + length - 4, "-shm") == 0))
            continue;
        struct event named = {.kind = EVENT_NAME, .file = disk.files};
        snprintf(named.name, sizeof named.name, "%.63s", e->d_name);
        apply_name(&disk.first, &named);
        disk.before = grow(disk.before, (size_t)disk.files, sizeof *disk.before);
        read_file(named.name, &disk.before[disk.files++]);
    }
    closedir(d);
}

void torn_disk_record(const char *folder, enum torn_lie lie)
{
    add_vfs();
    for (size_t i = 0; i < disk.count; i++)
        free(disk.events[i].bytes);
    for (int i = 0; i < disk.files_before; i++)
        free(disk.before[i].bytes);
    disk.count = 0;
    disk.files = 0;
    disk.promised = -1;
    disk.first.count = 0;
    disk.lie = lie;
    snprintf(disk.folder, sizeof disk.folder, "%s", folder);
    read_folder();
    disk.files_before = disk.files;
    disk.now = disk.first;
    disk.on = true;
}

void torn_disk_promise(int64_t count)
{
    disk.promised = count;
}

void torn_disk_stop(void)
{
    disk.on = false;
}

/* -- cuts */

static void free_files(void)
{
    for (int i = 0; i < moment.file_count; i++) {
        free(moment.files[i].synced.bytes);
        free(moment.files[i].pending);
    }
    free(moment.files);
}

void torn_disk_rewind(void)
{
    free_files();
    moment.files = calloc((size_t)disk.files + 1, sizeof *moment.files);
    if (moment.files == NULL)
        abort();
    moment.file_count = disk.files;
    for (int i = 0; i < disk.files_before; i++) {
        struct content *c = &moment.files[i].synced;
        c->size = disk.before[i].size;
        c->bytes = memcpy(grow(NULL, c->size, 1), disk.before[i].bytes, c->size);
    }
    moment.names = disk.first;
    moment.count = moment.pending_count = 0;
}

/* Makes a content longer, with zeros, or shorter. */
static void resize(struct content *c, size_t size)
{
    if (size > c->size) {
        c->bytes = grow(c->bytes, size, 1);
        memset(c->bytes + c->size, 0, size - c->size);
    }
    c->size = size;
}

/* Does the bytes [from, to) of an event. */
static void apply(struct content *c, const struct event *e, size_t from, size_t to)
{
    if (e->kind == EVENT_CUT_SHORT) {
        resize(c, e->size);
        return;
    }
    if (from >= to)
        return;
    if (e->offset + to > c->size)
        resize(c, e->offset + to);
    memcpy(c->bytes + e->offset + from, e->bytes + from, to - from);
}

static void sync_file(struct state *s)
{
    for (size_t i = 0; i < s->pending_count; i++) {
        const struct event *e = &disk.events[s->pending[i]];
        apply(&s->synced, e, 0, e->size);
    }
    s->pending_count = 0;
}

static void sync_names(void)
{
    for (size_t i = 0; i < moment.pending_count; i++)
        apply_name(&moment.names, &disk.events[moment.pending[i]]);
    moment.pending_count = 0;
}

bool torn_disk_next(void)
{
    if (moment.count == disk.count)
        return false;
    const size_t number = moment.count++;
    const struct event *e = &disk.events[number];
    struct state *s = e->file >= 0 ? &moment.files[e->file] : NULL;
    switch (e->kind) {
    case EVENT_WRITE:
    case EVENT_CUT_SHORT:
        s->pending = grow(s->pending, s->pending_count, sizeof *s->pending);
        s->pending[s->pending_count++] = number;
        break;
    case EVENT_SYNC:
        sync_file(s);
        break;
    case EVENT_NAME:
    case EVENT_UNNAME:
        moment.pending = grow(moment.pending, moment.pending_count, sizeof *moment.pending);
        moment.pending[moment.pending_count++] = number;
        break;
    case EVENT_SYNC_NAMES:
        sync_names();
        break;
    }
    return true;
}

size_t torn_disk_moment(void)
{
    return moment.count;
}

size_t torn_disk_events(void)
{
    return disk.count;
}

int64_t torn_disk_promised(void)
{
    return moment.count < disk.count ? disk.events[moment.count].promised : disk.promised;
}

/* -- images */

static uint64_t draw(uint64_t *random)
{
    uint64_t x = *random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Does a write up to a border of sectors, or from there on. */
static void tear(struct content *c, const struct event *e, uint64_t *random)
{
    size_t first = e->offset / SECTOR, last = (e->offset + e->size - 1) / SECTOR;
    if (e->kind != EVENT_WRITE || first == last)
        return;
    size_t border = (first + 1 + draw(random) % (last - first)) * SECTOR - e->offset;
    bool begins = draw(random) % 2 == 0;
    apply(c, e, begins ? 0 : border, begins ? border : e->size);
}

static struct content content_of(const struct state *s, enum torn_keep keep, uint64_t *random)
{
    struct content c = {.size = s->synced.size};
    c.bytes = grow(NULL, c.size, 1);
    if (c.size > 0)
        memcpy(c.bytes, s->synced.bytes, c.size);
    for (size_t i = 0; i < s->pending_count && keep != TORN_NONE; i++) {
        const struct event *e = &disk.events[s->pending[i]];
        if (keep == TORN_LAST && i + 1 == s->pending_count)
            tear(&c, e, random);
        else if (keep != TORN_SOME || draw(random) % 2 == 0)
            apply(&c, e, 0, e->size);
    }
    return c;
}

struct torn_image torn_disk_cut(enum torn_keep keep, uint64_t seed)
{
    uint64_t random = seed * TORN_KEEPS + (uint64_t)keep + moment.count * 1000003;
    struct torn_image image = {.count = 0};
    struct names names = moment.names;
    size_t kept = keep == TORN_NONE   ? 0
                  : keep == TORN_SOME ? draw(&random) % (moment.pending_count + 1)
                                      : moment.pending_count;
    for (size_t i = 0; i < kept; i++)
        apply_name(&names, &disk.events[moment.pending[i]]);
    for (int i = 0; i < names.count; i++) {
        struct torn_image_file *f = &image.files[image.count++];
        struct content c = content_of(&moment.files[names.at[i].file], keep, &random);
        *f = (struct torn_image_file){.bytes = c.bytes, .size = c.size};
        memcpy(f->name, names.at[i].name, sizeof f->name);
    }
    return image;
}

/* Adds bytes to a sum, eight at a time. */
static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i += sizeof sum) {
        uint64_t word = 0;
        memcpy(&word, at + i, size - i < sizeof word ? size - i : sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum ^ size;
}

uint64_t torn_image_hash(const struct torn_image *image)
{
    uint64_t sum = 0;
    for (int i = 0; i < image->count; i++) {
        const struct torn_image_file *f = &image->files[i];
        sum = add_bytes(add_bytes(sum, f->name, strlen(f->name)), f->bytes, f->size);
    }
    return sum;
}

static void empty(const char *folder)
{
    char path[2 * PATH];
    DIR *d = opendir(folder);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.')
            __real_unlink(path);
    }
    closedir(d);
}

void torn_image_write(const struct torn_image *image, const char *folder)
{
    empty(folder);
    for (int i = 0; i < image->count; i++) {
        char path[2 * PATH];
        snprintf(path, sizeof path, "%s/%s", folder, image->files[i].name);
        FILE *out = fopen(path, "wb");
        if (out == NULL ||
            fwrite(image->files[i].bytes, 1, image->files[i].size, out) != image->files[i].size ||
            fclose(out) != 0)
            abort();
    }
}

void torn_image_free(struct torn_image *image)
{
    for (int i = 0; i < image->count; i++)
        free(image->files[i].bytes);
    image->count = 0;
}
