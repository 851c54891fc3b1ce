/* grayling gauntlet: each player against each of several engines. */
#include "command.h"

#include "foreign_text.h"
#include "gauntlet_report.h"
#include "interrupt.h"
#include "match_broken.h"
#include "match_file.h"
#include "match_options.h"
#include "match_report.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: grayling gauntlet PLAYER... --against ENGINE,... [OPTIONS]\n\n"
    "Each player plays a match with each opponent in turn, and a table shows the\n"
    "differences in Elo. Players and opponents are named as for 'grayling match'.\n\n"
    "      --against LIST      the opponents: toga2,glaurung,paper-eval; repeatable\n"
    "      --games N           games of each match, even (200; with --sprt 100000)\n"
    "      --tc T+I            time control: seconds a game and a move (10+0.1); or\n"
    "      --nodes N, --depth N, --movetime MS  a limit of each move\n"
    "      --grace MS          how late a move may be (50 ms; between ours 0)\n"
    "      --sprt ELO0,ELO1    stop each match when a sequential test decides\n"
    "      --alpha P, --beta P  its rates of error (0.05)\n"
    "      --openings FILE, --plies N  a book (our 1500); plies of a PGN book (16)\n"
    "      --seed S, --unique  order of the openings (1); use none twice\n"
    "      --win-score CP, --win-moves N  a win if both see CP for N moves (4)\n"
    "      --draw-score CP, --draw-moves N, --draw-from N  likewise a draw (8, 40)\n"
    "      --max-plies N       a draw after N plies, opening included\n"
    "      --eval FILE, --search FILE  of players of ours that give none\n"
    "      --hash MIB, --threads N  an engine's table (16); games at once (all)\n"
    "  -o, --output FILE, --resume, --force  the games, PGN; continue; overwrite\n"
    "      --date YYYY.MM.DD, --verbose, --format FORMAT, --trust  as in 'match'\n\n"
    "  grayling gauntlet run.db default --against toga2,glaurung -o games.pgn\n";

enum { WORD_MAX = 1024 };

/* A match of the gauntlet. */
struct pairing {
    struct named_players players;
    struct match_settings settings;
    struct match match;
};

/* The state of the command. */
struct gauntlet {
    struct match_options options;
    char (*opponents)[WORD_MAX]; /* as players_read takes them */
    int opponent_count;
    struct pairing *pairings; /* by player, then by opponent */
    int count;
    int current;
    bool repeatable;         /* the games of a match are */
    int64_t before;          /* games of the matches before this one */
    struct match_counts sum; /* of the current player */
    struct match_file file;
    struct progress progress;
    struct error broken; /* the report on a broken game */
};

/* ---- opponents ---- */

/* Adds an opponent. */
static bool add_opponent(struct gauntlet *c, const char *word, size_t length)
{
    char name[WORD_MAX];
    while (length > 0 && *word == ' ')
        word++, length--;
    while (length > 0 && word[length - 1] == ' ')
        length--;
    if (length == 0 || length >= sizeof name) {
        command_misuse("gauntlet", "--against: %s",
                       length == 0 ? "an opponent without a name" : "a command that is too long");
        return false;
    }
    memcpy(name, word, length);
    name[length] = '\0';
    char(*all)[WORD_MAX] =
        realloc(c->opponents, (size_t)(c->opponent_count + 1) * sizeof *c->opponents);
    if (all == NULL) {
        command_fail(EXIT_FAILED, &(struct error){"no memory for the opponents"});
        return false;
    }
    c->opponents = all;
    strcpy(all[c->opponent_count++], name);
    return true;
}

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

/* Splits the values of --against at commas. */
static bool take_opponents(struct gauntlet *c)
{
    for (int i = 0; i < c->options.against_count; i++)
        for (const char *rest = c->options.against[i]; rest != NULL;) {
            size_t length = word_length(rest);
            if (!add_opponent(c, rest, length))
                return false;
            rest = rest[length] == ',' ? rest + length + 1 : NULL;
        }
    return true;
}

/* ---- input ---- */

/* Reads the players of all matches, which starts each engine once. */
static bool load_players(struct gauntlet *c, struct error *err)
{
    const struct match_options *o = &c->options;
    const struct player_usual usual = match_options_usual(o);
    for (int i = 0; i < o->player_count * c->opponent_count; i++) {
        struct pairing *p = &c->pairings[i];
        const char *const names[2] = {o->players[i / c->opponent_count],
                                      c->opponents[i % c->opponent_count]};
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
    c->pairings =
        calloc((size_t)(c->options.player_count * c->opponent_count), sizeof *c->pairings);
    if (c->pairings == NULL)
        return error_set(err, "no memory for %d matches",
                         c->options.player_count * c->opponent_count);
    return load_players(c, err) && init_matches(c, err);
}

/* Starts the file of games, or opens the one that goes on, and counts the games that it has. */
static bool open_file(struct gauntlet *c, struct error *err)
{
    const char *path = c->options.text[OUTPUT];
    if (path == NULL)
        return true;
    if (!c->options.flag[RESUME])
        return match_file_begin(&c->file, &c->pairings[0].match, path, c->options.flag[FORCE], err);
    bool good = match_file_open(&c->file, path, err);
    for (int i = 0; good && i < c->count && c->file.reading; i++) {
        good = match_file_next(&c->file, &c->pairings[i].match, i + 1 == c->count, err);
        c->before += c->pairings[i].match.played;
    }
    return good;
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
    snprintf(note, sizeof note, "%s vs %s  %s", names[0], names[1], score);
    progress_show(&c->progress, c->before + m->played, c->count * m->settings->games, note);
}

/* Writes a game and reports it. */
static bool after_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct gauntlet *c = context;
    if (c->options.flag[VERBOSE]) {
        progress_end(&c->progress);
        match_report_game(match_options_is_json(&c->options) ? stderr : stdout, current(c), number,
                          g);
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
    int opponent = c->current % c->opponent_count;
    progress_end(&c->progress);
    if (match_options_is_json(&c->options))
        return;
    if (opponent == 0) {
        if (c->current > 0)
            putchar('\n');
        gauntlet_report_head(stdout, m->settings->players[0].name);
        c->sum = (struct match_counts){0};
    }
    gauntlet_report_row(stdout, m);
    match_counts_add(&c->sum, &m->counts);
    if (c->opponent_count > 1 && opponent + 1 == c->opponent_count)
        gauntlet_report_sum(stdout, &c->sum);
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

/* Prints all matches as JSON: a list. */
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

/* Reports the state of an interrupted gauntlet. */
static int interrupted(const struct gauntlet *c)
{
    if (c->options.text[OUTPUT] == NULL)
        fputs("grayling: interrupted; no games are kept without -o FILE\n", stderr);
    else
        fprintf(stderr,
                "grayling: interrupted; %" PRId64 " games are in %s\n"
                "continue with the same command and --resume\n",
                c->before, shown_text(c->options.text[OUTPUT]));
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
    if (match_options_is_json(&c->options) && !output_write("-", print_json, c, &err))
        return command_fail(EXIT_FAILED, &err);
    if (end == MATCH_STOPPED)
        return interrupted(c);
    note_undecided(c);
    for (int i = 0; i < c->count; i++)
        if (i + 1 == c->count || match_report_has_failures(&c->pairings[i].match)) {
            match_report_files(&c->pairings[i].match, c->options.text[OUTPUT]);
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

/* Checks the names on the command line and plays. */
static int run(struct gauntlet *c)
{
    if (c->options.flag[HELP]) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (c->options.player_count == 0)
        return command_misuse("gauntlet", "expected at least one player");
    if (c->options.against_count == 0)
        return command_misuse("gauntlet", "expected opponents: --against toga2,glaurung");
    return take_opponents(c) ? play(c) : EXIT_BAD;
}

int cmd_gauntlet(int argc, char **argv)
{
    struct gauntlet *c = calloc(1, sizeof *c);
    if (c == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    int code = match_options_read(&c->options, "gauntlet", "10+0.1", argc, argv);
    if (code == EXIT_DONE)
        code = run(c);
    match_file_close(&c->file);
    for (int i = 0; i < c->count; i++) {
        match_finish(&c->pairings[i].match);
        players_free(&c->pairings[i].players);
    }
    free(c->pairings);
    free(c->opponents);
    match_options_finish(&c->options);
    free(c);
    return code;
}
