#include "data_kept.h"

#include "checksum.h"
#include "paths.h"
#include "values.h"

#include <string.h>

bool data_kept_put(struct store *s, const char *directory, const char *role, const char *path,
                   struct error *err)
{
    char sha256[CHECKSUM_MAX], relative[PATH_SIZE];
    return values_checksum(path, sha256, err) && path_relative(directory, path, relative, err) &&
           store_put_data(s, role, relative, sha256, err);
}

bool data_kept_check(const char *directory, const char *role, const char *path, const char *sha256,
                     const char *owner, const char *advice, struct error *err)
{
    char found[CHECKSUM_MAX], absolute[PATH_SIZE];
    if (!path_absolute(directory, path, absolute, err) || !values_checksum(absolute, found, err))
        return error_prefix(err, "cannot reload the %s's data: ", owner);
    return strcmp(found, sha256) == 0 ||
           error_set(err,
                     "%s (%s) has changed since the %s began: its SHA-256 was %s and is %s; put "
                     "the old file back, or %s",
                     absolute, role, owner, sha256, found, advice);
}
