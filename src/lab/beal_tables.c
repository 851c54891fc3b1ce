/* Beal 1990, A generalised quiescence search algorithm: Table 1, and what sections 5, 6 and 9 say of its tree.
 * Material alone, as there. */
#include "beal.h"
#include "count.h"
#include "jobs.h"
#include "notation.h"
#include "reproduction.h"
#include "test_suites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN_A_SET = 20, LINE_PLIES = 5, LINE_TEXT = LINE_PLIES * SAN_MAX, HASH_MIB = 16 };

/* The positions of the table's suite, so many as its size asks for. */
static bool load(struct lab_table *t, struct dataset *d, struct error *err)
{
    const struct test_choice choice = {.count = (int)data_number(t->x, t->entry, "positions", 0)};
    if (!test_suite_load(t->x->data, data_text(t->x, t->entry, "suite"), t->x->suites, d, err))
        return false;
    test_suite_choose(d, &choice);
    lab_word(t, "positions", "%zu", d->count);
    return true;
}

/* ---- Table 1 ---- */

/* The paper's seconds to the solution of a position, counted from 0; 0: not solved. */
static int published_seconds(const struct lab_table *t, int position)
{
    const struct yaml_node *place = data_find(t->x, t->entry, "seconds")->child;
    for (int i = position % IN_A_SET; i > 0; i--)
        place = place->next;
    return (int)data_at(place, position / IN_A_SET);
}

/* The search of positions on material by the second order. */
static bool search_second_order(struct lab_table *t, const struct epd *positions, size_t count,
                                struct solved *cells, struct error *err)
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
        .limits = {.nodes = (uint64_t)data_number(t->x, t->entry, "nodes", 0)},
    };
    return experiment_solve(t->x, &search, cells, err);
}

/* "Qxe8 Kxe8 Nd6+": each move the best that the search finds after the one before. */
static bool find_line(struct lab_table *t, const struct epd *epd, char line[LINE_TEXT],
                      struct error *err)
{
    struct epd at = *epd;
    size_t length = 0;
    line[0] = '\0';
    for (int i = 0; i < LINE_PLIES; i++) {
        struct solved s;
        struct undo undo;
        char san[SAN_MAX];
        if (!search_second_order(t, &at, 1, &s, err))
            return false;
        if (s.best == NO_MOVE)
            break;
        move_to_san(&at.position, s.best, san);
        length +=
            (size_t)snprintf(line + length, LINE_TEXT - length, "%s%s", i > 0 ? " " : "", san);
        position_make(&at.position, s.best, &undo);
        at.best_count = at.avoid_count = 0; /* the solution belongs to the move before */
    }
    return true;
}

/* Twenty positions a row, like the paper's test sets: "." where both solve it, F where neither does, and who
 * else fails. A failure is "correct by demonstrating flaw" where the published solution is flawed and the
 * search finds another move that gains material. */
static bool show_positions(struct lab_table *t, const struct dataset *d, const struct solved *cells,
                           struct error *err)
{
    const struct yaml_node *flaws = data_find(t->x, t->entry, "flawed");
    int solved = 0, both = 0, theirs = 0, ours = 0, excused = 0, more = 0;
    lab_begin(t, NULL);
    for (int i = 0; i < IN_A_SET; i++)
        lab_row(t, "%d", i + 1);
    for (int i = 0; i < (int)d->count; i++) {
        const bool here = cells[i].stable.nodes > 0, there = published_seconds(t, i) > 0;
        char *cell = t->grid.rows[i % IN_A_SET].cells[0];
        const size_t length = strlen(cell);
        snprintf(cell + length, GRID_TEXT - length, "%s%s", i >= IN_A_SET ? " " : "",
                 here && there ? "."
                 : here        ? "b"
                 : there       ? "x"
                               : "F");
        solved += here;
        both += !here && !there;
        theirs += here && !there;
        ours += !here && there;
        const struct yaml_node *flaw = flaws->child;
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
    lab_word(t, "verdict", solved + excused >= 276 ? "Holds" : "Does not hold");
    lab_word(t, "strictly", "%d", solved);
    lab_word(t, "as counted", "%d", solved + excused);
    lab_word(t, "with flaws", "%d", solved + excused + more);
    lab_word(t, "both", "%d", both);
    lab_word(t, "theirs", "%d", theirs);
    lab_word(t, "ours", "%d", ours);
    lab_count_word(t, "limit", data_number(t->x, t->entry, "nodes", 0));
    lab_notes(t, "notes");
    lab_show(t);
    return true;
}

/* How many positions are solved within some seconds of the paper's program, and the nodes that these were.
 * Without the effort of the paper's claim there is no verdict. */
static void show_effort(struct lab_table *t, const struct solved *cells)
{
    const int64_t a_second = data_number(t->x, t->entry, "nodes a second", 0);
    const int64_t claimed = data_number(t->x, t->entry, "seconds claimed", 0);
    const struct yaml_node *efforts = data_find(t->x, t->entry, "efforts");
    int rows = 0, held = 0, of_claim = 0;
    t->grid = (struct grid){.corner = "effort"};
    snprintf(t->grid.title, GRID_NOTE, "%s", data_text(t->x, t->entry, "effort"));
    lab_column(t, "published");
    lab_column(t, "ours");
    for (const struct yaml_node *n = efforts->child; n != NULL; n = n->next) {
        const int64_t seconds = data_number(t->x, n, "seconds", 0), nodes = seconds * a_second;
        const char *label = data_text(t->x, n, "label");
        int published = 0, ours = 0;
        char text[COUNT_MAX];
        if (nodes > data_number(t->x, t->entry, "nodes", 0))
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
        of_claim += seconds >= claimed;
    }
    lab_word(t, "verdict",
             held == rows ? "Holds"
             : held > 0   ? "Holds only in part"
                          : "Does not hold");
    lab_word(t, "held", "%d of %d rows", held, rows);
    lab_notes(t, of_claim == 0 ? "effort unclaimed" : "effort claim");
    lab_notes(t, "effort notes");
    lab_show(t);
}

bool quiescence_run(struct lab_table *t, struct error *err)
{
    struct dataset d = {0};
    bool good = load(t, &d, err);
    struct solved *cells = calloc(d.count + 1, sizeof *cells);
    if (cells == NULL)
        good = error_set(err, "no memory for %zu results", d.count);
    good = good && search_second_order(t, d.items, d.count, cells, err);
    good = good && show_positions(t, &d, cells, err);
    if (good)
        show_effort(t, cells);
    dataset_free(&d);
    free(cells);
    return good;
}

/* ---- sections 5 and 9: surveys of positions ---- */

/* What is asked of each position: how the tree of so many nodes branches, or, searched to a depth, whether
 * passing is worth less than the best move, as much, or more; it is left out in check. */
struct survey {
    const struct epd *positions;
    uint64_t nodes;
    int depth; /* 0: the question is about branching */
};

enum { LESS, EQUAL, MORE, LEFT_OUT, ANSWERS };

struct answer {
    struct beal_branching branching;
    int64_t counts[ANSWERS];
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

static bool must_stop(void *context)
{
    return job_is_stopped(context);
}

static bool survey_position(struct job *job, void *result, struct error *err)
{
    const struct survey *s = job->context;
    const struct position *p = &s->positions[job->number].position;
    struct answer *a = result;
    (void)err;
    *a = (struct answer){.counts = {0}};
    beal_clear(job->worker);
    if (s->depth == 0) {
        const struct search_limits limits = {.nodes = s->nodes};
        const struct search_observer observer = {.context = job, .stop = must_stop};
        a->branching = beal_search(job->worker, p, &limits, &observer).branching;
    } else if (position_in_check(p) || !movegen_any(p))
        a->counts[LEFT_OUT] = 1;
    else {
        const struct beal_assumption b = beal_test_assumption(job->worker, p, s->depth);
        a->counts[b.null < b.best ? LESS : b.null == b.best ? EQUAL : MORE] = 1;
    }
    return !job_is_stopped(job);
}

static const struct job_kind survey_job = {.result_size = sizeof(struct answer),
                                           .begin = begin_survey,
                                           .finish = finish_survey,
                                           .work = survey_position};

static bool add_answer(void *taker, size_t number, void *result)
{
    struct answer *sum = taker;
    const struct answer *a = result;
    (void)number;
    sum->branching.interior += a->branching.interior;
    sum->branching.moves += a->branching.moves;
    sum->branching.selected += a->branching.selected;
    for (int i = 0; i < ANSWERS; i++)
        sum->counts[i] += a->counts[i];
    return true;
}

/* Sums the answers over all positions. */
static bool ask(const struct lab_table *t, const struct dataset *d, uint64_t nodes, int depth,
                struct answer *sum, struct error *err)
{
    const struct survey survey = {d->items, nodes, depth};
    const struct jobs_batch batch = {
        .count = d->count, .stop = t->x->stop, .taker = sum, .take = add_answer};
    *sum = (struct answer){.counts = {0}};
    return jobs_run_once(&survey_job, &survey, t->x->threads, &batch, err) != JOBS_FAILED &&
           !experiment_stopped(t->x);
}

/* Section 5: the number of moves per node that passing does not refute. */
bool branching_run(struct lab_table *t, struct error *err)
{
    struct dataset d = {0};
    struct answer a;
    const int64_t nodes = data_number(t->x, t->entry, "nodes", 0);
    bool good = load(t, &d, err) && ask(t, &d, (uint64_t)nodes, 0, &a, err);
    if (good) {
        const double share = (double)a.branching.selected / (double)a.branching.moves;
        const double factor = (double)a.branching.selected / (double)a.branching.interior;
        lab_begin(t, NULL);
        lab_row(t, "published");
        lab_cell(t, "about 4");
        lab_row(t, "ours (%zu positions)", d.count);
        lab_cell(t, "%.2f", factor);
        lab_word(t, "share", "%.0f", 100 * share);
        lab_word(t, "of 35", "%.0f", 35 * share);
        lab_word(t, "factor", "%.2f", factor);
        lab_count_word(t, "moves", (int64_t)a.branching.moves);
        lab_count_word(t, "limit", nodes);
        lab_notes(t, "notes");
        lab_show(t);
    }
    dataset_free(&d);
    return good;
}

/* Section 9: the number of positions in which passing is worth more than the best move. */
bool assumption_run(struct lab_table *t, struct error *err)
{
    struct dataset d = {0};
    struct answer worst = {.counts = {[MORE] = -1}};
    const int plies = (int)data_number(t->x, t->entry, "plies", 0);
    bool good = load(t, &d, err);
    lab_begin(t, NULL);
    for (int depth = 1; good && depth <= plies; depth++) {
        struct answer a;
        good = ask(t, &d, 0, depth, &a, err);
        if (!good)
            break;
        lab_row(t, "%d plies, ours", depth);
        for (int i = 0; i < ANSWERS; i++)
            lab_cell(t, "%" PRId64, a.counts[i]);
        worst = a.counts[MORE] > worst.counts[MORE] ? a : worst;
    }
    if (good) {
        const int64_t *c = worst.counts;
        lab_word(t, "more", "%" PRId64 " of %" PRId64, c[MORE], c[LESS] + c[EQUAL] + c[MORE]);
        lab_word(t, "left out", "%" PRId64, c[LEFT_OUT]);
        lab_notes(t, "notes");
        lab_show(t);
    }
    dataset_free(&d);
    return good;
}

/* ---- section 6: all moves, or captures alone ---- */

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

bool fringe_run(struct lab_table *t, struct error *err)
{
    const int64_t budget = data_number(t->x, t->entry, "moves", 0); /* some trees explode */
    int64_t compared = 0, equal = 0, too_large = 0, all_moves = 0, capture_moves = 0;
    struct dataset d = {0};
    bool good = load(t, &d, err);
    for (size_t i = 0; good && i < d.count && !experiment_stopped(t->x); i++) {
        struct position p = d.items[i].position;
        struct plain_quiesce all = {false, budget}, captures = {true, budget};
        const int32_t value = plain_quiesce(&all, &p, INFINITE_SCORE);
        const int32_t of_captures = plain_quiesce(&captures, &p, INFINITE_SCORE);
        if (all.left == 0 || captures.left == 0) {
            too_large++;
            continue;
        }
        compared++;
        equal += value == of_captures;
        all_moves += budget - all.left;
        capture_moves += budget - captures.left;
    }
    dataset_free(&d);
    if (!good || experiment_stopped(t->x))
        return false;
    char count[COUNT_MAX];
    lab_begin(t, NULL);
    lab_row(t, "all moves (Figure 3)");
    lab_cell(t, "%" PRId64, compared);
    lab_cell(t, "%s", format_count(all_moves, count));
    lab_row(t, "captures and promotions");
    lab_cell(t, "%" PRId64, compared);
    lab_cell(t, "%s (%.1f times fewer)", format_count(capture_moves, count),
             capture_moves > 0 ? (double)all_moves / (double)capture_moves : 0);
    lab_word(t, "verdict", equal == compared ? "Holds" : "Does not hold");
    lab_word(t, "equal", "%" PRId64 " of %" PRId64, equal, compared);
    lab_word(t, "too large", "%" PRId64, too_large);
    lab_count_word(t, "limit", budget);
    lab_notes(t, "notes");
    lab_show(t);
    return true;
}
