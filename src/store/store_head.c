#include "store_head.h"

#include <sqlite3.h>

bool store_read_head(const char *file, void *bytes, size_t size)
{
    sqlite3 *db = NULL;
    sqlite3_file *in = NULL;
    bool read =
        sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &in) == SQLITE_OK &&
        in != NULL && in->pMethods != NULL &&
        in->pMethods->xRead(in, bytes, (int)size, 0) == SQLITE_OK;
    sqlite3_close(db);
    return read;
}
