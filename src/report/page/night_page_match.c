/* The match of a night: in the head of the page, the player that the night leads to against the others; in its
 * section the players, their results, and the worth of each stage. */
#include "report_page.h"

#include "format.h"
#include "html.h"
#include "paths.h"
#include "plot.h"
#include "report_sections.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *name_of(const struct night_report_stage *s, int player)
{
    return s->stage->players[player].name;
}

/* True if a match has a pair of games. The first pairing is the first to have one. */
static bool has_games(const struct night_report_stage *s)
{
    return s->pairing_count > 0 && match_counts_games(&s->pairings[0].counts) > 1;
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

/* The difference, "+61 Elo"; where it is infinite, for too few games, what it is at least. */
static const char *figure_of(const struct night_result *r, char figure[FORMAT_MAX])
{
    const struct elo_estimate *e = &r->estimate;
    char elo[FORMAT_MAX];
    if (isfinite(e->elo))
        snprintf(figure, FORMAT_MAX, "%.40s Elo", elo_signed(e->elo, 0, elo));
    else if (elo_verdict(e) == ELO_OPEN)
        snprintf(figure, FORMAT_MAX, "too few games");
    else
        snprintf(figure, FORMAT_MAX, "%.40s Elo or %s",
                 elo_signed(e->elo > 0 ? e->elo_low : e->elo_high, 0, elo),
                 e->elo > 0 ? "more" : "less");
    return figure;
}

/* Writes a sentence on a result: "A is stronger than B: +61 Elo (95 % interval +40 to +83, 1,000
 * games at 5,000 nodes a move)." Returns its length. */
static int write_sentence(const struct night_result *r, int limit, char *text, size_t room)
{
    const enum elo_verdict verdict = elo_verdict(&r->estimate);
    static const char *const before[] = {
        [ELO_AHEAD] = "", [ELO_BEHIND] = "", [ELO_OPEN] = "The games do not decide whether "};
    char figure[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX], nodes[FORMAT_MAX];
    if (verdict == ELO_OPEN && isinf(r->estimate.elo))
        return snprintf(text, room, "%s of %s against %s do not tell who is stronger. ",
                        elo_games(&r->counts, games), r->player, r->opponent);
    return snprintf(text, room,
                    "%s%s is %s than %s: %s (95 %% interval %s, %s at %s nodes a move). ",
                    before[verdict], r->player, verdict == ELO_BEHIND ? "weaker" : "stronger",
                    r->opponent, figure_of(r, figure), elo_range(&r->estimate, 0, range),
                    elo_games(&r->counts, games), format_count(limit, nodes));
}

void night_headline(const struct night_report *report, char text[NIGHT_HEADLINE])
{
    const struct night_report_stage *match = night_match_played(report);
    struct night_result results[NIGHT_PLAYERS];
    const int count = match == NULL ? 0 : night_results(&report->night.recipe, match, results);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && i < TOLD && used < NIGHT_HEADLINE; i++)
        used += (size_t)write_sentence(&results[i], match->stage->limit, text + used,
                                       NIGHT_HEADLINE - used);
}

void night_write_match_figures(const struct night_page *p, const struct night_report_stage *s)
{
    static const char *const verdicts[] = {
        [ELO_AHEAD] = "stronger", [ELO_BEHIND] = "weaker", [ELO_OPEN] = "not decided"};
    struct night_result results[NIGHT_PLAYERS];
    const int count = night_results(&p->report->night.recipe, s, results);
    for (int i = 0; i < count && i < TILES; i++) {
        const struct night_result *r = &results[i];
        const enum elo_verdict verdict = elo_verdict(&r->estimate);
        const bool few = verdict == ELO_OPEN && isinf(r->estimate.elo);
        char name[NAMES], figure[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX];
        snprintf(name, sizeof name, "%s against %s", r->player, r->opponent);
        elo_range(&r->estimate, 0, range);
        report_frame_figure(p->out, elo_verdict_class(verdict), name, figure_of(r, figure),
                            "%s: %s%s%s%s", verdicts[verdict], few ? "" : "95 % interval ",
                            few ? "" : range, few ? "" : ", ", elo_games(&r->counts, games));
    }
}

/* ---- ablations ---- */

/* The origin of a player's evaluation or search: a link to a stage, the name of a file, or a word. */
static void write_half(const struct night_page *p, const char *half)
{
    const struct night_stage *stage = night_stage_find(&p->report->night.recipe, half);
    char id[NIGHT_ID];
    if (stage != NULL)
        fprintf(p->out, "<a href=\"#%s\">%s</a>", night_stage_id(stage, id), stage->name);
    else
        html_print(p->out, path_name(half) != half ? "<code>%s</code>" : "%s", path_name(half));
}

/* Compares a stage's evaluation or search with the other: "+61 Elo" with its interval and its meaning. */
static void write_comparison(const struct night_page *p, const struct night_report_stage *s,
                             const struct night_ablation *w, const struct elo_estimate *e)
{
    const struct night_player *without = &s->stage->players[w->without];
    const char *what = w->is_search ? "search" : "evaluation",
               *other = w->is_search ? without->search : without->evaluation;
    char elo[FORMAT_MAX], range[FORMAT_MAX], games[FORMAT_MAX];
    html_print(p->out, "<strong>%s Elo</strong> (95 %% interval %s): ", elo_signed(e->elo, 1, elo),
               elo_range(e, 1, range));
    if (elo_verdict(e) == ELO_OPEN)
        html_print(p->out, "%s do not decide whether ", elo_games(&w->counts, games));
    fprintf(p->out, "its %s is %s than ", what, elo_verdict(e) == ELO_BEHIND ? "worse" : "better");
    if (strcmp(other, NIGHT_PLAIN) == 0)
        fputs("plain alpha-beta", p->out);
    else if (strcmp(other, NIGHT_RANDOM) == 0)
        fputs("a random one", p->out);
    else {
        fputs("that of ", p->out);
        write_half(p, other);
    }
    fprintf(p->out, ", with the same %s", w->is_search ? "evaluation" : "search");
}

/* A sentence on each ablation, and on each stage that has none. */
static void write_ablations(const struct night_page *p, const struct night_report_stage *s)
{
    const struct night_recipe *recipe = &p->report->night.recipe;
    struct night_ablation ablations[NIGHT_PAIRINGS];
    const int count = night_ablations(recipe, s, ablations);
    fputs("<h3>What each stage was worth</h3>\n<ul class=\"findings\">\n", p->out);
    for (const struct night_ablation *w = ablations; w < ablations + count; w++) {
        const struct elo_estimate e = elo_estimate(&w->counts);
        fprintf(p->out, "<li class=\"%s\">", elo_verdict_class(elo_verdict(&e)));
        write_half(p, w->stage->name);
        fputs(": ", p->out);
        if (match_counts_games(&w->counts) > 1)
            write_comparison(p, s, w, &e);
        else
            fputs("no pair of games has been played yet", p->out);
        html_print(p->out, " (%s against %s).</li>\n", name_of(s, w->with), name_of(s, w->without));
    }
    for (const struct night_stage *stage = recipe->stages; stage < s->stage; stage++) {
        bool known = stage->is_match;
        for (int i = 0; i < count; i++)
            known = known || ablations[i].stage == stage;
        if (known)
            continue;
        fputs("<li class=\"open\">", p->out);
        write_half(p, stage->name);
        fputs(": no two players differ in this stage alone.</li>\n", p->out);
    }
    fputs("</ul>\n", p->out);
}

/* ---- the pairings ---- */

static void write_pairing(const struct night_page *p, const struct night_report_stage *s,
                          const struct night_pairing *pairing)
{
    const struct match_counts *c = &pairing->counts;
    const struct elo_estimate e = elo_estimate(c);
    char elo[FORMAT_MAX], range[FORMAT_MAX], chance[FORMAT_MAX], games[FORMAT_MAX];
    html_print(p->out, "<tr><th scope=\"row\">%s – %s</th>", name_of(s, pairing->a),
               name_of(s, pairing->b));
    if (match_counts_games(c) < 2)
        fputs("<td>–</td><td>–</td><td>–</td>", p->out);
    else
        html_print(p->out, "<td class=\"%s\">%s</td><td>%s</td><td>%s</td>",
                   elo_verdict_class(elo_verdict(&e)), elo_signed(e.elo, 1, elo),
                   elo_range(&e, 1, range), elo_chance(e.los, chance));
    html_print(p->out, "<td>%" PRId64 " – %" PRId64 " – %" PRId64 "</td><td>%s</td></tr>\n",
               c->wins, c->draws, c->losses, format_count(match_counts_games(c), games));
}

/* ---- the players ---- */

static void write_player(const struct night_page *p, const struct night_report_stage *s, int player)
{
    const struct night_player *who = &s->stage->players[player];
    struct match_counts all = {.wins = 0};
    for (int i = 0; i < s->pairing_count; i++) {
        const struct night_pairing *pairing = &s->pairings[i];
        const struct match_counts counts = night_counts_of(pairing, player);
        if (pairing->a == player || pairing->b == player)
            match_counts_add(&all, &counts);
    }
    html_print(p->out, "<tr><th scope=\"row\">%s</th><td class=\"words\">", who->name);
    write_half(p, who->evaluation);
    fputs("</td><td class=\"words\">", p->out);
    write_half(p, who->search);
    if (match_counts_games(&all) > 0)
        fprintf(p->out, "</td><td>%.1f %%</td></tr>\n",
                100 * ((double)all.wins + 0.5 * (double)all.draws) /
                    (double)match_counts_games(&all));
    else
        fputs("</td><td>–</td></tr>\n", p->out);
}

void night_write_match(const struct night_page *p, const struct night_report_stage *s)
{
    char nodes[FORMAT_MAX], games[FORMAT_MAX];
    html_print(
        p->out,
        "<p class=\"facts\"><span>%s games per pairing</span> <span>%s nodes per move</span> "
        "<span>openings from %s</span></p>\n",
        format_count(s->stage->games, games), format_count(s->stage->limit, nodes),
        path_name(s->stage->openings));
    if (has_games(s)) {
        write_ablations(p, s);
        fputs("<h3>Pairings</h3>\n", p->out);
        plot_pairings(s, p->report->night.recipe.name, &(struct plot_file){.out = p->out}, NULL);
        html_table(p->out, "pairings", "", "pairing", "Elo", "95 % interval",
                   "<abbr title=\"likelihood of superiority: the probability that the first is the "
                   "stronger\">LOS</abbr>",
                   "won – drawn – lost", "games", NULL);
        for (int i = 0; i < s->pairing_count; i++)
            write_pairing(p, s, &s->pairings[i]);
        html_table_end(p->out);
    } else
        fputs("<p>No pair of games has been played yet.</p>\n", p->out);
    fputs("<h3>Players</h3>\n", p->out);
    html_table(p->out, "players", "", "player", "|evaluation", "|search", "of all points", NULL);
    for (int i = 0; i < s->stage->player_count; i++)
        write_player(p, s, i);
    html_table_end(p->out);
}
