/* grayling serve: the live page of a run for a browser on this machine. */
#include "command.h"

#include "clock.h"
#include "http.h"
#include "live_page.h"
#include "module.h"
#include "report_page.h"
#include "text_stream.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_PORT = 8064, HOST_NAME = 65 };

static const struct option_row option_rows[] = {
    {"port", "N", AS_NUMBER, 0, sizeof(int), "port (8064); 0 takes a free one", 0, 65535}, {0}};

static const struct command cmd = {
    "serve",
    "usage: grayling serve RUN.db [--port N]\n\n"
    "Serves the page of a run, a night or a comparison to a browser on this machine,\n"
    "and its status as JSON at /status.json. While the run goes on, the page loads\n"
    "itself again. The server only reads the run, listens on 127.0.0.1 only, and\n"
    "answers only to its own name. Ctrl-C ends it.\n",
    option_rows,
    "From another machine, open the page through ssh; the command prints how.\n\n"
    "example:\n  grayling serve night-seed1.db\n",
    {"RUN.db", "one run", 1, 1}};

/* A document is made at most once in so many seconds. The body of the page, which costs more, is
 * made at most for a hundredth of the time while the run goes on; its head is always new. */
#define PAGE_SECONDS   3.0
#define STATUS_SECONDS 1.0

/* A document as it was made last. */
struct made {
    struct report_text text;
    double at, cost; /* of the monotonic clock; seconds it took */
};

struct moment {
    enum run_state state;
    double spent;
};

struct site {
    const char *store_path;
    struct made body, page, status;
    struct night_report reading;            /* of the body */
    struct moment before_page, before_body; /* when the latest of each was begun */
};

static bool make_status(struct site *site, struct report_text *text, struct error *err)
{
    struct status s;
    if (!status_read(site->store_path, &s, err))
        return false;
    *text = (struct report_text){NULL, 0};
    FILE *out = text_stream(&text->bytes, &text->length);
    if (out != NULL)
        status_json_write(out, site->store_path, &s);
    status_free(&s);
    return text_close(out, "the status", err);
}

static bool make_body(struct site *site, struct report_text *text, struct error *err)
{
    site->before_body = site->before_page;
    return report_text_compose(site->store_path, NULL, &site->reading, text, err);
}

/* Makes a document again if it is older than `seconds`, and than a hundred times its cost. */
static bool renew(struct site *site, struct made *made, double seconds,
                  bool (*make)(struct site *, struct report_text *, struct error *),
                  struct error *err)
{
    struct report_text text;
    double now = clock_seconds();
    if (made->text.bytes != NULL && now - made->at < fmax(seconds, 100 * made->cost))
        return true;
    if (!make(site, &text, err))
        return false;
    free(made->text.bytes);
    *made = (struct made){.text = text, .at = clock_seconds(), .cost = clock_seconds() - now};
    return true;
}

/* The page: its body with the head of this moment. The status is read first, so that a page that does
 * not load itself again has no body of a run that goes on. */
static bool make_page(struct site *site, struct report_text *text, struct error *err)
{
    struct status s;
    if (!status_read(site->store_path, &s, err))
        return false;
    const struct moment now = {s.state, s.spent}, *body = &site->before_body;
    site->before_page = now;
    /* While the run goes on the body need not be of the run as it is now: the page loads itself again. The last page
     * has one that is, whatever its age. */
    if (now.state != RUN_STATE_RUNNING && (now.state != body->state || now.spent != body->spent))
        site->body.at = -INFINITY;
    const bool made = renew(site, &site->body, PAGE_SECONDS, make_body, err) &&
                      live_page_enliven(site->store_path, &s, (int)ceil(live_page_interval(0)),
                                        &site->body.text, text, err);
    status_free(&s);
    return made;
}

/* Gets "/" or "/status.json", for the server. */
static bool get_document(void *context, const char *path, struct http_document *document,
                         struct error *err)
{
    struct site *site = context;
    bool page = strcmp(path, "/") == 0;
    struct made *made = page ? &site->page : &site->status;
    *document = (struct http_document){.type = page ? "text/html; charset=utf-8"
                                                    : "application/json; charset=utf-8"};
    if (!page && strcmp(path, "/status.json") != 0)
        return true;
    site->page.cost = 0; /* its body has the cost */
    if (!renew(site, made, page ? PAGE_SECONDS : STATUS_SECONDS, page ? make_page : make_status,
               err))
        return false;
    document->bytes = made->text.bytes;
    document->length = made->text.length;
    return true;
}

/* Listens until a signal comes, or ends at once if nobody learns where. */
static bool listen_for(struct site *site, int port, struct error *err)
{
    const struct timespec look = {.tv_nsec = 100000000};
    const volatile sig_atomic_t *stop = interrupt_watch();
    const struct http_method *http = module_load(
        "serve",
        "this grayling works without the server here: use 'grayling report --follow', or install "
        "libmicrohttpd-dev and build it again with 'meson configure build -Dserve=enabled && ninja -C build'",
        err);
    /* The policy of the page, and what else a server can forbid. */
    char page[REPORT_POLICY], policy[REPORT_POLICY + 64];
    snprintf(policy, sizeof policy,
             "%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             report_frame_policy(page));
    struct http_server *server =
        http != NULL ? http->start(&port, policy, get_document, site, err) : NULL;
    if (server == NULL)
        return false;
    char host[HOST_NAME] = "HOST";
    gethostname(host, sizeof host - 1);
    printf("page     http://127.0.0.1:%d/\n"
           "status   http://127.0.0.1:%d/status.json\n"
           "remote   ssh -L %d:127.0.0.1:%d %s, then http://localhost:%d/ there\n"
           "Ctrl-C ends the server; the run goes on\n",
           port, port, port, port, host, port);
    for (bool told = fflush(stdout) == 0; told && *stop == 0;)
        nanosleep(&look, NULL);
    http->stop(server);
    return true;
}

int cmd_serve(int argc, char **argv)
{
    int port = DEFAULT_PORT;
    struct error err;
    struct http_document page;
    int code = options_read(&cmd, &argc, &argv, &port);
    if (code != OPTIONS_READ)
        return code;
    struct site site = {.store_path = argv[0]};
    /* It serves once it has a page: not every path that has a status has one. */
    code = !get_document(&site, "/", &page, &err) ? EXIT_BAD
           : !listen_for(&site, port, &err)       ? EXIT_FAILED
                                                  : EXIT_DONE;
    night_report_free(&site.reading);
    free(site.body.text.bytes);
    free(site.page.text.bytes);
    free(site.status.text.bytes);
    return code == EXIT_DONE ? code : command_fail((enum exit_code)code, &err);
}
