#include "gunzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 1 << 16, GZIP_ONLY = 16 + MAX_WBITS };

enum kind { NOT_KNOWN, PLAIN, PACKED };

struct gunzip {
    int fd;
    enum kind kind;
    int reason;         /* errno of a read that failed */
    const char *damage; /* found behind the bytes that were returned last, or NULL */
    bool inflating;     /* zlib's state is allocated */
    bool inside;        /* a member has begun and has not ended */
    bool ended;         /* of the file */
    z_stream zlib;      /* next_in and avail_in are the bytes of `in` that are not yet used */
    unsigned char in[BLOCK], out[BLOCK];
};

struct gunzip *gunzip_create(int fd)
{
    struct gunzip *g = calloc(1, sizeof *g);
    if (g != NULL)
        g->fd = fd;
    return g;
}

void gunzip_destroy(struct gunzip *g)
{
    if (g != NULL && g->inflating)
        inflateEnd(&g->zlib);
    free(g);
}

/* Reads more bytes behind those that are not yet used. False at the end of the file, or on failure
 * with `reason` set. */
static bool fill(struct gunzip *g)
{
    if (g->zlib.avail_in > 0)
        memmove(g->in, g->zlib.next_in, g->zlib.avail_in);
    g->zlib.next_in = g->in;
    ssize_t n;
    do
        n = g->ended ? 0 : read(g->fd, g->in + g->zlib.avail_in, BLOCK - g->zlib.avail_in);
    while (n < 0 && errno == EINTR);
    g->reason = n < 0 ? errno : 0;
    g->ended = n <= 0;
    g->zlib.avail_in += n > 0 ? (unsigned)n : 0;
    return n > 0;
}

/* True if the next bytes begin a member. */
static bool at_member(struct gunzip *g)
{
    while (g->zlib.avail_in < 2 && fill(g))
        continue;
    return g->zlib.avail_in >= 2 && g->zlib.next_in[0] == 0x1f && g->zlib.next_in[1] == 0x8b;
}

bool gunzip_is_packed(struct gunzip *g)
{
    if (g->kind == NOT_KNOWN)
        g->kind = at_member(g) ? PACKED : PLAIN;
    return g->kind == PACKED;
}

static ptrdiff_t fail(const char **reason, const char *why)
{
    *reason = why;
    return -1;
}

/* True if nothing follows but zeros, with which archives are padded. */
static bool only_zeros(struct gunzip *g)
{
    do {
        for (; g->zlib.avail_in > 0; g->zlib.avail_in--)
            if (*g->zlib.next_in++ != 0)
                return false;
    } while (fill(g));
    return true;
}

/* Begins the next member. Returns 1, 0 at the end, or -1 with the reason. */
static ptrdiff_t begin_member(struct gunzip *g, const char **reason)
{
    if (!at_member(g)) {
        bool clean = only_zeros(g);
        if (g->reason != 0)
            return fail(reason, strerror(g->reason));
        return clean ? 0 : fail(reason, "damaged gzip: other data after its end");
    }
    int status = g->inflating ? inflateReset(&g->zlib) : inflateInit2(&g->zlib, GZIP_ONLY);
    if (status != Z_OK)
        return fail(reason, "no memory to decompress");
    g->inflating = g->inside = true;
    return 1;
}

/* Decompresses the next bytes. */
static ptrdiff_t inflate_more(struct gunzip *g, const char **reason)
{
    g->zlib.next_out = g->out;
    g->zlib.avail_out = BLOCK;
    while (g->damage == NULL && g->zlib.avail_out == BLOCK) {
        ptrdiff_t begun = g->inside ? 1 : begin_member(g, reason);
        if (begun <= 0)
            return begun;
        if (g->zlib.avail_in == 0 && !fill(g))
            return fail(reason, g->reason != 0 ? strerror(g->reason) : "truncated gzip input");
        int status = inflate(&g->zlib, Z_NO_FLUSH);
        g->inside = status != Z_STREAM_END;
        if (status == Z_MEM_ERROR)
            return fail(reason, "no memory to decompress");
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
            g->damage = "damaged gzip: its content does not have its checksum";
    }
    if (g->zlib.avail_out == BLOCK)
        return fail(reason, g->damage);
    return BLOCK - (ptrdiff_t)g->zlib.avail_out;
}

ptrdiff_t gunzip_read(struct gunzip *g, const void **bytes, const char **reason)
{
    if (gunzip_is_packed(g)) {
        *bytes = g->out;
        return inflate_more(g, reason);
    }
    if (g->zlib.avail_in == 0 && !fill(g) && g->reason != 0)
        return fail(reason, strerror(g->reason));
    ptrdiff_t n = g->zlib.avail_in;
    *bytes = g->zlib.next_in;
    g->zlib.avail_in = 0;
    return n;
}
