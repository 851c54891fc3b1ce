#include "beal_1990_effort.h"

#include "count.h"

/* The z8000 looked at about 1,500 positions a second (section 7). */
enum { NODES_A_SECOND = 1500 };

/* clang-format off */

/* Table 1: seconds on a z8000, a row for each place in the 15 test sets; 0 stands for F. */
static const int16_t seconds[BEAL_IN_A_SET][BEAL_SETS] = {
    {3, 42, 0, 1, 7, 0, 2, 57, 31, 1, 1, 29, 213, 124, 35},
    {0, 0, 2, 29, 20, 1, 5, 4, 19, 7, 1, 53, 8, 1629, 4},
    {70, 7, 1, 6, 130, 11, 4, 6, 0, 21, 6, 223, 0, 54, 28},
    {3, 1, 1, 3, 1, 15, 66, 14, 8, 1, 1205, 17, 32, 70, 315},
    {1, 1, 1, 23, 1, 30, 18, 22, 15, 153, 91, 2, 789, 1151, 890},
    {3, 1, 0, 48, 0, 21, 1, 0, 21, 15, 5, 47, 1, 313, 2},
    {1, 1, 1, 2, 0, 1, 12, 25, 42, 18, 637, 3, 0, 5, 46},
    {1, 3, 32, 2, 61, 29, 8, 28, 9, 3, 35, 32, 0, 9, 24},
    {17, 2, 62, 29, 3, 5, 18, 10, 16, 5, 18, 0, 270, 482, 14},
    {40, 7, 3, 3, 17, 1, 66, 8, 3, 0, 73, 0, 51, 151, 23},
    {17, 301, 9, 615, 90, 63, 22, 15, 212, 1, 18, 136, 0, 71, 500},
    {1, 8, 4, 2, 45, 3, 3, 1, 2, 5, 24, 78, 177, 24, 28},
    {4, 4, 3, 7, 0, 12, 52, 17, 3, 203, 0, 46, 7, 85, 53},
    {8, 2, 1, 1, 2, 23, 8, 1, 4, 62, 43, 173, 62, 9, 20},
    {1, 7, 10, 21, 1, 11, 6, 0, 4, 29, 47, 91, 37, 40, 3},
    {4, 1, 5, 258, 598, 33, 5, 1, 37, 318, 26, 16, 142, 30, 162},
    {17, 1, 2, 10, 2, 1, 60, 244, 5, 1, 172, 1241, 45, 32, 0},
    {34, 1, 27, 43, 7, 32, 11, 3, 192, 20, 5, 35, 20, 47, 5},
    {4, 1, 6, 17, 2, 10, 40, 5, 4, 10, 2, 0, 0, 29, 0},
    {1, 1, 1, 107, 0, 37, 5, 1, 730, 32, 776, 649, 114, 886, 23},
};

/* clang-format on */

int beal_published_seconds(int position)
{
    return seconds[(position - 1) % BEAL_IN_A_SET][(position - 1) / BEAL_IN_A_SET];
}

/* The rows: seconds there, among the first positions; and what the paper says of it. */
static const struct {
    int seconds, positions;
    const char *label;
} efforts[] = {
    {1, BEAL_POSITIONS, NULL},    {10, BEAL_POSITIONS, NULL},   {100, BEAL_POSITIONS, NULL},
    {1200, BEAL_POSITIONS, NULL}, {2000, BEAL_POSITIONS, NULL}, {2000, 100, "the first 100, "},
};
enum { EFFORTS = sizeof efforts / sizeof efforts[0], CLAIMED_SECONDS = 1200 };

/* How many are solved there and here. */
struct solutions {
    int published, ours;
};

static struct solutions count_solutions(const struct solved *cells, int positions, int limit)
{
    struct solutions n = {0, 0};
    for (int i = 0; i < positions; i++) {
        int theirs = beal_published_seconds(i + 1);
        uint64_t ours = cells[i].stable.nodes;
        n.published += theirs > 0 && theirs <= limit;
        n.ours += ours > 0 && ours <= (uint64_t)limit * NODES_A_SECOND;
    }
    return n;
}

/* The rows within the limit, and those where ours solves as many or more. */
struct effort_rows {
    int all, held, claimed; /* claimed: as long as the paper's claim has it */
};

/* Writes a row and counts it. */
static void show_row(struct grid *g, int i, const struct solved *cells, struct effort_rows *rows)
{
    char nodes[COUNT_MAX];
    int64_t most = (int64_t)efforts[i].seconds * NODES_A_SECOND;
    struct solutions n = count_solutions(cells, efforts[i].positions, efforts[i].seconds);
    int row = grid_row(g, "%s%d s, %s nodes", efforts[i].label != NULL ? efforts[i].label : "",
                       efforts[i].seconds, format_count(most, nodes));
    grid_set(g, row, 0, "%d", n.published);
    grid_set(g, row, 1, "%d", n.ours);
    rows->all++;
    rows->held += n.ours >= n.published;
    rows->claimed += efforts[i].seconds >= CLAIMED_SECONDS;
}

/* Notes whether the paper's claim holds. Without its effort there is no verdict. */
static void note_claim(struct grid *g, const struct effort_rows *rows)
{
    static const char claim[] =
        "Claim: most positions need little effort: 1,200 s solve the 273 that BELLE solves in 15 "
        "times as many positions, and 92 of the first 100 (PARADISE: 89).";
    if (rows->claimed == 0)
        grid_note(g, "%s Not measured at this size.", claim);
    else
        grid_note(g, "%s %s here: ours solves as many or more in %d of %d rows.", claim,
                  rows->held == rows->all ? "Holds"
                  : rows->held > 0        ? "Holds only in part"
                                          : "Does not hold",
                  rows->held, rows->all);
}

void beal_show_effort(struct experiment *x, const struct solved cells[BEAL_POSITIONS],
                      uint64_t limit)
{
    struct grid g;
    struct effort_rows rows = {0};
    grid_begin(&g, "beal-1990, Table 1: positions solved by effort", "effort");
    grid_column(&g, "published");
    grid_column(&g, "ours");
    for (int i = 0; i < EFFORTS; i++)
        if ((uint64_t)efforts[i].seconds * NODES_A_SECOND <= limit)
            show_row(&g, i, cells, &rows);
    note_claim(&g, &rows);
    grid_note(
        &g, "Seconds of the paper's program, about 1,500 nodes each; the text says 235 for 100 s, "
            "its table 237. Ours: nodes until the right move is best for good, counted strictly.");
    x->observer->show(x->observer->context, &g);
}
