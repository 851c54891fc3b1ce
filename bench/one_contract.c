/* The contract of compiled sets at full size: random weights of the modern evaluation choose the same
 * moves in a compiled set of this process, in one from the trace protocol, and in the engine's 1-ply
 * search.
 *   one_contract POSITIONS.epd TRACE-COMMAND [N]    the first N positions (all)
 * Prints progress and a summary; a difference is exit code 1. */
#include "../tests/helpers/random_chess.h"
#include "compiled.h"
#include "evaluator.h"
#include "quiesce.h"

#include <stdio.h>
#include <stdlib.h>

/* Positions that are compiled at once; each of these parts has weights of its own. */
enum { PART = 1000, THREADS = 2 };

struct contract {
    const struct evaluator_source *trace;
    uint64_t part, moves;
    Move own[PART], traced[PART];
};

static void die(const char *what)
{
    fprintf(stderr, "one_contract: %s\n", what);
    exit(1);
}

/* The moves that a compiled set chooses. */
static void choose(const struct epd *positions, size_t count, const struct evaluator_source *source,
                   const int32_t *values, Move choices[PART])
{
    struct error err;
    const struct compiled_settings settings = {.source = source, .threads = THREADS};
    struct compiled_set *set = compiled_create(positions, count, &settings, &err);
    if (set == NULL || !compiled_choices(set, values, NULL, choices, NULL, &err))
        die(err.text);
    compiled_destroy(set);
}

/* Compares the three ways in some positions. */
static void compare(struct contract *c, const struct epd *positions, size_t count)
{
    int32_t values[MODERN_WEIGHTS];
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, c->part++, 0);
    random_values_of(&s, &modern_eval_table, values);
    const struct evaluation e = evaluation_from(&modern_eval_table, values);
    choose(positions, count, &modern_evaluator_source, values, c->own);
    choose(positions, count, c->trace, values, c->traced);
    for (size_t i = 0; i < count; i++) {
        struct position p = positions[i].position;
        uint64_t nodes = 0;
        const Move searched = one_ply_search(&p, &e, LEAF_QUIESCENCE, &nodes);
        if (searched != c->own[i] || searched != c->traced[i]) {
            char fen[FEN_MAX];
            position_to_fen(&positions[i].position, fen);
            printf("weights %llu: search %04x, set %04x, trace %04x: %s\n",
                   (unsigned long long)c->part - 1, (unsigned)searched, (unsigned)c->own[i],
                   (unsigned)c->traced[i], fen);
            exit(1);
        }
        c->moves++;
    }
}

int main(int argc, char **argv)
{
    struct error err;
    struct dataset data = {0};
    if (argc < 3 || !dataset_load(&data, argv[1], EPD_ANY, &err)) {
        fputs("usage: one_contract POSITIONS.epd TRACE-COMMAND [N]\n", stderr);
        return 2;
    }
    const struct trace_settings settings = {.command = argv[2]};
    struct trace_evaluator_source *process = trace_evaluator_source_create(&settings, &err);
    if (process == NULL)
        die(err.text);
    const size_t wanted = argc > 3 ? strtoul(argv[3], NULL, 10) : data.count;
    const size_t all = wanted < data.count ? wanted : data.count;
    const struct evaluator_source trace = trace_evaluator_source(process);
    static struct contract c;
    c.trace = &trace;
    for (size_t first = 0; first < all; first += PART) {
        compare(&c, data.items + first, all - first < PART ? all - first : PART);
        fprintf(stderr, "\r%llu of %zu", (unsigned long long)c.moves, all);
    }
    printf(
        "%s%llu positions, %llu sets of random weights: the same moves by the compiled set, the trace "
        "protocol and the search\n",
        all > 0 ? "\n" : "", (unsigned long long)c.moves, (unsigned long long)c.part);
    trace_evaluator_source_destroy(process);
    dataset_free(&data);
    return 0;
}
