#include "match_report.h"

#include "json.h"
#include "version.h"

#include <inttypes.h>
#include <string.h>

enum { REPORT_MAX = 2048 };

static const struct sprt *test_of(const struct match *m)
{
    return m->settings->sequential ? &m->settings->sprt : NULL;
}

static const char *name_of(const struct match *m, int player)
{
    return m->settings->players[player].name;
}

/* ---- text ---- */

void match_report_text(FILE *out, void *context)
{
    static const char *const decisions[] = {
        [SPRT_GOES_ON] = "no decision", [SPRT_ACCEPTS_H0] = "H0", [SPRT_ACCEPTS_H1] = "H1"};
    const struct match *m = context;
    char text[REPORT_MAX];
    elo_report(name_of(m, 0), name_of(m, 1), &m->counts, test_of(m), text, sizeof text);
    fputs(text, out);
    if (m->decision != SPRT_GOES_ON)
        fprintf(out, "SPRT: %s accepted\n", decisions[m->decision]);
    else if (m->settings->sequential)
        fputs("SPRT: no decision\n", out);
}

void match_report_note(const struct match *m, char *text, size_t size)
{
    struct elo_estimate e = elo_estimate(&m->counts);
    const struct match_counts *c = &m->counts;
    int used = snprintf(text, size, "%" PRId64 " - %" PRId64 " - %" PRId64 "  Elo %.1f +/- %.1f",
                        c->wins, c->losses, c->draws, e.elo, e.elo_margin);
    if (m->settings->sequential && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "  LLR %.2f (%.2f, %.2f)",
                 sprt_llr(test_of(m), c), sprt_lower(test_of(m)), sprt_upper(test_of(m)));
}

void match_report_game(FILE *out, const struct match *m, int64_t number, const struct game *g)
{
    static const char *const results[] = {
        [GAME_BLACK_WINS] = "0-1", [GAME_DRAWN] = "1/2-1/2", [GAME_WHITE_WINS] = "1-0"};
    fprintf(out, "Finished game %" PRId64 " (%s vs %s): %s {%s}\n", number + 1,
            name_of(m, match_player_of(number, WHITE)), name_of(m, match_player_of(number, BLACK)),
            results[g->result], game_end_text(g->end, g->result));
}

/* ---- JSON ---- */

static void print_origin(FILE *out, const char *key, const struct match_origin *o)
{
    fprintf(out, ", \"%s\": {\"name\": ", key);
    json_text(out, o->name);
    fprintf(out, ", \"sha256\": \"%s\"}", o->sha256);
}

static void print_player(FILE *out, const char *key, const struct match_player *p)
{
    fprintf(out, "  \"%s\": {\"name\": ", key);
    json_text(out, p->name);
    print_origin(out, "evaluation", &p->evaluation);
    print_origin(out, "search", &p->search);
    fputs("},\n", out);
}

/* The settings of the match. */
static void print_settings(FILE *out, const struct match_settings *s)
{
    const struct game_limits *l = &s->limits;
    fprintf(out, "  \"version\": \"%s\",\n", GRAYLING_VERSION);
    print_player(out, "a", &s->players[0]);
    print_player(out, "b", &s->players[1]);
    fputs("  \"openings\": ", out);
    json_text(out, s->book_name);
    fprintf(out, ",\n  \"seed\": %" PRIu64 ", \"hash\": %d", s->seed, s->hash_mib);
    fprintf(out, ", \"nodes\": %" PRIu64 ", \"depth\": %d", l->nodes, l->depth);
    fprintf(out, ", \"time\": %" PRId64 ", \"increment\": %" PRId64 ",\n", l->time, l->increment);
}

/* Prints named numbers, separated by commas. */
static void print_numbers(FILE *out, const char *const *names, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s\"%s\": ", i == 0 ? "" : ", ", names[i]);
        json_number(out, numbers[i], 4);
    }
}

static void print_counts(FILE *out, const struct match_counts *c)
{
    fprintf(out, "  \"wins\": %" PRId64 ", \"losses\": %" PRId64 ", \"draws\": %" PRId64 ",\n",
            c->wins, c->losses, c->draws);
    fputs("  \"pairs\": [", out);
    for (int i = 0; i < 5; i++)
        fprintf(out, "%s%" PRId64, i == 0 ? "" : ", ", c->pairs[i]);
    fputs("],\n", out);
}

static void print_estimate(FILE *out, const struct match_counts *c)
{
    static const char *const names[] = {"score",       "elo",      "elo_margin",
                                        "elo_low",     "elo_high", "nelo",
                                        "nelo_margin", "los",      "draw_ratio"};
    struct elo_estimate e = elo_estimate(c);
    const double numbers[] = {e.score, e.elo,         e.elo_margin, e.elo_low,   e.elo_high,
                              e.nelo,  e.nelo_margin, e.los,        e.draw_ratio};
    fputs("  ", out);
    print_numbers(out, names, numbers, sizeof numbers / sizeof numbers[0]);
}

/* The sequential test, if the match has one. */
static void print_test(FILE *out, const struct match *m)
{
    static const char *const names[] = {"elo0", "elo1", "alpha", "beta", "llr", "lower", "upper"};
    static const char *const decisions[] = {
        [SPRT_GOES_ON] = "null", [SPRT_ACCEPTS_H0] = "\"H0\"", [SPRT_ACCEPTS_H1] = "\"H1\""};
    const struct sprt *s = test_of(m);
    if (s == NULL)
        return;
    const double numbers[] = {
        s->elo0, s->elo1, s->alpha, s->beta, sprt_llr(s, &m->counts), sprt_lower(s), sprt_upper(s)};
    fputs(",\n  \"sprt\": {", out);
    print_numbers(out, names, numbers, sizeof numbers / sizeof numbers[0]);
    fprintf(out, ", \"decision\": %s}", decisions[m->decision]);
}

void match_report_json(FILE *out, void *context)
{
    const struct match *m = context;
    fputs("{\n", out);
    print_settings(out, m->settings);
    fprintf(out, "  \"games\": %" PRId64 ", \"complete\": %s,\n", m->played,
            match_goes_on(m) ? "false" : "true");
    print_counts(out, &m->counts);
    print_estimate(out, &m->counts);
    print_test(out, m);
    fputs("\n}\n", out);
}
