#include "experiment.h"

#include "checksum.h"
#include "lab_table.h"
#include "solve_table.h"
#include "version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_MIB = 16, MATCH_SEED = 1, SIGNATURE_DEPTH = 7 };

bool experiment_stopped(const struct experiment *x)
{
    return *x->stop != 0;
}

/* ---- the head of a ledger ---- */

bool experiment_head(const struct yaml_node *data, char *text, size_t size, struct error *err)
{
    struct search_params params = search_initial_params();
    struct dataset d = {0};
    struct engine *e = engine_create(1, err);
    uint64_t nodes = 0; /* of searches that use every selective method */
    bool good = e != NULL && test_suite_load(data, "crafty", NULL, &d, err);
    for (int mode = 0; good && mode <= 3; mode++) {
        params.value[NULL_MOVE_MODE] = mode;
        params.value[NULL_MOVE_DEPTH_REDUCTION] = mode;
        engine_set_params(e, &params);
        const struct search_limits limits = {.depth = SIGNATURE_DEPTH};
        nodes += engine_search(e, &d.items[mode].position, NULL, &limits, NULL).nodes;
    }
    dataset_free(&d);
    engine_destroy(e);
    if (good)
        snprintf(text, size, LEDGER_BEGIN "%s, search %" PRIu64, GRAYLING_VERSION, nodes);
    return good;
}

/* ---- keys ---- */

enum { KEY_TEXT = 2048 };

/* The given evaluation, or the experiment's. */
static const struct eval_weights *weights_of(const struct experiment *x,
                                             const struct eval_weights *asked)
{
    return asked != NULL ? asked : x->weights;
}

/* The given method, or the engine's. */
static const struct search_method *method_of(const struct experiment_search *s)
{
    return s->method != NULL ? s->method : &engine_search_method;
}

static void solve_key(char key[LEDGER_KEY], const struct experiment *x,
                      const struct experiment_search *s, size_t number)
{
    char text[KEY_TEXT], position[KEY_TEXT / 2], weights[CHECKSUM_MAX], search[CHECKSUM_MAX];
    const size_t methods = (size_t)s->method_count, set = number % methods;
    epd_format(&s->positions[number / methods], position, sizeof position);
    checksum_numbers(weights_of(x, s->weights)->value, EVAL_TERMS, weights);
    checksum_numbers(s->methods[set].value, search_params_length(&s->methods[set]), search);
    snprintf(text, sizeof text, "%s|%s|%s|%s|%" PRIu64 " nodes|%d plies|%d ms|%d MiB",
             method_of(s)->name, position, weights, search, s->limits.nodes, s->limits.depth,
             s->limits.movetime, HASH_MIB);
    ledger_key(key, "solve", text);
}

/* ---- searches ---- */

/* The values of a search in the ledger. */
enum { KEPT = 10 };

/* The searches of a step. */
struct searching {
    struct experiment *x;
    const struct experiment_search *search;
    struct solve_job job;
    struct solve_table table;
};

/* Reports the number of known searches to the observer. */
static void tell(struct searching *s)
{
    const struct experiment_observer *o = s->x->observer;
    size_t all = s->search->of > 0 ? s->search->of : s->table.count;
    o->progress(o->context, "search", s->search->step,
                (int64_t)(s->search->before + s->table.done_count), (int64_t)all);
}

/* Adds a finished search to the ledger. */
static bool keep(void *context, size_t number, struct error *err)
{
    struct searching *s = context;
    char key[LEDGER_KEY];
    const struct solved *c = &s->table.cells[number];
    const int64_t values[KEPT] = {
        c->best,
        c->score,
        c->depth,
        (int64_t)c->nodes,
        (int64_t)(c->seconds * 1e6),
        (int64_t)c->first.nodes,
        c->first.depth,
        (int64_t)c->stable.nodes,
        c->stable.depth,
        (int64_t)(c->stable.seconds * 1e6),
    };
    solve_key(key, s->x, s->search, number);
    tell(s);
    return ledger_add(s->x->ledger, key, values, KEPT, err);
}

struct solved *experiment_solve(struct experiment *x, const struct experiment_search *search,
                                size_t *known, struct error *err)
{
    struct searching s = {.x = x, .search = search};
    const struct evaluation evaluation = evaluation_of_weights(weights_of(x, search->weights));
    const struct solve_watcher watcher = {.context = &s, .solved = keep};
    struct solve_table *t = &s.table;
    s.job = (struct solve_job){.positions = search->positions,
                               .position_count = search->position_count,
                               .method = method_of(search),
                               .sets = search->methods,
                               .set_count = search->method_count,
                               .evaluation = &evaluation,
                               .limits = search->limits,
                               .hash_mib = HASH_MIB,
                               .threads = x->threads};
    s.job.limits.stop = x->stop;
    if (!solve_table_init(t, &s.job, err))
        return NULL;
    for (size_t i = 0; i < t->count; i++) {
        char key[LEDGER_KEY];
        int64_t values[KEPT];
        solve_key(key, x, search, i);
        if (!ledger_find(x->ledger, key, values, KEPT))
            continue;
        const struct solved found = {
            .best = (Move)values[0],
            .score = (int32_t)values[1],
            .depth = (int)values[2],
            .nodes = (uint64_t)values[3],
            .seconds = (double)values[4] / 1e6,
            .first = {.nodes = (uint64_t)values[5], .depth = (int)values[6]},
            .stable = {(uint64_t)values[7], (int)values[8], (double)values[9] / 1e6},
        };
        solve_table_put(t, i, &found);
    }
    bool good = true;
    if (known == NULL) {
        tell(&s);
        good = solve_table_run(t, &watcher, err) && t->done_count == t->count;
    } else {
        size_t first = 0;
        while (first < t->count && t->done[first])
            first++;
        *known = first / (size_t)search->method_count;
    }
    struct solved *cells = good ? t->cells : NULL;
    if (good)
        t->cells = NULL;
    solve_table_finish(t);
    return cells;
}

/* ---- games ---- */

/* A match in progress. */
struct playing {
    struct experiment *x;
    const struct experiment_match *match;
    char key[LEDGER_KEY]; /* of the match; a game's key appends its number */
};

/* The key of a match: all that its games depend on except their numbers. */
static void match_key(char key[LEDGER_KEY], const struct experiment *x,
                      const struct experiment_match *m)
{
    char text[KEY_TEXT], book[CHECKSUM_MAX];
    char weights[2][CHECKSUM_MAX], players[2][CHECKSUM_MAX];
    checksum_bytes(x->book_name, strlen(x->book_name), book);
    for (int i = 0; i < 2; i++) {
        checksum_numbers(weights_of(x, m->weights[i])->value, EVAL_TERMS, weights[i]);
        checksum_numbers(m->players[i].value, search_params_length(&m->players[i]), players[i]);
    }
    snprintf(text, sizeof text,
             "%s|%s|%s|%s|%s %zu|%" PRIu64 " nodes|%d plies|%" PRId64 "+%" PRId64 " ms|%d MiB|%d",
             weights[0], weights[1], players[0], players[1], book, x->book->count, m->limits.nodes,
             m->limits.depth, m->limits.time, m->limits.increment, HASH_MIB, MATCH_SEED);
    ledger_key(key, "match", text);
}

static void game_key(const struct playing *p, int64_t number, char key[LEDGER_KEY])
{
    snprintf(key, LEDGER_KEY, "%.60s-%" PRId64, p->key, number);
}

/* Adds a finished game's result to the ledger. */
static bool game_played(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct playing *p = context;
    const struct experiment_observer *o = p->x->observer;
    char key[LEDGER_KEY];
    const int64_t value = g->result;
    game_key(p, number, key);
    o->progress(o->context, "game", p->match->step, number + 1, p->match->games);
    return ledger_add(p->x->ledger, key, &value, 1, err);
}

bool experiment_play(struct experiment *x, const struct experiment_match *e,
                     struct match_counts *counts, struct error *err)
{
    struct playing playing = {.x = x, .match = e};
    const struct match_watcher watcher = {.context = &playing, .played = game_played};
    struct match_settings *s = calloc(1, sizeof *s);
    struct match match = {0};
    if (s == NULL)
        return error_set(err, "no memory for a match");
    *s = (struct match_settings){.book = x->book,
                                 .book_name = x->book_name,
                                 .seed = MATCH_SEED,
                                 .games = e->games,
                                 .limits = e->limits,
                                 .hash_mib = HASH_MIB,
                                 .threads = x->threads,
                                 .stop = x->stop};
    for (int i = 0; i < 2; i++) {
        s->players[i].eval = evaluation_of_weights(weights_of(x, e->weights[i]));
        s->players[i].params = e->players[i];
        snprintf(s->players[i].name, sizeof s->players[i].name, "%s", e->names[i]);
    }
    match_key(playing.key, x, e);
    bool good = match_init(&match, s, err);
    if (good) {
        char key[LEDGER_KEY];
        int64_t value;
        while (match_goes_on(&match)) { /* in the ledger, to the first that is missing or invalid */
            game_key(&playing, match.played, key);
            if (!ledger_find(x->ledger, key, &value, 1) || value < GAME_BLACK_WINS ||
                value > GAME_WHITE_WINS)
                break;
            match_count(&match, (enum game_result)value, GAME_CHECKMATE);
        }
        good = match_play(&match, &watcher, err) == JOBS_DONE;
        *counts = match.counts;
    }
    match_finish(&match);
    free(s);
    return good;
}
