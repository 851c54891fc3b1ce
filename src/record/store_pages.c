/* Checksums of the pages of a run's file, and the lock of its writer, by an SQLite VFS above the system's.
 *
 * A page ends with 8 bytes that SQLite reserves for us:
 *
 *     bytes 0..3   0; on page 1 the file's change counter (bytes 24..27) when the page was written
 *     bytes 4..7   the checksum of the page up to here, and of its number
 *
 * All that this program writes into the file gets its checksum, and a page is checked whenever it is read
 * from the file, in WAL mode too. Pages in the WAL have SQLite's own checksums.
 *
 * The file is *sealed* if the counter at the end of page 1 is the file's. Another program that writes to
 * the file (sqlite3) does not renew checksums, but it changes the counter, or copies a page 1 of ours, with a
 * new counter, from the WAL: each of our transactions has one (store_begin). Checksums of a file that is
 * not sealed are not compared until our next writer renews them. One case is taken for damage: the WAL of
 * a killed run was empty, and another program writes to the file, in WAL mode and not to page 1.
 *
 * The lock is SQLite's RESERVED lock on the file itself, which SQLite does not use in WAL mode. Unlike a
 * lock on the WAL it does not vanish with a name. SQLite keeps it when other descriptors of the file
 * are closed, which a lock of our own would not outlast. */
#include "store_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VFS_NAME "grayling"

/* Where the header of a file, which begins its first page, has what. */
enum {
    HEADER_SIZE = 100,
    AT_PAGE_SIZE = 16, /* two bytes; 1 stands for 65536 */
    AT_JOURNAL = 18,   /* two bytes: 1, or 2 in WAL mode */
    AT_RESERVE = 20,
    AT_COUNTER = 24, /* four bytes: changes with each transaction */
    AT_VERSION = 60, /* four bytes: STORE_VERSION */
    AT_APPLICATION = 68,
    PAGE_AT_LEAST = 512,
    PAGE_AT_MOST = 65536,
};

/* A file of the system's VFS, which has our methods in the place of some of its own. */
struct page_file {
    sqlite3_io_methods methods; /* first: the file's methods lead to what we know of it */
    const sqlite3_io_methods *system;
    sqlite3_file *file;
    const char *name; /* SQLite's, until it is closed */
    struct pages_vfs *vfs;
    struct page_file *next; /* of those that are open */
    bool at_rest;           /* read-only, and not in WAL mode whatever its header says */
    bool summed;            /* pages have checksums, */
    bool renewed;           /* even if the header does not say so yet */
    enum store_lock lock;   /* that this connection has, */
    bool reserved;          /* by SQLite's own lock */
    bool overwritten;
    uint32_t first; /* the sum of page 1 as a writer left it */
    dev_t wal_device;
    ino_t wal_inode;
    unsigned char copy[PAGE_AT_MOST]; /* of a page */
};

/* The VFS, and the files that this process has open through it. */
struct pages_vfs {
    sqlite3_vfs base;
    sqlite3_vfs *system;
    struct page_file *files;
};

/* -- pages */

static uint32_t get_four(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_four(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static size_t page_size_of(const unsigned char *header)
{
    size_t size = (size_t)header[AT_PAGE_SIZE] << 8 | header[AT_PAGE_SIZE + 1];
    return size == 1 ? PAGE_AT_MOST : size;
}

/* True if a header is that of a run whose pages have room for checksums. */
static bool has_room(const unsigned char *header)
{
    static const char magic[16] = "SQLite format 3", application[] = "GRLG";
    return memcmp(header, magic, sizeof magic) == 0 && header[AT_RESERVE] == STORE_PAGE_RESERVE &&
           memcmp(header + AT_APPLICATION, application, 4) == 0;
}

/* True if a header is that of a run whose pages have checksums. */
static bool is_summed(const unsigned char *header)
{
    return has_room(header) && get_four(header + AT_VERSION) == STORE_VERSION;
}

/* The checksum of a page. Each step is a bijection of the sum, so no single error is lost in it. */
static uint32_t sum_page(const unsigned char *page, size_t size, uint64_t number)
{
    uint64_t sum = number;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word = (uint64_t)get_four(page + i) << 32;
        word |= i + 8 < size ? get_four(page + i + 4) : 0; /* the sum itself */
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return (uint32_t)(sum >> 32);
}

static void stamp(unsigned char *page, size_t size, uint64_t number, bool sealed)
{
    uint32_t counter = number == 1 ? get_four(page + AT_COUNTER) : 0;
    put_four(page + size - 8, sealed ? counter : ~counter);
    put_four(page + size - 4, sum_page(page, size, number));
}

static bool is_sound(const unsigned char *page, size_t size, uint64_t number)
{
    return get_four(page + size - 4) == sum_page(page, size, number);
}

/* True if a page 1 seals its file. */
static bool is_seal(const unsigned char *page, size_t size)
{
    return has_room(page) && page_size_of(page) == size &&
           get_four(page + AT_COUNTER) == get_four(page + size - 8);
}

/* What the first page says of the file. */
static enum store_seal read_seal(const unsigned char *page, size_t size)
{
    if (!is_summed(page))
        return STORE_NOT_SUMMED;
    return is_seal(page, size) ? STORE_SEALED : STORE_NOT_SEALED;
}

static bool is_empty(const unsigned char *page, size_t size)
{
    return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

static bool is_page(int amount, sqlite3_int64 offset)
{
    return amount >= PAGE_AT_LEAST && amount <= PAGE_AT_MOST && (amount & (amount - 1)) == 0 &&
           offset % amount == 0;
}

/* -- an open file */

static struct page_file *file_of(sqlite3_file *file)
{
    return (struct page_file *)(uintptr_t)file->pMethods;
}

static struct page_file *database_of(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return file_of(file);
}

/* Enters the mutex of the list of files. */
static sqlite3_mutex *enter(void)
{
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(mutex);
    return mutex;
}

/* Reads page 1 as the file, not the WAL, has it, into `copy`. Returns its size; 0: there is none. */
static size_t read_first(struct page_file *p)
{
    unsigned char header[HEADER_SIZE];
    if (p->system->xRead(p->file, header, HEADER_SIZE, 0) != SQLITE_OK)
        return 0;
    size_t size = page_size_of(header);
    bool read =
        is_page((int)size, 0) && p->system->xRead(p->file, p->copy, (int)size, 0) == SQLITE_OK;
    return read ? size : 0;
}

/* What the file says of itself now. */
static enum store_seal seal_of(struct page_file *p)
{
    size_t size = read_first(p);
    return size > 0 ? read_seal(p->copy, size) : STORE_NOT_SUMMED;
}

enum store_seal store_pages_seal(sqlite3 *db)
{
    return seal_of(database_of(db));
}

/* A page that has not its checksum is damaged if the file is sealed, and it was not renewed meanwhile. */
static bool is_damaged(struct page_file *p, void *page, int size, sqlite3_int64 offset)
{
    return seal_of(p) == STORE_SEALED &&
           (p->system->xRead(p->file, page, size, offset) != SQLITE_OK ||
            !is_sound(page, (size_t)size, (uint64_t)(offset / size) + 1));
}

static int page_read(sqlite3_file *file, void *buffer, int amount, sqlite3_int64 offset)
{
    struct page_file *p = file_of(file);
    unsigned char *bytes = buffer;
    int status = p->system->xRead(p->file, buffer, amount, offset);
    if (status != SQLITE_OK)
        return status;
    const bool header = offset == 0 && amount >= HEADER_SIZE;
    if (header && !p->renewed)
        p->summed = is_summed(buffer);
    if (p->summed && is_page(amount, offset) &&
        !is_sound(buffer, (size_t)amount, (uint64_t)(offset / amount) + 1) &&
        is_damaged(p, buffer, amount, offset))
        return SQLITE_IOERR_DATA;
    if (header && p->at_rest)
        bytes[AT_JOURNAL] = bytes[AT_JOURNAL + 1] = 1;
    return SQLITE_OK;
}

/* Finds out whether something else is in the file than what a writer left there. */
static bool look_for_others(struct page_file *p)
{
    if (p->lock != STORE_LOCK_WRITER || p->overwritten)
        return p->overwritten;
    size_t size = read_first(p);
    uint32_t sum = size > 0 ? sum_page(p->copy, size, 0) : ~p->first;
    bool others = sum != p->first && (size == 0 || read_seal(p->copy, size) != STORE_NOT_SEALED);
    p->first = sum;
    sqlite3_mutex *mutex = enter();
    for (struct page_file *same = p->vfs->files; others && same != NULL; same = same->next)
        same->overwritten = same->overwritten || strcmp(same->name, p->name) == 0;
    sqlite3_mutex_leave(mutex);
    return others;
}

/* Page 1 comes first in all that a checkpoint or a transaction writes. */
static int page_write(sqlite3_file *file, const void *buffer, int amount, sqlite3_int64 offset)
{
    struct page_file *p = file_of(file);
    const size_t size = (size_t)amount;
    const bool page = is_page(amount, offset), first = page && offset == 0;
    if (first && !p->renewed)
        p->summed = is_summed(buffer);
    if (first && look_for_others(p))
        return SQLITE_IOERR_WRITE;
    if (!page || !p->summed)
        return p->system->xWrite(p->file, buffer, amount, offset);
    /* The file stays sealed if it is sealed, or new, or a journal gives back a page 1 that sealed it. */
    const size_t before = first ? read_first(p) : 0;
    const bool sealed = before == 0 || is_seal(p->copy, before) ||
                        (is_seal(buffer, size) && is_sound(buffer, size, 1));
    memcpy(p->copy, buffer, size);
    stamp(p->copy, size, (uint64_t)offset / size + 1, sealed);
    int status = p->system->xWrite(p->file, p->copy, amount, offset);
    if (first && status == SQLITE_OK)
        p->first = sum_page(p->copy, size, 0);
    return status;
}

/* Renews the checksum of one page, of which `copy` has room for; or, to mend a file, only compares it. Only the
 * checksum is written: the rest of the page may be written by a checkpoint at the same time. */
static int renew_page(struct page_file *p, size_t size, sqlite3_int64 offset, bool compare)
{
    unsigned char before[STORE_PAGE_RESERVE];
    int status = p->system->xRead(p->file, p->copy, (int)size, offset);
    if (status != SQLITE_OK || is_empty(p->copy, size))
        return status;
    unsigned char *end = p->copy + size - STORE_PAGE_RESERVE;
    memcpy(before, end, sizeof before);
    stamp(p->copy, size, (uint64_t)offset / size + 1, true);
    if (memcmp(before, end, sizeof before) == 0)
        return SQLITE_OK;
    return compare ? SQLITE_IOERR_DATA
                   : p->system->xWrite(p->file, end, STORE_PAGE_RESERVE,
                                       offset + (sqlite3_int64)size - STORE_PAGE_RESERVE);
}

/* Seals the file. Page 1, which does, comes last. */
static int seal_file(struct page_file *p, bool compare)
{
    const size_t size = read_first(p);
    sqlite3_int64 length = 0;
    if (size == 0 || !has_room(p->copy))
        return SQLITE_ERROR;
    if (!is_seal(p->copy, size)) {
        int status = p->system->xFileSize(p->file, &length);
        for (sqlite3_int64 at = (sqlite3_int64)size;
             status == SQLITE_OK && at + (sqlite3_int64)size <= length; at += (sqlite3_int64)size)
            status = renew_page(p, size, at, compare);
        if (status == SQLITE_OK)
            status = p->system->xSync(p->file, SQLITE_SYNC_NORMAL);
        if (status == SQLITE_OK)
            status = renew_page(p, size, 0, false);
        if (status != SQLITE_OK)
            return status;
        p->first = sum_page(p->copy, size, 0);
    }
    p->summed = p->renewed = true;
    return SQLITE_OK;
}

/* -- locks */

bool store_pages_lock(sqlite3 *db, enum store_lock which, bool *under)
{
    struct page_file *p = database_of(db);
    const struct page_file *holder = NULL;
    bool can = true;
    sqlite3_mutex *mutex = enter();
    for (const struct page_file *other = p->vfs->files; other != NULL; other = other->next)
        if (other != p && strcmp(other->name, p->name) == 0) {
            holder = other->lock == STORE_LOCK_HOLDER ? other : holder;
            can = can && other->lock != which;
        }
    if (can && holder == NULL)
        can = p->system->xLock(p->file, SQLITE_LOCK_RESERVED) == SQLITE_OK;
    if (can) {
        /* Notes what a locked file is, and its WAL. Under a holder the WAL is the holder's. */
        struct stat st = {.st_ino = 0};
        const size_t size = read_first(p);
        p->first = size > 0 ? sum_page(p->copy, size, 0) : 0;
        if (holder == NULL)
            stat(sqlite3_filename_wal(p->name), &st);
        p->wal_device = holder != NULL ? holder->wal_device : st.st_dev;
        p->wal_inode = holder != NULL ? holder->wal_inode : st.st_ino;
        p->reserved = holder == NULL;
        p->lock = which;
    }
    *under = holder != NULL;
    sqlite3_mutex_leave(mutex);
    return can;
}

enum store_trouble store_pages_trouble(sqlite3 *db)
{
    struct page_file *p = database_of(db);
    struct stat st;
    int moved = 0;
    p->system->xFileControl(p->file, SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved != 0)
        return STORE_GONE;
    if (look_for_others(p))
        return STORE_OVERWRITTEN;
    bool same = stat(sqlite3_filename_wal(p->name), &st) == 0 && st.st_dev == p->wal_device &&
                st.st_ino == p->wal_inode;
    return same ? STORE_NO_TROUBLE : STORE_WITHOUT_WAL;
}

static int page_unlock(sqlite3_file *file, int lock)
{
    struct page_file *p = file_of(file);
    int status = p->system->xUnlock(p->file, lock);
    if (p->reserved && lock == SQLITE_LOCK_SHARED) /* after it has tried to leave WAL mode */
        p->system->xLock(p->file, SQLITE_LOCK_RESERVED);
    return status;
}

static int page_close(sqlite3_file *file)
{
    struct page_file *p = file_of(file);
    sqlite3_mutex *mutex = enter();
    struct page_file **at = &p->vfs->files;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    sqlite3_mutex_leave(mutex);
    int status = p->system->xClose(file);
    free(p);
    return status;
}

/* -- the VFS */

/* Opens a file as the system's VFS does. A database then has our methods; a WAL or a journal keeps its own. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct pages_vfs *ours = (struct pages_vfs *)vfs;
    int status = ours->system->xOpen(ours->system, name, file, flags, out);
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0 || file->pMethods == NULL)
        return status;
    struct page_file *p = calloc(1, sizeof *p);
    if (p == NULL) {
        file->pMethods->xClose(file);
        file->pMethods = NULL;
        return SQLITE_NOMEM;
    }
    p->system = file->pMethods;
    p->file = file;
    p->name = name;
    p->vfs = ours;
    p->at_rest = (flags & SQLITE_OPEN_READONLY) != 0;
    p->methods = *file->pMethods;
    p->methods.iVersion = 2; /* without mapped pages, which nobody would check */
    p->methods.xClose = page_close;
    p->methods.xRead = page_read;
    p->methods.xWrite = page_write;
    p->methods.xUnlock = page_unlock;
    file->pMethods = &p->methods;
    sqlite3_mutex *mutex = enter();
    p->next = ours->files;
    ours->files = p;
    sqlite3_mutex_leave(mutex);
    return status;
}

/* Registers the VFS, a copy of the system's that opens files through us. SQLite keeps it. */
static bool add_vfs(void)
{
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);
    struct pages_vfs *vfs = malloc(sizeof *vfs);
    if (system == NULL || vfs == NULL) {
        free(vfs);
        return false;
    }
    *vfs = (struct pages_vfs){.base = *system, .system = system};
    vfs->base.zName = VFS_NAME;
    vfs->base.pNext = NULL;
    vfs->base.xOpen = open_file;
    return sqlite3_vfs_register(&vfs->base, 0) == SQLITE_OK;
}

const char *store_pages_vfs(void)
{
    if (sqlite3_initialize() != SQLITE_OK)
        return NULL;
    sqlite3_mutex *mutex = enter();
    bool there = sqlite3_vfs_find(VFS_NAME) != NULL || add_vfs();
    sqlite3_mutex_leave(mutex);
    return there ? VFS_NAME : NULL;
}

/* -- an open database */

bool store_pages_reserve(sqlite3 *db)
{
    int reserve = STORE_PAGE_RESERVE;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserve) == SQLITE_OK;
}

bool store_pages_renew(sqlite3 *db)
{
    return seal_file(database_of(db), false) == SQLITE_OK;
}

void store_pages_mend(sqlite3 *db)
{
    seal_file(database_of(db), true);
}

/* -- a database in memory */

enum store_seal store_pages_check(const unsigned char *bytes, size_t size, size_t *damaged)
{
    *damaged = 0;
    size_t page = size >= PAGE_AT_LEAST ? page_size_of(bytes) : 0;
    if (page < PAGE_AT_LEAST || page > size)
        return STORE_NOT_SUMMED;
    enum store_seal seal = read_seal(bytes, page);
    for (size_t i = 0; seal == STORE_SEALED && *damaged == 0 && i < size / page; i++)
        if (!is_sound(bytes + i * page, page, i + 1) && !is_empty(bytes + i * page, page))
            *damaged = i + 1; /* a free page that was never written is empty */
    return seal;
}
