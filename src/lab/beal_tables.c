/* Beal 1990, A generalised quiescence search algorithm: Table 1, and what sections 5, 6 and 9 say of its tree.
 * Material alone, as there. */
#include "beal.h"
#include "comparisons.h"
#include "count.h"
#include "jobs.h"
#include "notation.h"
#include "reproduction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN_A_SET = 20, LINE_PLIES = 5, LINE_TEXT = LINE_PLIES * SAN_MAX, HASH_MIB = 16 };

/* ---- Table 1 ---- */

/* The paper's seconds to the solution of a position, counted from 0; 0: not solved. */
static int published_seconds(const struct lab_table *t, int position)
{
    const struct yaml_node *place = lab_first(t, "seconds");
    for (int i = position % IN_A_SET; i > 0; i--)
        place = place->next;
    return (int)data_at(place, position / IN_A_SET);
}

/* Searches positions on material by the second order. The caller frees the results. */
static struct solved *search_second_order(struct lab_table *t, const struct epd *positions,
                                          size_t count, struct error *err)
{
    const struct eval_weights material = eval_material_weights();
    const struct search_params none = search_plain_params();
    const struct experiment_search search = {
        .step = "second-order quiescence on WAC",
        .method = &beal_methods[1],
        .weights = &material,
        .positions = positions,
        .position_count = count,
        .methods = &none,
        .method_count = 1,
        .limits = {.nodes = (uint64_t)lab_number(t, "nodes")},
    };
    return experiment_solve(t->x, &search, NULL, err);
}

/* "Qxe8 Kxe8 Nd6+": each move the best that the search finds after the one before. */
static bool find_line(struct lab_table *t, const struct epd *epd, char line[LINE_TEXT],
                      struct error *err)
{
    struct epd at = *epd;
    size_t length = 0;
    line[0] = '\0';
    for (int i = 0; i < LINE_PLIES; i++) {
        struct undo undo;
        char san[SAN_MAX];
        struct solved *s = search_second_order(t, &at, 1, err);
        if (s == NULL)
            return false;
        const Move best = s->best;
        free(s);
        if (best == NO_MOVE)
            break;
        move_to_san(&at.position, best, san);
        length +=
            (size_t)snprintf(line + length, LINE_TEXT - length, "%s%s", i > 0 ? " " : "", san);
        position_make(&at.position, best, &undo);
        at.best_count = at.avoid_count = 0; /* the solution belongs to the move before */
    }
    return true;
}

/* Twenty positions a row, like the paper's test sets: "." where both solve it, F where neither does, and who
 * else fails. A failure is "correct by demonstrating flaw" where the published solution is flawed and the
 * search finds another move that gains material. */
static bool show_positions(struct lab_table *t, const struct solved *cells, struct error *err)
{
    const struct dataset *d = &t->positions;
    static const char *const marks[2][2] = {{"F", "x"}, {"b", "."}};
    int counts[2][2] = {{0}}, excused = 0, more = 0; /* solved here, and there */
    for (int i = 0; i < IN_A_SET; i++)
        lab_row(t, "%d", i + 1);
    for (int i = 0; i < (int)d->count; i++) {
        const bool here = cells[i].stable.nodes > 0, there = published_seconds(t, i) > 0;
        char *cell = t->grid.rows[i % IN_A_SET].cells[0];
        const size_t length = strlen(cell);
        snprintf(cell + length, GRID_TEXT - length, "%s%s", i >= IN_A_SET ? " " : "",
                 marks[here][there]);
        counts[here][there]++;
        const struct yaml_node *flaw = lab_first(t, "flawed");
        while (flaw != NULL && data_number(t->x, flaw, "position", 0) != i + 1)
            flaw = flaw->next;
        if (here || flaw == NULL || cells[i].score <= beal_balance(&d->items[i].position))
            continue;
        char line[LINE_TEXT];
        const bool excuse = data_text(t->x, flaw, "excused") != NULL;
        excused += excuse;
        more += !excuse;
        if (!find_line(t, &d->items[i], line, err))
            return false;
        lab_word(t, "number", "%03d", i + 1);
        lab_word(t, "flaw", "%s", data_text(t->x, flaw, excuse ? "excused" : "flaw"));
        lab_word(t, "line", "%s", line);
        lab_notes(t, "flaw note");
    }
    const int solved = counts[1][0] + counts[1][1];
    lab_word(t, "verdict", "%s", verdict_held(solved + excused >= 276, 1));
    lab_word(t, "strictly", "%d", solved);
    lab_word(t, "as counted", "%d", solved + excused);
    lab_word(t, "with flaws", "%d", solved + excused + more);
    lab_word(t, "both", "%d", counts[0][0]);
    lab_word(t, "theirs", "%d", counts[1][0]);
    lab_word(t, "ours", "%d", counts[0][1]);
    lab_count_word(t, "limit", lab_number(t, "nodes"));
    lab_show(t, "notes");
    return true;
}

/* How many positions are solved within some seconds of the paper's program, and the nodes that these were.
 * Without the effort of the paper's claim there is no verdict. */
static void show_effort(struct lab_table *t, const struct solved *cells)
{
    const int64_t a_second = lab_number(t, "nodes a second");
    int rows = 0, held = 0, of_claim = 0;
    lab_begin(t, lab_text(t, "effort"), "effort corner", "effort columns");
    for (const struct yaml_node *n = lab_first(t, "efforts"); n != NULL; n = n->next) {
        const int64_t seconds = data_number(t->x, n, "seconds", 0), nodes = seconds * a_second;
        const char *label = data_text(t->x, n, "label");
        int published = 0, ours = 0;
        char text[COUNT_MAX];
        if (nodes > lab_number(t, "nodes"))
            continue;
        for (int i = 0; i < data_number(t->x, n, "positions", 300); i++) {
            const int theirs = published_seconds(t, i);
            const int64_t here = (int64_t)cells[i].stable.nodes;
            published += theirs > 0 && theirs <= seconds;
            ours += here > 0 && here <= nodes;
        }
        lab_row(t, "%s%d s, %s nodes", label != NULL ? label : "", (int)seconds,
                format_count(nodes, text));
        lab_cell(t, "%d", published);
        lab_cell(t, "%d", ours);
        rows++;
        held += ours >= published;
        of_claim += seconds >= lab_number(t, "seconds claimed");
    }
    lab_word(t, "verdict", "%s", verdict_held(held, rows));
    lab_word(t, "held", "%d of %d rows", held, rows);
    lab_notes(t, of_claim == 0 ? "effort unclaimed" : "effort claim");
}

bool quiescence_run(struct lab_table *t, struct error *err)
{
    const struct dataset *d = &t->positions;
    struct solved *cells =
        lab_positions(t, err) ? search_second_order(t, d->items, d->count, err) : NULL;
    bool good = cells != NULL && show_positions(t, cells, err);
    if (good)
        show_effort(t, cells);
    free(cells);
    return good;
}

/* ---- sections 5, 6 and 9: surveys of positions ---- */

enum { COUNTS = 5 };

/* A question to each position adds to the counts that are its own, within a limit. */
typedef void question(struct job *job, const struct position *p, int64_t limit,
                      int64_t counts[COUNTS]);

struct survey {
    const struct epd *positions;
    question *ask;
    int64_t limit;
};

static void *begin_survey(const void *context, struct error *err)
{
    const struct beal_settings settings = {.order = 2, .weights = eval_material_weights()};
    (void)context;
    return beal_create(&settings, HASH_MIB, err);
}

static void finish_survey(void *worker)
{
    beal_destroy(worker);
}

static bool survey_position(struct job *job, void *result, struct error *err)
{
    const struct survey *s = job->context;
    (void)err;
    beal_clear(job->worker);
    s->ask(job, &s->positions[job->number].position, s->limit, result);
    return !job_is_stopped(job);
}

static const struct job_kind survey_job = {.result_size = COUNTS * sizeof(int64_t),
                                           .begin = begin_survey,
                                           .finish = finish_survey,
                                           .work = survey_position};

static bool add_counts(void *taker, size_t number, void *result)
{
    int64_t *sum = taker;
    (void)number;
    for (int i = 0; i < COUNTS; i++)
        sum[i] += ((const int64_t *)result)[i];
    return true;
}

/* Asks the positions of the table, and sums the counts. */
static bool survey(const struct lab_table *t, question *ask, int64_t limit, int64_t sum[COUNTS],
                   struct error *err)
{
    const struct survey s = {t->positions.items, ask, limit};
    const struct jobs_batch batch = {
        .count = t->positions.count, .stop = t->x->stop, .taker = sum, .take = add_counts};
    memset(sum, 0, COUNTS * sizeof *sum);
    return jobs_run_once(&survey_job, &s, t->x->threads, &batch, err) == JOBS_DONE &&
           !experiment_stopped(t->x);
}

static bool must_stop(void *context)
{
    return job_is_stopped(context);
}

/* How the tree of so many nodes branches. */
static void ask_branching(struct job *job, const struct position *p, int64_t nodes,
                          int64_t counts[COUNTS])
{
    const struct search_limits limits = {.nodes = (uint64_t)nodes};
    const struct search_observer observer = {.context = job, .stop = must_stop};
    const struct beal_branching b = beal_search(job->worker, p, &limits, &observer).branching;
    counts[0] = (int64_t)b.interior;
    counts[1] = (int64_t)b.moves;
    counts[2] = (int64_t)b.selected;
}

/* Section 5: the number of moves per node that passing does not refute. */
bool branching_run(struct lab_table *t, struct error *err)
{
    int64_t sum[COUNTS];
    const int64_t nodes = lab_number(t, "nodes");
    if (!lab_positions(t, err) || !survey(t, ask_branching, nodes, sum, err))
        return false;
    const double share = (double)sum[2] / (double)sum[1];
    lab_word(t, "share", "%.0f", 100 * share);
    lab_word(t, "of 35", "%.0f", 35 * share);
    lab_word(t, "factor", "%.2f", (double)sum[2] / (double)sum[0]);
    lab_count_word(t, "moves", sum[1]);
    lab_count_word(t, "limit", nodes);
    lab_rows(t, "rows");
    return true;
}

enum { LESS, EQUAL, MORE, LEFT_OUT, ANSWERS };

/* Whether passing is worth less than the best move searched to a depth, as much, or more. */
static void ask_assumption(struct job *job, const struct position *p, int64_t depth,
                           int64_t counts[COUNTS])
{
    if (position_in_check(p) || !movegen_any(p)) {
        counts[LEFT_OUT] = 1;
        return;
    }
    const struct beal_assumption b = beal_test_assumption(job->worker, p, (int)depth);
    counts[b.null < b.best ? LESS : b.null == b.best ? EQUAL : MORE] = 1;
}

/* Section 9: the number of positions in which passing is worth more than the best move. */
bool assumption_run(struct lab_table *t, struct error *err)
{
    int64_t sum[COUNTS] = {0}, most = 0;
    if (!lab_positions(t, err))
        return false;
    for (int64_t depth = 1; depth <= lab_number(t, "plies"); depth++) {
        if (!survey(t, ask_assumption, depth, sum, err))
            return false;
        lab_row(t, "%d plies, ours", (int)depth);
        for (int i = 0; i < ANSWERS; i++)
            lab_cell(t, "%lld", (long long)sum[i]);
        most = sum[MORE] > most ? sum[MORE] : most;
    }
    lab_word(t, "more", "%lld of %lld", (long long)most,
             (long long)(sum[LESS] + sum[EQUAL] + sum[MORE])); /* as many at each depth */
    lab_word(t, "left out", "%lld", (long long)sum[LEFT_OUT]);
    return true;
}

/* The moves that a search considers besides passing, and its remaining budget. */
struct plain_quiesce {
    bool captures_only;
    int64_t left;
};

/* QUIESCE (Figure 3), as plainly as the paper has it: the value of passing is the evaluation; moves are
 * searched while the best value is below `upper`. Fail-soft. */
static int32_t plain_quiesce(struct plain_quiesce *q, struct position *p, int32_t upper)
{
    struct move_list list;
    struct undo undo;
    int32_t best = beal_balance(p);
    if (best >= upper)
        return best;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count && best < upper && q->left > 0; i++) {
        Move m = list.moves[i];
        if (q->captures_only && !move_is_capture(m) && !move_is_promotion(m))
            continue;
        q->left--;
        position_make(p, m, &undo);
        int32_t value = -plain_quiesce(q, p, -best);
        position_unmake(p, m, &undo);
        best = value > best ? value : best;
    }
    return best;
}

enum { COMPARED, SAME, TOO_LARGE, ALL_MOVES, CAPTURE_MOVES };

/* Whether captures alone come to the value of all moves, of which there are so many at most. */
static void ask_fringe(struct job *job, const struct position *p, int64_t budget,
                       int64_t counts[COUNTS])
{
    struct position at = *p;
    struct plain_quiesce all = {false, budget}, captures = {true, budget};
    (void)job;
    const bool same =
        plain_quiesce(&all, &at, INFINITE_SCORE) == plain_quiesce(&captures, &at, INFINITE_SCORE);
    const bool whole = all.left > 0 && captures.left > 0;
    counts[COMPARED] = whole;
    counts[SAME] = whole && same;
    counts[TOO_LARGE] = !whole;
    counts[ALL_MOVES] = whole ? budget - all.left : 0;
    counts[CAPTURE_MOVES] = whole ? budget - captures.left : 0;
}

/* Section 6: all moves, or captures alone. */
bool fringe_run(struct lab_table *t, struct error *err)
{
    const int64_t budget = lab_number(t, "moves"); /* some trees explode */
    int64_t c[COUNTS];
    if (!lab_positions(t, err) || !survey(t, ask_fringe, budget, c, err))
        return false;
    lab_word(t, "compared", "%lld", (long long)c[COMPARED]);
    lab_count_word(t, "all moves", c[ALL_MOVES]);
    lab_count_word(t, "capture moves", c[CAPTURE_MOVES]);
    lab_word(t, "times", "%.1f", (double)c[ALL_MOVES] / fmax((double)c[CAPTURE_MOVES], 1));
    lab_word(t, "verdict", "%s", verdict_held(c[SAME] == c[COMPARED], 1));
    lab_word(t, "equal", "%lld of %lld", (long long)c[SAME], (long long)c[COMPARED]);
    lab_word(t, "too large", "%lld", (long long)c[TOO_LARGE]);
    lab_count_word(t, "limit", budget);
    lab_rows(t, "rows");
    return true;
}
