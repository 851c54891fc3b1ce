/* grayling ratings: players of any matches on one scale. */
#include "command.h"

#include "elo.h"
#include "parse.h"
#include "suggest.h"

struct arguments {
    const char *anchor; /* as given */
    double prior;
};

#define AT(member) OPTION_AT(struct arguments, member)

static const struct option_row option_rows[] = {
    {"anchor", "NAME[=ELO]", AS_TEXT, AT(anchor),
     "the reference player, and its rating (0); else the mean of all players is 0"},
    {"prior", "N", AS_REAL, AT(prior),
     "games to add between two players who met, half of them drawn, for each way that they had "
     "the colours (1)",
     0, 1000},
    {0}};

static const struct command cmd = {
    "ratings",
    "usage: grayling ratings GAMES.pgn... [OPTIONS]\n\n"
    "Rates all players of the games on one scale: the Elo that make the results most\n"
    "likely, together with White's advantage and the share of draws (the ordinal\n"
    "model of Rao and Kupper, as in Bayeselo), with 95 % intervals. Players who never\n"
    "met are compared through others. A game without a result does not count.\n",
    option_rows,
    "The interval of a player is that of the difference from the anchor or the mean.\n"
    "\"above next\" is the probability that a player is better than the next one.\n\n"
    "  grayling ratings gauntlet.pgn match.pgn --anchor 'Toga II 3.0'\n",
    {"GAMES", "games", 1, OPERANDS_ANY}};

/* For qsort: players by falling rating. */
static int compare(const void *a, const void *b)
{
    const struct rated_player *const *x = a, *const *y = b;
    return ((*x)->elo < (*y)->elo) - ((*x)->elo > (*y)->elo);
}

static void print_ratings(const struct ratings *r, double prior)
{
    char games[COUNTED_MAX], players[COUNTED_MAX];
    const struct rated_player *order[RATINGS_PLAYERS];
    struct table out;
    for (int i = 0; i < r->player_count; i++)
        order[i] = &r->players[i];
    qsort(order, (size_t)r->player_count, sizeof *order, compare);
    table_begin(&out, "<0     player|>3 games|>4  score|>6  draws|>1    Elo|<295 %|>5above next");
    for (int i = 0; i < r->player_count; i++) {
        const struct rated_player *p = order[i];
        fprintf(out.rows, "%3d  %s\t%" PRId64 "\t%.1f %%\t%.1f %%\t%+.1f\t", i + 1,
                shown_text(p->name), p->games, 100 * p->points / (double)p->games,
                100 * (double)p->draws / (double)p->games, p->elo);
        if (p->margin > 0)
            fprintf(out.rows, "+/- %5.1f\t", p->margin);
        else
            fputs("anchor\t", out.rows);
        if (i + 1 < r->player_count)
            fprintf(out.rows, "%.1f %%",
                    100 * ratings_superiority(r, (int)(p - r->players),
                                              (int)(order[i + 1] - r->players)));
        putc('\n', out.rows);
    }
    table_end(&out, stdout);
    printf("\n%s of %s; White's advantage %+.1f +/- %.1f Elo; %.1f %% draws between equals\n",
           format_things(r->games, "game", games),
           format_things(r->player_count, "player", players), r->white_advantage, r->white_margin,
           100 * r->draws);
    printf("prior: %g even games for each pair of colours that met\n", prior);
    for (int i = 0; i < r->player_count; i++)
        if (r->players[i].mixed)
            printf("%s is rated as one player, but not all of its games have the same "
                   "parameters, command and options\n",
                   r->players[i].name);
    if (r->unfinished > 0)
        printf("%s without a result left out\n", format_things(r->unfinished, "game", games));
    if (r->broken > 0)
        printf("%s could not be read: %s\n", format_things(r->broken, "game", games),
               r->first_broken.text);
}

/* The player whose name is the first `length` characters of a text; -1: none. */
static int player_named(const struct ratings *r, const char *text, size_t length)
{
    for (int i = 0; i < r->player_count; i++)
        if (strlen(r->players[i].name) == length && strncmp(r->players[i].name, text, length) == 0)
            return i;
    return -1;
}

/* Measures from the player that --anchor names, whose name may have '=' in it. */
static bool anchor(struct ratings *r, const char *text, struct error *err)
{
    const char *equals = strrchr(text, '=');
    double elo = 0;
    int player = player_named(r, text, strlen(text));
    if (player < 0 && equals != NULL) {
        player = player_named(r, text, (size_t)(equals - text));
        if (!parse_double(equals + 1, &elo))
            return error_set(err, "--anchor: the Elo is a number, not '%s'", equals + 1);
    }
    if (player < 0) {
        struct suggestion near;
        suggest_init(&near, text);
        for (int i = 0; i < r->player_count; i++)
            suggest_offer(&near, r->players[i].name, r->players[i].name);
        return near.name == NULL ? error_set(err, "--anchor: no player '%s'; the first is '%s'",
                                             text, r->players[0].name)
                                 : error_set(err, "--anchor: no player '%s'; did you mean '%s'?",
                                             text, near.name);
    }
    ratings_anchor(r, player, elo);
    return true;
}

int cmd_ratings(int argc, char **argv)
{
    struct arguments a = {.prior = 1};
    struct ratings ratings = {0};
    struct error err = {""};
    const int code = options_read(&cmd, &argc, &argv, &a);
    bool good = true;
    if (code != OPTIONS_READ)
        return code;
    for (int i = 0; good && i < argc; i++)
        good = ratings_read(&ratings, argv[i], &err);
    good = good &&
           (ratings.games > 0 ||
            error_set(&err, "no games with a result%s%s", ratings.broken > 0 ? "; " : "",
                      ratings.first_broken.text)) &&
           ratings_find(&ratings, a.prior, &err) &&
           (a.anchor == NULL || anchor(&ratings, a.anchor, &err));
    if (good)
        print_ratings(&ratings, a.prior);
    ratings_free(&ratings);
    return good ? EXIT_DONE : command_fail(EXIT_BAD, &err);
}
