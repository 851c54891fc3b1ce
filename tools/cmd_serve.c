/* grayling serve: the live page of a run for a browser on this machine. */
#include "command.h"

#include "interrupt.h"
#include "live_site.h"
#include "options.h"

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
    "RUN.db",
    "one run",
    1,
    1};

static bool print_addresses(int port)
{
    char host[HOST_NAME] = "HOST";
    gethostname(host, sizeof host - 1);
    printf("page     http://127.0.0.1:%d/\n"
           "status   http://127.0.0.1:%d/status.json\n"
           "remote   ssh -L %d:127.0.0.1:%d %s, then http://localhost:%d/ there\n"
           "Ctrl-C ends the server; the run goes on\n",
           port, port, port, port, host, port);
    return fflush(stdout) == 0;
}

/* Listens until a signal comes, or ends at once if nobody learns where. */
static bool listen_for(struct live_site *site, int port, struct error *err)
{
    const struct timespec look = {.tv_nsec = 100000000};
    const volatile sig_atomic_t *stop = interrupt_watch();
    struct http_server *server = http_start(port, live_site_get, site, err);
    if (server == NULL)
        return false;
    bool told = print_addresses(http_port(server));
    while (told && *stop == 0)
        nanosleep(&look, NULL);
    http_stop(server);
    return true;
}

/* Serves the site once it has a page: not every path that has a status has one. */
static int serve(const char *run, int port)
{
    struct error err;
    struct http_document page;
    int code = EXIT_FAILED;
    struct live_site *site = live_site_create(run, &err);
    if (site != NULL && !live_site_get(site, "/", &page, &err))
        code = EXIT_BAD;
    else if (site != NULL && listen_for(site, port, &err))
        code = EXIT_DONE;
    live_site_destroy(site);
    return code == EXIT_DONE ? code : command_fail(code, &err);
}

int cmd_serve(int argc, char **argv)
{
    int port = DEFAULT_PORT;
    const int code = options_read(&cmd, &argc, &argv, &port);
    return code == OPTIONS_READ ? serve(argv[0], port) : code;
}
