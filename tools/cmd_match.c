/* grayling match: many games between two sets of parameters. */
#include "command.h"

#include "data_files.h"
#include "default_book.h"
#include "interrupt.h"
#include "match_broken.h"
#include "match_file.h"
#include "match_report.h"
#include "output.h"
#include "parse.h"
#include "player.h"
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: grayling match A B [OPTIONS]\n\n"
    "Plays games between two players and estimates their Elo difference with error\n"
    "bars. A and B are parameter files, or runs for their best organisms; each holds\n"
    "an evaluation or a search. EVAL.yaml,SEARCH.yaml gives both. A part that is not\n"
    "given is the engine's own. 'default' is the engine's own too, and 'plain' is a\n"
    "search without selective methods (alpha-beta alone). Each opening is played\n"
    "twice, with colours reversed. With --nodes or --depth a match repeats game for\n"
    "game, for any number of threads.\n\n"
    "      --eval FILE         evaluation of both players, if A and B give none\n"
    "      --search FILE       search of both players, if A and B give none; may be\n"
    "                          'plain'\n"
    "      --games N           number of games, even (200; with --sprt at most\n"
    "                          100000, or each opening once if games are repeatable)\n"
    "      --nodes N           search N nodes per move (5000)\n"
    "      --depth N           search N plies per move\n"
    "      --tc T+I            time control: T seconds per game and I per move; such\n"
    "                          games are not repeatable\n"
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
    "      --max-plies N       adjudicate a draw after N plies\n"
    "      --hash MIB          transposition table of each engine; a thread has two\n"
    "                          (16)\n"
    "      --threads N         games played in parallel (all cores, or\n"
    "                          OMP_NUM_THREADS)\n"
    "  -o, --output FILE       write the games, PGN\n"
    "      --resume            continue the interrupted match in FILE, with the same\n"
    "                          options\n"
    "      --force             overwrite FILE\n"
    "      --date YYYY.MM.DD   date to write into the games (unknown)\n"
    "      --verbose           print a line for each game\n"
    "      --format FORMAT     format of the result: text (default) or json\n\n"
    "  grayling match mine.yaml default --games 1000 -o mine.pgn\n"
    "  grayling match runs/night.db default-search --sprt 0,5\n"
    "  grayling match a.yaml b.yaml --search plain --depth 4\n";

/* Options with a whole number. */
enum number {
    GAMES,
    NODES,
    DEPTH,
    PLIES,
    SEED,
    WIN_SCORE,
    WIN_MOVES,
    DRAW_SCORE,
    DRAW_MOVES,
    DRAW_FROM,
    MAX_PLIES,
    HASH,
    THREADS,
    NUMBERS
};

static const struct {
    const char *name;
    int64_t min, max, usual;
} numbers[NUMBERS] = {
    [GAMES] = {"games", 2, MATCH_GAMES_MAX, 200},
    [NODES] = {"nodes", 1, INT64_C(1000000000000), 5000},
    [DEPTH] = {"depth", 1, MAX_DEPTH, 0},
    [PLIES] = {"plies", 1, OPENING_PLIES, 16},
    [SEED] = {"seed", 0, INT64_MAX, 1},
    [WIN_SCORE] = {"win-score", 1, 100000, 0},
    [WIN_MOVES] = {"win-moves", 1, 1000, 4},
    [DRAW_SCORE] = {"draw-score", 0, 100000, 0},
    [DRAW_MOVES] = {"draw-moves", 1, 1000, 8},
    [DRAW_FROM] = {"draw-from", 0, 10000, 40},
    [MAX_PLIES] = {"max-plies", 1, 100000, 0},
    [HASH] = {"hash", HASH_MIN, HASH_MAX, 16},
    [THREADS] = {"threads", 1, 1024, 0},
};

/* Options with a text, and options without a value. */
enum text { EVAL, SEARCH, OPENINGS, TC, SPRT, ALPHA, BETA, OUTPUT, DATE, FORMAT, TEXTS };
enum flag { UNIQUE, RESUME, FORCE, VERBOSE, HELP, FLAGS };

static const char *const texts[TEXTS] = {"eval",  "search", "openings", "tc",   "sprt",
                                         "alpha", "beta",   "output",   "date", "format"};
static const char *const flags[FLAGS] = {"unique", "resume", "force", "verbose", "help"};

enum { PATH_LENGTH = 4096, SPRT_GAMES = 100000, ELO_MAX = 1000, TIME_MAX = 1000000 };

/* The command line, and the state of the command. */
struct command {
    int64_t number[NUMBERS];
    bool given[NUMBERS]; /* the number is on the command line */
    const char *text[TEXTS];
    bool flag[FLAGS];
    const char *players[2];
    struct match_settings settings;
    struct book book;
    struct match match;
    struct match_file file;
    struct progress progress;
    struct error broken; /* the report on a broken game */
    bool book_bound;     /* the test ends when the book is used up */
};

/* ---- options ---- */

/* All options for getopt_long. An id gives the sort of an option and its index. */
static void list_options(struct option options[NUMBERS + TEXTS + FLAGS + 1])
{
    struct option *o = options;
    for (int i = 0; i < NUMBERS; i++)
        *o++ = (struct option){numbers[i].name, required_argument, NULL, 1000 + i};
    for (int i = 0; i < TEXTS; i++)
        *o++ = (struct option){texts[i], required_argument, NULL, 2000 + i};
    for (int i = 0; i < FLAGS; i++)
        *o++ = (struct option){flags[i], no_argument, NULL, 3000 + i};
    *o = (struct option){0};
}

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct command *c, int id, const char *value)
{
    if (id == 'o' || id == 'h')
        id = id == 'o' ? 2000 + OUTPUT : 3000 + HELP;
    if (id >= 3000)
        return c->flag[id - 3000] = true;
    if (id >= 2000) {
        c->text[id - 2000] = value;
        return true;
    }
    char option[32];
    int i = id - 1000;
    snprintf(option, sizeof option, "--%s", numbers[i].name);
    c->given[i] = true;
    return command_number("match", option, value, numbers[i].min, numbers[i].max, &c->number[i]);
}

/* Checks options that need another one. */
static bool check_company(const struct command *c)
{
    static const struct {
        enum number option, needs;
    } pairs[] = {{WIN_MOVES, WIN_SCORE}, {DRAW_MOVES, DRAW_SCORE}, {DRAW_FROM, DRAW_SCORE}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (c->given[pairs[i].option] && !c->given[pairs[i].needs]) {
            command_misuse("match", "--%s needs --%s", numbers[pairs[i].option].name,
                           numbers[pairs[i].needs].name);
            return false;
        }
    if ((c->text[ALPHA] != NULL || c->text[BETA] != NULL) && c->text[SPRT] == NULL)
        command_misuse("match", "--alpha and --beta need --sprt");
    else if ((c->flag[RESUME] || c->flag[FORCE]) && c->text[OUTPUT] == NULL)
        command_misuse("match", "--resume and --force need -o FILE");
    else if (c->flag[RESUME] && c->flag[FORCE])
        command_misuse("match",
                       "--resume continues a match and --force starts it anew; give one of them");
    else if (c->given[NODES] + c->given[DEPTH] + (c->text[TC] != NULL) > 1)
        command_misuse("match", "only one of --nodes, --depth and --tc can be given");
    else if (c->given[PLIES] && c->text[OPENINGS] == NULL)
        command_misuse("match", "--plies needs --openings");
    else if (c->number[GAMES] % 2 != 0)
        command_misuse("match", "--games takes an even number, since each opening is played twice");
    else
        return true;
    return false;
}

/* Parses seconds with decimals as milliseconds. Returns false if they are invalid or too many. */
static bool parse_seconds(const char *text, int64_t *milliseconds)
{
    double seconds;
    if (!parse_double(text, &seconds) || seconds < 0 || seconds > TIME_MAX)
        return false;
    *milliseconds = llround(1000 * seconds);
    return true;
}

/* "10+0.1" or "10". */
static bool take_time(struct command *c)
{
    char text[64];
    struct game_limits *l = &c->settings.limits;
    if (c->text[TC] == NULL)
        return true;
    snprintf(text, sizeof text, "%s", c->text[TC]);
    char *plus = strchr(text, '+');
    if (plus != NULL)
        *plus = '\0';
    if (strlen(c->text[TC]) < sizeof text && parse_seconds(text, &l->time) && l->time > 0 &&
        (plus == NULL || parse_seconds(plus + 1, &l->increment)))
        return true;
    command_misuse("match", "--tc takes seconds, as in 10+0.1, not '%s'", c->text[TC]);
    return false;
}

/* "0,5" */
static bool parse_hypotheses(const char *text, struct sprt *s)
{
    char first[64];
    const char *comma = strchr(text, ',');
    if (comma == NULL || comma - text >= (int)sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    return parse_double(first, &s->elo0) && parse_double(comma + 1, &s->elo1) &&
           -ELO_MAX <= s->elo0 && s->elo0 < s->elo1 && s->elo1 <= ELO_MAX;
}

static bool take_rate(const char *option, const char *text, double *rate)
{
    if (text == NULL || (parse_double(text, rate) && *rate > 0 && *rate < 0.5))
        return true;
    command_misuse("match", "%s takes a rate above 0 and below 0.5, not '%s'", option, text);
    return false;
}

static bool take_sprt(struct command *c)
{
    struct match_settings *s = &c->settings;
    s->sequential = c->text[SPRT] != NULL;
    s->sprt.alpha = s->sprt.beta = 0.05;
    if (s->sequential && !parse_hypotheses(c->text[SPRT], &s->sprt)) {
        command_misuse("match", "--sprt takes two differences in Elo, as in 0,5, not '%s'",
                       c->text[SPRT]);
        return false;
    }
    return take_rate("--alpha", c->text[ALPHA], &s->sprt.alpha) &&
           take_rate("--beta", c->text[BETA], &s->sprt.beta);
}

/* "2026.11.21", with a "?" for each unknown digit. */
static bool check_date(const char *date)
{
    bool good = date == NULL || strlen(date) == 10;
    for (int i = 0; good && date != NULL && i < 10; i++)
        good = i == 4 || i == 7 ? date[i] == '.' : strchr("0123456789?", date[i]) != NULL;
    if (!good)
        command_misuse("match", "--date takes YYYY.MM.DD, not '%s'", date);
    return good;
}

static bool check_format(const char *format)
{
    if (format == NULL || strcmp(format, "text") == 0 || strcmp(format, "json") == 0)
        return true;
    command_misuse("match", "no format '%s'; there are text, json", format);
    return false;
}

/* Sets up the match. The numbers are in range. */
static void take_numbers(struct command *c)
{
    struct match_settings *s = &c->settings;
    const int64_t *n = c->number;
    s->games = s->sequential && !c->given[GAMES] ? SPRT_GAMES : n[GAMES];
    s->limits.depth = (int)n[DEPTH];
    s->limits.nodes = c->given[DEPTH] || s->limits.time > 0 ? 0 : (uint64_t)n[NODES];
    s->seed = (uint64_t)n[SEED];
    s->hash_mib = (int)n[HASH];
    s->threads = (int)(n[THREADS] < s->games ? n[THREADS] : s->games);
    s->adjudication.max_plies = (int)n[MAX_PLIES];
    if (c->given[WIN_SCORE]) {
        s->adjudication.win_score = (int32_t)n[WIN_SCORE];
        s->adjudication.win_moves = (int)n[WIN_MOVES];
    }
    if (c->given[DRAW_SCORE]) {
        s->adjudication.draw_score = (int32_t)n[DRAW_SCORE];
        s->adjudication.draw_moves = (int)n[DRAW_MOVES];
        s->adjudication.draw_from = (int)n[DRAW_FROM];
    }
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct command *c)
{
    struct option options[NUMBERS + TEXTS + FLAGS + 1];
    list_options(options);
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (id == ':' || id == '?')
            return command_bad_option("match", id, argv);
        if (!take_option(c, id, optarg))
            return EXIT_BAD;
    }
    if (c->flag[HELP])
        return EXIT_DONE;
    if (argc - optind != 2)
        return command_misuse("match", "expected two players, not %d", argc - optind);
    if (!check_company(c) || !take_time(c) || !take_sprt(c) || !check_date(c->text[DATE]) ||
        !check_format(c->text[FORMAT]))
        return EXIT_BAD;
    if (c->text[OUTPUT] != NULL && !output_is_file(c->text[OUTPUT]))
        return command_misuse("match", "games can only be written to a file, not to '%s'",
                              c->text[OUTPUT]);
    c->players[0] = argv[optind];
    c->players[1] = argv[optind + 1];
    take_numbers(c);
    return EXIT_DONE;
}

/* ---- input ---- */

/* Checks that there are enough openings for --unique. */
static bool check_openings(const struct command *c, struct error *err)
{
    const struct match_settings *s = &c->settings;
    return !c->flag[UNIQUE] || s->games / 2 <= (int64_t)c->book.count ||
           error_set(err, "%s: %zu openings for %" PRId64 " pairs of games; --unique needs as many",
                     s->book_name, c->book.count, s->games / 2);
}

/* Notes that openings are used again, and what follows. */
static void note_repeats(const struct command *c)
{
    const struct match_settings *s = &c->settings;
    if (s->limits.time == 0 && s->games / 2 > (int64_t)c->book.count)
        fprintf(stderr,
                "note: %s has %zu openings for %" PRId64 " pairs; an opening that is used again "
                "repeats the same two games\n",
                s->book_name, c->book.count, s->games / 2);
}

/* By default, a sequential test of repeatable games ends when the book is used up: further games
 * would be copies. */
static void limit_test(struct command *c)
{
    struct match_settings *s = &c->settings;
    int64_t different = 2 * (int64_t)c->book.count;
    c->book_bound =
        s->sequential && !c->given[GAMES] && s->limits.time == 0 && s->games > different;
    if (c->book_bound)
        s->games = different;
}

static bool load_book(struct command *c, struct error *err)
{
    const char *name = c->text[OPENINGS], *slash = name == NULL ? NULL : strrchr(name, '/');
    char path[PATH_SIZE];
    c->settings.book = &c->book;
    c->settings.book_name = name == NULL ? "default" : slash == NULL ? name : slash + 1;
    if (name == NULL ? !default_book_read(&c->book, err)
                     : !data_file_find(name, DATA_POSITIONS, path, err) ||
                           !book_read(&c->book, path, (int)c->number[PLIES], err))
        return false;
    limit_test(c);
    return check_openings(c, err);
}

static bool load(struct command *c, struct error *err)
{
    const struct player_usual usual = {c->text[EVAL], c->text[SEARCH]};
    c->settings.date = c->text[DATE];
    return players_read(c->players, &usual, c->settings.players, err) && load_book(c, err) &&
           match_init(&c->match, &c->settings, err);
}

/* Starts the file of games, or resumes it. */
static bool open_file(struct command *c, struct error *err)
{
    const char *path = c->text[OUTPUT];
    if (path == NULL)
        return true;
    return c->flag[RESUME] ? match_file_resume(&c->file, &c->match, path, err)
                           : match_file_begin(&c->file, &c->match, path, c->flag[FORCE], err);
}

/* ---- playing ---- */

static void show(struct command *c)
{
    char note[PROGRESS_NOTE];
    match_report_note(&c->match, note, sizeof note);
    progress_show(&c->progress, c->match.played, c->settings.games, note);
}

static bool is_json(const struct command *c)
{
    return c->text[FORMAT] != NULL && strcmp(c->text[FORMAT], "json") == 0;
}

/* Writes a game and reports it. */
static bool after_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct command *c = context;
    if (c->flag[VERBOSE]) {
        progress_end(&c->progress);
        match_report_game(is_json(c) ? stderr : stdout, &c->match, number, g);
    }
    show(c);
    return match_file_add(&c->file, number, g, err);
}

/* Writes the report on a broken game beside the file of games, or into the current folder. */
static void keep_broken(void *context, int64_t number, const struct game *g)
{
    struct command *c = context;
    char path[PATH_LENGTH];
    const char *output = c->text[OUTPUT] != NULL ? c->text[OUTPUT] : "grayling";
    int length = snprintf(path, sizeof path, "%s.broken-game", output);
    if (length >= (int)sizeof path)
        snprintf(path, sizeof path, "grayling.broken-game");
    match_broken_fail(path, &c->match, number, g, &c->broken);
}

/* Reports the state of an interrupted match. */
static int interrupted(const struct command *c)
{
    if (c->text[OUTPUT] == NULL)
        fputs("grayling: interrupted; no games are kept without -o FILE\n", stderr);
    else
        fprintf(stderr,
                "grayling: interrupted; %" PRId64 " of %" PRId64 " games are in %s\n"
                "continue with the same command and --resume\n",
                c->match.played, c->settings.games, c->text[OUTPUT]);
    return EXIT_INTERRUPTED;
}

/* Prints the result, and chooses the exit code. */
static int finish(struct command *c, enum match_end end, const struct error *reason)
{
    struct error err;
    if (end == MATCH_FAILED || end == MATCH_BROKEN)
        return command_fail(EXIT_FAILED, end == MATCH_BROKEN ? &c->broken : reason);
    if (!output_write("-", is_json(c) ? match_report_json : match_report_text, &c->match, &err))
        return command_fail(EXIT_FAILED, &err);
    if (end == MATCH_STOPPED)
        return interrupted(c);
    if (c->text[OUTPUT] != NULL)
        output_tell("games", c->text[OUTPUT]);
    if (c->book_bound && c->match.decision == SPRT_GOES_ON)
        fprintf(stderr,
                "note: all %zu openings are used, and further games would be copies; give "
                "more --openings, or --tc\n",
                c->book.count);
    return EXIT_DONE;
}

/* Runs the command, after its command line is read. */
static int play(struct command *c)
{
    struct error err = {""};
    const struct match_watcher watcher = {
        .context = c, .played = after_game, .broken = keep_broken};
    c->settings.stop = interrupt_watch();
    if (!load(c, &err) || !open_file(c, &err))
        return command_fail(EXIT_BAD, &err);
    note_repeats(c);
    progress_begin(&c->progress, "game", c->match.played);
    enum match_end end = match_play(&c->match, &watcher, &err);
    progress_end(&c->progress);
    return finish(c, end, &err);
}

int cmd_match(int argc, char **argv)
{
    struct command *c = calloc(1, sizeof *c);
    if (c == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    for (int i = 0; i < NUMBERS; i++)
        c->number[i] = numbers[i].usual;
    c->number[THREADS] = command_threads();
    int code = read_options(argc, argv, c);
    if (code == EXIT_DONE && c->flag[HELP])
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = play(c);
    match_file_close(&c->file);
    match_finish(&c->match);
    book_free(&c->book);
    free(c);
    return code;
}
