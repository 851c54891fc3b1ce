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
    "Plays games between two players and estimates their Elo difference with error\n"
    "bars. A and B are parameter files, or runs for their best organisms; each holds\n"
    "an evaluation or a search. EVAL.yaml,SEARCH.yaml gives both. A part that is not\n"
    "given is the engine's own. 'default' is the engine's own too, and 'plain' is a\n"
    "search without selective methods (alpha-beta alone). uci:COMMAND is another\n"
    "engine, and so is a parameter file of kind uci with a command. defaults:RUN.db\n"
    "is the engine of a run with the defaults of its space. Each opening is played\n"
    "twice, with colours reversed. With --nodes or --depth a match of our own\n"
    "engine repeats game for game, for any number of threads.\n\n"
    "      --eval FILE         evaluation of both players, if A and B give none\n"
    "      --search FILE       search of both players, if A and B give none; may be\n"
    "                          'plain'\n"
    "      --options-a FILE    options of A, if it is uci:COMMAND: a parameter file\n"
    "                          of kind uci, or lines 'setoption name X value Y'\n"
    "      --options-b FILE    options of B\n"
    "      --games N           number of games, even (200; with --sprt at most\n"
    "                          100000, or each opening once if games are repeatable)\n"
    "      --nodes N           search N nodes per move (5000)\n"
    "      --depth N           search N plies per move\n"
    "      --movetime MS       think MS milliseconds per move\n"
    "      --tc T+I            time control: T seconds per game and I per move; such\n"
    "                          games are not repeatable\n"
    "      --grace MS          how late a player may be before it loses on time (50;\n"
    "                          0 if both are our engine, with --tc)\n"
    "      --openings FILE     opening book: PGN, EPD or FEN (a balanced book of\n"
    "                          1500)\n"
    "      --plies N           plies to take from each game of a PGN book (16)\n"
    "      --unique            fail rather than use an opening in two pairs of games\n"
    "      --seed S            seed for the order of the openings (1)\n"
    "      --sprt ELO0,ELO1    stop when a sequential test decides between ELO0 and\n"
    "                          ELO1\n"
    "      --alpha P           probability of accepting ELO1 wrongly (0.05)\n"
    "      --beta P            probability of accepting ELO0 wrongly (0.05)\n"
    "      --win-score CP      adjudicate a win when both players see at least CP\n"
    "                          centipawns\n"
    "      --win-moves N       for N moves in a row (4)\n"
    "      --draw-score CP     adjudicate a draw when both players see at most CP\n"
    "                          centipawns\n"
    "      --draw-moves N      for N moves in a row (8)\n"
    "      --draw-from N       from move N on (40)\n"
    "      --max-plies N       adjudicate a draw after N plies, opening included\n"
    "      --hash MIB          transposition table of each engine; a thread has two\n"
    "                          (16)\n"
    "      --threads N         games played in parallel (all cores, or\n"
    "                          OMP_NUM_THREADS)\n"
    "  -o, --output FILE       write the games, PGN\n"
    "      --resume            continue the interrupted match in FILE, with the same\n"
    "                          options\n"
    "      --force             overwrite FILE\n"
    "      --trust             start the engine of a file or run that you have not\n"
    "                          used before; needed once for each command line\n"
    "      --date YYYY.MM.DD   date to write into the games (unknown)\n"
    "      --verbose           print a line for each game\n"
    "      --format FORMAT     format of the result: text (default) or json\n\n"
    "  grayling match mine.yaml default --games 1000 -o mine.pgn\n"
    "  grayling match runs/search.db default-search --sprt 0,5\n"
    "  grayling match a.yaml b.yaml --search plain --depth 4\n"
    "  grayling match default 'uci:gnuchess -u' --tc 10+0.1 -o gnu.pgn\n";

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
