#include "store_pages.h"

#include "store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
};

/* Our messages to an open file. */
enum { ASK_SEAL = 0x47524c47, RENEW };

/* An open file: of the system's VFS, in the memory behind it. */
struct page_file {
    sqlite3_file base;
    sqlite3_file *real;
    enum store_seal seal;
    bool summed;         /* pages that are written get checksums */
    bool ours;           /* renewed: every page has its checksum, in WAL mode too */
    unsigned char *copy; /* a page that is written */
    size_t room;         /* of `copy` */
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
    return size == 1 ? 65536 : size;
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
    return has_room(header) && get_four(header + AT_VERSION) >= STORE_VERSION_SUMMED;
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

/* Puts the checksum at the end of a page. */
static void stamp(unsigned char *page, size_t size, uint64_t number)
{
    put_four(page + size - 8, number == 1 ? get_four(page + AT_COUNTER) : 0);
    put_four(page + size - 4, sum_page(page, size, number));
}

static bool is_sound(const unsigned char *page, size_t size, uint64_t number)
{
    return get_four(page + size - 4) == sum_page(page, size, number);
}

/* What the first page says of the file. */
static enum store_seal read_seal(const unsigned char *page, size_t size)
{
    if (!is_summed(page))
        return STORE_NOT_SUMMED;
    bool at_rest = page[AT_JOURNAL] == 1 && page[AT_JOURNAL + 1] == 1;
    return at_rest && page_size_of(page) == size &&
                   get_four(page + AT_COUNTER) == get_four(page + size - 8)
               ? STORE_SEALED
               : STORE_NOT_SEALED;
}

static bool is_page(int amount, sqlite3_int64 offset)
{
    return amount >= PAGE_AT_LEAST && (amount & (amount - 1)) == 0 && offset % amount == 0;
}

/* -- an open file */

static struct page_file *file_of(sqlite3_file *file)
{
    return (struct page_file *)file;
}

static int page_read(sqlite3_file *file, void *buffer, int amount, sqlite3_int64 offset)
{
    struct page_file *p = file_of(file);
    int status = p->real->pMethods->xRead(p->real, buffer, amount, offset);
    if (status != SQLITE_OK)
        return status;
    if (offset == 0 && amount >= HEADER_SIZE && !p->ours) {
        p->summed = is_summed(buffer);
        if (p->summed && p->seal == STORE_NOT_SUMMED) /* page 1 itself may be in the WAL */
            p->seal = STORE_NOT_SEALED;
    }
    if (!is_page(amount, offset))
        return SQLITE_OK;
    if (offset == 0 && !p->ours)
        p->seal = read_seal(buffer, (size_t)amount);
    if (p->seal != STORE_SEALED ||
        is_sound(buffer, (size_t)amount, (uint64_t)(offset / amount) + 1))
        return SQLITE_OK;
    return SQLITE_IOERR_DATA;
}

/* Makes room for a copy of a page. */
static bool reserve_copy(struct page_file *p, size_t size)
{
    if (size <= p->room)
        return true;
    unsigned char *copy = realloc(p->copy, size);
    if (copy == NULL)
        return false;
    p->copy = copy;
    p->room = size;
    return true;
}

static int page_write(sqlite3_file *file, const void *buffer, int amount, sqlite3_int64 offset)
{
    struct page_file *p = file_of(file);
    if (offset == 0 && amount >= HEADER_SIZE && !p->ours)
        p->summed = is_summed(buffer);
    if (!p->summed || !is_page(amount, offset))
        return p->real->pMethods->xWrite(p->real, buffer, amount, offset);
    if (!reserve_copy(p, (size_t)amount))
        return SQLITE_IOERR_NOMEM;
    memcpy(p->copy, buffer, (size_t)amount);
    stamp(p->copy, (size_t)amount, (uint64_t)(offset / amount) + 1);
    return p->real->pMethods->xWrite(p->real, p->copy, amount, offset);
}

/* Renews the checksum of one page, of which `copy` has room for. Only the checksum is written: the
 * rest of the page may be written by a checkpoint at the same time. */
static int renew_page(struct page_file *p, size_t size, sqlite3_int64 offset)
{
    unsigned char before[STORE_PAGE_RESERVE];
    int status = p->real->pMethods->xRead(p->real, p->copy, (int)size, offset);
    if (status != SQLITE_OK)
        return status;
    unsigned char *end = p->copy + size - STORE_PAGE_RESERVE;
    memcpy(before, end, sizeof before);
    stamp(p->copy, size, (uint64_t)offset / size + 1);
    if (memcmp(before, end, sizeof before) == 0)
        return SQLITE_OK;
    return p->real->pMethods->xWrite(p->real, end, STORE_PAGE_RESERVE,
                                     offset + (sqlite3_int64)size - STORE_PAGE_RESERVE);
}

static int renew(struct page_file *p)
{
    unsigned char header[HEADER_SIZE];
    sqlite3_int64 length = 0;
    if (p->seal != STORE_SEALED) {
        int status = p->real->pMethods->xRead(p->real, header, HEADER_SIZE, 0);
        if (status != SQLITE_OK || !has_room(header))
            return status != SQLITE_OK ? status : SQLITE_ERROR;
        size_t size = page_size_of(header);
        status = p->real->pMethods->xFileSize(p->real, &length);
        if (status == SQLITE_OK && !reserve_copy(p, size))
            status = SQLITE_NOMEM;
        for (sqlite3_int64 at = 0; status == SQLITE_OK && at + (sqlite3_int64)size <= length;
             at += (sqlite3_int64)size)
            status = renew_page(p, size, at);
        if (status != SQLITE_OK)
            return status;
    }
    p->summed = p->ours = true;
    p->seal = STORE_SEALED;
    return SQLITE_OK;
}

static int page_control(sqlite3_file *file, int what, void *argument)
{
    struct page_file *p = file_of(file);
    if (what == RENEW)
        return renew(p);
    if (what != ASK_SEAL)
        return p->real->pMethods->xFileControl(p->real, what, argument);
    *(enum store_seal *)argument = p->seal;
    return SQLITE_OK;
}

static int page_close(sqlite3_file *file)
{
    struct page_file *p = file_of(file);
    free(p->copy);
    return p->real->pMethods->xClose(p->real);
}

/* -- what is left to the system's VFS */

static int page_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return file_of(file)->real->pMethods->xTruncate(file_of(file)->real, size);
}

static int page_sync(sqlite3_file *file, int flags)
{
    return file_of(file)->real->pMethods->xSync(file_of(file)->real, flags);
}

static int page_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return file_of(file)->real->pMethods->xFileSize(file_of(file)->real, size);
}

static int page_lock(sqlite3_file *file, int lock)
{
    return file_of(file)->real->pMethods->xLock(file_of(file)->real, lock);
}

static int page_unlock(sqlite3_file *file, int lock)
{
    return file_of(file)->real->pMethods->xUnlock(file_of(file)->real, lock);
}

static int page_check_lock(sqlite3_file *file, int *held)
{
    return file_of(file)->real->pMethods->xCheckReservedLock(file_of(file)->real, held);
}

static int page_sector_size(sqlite3_file *file)
{
    return file_of(file)->real->pMethods->xSectorSize(file_of(file)->real);
}

static int page_characteristics(sqlite3_file *file)
{
    return file_of(file)->real->pMethods->xDeviceCharacteristics(file_of(file)->real);
}

static int page_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
    return file_of(file)->real->pMethods->xShmMap(file_of(file)->real, page, size, extend, memory);
}

static int page_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return file_of(file)->real->pMethods->xShmLock(file_of(file)->real, offset, count, flags);
}

static void page_shm_barrier(sqlite3_file *file)
{
    file_of(file)->real->pMethods->xShmBarrier(file_of(file)->real);
}

static int page_shm_unmap(sqlite3_file *file, int remove)
{
    return file_of(file)->real->pMethods->xShmUnmap(file_of(file)->real, remove);
}

/* Version 2: with shared memory for WAL mode, without mapped pages, which nobody would check. */
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = page_close,
    .xRead = page_read,
    .xWrite = page_write,
    .xTruncate = page_truncate,
    .xSync = page_sync,
    .xFileSize = page_file_size,
    .xLock = page_lock,
    .xUnlock = page_unlock,
    .xCheckReservedLock = page_check_lock,
    .xFileControl = page_control,
    .xSectorSize = page_sector_size,
    .xDeviceCharacteristics = page_characteristics,
    .xShmMap = page_shm_map,
    .xShmLock = page_shm_lock,
    .xShmBarrier = page_shm_barrier,
    .xShmUnmap = page_shm_unmap,
};

/* -- the VFS */

/* Opens a database through us; a WAL or a journal as the system's VFS does. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    sqlite3_vfs *system = vfs->pAppData;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
        return system->xOpen(system, name, file, flags, out);
    struct page_file *p = file_of(file);
    *p = (struct page_file){.real = (sqlite3_file *)(p + 1)};
    int status = system->xOpen(system, name, p->real, flags, out);
    p->base.pMethods = p->real->pMethods != NULL ? &methods : NULL;
    return status;
}

/* Registers the VFS, a copy of the system's that opens files through us. SQLite keeps it. */
static bool add_vfs(void)
{
    sqlite3_vfs *system = sqlite3_vfs_find(NULL), *vfs = malloc(sizeof *vfs);
    if (system == NULL || vfs == NULL) {
        free(vfs);
        return false;
    }
    *vfs = *system;
    vfs->zName = VFS_NAME;
    vfs->pNext = NULL;
    vfs->pAppData = system;
    vfs->szOsFile += (int)sizeof(struct page_file);
    vfs->xOpen = open_file;
    return sqlite3_vfs_register(vfs, 0) == SQLITE_OK;
}

const char *store_pages_vfs(void)
{
    if (sqlite3_initialize() != SQLITE_OK)
        return NULL;
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(mutex);
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

enum store_seal store_pages_seal(sqlite3 *db)
{
    enum store_seal seal = STORE_NOT_SUMMED;
    sqlite3_file_control(db, "main", ASK_SEAL, &seal);
    return seal;
}

bool store_pages_renew(sqlite3 *db)
{
    return sqlite3_file_control(db, "main", RENEW, NULL) == SQLITE_OK;
}

/* -- a database in memory */

static bool is_empty(const unsigned char *page, size_t size)
{
    return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

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
