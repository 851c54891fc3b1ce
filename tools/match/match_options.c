#include "match_options.h"

#include "command.h"
#include "default_params.h"
#include "engine.h"
#include "engine_file.h"
#include "parse.h"
#include "trust.h"

enum { SPRT_GAMES = 100000, ELO_MAX = 1000, GAMES = 200, NODES = 5000, GRACE = 50, PLIES = 16 };

/* ---- options ---- */

const struct match_options match_usual = {
    .settings = {.seed = 1,
                 .limits.grace = -1,
                 .adjudication = {.draw_score = -1, .draw_from = -1},
                 .sprt = {.alpha = 0.05, .beta = 0.05}}};

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
    {"games", "N", AS_NUMBER, AT(settings.games), "of each match, even (200; with --sprt 100000)",
     2, MATCH_GAMES_MAX},
    {"nodes", "N", AS_NUMBER, AT(settings.limits.nodes), "limit (match: 5000 nodes)", 1,
     INT64_C(1000000000000)},
    {"depth", "N", AS_NUMBER, AT(settings.limits.depth), NULL, 1, MAX_DEPTH},
    {"movetime", "MS", AS_NUMBER, AT(settings.limits.movetime), NULL, 1, 86400000},
    {"tc", "T+I", AS_TEXT, AT(tc)},
    {"grace", "MS", AS_NUMBER, AT(settings.limits.grace),
     "how late a move may be (50 ms; between ours 0)", 0, 60000},
    {"sprt", "ELO0,ELO1", AS_TEXT, AT(sprt), "sequential test; its errors (0.05)"},
    {"alpha", "P", AS_CALL, AT(settings.sprt.alpha), .take = take_rate},
    {"beta", "P", AS_CALL, AT(settings.sprt.beta), .take = take_rate},
    {"openings", "FILE", AS_TEXT, AT(openings), "a book (our 1500); plies of a PGN book (16)"},
    {"plies", "N", AS_NUMBER, AT(plies), NULL, 1, OPENING_PLIES},
    {"seed", "S", AS_NUMBER, AT(settings.seed), "order of the openings (1); use none twice", 0,
     INT64_MAX},
    {"unique", NULL, AS_FLAG, AT(unique)},
    {"win-score", "CP", AS_NUMBER, AT(settings.adjudication.win_score),
     "a win if both see CP for N moves (4)", 1, 100000},
    {"win-moves", "N", AS_NUMBER, AT(settings.adjudication.win_moves), NULL, 1, 1000},
    {"draw-score", "CP", AS_NUMBER, AT(settings.adjudication.draw_score), "likewise a draw (8, 40)",
     0, 100000},
    {"draw-moves", "N", AS_NUMBER, AT(settings.adjudication.draw_moves), NULL, 1, 1000},
    {"draw-from", "N", AS_NUMBER, AT(settings.adjudication.draw_from), NULL, 0, 10000},
    {"max-plies", "N", AS_NUMBER, AT(settings.adjudication.max_plies),
     "a draw after N plies, opening included", 1, 100000},
    {"eval", "FILE", AS_TEXT, AT(evaluation), "of players of ours that give none"},
    {"search", "FILE", AS_TEXT, AT(search)},
    {"hash", "MIB", AS_NUMBER, AT(hash), "an engine's table (16); games at once (all)", HASH_MIN,
     HASH_MAX},
    {"threads", "N", AS_THREADS, AT(settings.threads)},
    {"output", "FILE", AS_TEXT, AT(output), "the games, PGN; continue; overwrite", .letter = 'o'},
    {"resume", NULL, AS_FLAG, AT(resume)},
    {"force", NULL, AS_FLAG, AT(force)},
    {"date", "YYYY.MM.DD", AS_CALL, AT(settings.date), "of the games; a line for each",
     .take = take_date},
    {"verbose", NULL, AS_FLAG, AT(verbose)},
    {"format", "FORMAT", AS_CHOICE, AT(format), "text or json; start an engine that is new to you",
     .choices = formats},
    {"trust", NULL, AS_CALL, OPTION_NOWHERE, .take = option_trust},
    {0}};

/* Checks options that need or exclude another one. Returns OPTIONS_READ, or the exit code. */
static int check_company(const struct match_options *o, const char *command)
{
    const struct match_settings *s = &o->settings, *usual = &match_usual.settings;
    const struct game_adjudication *a = &s->adjudication;
    const struct game_limits *l = &s->limits;
    const bool errors = s->sprt.alpha != usual->sprt.alpha || s->sprt.beta != usual->sprt.beta;
    const int limits = (l->nodes > 0) + (l->depth > 0) + (l->movetime > 0) + (o->tc != NULL);
    const struct {
        bool is;
        const char *wrong;
    } rows[] = {
        {a->win_moves > 0 && a->win_score == 0, "--win-moves needs --win-score"},
        {a->draw_moves > 0 && a->draw_score < 0, "--draw-moves needs --draw-score"},
        {a->draw_from >= 0 && a->draw_score < 0, "--draw-from needs --draw-score"},
        {errors && o->sprt == NULL, "--alpha and --beta need --sprt"},
        {(o->resume || o->force) && o->output == NULL, "--resume and --force need -o FILE"},
        {o->resume && o->force,
         "--resume continues a match and --force starts it anew; give one of them"},
        {limits > 1, "only one of --nodes, --depth, --movetime and --tc can be given"},
        {o->plies > 0 && o->openings == NULL, "--plies needs --openings"},
        {s->games % 2 != 0, "--games takes an even number, since each opening is played twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].is)
            return command_misuse(command, "%s", rows[i].wrong);
    return o->output == NULL || output_is_file(o->output)
               ? OPTIONS_READ
               : command_misuse(command, "games can only be written to a file, not to '%s'",
                                o->output);
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

int match_options_complete(struct match_options *o, const char *command, const char *tc)
{
    struct match_settings *s = &o->settings;
    struct game_limits *l = &s->limits;
    struct game_adjudication *a = &s->adjudication;
    const int code = check_company(o, command);
    if (code != OPTIONS_READ)
        return code;
    if (l->nodes == 0 && l->depth == 0 && l->movetime == 0 && o->tc == NULL)
        o->tc = tc;
    if (o->tc != NULL && !parse_clock(o->tc, &l->time, &l->increment))
        return command_misuse(command, "--tc takes seconds, as in 10+0.1, not '%s'", o->tc);
    s->sequential = o->sprt != NULL;
    if (s->sequential && !parse_hypotheses(o->sprt, &s->sprt))
        return command_misuse(command,
                              "--sprt takes two differences in Elo from %d to %d, the smaller "
                              "first, as in 0,5, not '%s'",
                              -ELO_MAX, ELO_MAX, o->sprt);
    const bool timed = o->tc != NULL || l->movetime > 0;
    o->games_given = s->games > 0;
    o->grace_given = l->grace >= 0;
    if (s->games == 0)
        s->games = s->sequential ? SPRT_GAMES : GAMES;
    if (!timed || !o->grace_given)
        l->grace = timed ? GRACE : 0;
    if (l->nodes == 0 && l->depth == 0 && !timed)
        l->nodes = NODES;
    s->hash_mib = engine_hash_given(o->hash).mib;
    s->threads = (int)(s->threads < s->games ? s->threads : s->games);
    if (a->win_score > 0 && a->win_moves == 0)
        a->win_moves = 4;
    if (a->draw_score >= 0 && a->draw_moves == 0)
        a->draw_moves = 8;
    if (a->draw_from < 0)
        a->draw_from = a->draw_score >= 0 ? 40 : 0;
    if (a->draw_score < 0)
        a->draw_score = 0;
    return OPTIONS_READ;
}

/* ---- input ---- */

bool match_options_book(struct match_options *o, bool repeatable, struct error *err)
{
    struct match_settings *s = &o->settings;
    const char *name = o->openings;
    char path[PATH_SIZE];
    s->book = &o->book;
    s->book_name = name == NULL ? "default" : path_name(name);
    if (name == NULL ? !default_book_read(&o->book, err)
                     : !data_file_find(name, DATA_POSITIONS, path, err) ||
                           !book_read(&o->book, path, o->plies > 0 ? o->plies : PLIES, err))
        return false;
    const int64_t different = 2 * (int64_t)o->book.count; /* games, if they repeat */
    o->book_bound = repeatable && s->sequential && !o->games_given && s->games > different;
    if (o->book_bound)
        s->games = different;
    if (o->unique && s->games > different)
        return error_set(err,
                         "%s: %zu openings for %" PRId64 " pairs of games; --unique needs as many",
                         s->book_name, o->book.count, s->games / 2);
    const int most = s->adjudication.max_plies;
    for (size_t i = 0; most > 0 && i < o->book.count; i++)
        if (o->book.items[i].plies >= most)
            return error_set(err,
                             "%s: an opening has %d plies, and --max-plies %d counts them; give "
                             "more, or fewer --plies of each opening",
                             s->book_name, o->book.items[i].plies, most);
    return true;
}
