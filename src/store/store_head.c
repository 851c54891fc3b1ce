#include "store_head.h"

#include <sqlite3.h>
#include <sys/stat.h>

/* Opens a file without reading it. Returns its connection, to be closed, or NULL. */
static sqlite3 *open_plain(const char *file, sqlite3_file **plain)
{
    struct stat st;
    sqlite3 *db = NULL;
    *plain = NULL;
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode)) /* SQLite would wait for a pipe's writer */
        return NULL;
    if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, plain) == SQLITE_OK &&
        *plain != NULL && (*plain)->pMethods != NULL)
        return db;
    sqlite3_close(db);
    return NULL;
}

bool store_read_head(const char *file, void *bytes, size_t size)
{
    sqlite3_file *in;
    sqlite3 *db = open_plain(file, &in);
    bool read = db != NULL && in->pMethods->xRead(in, bytes, (int)size, 0) == SQLITE_OK;
    sqlite3_close(db);
    return read;
}

bool store_is_being_written(const char *file)
{
    sqlite3_file *in;
    sqlite3 *db = open_plain(file, &in);
    int held = 0;
    bool asked = db != NULL && in->pMethods->xCheckReservedLock(in, &held) == SQLITE_OK;
    sqlite3_close(db);
    return asked && held != 0;
}
