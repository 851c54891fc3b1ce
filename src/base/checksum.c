#include "checksum.h"

#include "paths.h"

#include <errno.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

static void finish(struct sha256_ctx *hash, char text[CHECKSUM_MAX])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

bool checksum_file(const char *path, char text[CHECKSUM_MAX], struct error *err)
{
    const char *reason;
    FILE *file = regular_file_open(path, &reason);
    if (file == NULL)
        return error_set(err, "cannot open %s: %s", path, reason);
    struct sha256_ctx hash;
    sha256_init(&hash);
    uint8_t block[1 << 14];
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        sha256_update(&hash, n, block);
    bool good = ferror(file) == 0 || error_set(err, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    if (good)
        finish(&hash, text);
    return good;
}

void checksum_bytes(const void *bytes, size_t length, char text[CHECKSUM_MAX])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    sha256_update(&hash, length, bytes);
    finish(&hash, text);
}

void checksum_base64(const void *bytes, size_t length, char text[CHECKSUM_BASE64])
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&hash);
    sha256_update(&hash, length, bytes);
    sha256_digest(&hash, sizeof digest, digest);
    base64_encode_raw(text, sizeof digest, digest);
    text[CHECKSUM_BASE64 - 1] = '\0';
}

void checksum_numbers(const int32_t *values, size_t count, char text[CHECKSUM_MAX])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4];
        for (int b = 0; b < 4; b++)
            bytes[b] = (uint8_t)((uint32_t)values[i] >> 8 * b);
        sha256_update(&hash, sizeof bytes, bytes);
    }
    finish(&hash, text);
}
