/* grayling match: many games between two players. grayling gauntlet: a match of each player with each of
 * several opponents. A match is a gauntlet with one pairing, whose report is longer. */
#include "command.h"

#include "foreign_text.h"
#include "interrupt.h"
#include "match_file.h"
#include "match_options.h"
#include "match_report.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A match of the gauntlet. */
struct pairing {
    struct named_players players;
    struct match_settings settings;
    struct match match;
};

/* The state of the command. */
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
    struct error broken; /* the report on a broken game */
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
    "PARAMS.yaml RUN.db",
    "two players",
    2,
    2};

static const struct command gauntlet_command_line = {
    "gauntlet",
    "usage: grayling gauntlet PLAYER... --against ENGINE,... [OPTIONS]\n\n"
    "Each player plays a match with each opponent in turn, and a table shows the\n"
    "differences in Elo. Players and opponents are named as for 'grayling match', and\n"
    "have 10 seconds a game and 0.1 a move, unless another limit is given.\n",
    gauntlet_rows,
    "  grayling gauntlet run.db default --against toga2,glaurung -o games.pgn\n",
    "PARAMS.yaml RUN.db",
    "players",
    1,
    OPERANDS_ANY};

/* ---- opponents ---- */

/* The length of the text up to a comma outside of quotes. */
static size_t word_length(const char *text)
{
    char quote = '\0';
    size_t i = 0;
    for (; text[i] != '\0' && (quote != '\0' || text[i] != ','); i++)
        if (text[i] == quote)
            quote = '\0';
        else if (quote == '\0' && (text[i] == '"' || text[i] == '\''))
            quote = text[i];
    return i;
}

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
            const size_t length = word_length(rest);
            if (!add_opponent(c, rest, length, err))
                return false;
            rest = rest[length] == ',' ? rest + length + 1 : NULL;
        }
    return c->opponents.count > 0 || error_set(err, "expected opponents: --against toga2,glaurung");
}

/* ---- input ---- */

/* Reads the players of all matches, which starts each engine once. */
static bool load_players(struct gauntlet *c, struct error *err)
{
    const struct match_options *o = &c->options;
    const struct player_usual usual = match_options_usual(o);
    for (int i = 0; i < c->player_count * c->opponents.count; i++) {
        struct pairing *p = &c->pairings[i];
        const char *const names[2] = {c->players[i / c->opponents.count],
                                      c->opponents.items[i % c->opponents.count]};
        if (!players_read(names, &usual, &p->players, err))
            return false;
        c->count++;
    }
    return true;
}

/* Sets up all matches, once their players are known. */
static bool init_matches(struct gauntlet *c, struct error *err)
{
    bool repeatable = true;
    for (int i = 0; i < c->count; i++) {
        struct match_settings *s = &c->pairings[i].settings;
        *s = c->options.settings;
        match_options_set_players(&c->options, &c->pairings[i].players, s);
        repeatable = repeatable && match_is_repeatable(s);
        c->repeatable = c->repeatable || match_is_repeatable(s);
    }
    if (!match_options_book(&c->options, repeatable, err))
        return false;
    for (int i = 0; i < c->count; i++) {
        struct pairing *p = &c->pairings[i];
        p->settings.book = c->options.settings.book;
        p->settings.book_name = c->options.settings.book_name;
        p->settings.games = c->options.settings.games;
        if (!match_init(&p->match, &p->settings, err))
            return false;
    }
    return true;
}

static bool load(struct gauntlet *c, struct error *err)
{
    c->pairings = calloc((size_t)(c->player_count * c->opponents.count), sizeof *c->pairings);
    if (c->pairings == NULL)
        return error_set(err, "no memory for %d matches", c->player_count * c->opponents.count);
    return load_players(c, err) && init_matches(c, err);
}

/* Starts the file of games, or opens the one that goes on, and counts the games that it has. */
static bool open_file(struct gauntlet *c, struct error *err)
{
    const char *path = c->options.output;
    if (path == NULL)
        return true;
    if (!c->options.resume)
        return match_file_begin(&c->file, &c->pairings[0].match, path, c->options.force, err);
    bool good = match_file_open(&c->file, path, err);
    for (int i = 0; good && i < c->count && c->file.reading; i++) {
        good = match_file_next(&c->file, &c->pairings[i].match, i + 1 == c->count, err);
        c->before += c->pairings[i].match.played;
    }
    return good;
}

/* ---- the table ---- */

static void print_names(FILE *out, const void *context)
{
    (void)context;
    fprintf(out,
            "%-22s" COLUMN(4) " %5s" COLUMN(6) " %4s %4s %4s" COLUMN(3) "  %6s" COLUMN(
                1) "  %7s" COLUMN(2) " %10s" COLUMN(5) " %7s\n",
            "  against", "games", "W", "D", "L", "score", "Elo", "95 %", "LOS");
}

/* A row of the table: an opponent, or all. */
struct row {
    const char *name;
    const struct match_counts *counts;
};

static void print_counts(FILE *out, const void *context)
{
    const struct row *row = context;
    const struct match_counts *c = row->counts;
    const struct elo_estimate e = elo_estimate(c);
    fputs("  ", out);
    foreign_text_column(out, row->name, 20);
    fprintf(out, COLUMN(4) " %5" PRId64 COLUMN(6) " %4" PRId64 " %4" PRId64 " %4" PRId64,
            c->wins + c->draws + c->losses, c->wins, c->draws, c->losses);
    fprintf(
        out,
        COLUMN(3) "  %5.1f%%" COLUMN(1) "  %+7.1f" COLUMN(2) " +/- %-6.1f" COLUMN(5) " %6.1f%%\n",
        100 * e.score, e.elo, e.elo_margin, 100 * e.los);
}

/* Prints a row, which is a table of its own: it stands there before the next is known. */
static void print_row(const char *name, const struct match_counts *c)
{
    terminal_table(stdout, print_counts, &(struct row){name, c});
}

/* ---- playing ---- */

static struct match *current(struct gauntlet *c)
{
    return &c->pairings[c->current].match;
}

/* Shows the games of all matches, and the score of the current one. */
static void show(struct gauntlet *c)
{
    char score[PROGRESS_NOTE], note[2 * PROGRESS_NOTE], names[2][41];
    const struct match *m = current(c);
    match_report_note(m, score, sizeof score);
    for (int p = 0; p < 2; p++)
        foreign_text_copy(names[p], sizeof names[p], m->settings->players[p].name);
    if (c->is_match)
        strcpy(note, score);
    else
        snprintf(note, sizeof note, "%s vs %s  %s", names[0], names[1], score);
    progress_show(&c->progress, c->before + m->played, c->count * m->settings->games, note);
}

/* Writes a game and reports it. */
static bool after_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct gauntlet *c = context;
    if (c->options.verbose) {
        progress_end(&c->progress);
        match_report_game(c->options.format == MATCH_JSON ? stderr : stdout, current(c), number, g);
    }
    show(c);
    return match_file_add(&c->file, number, g, err);
}

static void keep_broken(void *context, int64_t number, const struct game *g)
{
    struct gauntlet *c = context;
    char path[PATH_SIZE];
    match_options_broken_path(&c->options, path);
    match_broken_fail(path, current(c), number, g, &c->broken);
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
        if (c->current > 0)
            putchar('\n');
        puts(m->settings->players[0].name);
        terminal_table(stdout, print_names, NULL);
        c->sum = (struct match_counts){0};
    }
    print_row(m->settings->players[1].name, &m->counts);
    match_report_test(stdout, m);
    match_report_conduct(stdout, m);
    match_counts_add(&c->sum, &m->counts);
    if (c->opponents.count > 1 && opponent + 1 == c->opponents.count)
        print_row("all", &c->sum);
    fflush(stdout);
}

/* Plays the matches in turn, until one does not end in order. */
static enum match_end play_all(struct gauntlet *c, struct error *err)
{
    const struct match_watcher watcher = {
        .context = c, .played = after_game, .broken = keep_broken};
    enum match_end end = MATCH_OVER;
    c->before = 0;
    for (c->current = 0; end == MATCH_OVER && c->current < c->count; c->current++) {
        struct match *m = current(c);
        if (c->file.file != NULL && c->file.match != m && m->played == 0 &&
            !match_file_next(&c->file, m, c->current + 1 == c->count, err))
            return MATCH_FAILED;
        end = match_play(m, &watcher, err);
        report(c);
        c->before += m->played;
    }
    return end;
}

/* ---- the end ---- */

/* Prints all matches of a gauntlet as JSON: a list. */
static void print_json(FILE *out, void *context)
{
    struct gauntlet *c = context;
    fputs("[\n", out);
    for (int i = 0; i < c->count; i++) {
        if (i > 0)
            fputs(",\n", out);
        match_report_json(out, &c->pairings[i].match);
    }
    fputs("]\n", out);
}

/* Prints the report that stands at the end: of a match, or in JSON. */
static bool print_report(struct gauntlet *c, struct error *err)
{
    const bool json = c->options.format == MATCH_JSON;
    if (c->is_match)
        return output_write("-", json ? match_report_json : match_report_text,
                            &c->pairings[0].match, err);
    return !json || output_write("-", print_json, c, err);
}

/* Reports the state after an interruption. */
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

/* Notes if a match used up the book before its test decided. */
static void note_undecided(const struct gauntlet *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->pairings[i].match.decision == SPRT_GOES_ON) {
            match_options_note_used_up(&c->options);
            return;
        }
}

/* Prints what is left, and chooses the exit code. */
static int finish(struct gauntlet *c, enum match_end end, const struct error *reason)
{
    struct error err;
    if (end == MATCH_FAILED || end == MATCH_BROKEN)
        return command_fail(EXIT_FAILED, end == MATCH_BROKEN ? &c->broken : reason);
    if (!print_report(c, &err))
        return command_fail(EXIT_FAILED, &err);
    if (end == MATCH_STOPPED)
        return interrupted(c);
    note_undecided(c);
    for (int i = 0; i < c->count; i++)
        if (i + 1 == c->count || match_report_has_failures(&c->pairings[i].match)) {
            match_report_files(&c->pairings[i].match, c->options.output);
            break;
        }
    return EXIT_DONE;
}

/* Plays with the options that are read. Returns the exit code. */
static int play(struct gauntlet *c)
{
    struct error err = {""};
    c->options.settings.stop = interrupt_watch();
    if (!load(c, &err) || !open_file(c, &err))
        return command_fail(EXIT_BAD, &err);
    if (c->repeatable)
        match_options_note_repeats(&c->options);
    progress_begin(&c->progress, "game", c->before);
    enum match_end end = play_all(c, &err);
    progress_end(&c->progress);
    return finish(c, end, &err);
}

static void finish_all(struct gauntlet *c)
{
    match_file_close(&c->file);
    for (int i = 0; i < c->count; i++) {
        match_finish(&c->pairings[i].match);
        players_free(&c->pairings[i].players);
    }
    free(c->pairings);
    for (int i = 0; i < c->opponents.count; i++)
        free((char *)(uintptr_t)c->opponents.items[i]);
    free(c->opponents.items);
    free(c->against.items);
    match_options_finish(&c->options);
    free(c);
}

int match_command(const struct match_options *o, const char *const players[2],
                  struct match_counts *counts)
{
    struct error err;
    struct gauntlet *c = calloc(1, sizeof *c);
    *counts = (struct match_counts){.wins = 0};
    if (c == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    c->options = *o;
    c->is_match = true;
    c->players = players;
    c->player_count = 1;
    const int code = add_opponent(c, players[1], strlen(players[1]), &err)
                         ? play(c)
                         : command_fail(EXIT_FAILED, &err);
    if (c->count > 0)
        *counts = c->pairings[0].match.counts;
    finish_all(c);
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
    struct gauntlet *c = calloc(1, sizeof *c);
    if (c == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    c->options = match_usual;
    int code = options_read(&gauntlet_command_line, &argc, &argv, c);
    c->players = (const char *const *)argv;
    c->player_count = argc;
    if (code == OPTIONS_READ)
        code = match_options_complete(&c->options, "gauntlet", "10+0.1");
    if (code == OPTIONS_READ)
        code = take_opponents(c, &err) ? play(c) : command_misuse("gauntlet", "%s", err.text);
    finish_all(c);
    return code;
}
