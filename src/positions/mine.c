#include "mine.h"

#include "player.h"
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* The result of a game. */
struct finding {
    Move key; /* NO_MOVE: none found */
    int32_t score;
    struct position position;
    uint8_t verdicts[TACTIC_VERDICTS]; /* counts, at most MINE_PER_GAME */
    char fault[TACTIC_FAULT_TEXT];     /* the first; or "" */
};

/* The engines of a thread. */
struct miner {
    struct engine *own;
    struct uci_client *engine, *check; /* NULL where there is none */
};

/* Data shared by all workers. */
struct mine_input {
    const struct mine_settings *settings;
    struct game_list games;
};

/* A mine in progress. */
struct mine {
    struct mine_input input;
    const struct game_list_watcher *watcher;
    bool good;
    struct dataset *out;
    size_t first_out; /* index of the first finding in `out` */
    struct mine_report *report;
    struct error *err;
};

/* ---- 2. the course of a game ---- */

/* A ply of a game. */
struct moment {
    struct position position; /* before it; the last one is after the last move */
    struct search_result glance;
    size_t surprise; /* in the list of surprises, whose place this is: its ply */
};

/* Whether a position is late enough in its game, and has few enough pieces. */
static bool is_wanted(const struct mine_settings *s, const struct position *p, size_t ply)
{
    const Bitboard men = p->by_kind[PAWN] | p->by_kind[KING];
    return ply >= (size_t)s->first_ply &&
           bits_count((p->by_color[WHITE] | p->by_color[BLACK]) & ~men) <= s->pieces;
}

/* Plays the game, and searches the positions that are wanted without clearing the engine, so that each
 * search helps the next. A mate has no move to value. */
static void glance(struct engine *e, const struct mine_settings *s, const struct listed_game *g,
                   struct moment *moments)
{
    const struct search_limits limits = {.nodes = s->glance};
    const struct search_observer observer = {.context = NULL};
    struct position p = listed_game_start(g);
    engine_set_params(e, &s->tactic.solver);
    for (size_t ply = 0; ply <= g->plies; ply++) {
        struct search_result *r = &moments[ply].glance;
        moments[ply].position = p;
        if (is_wanted(s, &p, ply))
            *r = engine_search(e, &p, NULL, &limits, &observer);
        if (r->best == NO_MOVE && position_in_check(&p))
            r->score = -MATE;
        if (ply < g->plies)
            listed_game_play(g, ply, &p);
    }
}

/* ---- 3. its surprises ---- */

/* True if a position has a value: its game is over, or the search completed a move. */
static bool is_valued(const struct search_result *r)
{
    return r->best == NO_MOVE || r->line.length > 0;
}

/* Lists the surprises in random order; returns their number. */
static size_t list_surprises(const struct mine_settings *s, const struct listed_game *g,
                             struct moment *moments)
{
    struct stream stream;
    size_t count = 0;
    for (size_t ply = (size_t)s->first_ply; ply + 2 <= g->plies; ply++) {
        const struct search_result *now = &moments[ply].glance, *later = &moments[ply + 2].glance;
        if (is_wanted(s, &moments[ply].position, ply) && is_valued(now) && is_valued(later) &&
            g->moves[ply] != now->best && later->score - now->score >= s->surprise &&
            movegen_count(&moments[ply].position) >= 2)
            moments[count++].surprise = ply;
    }
    stream_init(&stream, s->seed, STREAM_MINE, g->hash, 1);
    for (size_t i = 0; i + 1 < count; i++) {
        const size_t j = i + stream_below(&stream, count - i), ply = moments[i].surprise;
        moments[i].surprise = moments[j].surprise;
        moments[j].surprise = ply;
    }
    return count;
}

/* ---- 4. examination ---- */

/* Examines a position. False, with the reason, if an engine is lost. */
static bool examine(const struct job *job, const struct position *p, struct finding *y,
                    struct error *err)
{
    const struct tactic_settings *s = &((const struct mine_input *)job->context)->settings->tactic;
    const struct miner *m = job->worker;
    struct tactic_result r;
    if (s->engine == NULL)
        r = tactic_examine(m->own, s, p, job);
    else if (!uci_tactic_examine(m->engine, m->check, s, p, job, &r, err))
        return false;
    if (r.verdict == TACTIC_FAULT && y->verdicts[TACTIC_FAULT] == 0)
        memcpy(y->fault, r.fault, sizeof y->fault);
    y->verdicts[r.verdict]++;
    if (r.verdict == TACTIC_FOUND) {
        y->key = r.key;
        y->score = r.score;
        y->position = *p;
    }
    return true;
}

/* Steps 2 to 4 for one game. False if stopped, out of memory, or without an engine. */
static bool work(struct job *job, void *result, struct error *err)
{
    const struct mine_input *input = job->context;
    const struct mine_settings *s = input->settings;
    const struct listed_game *g = &input->games.items[job->number];
    const struct miner *m = job->worker;
    struct finding *y = result;
    struct moment *moments = calloc(g->plies + 1, sizeof *moments);
    if (moments == NULL)
        return error_set(err, "no memory for the positions of a game");
    glance(m->own, s, g, moments);
    const size_t count = list_surprises(s, g, moments);
    bool good = true;
    for (size_t i = 0; good && i < count && i < (size_t)s->per_game; i++)
        if (y->key == NO_MOVE && y->verdicts[TACTIC_ABANDONED] == 0)
            good = examine(job, &moments[moments[i].surprise].position, y, err);
    free(moments);
    return good && y->verdicts[TACTIC_ABANDONED] == 0 && !job_is_stopped(job);
}

/* ---- 5. findings ---- */

static size_t found(const struct mine *m)
{
    return m->out->count - m->first_out;
}

static bool keep(struct mine *m, const struct listed_game *g, const struct finding *y)
{
    for (size_t i = m->first_out; i < m->out->count; i++)
        if (m->out->items[i].position.key == y->position.key) {
            m->report->twice++;
            return true;
        }
    struct epd epd = {.position = y->position,
                      .best = {y->key},
                      .best_count = 1,
                      .game = g->hash,
                      .has_score = m->input.settings->tactic.engine != NULL,
                      .score = y->score};
    memcpy(epd.id, g->name, strlen(g->name) + 1);
    return dataset_append(m->out, &epd, m->err);
}

/* Processes the result of the next game; false if there are enough findings or memory is short. */
static bool take(void *context, size_t number, void *result)
{
    struct mine *m = context;
    const struct finding *y = result;
    m->report->games++;
    for (int v = 0; v < TACTIC_VERDICTS; v++)
        m->report->verdicts[v] += y->verdicts[v];
    if (m->report->fault[0] == '\0')
        memcpy(m->report->fault, y->fault, sizeof m->report->fault);
    m->good = y->key == NO_MOVE || keep(m, &m->input.games.items[number], y);
    if (m->watcher->searched != NULL)
        m->watcher->searched(m->watcher->context, number + 1, m->input.games.count, found(m));
    return m->good && found(m) < m->input.settings->count;
}

/* ---- the jobs ---- */

static void finish_miner(void *worker)
{
    struct miner *m = worker;
    engine_destroy(m->own);
    uci_client_stop(m->engine);
    uci_client_stop(m->check);
    free(m);
}

static void *begin_miner(const void *context, struct error *err)
{
    const struct mine_settings *s = ((const struct mine_input *)context)->settings;
    const struct tactic_settings *t = &s->tactic;
    struct miner *m = calloc(1, sizeof *m);
    if (m == NULL)
        return error_null(err, "no memory for the engines");
    m->own = engine_create(s->hash_mib, err);
    if (m->own != NULL)
        engine_set_evaluation(m->own, &s->evaluation);
    if (m->own != NULL &&
        (t->engine == NULL || (m->engine = uci_client_start(t->engine, err)) != NULL) &&
        (t->check == NULL || (m->check = uci_client_start(t->check, err)) != NULL))
        return m;
    finish_miner(m);
    return NULL;
}

static void describe(struct plan *p, void *context)
{
    struct mine_input *m = context;
    struct mine_settings *settings = plan_structs(p, m->settings, 1, sizeof *settings);
    struct listed_game *games = plan_structs(p, m->games.items, m->games.count, sizeof *games);
    settings->tactic.engine = player_process_plan(p, settings->tactic.engine);
    settings->tactic.check = player_process_plan(p, settings->tactic.check);
    for (size_t i = 0; i < m->games.count; i++) {
        games[i].start = plan_array(p, games[i].start, 1, sizeof *games[i].start);
        games[i].moves = plan_array(p, games[i].moves, games[i].plies, sizeof *games[i].moves);
        games[i].name = plan_text(p, games[i].name);
    }
    m->settings = settings;
    m->games.items = games;
}

const struct job_kind mine_job = {.result_size = sizeof(struct finding),
                                  .begin = begin_miner,
                                  .finish = finish_miner,
                                  .work = work,
                                  .name = "mine",
                                  .context_size = sizeof(struct mine_input),
                                  .describe = describe};

bool mine_games(const char *const *paths, int path_count, const struct mine_settings *settings,
                const struct game_list_watcher *watcher, struct dataset *out,
                struct mine_report *report, struct error *err)
{
    const struct game_list_settings wanted = {
        .filter = &settings->filter, .seed = settings->seed, .purpose = STREAM_MINE};
    struct mine m = {.input = {.settings = settings},
                     .watcher = watcher,
                     .good = true,
                     .out = out,
                     .first_out = out->count,
                     .report = report,
                     .err = err};
    *report = (struct mine_report){0};
    if (!game_list_read(&m.input.games, paths, path_count, &wanted, watcher, &report->read, err))
        return false;
    report->begun = true;
    const struct jobs_batch batch = {
        .count = m.input.games.count, .stop = settings->stop, .taker = &m, .take = take};
    bool good =
        jobs_run_once(&mine_job, &m.input, settings->threads, &batch, err) != JOBS_FAILED && m.good;
    game_list_free(&m.input.games);
    return good;
}
