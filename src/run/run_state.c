#define _GNU_SOURCE /* O_TMPFILE */
#include "run_state.h"

#include "foreign_text.h"
#include "hosts_kept.h"
#include "paths.h"
#include "process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {
    [RUN_STATE_NEW] = "stopped", [RUN_STATE_RUNNING] = "running",   [RUN_STATE_STOPPED] = "stopped",
    [RUN_STATE_ENDED] = "ended", [RUN_STATE_COMPLETE] = "complete", [RUN_STATE_FAILED] = "failed",
    [RUN_STATE_DIED] = "died",
};

enum { STATES = sizeof names / sizeof names[0] };

const char *run_state_name(enum run_state state)
{
    return names[state];
}

/* ---- writing ---- */

bool run_state_begin(struct store *s, int64_t deadline, struct error *err)
{
    char process[PROCESS_TEXT];
    process_identity(process);
    return store_begin(s, err) && store_put(s, "state", names[RUN_STATE_RUNNING], err) &&
           store_put(s, "process", process, err) &&
           store_put_number(s, "began", (int64_t)time(NULL), err) &&
           store_put_number(s, "deadline", deadline, err) && store_remove(s, "progress", err) &&
           store_remove(s, "reason", err) && hosts_kept_put(s, err) && store_commit(s, err);
}

int run_state_reserve(const char *path)
{
    const off_t size = 1 << 16; /* some pages of a WAL */
    char folder[PATH_SIZE];
    int reserve = path_directory(path, folder, NULL)
                      ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR)
                      : -1;
    if (reserve >= 0)
        posix_fallocate(reserve, 0, size);
    return reserve;
}

void run_state_release(int reserve)
{
    if (reserve >= 0)
        close(reserve);
}

bool run_state_end(struct store *s, enum run_end end, bool by_time, const char *reason,
                   struct error *err)
{
    const enum run_state state = end == RUN_COMPLETE  ? RUN_STATE_COMPLETE
                                 : end != RUN_STOPPED ? RUN_STATE_FAILED
                                 : by_time            ? RUN_STATE_ENDED
                                                      : RUN_STATE_STOPPED;
    return store_begin(s, err) && store_put(s, "state", names[state], err) &&
           (reason == NULL || store_put(s, "reason", reason, err)) &&
           store_remove(s, "progress", err) && hosts_kept_put(s, err) && store_commit(s, err);
}

bool run_progress_put(struct store *s, const struct run_progress *p, struct error *err)
{
    char text[128];
    snprintf(text, sizeof text, "%d %s %s %" PRId64 " %" PRId64, p->generation,
             p->held_out ? "held-out" : "train", p->unit, p->done, p->total);
    return store_put(s, "progress", text, err) && hosts_kept_put(s, err);
}

/* ---- reading ---- */

enum run_state run_state_noted(struct store *s)
{
    char *text = store_get(s, "state");
    enum run_state state = RUN_STATE_NEW;
    for (int i = RUN_STATE_RUNNING; text != NULL && i < STATES; i++)
        if (strcmp(text, names[i]) == 0)
            state = (enum run_state)i;
    free(text);
    return state;
}

const char *run_state_reason(struct store *s, char reason[RUN_REASON])
{
    char *text = store_get(s, "reason");
    foreign_text_copy(reason, RUN_REASON, text == NULL ? "" : text);
    free(text);
    return reason;
}

enum run_state run_state_read(struct store *s)
{
    enum run_state state = run_state_noted(s);
    if (state == RUN_STATE_RUNNING) {
        char *process = store_get(s, "process");
        if (!store_running(s) && (process == NULL || !process_lives(process)))
            state = RUN_STATE_DIED;
        free(process);
        return state;
    }
    bool loads = store_running(s) && store_stage(s)[0] == '\0'; /* or another stage is at work */
    return loads ? RUN_STATE_RUNNING : state;
}

bool run_progress_get(struct store *s, struct run_progress *p, char unit[RUN_UNIT])
{
    char *text = store_get(s, "progress"), phase[16];
    *p = (struct run_progress){.unit = unit};
    bool found = text != NULL && sscanf(text, "%d %15s %15s %" SCNd64 " %" SCNd64, &p->generation,
                                        phase, unit, &p->done, &p->total) == 5;
    if (found) {
        p->held_out = strcmp(phase, "held-out") == 0;
        foreign_text_copy(unit, RUN_UNIT, unit);
    }
    free(text);
    return found;
}
