#define _DEFAULT_SOURCE /* setpriority */
#include "live_page.h"

#include "clock.h"
#include "command.h"
#include "launch.h"
#include "outcome.h"
#include "output.h"
#include "paths.h"
#include "run_state.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
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
                       struct report_text *text, struct error *err)
{
    const struct report_live live = {.status = status,
                                     .file = path_name(store_path),
                                     .refresh = status->state == RUN_STATE_RUNNING ? refresh : 0};
    if (report_text_enliven(text, &live, err))
        return true;
    free(text->bytes);
    return false;
}

bool live_page_compose(const char *store_path, int refresh, struct report_reading *reading,
                       struct report_text *text, bool *running, struct error *err)
{
    struct status status;
    *running = false;
    if (!status_read(store_path, &status, err))
        return false;
    *running = status.state == RUN_STATE_RUNNING;
    bool made = report_text_compose(store_path, reading, text, err) &&
                live_page_enliven(store_path, &status, refresh, text, err);
    status_free(&status);
    return made;
}

/* ---- the writer ---- */

/* Seconds of processor time of this process. */
static double used_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* True if a process runs it. */
static bool goes_on(const char *store_path)
{
    struct store *s = store_open(store_path, STORE_READ, NULL);
    bool on = s == NULL || run_state_read(s) == RUN_STATE_RUNNING; /* NULL: busy at this moment */
    store_close(s);
    return on;
}

/* Waits so long, or until the run ends or a signal comes. */
static void wait_for_next(const char *store_path, double seconds, const volatile sig_atomic_t *stop)
{
    const struct timespec look = {.tv_nsec = (long)(1e9 * LOOK_SECONDS)};
    double end = clock_seconds() + seconds;
    while (*stop == 0 && clock_seconds() < end && goes_on(store_path))
        nanosleep(&look, NULL);
}

/* Composes and writes a page. SIGTERM, which ends the writer at once, waits until no file is half
 * written. Returns an exit code. */
static int write_page(const char *store_path, const char *output, int refresh,
                      struct report_reading *reading, bool *running, struct error *err)
{
    struct report_text text;
    sigset_t term, before;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    if (!live_page_compose(store_path, refresh, reading, &text, running, err))
        return EXIT_BAD;
    sigprocmask(SIG_BLOCK, &term, &before);
    bool written = report_text_write(&text, output, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return written ? EXIT_DONE : EXIT_FAILED;
}

/* live_page_follow, with the readings of one page for the next. */
static int follow(const char *store_path, const char *output, const volatile sig_atomic_t *stop,
                  struct report_reading *reading, struct error *err)
{
    double interval = SHORTEST_SECONDS;
    bool running = true;
    int failures = TRIES; /* the first page must succeed */
    while (running) {
        double before = used_seconds();
        int refresh = *stop == 0 ? (int)ceil(interval) : 0;
        int code = write_page(store_path, output, refresh, reading, &running, err);
        failures = code == EXIT_DONE ? 0 : failures + 1;
        if (failures > TRIES)
            return code;
        if (code != EXIT_DONE)
            running = true;
        if (!running || refresh == 0)
            break;
        interval = live_page_interval(used_seconds() - before);
        wait_for_next(store_path, interval, stop);
    }
    return EXIT_DONE;
}

int live_page_follow(const char *store_path, const char *output, const volatile sig_atomic_t *stop,
                     struct error *err)
{
    struct report_reading reading = {NULL};
    signal(SIGTERM, SIG_DFL);
    int code = follow(store_path, output, stop, &reading, err);
    report_reading_free(&reading);
    return code;
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
    char directory[OUTCOME_PATH];
    if (p->path == NULL)
        return true;
    if (!output_is_file(p->path))
        return error_set(err, "--page takes a file, which is replaced again and again; %s is none",
                         p->path);
    if (!live_page_is_apart(p, store_path, err) || !outcome_check(store_path, p->path, force, err))
        return false;
    snprintf(directory, sizeof directory, "%s", p->path);
    char *slash = strrchr(directory, '/');
    if (slash != NULL)
        slash[slash == directory] = '\0';
    return access(slash == NULL ? "." : directory, W_OK | X_OK) == 0 ||
           error_set(err, "cannot write %s: %s", p->path, strerror(errno));
}

/* Starts the program itself with these arguments, in a process group of its own, so that signals of
 * the terminal do not reach it. Returns 0, or an errno. */
static int start_self(char *const arguments[], pid_t *pid)
{
    const struct launch self = {.file = "/proc/self/exe",
                                .words = arguments,
                                .streams = {LAUNCH_NULL, LAUNCH_NULL, LAUNCH_OURS},
                                .group = LAUNCH_NEW_GROUP};
    return launch_start(&self, pid);
}

bool live_page_start(struct live_page *p, const char *store_path, struct error *err)
{
    if (p->path == NULL || p->writer != 0)
        return true;
    char *path = strdup(store_path), *page = strdup(p->path);
    char program[] = "grayling", report[] = "report", follow[] = "--follow", force[] = "--force",
         output[] = "-o";
    char *const arguments[] = {program, report, path, follow, force, output, page, NULL};
    int reason = path != NULL && page != NULL ? start_self(arguments, &p->writer) : ENOMEM;
    free(path);
    free(page);
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

/* Adds the head of this moment, without a refresh, to a page. Frees the text if it fails. */
static bool enliven_last(const char *store_path, struct report_text *text, struct error *err)
{
    struct status status;
    if (!status_read(store_path, &status, err)) {
        free(text->bytes);
        return false;
    }
    bool made = live_page_enliven(store_path, &status, 0, text, err);
    status_free(&status);
    return made;
}

bool live_page_finish(const struct live_page *p, const char *store_path, const char *outcome,
                      struct error *err)
{
    struct report_text text;
    bool running;
    if (p->path == NULL)
        return true;
    bool made = outcome != NULL && report_text_read(outcome, &text)
                    ? enliven_last(store_path, &text, err)
                    : live_page_compose(store_path, 0, NULL, &text, &running, err);
    return made && report_text_write(&text, p->path, err);
}
