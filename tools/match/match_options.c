#include "match_options.h"

#include "command.h"
#include "default_params.h"
#include "engine.h"
#include "named_engine.h"
#include "output.h"
#include "parse.h"
#include "paths.h"
#include "trust.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPRT_GAMES = 100000, ELO_MAX = 1000, GAMES = 200, NODES = 5000, GRACE = 50, PLIES = 16 };

/* ---- options ---- */

const struct match_options match_usual = {
    .grace = -1, .seed = 1, .draw_score = -1, .draw_from = -1, .alpha = 0.05, .beta = 0.05};

static bool take_rate(void *target, const char *text, struct error *err)
{
    double rate;
    if (!parse_double(text, &rate) || rate <= 0 || rate >= 0.5)
        return error_set(err, "takes a rate above 0 and below 0.5, not '%s'", text);
    *(double *)target = rate;
    return true;
}

/* "2026.11.21", with a "?" for each unknown digit. */
static bool take_date(void *target, const char *text, struct error *err)
{
    bool good = strlen(text) == 10;
    for (int i = 0; good && i < 10; i++)
        good = i == 4 || i == 7 ? text[i] == '.' : strchr("0123456789?", text[i]) != NULL;
    *(const char **)target = text;
    return good || error_set(err, "takes YYYY.MM.DD, not '%s'", text);
}

static const char *const formats[] = {[MATCH_TEXT] = "text", [MATCH_JSON] = "json", NULL};

#define AT(member) OPTION_AT(struct match_options, member)

const struct option_row match_rows[] = {
    {"games", "N", AS_NUMBER, AT(games), "of each match, even (200; with --sprt 100000)", 2,
     MATCH_GAMES_MAX},
    {"nodes", "N", AS_NUMBER, AT(nodes), "limit (match: 5000 nodes)", 1, INT64_C(1000000000000)},
    {"depth", "N", AS_NUMBER, AT(depth), NULL, 1, MAX_DEPTH},
    {"movetime", "MS", AS_NUMBER, AT(movetime), NULL, 1, 86400000},
    {"tc", "T+I", AS_TEXT, AT(tc)},
    {"grace", "MS", AS_NUMBER, AT(grace), "how late a move may be (50 ms; between ours 0)", 0,
     60000},
    {"sprt", "ELO0,ELO1", AS_TEXT, AT(sprt), "sequential test; its errors (0.05)"},
    {"alpha", "P", AS_CALL, AT(alpha), .take = take_rate},
    {"beta", "P", AS_CALL, AT(beta), .take = take_rate},
    {"openings", "FILE", AS_TEXT, AT(openings), "a book (our 1500); plies of a PGN book (16)"},
    {"plies", "N", AS_NUMBER, AT(plies), NULL, 1, OPENING_PLIES},
    {"seed", "S", AS_NUMBER, AT(seed), "order of the openings (1); use none twice", 0, INT64_MAX},
    {"unique", NULL, AS_FLAG, AT(unique)},
    {"win-score", "CP", AS_NUMBER, AT(win_score), "a win if both see CP for N moves (4)", 1,
     100000},
    {"win-moves", "N", AS_NUMBER, AT(win_moves), NULL, 1, 1000},
    {"draw-score", "CP", AS_NUMBER, AT(draw_score), "likewise a draw (8, 40)", 0, 100000},
    {"draw-moves", "N", AS_NUMBER, AT(draw_moves), NULL, 1, 1000},
    {"draw-from", "N", AS_NUMBER, AT(draw_from), NULL, 0, 10000},
    {"max-plies", "N", AS_NUMBER, AT(max_plies), "a draw after N plies, opening included", 1,
     100000},
    {"eval", "FILE", AS_TEXT, AT(evaluation), "of players of ours that give none"},
    {"search", "FILE", AS_TEXT, AT(search)},
    {"hash", "MIB", AS_NUMBER, AT(hash), "an engine's table (16); games at once (all)", HASH_MIN,
     HASH_MAX},
    {"threads", "N", AS_THREADS, AT(threads)},
    {"output", "FILE", AS_TEXT, AT(output), "the games, PGN; continue; overwrite", .letter = 'o'},
    {"resume", NULL, AS_FLAG, AT(resume)},
    {"force", NULL, AS_FLAG, AT(force)},
    {"date", "YYYY.MM.DD", AS_CALL, AT(date), "of the games; a line for each", .take = take_date},
    {"verbose", NULL, AS_FLAG, AT(verbose)},
    {"format", "FORMAT", AS_CHOICE, AT(format), "text or json; start an engine that is new to you",
     .choices = formats},
    {"trust", NULL, AS_CALL, OPTION_NOWHERE, .take = option_trust},
    {0}};

/* Checks options that need or exclude another one. */
static bool check_company(const struct match_options *c)
{
    if (c->win_moves > 0 && c->win_score == 0)
        command_misuse(c->command, "--win-moves needs --win-score");
    else if ((c->draw_moves > 0 || c->draw_from >= 0) && c->draw_score < 0)
        command_misuse(c->command, "--draw-%s needs --draw-score",
                       c->draw_moves > 0 ? "moves" : "from");
    else if ((c->alpha != match_usual.alpha || c->beta != match_usual.beta) && c->sprt == NULL)
        command_misuse(c->command, "--alpha and --beta need --sprt");
    else if ((c->resume || c->force) && c->output == NULL)
        command_misuse(c->command, "--resume and --force need -o FILE");
    else if (c->resume && c->force)
        command_misuse(c->command,
                       "--resume continues a match and --force starts it anew; give one of them");
    else if ((c->nodes > 0) + (c->depth > 0) + (c->movetime > 0) + (c->tc != NULL) > 1)
        command_misuse(c->command,
                       "only one of --nodes, --depth, --movetime and --tc can be given");
    else if (c->plies > 0 && c->openings == NULL)
        command_misuse(c->command, "--plies needs --openings");
    else if (c->games % 2 != 0)
        command_misuse(c->command,
                       "--games takes an even number, since each opening is played twice");
    else if (c->output != NULL && !output_is_file(c->output))
        command_misuse(c->command, "games can only be written to a file, not to '%s'", c->output);
    else
        return true;
    return false;
}

static bool take_time(struct match_options *c)
{
    struct game_limits *l = &c->settings.limits;
    if (c->tc == NULL || parse_clock(c->tc, &l->time, &l->increment))
        return true;
    command_misuse(c->command, "--tc takes seconds, as in 10+0.1, not '%s'", c->tc);
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

static bool take_sprt(struct match_options *c)
{
    struct match_settings *s = &c->settings;
    s->sequential = c->sprt != NULL;
    s->sprt.alpha = c->alpha;
    s->sprt.beta = c->beta;
    if (!s->sequential || parse_hypotheses(c->sprt, &s->sprt))
        return true;
    command_misuse(c->command,
                   "--sprt takes two differences in Elo from %d to %d, the smaller first, as in "
                   "0,5, not '%s'",
                   -ELO_MAX, ELO_MAX, c->sprt);
    return false;
}

/* A number as it was given, or the usual one. */
static int64_t given_or(int64_t number, int64_t usual)
{
    return number > 0 ? number : usual;
}

/* Sets up the match. The numbers are in range. */
static void take_numbers(struct match_options *c)
{
    struct match_settings *s = &c->settings;
    const bool timed = c->tc != NULL || c->movetime > 0;
    s->games = given_or(c->games, s->sequential ? SPRT_GAMES : GAMES);
    s->limits.depth = (int)c->depth;
    s->limits.movetime = c->movetime;
    s->limits.grace = !timed ? 0 : c->grace >= 0 ? c->grace : GRACE;
    s->limits.nodes = c->depth > 0 || timed ? 0 : (uint64_t)given_or(c->nodes, NODES);
    s->seed = (uint64_t)c->seed;
    s->hash_mib = engine_hash_given((int)c->hash).mib;
    s->threads = (int)(c->threads < s->games ? c->threads : s->games);
    s->date = c->date;
    s->adjudication.max_plies = (int)c->max_plies;
    if (c->win_score > 0) {
        s->adjudication.win_score = (int32_t)c->win_score;
        s->adjudication.win_moves = (int)given_or(c->win_moves, 4);
    }
    if (c->draw_score >= 0) {
        s->adjudication.draw_score = (int32_t)c->draw_score;
        s->adjudication.draw_moves = (int)given_or(c->draw_moves, 8);
        s->adjudication.draw_from = c->draw_from >= 0 ? (int)c->draw_from : 40;
    }
}

int match_options_complete(struct match_options *c, const char *command, const char *tc)
{
    c->command = command;
    if (!check_company(c))
        return EXIT_BAD;
    if (c->nodes == 0 && c->depth == 0 && c->movetime == 0 && c->tc == NULL)
        c->tc = tc;
    if (!take_time(c) || !take_sprt(c))
        return EXIT_BAD;
    take_numbers(c);
    return OPTIONS_READ;
}

/* ---- input ---- */

/* Checks that there are enough openings for --unique. */
static bool check_openings(const struct match_options *c, struct error *err)
{
    const struct match_settings *s = &c->settings;
    return !c->unique || s->games / 2 <= (int64_t)c->book.count ||
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
    c->book_bound = s->sequential && c->games == 0 && s->games > different;
    if (c->book_bound)
        s->games = different;
}

bool match_options_book(struct match_options *c, bool repeatable, struct error *err)
{
    const char *name = c->openings;
    char path[PATH_SIZE];
    c->settings.book = &c->book;
    c->settings.book_name = name == NULL ? "default" : path_name(name);
    if (name == NULL ? !default_book_read(&c->book, err)
                     : !data_file_find(name, DATA_POSITIONS, path, err) ||
                           !book_read(&c->book, path, (int)given_or(c->plies, PLIES), err))
        return false;
    if (repeatable)
        limit_test(c);
    return check_openings(c, err) && check_lengths(c, err);
}

struct player_usual match_options_usual(const struct match_options *c)
{
    return (struct player_usual){.evaluation = c->evaluation,
                                 .search = c->search,
                                 .options = {c->option_files[0], c->option_files[1]},
                                 .option_names = {"--options-a", "--options-b"},
                                 .hash = engine_hash_given((int)c->hash)};
}

void match_options_set_players(const struct match_options *c, const struct named_players *named,
                               struct match_settings *settings)
{
    memcpy(settings->players, named->players, sizeof settings->players);
    bool ours = named->players[0].process == NULL && named->players[1].process == NULL;
    if (ours && settings->limits.movetime == 0 && c->grace < 0)
        settings->limits.grace = 0;
}

void match_options_broken_path(const struct match_options *c, char path[PATH_SIZE])
{
    const char *output = c->output != NULL ? c->output : "grayling";
    int length = snprintf(path, PATH_SIZE, "%s.broken-game", output);
    if (length >= PATH_SIZE)
        snprintf(path, PATH_SIZE, "grayling.broken-game");
}

void match_options_finish(struct match_options *c)
{
    book_free(&c->book);
}
