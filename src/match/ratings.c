#include "array.h"
#include "elo.h"
#include "pgn.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The normal quantile of a 95 % interval, and Elo per natural unit of the logistic curve. */
#define QUANTILE      1.959963984540054
#define ELO_A_UNIT    (400 / M_LN10)

#define STEPS_MAX     200
#define SMALLEST_GAIN 1e-12 /* of the likelihood's logarithm, relative */

/* ---- games ---- */

/* The number of a player, who is added if new. -1 with the reason. */
static int player_named(struct ratings *r, const char *name, const struct pgn_sets *with,
                        struct error *err)
{
    const char *const parts[] = {with->evaluation, with->search, with->command, with->engine,
                                 with->options};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    char sums[PARTS][CHECKSUM_MAX], sets[CHECKSUM_MAX];
    for (int i = 0; i < PARTS; i++)
        checksum_bytes(parts[i], strlen(parts[i]), sums[i]);
    checksum_bytes(sums, sizeof sums, sets);
    for (int i = 0; i < r->player_count; i++)
        if (strcmp(r->players[i].name, name) == 0) {
            r->players[i].mixed |= strcmp(r->players[i].sets, sets) != 0;
            return i;
        }
    char *kept = r->player_count < RATINGS_PLAYERS ? strdup(name) : NULL;
    if (kept == NULL) {
        error_set(err, "more than %d players, or no memory for them", RATINGS_PLAYERS);
        return -1;
    }
    r->players[r->player_count].name = kept;
    memcpy(r->players[r->player_count].sets, sets, CHECKSUM_MAX);
    return r->player_count++;
}

/* The pair with these colours, which is added if new. NULL with the reason. */
static struct rated_pair *pair_of(struct ratings *r, int white, int black, struct error *err)
{
    for (size_t i = 0; i < r->pair_count; i++)
        if (r->pairs[i].white == white && r->pairs[i].black == black)
            return &r->pairs[i];
    if (!array_grow(r->pairs, r->pair_count))
        return error_null(err, "no memory for pairs of players");
    r->pairs[r->pair_count] = (struct rated_pair){.white = white, .black = black};
    return &r->pairs[r->pair_count++];
}

static bool add_game(struct ratings *r, const struct pgn_game *game, const char *path,
                     struct error *err)
{
    if (game->result == PGN_UNKNOWN) {
        r->unfinished++;
        return true;
    }
    const char *const names[] = {game->white, game->black};
    for (int i = 0; i < 2; i++)
        if (names[i][0] == '\0' || strcmp(names[i], "?") == 0)
            return error_set(err, "%s:%ld: game %ld does not name both players", path, game->line,
                             game->number);
    if (strcmp(game->white, game->black) == 0)
        return error_set(err, "%s:%ld: game %ld: %s plays itself", path, game->line, game->number,
                         game->white);
    int white = player_named(r, game->white, &game->white_sets, err);
    int black = white < 0 ? -1 : player_named(r, game->black, &game->black_sets, err);
    struct rated_pair *pair = black < 0 ? NULL : pair_of(r, white, black, err);
    if (pair == NULL)
        return false;
    const bool won = game->result == PGN_WHITE_WINS, drawn = game->result == PGN_DRAW;
    pair->wins += won;
    pair->draws += drawn;
    pair->losses += !won && !drawn;
    for (int i = 0; i < 2; i++) {
        struct rated_player *p = &r->players[i == 0 ? white : black];
        p->games++;
        p->draws += drawn;
        p->points += drawn ? 0.5 : won == (i == 0);
    }
    r->games++;
    return true;
}

bool ratings_read(struct ratings *r, const char *path, struct error *err)
{
    struct pgn_game game;
    struct error reason;
    enum pgn_status status;
    struct pgn_reader *reader = pgn_open(path, err);
    bool good = reader != NULL;
    while (good && (status = pgn_next(reader, &game, &reason)) != PGN_END) {
        if (status == PGN_GAME)
            good = add_game(r, &game, path, err);
        else if (status == PGN_FAILED)
            good = error_set(err, "%s", reason.text);
        else if (r->broken++ == 0)
            r->first_broken = reason;
    }
    pgn_close(reader);
    return good;
}

void ratings_free(struct ratings *r)
{
    for (int i = 0; i < r->player_count; i++)
        free(r->players[i].name);
    free(r->pairs);
    free(r->covariance);
}

/* ---- the likelihood ---- */

/* A fit in progress. The parameters, in natural units: the ratings of n players; White's advantage; the margin. */
struct fit {
    const struct ratings *games;
    double prior;
    size_t advantage, margin; /* where these are: n, n + 1 */
    gsl_vector *at, *next, *gradient, *step;
    gsl_matrix *information; /* the negative second derivatives; later their inverse */
};

/* Games of two players with these colours, prior ones among them; the chances of White's not losing, and of winning. */
struct cell {
    size_t white, black;
    double wins, draws, losses;
    double not_lost, won;
};

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Each pair makes two cells: its games with half of the prior ones, and the other half with the colours reversed. */
static struct cell cell_of(const struct fit *f, size_t i, const gsl_vector *at)
{
    const struct rated_pair *p = &f->games->pairs[i / 2];
    const double drawn = f->prior / 4, won = f->prior / 8;
    const size_t white = (size_t)p->white, black = (size_t)p->black;
    struct cell c = i % 2 == 0 ? (struct cell){white, black, (double)p->wins + won,
                                               (double)p->draws + drawn, (double)p->losses + won}
                               : (struct cell){black, white, won, drawn, won};
    const double lead = gsl_vector_get(at, c.white) - gsl_vector_get(at, c.black) +
                        gsl_vector_get(at, f->advantage);
    c.not_lost = logistic(lead + gsl_vector_get(at, f->margin));
    c.won = logistic(lead - gsl_vector_get(at, f->margin));
    return c;
}

/* The logarithm of the likelihood; -infinity outside of the model. */
static double likelihood(const struct fit *f, const gsl_vector *at)
{
    double sum = 0;
    if (gsl_vector_get(at, f->margin) <= 0)
        return -INFINITY;
    for (size_t i = 0; i < 2 * f->games->pair_count; i++) {
        const struct cell c = cell_of(f, i, at);
        sum +=
            c.wins * log(c.won) + c.losses * log1p(-c.not_lost) + c.draws * log(c.not_lost - c.won);
    }
    return isnan(sum) ? -INFINITY : sum;
}

/* Adds what a cell says: first and negative second derivatives by White's lead and by the margin. A
 * parameter's sign in the lead is +1 for White and the advantage, -1 for Black. */
static void add_cell(struct fit *f, const struct cell *c)
{
    const double high = c->not_lost * (1 - c->not_lost), low = c->won * (1 - c->won);
    const double width = c->not_lost - c->won, ratio = (high + low) / width;
    const double bend = (high * (1 - 2 * c->not_lost) - low * (1 - 2 * c->won)) / width;
    const double lead =
        c->wins * (1 - c->won) - c->losses * c->not_lost + c->draws * (1 - c->not_lost - c->won);
    const double lead2 = c->wins * low + c->losses * high + c->draws * (high + low);
    const double cross = c->losses * high - c->wins * low + c->draws * (high - low);
    /* the parameters, with their signs in the lead; the last is the margin, which is not in it */
    const size_t at[] = {c->white, c->black, f->advantage, f->margin};
    const int signs[] = {1, -1, 1};
    const double margin2 = c->wins * low + c->losses * high + c->draws * (ratio * ratio - bend);
    *gsl_vector_ptr(f->gradient, f->margin) +=
        c->draws * ratio - c->wins * (1 - c->won) - c->losses * c->not_lost;
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            *gsl_vector_ptr(f->gradient, at[i]) += signs[i] * lead;
        for (int k = 0; k < 4; k++)
            *gsl_matrix_ptr(f->information, at[i], at[k]) +=
                i < 3 && k < 3   ? signs[i] * signs[k] * lead2
                : i < 3 || k < 3 ? signs[i < 3 ? i : k] * cross
                                 : margin2;
    }
}

/* Finds the gradient, and takes the information apart into its Cholesky factor. All ratings may move
 * together, of which games say nothing; 1 between any two of them pins down their sum. */
static bool derive(struct fit *f)
{
    gsl_vector_set_zero(f->gradient);
    gsl_matrix_set_zero(f->information);
    gsl_matrix_view ratings =
        gsl_matrix_submatrix(f->information, 0, 0, f->advantage, f->advantage);
    gsl_matrix_set_all(&ratings.matrix, 1);
    for (size_t i = 0; i < 2 * f->games->pair_count; i++) {
        const struct cell c = cell_of(f, i, f->at);
        add_cell(f, &c);
    }
    return gsl_linalg_cholesky_decomp1(f->information) == GSL_SUCCESS;
}

/* ---- the climb ---- */

/* Moves along the step, or a part of it, uphill. Returns what the likelihood gained. */
static double climb(struct fit *f, double from)
{
    for (double part = 1; part > 1e-9; part /= 2) {
        gsl_vector_memcpy(f->next, f->step);
        gsl_vector_scale(f->next, part);
        gsl_vector_add(f->next, f->at);
        double gain = likelihood(f, f->next) - from;
        if (gain > 0) {
            gsl_vector_memcpy(f->at, f->next);
            return gain;
        }
    }
    return 0;
}

static bool find_top(struct fit *f)
{
    gsl_vector_set_zero(f->at);
    gsl_vector_set(f->at, f->margin, 0.5);
    for (int i = 0; i < STEPS_MAX; i++) {
        const double here = likelihood(f, f->at);
        if (!derive(f) ||
            gsl_linalg_cholesky_solve(f->information, f->gradient, f->step) != GSL_SUCCESS)
            return false;
        if (climb(f, here) <= SMALLEST_GAIN * (1 + fabs(here)))
            break;
    }
    return derive(f) && gsl_linalg_cholesky_invert(f->information) == GSL_SUCCESS;
}

/* Takes the results in Elo from a fit at its top. What pins down the sum of the ratings has no part in their errors. */
static void take_results(const struct fit *f, struct ratings *r)
{
    const size_t n = f->advantage;
    const double even = logistic(gsl_vector_get(f->at, f->margin));
    const double unit = ELO_A_UNIT * 4 * even * (1 - even);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++)
            r->covariance[a * n + b] =
                unit * unit * (gsl_matrix_get(f->information, a, b) - 1 / ((double)n * (double)n));
        r->players[a].elo = unit * gsl_vector_get(f->at, a);
        r->players[a].margin = QUANTILE * sqrt(fmax(r->covariance[a * n + a], 0));
    }
    r->white_advantage = unit * gsl_vector_get(f->at, n);
    r->white_margin = QUANTILE * unit * sqrt(gsl_matrix_get(f->information, n, n));
    r->draws = 2 * even - 1;
}

/* ---- ratings ---- */

static int group_of(const int *groups, int player)
{
    while (groups[player] != player)
        player = groups[player];
    return player;
}

static bool connected(const struct ratings *r, struct error *err)
{
    int groups[RATINGS_PLAYERS], apart = 0;
    for (int i = 0; i < r->player_count; i++)
        groups[i] = i;
    for (size_t i = 0; i < r->pair_count; i++)
        groups[group_of(groups, r->pairs[i].white)] = group_of(groups, r->pairs[i].black);
    while (apart < r->player_count && group_of(groups, apart) == group_of(groups, 0))
        apart++;
    return apart == r->player_count ||
           error_set(err, "no games connect %s with %s; rate them apart", r->players[apart].name,
                     r->players[0].name);
}

bool ratings_find(struct ratings *r, double prior, struct error *err)
{
    const size_t n = (size_t)r->player_count;
    if (n < 2 || n > RATINGS_PLAYERS)
        return error_set(err, "%zu players; expected 2 to %d", n, RATINGS_PLAYERS);
    if (!connected(r, err))
        return false;
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* it would end the program */
    struct fit f = {.games = r,
                    .prior = prior,
                    .advantage = n,
                    .margin = n + 1,
                    .information = gsl_matrix_alloc(n + 2, n + 2)};
    gsl_vector **const vectors[] = {&f.at, &f.next, &f.gradient, &f.step};
    r->covariance = calloc(n * n, sizeof *r->covariance);
    bool good = f.information != NULL && r->covariance != NULL;
    for (int i = 0; i < 4; i++)
        good = (*vectors[i] = gsl_vector_alloc(n + 2)) != NULL && good;
    if (!good)
        error_set(err, "no memory for %zu players", n);
    else if (!find_top(&f))
        good = error_set(err, "the likelihood of these games has no clear maximum");
    else
        take_results(&f, r);
    gsl_set_error_handler(before);
    for (int i = 0; i < 4; i++)
        gsl_vector_free(*vectors[i]);
    gsl_matrix_free(f.information);
    return good;
}

/* The standard deviation of the difference of two players. */
static double deviation_between(const struct ratings *r, int a, int b)
{
    const double *row_a = r->covariance + (size_t)a * (size_t)r->player_count;
    const double *row_b = r->covariance + (size_t)b * (size_t)r->player_count;
    return sqrt(fmax(row_a[a] + row_b[b] - 2 * row_a[b], 0));
}

double ratings_superiority(const struct ratings *r, int a, int b)
{
    return gsl_cdf_ugaussian_P((r->players[a].elo - r->players[b].elo) /
                               deviation_between(r, a, b));
}

void ratings_anchor(struct ratings *r, int player, double elo)
{
    const double move = elo - r->players[player].elo;
    for (int a = 0; a < r->player_count; a++) {
        r->players[a].elo += move;
        r->players[a].margin = QUANTILE * deviation_between(r, a, player);
    }
}
