/* A disk that loses power, for tests.
 *
 * A SQLite VFS in front of the system's keeps a list of what is done to the files of one folder:
 * writes, truncations and syncs of files, names given and removed, syncs of the folder. From the
 * list the folder can be made as a power cut at any moment may leave it:
 *
 *     - what was done to a file before its last sync is there;
 *     - of what was done to it since then, anything may be there (enum torn_keep);
 *     - of the names given and removed since the folder's last sync, the first few are there, as
 *       the journal of a file system keeps them.
 *
 * Link with TORN_DISK_WRAPS (meson.build): files of a run are also named without SQLite. */
#ifndef GRAYLING_TESTS_TORN_DISK_H
#define GRAYLING_TESTS_TORN_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of that which was not synced. */
enum torn_keep {
    TORN_NONE,
    TORN_ALL,
    TORN_SOME, /* a random subset of it */
    TORN_LAST, /* all, but of each file's last write only the first or the last sectors */
    TORN_KEEPS,
};

/* A planted fault: syncs that do nothing. */
enum torn_lie { LIE_NOT, LIE_WAL, LIE_DATABASE, LIE_NAMES, LIE_ALL };

enum { TORN_FILES = 8, TORN_NAME = 64 };

/* A folder after a cut. */
struct torn_image {
    int count;
    struct torn_image_file {
        char name[TORN_NAME];
        unsigned char *bytes;
        size_t size;
    } files[TORN_FILES];
};

/* -- recording; aborts where there is no memory */

/* Begins a new list. What the folder has now is synced. */
void torn_disk_record(const char *folder, enum torn_lie lie);
/* Notes that so much has been promised to last: cuts after this must keep it. */
void torn_disk_promise(int64_t count);
void torn_disk_stop(void);

/* -- cuts, in order */

/* Goes back to the moment before the first event of the list. */
void torn_disk_rewind(void);
/* Goes on to the moment after the next event. False if there is none. */
bool torn_disk_next(void);
/* The number of events up to this moment, and of all. */
size_t torn_disk_moment(void);
size_t torn_disk_events(void);
/* What has been promised up to this moment. -1: nothing. */
int64_t torn_disk_promised(void);

/* Makes the folder as a cut at this moment leaves it. */
struct torn_image torn_disk_cut(enum torn_keep keep, uint64_t seed);
uint64_t torn_image_hash(const struct torn_image *image);
/* Writes the files of an image, and removes all others of the folder. */
void torn_image_write(const struct torn_image *image, const char *folder);
void torn_image_free(struct torn_image *image);

#endif
