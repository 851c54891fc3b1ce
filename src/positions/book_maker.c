#include "book_maker.h"

#include "game.h"
#include "key_set.h"
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* A candidate for an opening. */
struct candidate {
    struct position position;
    const struct listed_game *game;
};

/* Data shared by all workers. */
struct candidates {
    const struct book_settings *settings;
    struct candidate *items; /* in game order */
    size_t count;
};

/* What a search says of a candidate. */
struct verdict {
    int32_t score;
    bool valued; /* the search completed a move, at least */
};

/* A book being made. */
struct maker {
    struct candidates candidates;
    const struct game_list_watcher *watcher;
    struct game_list games;
    struct dataset *out;
    size_t first_out; /* index of the book's first opening in `out` */
    struct book_report *report;
    bool good;
    struct error *err;
};

/* ---- 2. candidates ---- */

/* True if a game yields a position, which is written. */
static bool is_fit(const struct listed_game *g, size_t plies, struct position *p)
{
    struct history none;
    enum game_end end;
    history_init(&none);
    if (g->start != NULL || g->plies < plies)
        return false;
    *p = listed_game_start(g);
    for (size_t i = 0; i < plies; i++) {
        if (g->moves[i] == NO_MOVE)
            return false;
        listed_game_play(g, i, p);
    }
    return !game_is_over(p, &none, &end);
}

static bool list_candidates(struct maker *m)
{
    struct position p;
    struct key_set known = {.count = 0};
    struct candidates *c = &m->candidates;
    bool good = true;
    c->items = malloc((m->games.count + 1) * sizeof *c->items);
    if (c->items == NULL)
        return error_set(m->err, "no memory for %zu positions", m->games.count);
    for (size_t i = 0; good && i < m->games.count; i++) {
        const struct listed_game *g = &m->games.items[i];
        if (!is_fit(g, (size_t)c->settings->plies, &p)) {
            m->report->unfit++;
        } else if (!key_set_has(&known, p.key)) {
            c->items[c->count++] = (struct candidate){p, g};
            good =
                key_set_add(&known, p.key) || error_set(m->err, "no memory for %zu positions", i);
        }
    }
    m->report->positions = c->count;
    key_set_free(&known);
    return good;
}

/* ---- 3. judgement ---- */

static void *begin_engine(const void *context, struct error *err)
{
    const struct book_settings *s = ((const struct candidates *)context)->settings;
    struct engine *e = engine_create(s->hash_mib, err);
    if (e != NULL) {
        engine_set_evaluation(e, &s->evaluation);
        engine_set_params(e, &s->params);
    }
    return e;
}

static void finish_engine(void *worker)
{
    engine_destroy(worker);
}

static bool must_stop(void *context)
{
    return job_is_stopped(context);
}

/* Searches a candidate and writes the verdict; false if stopped. */
static bool judge(struct job *job, void *result, struct error *err)
{
    const struct candidates *c = job->context;
    struct verdict *y = result;
    const struct search_limits limits = {.nodes = c->settings->nodes};
    const struct search_observer observer = {.context = job, .stop = must_stop};
    (void)err;
    engine_clear(job->worker);
    const struct search_result found =
        engine_search(job->worker, &c->items[job->number].position, NULL, &limits, &observer);
    *y = (struct verdict){found.score, found.line.length > 0};
    return !job_is_stopped(job);
}

/* Candidates are passed on without their games. */
static void describe(struct plan *p, void *context)
{
    struct candidates *c = context;
    c->settings = plan_array(p, c->settings, 1, sizeof *c->settings);
    c->items = plan_array(p, c->items, c->count, sizeof *c->items);
}

const struct job_kind book_job = {.result_size = sizeof(struct verdict),
                                  .begin = begin_engine,
                                  .finish = finish_engine,
                                  .work = judge,
                                  .name = "book",
                                  .context_size = sizeof(struct candidates),
                                  .describe = describe};

/* ---- 4. the book ---- */

static bool keep(struct maker *m, const struct candidate *c)
{
    struct epd epd = {.position = c->position, .game = c->game->hash};
    memcpy(epd.id, c->game->name, strlen(c->game->name) + 1);
    return dataset_append(m->out, &epd, m->err);
}

/* Processes the next verdict; false if there are enough openings or memory is short. */
static bool take(void *context, size_t number, void *result)
{
    struct maker *m = context;
    const struct verdict *y = result;
    bool balanced = y->valued && abs(y->score) <= m->candidates.settings->bound;
    m->report->judged++;
    m->report->unvalued += !y->valued;
    m->report->one_sided += y->valued && !balanced;
    m->good = !balanced || keep(m, &m->candidates.items[number]);
    size_t found = m->out->count - m->first_out;
    if (m->watcher->searched != NULL)
        m->watcher->searched(m->watcher->context, m->report->judged, m->candidates.count, found);
    return m->good && found < m->candidates.settings->count;
}

bool book_make(const char *const *paths, int path_count, const struct book_settings *settings,
               const struct game_list_watcher *watcher, struct dataset *out,
               struct book_report *report, struct error *err)
{
    const struct game_list_settings wanted = {
        .filter = &settings->filter, .seed = settings->seed, .purpose = STREAM_MINE};
    struct maker m = {.candidates = {.settings = settings},
                      .watcher = watcher,
                      .out = out,
                      .first_out = out->count,
                      .report = report,
                      .good = true,
                      .err = err};
    struct candidates *c = &m.candidates;
    *report = (struct book_report){0};
    report->begun =
        game_list_read(&m.games, paths, path_count, &wanted, watcher, &report->read, err) &&
        list_candidates(&m);
    const struct jobs_batch batch = {
        .count = c->count, .stop = settings->stop, .taker = &m, .take = take};
    bool good = report->begun &&
                jobs_run_once(&book_job, c, settings->threads, &batch, err) != JOBS_FAILED &&
                m.good;
    free(c->items);
    game_list_free(&m.games);
    return good;
}
