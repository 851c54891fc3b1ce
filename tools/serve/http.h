/* A small HTTP server for a browser on this machine. http.c is built if libmicrohttpd is there
 * (meson option `serve`), else http_absent.c; only http.c knows the library.
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

/* Starts a server in a thread of its own. Port 0 becomes the number of a free one. NULL with the reason. */
struct http_server *http_start(int *port, http_get *get, void *context, struct error *err);
void http_stop(struct http_server *server); /* accepts NULL */

#endif
