#include "match_report.h"

#include "command.h"
#include "count.h"
#include "json.h"
#include "match_file.h"
#include "output.h"
#include "uci_client.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { LOSSES_MAX = 160 };

static const struct sprt *test_of(const struct match *m)
{
    return m->settings->sequential ? &m->settings->sprt : NULL;
}

static const char *name_of(const struct match *m, int player)
{
    return m->settings->players[player].name;
}

/* ---- failures and nodes ---- */

/* Describes the games that a player lost other than on the board: "2 by crashes, 1 on time"; ""
 * without any. */
static void describe_losses(const struct engine_faults *failures, char text[LOSSES_MAX])
{
    static const char *const words[FAULT_KINDS][2] = {
        [FAULT_EXITED] = {"by a crash", "by crashes"},
        [FAULT_HUNG] = {"by hanging", "by hanging"},
        [FAULT_ILLEGAL] = {"by an illegal move", "by illegal moves"},
        [FAULT_LATE] = {"on time", "on time"}};
    int used = 0;
    text[0] = '\0';
    for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
        if (failures->counts[i] > 0)
            used += snprintf(text + used, LOSSES_MAX - (size_t)used, "%s%" PRId64 " %s",
                             used > 0 ? ", " : "", failures->counts[i],
                             words[i][failures->counts[i] > 1]);
}

/* Prints the games that each player lost other than on the board. */
static void print_losses(FILE *out, const struct match *m)
{
    char text[LOSSES_MAX];
    for (int p = 0; p < 2; p++) {
        describe_losses(&m->failures[p], text);
        if (text[0] != '\0')
            fprintf(out, "Lost by %s: %s\n", name_of(m, p), text);
    }
}

/* True if the engine in a process counts its nodes in another way than the limit asks for. */
static bool is_coarse(const struct match *m, int p)
{
    const struct match_settings *s = m->settings;
    return s->limits.nodes > 0 && s->players[p].process != NULL && m->efforts[p].moves > 0;
}

static double mean_nodes(const struct game_effort *e)
{
    return e->moves > 0 ? (double)e->nodes / (double)e->moves : 0;
}

/* Prints how many nodes the engines in processes have searched, for they need not keep to the
 * limit. */
static void print_nodes(FILE *out, const struct match *m)
{
    char nodes[COUNT_MAX], limit[COUNT_MAX];
    for (int p = 0; p < 2; p++) {
        const struct game_effort *e = &m->efforts[p];
        if (!is_coarse(m, p))
            continue;
        format_count((int64_t)(mean_nodes(e) + 0.5), nodes);
        format_count((int64_t)m->settings->limits.nodes, limit);
        fprintf(out, "Nodes a move of %s: %s (limit %s", name_of(m, p), nodes, limit);
        if (e->cut > 0)
            fprintf(out, "; stopped at %.0f %% of moves",
                    100.0 * (double)e->cut / (double)e->moves);
        fputs(")\n", out);
    }
}

/* Says that a game is not in the estimate, which is of pairs. */
static void print_incomplete(FILE *out, const struct match_counts *c)
{
    char pairs[COUNTED_MAX];
    const int64_t games = c->wins + c->losses + c->draws;
    if (games % 2 != 0)
        fprintf(out, "Elo of %s: the last game has no partner yet\n",
                format_things(games / 2, "complete pair", pairs));
}

void match_report_conduct(FILE *out, const struct match *m)
{
    print_incomplete(out, &m->counts);
    print_losses(out, m);
    print_nodes(out, m);
}

bool match_report_has_failures(const struct match *m)
{
    int64_t failures = 0;
    for (int p = 0; p < 2; p++)
        failures += engine_faults_total(&m->failures[p]) - m->failures[p].counts[FAULT_LATE];
    return failures > 0;
}

void match_report_files(const struct match *m, const char *path)
{
    char log[MATCH_LOG_PATH];
    bool failed = match_report_has_failures(m);
    if (path == NULL) {
        if (failed)
            fputs("note: -o FILE keeps the games, and the log of what failed\n", stderr);
        return;
    }
    command_tell("games", path);
    match_file_log(path, log);
    if (failed && access(log, F_OK) == 0)
        command_tell("failures", log);
}

/* ---- text ---- */

void match_report_test(FILE *out, const struct match *m)
{
    static const char *const decisions[] = {
        [SPRT_GOES_ON] = "no decision", [SPRT_ACCEPTS_H0] = "H0", [SPRT_ACCEPTS_H1] = "H1"};
    if (m->decision != SPRT_GOES_ON)
        fprintf(out, "SPRT: %s accepted\n", decisions[m->decision]);
    else if (m->settings->sequential)
        fputs("SPRT: no decision\n", out);
}

void match_report_text(FILE *out, void *context)
{
    const struct match *m = context;
    elo_report(out, name_of(m, 0), name_of(m, 1), &m->counts, test_of(m));
    match_report_test(out, m);
    match_report_conduct(out, m);
}

void match_report_note(const struct match *m, char *text, size_t size)
{
    struct elo_estimate e = elo_estimate(&m->counts);
    const struct match_counts *c = &m->counts;
    int used = snprintf(text, size, "%" PRId64 " - %" PRId64 " - %" PRId64 "  Elo ", c->wins,
                        c->losses, c->draws);
    used += isfinite(e.elo_margin)
                ? snprintf(text + used, size - (size_t)used, "%.1f +/- %.1f", e.elo, e.elo_margin)
                : snprintf(text + used, size - (size_t)used, "not known yet");
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

/* The command, name and options of another engine. */
static void print_engine(FILE *out, const struct match_player *p)
{
    fputs(", \"engine\": ", out);
    json_text(out, p->engine);
    fputs(", \"command\": ", out);
    json_text(out, p->process->command);
    fputs(", \"options\": {", out);
    for (int i = 0; i < p->process->value_count; i++) {
        fputs(i == 0 ? "" : ", ", out);
        json_text(out, p->process->values[i].name);
        fputs(": ", out);
        json_text(out, p->process->values[i].value);
    }
    fputc('}', out);
}

static void print_player(FILE *out, const char *key, const struct match_player *p)
{
    fprintf(out, "  \"%s\": {\"name\": ", key);
    json_text(out, p->name);
    if (p->process != NULL) {
        print_engine(out, p);
    } else {
        print_origin(out, "evaluation", &p->evaluation);
        print_origin(out, "search", &p->search);
    }
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
    if (l->movetime > 0)
        fprintf(out, "  \"movetime\": %" PRId64 ",\n", l->movetime);
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

/* What went wrong, for each player; and the nodes of engines in processes. */
static void print_conduct_json(FILE *out, const struct match *m)
{
    static const char *const names[FAULT_KINDS] = {[FAULT_EXITED] = "crashes",
                                                   [FAULT_HUNG] = "hangs",
                                                   [FAULT_ILLEGAL] = "illegal_moves",
                                                   [FAULT_LATE] = "time_losses"};
    for (int p = 0; p < 2; p++) {
        fprintf(out, ",\n  \"conduct_%c\": {", 'a' + p);
        for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
            fprintf(out, "%s\"%s\": %" PRId64, i == FAULT_NONE + 1 ? "" : ", ", names[i],
                    m->failures[p].counts[i]);
        if (is_coarse(m, p)) {
            fputs(", \"mean_nodes\": ", out);
            json_number(out, mean_nodes(&m->efforts[p]), 1);
            fprintf(out, ", \"moves\": %" PRId64 ", \"cut\": %" PRId64, m->efforts[p].moves,
                    m->efforts[p].cut);
        }
        fputc('}', out);
    }
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
    print_conduct_json(out, m);
    fputs("\n}\n", out);
}
