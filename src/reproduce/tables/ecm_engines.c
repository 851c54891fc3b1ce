/* Positions of ECM that other engines solve: david-2008, Table 1, and david-2014, Tables III and
 * VII. The papers' engines are not available; engines from Debian are compared with ours. */
#include "jobs.h"
#include "reproduction.h"
#include "uci_client.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENGINES = 6,
    OPTIONS = 3,
    PATIENCE = 30, /* seconds */
    KEY_TEXT = 1024
};

/* The commands are those of Debian's packages. Options give each engine 16 MiB, the full time, one
 * thread and no book, unless these are its defaults. */
#define HASH                                                                                       \
    {                                                                                              \
        "Hash", "16"                                                                               \
    }
#define NO_BOOK                                                                                    \
    {                                                                                              \
        "OwnBook", "false"                                                                         \
    }
static const struct {
    const char *name, *command, *package;
    struct uci_value options[OPTIONS];
    int option_count;
} engines[ENGINES] = {
    {"Stockfish", "stockfish", "stockfish", {HASH, {"Move Overhead", "0"}}, 2},
    {"Stockfish, classical",
     "stockfish",
     "stockfish",
     {HASH, {"Move Overhead", "0"}, {"Use NNUE", "false"}},
     3},
    {"Ethereal", "ethereal-chess", "ethereal-chess", {HASH, {"MoveOverhead", "0"}}, 2},
    {"Toga II", "toga2", "toga2", {HASH, NO_BOOK}, 2},
    {"Glaurung", "glaurung", "glaurung", {HASH, NO_BOOK, {"Threads", "1"}}, 3},
    {"GNU Chess", "gnuchess --uci", "gnuchess", {HASH, NO_BOOK}, 2},
};

/* The papers' figures, at 5 s per position. */
static const struct {
    const char *name;
    int solved;
} published[] = {
    {"Junior 10", 681}, {"Fritz 8", 640}, {"Shredder 10", 639},  {"Hiarcs 9", 642},
    {"Crafty 19", 593}, {"Falcon", 644},  {"EVOL* (2014)", 654}, {"EVOL0 (2014)", 623},
};

/* The limits, a column each: positions (0: all), and milliseconds for each of them. */
static const struct limit {
    const char *name;
    int positions, movetime;
} limits[EXPERIMENT_SIZES] = {{"50 ms", 20, 50}, {"200 ms", 0, 200}, {"5 s", 0, 5000}};

/* What an engine has solved of how many positions. */
struct score {
    int solved, searched;
};

/* ---- another engine ---- */

/* One engine on the first positions of the suite. */
struct peer_search {
    struct experiment *x;
    const struct dataset *positions;
    int engine, movetime;
};

/* The key of an engine's search of a position. */
static void search_key(const struct peer_search *s, const struct epd *epd, char key[LEDGER_KEY])
{
    char text[KEY_TEXT], position[KEY_TEXT / 2];
    epd_format(epd, position, sizeof position);
    const char *command = engines[s->engine].command; /* its first word is in the key */
    int length = snprintf(text, sizeof text, "%.*s|%s|%d ms", (int)strcspn(command, " "), command,
                          position, s->movetime);
    for (int i = 0; i < engines[s->engine].option_count && length < KEY_TEXT; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "|setoption name %s value %s",
                     engines[s->engine].options[i].name, engines[s->engine].options[i].value);
    ledger_key(key, "peer", text);
}

/* Starts a worker's process. */
static void *begin_peer(const void *context, struct error *err)
{
    const struct peer_search *s = context;
    const struct uci_settings settings = {.command = engines[s->engine].command,
                                          .values = engines[s->engine].options,
                                          .value_count = engines[s->engine].option_count};
    return uci_client_start(&settings, err);
}

static void finish_peer(void *worker)
{
    uci_client_stop(worker);
}

/* Searches a position, given by its index in the block, with the worker's process. The result is 1
 * if solved, else 2. */
static bool search_job(struct job *job, void *result, struct error *err)
{
    const struct peer_search *s = job->context;
    const size_t *numbers = job->block;
    const struct epd *epd = &s->positions->items[numbers[job->number]];
    const struct uci_limits time = {.movetime = s->movetime, .grace = 1000 * PATIENCE};
    const struct uci_watcher watcher = {.stop = job->stop, .cancelled = job->cancelled};
    int64_t *solved = result;
    if (!uci_client_new_game(job->worker, err))
        return false;
    const struct uci_outcome outcome =
        uci_client_search(job->worker, &epd->position, NULL, 0, &time, &watcher, err);
    if (outcome.end != UCI_MOVE)
        return false;
    *solved = solve_is_right(epd, outcome.move) ? 1 : 2;
    return true;
}

static const struct job_kind peer_job = {
    .result_size = sizeof(int64_t), .begin = begin_peer, .finish = finish_peer, .work = search_job};

/* The searches missing from the ledger, and the results of all. */
struct peer_count {
    struct peer_search search;
    size_t *numbers; /* of their positions */
    size_t unknown, known;
    int solved;
    struct error *err;
    bool failed;
};

/* Counts a search, and reports the progress. */
static void count_search(struct peer_count *c, int64_t solved)
{
    const struct experiment_observer *o = c->search.x->observer;
    c->solved += solved == 1;
    o->progress(o->context, "search", engines[c->search.engine].name, (int64_t)++c->known,
                (int64_t)c->search.positions->count);
}

/* Reads known searches from the ledger, and lists the others. */
static void recall(struct peer_count *c)
{
    for (size_t i = 0; i < c->search.positions->count; i++) {
        char key[LEDGER_KEY];
        int64_t solved;
        search_key(&c->search, &c->search.positions->items[i], key);
        if (ledger_find(c->search.x->ledger, key, &solved, 1))
            count_search(c, solved);
        else
            c->numbers[c->unknown++] = i;
    }
}

/* Adds a finished search to the ledger. */
static bool take_search(void *taker, size_t number, void *result)
{
    struct peer_count *c = taker;
    const int64_t *solved = result;
    char key[LEDGER_KEY];
    search_key(&c->search, &c->search.positions->items[c->numbers[number]], key);
    count_search(c, *solved);
    c->failed = !ledger_add(c->search.x->ledger, key, solved, 1, c->err);
    return !c->failed;
}

/* Runs the remaining searches. Returns false if stopped or failed. */
static bool search_rest(struct peer_count *c, struct error *err)
{
    const struct experiment *x = c->search.x;
    const struct jobs_batch batch = {.count = c->unknown,
                                     .block = c->numbers,
                                     .block_size = c->unknown * sizeof *c->numbers,
                                     .stop = x->stop,
                                     .taker = c,
                                     .take = take_search};
    struct jobs *jobs = jobs_create(&peer_job, &c->search, x->threads, err);
    bool done = jobs != NULL && jobs_run(jobs, &batch, err) == JOBS_DONE && !c->failed;
    jobs_destroy(jobs);
    return done;
}

/* Counts the positions that an engine solves; without `anew`, of those that are known. */
static bool measure_engine(const struct peer_search *search, bool anew, struct score *score,
                           struct error *err)
{
    const size_t count = search->positions->count;
    struct peer_count c = {.search = *search, .err = err};
    c.numbers = malloc((count + 1) * sizeof *c.numbers);
    if (c.numbers == NULL)
        return error_set(err, "no memory for %zu positions", count);
    recall(&c);
    bool good = !anew || c.unknown == 0 || search_rest(&c, err);
    free(c.numbers);
    *score = (struct score){c.solved, (int)c.known};
    return good && !experiment_stopped(search->x);
}

/* ---- ours ---- */

/* Counts the positions that our engine solves; without `anew`, of those that are known. */
static bool measure_ours(struct experiment *x, const struct dataset *positions, int movetime,
                         bool anew, struct score *score, struct error *err)
{
    const struct experiment_search search = {
        .step = "Grayling",
        .positions = positions->items,
        .position_count = positions->count,
        .methods = x->params,
        .method_count = 1,
        .limits = {.movetime = movetime},
    };
    struct solved *cells = calloc(positions->count, sizeof *cells);
    size_t known = positions->count;
    bool good = cells != NULL || error_set(err, "no memory for %zu positions", positions->count);
    if (good && !anew)
        known = experiment_known(x, &search, cells);
    else if (good)
        good = experiment_solve(x, &search, cells, err);
    *score = (struct score){.searched = (int)known};
    for (size_t i = 0; good && i < known; i++)
        score->solved += cells[i].stable.nodes > 0;
    free(cells);
    return good;
}

/* ---- the table ---- */

enum { OURS = ENGINES }; /* the last row of scores */

/* The table in progress. */
struct ecm_table {
    struct experiment *x;
    struct grid grid;
    int row[ENGINES + 1]; /* in the grid; of an engine that is not here -1 */
};

/* Measures all engines that are here, within the same limit. */
static bool measure_all(struct ecm_table *t, const struct dataset *positions, int movetime,
                        bool anew, struct score scores[ENGINES + 1], struct error *err)
{
    for (int i = 0; i < ENGINES; i++) {
        const struct peer_search search = {t->x, positions, i, movetime};
        if (t->row[i] >= 0 && !measure_engine(&search, anew, &scores[i], err))
            return false;
    }
    return measure_ours(t->x, positions, movetime, anew, &scores[OURS], err);
}

/* The fewest positions that one of the engines has searched, of those that have searched any. */
static size_t known_by_all(const struct score scores[ENGINES + 1])
{
    int fewest = INT_MAX;
    for (int i = 0; i <= ENGINES; i++)
        if (scores[i].searched > 0 && scores[i].searched < fewest)
            fewest = scores[i].searched;
    return fewest == INT_MAX ? 0 : (size_t)fewest;
}

/* Takes what is known of the same positions by all engines. */
static bool recall_all(struct ecm_table *t, const struct dataset *positions, int movetime,
                       struct score scores[ENGINES + 1], struct error *err)
{
    struct dataset first = *positions;
    if (!measure_all(t, positions, movetime, false, scores, err))
        return false;
    first.count = known_by_all(scores);
    return first.count == 0 || measure_all(t, &first, movetime, false, scores, err);
}

/* Measures slice by slice, with more and more of the positions. */
static bool measure_slices(struct ecm_table *t, const struct dataset *positions, int movetime,
                           struct score scores[ENGINES + 1], struct error *err)
{
    struct dataset first = *positions;
    for (first.count = EXPERIMENT_SLICE; first.count < positions->count;
         first.count += EXPERIMENT_SLICE)
        if (!measure_all(t, &first, movetime, true, scores, err))
            return false;
    return measure_all(t, positions, movetime, true, scores, err);
}

/* Notes whether our engine is on par with the others. */
static void show_claim(struct ecm_table *t, const char *limit,
                       const struct score scores[ENGINES + 1])
{
    int best = 0;
    for (int i = 0; i < ENGINES; i++)
        best = scores[i].solved > best ? scores[i].solved : best;
    if (best > 0)
        grid_note(&t->grid,
                  "Claim (david-2008): the program that tests the methods is on par with the "
                  "strongest of its day. At %s ours solves %d, the best of the others here %d.",
                  limit, scores[OURS].solved, best);
}

/* Adds the column of a limit. */
static void show_scores(struct ecm_table *t, const char *limit,
                        const struct score scores[ENGINES + 1])
{
    const int column = t->grid.columns;
    grid_column(&t->grid, limit);
    for (int i = 0; i <= ENGINES; i++)
        if (t->row[i] >= 0)
            grid_set(&t->grid, t->row[i], column, "%d of %d", scores[i].solved, scores[i].searched);
    show_claim(t, limit, scores);
}

/* Measures all engines within a limit; without `anew`, shows what is known, if anything is. */
static bool measure_limit(struct ecm_table *t, const struct limit *limit, bool anew,
                          struct error *err)
{
    const struct test_choice choice = {.count = limit->positions};
    struct score scores[ENGINES + 1] = {0};
    struct dataset positions = {0};
    bool good = test_suite_load(SUITE_ECM, t->x->suites, &positions, err);
    if (good) {
        test_suite_choose(&positions, &choice);
        good = test_suite_spread(&positions, err) &&
               (anew ? measure_slices(t, &positions, limit->movetime, scores, err)
                     : recall_all(t, &positions, limit->movetime, scores, err));
    }
    if (good && scores[OURS].searched > 0)
        show_scores(t, limit->name, scores);
    dataset_free(&positions);
    return good;
}

/* The rows: the papers' engines, ours, and the others that are here. */
static void make_rows(struct ecm_table *t)
{
    grid_column(&t->grid, "5 s, published");
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        grid_set(&t->grid, grid_row(&t->grid, "%s", published[i].name), 0, "%d of 879",
                 published[i].solved);
    t->row[OURS] = grid_row(&t->grid, "Grayling");
    for (int i = 0; i < ENGINES; i++) {
        t->row[i] = -1;
        if (uci_command_exists(engines[i].command))
            t->row[i] = grid_row(&t->grid, "%s", engines[i].name);
        else
            grid_note(&t->grid, "%s is not here (apt-get install %s).", engines[i].name,
                      engines[i].package);
    }
}

/* The columns of this size. */
static bool measure_limits(struct ecm_table *t, struct error *err)
{
    const enum experiment_size size = t->x->size;
    if (size == SIZE_QUICK)
        return measure_limit(t, &limits[SIZE_QUICK], true, err);
    return measure_limit(t, &limits[SIZE_USUAL], true, err) &&
           measure_limit(t, &limits[SIZE_OVERNIGHT], size == SIZE_OVERNIGHT, err);
}

static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct ecm_table t = {.x = x};
    grid_begin(&t.grid, r->title, "engine");
    make_rows(&t);
    if (!measure_limits(&t, err))
        return false;
    grid_note(&t.grid, "Size: one core for each position, the first positions of an order that "
                       "is spread evenly over the suite.");
    grid_note(&t.grid, "Differs: other engines on another machine; the final move counts. Our "
                       "search evolved on half of these positions. Some dozens of the keys are "
                       "wrong, so that stronger engines do not solve all.");
    x->observer->show(x->observer->context, &t.grid);
    return true;
}

const struct reproduction ecm_engines = {
    "ecm-engines", "david-2008, Table 1, and david-2014, Tables III and VII: ECM solved by engines",
    run, NULL};
