/* The match of a night: in the head of the page, the player that the night leads to against the others; in its
 * section the players, their results, and the worth of each stage. */
#include "night_page.h"

#include "elo_words.h"
#include "html.h"
#include "night_sections.h"
#include "paths.h"
#include "plot.h"
#include "report_frame.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int64_t games_of(const struct match_counts *c)
{
    return c->wins + c->draws + c->losses;
}

static const char *name_of(const struct night_report_stage *s, int player)
{
    return s->stage->players[player].name;
}

/* True if a match has a pair of games. The first pairing is the first to have one. */
static bool has_games(const struct night_report_stage *s)
{
    return s->pairing_count > 0 && games_of(&s->pairings[0].counts) > 1;
}

const struct night_report_stage *night_match_played(const struct night_report *r)
{
    for (int i = r->night.recipe.stage_count - 1; i >= 0; i--)
        if (has_games(&r->stages[i]))
            return &r->stages[i];
    return NULL;
}

/* ---- in the head of the page ---- */

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

/* ---- ablations ---- */

/* The origin of a player's evaluation or search: a link to a stage, the name of a file, or a
 * word. */
static void write_half(const struct night_page *p, const char *half)
{
    const struct night_stage *stage = night_stage_find(&p->report->night.recipe, half);
    char id[NIGHT_ID];
    if (stage != NULL)
        fprintf(p->out, "<a href=\"#%s\">%s</a>", night_stage_id(stage, id), stage->name);
    else if (path_name(half) != half) {
        fputs("<code>", p->out);
        html_text(p->out, path_name(half));
        fputs("</code>", p->out);
    } else
        html_text(p->out, half);
}

/* "+61 Elo" with its interval and its meaning. */
static void write_verdict(const struct night_page *p, const struct match_counts *c,
                          const char *ahead, const char *behind)
{
    const struct elo_estimate e = elo_estimate(c);
    enum elo_verdict verdict = elo_verdict(&e);
    char elo[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX];
    fputs("<strong>", p->out);
    html_format(p->out, "%s Elo", elo_signed(e.elo, 1, elo));
    fputs("</strong>", p->out);
    html_format(p->out, " (95 %% interval %s): ", elo_range(&e, 1, range));
    if (verdict == ELO_OPEN)
        html_format(p->out, "%s do not decide whether ", elo_games(c, games));
    fputs(verdict == ELO_BEHIND ? behind : ahead, p->out);
}

/* The end of the sentence: what the stage's evaluation or search is compared with. */
static void write_other(const struct night_page *p, const char *half)
{
    if (strcmp(half, NIGHT_PLAIN) == 0)
        fputs("plain alpha-beta", p->out);
    else if (strcmp(half, NIGHT_RANDOM) == 0)
        fputs("a random one", p->out);
    else {
        fputs("that of ", p->out);
        write_half(p, half);
    }
}

/* Compares a stage's evaluation or search with the other. */
static void write_comparison(const struct night_page *p, const struct night_report_stage *s,
                             const struct night_ablation *w)
{
    const struct night_player *without = &s->stage->players[w->without];
    if (w->is_search) {
        write_verdict(p, &w->counts, "its search is better than ", "its search is worse than ");
        write_other(p, without->search);
        fputs(", with the same evaluation", p->out);
    } else {
        write_verdict(p, &w->counts, "its evaluation is better than ",
                      "its evaluation is worse than ");
        write_other(p, without->evaluation);
        fputs(", with the same search", p->out);
    }
}

/* A sentence on an ablation. */
static void write_ablation(const struct night_page *p, const struct night_report_stage *s,
                           const struct night_ablation *w)
{
    const struct elo_estimate e = elo_estimate(&w->counts);
    fprintf(p->out, "<li class=\"%s\">", elo_verdict_class(elo_verdict(&e)));
    write_half(p, w->stage->name);
    fputs(": ", p->out);
    if (games_of(&w->counts) > 1)
        write_comparison(p, s, w);
    else
        fputs("no pair of games has been played yet", p->out);
    html_format(p->out, " (%s against %s).", name_of(s, w->with), name_of(s, w->without));
    fputs("</li>\n", p->out);
}

/* True if a stage has an ablation. */
static bool has_ablation(const struct night_stage *stage, const struct night_ablation *ablations,
                         int count)
{
    for (int i = 0; i < count; i++)
        if (ablations[i].stage == stage)
            return true;
    return false;
}

/* The stages without an ablation. */
static void write_unknown(const struct night_page *p, const struct night_report_stage *s,
                          const struct night_ablation *ablations, int count)
{
    for (const struct night_stage *stage = p->report->night.recipe.stages; stage < s->stage;
         stage++) {
        if (stage->is_match || has_ablation(stage, ablations, count))
            continue;
        fputs("<li class=\"open\">", p->out);
        write_half(p, stage->name);
        fputs(": no two players differ in this stage alone.</li>\n", p->out);
    }
}

static void write_ablations(const struct night_page *p, const struct night_report_stage *s)
{
    struct night_ablation ablations[NIGHT_PAIRINGS];
    int count = night_ablations(&p->report->night.recipe, s, ablations);
    fputs("<h3>What each stage was worth</h3>\n<ul class=\"findings\">\n", p->out);
    for (int i = 0; i < count; i++)
        write_ablation(p, s, &ablations[i]);
    write_unknown(p, s, ablations, count);
    fputs("</ul>\n", p->out);
}

/* ---- the pairings ---- */

static void write_pairing(const struct night_page *p, const struct night_report_stage *s,
                          const struct night_pairing *pairing)
{
    const struct match_counts *c = &pairing->counts;
    const struct elo_estimate e = elo_estimate(c);
    char elo[FORMAT_MAX], range[FORMAT_MAX], chance[FORMAT_MAX], games[FORMAT_MAX];
    fputs("<tr><th scope=\"row\">", p->out);
    html_format(p->out, "%s – %s", name_of(s, pairing->a), name_of(s, pairing->b));
    if (games_of(c) < 2)
        fputs("</th><td>–</td><td>–</td><td>–</td>", p->out);
    else {
        fprintf(p->out, "</th><td class=\"%s\">%s</td><td>%s</td><td>",
                elo_verdict_class(elo_verdict(&e)), elo_signed(e.elo, 1, elo),
                elo_range(&e, 1, range));
        html_text(p->out, elo_chance(e.los, chance));
        fputs("</td>", p->out);
    }
    fprintf(p->out, "<td>%" PRId64 " – %" PRId64 " – %" PRId64 "</td><td>%s</td></tr>\n", c->wins,
            c->draws, c->losses, format_count(games_of(c), games));
}

static void write_pairings(const struct night_page *p, const struct night_report_stage *s)
{
    struct error ignored;
    fputs("<h3>Pairings</h3>\n", p->out);
    plot_pairings(s, p->report->night.recipe.name, &(struct plot_file){.out = p->out}, &ignored);
    fputs(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"pairings\">\n<thead><tr>"
        "<th scope=\"col\">pairing</th><th scope=\"col\">Elo</th>"
        "<th scope=\"col\">95 % interval</th>"
        "<th scope=\"col\"><abbr title=\"likelihood of superiority: the probability that the first "
        "is the stronger\">LOS</abbr></th><th scope=\"col\">won – drawn – lost</th>"
        "<th scope=\"col\">games</th></tr></thead>\n<tbody>\n",
        p->out);
    for (int i = 0; i < s->pairing_count; i++)
        write_pairing(p, s, &s->pairings[i]);
    fputs("</tbody></table></div>\n", p->out);
}

/* ---- the players ---- */

/* The score of a player against all others. */
static struct match_counts counts_of(const struct night_report_stage *s, int player)
{
    struct match_counts all = {.wins = 0};
    for (int i = 0; i < s->pairing_count; i++) {
        const struct night_pairing *pairing = &s->pairings[i];
        bool first = pairing->a == player;
        if (!first && pairing->b != player)
            continue;
        all.wins += first ? pairing->counts.wins : pairing->counts.losses;
        all.losses += first ? pairing->counts.losses : pairing->counts.wins;
        all.draws += pairing->counts.draws;
    }
    return all;
}

static void write_player(const struct night_page *p, const struct night_report_stage *s, int player)
{
    const struct night_player *who = &s->stage->players[player];
    const struct match_counts all = counts_of(s, player);
    fputs("<tr><th scope=\"row\">", p->out);
    html_text(p->out, who->name);
    fputs("</th><td class=\"words\">", p->out);
    write_half(p, who->evaluation);
    fputs("</td><td class=\"words\">", p->out);
    write_half(p, who->search);
    if (games_of(&all) > 0)
        fprintf(p->out, "</td><td>%.1f %%</td></tr>\n",
                100 * ((double)all.wins + 0.5 * (double)all.draws) / (double)games_of(&all));
    else
        fputs("</td><td>–</td></tr>\n", p->out);
}

static void write_players(const struct night_page *p, const struct night_report_stage *s)
{
    fputs("<h3>Players</h3>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>"
          "<th scope=\"col\">player</th><th scope=\"col\" class=\"words\">evaluation</th>"
          "<th scope=\"col\" class=\"words\">search</th><th scope=\"col\">of all points</th>"
          "</tr></thead>\n<tbody>\n",
          p->out);
    for (int i = 0; i < s->stage->player_count; i++)
        write_player(p, s, i);
    fputs("</tbody></table></div>\n", p->out);
}

/* ---- the section ---- */

/* The conditions of the match. */
static void write_terms(const struct night_page *p, const struct night_report_stage *s)
{
    char nodes[FORMAT_MAX], games[FORMAT_MAX];
    fputs("<p class=\"facts\"><span>", p->out);
    html_format(p->out, "%s games per pairing", format_count(s->stage->games, games));
    fputs("</span> <span>", p->out);
    html_format(p->out, "%s nodes per move", format_count(s->stage->limit, nodes));
    fputs("</span> <span>", p->out);
    html_format(p->out, "openings from %s", path_name(s->stage->openings));
    fputs("</span></p>\n", p->out);
}

void night_write_match(const struct night_page *p, const struct night_report_stage *s)
{
    write_terms(p, s);
    if (has_games(s)) {
        write_ablations(p, s);
        write_pairings(p, s);
    } else
        fputs("<p>No pair of games has been played yet.</p>\n", p->out);
    write_players(p, s);
}
