#define _DEFAULT_SOURCE /* setpriority */
#include "live_page.h"

#include "clock.h"
#include "command.h"
#include "launch.h"
#include "outcome.h"
#include "run_state.h"
#include "text_stream.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The shortest time between two pages, how often the writer looks whether the run still goes on,
 * and the lowest priority (setpriority(2)). */
#define SHORTEST_SECONDS 5.0
#define LOOK_SECONDS     0.5
#define STOP_SECONDS     10.0 /* the time that the writer has to end */
enum { LOWEST_PRIORITY = 19, TRIES = 20 };

double live_page_interval(double cost)
{
    return fmax(SHORTEST_SECONDS, 100 * cost);
}

/* ---- a page ---- */

bool live_page_enliven(const char *store_path, const struct status *status, int refresh,
                       const struct report_text *body, struct report_text *page, struct error *err)
{
    const struct report_live live = {.status = status,
                                     .file = path_name(store_path),
                                     .refresh = status->state == RUN_STATE_RUNNING ? refresh : 0};
    *page = (struct report_text){NULL, 0};
    FILE *out = text_stream(&page->bytes, &page->length);
    if (out != NULL)
        report_live_write(out, body->bytes, body->length, &live);
    return text_close(out, "the page", err);
}

/* Composes the page of this moment. `refresh` > 0 is written into it only while the run goes on; then *running is true. So
 * the content of a page without a refresh is never of a run that goes on. */
static bool compose(const char *store_path, int refresh, struct night_report *reading,
                    struct report_text *page, bool *running, struct error *err)
{
    struct status status;
    struct report_text body;
    *running = false;
    if (!status_read(store_path, &status, err))
        return false;
    *running = status.state == RUN_STATE_RUNNING;
    bool made = report_text_compose(store_path, NULL, reading, &body, err);
    if (made) {
        made = live_page_enliven(store_path, &status, refresh, &body, page, err);
        free(body.bytes);
    }
    status_free(&status);
    return made;
}

/* ---- the writer ---- */

/* Whether another process has replaced the page since `last`. */
static bool is_replaced(const char *page, const struct stat *last)
{
    struct stat now;
    return stat(page, &now) == 0 &&
           (now.st_ino != last->st_ino || now.st_mtim.tv_nsec != last->st_mtim.tv_nsec);
}

/* Composes and writes a page. SIGTERM, which ends the writer at once, waits until no file is half
 * written. `last` is the page as this process left it, or found it. When another process has written it, as of a run
 * that was killed and is resumed, it is that one's: then *running is false. Returns an exit code. */
static int write_page(const char *store_path, const char *output, int refresh, struct stat *last,
                      struct night_report *reading, bool *running, struct error *err)
{
    struct report_text text;
    struct output o;
    sigset_t term, before;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    if (!compose(store_path, refresh, reading, &text, running, err))
        return EXIT_BAD;
    sigprocmask(SIG_BLOCK, &term, &before);
    bool written = report_text_finish(&text, output, &o, err);
    if (written && is_replaced(output, last)) {
        output_discard(&o);
        *running = false;
    } else if (written && (written = output_publish(&o, err)))
        stat(output, last);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return written ? EXIT_DONE : EXIT_FAILED;
}

int live_page_follow(const char *store_path, const char *output, const volatile sig_atomic_t *stop,
                     struct error *err)
{
    struct night_report reading = {.stages = NULL}; /* of one page, for the next */
    const struct timespec look = {.tv_nsec = (long)(1e9 * LOOK_SECONDS)};
    double interval = SHORTEST_SECONDS;
    bool running = true;
    int code = EXIT_DONE, failures = TRIES; /* the first page must succeed */
    struct stat last = {0};
    stat(output, &last);
    signal(SIGTERM, SIG_DFL);
    for (;;) {
        const double before = clock_of_thread();
        const int refresh = *stop == 0 ? (int)ceil(interval) : 0;
        code = write_page(store_path, output, refresh, &last, &reading, &running, err);
        failures = code == EXIT_DONE ? 0 : failures + 1;
        if (failures > TRIES || (code == EXIT_DONE && !running) || refresh == 0)
            break;
        interval = live_page_interval(clock_of_thread() - before);
        const double end = clock_seconds() + interval;
        for (bool on = true; *stop == 0 && on && clock_seconds() < end;) {
            struct store *s = store_open(store_path, STORE_READ, NULL); /* NULL: it is busy */
            on = s == NULL || run_state_read(s) == RUN_STATE_RUNNING;
            store_close(s);
            if (on)
                nanosleep(&look, NULL);
        }
    }
    night_report_free(&reading);
    return failures > TRIES ? code : EXIT_DONE;
}

/* ---- the run's side ---- */

bool live_page_is_apart(const struct live_page *p, const char *path, struct error *err)
{
    return p->path == NULL || !output_is_same(p->path, path) ||
           error_set(err, "--page would replace %s, which is the run's; choose another name", path);
}

bool live_page_check(const struct live_page *p, const char *store_path, bool force,
                     struct error *err)
{
    char directory[PATH_SIZE];
    if (p->path == NULL)
        return true;
    if (!output_is_file(p->path))
        return error_set(err, "--page takes a file, which is replaced again and again; %s is none",
                         p->path);
    if (!live_page_is_apart(p, store_path, err) || !outcome_check(store_path, p->path, force, err))
        return false;
    return (path_directory(p->path, directory, NULL) && access(directory, W_OK | X_OK) == 0) ||
           error_set(err, "cannot write %s: %s", p->path, strerror(errno));
}

bool live_page_start(struct live_page *p, const char *store_path, struct error *err)
{
    if (p->path == NULL || p->writer != 0)
        return true;
    const char *const words[] = {"grayling", "report", store_path, "--follow",
                                 "--force",  "-o",     p->path,    NULL};
    /* In a process group of its own, signals of the terminal do not reach it. */
    const struct launch self = {.file = "/proc/self/exe",
                                .words = (char *const *)(uintptr_t)words,
                                .streams = {LAUNCH_NULL, LAUNCH_NULL, LAUNCH_OURS},
                                .group = LAUNCH_NEW_GROUP};
    const int reason = launch_start(&self, &p->writer);
    if (reason == 0) {
        setpriority(PRIO_PROCESS, (id_t)p->writer, LOWEST_PRIORITY);
        return true;
    }
    p->writer = 0;
    return error_set(err, "cannot start the writer of %s: %s", p->path, strerror(reason));
}

void live_page_stop(struct live_page *p)
{
    if (p->writer == 0)
        return;
    int status;
    kill(p->writer, SIGTERM);
    if (!launch_ended_by(p->writer, clock_seconds() + STOP_SECONDS, &status)) {
        kill(p->writer, SIGKILL);
        launch_ended_by(p->writer, clock_seconds() + STOP_SECONDS, &status);
    }
    p->writer = 0;
}

bool live_page_finish(const struct live_page *p, const char *store_path, struct error *err)
{
    struct report_text text;
    bool running;
    return p->path == NULL || (compose(store_path, 0, NULL, &text, &running, err) &&
                               report_text_write(&text, p->path, err));
}
