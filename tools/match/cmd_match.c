/* grayling match: many games between two players. grayling gauntlet: a match of each player with each of
 * several opponents. A match is a gauntlet with one pairing, whose report is longer. */
#include "command.h"

#include "json.h"
#include "match.h"
#include "match_file.h"
#include "match_options.h"
#include "text_stream.h"
#include "uci_client.h"
#include "version.h"

#include <math.h>
#include <unistd.h>

/* A match of the gauntlet. */
struct pairing {
    struct engine_setup setups[2]; /* of players in processes */
    struct match_settings settings;
    struct match match;
};

struct gauntlet {
    struct match_options options;
    struct word_list against;
    bool is_match; /* `grayling match` */
    const char *const *players;
    int player_count;
    struct word_list opponents; /* as players_read takes them; the words are owned */
    struct pairing *pairings;   /* by player, then by opponent */
    int count;
    int current;
    bool repeatable;         /* the games of a match are */
    int64_t before;          /* games of the matches before this one */
    struct match_counts sum; /* of the current player */
    struct match_file file;
    struct progress progress;
};

static const struct option_row match_only[] = {
    {"options-a", "FILE", AS_TEXT, OPTION_AT(struct match_options, option_files[0]),
     "of another engine, in a file"},
    {"options-b", "FILE", AS_TEXT, OPTION_AT(struct match_options, option_files[1])},
    OPTION_ROWS(match_rows)};

static const struct option_row gauntlet_rows[] = {
    {"against", "LIST", AS_LIST, OPTION_AT(struct gauntlet, against),
     "the opponents: toga2,glaurung,paper-eval; repeatable"},
    OPTION_ROWS(match_rows)};

static const struct command match_command_line = {
    "match",
    "usage: grayling match A B [OPTIONS]\n\n"
    "Plays games between two players, and estimates the Elo between them. A player is\n"
    "a parameter file, a run (its best organism), both halves, EVAL.yaml,SEARCH.yaml,\n"
    "a set of ours: 'default', 'games' (our best), 'paper'; or another engine: a\n"
    "command on the PATH, uci:COMMAND, a file of kind uci, or defaults:RUN.db.\n",
    match_only,
    "  grayling match mine.yaml default --games 1000 -o mine.pgn\n",
    {"PARAMS.yaml RUN.db", "two players", 2, 2}};

static const struct command gauntlet_command_line = {
    "gauntlet",
    "usage: grayling gauntlet PLAYER... --against ENGINE,... [OPTIONS]\n\n"
    "Each player plays a match with each opponent in turn, and a table shows the\n"
    "differences in Elo. Players and opponents are named as for 'grayling match', and\n"
    "have 10 seconds a game and 0.1 a move, unless another limit is given.\n",
    gauntlet_rows,
    "  grayling gauntlet run.db default --against toga2,glaurung -o games.pgn\n",
    {"PARAMS.yaml RUN.db", "players", 1, OPERANDS_ANY}};

/* ---- opponents ---- */

/* Adds an opponent: a copy of a word without the blanks around it. */
static bool add_opponent(struct gauntlet *c, const char *word, size_t length, struct error *err)
{
    for (; length > 0 && *word == ' '; length--)
        word++;
    while (length > 0 && word[length - 1] == ' ')
        length--;
    if (length == 0)
        return error_set(err, "--against: an opponent without a name");
    char *name = strndup(word, length);
    return name != NULL ? word_list_add(&c->opponents, name, err)
                        : error_set(err, "no memory for the opponents");
}

/* Splits the values of --against at commas. */
static bool take_opponents(struct gauntlet *c, struct error *err)
{
    for (int i = 0; i < c->against.count; i++)
        for (const char *rest = c->against.items[i]; rest != NULL;) {
            const size_t length = strcspn(rest, ",");
            if (!add_opponent(c, rest, length, err))
                return false;
            rest = rest[length] == ',' ? rest + length + 1 : NULL;
        }
    return c->opponents.count > 0 || error_set(err, "expected opponents: --against toga2,glaurung");
}

/* ---- input ---- */

/* Reads the players of all matches, which starts each engine once, and sets the matches up. */
static bool load(struct gauntlet *c, struct error *err)
{
    struct match_options *o = &c->options;
    bool repeatable = true;
    c->pairings = calloc((size_t)(c->player_count * c->opponents.count), sizeof *c->pairings);
    if (c->pairings == NULL)
        return error_set(err, "no memory for %d matches", c->player_count * c->opponents.count);
    for (int i = 0; i < c->player_count * c->opponents.count; i++) {
        struct pairing *p = &c->pairings[i];
        const char *const names[2] = {c->players[i / c->opponents.count],
                                      c->opponents.items[i % c->opponents.count]};
        c->count++;
        p->settings = o->settings;
        if (!players_read(names, o, p->settings.players, p->setups, err))
            return false;
        repeatable = repeatable && match_is_repeatable(&p->settings);
        c->repeatable = c->repeatable || match_is_repeatable(&p->settings);
    }
    if (!match_options_book(o, repeatable, err))
        return false;
    for (int i = 0; i < c->count; i++) {
        struct match_settings *s = &c->pairings[i].settings;
        s->book = o->settings.book;
        s->book_name = o->settings.book_name;
        s->games = o->settings.games;
        /* Our engine needs no margin on a clock against itself: it leaves some of its time. A time for a move it uses
         * whole. */
        if (s->players[0].process == NULL && s->players[1].process == NULL &&
            s->limits.movetime == 0 && !o->grace_given)
            s->limits.grace = 0;
        if (!match_init(&c->pairings[i].match, s, err))
            return false;
    }
    return true;
}

/* Starts the file of games, or opens the one that goes on, and counts the games that it has. */
static bool open_file(struct gauntlet *c, struct error *err)
{
    const char *path = c->options.output;
    if (path == NULL)
        return true;
    bool good = match_file_open(&c->file, path,
                                c->options.resume  ? MATCH_FILE_RESUMES
                                : c->options.force ? MATCH_FILE_OVER
                                                   : MATCH_FILE_NEW,
                                err);
    for (int i = 0; good && i < c->count && c->file.reading; i++) {
        good = match_file_next(&c->file, &c->pairings[i].match, i + 1 == c->count, err);
        c->before += c->pairings[i].match.played;
    }
    return good;
}

/* ---- the report ---- */

static const struct sprt *test_of(const struct match *m)
{
    return m->settings->sequential ? &m->settings->sprt : NULL;
}

static const char *name_of(const struct match *m, int player)
{
    return m->settings->players[player].name;
}

/* True if the engine in a process counts its nodes in another way than the limit asks for. */
static bool is_coarse(const struct match *m, int p)
{
    const struct match_settings *s = m->settings;
    return s->limits.nodes > 0 && s->players[p].process != NULL && m->efforts[p].moves > 0;
}

/* Prints what the sequential test says; the games that players lost other than on the board, "Lost by B: 2 crashes, 1
 * loss on time"; and how many nodes a move engines in processes have searched, for they need not keep to the limit. */
static void print_conduct(const struct match *m)
{
    static const char *const decisions[] = {[SPRT_GOES_ON] = "no decision",
                                            [SPRT_ACCEPTS_H0] = "H0 accepted",
                                            [SPRT_ACCEPTS_H1] = "H1 accepted"};
    const int64_t games = match_counts_games(&m->counts);
    char text[COUNTED_MAX], limit[COUNT_MAX], faults[ENGINE_FAULTS_TEXT];
    if (m->decision != SPRT_GOES_ON || m->settings->sequential)
        printf("SPRT: %s\n", decisions[m->decision]);
    if (games % 2 != 0) /* the estimate is of pairs */
        printf("Elo of %s: the last game has no partner yet\n",
               format_things(games / 2, "complete pair", text));
    for (int p = 0; p < 2; p++)
        if (engine_faults_total(&m->failures[p]) > 0)
            printf("Lost by %s: %s\n", name_of(m, p), engine_faults_text(&m->failures[p], faults));
    for (int p = 0; p < 2; p++) {
        const struct game_effort *e = &m->efforts[p];
        if (!is_coarse(m, p))
            continue;
        printf("Nodes a move of %s: %s (limit %s", name_of(m, p),
               format_count((int64_t)((double)e->nodes / (double)e->moves + 0.5), text),
               format_count((int64_t)m->settings->limits.nodes, limit));
        if (e->cut > 0)
            printf("; stopped at %.0f %% of moves", 100.0 * (double)e->cut / (double)e->moves);
        puts(")");
    }
}

/* ---- the table ---- */

/* A row is a table of its own: it stands there before the next is known. Without counts, prints the head. */
static void print_row(const char *name, const struct match_counts *c)
{
    struct table t;
    table_begin(&t,
                "<0  against             |>4games|>6  W|>6  D|>6  L|>3 score|>1   Elo|<2     95 %|"
                ">5   LOS");
    t.headless = c != NULL;
    if (c != NULL) {
        const struct elo_estimate e = elo_estimate(c);
        fprintf(t.rows,
                "  %s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64
                "\t%.1f%%\t%+.1f\t+/- %.1f\t%.1f%%\n",
                foreign_text_copy((char[21]){""}, 21, name), match_counts_games(c), c->wins,
                c->draws, c->losses, 100 * e.score, e.elo, e.elo_margin, 100 * e.los);
    }
    table_end(&t, stdout);
}

/* ---- playing ---- */

static struct match *current(struct gauntlet *c)
{
    return &c->pairings[c->current].match;
}

/* Shows the games of all matches, and the score of the current one: "12 - 5 - 30  Elo 52.5 +/- 61.1  LLR 0.45 (-2.94,
 * 2.94)". */
static void show(struct gauntlet *c)
{
    char note[2 * PROGRESS_NOTE], names[2][41];
    const struct match *m = current(c);
    const struct match_counts *counts = &m->counts;
    const struct elo_estimate e = elo_estimate(counts);
    note[0] = '\0';
    for (int p = 0; p < 2; p++)
        foreign_text_copy(names[p], sizeof names[p], name_of(m, p));
    if (!c->is_match)
        snprintf(note, sizeof note, "%s vs %s  ", names[0], names[1]);
    text_add(note, sizeof note, "%" PRId64 " - %" PRId64 " - %" PRId64 "  Elo ", counts->wins,
             counts->losses, counts->draws);
    if (isfinite(e.elo_margin))
        text_add(note, sizeof note, "%.1f +/- %.1f", e.elo, e.elo_margin);
    else
        text_add(note, sizeof note, "not known yet");
    if (m->settings->sequential)
        text_add(note, sizeof note, "  LLR %.2f (%.2f, %.2f)", sprt_llr(test_of(m), counts),
                 sprt_lower(test_of(m)), sprt_upper(test_of(m)));
    progress_show(&c->progress, c->before + m->played, c->count * m->settings->games, note);
}

/* Writes a game and reports it: "Finished game 3 (A vs B): 1-0 {White mates}". */
static bool after_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    static const char *const results[] = {
        [GAME_BLACK_WINS] = "0-1", [GAME_DRAWN] = "1/2-1/2", [GAME_WHITE_WINS] = "1-0"};
    struct gauntlet *c = context;
    if (c->options.verbose) {
        const struct match *m = current(c);
        progress_end(&c->progress);
        fprintf(c->options.format == MATCH_JSON ? stderr : stdout,
                "Finished game %" PRId64 " (%s vs %s): %s {%s}\n", number + 1,
                name_of(m, match_player_of(number, WHITE)),
                name_of(m, match_player_of(number, BLACK)), results[g->result],
                game_end_text(g->end, g->result));
    }
    show(c);
    return match_file_add(&c->file, number, g, err);
}

/* Prints the row of the current match, and what belongs before and after it. */
static void report(struct gauntlet *c)
{
    const struct match *m = current(c);
    int opponent = c->current % c->opponents.count;
    progress_end(&c->progress);
    if (c->is_match || c->options.format == MATCH_JSON)
        return;
    if (opponent == 0) {
        printf("%s%s\n", c->current > 0 ? "\n" : "", name_of(m, 0));
        print_row(NULL, NULL);
        c->sum = (struct match_counts){0};
    }
    print_row(name_of(m, 1), &m->counts);
    print_conduct(m);
    match_counts_add(&c->sum, &m->counts);
    if (c->opponents.count > 1 && opponent + 1 == c->opponents.count)
        print_row("all", &c->sum);
    fflush(stdout);
}

/* Plays the matches in turn, until one does not end in order. A report on a broken game goes beside the file of games,
 * or into the current folder. */
static enum jobs_end play_all(struct gauntlet *c, struct error *err)
{
    char broken[PATH_SIZE];
    const char *output = c->options.output != NULL ? c->options.output : "grayling";
    const struct match_watcher watcher = {
        .context = c, .played = after_game, .broken_path = broken};
    enum jobs_end end = JOBS_DONE;
    if (snprintf(broken, PATH_SIZE, "%s.broken-game", output) >= PATH_SIZE)
        snprintf(broken, PATH_SIZE, "grayling.broken-game");
    c->before = 0;
    for (c->current = 0; end == JOBS_DONE && c->current < c->count; c->current++) {
        struct match *m = current(c);
        if (c->file.file != NULL && c->file.match != m && m->played == 0 &&
            !match_file_next(&c->file, m, c->current + 1 == c->count, err))
            return JOBS_FAILED;
        end = match_play(m, &watcher, err);
        report(c);
        c->before += m->played;
    }
    return end;
}

/* ---- JSON ---- */

/* A player: the sources of its halves, or the command, name and options of another engine. */
static void write_player(struct json *j, const char *key, const struct match_player *p)
{
    json_put(j, "*:{ name:s", key, p->name);
    if (p->process != NULL) {
        json_put(j, "engine:s command:s options:{", p->engine, p->process->command);
        for (int i = 0; i < p->process->value_count; i++)
            json_put(j, "*:s", p->process->values[i].name, p->process->values[i].value);
        json_put(j, "}");
    } else
        json_put(j, "evaluation:{ name:s sha256:s } search:{ name:s sha256:s }", p->evaluation.name,
                 p->evaluation.sha256, p->search.name, p->search.sha256);
    json_put(j, "}");
}

/* What went wrong for a player; and the nodes of an engine in a process. */
static void write_conduct(struct json *j, const struct match *m, int p)
{
    const struct game_effort *e = &m->efforts[p];
    const int64_t *lost = m->failures[p].counts;
    json_put(j, "*:{ crashes:l hangs:l illegal_moves:l time_losses:l",
             p == 0 ? "conduct_a" : "conduct_b", lost[FAULT_EXITED], lost[FAULT_HUNG],
             lost[FAULT_ILLEGAL], lost[FAULT_LATE]);
    if (is_coarse(m, p))
        json_put(j, "mean_nodes:1 moves:l cut:l", (double)e->nodes / (double)e->moves, e->moves,
                 e->cut);
    json_put(j, "}");
}

/* Prints a match, or all of a gauntlet as a list. */
static void print_json(FILE *out, void *context)
{
    static const char *const decisions[] = {
        [SPRT_GOES_ON] = NULL, [SPRT_ACCEPTS_H0] = "H0", [SPRT_ACCEPTS_H1] = "H1"};
    const struct gauntlet *c = context;
    struct json j = {.out = out};
    if (!c->is_match)
        json_put(&j, "[");
    for (int i = 0; i < c->count; i++) {
        const struct match *m = &c->pairings[i].match;
        const struct match_settings *s = m->settings;
        const struct game_limits *l = &s->limits;
        const struct match_counts *n = &m->counts;
        const struct elo_estimate e = elo_estimate(n);
        const struct sprt *t = test_of(m);
        json_put(&j, "{ version:s", GRAYLING_VERSION);
        write_player(&j, "a", &s->players[0]);
        write_player(&j, "b", &s->players[1]);
        json_put(&j, "openings:s seed:l hash:d nodes:l depth:d time:l increment:l", s->book_name,
                 s->seed, s->hash_mib, l->nodes, l->depth, l->time, l->increment);
        if (l->movetime > 0)
            json_put(&j, "movetime:l", l->movetime);
        json_put(&j,
                 "games:l complete:b wins:l losses:l draws:l pairs:[ l l l l l ] score:4 elo:4 "
                 "elo_margin:4 elo_low:4 elo_high:4 nelo:4 nelo_margin:4 los:4 draw_ratio:4",
                 m->played, !match_goes_on(m), n->wins, n->losses, n->draws, n->pairs[0],
                 n->pairs[1], n->pairs[2], n->pairs[3], n->pairs[4], e.score, e.elo, e.elo_margin,
                 e.elo_low, e.elo_high, e.nelo, e.nelo_margin, e.los, e.draw_ratio);
        if (t != NULL)
            json_put(&j, "sprt:{ elo0:4 elo1:4 alpha:4 beta:4 llr:4 lower:4 upper:4 decision:s }",
                     t->elo0, t->elo1, t->alpha, t->beta, sprt_llr(t, n), sprt_lower(t),
                     sprt_upper(t), decisions[m->decision]);
        write_conduct(&j, m, 0);
        write_conduct(&j, m, 1);
        json_put(&j, "}");
    }
    fputs(c->is_match ? "\n" : "]\n", out);
}

/* ---- the end ---- */

static int interrupted(const struct gauntlet *c)
{
    if (c->options.output == NULL)
        fputs("grayling: interrupted; no games are kept without -o FILE\n", stderr);
    else
        fprintf(stderr,
                "grayling: interrupted; %" PRId64 " of %" PRId64 " games are in %s\n"
                "continue with the same command and --resume\n",
                c->before, c->count * c->options.settings.games, shown_text(c->options.output));
    return EXIT_INTERRUPTED;
}

/* Tells where the games are, and the log of failures if there is one. */
static void tell_files(const struct gauntlet *c, bool failed)
{
    const char *path = c->options.output;
    char log[MATCH_LOG_PATH];
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

/* Prints what is left, and chooses the exit code. */
static int finish(struct gauntlet *c, enum jobs_end end, const struct error *reason)
{
    struct error err;
    const struct match *m = &c->pairings[0].match;
    bool undecided = false, failed = false;
    if (end == JOBS_FAILED)
        return command_fail(EXIT_FAILED, reason);
    if (c->options.format == MATCH_JSON) {
        if (!output_write("-", print_json, c, &err))
            return command_fail(EXIT_FAILED, &err);
    } else if (c->is_match) { /* as match runners do */
        elo_report(stdout, name_of(m, 0), name_of(m, 1), &m->counts, test_of(m));
        print_conduct(m);
    }
    if (end == JOBS_STOPPED)
        return interrupted(c);
    for (int i = 0; i < c->count; i++) {
        undecided = undecided || c->pairings[i].match.decision == SPRT_GOES_ON;
        for (int p = 0; p < 2; p++) { /* by a crash, a hang or an illegal move */
            const struct engine_faults *faults = &c->pairings[i].match.failures[p];
            failed = failed || engine_faults_total(faults) > faults->counts[FAULT_LATE];
        }
    }
    if (c->options.book_bound && undecided)
        fprintf(stderr,
                "note: all %zu openings are used, and further games would be copies; give "
                "more --openings, or --tc\n",
                c->options.book.count);
    tell_files(c, failed);
    return EXIT_DONE;
}

static int play(struct gauntlet *c)
{
    struct error err = {""};
    const struct match_settings *s = &c->options.settings;
    c->options.settings.stop = interrupt_watch();
    if (!load(c, &err) || !open_file(c, &err))
        return command_fail(EXIT_BAD, &err);
    if (c->repeatable && s->games / 2 > (int64_t)c->options.book.count)
        fprintf(stderr,
                "note: %s has %zu openings for %" PRId64 " pairs; an opening that is used again "
                "repeats the same two games\n",
                s->book_name, c->options.book.count, s->games / 2);
    progress_begin(&c->progress, "game", c->before);
    const enum jobs_end end = play_all(c, &err);
    progress_end(&c->progress);
    return finish(c, end, &err);
}

static void finish_all(struct gauntlet *c)
{
    match_file_close(&c->file);
    for (int i = 0; i < c->count; i++) {
        match_finish(&c->pairings[i].match);
        engine_setup_free(&c->pairings[i].setups[0]);
        engine_setup_free(&c->pairings[i].setups[1]);
    }
    free(c->pairings);
    for (int i = 0; i < c->opponents.count; i++)
        free((char *)(uintptr_t)c->opponents.items[i]);
    book_free(&c->options.book);
}

int match_command(const struct match_options *o, const char *const players[2],
                  struct match_counts *counts)
{
    struct error err;
    struct gauntlet c = {.options = *o, .is_match = true, .players = players, .player_count = 1};
    *counts = (struct match_counts){.wins = 0};
    const int code = add_opponent(&c, players[1], strlen(players[1]), &err)
                         ? play(&c)
                         : command_fail(EXIT_FAILED, &err);
    if (c.count > 0)
        *counts = c.pairings[0].match.counts;
    finish_all(&c);
    return code;
}

int cmd_match(int argc, char **argv)
{
    struct match_options o = match_usual;
    struct match_counts ignored;
    int code = options_read(&match_command_line, &argc, &argv, &o);
    if (code == OPTIONS_READ)
        code = match_options_complete(&o, "match", NULL);
    return code == OPTIONS_READ ? match_command(&o, (const char *const *)argv, &ignored) : code;
}

int cmd_gauntlet(int argc, char **argv)
{
    struct error err;
    struct gauntlet c = {.options = match_usual};
    int code = options_read(&gauntlet_command_line, &argc, &argv, &c);
    c.players = (const char *const *)argv;
    c.player_count = argc;
    if (code == OPTIONS_READ)
        code = match_options_complete(&c.options, "gauntlet", "10+0.1");
    if (code == OPTIONS_READ)
        code = take_opponents(&c, &err) ? play(&c) : command_misuse("gauntlet", "%s", err.text);
    finish_all(&c);
    return code;
}
