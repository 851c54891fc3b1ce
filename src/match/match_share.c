#include "match_share.h"

#include "jobs.h"
#include "settings_plan.h"

#include <stdlib.h>

/* A match as another rank has it. */
struct shared_match {
    struct match match;
    struct match_settings settings;
    struct book book;
    struct uci_settings *engines[2];
    struct jobs *jobs;
};

struct jobs *match_share(const struct match *m, const struct job_kind *games, struct error *err)
{
    const struct match_settings *s = m->settings;
    struct plan_writer w;
    plan_begin(&w);
    plan_put(&w, s, sizeof *s);
    settings_plan_put(&w, s->players[0].process);
    settings_plan_put(&w, s->players[1].process);
    plan_put(&w, &s->book->count, sizeof s->book->count);
    plan_put(&w, s->book->items, s->book->count * sizeof *s->book->items);
    return plan_create_jobs(&w, match_builder.name, games, m, s->threads, err);
}

static void destroy(void *built)
{
    struct shared_match *s = built;
    jobs_destroy(s->jobs);
    match_finish(&s->match);
    settings_plan_free(s->engines[0]);
    settings_plan_free(s->engines[1]);
    free(s->book.items);
    free(s);
}

/* Reads the description. The pointers in it are those of rank 0, and are set anew. */
static bool read_plan(struct shared_match *s, struct plan_reader *r, int threads, struct error *err)
{
    plan_get(r, &s->settings, sizeof s->settings);
    s->engines[0] = settings_plan_get(r);
    s->engines[1] = settings_plan_get(r);
    plan_get(r, &s->book.count, sizeof s->book.count);
    s->book.items = plan_get_array(r, s->book.count, sizeof *s->book.items);
    s->settings.players[0].process = s->engines[0];
    s->settings.players[1].process = s->engines[1];
    s->settings.book = &s->book;
    s->settings.book_name = s->settings.date = NULL;
    s->settings.stop = NULL;
    s->settings.threads = threads;
    return plan_end(r, err);
}

static void *build(const void *bytes, size_t size, int threads, struct error *err)
{
    struct shared_match *s = calloc(1, sizeof *s);
    struct plan_reader r = plan_reader(bytes, size);
    if (s == NULL) {
        error_set(err, "no memory for a match");
        return NULL;
    }
    if (read_plan(s, &r, threads, err) && match_init(&s->match, &s->settings, err) &&
        (s->jobs = match_create_jobs(&s->match, err)) != NULL)
        return s;
    destroy(s);
    return NULL;
}

const struct ranks_builder match_builder = {"match", build, destroy};
