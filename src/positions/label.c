#include "label.h"

#include "jobs.h"
#include "movegen.h"
#include "settings_plan.h"

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

static const struct job_kind search_job = {.result_size = sizeof(struct label),
                                           .begin = begin_worker,
                                           .finish = finish_worker,
                                           .work = search};

/* ---- on other ranks ---- */

/* What another rank searches. */
struct shared_label {
    struct work work;
    struct label_settings settings;
    struct dataset positions;
    struct uci_settings *engine;
    struct jobs *jobs;
};

/* Creates the list of searches on all ranks. */
static struct jobs *share(const struct work *work, struct error *err)
{
    struct plan_writer w;
    plan_begin(&w);
    plan_put(&w, work->settings, sizeof *work->settings);
    settings_plan_put(&w, work->settings->engine);
    plan_put(&w, &work->positions->count, sizeof work->positions->count);
    plan_put(&w, work->positions->items, work->positions->count * sizeof *work->positions->items);
    return plan_create_jobs(&w, label_builder.name, &search_job, work, work->settings->threads,
                            err);
}

static void destroy(void *built)
{
    struct shared_label *s = built;
    jobs_destroy(s->jobs);
    settings_plan_free(s->engine);
    free(s->positions.items);
    free(s);
}

/* Reads the description. The pointers in it are those of rank 0, and are set anew. */
static bool read_plan(struct shared_label *s, struct plan_reader *r, struct error *err)
{
    plan_get(r, &s->settings, sizeof s->settings);
    s->engine = settings_plan_get(r);
    plan_get(r, &s->positions.count, sizeof s->positions.count);
    s->positions.items = plan_get_array(r, s->positions.count, sizeof *s->positions.items);
    s->settings.engine = s->engine;
    s->settings.stop = NULL;
    s->work = (struct work){&s->settings, &s->positions};
    return plan_end(r, err) && (s->engine != NULL || error_set(err, "no engine"));
}

static void *build(const void *bytes, size_t size, int threads, struct error *err)
{
    struct shared_label *s = calloc(1, sizeof *s);
    struct plan_reader r = plan_reader(bytes, size);
    if (s == NULL) {
        error_set(err, "no memory for positions");
        return NULL;
    }
    if (read_plan(s, &r, err) &&
        (s->jobs = jobs_create(&search_job, &s->work, threads, err)) != NULL)
        return s;
    destroy(s);
    return NULL;
}

const struct ranks_builder label_builder = {"label", build, destroy};

/* ---- here ---- */

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
    struct jobs *jobs = share(&work, err);
    bool good = jobs != NULL && jobs_run(jobs, &batch, err) != JOBS_FAILED;
    jobs_destroy(jobs);
    return good;
}
