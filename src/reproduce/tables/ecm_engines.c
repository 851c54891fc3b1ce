/* How many positions of ECM other engines solve: david-2008, Table 1, and david-2014, Tables III
 * and VII. The engines of the papers are not to be had; Debian's stand beside ours. */
#include "peer.h"
#include "pieces.h"
#include "reproduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENGINES = 6,
    COMMAND = 64,
    OPTIONS = 3,
    THREADS_MAX = 64,
    PATIENCE = 30, /* seconds */
    KEY_TEXT = 1024
};

/* The commands are those of Debian's packages. Each engine has 16 MiB and all of the time, one
 * thread and no book, by its options where that is not its usual. */
#define HASH    "setoption name Hash value 16"
#define NO_BOOK "setoption name OwnBook value false"
static const struct {
    const char *name, *command, *argument, *package;
    const char *options[OPTIONS];
    int option_count;
} engines[ENGINES] = {
    {"Stockfish",
     "stockfish",
     NULL,
     "stockfish",
     {HASH, "setoption name Move Overhead value 0"},
     2},
    {"Stockfish, classical",
     "stockfish",
     NULL,
     "stockfish",
     {HASH, "setoption name Move Overhead value 0", "setoption name Use NNUE value false"},
     3},
    {"Ethereal",
     "ethereal-chess",
     NULL,
     "ethereal-chess",
     {HASH, "setoption name MoveOverhead value 0"},
     2},
    {"Toga II", "toga2", NULL, "toga2", {HASH, NO_BOOK}, 2},
    {"Glaurung",
     "glaurung",
     NULL,
     "glaurung",
     {HASH, NO_BOOK, "setoption name Threads value 1"},
     3},
    {"GNU Chess", "gnuchess", "--uci", "gnuchess", {HASH, NO_BOOK}, 2},
};

/* What the papers have, at 5 s a position. */
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
    struct peer *peers[THREADS_MAX];
    struct error *err; /* empty until a search fails */
    int solved;
};

/* The key of an engine's search of a position. */
static void piece_key(const struct peer_search *s, const struct epd *epd, char key[LEDGER_KEY])
{
    char text[KEY_TEXT], position[KEY_TEXT / 2];
    epd_format(epd, position, sizeof position);
    int length = snprintf(text, sizeof text, "%s|%s|%d ms", engines[s->engine].command, position,
                          sizes[s->x->size].movetime);
    for (int i = 0; i < engines[s->engine].option_count && length < KEY_TEXT; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "|%s",
                           engines[s->engine].options[i]);
    ledger_key(key, "peer", text);
}

/* Has the thread's process search a position; the result is 1 for solved, 2 for not. */
static bool search_piece(void *context, int thread, size_t number, void *result)
{
    struct peer_search *s = context;
    int64_t *solved = result;
    char key[LEDGER_KEY], go[COMMAND];
    Move best;
    struct error err;
    const struct epd *epd = &s->positions->items[number];
    piece_key(s, epd, key);
    bool known = false;
#pragma omp critical(ecm_engines)
    known = ledger_find(s->x->ledger, key, solved, 1);
    if (known || experiment_stopped(s->x))
        return known;
    snprintf(go, sizeof go, "go movetime %d", sizes[s->x->size].movetime);
    double patience = PATIENCE + sizes[s->x->size].movetime / 1000.0;
    if (!peer_search(s->peers[thread], &epd->position, go, patience, &best, &err)) {
#pragma omp critical(ecm_engines)
        *s->err = err;
        return false;
    }
    *solved = solve_is_right(epd, best) ? 1 : 2;
    bool kept;
#pragma omp critical(ecm_engines)
    kept = ledger_add(s->x->ledger, key, solved, 1, s->err);
    return kept;
}

/* Takes in a search, in the order of positions. */
static bool count_piece(void *context, size_t number, const void *result)
{
    struct peer_search *s = context;
    const struct experiment_observer *o = s->x->observer;
    s->solved += *(const int64_t *)result == 1;
    o->progress(o->context, engines[s->engine].name, (int64_t)number + 1,
                (int64_t)s->positions->count);
    return true;
}

/* Starts a process for each thread. */
static bool start_peers(struct peer_search *s, int threads, struct error *err)
{
    const char *const command[] = {engines[s->engine].command, engines[s->engine].argument, NULL};
    for (int i = 0; i < threads; i++) {
        s->peers[i] =
            peer_start(command, engines[s->engine].options, engines[s->engine].option_count, err);
        if (s->peers[i] == NULL)
            return false;
    }
    return true;
}

/* How many positions an engine solves. */
static bool measure_engine(struct experiment *x, const struct dataset *positions, int engine,
                           int *solved, struct error *err)
{
    struct peer_search s = {.x = x, .positions = positions, .engine = engine, .err = err};
    const struct pieces pieces = {
        .count = positions->count,
        .threads = x->threads < THREADS_MAX ? x->threads : THREADS_MAX,
        .result_size = sizeof(int64_t),
        .context = &s,
        .work = search_piece,
        .take = count_piece,
    };
    err->text[0] = '\0';
    bool good = start_peers(&s, pieces.threads, err) && pieces_do(&pieces, err) &&
                err->text[0] == '\0' && !experiment_stopped(x);
    for (int i = 0; i < pieces.threads; i++)
        peer_stop(s.peers[i]);
    *solved = s.solved;
    return good;
}

/* ---- ours, and the table ---- */

/* How many positions our engine solves. */
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

/* Rows of all engines that are here; ours is the first. */
static bool measure_all(struct experiment *x, const struct dataset *positions, struct grid *g,
                        struct error *err)
{
    int ours, solved, best = 0;
    if (!measure_ours(x, positions, &ours, err))
        return false;
    grid_set(g, grid_row(g, "Grayling"), 0, "%d of %zu", ours, positions->count);
    for (int i = 0; i < ENGINES; i++) {
        if (!peer_is_there(engines[i].command)) {
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

/* Our engine and those that are here, on ECM. */
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
