#include "http.h"

#include "process.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS = 64,     /* at a time; further ones end the oldest */
    TIMEOUT_SECONDS = 20, /* of a connection that says nothing */
    BACKLOG = 16,
};

struct http_server {
    struct MHD_Daemon *daemon;
    int port;
    const char *policy;
    http_get *get;
    void *context;
    struct MHD_Connection *open[CONNECTIONS]; /* the oldest first; of the daemon's thread */
    int open_count;
};

/* ---- answers ---- */

/* The headers of every answer, besides the policy of a page and what else a server can forbid. */
static const char *const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

static enum MHD_Result answer(const struct http_server *s, struct MHD_Connection *c,
                              unsigned int code, const struct http_document *d)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(d->length, (void *)(uintptr_t)d->bytes,
                                                             MHD_RESPMEM_MUST_COPY);
    if (r == NULL)
        return MHD_NO;
    MHD_add_response_header(r, "Content-Security-Policy", s->policy);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(r, headers[i][0], headers[i][1]);
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, d->type);
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    if (code == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    enum MHD_Result queued = MHD_queue_response(c, code, r);
    MHD_destroy_response(r);
    return queued;
}

static enum MHD_Result say(const struct http_server *s, struct MHD_Connection *c, unsigned int code,
                           const char *text)
{
    char line[sizeof(struct error) + 2];
    int length = snprintf(line, sizeof line, "%s\n", text);
    const struct http_document d = {"text/plain; charset=utf-8", line,
                                    length < (int)sizeof line ? (size_t)length : sizeof line - 1};
    return answer(s, c, code, &d);
}

static bool names_us(const struct http_server *s, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char ours[32];
    for (size_t i = 0; host != NULL && i < sizeof names / sizeof names[0]; i++) {
        snprintf(ours, sizeof ours, "%s:%d", names[i], s->port);
        if (strcasecmp(host, ours) == 0 || (s->port == 80 && strcasecmp(host, names[i]) == 0))
            return true;
    }
    return false;
}

/* Answers a request. It is answered at once, so that the body of a refused one is not read. */
static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *path,
                              const char *method, const char *version, const char *body,
                              size_t *body_size, void **state)
{
    struct http_server *s = context;
    struct http_document d;
    struct error err;
    (void)version, (void)body, (void)body_size, (void)state;
    if (!names_us(s, MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST)))
        return say(s, c, MHD_HTTP_MISDIRECTED_REQUEST,
                   "This server answers to 127.0.0.1, localhost and [::1] with its own port only.");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return say(s, c, MHD_HTTP_METHOD_NOT_ALLOWED, "This server answers GET and HEAD only.");
    if (!s->get(s->context, path, &d, &err))
        return say(s, c, MHD_HTTP_INTERNAL_SERVER_ERROR, err.text);
    if (d.bytes == NULL)
        return say(s, c, MHD_HTTP_NOT_FOUND, "There are / and /status.json.");
    return answer(s, c, MHD_HTTP_OK, &d);
}

/* ---- connections ---- */

static void forget(struct http_server *s, const struct MHD_Connection *c)
{
    int kept = 0;
    for (int i = 0; i < s->open_count; i++)
        if (s->open[i] != c)
            s->open[kept++] = s->open[i];
    s->open_count = kept;
}

/* Ends the oldest connection where a new one has no room. A connection has one answer, at once when its
 * request is complete: the oldest one is slow, or says nothing. */
static void note_connection(void *context, struct MHD_Connection *c, void **state,
                            enum MHD_ConnectionNotificationCode code)
{
    struct http_server *s = context;
    (void)state;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        forget(s, c);
        return;
    }
    if (s->open_count == CONNECTIONS) {
        struct MHD_Connection *oldest = s->open[0];
        shutdown(MHD_get_connection_info(oldest, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                 SHUT_RDWR);
        forget(s, oldest);
    }
    s->open[s->open_count++] = c;
}

/* ---- life cycle ---- */

/* Opens a socket on 127.0.0.1, and gets its port. Returns -1 with the reason. */
static int listen_on(int *port, struct error *err)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)*port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        if (errno == EADDRINUSE)
            error_set(err, "port %d is in use; choose another with --port, or 0 for a free one",
                      *port);
        else
            error_set(err, "cannot listen on port %d: %s", *port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    *port = ntohs(at.sin_port);
    return fd;
}

static struct http_server *start(int *port, const char *policy, http_get *get, void *context,
                                 struct error *err)
{
    struct http_server *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_null(err, "no memory for the server");
    int fd = listen_on(port, err);
    *s = (struct http_server){.port = *port, .policy = policy, .get = get, .context = context};
    if (fd >= 0) {
        s->daemon = MHD_start_daemon(
            MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, s,
            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_CONNECTION, note_connection, s,
            MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTIONS * 2, /* with those that end */
            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)TIMEOUT_SECONDS,
            MHD_OPTION_THREAD_STACK_SIZE, (size_t)THREAD_STACK, MHD_OPTION_END);
        if (s->daemon != NULL)
            return s;
        close(fd);
        error_set(err, "cannot start the server");
    }
    free(s);
    return NULL;
}

static void stop(struct http_server *server)
{
    MHD_stop_daemon(server->daemon);
    free(server);
}

extern const struct http_method grayling_serve;
const struct http_method grayling_serve = {.start = start, .stop = stop};
