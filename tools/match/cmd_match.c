/* grayling match: many games between two sets of parameters. */
#include "command.h"

#include "foreign_text.h"
#include "interrupt.h"
#include "match_broken.h"
#include "match_file.h"
#include "match_options.h"
#include "match_report.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>

static const char help[] =
    "usage: grayling match A B [OPTIONS]\n\n"
    "Plays games between two players, and estimates the Elo between them. A player is\n"
    "a parameter file, a run (its best organism), both halves, EVAL.yaml,SEARCH.yaml,\n"
    "a set of ours: 'default', 'games' (our best), 'paper'; or another engine: a\n"
    "command on the PATH, uci:COMMAND, a file of kind uci, or defaults:RUN.db.\n\n"
    "      --games N           even (200; with --sprt 100000)\n"
    "      --nodes N, --depth N, --movetime MS, --tc T+I  a move's limit (5000 nodes)\n"
    "      --grace MS          how late a move may be (50 ms; between ours 0)\n"
    "      --sprt ELO0,ELO1, --alpha P, --beta P  sequential test; its errors (0.05)\n"
    "      --openings FILE, --plies N  a book (our 1500); plies of a PGN book (16)\n"
    "      --seed S, --unique  order of the openings (1); use none twice\n"
    "      --win-score CP, --win-moves N  a win if both see CP for N moves (4)\n"
    "      --draw-score CP, --draw-moves N, --draw-from N  likewise a draw (8, 40)\n"
    "      --max-plies N       a draw after N plies, opening included\n"
    "      --eval FILE, --search FILE  of players of ours that give none\n"
    "      --options-a FILE, --options-b FILE  of another engine, in a file\n"
    "      --hash MIB, --threads N  an engine's table (16); games at once (all)\n"
    "  -o, --output FILE, --resume, --force  the games, PGN; continue; overwrite\n"
    "      --date YYYY.MM.DD, --verbose  of the games; a line for each\n"
    "      --format FORMAT, --trust  text or json; start an engine that is new to you\n\n"
    "  grayling match mine.yaml default --games 1000 -o mine.pgn\n";

/* The state of the command. */
struct command {
    struct match_options options;
    struct named_players players;
    struct match match;
    struct match_file file;
    struct progress progress;
    struct error broken; /* the report on a broken game */
};

/* ---- input ---- */

/* Reads the players and the openings. */
static bool load(struct command *c, struct error *err)
{
    struct match_options *o = &c->options;
    const struct player_usual usual = match_options_usual(o);
    const char *const names[2] = {o->players[0], o->players[1]};
    if (!players_read(names, &usual, &c->players, err))
        return false;
    match_options_set_players(o, &c->players, &o->settings);
    return match_options_book(o, match_is_repeatable(&o->settings), err) &&
           match_init(&c->match, &o->settings, err);
}

/* Starts the file of games, or resumes it. */
static bool open_file(struct command *c, struct error *err)
{
    const char *path = c->options.text[OUTPUT];
    if (path == NULL)
        return true;
    return c->options.flag[RESUME]
               ? match_file_resume(&c->file, &c->match, path, err)
               : match_file_begin(&c->file, &c->match, path, c->options.flag[FORCE], err);
}

/* ---- playing ---- */

static void show(struct command *c)
{
    char note[PROGRESS_NOTE];
    match_report_note(&c->match, note, sizeof note);
    progress_show(&c->progress, c->match.played, c->options.settings.games, note);
}

/* Writes a game and reports it. */
static bool after_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct command *c = context;
    if (c->options.flag[VERBOSE]) {
        progress_end(&c->progress);
        match_report_game(match_options_is_json(&c->options) ? stderr : stdout, &c->match, number,
                          g);
    }
    show(c);
    return match_file_add(&c->file, number, g, err);
}

/* Writes the report on a broken game beside the file of games, or into the current folder. */
static void keep_broken(void *context, int64_t number, const struct game *g)
{
    struct command *c = context;
    char path[PATH_SIZE];
    match_options_broken_path(&c->options, path);
    match_broken_fail(path, &c->match, number, g, &c->broken);
}

/* Reports the state of an interrupted match. */
static int interrupted(const struct command *c)
{
    if (c->options.text[OUTPUT] == NULL)
        fputs("grayling: interrupted; no games are kept without -o FILE\n", stderr);
    else
        fprintf(stderr,
                "grayling: interrupted; %" PRId64 " of %" PRId64 " games are in %s\n"
                "continue with the same command and --resume\n",
                c->match.played, c->options.settings.games, shown_text(c->options.text[OUTPUT]));
    return EXIT_INTERRUPTED;
}

/* Prints the result, and chooses the exit code. */
static int finish(struct command *c, enum match_end end, const struct error *reason)
{
    struct error err;
    if (end == MATCH_FAILED || end == MATCH_BROKEN)
        return command_fail(EXIT_FAILED, end == MATCH_BROKEN ? &c->broken : reason);
    if (!output_write("-",
                      match_options_is_json(&c->options) ? match_report_json : match_report_text,
                      &c->match, &err))
        return command_fail(EXIT_FAILED, &err);
    if (end == MATCH_STOPPED)
        return interrupted(c);
    match_report_files(&c->match, c->options.text[OUTPUT]);
    if (c->match.decision == SPRT_GOES_ON)
        match_options_note_used_up(&c->options);
    return EXIT_DONE;
}

/* Runs the command, after its command line is read. */
static int play(struct command *c)
{
    struct error err = {""};
    const struct match_watcher watcher = {
        .context = c, .played = after_game, .broken = keep_broken};
    c->options.settings.stop = interrupt_watch();
    if (!load(c, &err) || !open_file(c, &err))
        return command_fail(EXIT_BAD, &err);
    if (match_is_repeatable(&c->options.settings))
        match_options_note_repeats(&c->options);
    progress_begin(&c->progress, "game", c->match.played);
    enum match_end end = match_play(&c->match, &watcher, &err);
    progress_end(&c->progress);
    return finish(c, end, &err);
}

/* Plays with the options that are read. Returns the exit code. */
static int run(struct command *c)
{
    if (c->options.flag[HELP]) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (c->options.player_count != 2)
        return command_misuse("match", "expected two players, not %d", c->options.player_count);
    return play(c);
}

int cmd_match(int argc, char **argv)
{
    struct match_counts counts;
    return match_command(argc, argv, &counts);
}

int match_command(int argc, char **argv, struct match_counts *counts)
{
    *counts = (struct match_counts){.wins = 0};
    struct command *c = calloc(1, sizeof *c);
    if (c == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    int code = match_options_read(&c->options, "match", NULL, argc, argv);
    if (code == EXIT_DONE)
        code = run(c);
    *counts = c->match.counts;
    match_file_close(&c->file);
    match_finish(&c->match);
    players_free(&c->players);
    match_options_finish(&c->options);
    free(c);
    return code;
}
