#include "trace_check.h"

#include "clock.h"
#include "movegen.h"
#include "quiesce.h"

#include <stdlib.h>

enum { ROOTS = 64, LEAVES = ROOTS * (MAX_MOVES + 1) };

/* Some positions with all that follow them. */
struct trace_checker {
    struct trace_report *report;
    size_t count;
    bool again;            /* the second time, in reverse order */
    size_t differs;        /* the first position whose counts differ then; or `count` */
    uint64_t sums[LEAVES]; /* of each position's counts */
    struct position positions[LEAVES];
};

/* ---- positions ---- */

/* Adds a position that is not mate, stalemate or drawn by its material: those have no evaluation. */
static void add_position(struct trace_checker *c, const struct position *p)
{
    if (leaf_status(p) == QUIESCE_STAND_PAT)
        c->positions[c->count++] = *p;
}

static void add_with_moves(struct trace_checker *c, struct position p)
{
    struct move_list list;
    add_position(c, &p);
    movegen_legal(&p, &list);
    for (int i = 0; i < list.count; i++) {
        struct undo undo;
        position_make(&p, list.moves[i], &undo);
        add_position(c, &p);
        position_unmake(&p, list.moves[i], &undo);
    }
}

static void reverse_positions(struct trace_checker *c)
{
    for (size_t i = 0; i < c->count / 2; i++) {
        struct position p = c->positions[i];
        c->positions[i] = c->positions[c->count - 1 - i];
        c->positions[c->count - 1 - i] = p;
    }
}

/* ---- answers ---- */

/* Takes an answer into the report; the second time compares it with the first. */
static bool take(void *context, size_t index, const struct leaf_counts *counts)
{
    struct trace_checker *c = context;
    if (c->again) {
        if (trace_counts_sum(counts) == c->sums[c->count - 1 - index])
            return true;
        c->differs = index;
        return false;
    }
    c->sums[index] = trace_counts_sum(counts);
    c->report->positions++;
    c->report->counts += counts->count;
    for (int i = 0; i < counts->count; i++)
        c->report->used[counts->items[i].weight]++;
    return true;
}

/* Asks for the collected positions twice. */
static bool ask_twice(struct trace_checker *c, struct trace_client *client, struct error *err)
{
    char fen[FEN_MAX];
    c->again = false;
    if (!trace_client_ask(client, c->positions, c->count, take, c, err))
        return false;
    c->again = true;
    c->differs = c->count;
    reverse_positions(c);
    if (trace_client_ask(client, c->positions, c->count, take, c, err))
        return true;
    if (c->differs == c->count)
        return false;
    position_to_fen(&c->positions[c->differs], fen);
    return error_set(err,
                     "%s: %s: other counts when it is asked again; an answer must depend on its "
                     "position alone, and each question has one answer",
                     trace_client_command(client), fen);
}

/* ---- other values ---- */

/* Values of all weights that the evaluation is given, one after the other. */
enum values { LEAST, GREATEST, FIRST_HALF_LEAST, EVEN_LEAST, SETTINGS };

static const char *const values_named[SETTINGS] = {
    "all weights at their least value", "all weights at their greatest value",
    "the first half of the weights at their least value, the others at their greatest",
    "each second weight at its least value, the others at their greatest"};

static void choose_values(const struct param_table *table, enum values which, int32_t *values)
{
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        const bool least = which == LEAST || (which == FIRST_HALF_LEAST && i < table->count / 2) ||
                           (which == EVEN_LEAST && i % 2 == 0);
        values[i] = least ? p->min : p->max;
    }
}

/* Compares an answer with the first one for its position. */
static bool take_same(void *context, size_t index, const struct leaf_counts *counts)
{
    struct trace_checker *c = context;
    if (trace_counts_sum(counts) == c->sums[index])
        return true;
    c->differs = index;
    return false;
}

/* Asks for the collected positions with other values. The client sees whether the score follows. */
static bool ask_with(struct trace_checker *c, struct trace_client *client, enum values which,
                     struct error *err)
{
    int32_t values[EVALUATOR_WEIGHTS_MAX];
    char fen[FEN_MAX];
    choose_values(&trace_client_weights(client)->table, which, values);
    c->differs = c->count;
    if (trace_client_set(client, values, err) &&
        trace_client_ask(client, c->positions, c->count, take_same, c, err))
        return true;
    if (c->differs < c->count) {
        position_to_fen(&c->positions[c->differs], fen);
        error_set(err, "%s: %s: other counts; counts must not depend on weights",
                  trace_client_command(client), fen);
    }
    return error_prefix(err, "with %s: ", values_named[which]);
}

/* Asks for positions with the values that the evaluation has, then with others, and gives it back its own. */
static bool check_values(struct trace_checker *c, struct trace_client *client,
                         const struct dataset *positions, struct error *err)
{
    const struct param_table *table = &trace_client_weights(client)->table;
    struct trace_report ignored = {0};
    int32_t own[EVALUATOR_WEIGHTS_MAX];
    for (int i = 0; i < table->count; i++)
        own[i] = table->params[i].initial;
    c->report = &ignored;
    c->count = 0;
    c->again = false;
    for (size_t i = 0; i < positions->count && i < LEAVES; i++)
        add_position(c, &positions->items[i].position);
    bool good = trace_client_ask(client, c->positions, c->count, take, c, err);
    for (enum values which = 0; good && which < SETTINGS; which++)
        good = ask_with(c, client, which, err);
    return good && trace_client_set(client, own, err);
}

bool trace_check_run(struct trace_client *client, const struct dataset *positions,
                     struct trace_report *report, struct error *err)
{
    struct trace_checker *c = malloc(sizeof *c);
    double start = clock_seconds();
    bool good = c != NULL || error_set(err, "no memory for the positions");
    *report = (struct trace_report){0};
    for (size_t first = 0; good && first < positions->count; first += ROOTS) {
        c->report = report;
        c->count = 0;
        for (size_t i = first; i < first + ROOTS && i < positions->count; i++)
            add_with_moves(c, positions->items[i].position);
        good = ask_twice(c, client, err);
    }
    report->seconds = clock_seconds() - start;
    report->settable = trace_client_weights(client)->settable;
    if (good && report->settable)
        good = check_values(c, client, positions, err);
    free(c);
    return good;
}
