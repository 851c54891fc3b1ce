#include "book_maker.h"

#include "engines.h"
#include "game.h"
#include "key_set.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

/* A position that may become an opening. */
struct candidate {
    struct position position;
    const struct listed_game *game;
};

/* A book under way. */
struct maker {
    const struct book_settings *settings;
    const struct book_watcher *watcher;
    struct game_list games;
    struct candidate *candidates; /* in the order of their games */
    size_t count;
    struct engine **engines; /* by thread */
    struct dataset *out;
    size_t first_out; /* where in `out` its own openings begin */
    struct book_report *report;
    bool good;
    struct error *err;
};

static bool is_stopped(const struct maker *m)
{
    return m->settings->stop != NULL && *m->settings->stop != 0;
}

/* ---- 2. candidates ---- */

/* Plays the first moves of a game; false when it does not come so far. */
static bool play(const struct listed_game *g, int plies, struct position *p)
{
    if (g->plies < (size_t)plies)
        return false;
    *p = g->start;
    for (int i = 0; i < plies; i++) {
        struct undo undo;
        if (g->moves[i] == NO_MOVE)
            return false;
        position_make(p, g->moves[i], &undo);
    }
    return true;
}

/* Whether a game gives a position to begin from. */
static bool is_fit(const struct position *usual, const struct listed_game *g, int plies,
                   struct position *p)
{
    struct history none;
    enum game_end end;
    history_init(&none);
    return g->start.key == usual->key && play(g, plies, p) && !game_is_over(p, &none, &end);
}

/* Lists the different positions that the games give. */
static bool list_candidates(struct maker *m)
{
    struct position usual, p;
    struct key_set known = {.count = 0};
    bool good = true;
    m->candidates = malloc((m->games.count + 1) * sizeof *m->candidates);
    if (m->candidates == NULL)
        return error_set(m->err, "no memory for %zu positions", m->games.count);
    position_from_fen(&usual, FEN_START, NULL, NULL);
    for (size_t i = 0; good && i < m->games.count; i++) {
        const struct listed_game *g = &m->games.items[i];
        if (!is_fit(&usual, g, m->settings->plies, &p)) {
            m->report->unfit++;
        } else if (!key_set_has(&known, p.key)) {
            m->candidates[m->count++] = (struct candidate){p, g};
            good =
                key_set_add(&known, p.key) || error_set(m->err, "no memory for %zu positions", i);
        }
    }
    m->report->positions = m->count;
    key_set_free(&known);
    return good;
}

/* ---- 3. judgement ---- */

static bool must_stop(void *context)
{
    return is_stopped(context);
}

/* Writes what a search says of a candidate; false when it is broken off. */
static bool judge(void *context, int thread, size_t number, void *result)
{
    struct maker *m = context;
    int32_t *score = result;
    const struct search_limits limits = {.nodes = m->settings->nodes};
    const struct search_observer observer = {.context = m, .stop = must_stop};
    if (is_stopped(m))
        return false;
    engine_clear(m->engines[thread]);
    *score =
        engine_search(m->engines[thread], &m->candidates[number].position, NULL, &limits, &observer)
            .score;
    return !is_stopped(m);
}

/* ---- 4. the book ---- */

static bool is_balanced(const struct maker *m, int32_t score)
{
    return score <= m->settings->bound && score >= -m->settings->bound;
}

static bool keep(struct maker *m, const struct candidate *c)
{
    struct epd epd = {.position = c->position, .game = c->game->hash};
    memcpy(epd.id, c->game->name, strlen(c->game->name) + 1);
    return dataset_append(m->out, &epd, m->err);
}

/* Takes in the next judgement; false when there is enough, or memory is short. */
static bool take(void *context, size_t number, const void *result)
{
    struct maker *m = context;
    const int32_t *score = result;
    bool balanced = is_balanced(m, *score);
    m->report->judged++;
    m->report->one_sided += !balanced;
    m->good = !balanced || keep(m, &m->candidates[number]);
    size_t found = m->out->count - m->first_out;
    if (m->watcher->progress != NULL)
        m->watcher->progress(m->watcher->context, m->report->judged, m->count, found);
    return m->good && found < m->settings->count;
}

static bool judge_all(struct maker *m)
{
    const struct book_settings *s = m->settings;
    const struct pieces pieces = {.count = m->count,
                                  .threads = s->threads,
                                  .result_size = sizeof(int32_t),
                                  .context = m,
                                  .work = judge,
                                  .take = take};
    m->engines = engines_create(s->threads, s->hash_mib, &s->weights, m->err);
    for (int i = 0; m->engines != NULL && i < s->threads; i++)
        engine_set_params(m->engines[i], &s->params);
    bool done = m->engines != NULL && pieces_do(&pieces, m->err);
    engines_destroy(m->engines, s->threads);
    return done && m->good;
}

bool book_make(const char *const *paths, int path_count, const struct book_settings *settings,
               const struct book_watcher *watcher, struct dataset *out, struct book_report *report,
               struct error *err)
{
    struct maker m = {.settings = settings,
                      .watcher = watcher,
                      .out = out,
                      .first_out = out->count,
                      .report = report,
                      .good = true,
                      .err = err};
    *report = (struct book_report){0};
    bool good = game_list_read(&m.games, paths, path_count, &settings->filter, settings->seed,
                               &watcher->read, &report->read, err) &&
                list_candidates(&m) && judge_all(&m);
    free(m.candidates);
    game_list_free(&m.games);
    return good;
}
