/* Positions of a suite that Debian's engines solve, for those of the papers cannot be had. */
#include "jobs.h"
#include "reproduction.h"
#include "text_stream.h"
#include "uci_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS = 8, OPTIONS = 4, PATIENCE = 30 /* seconds */, KEY_TEXT = 1024 };

/* An engine, or ours where `command` is NULL. */
struct peer {
    const char *name, *command;
    struct uci_value options[OPTIONS];
    int option_count;
    int row; /* in the grid */
    int solved;
    size_t searched;
};

/* One engine on the first positions of the suite. */
struct peer_search {
    struct experiment *x;
    const struct epd *positions;
    size_t count;
    struct peer *peer;
    int movetime;
    size_t *numbers, unknown; /* of the positions that are missing from the ledger */
    struct error *err;
    bool failed;
};

/* The key of an engine's search of a position. Of the command it has the first word. */
static void search_key(const struct peer_search *s, size_t position, char key[LEDGER_KEY])
{
    char text[KEY_TEXT], epd[KEY_TEXT / 2];
    const struct peer *p = s->peer;
    epd_format(&s->positions[position], epd, sizeof epd);
    snprintf(text, sizeof text, "%.*s|%s|%d ms", (int)strcspn(p->command, " "), p->command, epd,
             s->movetime);
    for (int i = 0; i < p->option_count; i++)
        text_add(text, sizeof text, "|setoption name %s value %s", p->options[i].name,
                 p->options[i].value);
    ledger_key(key, "peer", text);
}

/* ---- the worker: a process ---- */

static void *begin_peer(const void *context, struct error *err)
{
    const struct peer *p = ((const struct peer_search *)context)->peer;
    const struct uci_settings settings = {
        .command = p->command, .values = p->options, .value_count = p->option_count};
    return uci_client_start(&settings, err);
}

static void finish_peer(void *worker)
{
    uci_client_stop(worker);
}

/* Searches a position, given by its index in the block. The result is 1 if solved, else 2. */
static bool search_job(struct job *job, void *result, struct error *err)
{
    const struct peer_search *s = job->context;
    const struct epd *epd = &s->positions[((const size_t *)job->block)[job->number]];
    const struct uci_limits time = {.movetime = s->movetime, .grace = 1000 * PATIENCE};
    const struct uci_watcher watcher = {.stop = job->stop, .cancelled = job->cancelled};
    if (!uci_client_new_game(job->worker, err))
        return false;
    const struct uci_outcome outcome =
        uci_client_search(job->worker, &epd->position, NULL, 0, &time, &watcher, err);
    *(int64_t *)result = solve_is_right(epd, outcome.move) ? 1 : 2;
    return outcome.end == UCI_MOVE;
}

static const struct job_kind peer_job = {
    .result_size = sizeof(int64_t), .begin = begin_peer, .finish = finish_peer, .work = search_job};

/* ---- measuring ---- */

static void count_search(struct peer_search *s, int64_t solved)
{
    const struct experiment_observer *o = s->x->observer;
    s->peer->solved += solved == 1;
    o->progress(o->context, "search", s->peer->name, (int64_t)++s->peer->searched,
                (int64_t)s->count);
}

/* Adds a finished search to the ledger. */
static bool take_search(void *taker, size_t number, void *result)
{
    struct peer_search *s = taker;
    char key[LEDGER_KEY];
    search_key(s, s->numbers[number], key);
    count_search(s, *(const int64_t *)result);
    s->failed = !ledger_add(s->x->ledger, key, result, 1, s->err);
    return !s->failed;
}

/* Counts the positions that an engine solves; without `anew`, of those that are known. */
static bool measure_peer(struct peer_search *s, bool anew)
{
    bool good = true;
    s->numbers = malloc((s->count + 1) * sizeof *s->numbers);
    if (s->numbers == NULL)
        return error_set(s->err, "no memory for %zu positions", s->count);
    for (size_t i = 0; i < s->count; i++) {
        char key[LEDGER_KEY];
        int64_t solved;
        search_key(s, i, key);
        if (ledger_find(s->x->ledger, key, &solved, 1))
            count_search(s, solved);
        else
            s->numbers[s->unknown++] = i;
    }
    if (anew && s->unknown > 0) {
        const struct jobs_batch batch = {.count = s->unknown,
                                         .block = s->numbers,
                                         .block_size = s->unknown * sizeof *s->numbers,
                                         .stop = s->x->stop,
                                         .taker = s,
                                         .take = take_search};
        good =
            jobs_run_once(&peer_job, s, s->x->threads, &batch, s->err) == JOBS_DONE && !s->failed;
    }
    free(s->numbers);
    return good && !experiment_stopped(s->x);
}

static bool measure_ours(struct peer_search *s, bool anew)
{
    const struct experiment_search search = {.step = s->peer->name,
                                             .positions = s->positions,
                                             .position_count = s->count,
                                             .methods = s->x->params,
                                             .method_count = 1,
                                             .limits = {.movetime = s->movetime}};
    s->peer->searched = s->count;
    struct solved *cells =
        experiment_solve(s->x, &search, anew ? NULL : &s->peer->searched, s->err);
    const bool good = cells != NULL;
    for (size_t i = 0; good && i < s->peer->searched; i++)
        s->peer->solved += cells[i].stable.nodes > 0;
    free(cells);
    return good;
}

/* Measures all engines within the same limit on the first `count` positions. */
static bool measure_all(struct experiment *x, struct peer peers[PEERS], int peer_count,
                        const struct epd *positions, size_t count, int movetime, bool anew,
                        struct error *err)
{
    bool good = true;
    for (struct peer *p = peers; good && p < peers + peer_count; p++) {
        struct peer_search s = {x, positions, count, p, movetime, .err = err};
        p->solved = 0;
        p->searched = 0;
        good = p->command != NULL ? measure_peer(&s, anew) : measure_ours(&s, anew);
    }
    return good;
}

/* Measures all engines within a limit, slice by slice, with more and more of the positions; or takes what is
 * known of the same positions by all engines that have searched any. */
static bool measure_limit(struct lab_table *t, const struct yaml_node *limit,
                          struct peer peers[PEERS], int peer_count, struct error *err)
{
    struct experiment *x = t->x;
    const int movetime = (int)data_number(x, limit, "movetime", 0);
    const bool anew = data_text(x, limit, "from") == NULL || x->size == SIZE_OVERNIGHT;
    struct dataset d = {0};
    bool good = test_suite_load(x->data, lab_text(t, "suite"), x->suites, &d, err);
    test_suite_choose(&d, (int)data_number(x, limit, "positions", 0), false);
    good = good && test_suite_spread(&d, err);
    size_t count = d.count;
    for (size_t end = EXPERIMENT_SLICE; good && anew && end < count; end += EXPERIMENT_SLICE)
        good = measure_all(x, peers, peer_count, d.items, end, movetime, true, err);
    good = good && measure_all(x, peers, peer_count, d.items, count, movetime, anew, err);
    if (good && !anew) {
        for (int i = 0; i < peer_count; i++)
            if (peers[i].searched > 0 && peers[i].searched < count)
                count = peers[i].searched;
        good = measure_all(x, peers, peer_count, d.items, count, movetime, false, err);
    }
    dataset_free(&d);
    return good;
}

/* The rows: the papers' engines, ours, and the others that are here. */
static int make_rows(struct lab_table *t, struct peer peers[PEERS])
{
    int count = 0;
    lab_rows(t, "published");
    const int ours = lab_row(t, "Grayling");
    for (const struct yaml_node *n = lab_first(t, "engines"); n != NULL; n = n->next) {
        struct peer *p = &peers[count];
        *p = (struct peer){.name = yaml_text_at(n, "name"), .command = yaml_text_at(n, "command")};
        for (const struct yaml_node *o = yaml_find(n, "options")->child; o != NULL; o = o->next)
            p->options[p->option_count++] = (struct uci_value){o->key, o->text};
        if (uci_command_exists(p->command)) {
            p->row = lab_row(t, "%s", p->name);
            count++;
            continue;
        }
        lab_word(t, "engine", "%s", p->name);
        lab_word(t, "package", "%s", yaml_text_at(n, "package"));
        lab_note(t, "{engine} is not here (apt-get install {package}).");
    }
    peers[count] = (struct peer){.name = "Grayling", .row = ours};
    return count + 1;
}

bool peers_run(struct lab_table *t, struct error *err)
{
    struct peer peers[PEERS];
    const int count = make_rows(t, peers);
    const struct peer *ours = &peers[count - 1];
    for (const struct yaml_node *n = lab_first(t, "limits"); n != NULL; n = n->next) {
        int best = 0;
        if (!measure_limit(t, n, peers, count, err))
            return false;
        if (ours->searched == 0)
            continue;
        lab_column(t, data_text(t->x, n, "label"));
        for (const struct peer *p = peers; p < peers + count; p++) {
            snprintf(t->grid.rows[p->row].cells[t->grid.columns - 1], GRID_TEXT, "%d of %zu",
                     p->solved, p->searched);
            best = p != ours && p->solved > best ? p->solved : best;
        }
        lab_word(t, "limit", "%s", data_text(t->x, n, "label"));
        lab_word(t, "ours", "%d", ours->solved);
        lab_word(t, "best", "%d", best);
        if (best > 0)
            lab_notes(t, "claim");
    }
    return true;
}
