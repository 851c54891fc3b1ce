/* The match in the head of the page: the player that the night leads to, against the others. */
#include "night_sections.h"

#include "elo_words.h"
#include "html.h"
#include "report_frame.h"

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
static int results_of(const struct night_page *p, const struct night_report_stage *s,
                      struct result results[NIGHT_PLAYERS])
{
    const struct night_recipe *recipe = &p->report->night.recipe;
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

/* A sentence on a result: "A is stronger than B: +61 Elo (95 % interval +40 to +83, 1,000
 * games)." */
static void write_sentence(const struct night_page *p, const struct result *r)
{
    static const char *const verdicts[] = {
        [ELO_AHEAD] = "%s is stronger than %s: ",
        [ELO_BEHIND] = "%s is weaker than %s: ",
        [ELO_OPEN] = "The games do not decide whether %s is stronger than %s: "};
    char elo[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX], words[NAMES + 64];
    snprintf(words, sizeof words, verdicts[r->verdict], r->player, r->opponent);
    html_text(p->out, words);
    fputs("<strong>", p->out);
    html_format(p->out, "%s Elo", elo_signed(r->estimate.elo, 0, elo));
    fputs("</strong>", p->out);
    html_format(p->out, " (95 %% interval %s, %s). ", elo_range(&r->estimate, 0, range),
                elo_games(&r->counts, games));
}

void night_write_match_result(const struct night_page *p, const struct night_report_stage *s)
{
    struct result results[NIGHT_PLAYERS];
    int count = results_of(p, s, results);
    if (count == 0)
        return;
    fputs("<p class=\"result\">", p->out);
    for (int i = 0; i < count && i < TOLD; i++)
        write_sentence(p, &results[i]);
    fputs("</p>\n", p->out);
}

/* The difference, with "decided" or not and its interval below. */
static void write_tile(const struct night_page *p, const struct result *r)
{
    static const char *const verdicts[] = {
        [ELO_AHEAD] = "stronger", [ELO_BEHIND] = "weaker", [ELO_OPEN] = "not decided"};
    char elo[FORMAT_MAX], figure[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX];
    char name[NAMES], note[3 * FORMAT_MAX];
    snprintf(name, sizeof name, "%s against %s", r->player, r->opponent);
    snprintf(figure, sizeof figure, "%.40s Elo", elo_signed(r->estimate.elo, 0, elo));
    snprintf(note, sizeof note, "%s: 95 %% interval %s, %s", verdicts[r->verdict],
             elo_range(&r->estimate, 0, range), elo_games(&r->counts, games));
    report_frame_verdict(p->out, elo_verdict_class(r->verdict), name, figure, note);
}

void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s)
{
    struct result results[NIGHT_PLAYERS];
    int count = results_of(p, s, results);
    for (int i = 0; i < count && i < TILES; i++)
        write_tile(p, &results[i]);
}
