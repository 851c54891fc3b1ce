#include "label.h"

#include "movegen.h"
#include "player.h"
#include "ranks.h"

#include <stdlib.h>

/* What is searched; the context of the jobs. */
struct work {
    const struct label_settings *settings;
    const struct dataset *positions;
};

/* The result of a search. */
struct label {
    int32_t score;
    bool scored, mate;
    bool over;          /* there is no legal move, and nothing was asked */
    bool shallow;       /* the engine was stopped before its limit */
    enum uci_end fault; /* or UCI_MOVE */
};

/* Where the labels go. */
struct taker {
    struct dataset *positions;
    const struct label_watcher *watcher;
    struct label_report *report;
};

static void *begin_worker(const void *context, struct error *err)
{
    const struct work *w = context;
    return uci_client_start(w->settings->engine, err);
}

static void finish_worker(void *worker)
{
    uci_client_stop(worker);
}

/* Keeps the last exact score: a search that is stopped may end with a bound. */
static bool follow(void *context, const struct uci_info *info)
{
    struct label *label = context;
    if (!info->has_score || info->bound)
        return true;
    label->scored = !info->mate && abs(info->score) <= EPD_SCORE_MAX;
    label->mate = info->mate;
    label->score = label->scored ? info->score : 0;
    return true;
}

/* True if the client ended a search before its limit, of nodes or else of depth. */
static bool is_shallow(const struct uci_outcome *o, const struct uci_limits *limits)
{
    return o->cut &&
           (limits->nodes != 0 ? o->info.nodes < limits->nodes : o->info.depth < limits->depth);
}

/* Searches one position, unless its game is over: an engine has no move to answer there. */
static bool search(struct job *job, void *result, struct error *err)
{
    const struct work *w = job->context;
    const struct position *p = &w->positions->items[job->number].position;
    struct uci_client *client = job->worker;
    struct label *label = result;
    struct error reason = {""};
    const struct uci_watcher watcher = {
        .info = follow, .context = label, .stop = job->stop, .cancelled = job->cancelled};
    struct uci_outcome o = {.end = UCI_HUNG};
    if (movegen_count(p) == 0) {
        *label = (struct label){.over = true, .fault = UCI_MOVE};
        return true;
    }
    if (uci_client_new_game(client, &reason))
        o = uci_client_search(client, p, NULL, 0, &w->settings->limits, &watcher, &reason);
    if (uci_is_abandoned(o.end, &watcher))
        return false;
    label->fault = o.end;
    label->shallow = is_shallow(&o, &w->settings->limits);
    if (o.end == UCI_MOVE)
        return true;
    label->scored = label->mate = false;
    return uci_client_restart(client, err) ||
           error_prefix(err, "%s; it cannot be started again: ", reason.text);
}

static void describe(struct plan *p, void *context)
{
    struct work *w = context;
    struct label_settings *settings = plan_structs(p, w->settings, 1, sizeof *settings);
    struct dataset *positions = plan_structs(p, w->positions, 1, sizeof *positions);
    settings->engine = player_process_plan(p, settings->engine);
    positions->items = plan_array(p, positions->items, positions->count, sizeof *positions->items);
    *w = (struct work){settings, positions};
}

const struct job_kind label_job = {.result_size = sizeof(struct label),
                                   .begin = begin_worker,
                                   .finish = finish_worker,
                                   .work = search,
                                   .name = "label",
                                   .context_size = sizeof(struct work),
                                   .describe = describe};

static bool take(void *taker, size_t number, void *result)
{
    const struct taker *t = taker;
    const struct label *label = result;
    struct epd *epd = &t->positions->items[number];
    struct label_report *r = t->report;
    epd->has_score = label->scored;
    epd->score = label->score;
    r->done++;
    r->scored += label->scored;
    r->mates += label->mate;
    r->shallow += label->shallow;
    r->faults += label->fault != UCI_MOVE;
    r->over += label->over;
    r->silent += label->fault == UCI_MOVE && !label->scored && !label->mate && !label->over;
    if (t->watcher->labelled != NULL)
        t->watcher->labelled(t->watcher->context, r->done, t->positions->count);
    return true;
}

bool label_positions(const struct label_settings *settings, struct dataset *positions,
                     const struct label_watcher *watcher, struct label_report *report,
                     struct error *err)
{
    const struct work work = {settings, positions};
    struct taker taker = {positions, watcher, report};
    const struct jobs_batch batch = {
        .count = positions->count, .stop = settings->stop, .taker = &taker, .take = take};
    *report = (struct label_report){0};
    return jobs_run_once(&label_job, &work, settings->threads, &batch, err) != JOBS_FAILED;
}
