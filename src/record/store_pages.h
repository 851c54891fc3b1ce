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
#ifndef GRAYLING_STORE_PAGES_H
#define GRAYLING_STORE_PAGES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { STORE_PAGE_RESERVE = 8 };

/* What the checksums of an open file can tell. */
enum store_seal {
    STORE_NOT_SUMMED, /* pages have no checksums */
    STORE_NOT_SEALED, /* another program wrote to the file */
    STORE_SEALED,
};

/* A writer has a lock while it has the file open. A holder has the other one, and lets one writer after
 * another of its own process have the first. */
enum store_lock { STORE_NO_LOCK, STORE_LOCK_WRITER, STORE_LOCK_HOLDER };

/* What others may do to a file, or to its name, that a lock does not keep them from. */
enum store_trouble {
    STORE_NO_TROUBLE,
    STORE_GONE,        /* it was moved or removed; another file may have its name by now */
    STORE_OVERWRITTEN, /* another run, or something else, was written into it; we write nothing more */
    STORE_WITHOUT_WAL, /* the WAL was removed or replaced; we still have it open */
};

/* Returns the name of the VFS for sqlite3_open_v2. NULL without memory. A file that is opened read-only
 * through it is taken for one that is not in WAL mode. */
const char *store_pages_vfs(void);

/* -- an open database */

/* Makes a new, empty database one whose pages have checksums. */
bool store_pages_reserve(sqlite3 *db);
/* Tells what is known of the file, whose first page it reads. */
enum store_seal store_pages_seal(sqlite3 *db);
/* Seals the file unless it is sealed: renews the checksums of all pages. From now on each page that this
 * connection writes gets its checksum. The caller is the only writer of a file in which bytes are
 * reserved. */
bool store_pages_renew(sqlite3 *db);
/* Seals the file if page 1 alone, which a power cut may tear, lacks its checksum. The caller has all of the
 * file to itself. */
void store_pages_mend(sqlite3 *db);

/* Takes a lock of a file that is open in WAL mode, until it is closed. False if another process, or another
 * connection of this one, has it. *under tells whether a holder of this process has the file, which closes
 * it later. */
bool store_pages_lock(sqlite3 *db, enum store_lock which, bool *under);
/* Tells what others have done to a file that is locked. */
enum store_trouble store_pages_trouble(sqlite3 *db);

/* -- a database in memory */

/* Tells what the checksums of a whole file say; *damaged is the number of a page whose checksum is
 * wrong, or 0. */
enum store_seal store_pages_check(const unsigned char *bytes, size_t size, size_t *damaged);

#endif
