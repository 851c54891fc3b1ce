#include "match_options.h"

#include "command.h"
#include "default_book.h"
#include "engine.h"
#include "output.h"
#include "parse.h"
#include "paths.h"
#include "trust.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int64_t min, max, usual;
} numbers[NUMBERS] = {
    [GAMES] = {"games", 2, MATCH_GAMES_MAX, 200},
    [NODES] = {"nodes", 1, INT64_C(1000000000000), 5000},
    [DEPTH] = {"depth", 1, MAX_DEPTH, 0},
    [MOVETIME] = {"movetime", 1, 86400000, 0},
    [GRACE] = {"grace", 0, 60000, 50},
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

static const char *const texts[TEXTS] = {"eval",      "search",    "openings", "tc",   "sprt",
                                         "alpha",     "beta",      "output",   "date", "format",
                                         "options-a", "options-b", "against"};
static const char *const flags[FLAGS] = {"unique", "resume", "force", "verbose", "trust", "help"};

enum { SPRT_GAMES = 100000, ELO_MAX = 1000 };

/* ---- options ---- */

/* True if this command has the option. Only one of the two has each of these. */
static bool has_text(const struct match_options *c, enum match_text text)
{
    bool gauntlet = strcmp(c->command, "gauntlet") == 0;
    return text == AGAINST ? gauntlet : (text != OPTIONS_A && text != OPTIONS_B) || !gauntlet;
}

/* All options for getopt_long. An id gives the sort of an option and its index. */
static void list_options(const struct match_options *c,
                         struct option options[NUMBERS + TEXTS + FLAGS + 1])
{
    struct option *o = options;
    for (int i = 0; i < NUMBERS; i++)
        *o++ = (struct option){numbers[i].name, required_argument, NULL, 1000 + i};
    for (int i = 0; i < TEXTS; i++)
        if (has_text(c, (enum match_text)i))
            *o++ = (struct option){texts[i], required_argument, NULL, 2000 + i};
    for (int i = 0; i < FLAGS; i++)
        *o++ = (struct option){flags[i], no_argument, NULL, 3000 + i};
    *o = (struct option){0};
}

/* Takes a text; --against may occur several times. */
static bool take_text(struct match_options *c, enum match_text text, const char *value)
{
    c->text[text] = value;
    if (text != AGAINST)
        return true;
    if (c->against_count == AGAINST_MAX) {
        command_misuse(c->command, "--against at most %d times", AGAINST_MAX);
        return false;
    }
    c->against[c->against_count++] = value;
    return true;
}

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct match_options *c, int id, const char *value)
{
    if (id == 'o' || id == 'h')
        id = id == 'o' ? 2000 + OUTPUT : 3000 + HELP;
    if (id >= 3000)
        return c->flag[id - 3000] = true;
    if (id >= 2000)
        return take_text(c, (enum match_text)(id - 2000), value);
    char option[32];
    int i = id - 1000;
    snprintf(option, sizeof option, "--%s", numbers[i].name);
    c->given[i] = true;
    return command_number(c->command, option, value, numbers[i].min, numbers[i].max, &c->number[i]);
}

/* Checks options that need another one. */
static bool check_company(const struct match_options *c)
{
    static const struct {
        enum match_number option, needs;
    } pairs[] = {{WIN_MOVES, WIN_SCORE}, {DRAW_MOVES, DRAW_SCORE}, {DRAW_FROM, DRAW_SCORE}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (c->given[pairs[i].option] && !c->given[pairs[i].needs]) {
            command_misuse(c->command, "--%s needs --%s", numbers[pairs[i].option].name,
                           numbers[pairs[i].needs].name);
            return false;
        }
    if ((c->text[ALPHA] != NULL || c->text[BETA] != NULL) && c->text[SPRT] == NULL)
        command_misuse(c->command, "--alpha and --beta need --sprt");
    else if ((c->flag[RESUME] || c->flag[FORCE]) && c->text[OUTPUT] == NULL)
        command_misuse(c->command, "--resume and --force need -o FILE");
    else if (c->flag[RESUME] && c->flag[FORCE])
        command_misuse(c->command,
                       "--resume continues a match and --force starts it anew; give one of them");
    else if (c->given[NODES] + c->given[DEPTH] + c->given[MOVETIME] + (c->text[TC] != NULL) > 1)
        command_misuse(c->command,
                       "only one of --nodes, --depth, --movetime and --tc can be given");
    else if (c->given[PLIES] && c->text[OPENINGS] == NULL)
        command_misuse(c->command, "--plies needs --openings");
    else if (c->number[GAMES] % 2 != 0)
        command_misuse(c->command,
                       "--games takes an even number, since each opening is played twice");
    else
        return true;
    return false;
}

static bool take_time(struct match_options *c)
{
    struct game_limits *l = &c->settings.limits;
    if (c->text[TC] == NULL || parse_clock(c->text[TC], &l->time, &l->increment))
        return true;
    command_misuse(c->command, "--tc takes seconds, as in 10+0.1, not '%s'", c->text[TC]);
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

static bool take_rate(const struct match_options *c, const char *option, const char *text,
                      double *rate)
{
    if (text == NULL || (parse_double(text, rate) && *rate > 0 && *rate < 0.5))
        return true;
    command_misuse(c->command, "%s takes a rate above 0 and below 0.5, not '%s'", option, text);
    return false;
}

static bool take_sprt(struct match_options *c)
{
    struct match_settings *s = &c->settings;
    s->sequential = c->text[SPRT] != NULL;
    s->sprt.alpha = s->sprt.beta = 0.05;
    if (s->sequential && !parse_hypotheses(c->text[SPRT], &s->sprt)) {
        command_misuse(
            c->command,
            "--sprt takes two differences in Elo from %d to %d, the smaller first, as in "
            "0,5, not '%s'",
            -ELO_MAX, ELO_MAX, c->text[SPRT]);
        return false;
    }
    return take_rate(c, "--alpha", c->text[ALPHA], &s->sprt.alpha) &&
           take_rate(c, "--beta", c->text[BETA], &s->sprt.beta);
}

/* "2026.11.21", with a "?" for each unknown digit. */
static bool check_date(const struct match_options *c)
{
    const char *date = c->text[DATE];
    bool good = date == NULL || strlen(date) == 10;
    for (int i = 0; good && date != NULL && i < 10; i++)
        good = i == 4 || i == 7 ? date[i] == '.' : strchr("0123456789?", date[i]) != NULL;
    if (!good)
        command_misuse(c->command, "--date takes YYYY.MM.DD, not '%s'", date);
    return good;
}

static bool check_format(const struct match_options *c)
{
    const char *format = c->text[FORMAT];
    if (format == NULL || strcmp(format, "text") == 0 || strcmp(format, "json") == 0)
        return true;
    command_misuse(c->command, "no format '%s'; there are text, json", format);
    return false;
}

/* Sets up the match. The numbers are in range. */
static void take_numbers(struct match_options *c)
{
    struct match_settings *s = &c->settings;
    const int64_t *n = c->number;
    s->games = s->sequential && !c->given[GAMES] ? SPRT_GAMES : n[GAMES];
    s->limits.depth = (int)n[DEPTH];
    s->limits.movetime = n[MOVETIME];
    bool timed = s->limits.time > 0 || s->limits.movetime > 0;
    s->limits.grace = timed ? n[GRACE] : 0;
    s->limits.nodes = c->given[DEPTH] || timed ? 0 : (uint64_t)n[NODES];
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

/* Reads the options one by one. Returns EXIT_DONE, or the exit code. */
static int take_options(struct match_options *c, int argc, char **argv)
{
    struct option options[NUMBERS + TEXTS + FLAGS + 1];
    list_options(c, options);
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (id == ':' || id == '?')
            return command_bad_option(c->command, id, argv, options);
        if (!take_option(c, id, optarg))
            return EXIT_BAD;
    }
    c->players = argv + optind;
    c->player_count = argc - optind;
    return EXIT_DONE;
}

/* True if the command line has a limit. */
static bool is_limited(const struct match_options *c)
{
    return c->given[NODES] || c->given[DEPTH] || c->given[MOVETIME] || c->text[TC] != NULL;
}

int match_options_read(struct match_options *c, const char *command, const char *tc, int argc,
                       char **argv)
{
    *c = (struct match_options){.command = command};
    for (int i = 0; i < NUMBERS; i++)
        c->number[i] = numbers[i].usual;
    c->number[THREADS] = command_threads();
    int code = take_options(c, argc, argv);
    if (code != EXIT_DONE || c->flag[HELP])
        return code;
    if (c->flag[TRUST])
        trust_all();
    if (!check_company(c))
        return EXIT_BAD;
    if (!is_limited(c))
        c->text[TC] = tc;
    if (!take_time(c) || !take_sprt(c) || !check_date(c) || !check_format(c))
        return EXIT_BAD;
    if (c->text[OUTPUT] != NULL && !output_is_file(c->text[OUTPUT]))
        return command_misuse(command, "games can only be written to a file, not to '%s'",
                              c->text[OUTPUT]);
    take_numbers(c);
    c->settings.date = c->text[DATE];
    return EXIT_DONE;
}

/* ---- input ---- */

/* Checks that there are enough openings for --unique. */
static bool check_openings(const struct match_options *c, struct error *err)
{
    const struct match_settings *s = &c->settings;
    return !c->flag[UNIQUE] || s->games / 2 <= (int64_t)c->book.count ||
           error_set(err, "%s: %zu openings for %" PRId64 " pairs of games; --unique needs as many",
                     s->book_name, c->book.count, s->games / 2);
}

/* Checks that games go on after their openings, whose plies --max-plies counts. */
static bool check_lengths(const struct match_options *c, struct error *err)
{
    const int most = c->settings.adjudication.max_plies;
    for (size_t i = 0; most > 0 && i < c->book.count; i++)
        if (c->book.items[i].plies >= most)
            return error_set(err,
                             "%s: an opening has %d plies, and --max-plies %d counts them; give "
                             "more, or fewer --plies of each opening",
                             c->settings.book_name, c->book.items[i].plies, most);
    return true;
}

void match_options_note_repeats(const struct match_options *c)
{
    const struct match_settings *s = &c->settings;
    if (s->games / 2 > (int64_t)c->book.count)
        fprintf(stderr,
                "note: %s has %zu openings for %" PRId64 " pairs; an opening that is used again "
                "repeats the same two games\n",
                s->book_name, c->book.count, s->games / 2);
}

void match_options_note_used_up(const struct match_options *c)
{
    if (c->book_bound)
        fprintf(stderr,
                "note: all %zu openings are used, and further games would be copies; give "
                "more --openings, or --tc\n",
                c->book.count);
}

/* By default, a sequential test of repeatable games ends when the book is used up: further games
 * would be copies. */
static void limit_test(struct match_options *c)
{
    struct match_settings *s = &c->settings;
    int64_t different = 2 * (int64_t)c->book.count;
    c->book_bound = s->sequential && !c->given[GAMES] && s->games > different;
    if (c->book_bound)
        s->games = different;
}

bool match_options_book(struct match_options *c, bool repeatable, struct error *err)
{
    const char *name = c->text[OPENINGS];
    char path[PATH_SIZE];
    c->settings.book = &c->book;
    c->settings.book_name = name == NULL ? "default" : path_name(name);
    if (name == NULL ? !default_book_read(&c->book, err)
                     : !data_file_find(name, DATA_POSITIONS, path, err) ||
                           !book_read(&c->book, path, (int)c->number[PLIES], err))
        return false;
    if (repeatable)
        limit_test(c);
    return check_openings(c, err) && check_lengths(c, err);
}

struct player_usual match_options_usual(const struct match_options *c)
{
    return (struct player_usual){.evaluation = c->text[EVAL],
                                 .search = c->text[SEARCH],
                                 .options = {c->text[OPTIONS_A], c->text[OPTIONS_B]},
                                 .option_names = {"--options-a", "--options-b"},
                                 .hash = {(int)c->number[HASH], c->given[HASH] ? "--hash" : NULL}};
}

void match_options_set_players(const struct match_options *c, const struct named_players *named,
                               struct match_settings *settings)
{
    memcpy(settings->players, named->players, sizeof settings->players);
    bool ours = named->players[0].process == NULL && named->players[1].process == NULL;
    if (ours && settings->limits.movetime == 0 && !c->given[GRACE])
        settings->limits.grace = 0;
}

void match_options_broken_path(const struct match_options *c, char path[PATH_SIZE])
{
    const char *output = c->text[OUTPUT] != NULL ? c->text[OUTPUT] : "grayling";
    int length = snprintf(path, PATH_SIZE, "%s.broken-game", output);
    if (length >= PATH_SIZE)
        snprintf(path, PATH_SIZE, "grayling.broken-game");
}

bool match_options_is_json(const struct match_options *c)
{
    return c->text[FORMAT] != NULL && strcmp(c->text[FORMAT], "json") == 0;
}

void match_options_finish(struct match_options *c)
{
    book_free(&c->book);
}
