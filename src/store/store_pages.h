/* Checksums of the pages of a run's file, by an SQLite VFS above the system's.
 *
 * A page ends with 8 bytes that SQLite reserves for us:
 *
 *     bytes 0..3   0; on page 1 the file's change counter (bytes 24..27) when the page was written
 *     bytes 4..7   the checksum of the page up to here, and of its number
 *
 * All that this program writes into the file gets its checksum. Whether a reader checks them depends
 * on page 1. The file is *sealed* if it is not in WAL mode and the counter at the end of page 1 is the
 * file's: then every page has its checksum. Another program that writes to the file (sqlite3) changes
 * the counter, or leaves the file in WAL mode; it does not renew checksums, so none is checked until
 * our next writer, who renews them all. Pages in the WAL have SQLite's own checksums. */
#ifndef GRAYLING_STORE_PAGES_H
#define GRAYLING_STORE_PAGES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { STORE_PAGE_RESERVE = 8 };

/* What the checksums of an open file can tell. */
enum store_seal {
    STORE_NOT_SUMMED, /* pages have no checksums */
    STORE_NOT_SEALED, /* another program wrote to the file, or it is being written */
    STORE_SEALED,
};

/* Returns the name of the VFS for sqlite3_open_v2. NULL without memory. */
const char *store_pages_vfs(void);

/* -- an open database */

/* Makes a new, empty database one whose pages have checksums; or an old one when it is next
 * vacuumed. */
bool store_pages_reserve(sqlite3 *db);
/* Tells what is known of the file since its first page was read. */
enum store_seal store_pages_seal(sqlite3 *db);
/* Renews the checksums of all pages, unless the file is sealed. From now on each page that this
 * connection reads is checked, and each that it writes gets its checksum. The caller is the only
 * writer of a file in which bytes are reserved. */
bool store_pages_renew(sqlite3 *db);

/* -- a database in memory */

/* Tells what the checksums of a whole file say; *damaged is the number of a page whose checksum is
 * wrong, or 0. */
enum store_seal store_pages_check(const unsigned char *bytes, size_t size, size_t *damaged);

#endif
