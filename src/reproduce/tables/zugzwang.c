/* The effect of zugzwang on each null-move method: david-2008, section 4 and Table 7. Here no
 * method requires a minimum of material for the null move. */
#include "count.h"
#include "null_move_methods.h"
#include "reproduction.h"

#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS_MAX = GRID_ROWS - 4, BEYOND = 12 };

/* The methods compared, and the columns that the claims refer to. The last two, verified null move
 * that reuses the table, have no row in Table 7. */
enum { OF_STANDARD_3 = 1, OF_REDUCTIONS = 4, IN_TABLE_7 = 6, OF_DESCRIBED = 7, COMPARED = 8 };
static const enum null_move_method compared[COMPARED] = {
    STANDARD_2,       [OF_STANDARD_3] = STANDARD_3,     ADAPTIVE_2_3,
    VERIFIED_3,       [OF_REDUCTIONS] = REDUCTIONS_3_4, REDUCTIONS_DR_1,
    VERIFIED_REUSE_3, [OF_DESCRIBED] = VERIFIED_REUSE_3};

/* Node limits of a search without null move, and with it. The first is smaller, since the second
 * search goes twelve plies deeper. */
static const struct {
    uint64_t without, with;
} node_limits[EXPERIMENT_SIZES] = {{200000, 800000}, {1000000, 300000000}, {10000000, 1000000000}};

/* The heading of a column of `compared`. */
static const char *column_name(int column)
{
    return column == OF_DESCRIBED ? "the same, the paper's search"
                                  : null_move_method_name(compared[column]);
}

/* A method that uses the null move in pawn endings too. */
static struct search_params unguarded(enum null_move_method method,
                                      const struct search_params *base)
{
    struct search_params p = null_move_method_params(method, base);
    p.value[NULL_MOVE_PAWN_ENDINGS] = 1;
    return p;
}

/* ---- the suite ---- */

/* The experiment in progress. */
struct zugzwang {
    struct experiment *x;
    struct dataset positions;
    struct solved without[POSITIONS_MAX]; /* without null move */
    struct solved with[POSITIONS_MAX][COMPARED];
    int solved_with[COMPARED]; /* of the positions solved without null move */
    int refuted[COMPARED];     /* of these, not solved twelve plies deeper */
    int solved_without;
    struct grid grid;
};

/* Removes positions that an earlier file has too. */
static void drop_repeated(struct dataset *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++) {
        bool seen = false;
        for (size_t j = 0; j < kept; j++)
            seen = seen || d->items[j].position.key == d->items[i].position.key;
        if (!seen)
            d->items[kept++] = d->items[i];
    }
    d->count = kept < POSITIONS_MAX ? kept : POSITIONS_MAX;
}

/* True if the final move is right. */
static bool is_solved(const struct solved *s)
{
    return s->stable.nodes > 0;
}

/* Searches all positions without null move, as deep as the node limit allows. */
static bool search_without(struct zugzwang *z, struct error *err)
{
    const struct search_params plain = search_plain_params(),
                               none = unguarded(NO_NULL_MOVE, &plain);
    const struct experiment_search search = {
        .step = "zugzwangs without null move",
        .positions = z->positions.items,
        .position_count = z->positions.count,
        .methods = &none,
        .method_count = 1,
        .limits = {.nodes = node_limits[z->x->size].without},
    };
    return experiment_solve(z->x, &search, z->without, err);
}

/* The depth for the methods in a position that is solved without null move. */
static int plies_beyond(const struct solved *without)
{
    int plies = without->stable.depth + BEYOND;
    return plies < MAX_DEPTH ? plies : MAX_DEPTH;
}

/* Searches a position with each method, twelve plies deeper than it is solved without. */
static bool search_with(struct zugzwang *z, size_t i, struct error *err)
{
    const struct search_params plain = search_plain_params(), described = david_2002_params();
    struct search_params methods[COMPARED];
    char step[GRID_NOTE];
    for (int m = 0; m < COMPARED; m++)
        methods[m] = unguarded(compared[m], m == OF_DESCRIBED ? &described : &plain);
    snprintf(step, sizeof step, "zugzwang %s", z->positions.items[i].id);
    const struct experiment_search search = {
        .step = step,
        .positions = &z->positions.items[i],
        .position_count = 1,
        .methods = methods,
        .method_count = COMPARED,
        .limits = {.nodes = node_limits[z->x->size].with, .depth = plies_beyond(&z->without[i])},
    };
    return experiment_solve(z->x, &search, z->with[i], err);
}

/* "12": solved at that depth; "no": not solved within the plies; "no, 20 plies": the nodes were
 * used up after 20 plies. */
static void show_cell(struct zugzwang *z, int row, int column, const struct solved *s, int plies)
{
    if (is_solved(s))
        grid_set(&z->grid, row, column, "%d", s->stable.depth);
    else if (s->depth >= plies)
        grid_set(&z->grid, row, column, "no");
    else
        grid_set(&z->grid, row, column, "no, %d plies", s->depth);
}

/* Writes the row of a position, and counts who solves it. */
static void show_position(struct zugzwang *z, size_t i)
{
    const struct solved *none = &z->without[i];
    int row = grid_row(&z->grid, "%s", z->positions.items[i].id);
    show_cell(z, row, 0, none, MAX_DEPTH);
    if (!is_solved(none))
        return;
    z->solved_without++;
    for (int m = 0; m < COMPARED; m++) {
        const struct solved *s = &z->with[i][m];
        int plies = plies_beyond(none);
        show_cell(z, row, m + 1, s, plies);
        z->solved_with[m] += is_solved(s);
        z->refuted[m] += !is_solved(s) && s->depth >= plies;
    }
}

/* Writes all rows and their totals. */
static void show_suite(struct zugzwang *z)
{
    char without[COUNT_MAX], with[COUNT_MAX];
    for (size_t i = 0; i < z->positions.count; i++)
        show_position(z, i);
    int row = grid_row(&z->grid, "solved");
    grid_set(&z->grid, row, 0, "%d of %zu", z->solved_without, z->positions.count);
    for (int m = 0; m < COMPARED; m++)
        grid_set(&z->grid, row, m + 1, "%d of %d", z->solved_with[m], z->solved_without);
    for (int m = 0; m < COMPARED; m++)
        grid_note(&z->grid, "%s: %d of %d solved; %d not solved twelve plies beyond, %d undecided.",
                  column_name(m), z->solved_with[m], z->solved_without, z->refuted[m],
                  z->solved_without - z->solved_with[m] - z->refuted[m]);
    grid_note(&z->grid,
              "Claim (david-2008, sections 3 and 5): null-move reductions are impervious to "
              "zugzwang, verified null move detects most, standard null move none. A number is the "
              "depth from which the right move stands, and each method goes %d plies beyond the "
              "depth of the search without null move.",
              BEYOND);
    grid_note(&z->grid, "Size: at most %s nodes a position without null move, %s with.",
              format_count((int64_t)node_limits[z->x->size].without, without),
              format_count((int64_t)node_limits[z->x->size].with, with));
}

/* Searches all positions without null move, and the solved ones with each method. */
static bool measure_suite(struct zugzwang *z, struct error *err)
{
    if (!test_suite_load(SUITE_ZUGZWANG, z->x->suites, &z->positions, err))
        return false;
    drop_repeated(&z->positions);
    bool good = search_without(z, err);
    for (size_t i = 0; good && i < z->positions.count; i++)
        if (is_solved(&z->without[i]))
            good = search_with(z, i, err);
    return good;
}

/* The suite by every method. */
static bool run_suite(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct zugzwang *z = calloc(1, sizeof *z);
    if (z == NULL)
        return error_set(err, "no memory for an experiment");
    z->x = x;
    grid_begin(&z->grid, r->title, "position");
    grid_column(&z->grid, null_move_method_name(NO_NULL_MOVE));
    for (int m = 0; m < COMPARED; m++)
        grid_column(&z->grid, column_name(m));
    bool good = measure_suite(z, err);
    if (good) {
        show_suite(z);
        x->observer->show(x->observer->context, &z->grid);
    }
    dataset_free(&z->positions);
    free(z);
    return good;
}

const struct reproduction zugzwang = {
    "zugzwang", "Zugzwang: the depth at which each null-move method finds the move", run_suite,
    NULL};

/* ---- Table 7 ---- */

/* david-2008, Figure 3: the first move is 1. h3, and mates in 15; 1. h4 draws. */
static const char figure_3[] = "8/8/8/2p5/1pp5/brpp4/1pprp2P/qnkbK3 w - - bm h3; id \"Figure 3\";";

static const struct {
    const char *engine, *move;
    int depth;
} published[] = {{"Junior 10", "h4 (0.00)", 62},  {"Fritz 8", "h3 (0.00)", 60},
                 {"Shredder 10", "h3 (#15)", 31}, {"Hiarcs 9", "h4 (0.00)", 30},
                 {"Crafty 19", "h4 (0.00)", 60},  {"Falcon", "h3 (#15)", 30}};

/* "h3 (#15)", "h4 (0.00)". */
static void show_move(struct grid *g, int row, const struct epd *epd, const struct solved *s)
{
    char san[SAN_MAX];
    int mate = score_mate_moves(s->score);
    move_to_san(&epd->position, s->best, san);
    if (mate != 0)
        grid_set(g, row, 0, "%s (#%d)", san, mate);
    else
        grid_set(g, row, 0, "%s (%.2f)", san, s->score / 100.0);
    grid_set(g, row, 1, "%d", s->depth);
    grid_set(g, row, 2, "%.1f M", (double)s->nodes / 1e6);
}

/* The depths of Figure 3: where the paper's program sees the mate, and where most others end. */
enum { FIGURE_DEPTHS = 2, ROWS = IN_TABLE_7 + 1 };
static const int figure_depths[FIGURE_DEPTHS] = {30, 60};

/* The method of a row; the first is without null move. */
static enum null_move_method method_of(int row)
{
    return row == 0 ? NO_NULL_MOVE : compared[row - 1];
}

/* Searches Figure 3 to a depth by the method of each row. */
static bool search_figure_3(struct experiment *x, const struct epd *epd, int depth,
                            struct solved cells[ROWS], struct error *err)
{
    const struct search_params plain = search_plain_params();
    struct search_params methods[ROWS];
    char step[GRID_NOTE];
    for (int row = 0; row < ROWS; row++)
        methods[row] = unguarded(method_of(row), &plain);
    snprintf(step, sizeof step, "Figure 3, %d plies", depth);
    const struct experiment_search search = {
        .step = step,
        .positions = epd,
        .position_count = 1,
        .methods = methods,
        .method_count = ROWS,
        .limits = {.depth = depth, .nodes = node_limits[x->size].with},
    };
    return experiment_solve(x, &search, cells, err);
}

/* The rows of the paper's engines. */
static void show_published(struct grid *g)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        int row = grid_row(g, "%s, published", published[i].engine);
        grid_set(g, row, 0, "%s", published[i].move);
        grid_set(g, row, 1, "%d", published[i].depth);
    }
}

/* True if the move is 1. h3 and the score a mate; without a mate, h3 may be a lucky choice. */
static bool finds_the_mate(const struct solved *s)
{
    return is_solved(s) && score_mate_moves(s->score) > 0;
}

/* Writes the result of each method at a depth, and whether reductions find the mate that standard
 * null move misses. */
static void show_depth(struct grid *g, const struct epd *epd, const struct solved cells[ROWS],
                       int depth)
{
    bool reductions = finds_the_mate(&cells[1 + OF_REDUCTIONS]);
    bool standard = finds_the_mate(&cells[1 + OF_STANDARD_3]);
    for (int row = 0; row < ROWS; row++)
        show_move(g, grid_row(g, "%s, ours", null_move_method_name(method_of(row))), epd,
                  &cells[row]);
    grid_note(g,
              "Claim: null-move reductions find 1. h3 and the mate in 15 (without the mate it is a "
              "guess, as there are two moves), standard null move does not. At %d plies it %s "
              "here: NMR R = 3~4 %s, standard R = 3 %s.",
              depth, reductions && !standard ? "holds" : "does not hold",
              reductions ? "finds both" : "does not find both",
              standard ? "finds both" : "does not find both");
}

/* Table 7: the moves of the paper's engines and ours in Figure 3. */
static bool run_table_7(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct epd epd;
    struct grid g;
    char limit[COUNT_MAX];
    if (!epd_parse(figure_3, &epd, err))
        return false;
    grid_begin(&g, r->title, "");
    grid_column(&g, "move (score)");
    grid_column(&g, "depth");
    grid_column(&g, "nodes");
    show_published(&g);
    for (int i = 0; i < FIGURE_DEPTHS; i++) {
        struct solved cells[ROWS];
        if (!search_figure_3(x, &epd, figure_depths[i], cells, err))
            return false;
        show_depth(&g, &epd, cells, figure_depths[i]);
    }
    grid_note(&g,
              "Differs: the other engines of the paper are not to be had, nor does it say how they "
              "use the null move; each row of ours is one engine with another null move, which is "
              "not tried where beta is the score of a mate. At most %s nodes.",
              format_count((int64_t)node_limits[x->size].with, limit));
    x->observer->show(x->observer->context, &g);
    return true;
}

const struct reproduction david_2008_table_7 = {
    "david-2008-table-7", "david-2008, Table 7: the position of Figure 3", run_table_7, NULL};
