#include "ratings.h"

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

/* Games of two players with these colours, the prior ones among them. */
struct cell {
    int white, black;
    double wins, draws, losses;
};

/* A fit in progress. The parameters, in natural units: the ratings of players 1 to n - 1, that of player 0
 * being 0; White's advantage; the margin. */
struct fit {
    struct cell *cells;
    size_t count;
    int players;
    gsl_vector *at, *next, *gradient, *step;
    gsl_matrix *information; /* the negative second derivatives; later their inverse */
};

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static size_t advantage_of(const struct fit *f)
{
    return (size_t)f->players - 1;
}

static size_t margin_of(const struct fit *f)
{
    return (size_t)f->players;
}

/* White's lead in a cell. */
static double lead(const struct fit *f, const struct cell *p, const gsl_vector *at)
{
    double white = p->white == 0 ? 0 : gsl_vector_get(at, (size_t)p->white - 1);
    double black = p->black == 0 ? 0 : gsl_vector_get(at, (size_t)p->black - 1);
    return white - black + gsl_vector_get(at, advantage_of(f));
}

/* ---- the likelihood ---- */

/* The chances of a game: of White's not losing, and of winning. */
struct chances {
    double not_lost, won;
};

static struct chances chances_of(const struct fit *f, const struct cell *p, const gsl_vector *at)
{
    double x = lead(f, p, at), margin = gsl_vector_get(at, margin_of(f));
    return (struct chances){logistic(x + margin), logistic(x - margin)};
}

/* The logarithm of the likelihood; -infinity outside of the model. */
static double likelihood(const struct fit *f, const gsl_vector *at)
{
    double sum = 0;
    if (gsl_vector_get(at, margin_of(f)) <= 0)
        return -INFINITY;
    for (size_t i = 0; i < f->count; i++) {
        const struct cell *p = &f->cells[i];
        struct chances c = chances_of(f, p, at);
        sum += p->wins * log(c.won) + p->losses * log1p(-c.not_lost) +
               p->draws * log(c.not_lost - c.won);
    }
    return isnan(sum) ? -INFINITY : sum;
}

/* First and negative second derivatives of a cell's part, by lead and margin. */
struct derivatives {
    double lead, margin, lead2, cross, margin2;
};

static struct derivatives derive(const struct fit *f, const struct cell *p)
{
    struct chances c = chances_of(f, p, f->at);
    double wins = p->wins, losses = p->losses, draws = p->draws;
    double high = c.not_lost * (1 - c.not_lost), low = c.won * (1 - c.won);
    double width = c.not_lost - c.won, ratio = (high + low) / width;
    double bend = (high * (1 - 2 * c.not_lost) - low * (1 - 2 * c.won)) / width;
    return (struct derivatives){
        .lead = wins * (1 - c.won) - losses * c.not_lost + draws * (1 - c.not_lost - c.won),
        .margin = draws * ratio - wins * (1 - c.won) - losses * c.not_lost,
        .lead2 = wins * low + losses * high + draws * (high + low),
        .cross = losses * high - wins * low + draws * (high - low),
        .margin2 = wins * low + losses * high + draws * (ratio * ratio - bend),
    };
}

static void add(gsl_matrix *m, size_t a, size_t b, double value)
{
    *gsl_matrix_ptr(m, a, b) += value;
}

/* Adds what a cell says. A parameter's sign in the lead is +1 for White and the advantage, -1 for Black. */
static void add_cell(struct fit *f, const struct cell *p)
{
    const struct derivatives d = derive(f, p);
    const size_t margin = margin_of(f);
    const struct {
        int parameter, sign;
    } in_lead[] = {{p->white - 1, 1}, {p->black - 1, -1}, {(int)advantage_of(f), 1}};
    for (int i = 0; i < 3; i++) {
        if (in_lead[i].parameter < 0)
            continue;
        const size_t a = (size_t)in_lead[i].parameter;
        *gsl_vector_ptr(f->gradient, a) += in_lead[i].sign * d.lead;
        add(f->information, a, margin, in_lead[i].sign * d.cross);
        add(f->information, margin, a, in_lead[i].sign * d.cross);
        for (int k = 0; k < 3; k++)
            if (in_lead[k].parameter >= 0)
                add(f->information, a, (size_t)in_lead[k].parameter,
                    in_lead[i].sign * in_lead[k].sign * d.lead2);
    }
    *gsl_vector_ptr(f->gradient, margin) += d.margin;
    add(f->information, margin, margin, d.margin2);
}

/* Finds the gradient, and takes the information apart into its Cholesky factor. */
static bool derive_all(struct fit *f)
{
    gsl_vector_set_zero(f->gradient);
    gsl_matrix_set_zero(f->information);
    for (size_t i = 0; i < f->count; i++)
        add_cell(f, &f->cells[i]);
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

/* Climbs to the top and inverts the information there. */
static bool find_top(struct fit *f)
{
    gsl_vector_set_zero(f->at);
    gsl_vector_set(f->at, margin_of(f), 0.5);
    for (int i = 0; i < STEPS_MAX; i++) {
        const double here = likelihood(f, f->at);
        if (!derive_all(f) ||
            gsl_linalg_cholesky_solve(f->information, f->gradient, f->step) != GSL_SUCCESS)
            return false;
        if (climb(f, here) <= SMALLEST_GAIN * (1 + fabs(here)))
            break;
    }
    return derive_all(f) && gsl_linalg_cholesky_invert(f->information) == GSL_SUCCESS;
}

/* ---- results ---- */

/* The covariance of two ratings; that of player 0, who is fixed, is 0. */
static double covariance_of(const struct fit *f, int a, int b)
{
    return a == 0 || b == 0 ? 0 : gsl_matrix_get(f->information, (size_t)a - 1, (size_t)b - 1);
}

static double *cell(struct ratings *r, int a, int b)
{
    return &r->covariance[(size_t)a * (size_t)r->players + (size_t)b];
}

/* Makes the mean of all ratings, which has no error then, 0. */
static void centre(struct ratings *r)
{
    const int n = r->players;
    double mean = 0, all = 0, *rows = r->margin; /* not in use yet */
    for (int a = 0; a < n; a++) {
        mean += r->elo[a] / n;
        rows[a] = 0;
        for (int b = 0; b < n; b++)
            rows[a] += *cell(r, a, b) / n;
        all += rows[a] / n;
    }
    for (int a = 0; a < n; a++) {
        r->elo[a] -= mean;
        for (int b = 0; b < n; b++)
            *cell(r, a, b) += all - rows[a] - rows[b];
    }
    for (int a = 0; a < n; a++)
        r->margin[a] = QUANTILE * sqrt(fmax(*cell(r, a, a), 0));
}

/* Takes the results in Elo from a fit at its top. */
static void take_results(const struct fit *f, struct ratings *r)
{
    const size_t advantage = advantage_of(f);
    const double even = logistic(gsl_vector_get(f->at, margin_of(f)));
    const double unit = ELO_A_UNIT * 4 * even * (1 - even);
    for (int a = 0; a < r->players; a++) {
        r->elo[a] = a == 0 ? 0 : unit * gsl_vector_get(f->at, (size_t)a - 1);
        for (int b = 0; b < r->players; b++)
            *cell(r, a, b) = unit * unit * covariance_of(f, a, b);
    }
    r->white_advantage = unit * gsl_vector_get(f->at, advantage);
    r->white_margin = QUANTILE * unit * sqrt(gsl_matrix_get(f->information, advantage, advantage));
    r->draws = 2 * even - 1;
    centre(r);
}

/* ---- who has met whom ---- */

static int group_of(const int *groups, int player)
{
    while (groups[player] != player)
        player = groups[player];
    return player;
}

/* Whether all players are connected by games. */
static bool connected(const struct rated_pair *pairs, size_t count, const char *const *names,
                      int players, struct error *err)
{
    int *groups = malloc((size_t)players * sizeof *groups), apart = 0;
    if (groups == NULL)
        return error_set(err, "no memory for %d players", players);
    for (int i = 0; i < players; i++)
        groups[i] = i;
    for (size_t i = 0; i < count; i++)
        groups[group_of(groups, pairs[i].white)] = group_of(groups, pairs[i].black);
    while (apart < players && group_of(groups, apart) == group_of(groups, 0))
        apart++;
    free(groups);
    return apart == players ||
           error_set(err, "no games connect %s with %s; rate them apart", names[apart], names[0]);
}

/* Fills in the cells: each pair with half of its prior games, and the other half with the colours
 * reversed. */
static void fill_cells(struct fit *f, const struct rated_pair *pairs, size_t count, double prior)
{
    const double drawn = prior / 4, won = prior / 8;
    for (size_t i = 0; i < count; i++) {
        const struct rated_pair *p = &pairs[i];
        f->cells[2 * i] = (struct cell){p->white, p->black, (double)p->wins + won,
                                        (double)p->draws + drawn, (double)p->losses + won};
        f->cells[2 * i + 1] = (struct cell){p->black, p->white, won, drawn, won};
    }
}

static bool fit_create(struct fit *f)
{
    const size_t n = (size_t)f->players + 1;
    f->cells = malloc(f->count * sizeof *f->cells);
    f->at = gsl_vector_alloc(n);
    f->next = gsl_vector_alloc(n);
    f->gradient = gsl_vector_alloc(n);
    f->step = gsl_vector_alloc(n);
    f->information = gsl_matrix_alloc(n, n);
    return f->cells != NULL && f->at != NULL && f->next != NULL && f->gradient != NULL &&
           f->step != NULL && f->information != NULL;
}

static void fit_free(struct fit *f)
{
    free(f->cells);
    gsl_vector_free(f->at);
    gsl_vector_free(f->next);
    gsl_vector_free(f->gradient);
    gsl_vector_free(f->step);
    gsl_matrix_free(f->information);
}

static bool results_create(struct ratings *r, int players)
{
    const size_t n = (size_t)players;
    *r = (struct ratings){.players = players,
                          .elo = calloc(n, sizeof *r->elo),
                          .margin = calloc(n, sizeof *r->margin),
                          .covariance = calloc(n * n, sizeof *r->covariance)};
    return r->elo != NULL && r->margin != NULL && r->covariance != NULL;
}

/* Fits, with memory for everything. */
static bool fit_and_take(struct fit *f, const struct rated_pair *pairs, double prior,
                         struct ratings *r, struct error *err)
{
    if (!fit_create(f) || !results_create(r, f->players))
        return error_set(err, "no memory for %d players", f->players);
    fill_cells(f, pairs, f->count / 2, prior);
    if (!find_top(f))
        return error_set(err, "the likelihood of these games has no clear maximum");
    take_results(f, r);
    return true;
}

/* ---- the interface ---- */

bool ratings_find(const struct rated_pair *pairs, size_t count, const char *const *names,
                  int players, double prior, struct ratings *r, struct error *err)
{
    struct fit f = {.count = 2 * count, .players = players};
    *r = (struct ratings){0};
    if (players < 2 || players > RATINGS_PLAYERS)
        return error_set(err, "%d players; expected 2 to %d", players, RATINGS_PLAYERS);
    if (!connected(pairs, count, names, players, err))
        return false;
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* it would end the program */
    bool found = fit_and_take(&f, pairs, prior, r, err);
    gsl_set_error_handler(before);
    fit_free(&f);
    return found;
}

double ratings_difference_margin(const struct ratings *r, int a, int b)
{
    const double *row_a = r->covariance + (size_t)a * (size_t)r->players;
    const double *row_b = r->covariance + (size_t)b * (size_t)r->players;
    return QUANTILE * sqrt(fmax(row_a[a] + row_b[b] - 2 * row_a[b], 0));
}

double ratings_superiority(const struct ratings *r, int a, int b)
{
    const double deviation = ratings_difference_margin(r, a, b) / QUANTILE;
    return gsl_cdf_ugaussian_P((r->elo[a] - r->elo[b]) / deviation);
}

void ratings_anchor(struct ratings *r, int player, double elo)
{
    const double move = elo - r->elo[player];
    for (int a = 0; a < r->players; a++) {
        r->elo[a] += move;
        r->margin[a] = ratings_difference_margin(r, a, player);
    }
}

void ratings_free(struct ratings *r)
{
    free(r->elo);
    free(r->margin);
    free(r->covariance);
}
