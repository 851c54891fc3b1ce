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

/* A checksum of counts (FNV-1a). */
static uint64_t sum_of(const struct leaf_counts *counts)
{
    uint64_t sum = 0xcbf29ce484222325 ^ (uint32_t)counts->bias;
    for (int i = 0; i < counts->count; i++) {
        sum = (sum ^ counts->items[i].weight) * 0x100000001b3;
        sum = (sum ^ (uint16_t)counts->items[i].count) * 0x100000001b3;
    }
    return sum;
}

/* Takes an answer into the report; the second time compares it with the first. */
static bool take(void *context, size_t index, const struct leaf_counts *counts)
{
    struct trace_checker *c = context;
    if (c->again) {
        if (sum_of(counts) == c->sums[c->count - 1 - index])
            return true;
        c->differs = index;
        return false;
    }
    c->sums[index] = sum_of(counts);
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
    free(c);
    return good;
}
