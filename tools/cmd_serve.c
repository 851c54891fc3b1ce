/* grayling serve: the live page of a run for a browser on this machine. */
#include "command.h"

#include "interrupt.h"
#include "live_site.h"

#include <time.h>
#include <unistd.h>

enum { DEFAULT_PORT = 8064, HOST_NAME = 65 };

static const char help[] =
    "usage: grayling serve RUN.db [--port N]\n\n"
    "Serves the page of a run, a night or a comparison to a browser on this machine,\n"
    "and its status as JSON at /status.json. While the run goes on, the page loads\n"
    "itself again. The server only reads the run, listens on 127.0.0.1 only, and\n"
    "answers only to its own name. Ctrl-C ends it.\n\n"
    "      --port N  port (8064); 0 takes a free one\n\n"
    "From another machine, open the page through ssh; the command prints how.\n\n"
    "example:\n"
    "  grayling serve night-seed1.db\n";

struct options {
    const char *run; /* NULL: help is requested */
    int port;
};

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {
        {"port", required_argument, NULL, 'p'}, {"help", no_argument, NULL, 'h'}, {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("serve", c, argv, options);
        if (c == 'h')
            return EXIT_DONE;
        if (!command_int("serve", "--port", optarg, 0, 65535, &o->port))
            return EXIT_BAD;
    }
    if (argc - optind != 1)
        return command_misuse("serve", "expected one run, not %d", argc - optind);
    o->run = argv[optind];
    return EXIT_DONE;
}

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
static int serve(const struct options *o)
{
    struct error err;
    struct http_document page;
    int code = EXIT_FAILED;
    struct live_site *site = live_site_create(o->run, &err);
    if (site != NULL && !live_site_get(site, "/", &page, &err))
        code = EXIT_BAD;
    else if (site != NULL && listen_for(site, o->port, &err))
        code = EXIT_DONE;
    live_site_destroy(site);
    return code == EXIT_DONE ? code : command_fail(code, &err);
}

int cmd_serve(int argc, char **argv)
{
    struct options o = {.port = DEFAULT_PORT};
    int code = read_options(argc, argv, &o);
    if (code != EXIT_DONE)
        return code;
    if (o.run != NULL)
        return serve(&o);
    fputs(help, stdout);
    return EXIT_DONE;
}
