/* The match in the head of the page: the player that the night leads to, against the others. */
#include "night_sections.h"

#include "elo_words.h"
#include "night_page.h"
#include "report_frame.h"

#include <math.h>

enum { NAMES = 2 * RECIPE_NAME + 16, TOLD = 2, TILES = 4 };

/* A pairing of the night's final player. */
struct result {
    const char *player, *opponent;
    struct match_counts counts;
    struct elo_estimate estimate;
    enum elo_verdict verdict;
};

/* Gets the results of the final player, the opponents that matter most first. Returns their
 * number. */
static int results_of(const struct night_report *report, const struct night_report_stage *s,
                      struct result results[NIGHT_PLAYERS])
{
    const struct night_recipe *recipe = &report->night.recipe;
    int opponents[NIGHT_PLAYERS], player = night_final_player(recipe, s->stage), count = 0;
    int all = night_opponents(recipe, s->stage, player, opponents);
    for (int i = 0; i < all; i++) {
        struct result *r = &results[count];
        if (!night_games_between(s, player, opponents[i], &r->counts))
            continue;
        r->player = s->stage->players[player].name;
        r->opponent = s->stage->players[opponents[i]].name;
        r->estimate = elo_estimate(&r->counts);
        r->verdict = elo_verdict(&r->estimate);
        count++;
    }
    return count;
}

/* The difference, "+61 Elo"; where it is infinite, for too few games, what it is at least. */
static const char *figure_of(const struct result *r, char figure[FORMAT_MAX])
{
    const struct elo_estimate *e = &r->estimate;
    char elo[FORMAT_MAX];
    if (isfinite(e->elo))
        snprintf(figure, FORMAT_MAX, "%.40s Elo", elo_signed(e->elo, 0, elo));
    else if (r->verdict == ELO_OPEN)
        snprintf(figure, FORMAT_MAX, "too few games");
    else
        snprintf(figure, FORMAT_MAX, "%.40s Elo or %s",
                 elo_signed(e->elo > 0 ? e->elo_low : e->elo_high, 0, elo),
                 e->elo > 0 ? "more" : "less");
    return figure;
}

/* Writes a sentence on a result: "A is stronger than B: +61 Elo (95 % interval +40 to +83, 1,000
 * games at 5,000 nodes a move)." Returns its length. */
static int write_sentence(const struct result *r, int limit, char *text, size_t room)
{
    static const char *const before[] = {
        [ELO_AHEAD] = "", [ELO_BEHIND] = "", [ELO_OPEN] = "The games do not decide whether "};
    char figure[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX], nodes[FORMAT_MAX];
    if (r->verdict == ELO_OPEN && isinf(r->estimate.elo))
        return snprintf(text, room, "%s of %s against %s do not tell who is stronger. ",
                        elo_games(&r->counts, games), r->player, r->opponent);
    return snprintf(text, room,
                    "%s%s is %s than %s: %s (95 %% interval %s, %s at %s nodes a move). ",
                    before[r->verdict], r->player, r->verdict == ELO_BEHIND ? "weaker" : "stronger",
                    r->opponent, figure_of(r, figure), elo_range(&r->estimate, 0, range),
                    elo_games(&r->counts, games), format_count(limit, nodes));
}

void night_headline(const struct night_report *report, char text[NIGHT_HEADLINE])
{
    const struct night_report_stage *match = night_match_played(report);
    struct result results[NIGHT_PLAYERS];
    const int count = match == NULL ? 0 : results_of(report, match, results);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && i < TOLD && used < NIGHT_HEADLINE; i++)
        used += (size_t)write_sentence(&results[i], match->stage->limit, text + used,
                                       NIGHT_HEADLINE - used);
}

/* The difference, with "decided" or not and its interval below. */
static void write_tile(const struct night_page *p, const struct result *r)
{
    static const char *const verdicts[] = {
        [ELO_AHEAD] = "stronger", [ELO_BEHIND] = "weaker", [ELO_OPEN] = "not decided"};
    char figure[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX];
    char name[NAMES], note[3 * FORMAT_MAX];
    snprintf(name, sizeof name, "%s against %s", r->player, r->opponent);
    elo_games(&r->counts, games);
    if (r->verdict == ELO_OPEN && isinf(r->estimate.elo))
        snprintf(note, sizeof note, "not decided: %s", games);
    else
        snprintf(note, sizeof note, "%s: 95 %% interval %s, %s", verdicts[r->verdict],
                 elo_range(&r->estimate, 0, range), games);
    report_frame_verdict(p->out, elo_verdict_class(r->verdict), name, figure_of(r, figure), note);
}

void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s)
{
    struct result results[NIGHT_PLAYERS];
    int count = results_of(p->report, s, results);
    for (int i = 0; i < count && i < TILES; i++)
        write_tile(p, &results[i]);
}
