/* A small HTTP server for a browser on this machine. It is the module `serve` (module.h), which is built if
 * libmicrohttpd is there (meson option `serve`).
 *
 * A connection has one answer, and a new connection ends the oldest where too many are open: those that
 * are slow, or say nothing, do not keep others waiting.
 *
 * The server listens on 127.0.0.1 only, and answers GET and HEAD only. A request must name the
 * server as 127.0.0.1, localhost or [::1] with its port in the header Host: a page of another site
 * that has its own name resolved to 127.0.0.1 (DNS rebinding) names that one, and gets 421. */
#ifndef GRAYLING_HTTP_H
#define GRAYLING_HTTP_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct http_document {
    const char *type;  /* MIME type */
    const char *bytes; /* borrowed until the next call; NULL: there is no such document */
    size_t length;
};

/* Gets the document of a path. False with the reason if it cannot be made. Calls never overlap. */
typedef bool http_get(void *context, const char *path, struct http_document *document,
                      struct error *err);

struct http_server;

/* The table of the module. */
struct http_method {
    /* Starts a server in a thread of its own. Port 0 becomes the number of a free one. Each answer has the
     * `policy` (Content-Security-Policy), which is borrowed, as is `context`. NULL with the reason. */
    struct http_server *(*start)(int *port, const char *policy, http_get *get, void *context,
                                 struct error *err);
    void (*stop)(struct http_server *server);
};

#endif
