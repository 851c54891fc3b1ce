/* Positions of ECM that other engines solve: david-2008, Table 1, and david-2014, Tables III and
 * VII. The papers' engines are not available; engines from Debian are compared with ours. */
#include "jobs.h"
#include "reproduction.h"
#include "uci_client.h"

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

/* The experiment's sizes: positions (0: all), and milliseconds for each. */
static const struct {
    int positions, movetime;
} sizes[EXPERIMENT_SIZES] = {{20, 50}, {0, 200}, {0, 5000}};

/* ---- another engine ---- */

/* One engine on the whole suite. */
struct peer_search {
    struct experiment *x;
    const struct dataset *positions;
    int engine;
};

/* The key of an engine's search of a position. */
static void search_key(const struct peer_search *s, const struct epd *epd, char key[LEDGER_KEY])
{
    char text[KEY_TEXT], position[KEY_TEXT / 2];
    epd_format(epd, position, sizeof position);
    const char *command = engines[s->engine].command; /* its first word is in the key */
    int length = snprintf(text, sizeof text, "%.*s|%s|%d ms", (int)strcspn(command, " "), command,
                          position, sizes[s->x->size].movetime);
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
    const struct uci_limits limits = {.movetime = sizes[s->x->size].movetime,
                                      .grace = 1000 * PATIENCE};
    const struct uci_watcher watcher = {.stop = job->stop, .cancelled = job->cancelled};
    int64_t *solved = result;
    if (!uci_client_new_game(job->worker, err))
        return false;
    const struct uci_outcome outcome =
        uci_client_search(job->worker, &epd->position, NULL, 0, &limits, &watcher, err);
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

/* Counts the positions that an engine solves. */
static bool measure_engine(struct experiment *x, const struct dataset *positions, int engine,
                           int *solved, struct error *err)
{
    struct peer_count c = {.search = {x, positions, engine}, .err = err};
    c.numbers = malloc((positions->count + 1) * sizeof *c.numbers);
    bool good =
        c.numbers != NULL || error_set(err, "no memory for %zu positions", positions->count);
    if (good)
        recall(&c);
    good = good && (c.unknown == 0 || search_rest(&c, err)) && !experiment_stopped(x);
    free(c.numbers);
    *solved = c.solved;
    return good;
}

/* ---- ours, and the table ---- */

/* Counts the positions that our engine solves. */
static bool measure_ours(struct experiment *x, const struct dataset *positions, int *solved,
                         struct error *err)
{
    const struct experiment_search search = {
        .step = "Grayling",
        .positions = positions->items,
        .position_count = positions->count,
        .methods = x->params,
        .method_count = 1,
        .limits = {.movetime = sizes[x->size].movetime},
    };
    return experiment_count_solved(x, &search, solved, err);
}

/* The rows of the papers' engines. */
static void show_published(struct grid *g)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        grid_set(g, grid_row(g, "%s, published", published[i].name), 0, "%d of 879",
                 published[i].solved);
}

/* The rows of all installed engines, ours first. */
static bool measure_all(struct experiment *x, const struct dataset *positions, struct grid *g,
                        struct error *err)
{
    int ours, solved, best = 0;
    if (!measure_ours(x, positions, &ours, err))
        return false;
    grid_set(g, grid_row(g, "Grayling"), 0, "%d of %zu", ours, positions->count);
    for (int i = 0; i < ENGINES; i++) {
        if (!uci_command_exists(engines[i].command)) {
            grid_note(g, "%s is not here (apt-get install %s).", engines[i].name,
                      engines[i].package);
            continue;
        }
        if (!measure_engine(x, positions, i, &solved, err))
            return false;
        grid_set(g, grid_row(g, "%s", engines[i].name), 0, "%d of %zu", solved, positions->count);
        best = solved > best ? solved : best;
    }
    if (best > 0)
        grid_note(
            g,
            "Claim (david-2008): the program that tests the methods is on par with the strongest "
            "of its day. Ours solves %d, the best of the others here %d.",
            ours, best);
    return true;
}

/* Our engine and the installed ones, on ECM. */
static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct dataset positions = {0};
    struct grid g;
    grid_begin(&g, r->title, "engine");
    grid_column(&g, "solved");
    show_published(&g);
    bool good = test_suite_load(SUITE_ECM, x->suites, &positions, err);
    if (good) {
        const struct test_choice choice = {.count = sizes[x->size].positions};
        test_suite_choose(&positions, &choice);
        good = measure_all(x, &positions, &g, err);
    }
    if (good) {
        grid_note(&g, "Size: %zu positions, %d ms each on one core (the papers: 879, 5 s).",
                  positions.count, sizes[x->size].movetime);
        grid_note(&g, "Differs: other engines on another machine; the final move counts. Our "
                      "search evolved on half of these positions. Some dozens "
                      "of the keys are wrong, so that stronger engines do not solve all.");
        x->observer->show(x->observer->context, &g);
    }
    dataset_free(&positions);
    return good;
}

const struct reproduction ecm_engines = {
    "ecm-engines", "david-2008, Table 1, and david-2014, Tables III and VII: ECM solved by engines",
    run, NULL};
