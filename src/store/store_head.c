#include "store_head.h"

#include <sqlite3.h>
#include <sys/stat.h>

bool store_read_head(const char *file, void *bytes, size_t size)
{
    struct stat st;
    sqlite3 *db = NULL;
    sqlite3_file *in = NULL;
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode)) /* SQLite would wait for a pipe's writer */
        return false;
    bool read =
        sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &in) == SQLITE_OK &&
        in != NULL && in->pMethods != NULL &&
        in->pMethods->xRead(in, bytes, (int)size, 0) == SQLITE_OK;
    sqlite3_close(db);
    return read;
}
