/* The server of a program that is built without libmicrohttpd. */
#include "http.h"

struct http_server *http_start(int *port, http_get *get, void *context, struct error *err)
{
    (void)port;
    (void)get;
    (void)context;
    return error_null(
        err, "this grayling is built without the server; install libmicrohttpd-dev and build it "
             "again with 'meson configure build -Dserve=enabled && ninja -C build', or use "
             "'grayling report --follow'");
}

void http_stop(struct http_server *server)
{
    (void)server;
}
