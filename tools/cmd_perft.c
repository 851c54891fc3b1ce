/* grayling perft: the leaves of the move tree, and suites of known counts. */
#include "command.h"

#include "clock.h"
#include "input.h"
#include "movegen.h"
#include "notation.h"
#include "parse.h"

enum { DEPTH_MAX = 20 };

struct arguments {
    const char *suite; /* NULL: count one position */
    const char *fen;
    int depth; /* 0: all counts of a suite */
    bool divide;
};

#define AT(member) OPTION_AT(struct arguments, member)

static const struct option_row option_rows[] = {
    {"divide", NULL, AS_FLAG, AT(divide),
     "print the count below each first move, in canonical order"},
    {"suite", "SUITE.epd", AS_TEXT, AT(suite), "compare with the counts of a suite"},
    {"depth", "N", AS_NUMBER, AT(depth), "ignore the suite's counts beyond this depth", 1,
     DEPTH_MAX},
    {0}};

static const struct command cmd = {
    "perft",
    "usage: grayling perft [FEN] DEPTH [--divide]\n"
    "       grayling perft --suite SUITE.epd [--depth DEPTH]\n\n"
    "Counts the positions DEPTH plies below a position (default: the initial one).\n"
    "With --suite, compares the counts with those of a suite, whose lines read 'FEN\n"
    ";D1 20 ;D2 400 ...', reports each difference with its line, and exits with 1 if\n"
    "there is one. A suite without counts is an error.\n",
    option_rows,
    "  grayling perft 6\n"
    "  grayling perft '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -' 5\n",
    {NULL, "[FEN] DEPTH", 0, OPERANDS_ANY}};

/* Counts the leaves of one position, by first move if requested. */
static int count_position(const struct arguments *a)
{
    struct position p;
    struct error err;
    if (!position_from_fen(&p, a->fen, NULL, &err)) {
        error_prefix(&err, "the position: ");
        return command_fail(EXIT_BAD, &err);
    }
    const double start = clock_seconds();
    uint64_t leaves = 0;
    struct move_list list;
    movegen_legal(&p, &list);
    movegen_sort(&list);
    for (int i = 0; a->divide && i < list.count; i++) {
        struct position after = p;
        struct undo undo;
        char move[UCI_MAX];
        position_make(&after, list.moves[i], &undo);
        uint64_t below = perft(&after, a->depth - 1);
        leaves += below;
        move_to_uci(&p, list.moves[i], move);
        printf("%s %" PRIu64 "\n", move, below);
    }
    if (!a->divide)
        leaves = perft(&p, a->depth);
    double seconds = clock_seconds() - start;
    printf("%" PRIu64 " %s in %.3f s, %.1f million a second\n", leaves,
           leaves == 1 ? "leaf" : "leaves", seconds,
           seconds > 0 ? (double)leaves / seconds * 1e-6 : 0.0);
    return EXIT_DONE;
}

struct tally {
    long positions, counts, differences;
    uint64_t leaves;
};

/* Compares the counts of one line of a suite, " ;D4 197281 ;D5 4865609". Returns false if the line cannot be read. */
static bool compare_line(const struct arguments *a, const struct input_line *line,
                         struct tally *tally, struct error *err)
{
    struct position p;
    const char *rest;
    int depth, used;
    int64_t wanted;
    if (!position_from_fen(&p, line->text, &rest, err))
        return error_prefix(err, "%s:%ld: ", a->suite, line->number);
    tally->positions++;
    for (rest += strspn(rest, " \t;"); *rest != '\0'; rest += strspn(rest, " \t;")) {
        if (sscanf(rest, "D%2d %18" SCNd64 "%n", &depth, &wanted, &used) != 2 || depth < 1 ||
            depth > DEPTH_MAX || wanted < 0 || strchr(" \t;", rest[used]) == NULL)
            return error_set(err, "%s:%ld: the counts are wrong; expected ;D1 20 ;D2 400 ...",
                             a->suite, line->number);
        rest += used;
        if (a->depth > 0 && depth > a->depth)
            continue;
        uint64_t leaves = perft(&p, depth);
        tally->counts++;
        tally->leaves += leaves;
        if (leaves == (uint64_t)wanted)
            continue;
        tally->differences++;
        printf("%s:%ld: depth %d: %" PRIu64 " leaves, not %" PRId64 "\n", shown_text(a->suite),
               line->number, depth, leaves, wanted);
    }
    return true;
}

static int compare_suite(const struct arguments *a)
{
    struct tally tally = {0};
    struct error err;
    struct input_line line;
    enum input_status status = INPUT_LINE;
    const double start = clock_seconds();
    struct input *in = input_open(a->suite, FILE_POSITIONS, &err);
    bool good = in != NULL;
    while (good && (status = input_next_text(in, &line, &err)) == INPUT_LINE) {
        const char first = line.text[strspn(line.text, " \t")];
        good = first == '\0' || first == '#' || compare_line(a, &line, &tally, &err);
    }
    input_close(in);
    if (good && status == INPUT_END && tally.counts == 0)
        good =
            error_set(&err, "%s: no count up to depth %d; expected lines 'FEN ;D1 20 ;D2 400 ...'",
                      a->suite, a->depth > 0 ? a->depth : DEPTH_MAX);
    if (!good || status != INPUT_END)
        return command_fail(EXIT_BAD, &err);
    double seconds = clock_seconds() - start;
    char positions[COUNTED_MAX], counts[COUNTED_MAX], differences[COUNTED_MAX];
    printf("%s, %s, %s; %" PRIu64 " leaves in %.1f s\n",
           format_things(tally.positions, "position", positions),
           format_things(tally.counts, "count", counts),
           format_things(tally.differences, "difference", differences), tally.leaves, seconds);
    return tally.differences == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* Reads [FEN] DEPTH; with --suite there must be neither. */
static int take_operands(int count, char **operands, struct arguments *a)
{
    int64_t depth;
    if (a->suite != NULL && count > 0)
        return command_misuse("perft", "--suite takes no position, but '%s' is given", operands[0]);
    if (a->suite != NULL && a->divide)
        return command_misuse("perft", "--divide is for one position, not for a suite");
    if (a->suite != NULL)
        return OPTIONS_READ;
    if (a->depth > 0)
        return command_misuse("perft",
                              "--depth is for a suite; the depth of a position is its last word");
    if (count < 1 || count > 2)
        return command_misuse("perft", "expected [FEN] DEPTH; a FEN goes in quotes");
    if (!parse_int64(operands[count - 1], &depth) || depth < 1 || depth > DEPTH_MAX)
        return command_misuse("perft", "DEPTH takes a whole number from 1 to %d, not '%s'",
                              DEPTH_MAX, operands[count - 1]);
    a->depth = (int)depth;
    a->fen = count == 2 ? operands[0] : FEN_START;
    return OPTIONS_READ;
}

int cmd_perft(int argc, char **argv)
{
    struct arguments a = {.suite = NULL};
    int code = options_read(&cmd, &argc, &argv, &a);
    if (code == OPTIONS_READ)
        code = take_operands(argc, argv, &a);
    if (code != OPTIONS_READ)
        return code;
    return a.suite != NULL ? compare_suite(&a) : count_position(&a);
}
