/* What docs/search.md says of Beal's null-move quiescence beyond solved positions: how its tree
 * branches, and how often passing is worth more than the best move.
 *
 *   null_move_survey POSITIONS.epd [NODES [COUNT]]
 *
 * NODES a position for the branching (100,000), the first COUNT positions (all). */
#include "null_move_survey.h"
#include "parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 3 };

static void die(const char *text)
{
    fprintf(stderr, "null_move_survey: %s\n", text);
    exit(2);
}

/* A number of the command line, or what it is when there is none. */
static int64_t number(int argc, char **argv, int i, int64_t without)
{
    int64_t n = without;
    if (argc > i && (!parse_int64(argv[i], &n) || n < 1))
        die("expected numbers from 1 up after the positions");
    return n;
}

static void print_branching(const struct null_move_survey *s, int64_t nodes)
{
    struct error err;
    struct beal_branching b;
    if (!null_move_branching(s, (uint64_t)nodes, &b, &err))
        die(err.text);
    printf(
        "branching %.2f: %" PRIu64 " interior nodes, %.1f moves looked at and %.2f selected each, "
        "%.1f %% of the moves\n",
        (double)b.selected / (double)b.interior, b.interior, (double)b.moves / (double)b.interior,
        (double)b.selected / (double)b.interior, 100.0 * (double)b.selected / (double)b.moves);
}

static void print_assumption(const struct null_move_survey *s, int depth)
{
    struct error err;
    struct assumption_count c;
    if (!null_move_assumption(s, depth, &c, &err))
        die(err.text);
    int64_t all = c.less + c.equal + c.more;
    printf("depth %d: passing is worth less in %" PRId64 ", as much in %" PRId64
           ", more in %" PRId64 " of %" PRId64 " positions (%.2f %%); %" PRId64 " left out\n",
           depth, c.less, c.equal, c.more, all, 100.0 * (double)c.more / (double)all, c.left_out);
}

int main(int argc, char **argv)
{
    struct dataset data = {0};
    struct error err;
    if (argc < 2 || argc > 4)
        die("expected POSITIONS.epd [NODES [COUNT]]");
    if (!dataset_load(&data, argv[1], false, &err))
        die(err.text);
    int64_t nodes = number(argc, argv, 2, 100000);
    int64_t count = number(argc, argv, 3, (int64_t)data.count);
    struct null_move_survey s = {.positions = data.items,
                                 .count = (size_t)count < data.count ? (size_t)count : data.count,
                                 .settings = {.order = 2, .weights = eval_material_weights()},
                                 .hash_mib = 16,
                                 .threads = 2};
    print_branching(&s, nodes);
    for (int depth = 1; depth <= DEEPEST; depth++)
        print_assumption(&s, depth);
    dataset_free(&data);
    return 0;
}
