#include "clock.h"
#include "store_internal.h"

enum { PAUSE_MS = 10 }; /* between two attempts to have a file alone */

bool store_lock(struct store *s, enum store_lock which, struct error *err)
{
    if (!store_pages_lock(s->db, which, &s->under))
        return error_set(err, "%s is locked by another process, which is running it", s->path);
    s->lock = which;
    return store_undisturbed(s, err);
}

bool store_undisturbed(const struct store *s, struct error *err)
{
    switch (s->lock != STORE_NO_LOCK ? store_pages_trouble(s->db) : STORE_NO_TROUBLE) {
    case STORE_GONE:
        return error_set(err,
                         "%s is gone: it was moved or removed while it was being written; move it "
                         "back and resume it, or begin a new run",
                         s->file);
    case STORE_OVERWRITTEN:
        return error_set(err,
                         "%s is not this run any more: it was overwritten while it was being "
                         "written; go back to a copy, or begin a new run",
                         s->file);
    case STORE_WITHOUT_WAL:
        return error_set(err,
                         "%s-wal was removed or replaced while %s was being written; what was "
                         "stored before is kept, so resume it",
                         s->file, s->file);
    case STORE_NO_TROUBLE:
        break;
    }
    return true;
}

bool store_leave_wal(struct store *s, int milliseconds)
{
    const double end = clock_seconds() + 1e-3 * milliseconds;
    sqlite3_busy_timeout(s->db, 0);
    while (!store_execute(s, "PRAGMA journal_mode = DELETE", NULL)) {
        if ((sqlite3_extended_errcode(s->db) & 0xff) != SQLITE_BUSY || clock_seconds() >= end)
            return false;
        sqlite3_sleep(PAUSE_MS);
    }
    return true;
}

void store_end_writing(struct store *s)
{
    switch (store_pages_trouble(s->db)) {
    case STORE_GONE:
        return;
    case STORE_OVERWRITTEN: /* the next to open it must not copy our WAL into it */
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
        store_remove_beside(s->file, "-wal");
        store_remove_beside(s->file, "-shm");
        return;
    case STORE_WITHOUT_WAL:
    case STORE_NO_TROUBLE:
        break;
    }
    if (s->under)
        return;
    if (store_pages_seal(s->db) == STORE_NOT_SEALED)
        store_pages_renew(s->db); /* another program has copied the WAL */
    if (!store_leave_wal(s, STORE_BUSY_MS))
        store_execute(s, "PRAGMA wal_checkpoint(TRUNCATE)", NULL);
}
