/* grayling confirm: what a run has gained over the defaults, on positions and in games. */
#include "command.h"

#include "checksum.h"
#include "default_params.h"
#include "engine_file.h"
#include "epd.h"
#include "evaluation.h"
#include "match_options.h"
#include "outcome_file.h"
#include "parse.h"
#include "paths.h"
#include "run.h"
#include "runner_line.h"
#include "space_engine.h"
#include "text_stream.h"
#include "trust.h"
#include "values.h"

#include <math.h>
#include <unistd.h>

enum {
    NUMBER = 40,
    USUAL_GAMES = 400,
    BOOK_PLIES = 16, /* of a game of a book */
    TIMES = 10       /* the run's limit: that of its second match */
};

/* A match: its options as those of `grayling match`; its limits as other programs and as people have them. */
struct pairing {
    struct match_options given, options; /* as they are typed; complete */
    char limit[NUMBER], others[2 * NUMBER], words[2 * NUMBER];
    const char *games; /* the file of games */
    struct match_counts counts;
};

struct confirm {
    const char *run, *suite, *tc, *sprt, *openings, *output;
    int threads, game_count; /* games of a match; 0: not given */
    bool play;
    bool games_run; /* the run measures games */
    struct run_summary summary;
    const char *opponent;
    char suite_path[PATH_SIZE], book_path[OUTCOME_PATH];
    char games[2][OUTCOME_PATH], defaults[OUTCOME_PATH + 64]; /* storage for names */
    double game_seconds;        /* of a game of a run by games, on average; 0: not known */
    struct pairing pairings[2]; /* the matches: one, or at the run's limit and at TIMES as much */
    int pairing_count;
};

/* ---- options ---- */

#define AT(member) OPTION_AT(struct confirm, member)

static const struct option_row option_rows[] = {
    {"play", NULL, AS_FLAG, AT(play), "play the match; after Ctrl-C the same command goes on"},
    {"tc", "T+I", AS_TEXT, AT(tc), "seconds a game and a move, of the test (8+0.08)"},
    {"sprt", "ELO0,ELO1", AS_TEXT, AT(sprt), "the hypotheses of the test (0,5)"},
    {"games", "N", AS_NUMBER, AT(game_count), "games of each match of a run by games, even (400)",
     2, MATCH_GAMES_MAX},
    {"openings", "POSITIONS.epd", AS_TEXT, AT(openings),
     "opening book, EPD (openings, which comes with us)"},
    {"suite", "SUITE.epd", AS_TEXT, AT(suite),
     "another suite: EPD as the run's own, or 'none' (of runs by nodes or time to solution: "
     "tactics-stockfish)"},
    {"output", "FILE.pgn", AS_TEXT, AT(output), "the games (RUN-confirm.pgn)", .letter = 'o'},
    OPTION_THREADS(AT(threads)),
    OPTION_TRUST("start the engine of somebody else's run"),
    {0}};

static const struct command cmd = {
    "confirm",
    "usage: grayling confirm RUN.db [OPTIONS]\n\n"
    "Compares the best organism of a run with the defaults: on the run's positions,\n"
    "on another suite, and in a match with a sequential test. Without --play, prints\n"
    "the command lines that play it: of grayling, fastchess and cutechess-cli. A run\n"
    "by games has two matches instead: at its own limit, and at ten times as much.\n",
    option_rows,
    "  grayling confirm toga2.db\n"
    "  grayling confirm toga2.db --play --tc 2+0.02\n",
    {"RUN.db", "one run", 1, 1}};

/* ---- input ---- */

/* True if the values are weights of an evaluation of ours. */
static bool are_weights(const struct param_table *space)
{
    return evaluation_table_of_kind(space->kind) != NULL;
}

/* The half that both players have: the search of a run of the evaluation, or the evaluation of a run of
 * the search; "" if the run names none. */
static const char *common_half(const struct confirm *c)
{
    const struct recipe *r = &c->summary.recipe;
    if (space_is_foreign(&c->summary.space))
        return "";
    return are_weights(&c->summary.space) ? r->search : r->evaluation;
}

/* Sets the limits of a match: those of a run by games, `times` as much. */
static void set_limits(const struct recipe *r, int times, struct pairing *p)
{
    struct game_limits *l = &p->given.settings.limits;
    int64_t time, increment;
    char text[COUNT_MAX];
    if (parse_clock(r->tc, &time, &increment)) {
        p->given.tc = p->limit;
        snprintf(p->limit, sizeof p->limit, "%.10g+%.10g", (double)(times * time) / 1000,
                 (double)(times * increment) / 1000);
        snprintf(p->others, sizeof p->others, "tc=%s", p->limit);
        snprintf(p->words, sizeof p->words, "%s s a game", p->limit);
    } else if (r->movetime > 0) {
        l->movetime = (int64_t)times * r->movetime;
        snprintf(p->others, sizeof p->others, "st=%.10g", times * r->movetime / 1000.0);
        snprintf(p->words, sizeof p->words, "%" PRId64 " ms a move", l->movetime);
    } else if (r->depth > 0) { /* three plies take about ten times as long */
        l->depth = r->depth + (times > 1 ? 3 : 0);
        snprintf(p->others, sizeof p->others, "tc=inf depth=%d", l->depth);
        snprintf(p->words, sizeof p->words, "%d plies a move", l->depth);
    } else {
        l->nodes = (uint64_t)times * (uint64_t)r->limit;
        snprintf(p->others, sizeof p->others, "tc=inf nodes=%" PRIu64, l->nodes);
        snprintf(p->words, sizeof p->words, "%s nodes a move",
                 format_count((int64_t)l->nodes, text));
    }
}

/* Names a file beside the games: NAME-10x.pgn, NAME.epd. */
static bool name_beside(const struct confirm *c, const char *ending, char path[OUTCOME_PATH],
                        struct error *err)
{
    static const char pgn[] = ".pgn";
    const char *games = c->pairings[0].games;
    size_t length = strlen(games);
    if (length > strlen(pgn) && strcmp(games + length - strlen(pgn), pgn) == 0)
        length -= strlen(pgn);
    return snprintf(path, OUTCOME_PATH, "%.*s%s", (int)length, games, ending) < OUTCOME_PATH ||
           error_set(err, "%s: the path is too long", games);
}

/* Sets the matches: a test, or of a run by games one at its own limit and one at more. */
static bool set_pairings(struct confirm *c, struct error *err)
{
    struct pairing *first = &c->pairings[0], *second = &c->pairings[1];
    const bool twice = c->games_run && c->tc == NULL && c->sprt == NULL;
    c->pairing_count = twice ? 2 : 1;
    first->given = second->given = match_usual;
    if (twice) {
        c->game_count = c->game_count == 0 ? USUAL_GAMES : c->game_count;
        set_limits(&c->summary.recipe, 1, first);
        set_limits(&c->summary.recipe, TIMES, second);
        second->games = c->games[1];
        return name_beside(c, "-10x.pgn", c->games[1], err);
    }
    first->given.tc = c->tc == NULL ? "8+0.08" : c->tc;
    first->given.sprt = c->sprt == NULL ? "0,5" : c->sprt;
    snprintf(first->others, sizeof first->others, "tc=%s", first->given.tc);
    return c->game_count == 0 ||
           error_set(err, "--games is for a run by games without --tc and --sprt; a test ends by "
                          "itself");
}

static void print_openings(FILE *out, void *context)
{
    const struct book *b = context;
    for (size_t i = 0; i < b->count; i++) {
        const struct epd end = {.position = opening_end(&b->items[i])};
        epd_print(out, &end, 1, 1);
    }
}

/* Writes what is left of a book, unless it is there. Another file is not replaced. */
static bool write_rest(const char *path, struct book *rest, struct error *err)
{
    char *text = NULL, ours[CHECKSUM_MAX], theirs[CHECKSUM_MAX];
    size_t size = 0;
    if (access(path, F_OK) != 0)
        return output_write(path, print_openings, rest, err);
    FILE *out = text_stream(&text, &size);
    if (out != NULL)
        print_openings(out, rest);
    bool good = text_close(out, "the openings", err);
    if (good) {
        checksum_bytes(text, size, ours);
        good = checksum_file(path, theirs, err) &&
               (strcmp(ours, theirs) == 0 ||
                error_set(err, "%s is there, with other openings; move it away", path));
    }
    free(text);
    return good;
}

/* Takes the openings that are left, in a file beside the games, if they are enough. */
static bool take_rest(struct confirm *c, struct book *rest, struct error *err)
{
    char left[COUNTED_MAX], book[PATH_SIZE];
    snprintf(book, sizeof book, "%s", path_name(c->book_path));
    format_things((int64_t)rest->count, "opening", left);
    if (rest->count < (size_t)c->game_count / 2) {
        printf("the run has left %s of %s: too few for %d games, which begin as its own did; "
               "--openings FILE takes others\n",
               left, book, c->game_count);
        return true;
    }
    if (!name_beside(c, ".epd", c->book_path, err))
        return false;
    printf("openings  %s: %s of %s that the run has not used\n", shown_text(c->book_path), left,
           book);
    return write_rest(c->book_path, rest, err);
}

static bool load(struct confirm *c, struct error *err)
{
    if (!values_of_run(c->run, &c->summary, err))
        return false;
    const enum recipe_measure measure = c->summary.recipe.measure;
    c->games_run = measure == MEASURE_GAMES;
    const char *suite = c->suite != NULL                       ? c->suite
                        : measure == MEASURE_NODES_TO_SOLUTION ? "tactics-stockfish"
                                                               : "none";
    if (strcmp(suite, "none") != 0 && c->games_run)
        return error_set(err, "--suite: %s measures games, not positions", c->run);
    snprintf(c->defaults, sizeof c->defaults, "defaults:%s", c->run);
    c->opponent = space_is_foreign(&c->summary.space) ? c->defaults
                  : common_half(c)[0] == '\0'         ? "default"
                  : are_weights(&c->summary.space)    ? "default-eval" /* alone, as the run is */
                                                      : "default-search";
    c->pairings[0].games = c->output != NULL ? c->output : c->games[0];
    if (!trust_run(c->run, err) ||
        (strcmp(suite, "none") != 0 &&
         !data_file_find(suite, DATA_POSITIONS, c->suite_path, err)) ||
        (c->output == NULL && !outcome_path(c->run, "-confirm.pgn", c->games[0], err)) ||
        !set_pairings(c, err) || !data_file_find(c->openings, DATA_POSITIONS, c->book_path, err))
        return false;
    if (c->pairing_count == 1)
        return true;
    /* The openings from which the run has played no games, and how long its games took. */
    struct book book = {0};
    int64_t games = 0;
    double seconds = 0;
    bool good = book_read(&book, c->book_path, BOOK_PLIES, err);
    const size_t all = book.count;
    good = good && run_confirm_openings(c->run, &c->summary, &book, &games, err) &&
           (book.count == all || take_rest(c, &book, err));
    for (int g = 0; good && g <= c->summary.generation; g++)
        seconds += c->summary.rows[g].seconds;
    c->game_seconds = games > 0 ? seconds / (double)games : 0;
    book_free(&book);
    return good;
}

/* ---- positions ---- */

static void print_rows(const struct confirm *c, const struct confirm_row *rows)
{
    const char *const names[CONFIRM_SETS] = {
        "training", "held out", [CONFIRM_SUITE] = path_name(c->suite_path)};
    const struct objective_value *v = c->summary.value;
    const bool changes = v->form == OBJECTIVE_TOTAL && v->lower_is_better;
    struct table t;
    char columns[160];
    snprintf(columns, sizeof columns,
             "<0%-24s|>4positions|>3        defaults|>1         evolved|>2%s", objective_title(v),
             changes ? "    change" : "");
    table_begin(&t, columns);
    for (int i = 0; i < CONFIRM_SETS; i++) {
        char size[COUNT_MAX], best[FORMAT_MAX], defaults[FORMAT_MAX];
        const struct confirm_row *r = &rows[i];
        if (r->size == 0)
            continue;
        fprintf(t.rows, "%s\t%s\t%s\t%s\t", names[i], format_count(r->size, size),
                objective_brief(v, (double)r->defaults, r->size, defaults),
                objective_brief(v, (double)r->best, r->size, best));
        if (r->defaults > 0 && changes)
            fprintf(t.rows, "%.1f %%",
                    100.0 * (double)(r->best - r->defaults) / (double)r->defaults);
        putc('\n', t.rows);
    }
    table_end(&t, stdout);
}

static int confirm_positions(const struct confirm *c)
{
    struct error err = {""};
    struct progress progress = {0};
    struct confirm_row rows[CONFIRM_SETS];
    const struct fitness_watcher watcher = {.stop = interrupt_watch()};
    progress_wait(&progress, "measuring the defaults and the best organism");
    bool measured =
        run_confirm(c->run, &c->summary, c->suite_path[0] != '\0' ? c->suite_path : NULL,
                    c->threads, default_values, &watcher, rows, &err);
    progress_end(&progress);
    if (!measured)
        return command_fail(EXIT_FAILED, &err);
    print_rows(c, rows);
    return EXIT_DONE;
}

/* ---- games ---- */

/* The command that plays with the run's values; NULL if the space names none. */
static const char *playing_command(const struct confirm *c)
{
    const struct param_table *space = &c->summary.space;
    return space_is_foreign(space) ? space_plays(space) : "grayling-uci --tune";
}

/* Sets the other options of a match. Prints what is wrong. Returns OPTIONS_READ, or the exit code. */
static int complete_match(const struct confirm *c, struct pairing *p)
{
    struct match_options *o = &p->given;
    o->openings = c->book_path;
    o->settings.threads = c->threads;
    o->output = p->games;
    o->settings.games = c->game_count;
    o->resume = c->play && access(p->games, F_OK) == 0;
    if (c->pairing_count > 1)
        o->settings.seed = c->summary.recipe.seed % INT32_MAX + 1; /* another order than its */
    if (c->games_run || c->summary.recipe.measure == MEASURE_NODES_TO_SOLUTION)
        o->hash = c->summary.recipe.hash;
    if (common_half(c)[0] != '\0')
        *(are_weights(&c->summary.space) ? &o->search : &o->evaluation) = common_half(c);
    p->options = *o;
    return match_options_complete(&p->options, "confirm", NULL);
}

/* Writes the absolute path of the file from which other programs read the values of a parameter file or a run, since
 * the engine may start elsewhere: of a run, the file that it writes when it ends. Says how to write it if it is not
 * there. */
static bool find_values(const char *source, bool complete, char path[PARAM_TEXT], struct error *err)
{
    char outcome[OUTCOME_PATH], directory[PATH_SIZE];
    const bool is_run = store_is_database(source);
    if (is_run && !outcome_path(source, ".yaml", outcome, err))
        return false;
    const char *file = is_run ? outcome : source;
    if (!path_directory(file, directory, err))
        return false;
    if (snprintf(path, PARAM_TEXT, "%s/%s", directory, path_name(file)) >= PARAM_TEXT)
        return error_set(err, "%s: the path is too long for an option of other programs", file);
    if (!is_run || (complete && access(path, F_OK) == 0))
        return true;
    fputs("\nthe other programs read the values from a file:\n\ngrayling export", stdout);
    runner_line_word(stdout, source);
    fputs(" --format yaml --force -o", stdout);
    runner_line_word(stdout, path);
    putchar('\n');
    return true;
}

static bool add_option(struct uci_values *options, const char *name, const char *value,
                       struct error *err)
{
    return uci_values_add(options, name, value) || error_set(err, "no memory for options");
}

/* Lists the options that give values to grayling-uci: files. Single options would leave on what else the engine's own
 * search has, and would give the other player the defaults of the space instead of those of the engine, which our match
 * plays. */
static bool list_files(const struct confirm *c, struct runner_match *m, struct error *err)
{
    static const char *const names[] = {"SearchFile", "EvalFile"};
    char path[PARAM_TEXT], mib[NUMBER];
    const char *common = common_half(c);
    const bool weights = are_weights(&c->summary.space);
    const int hash = c->pairings[0].options.hash;
    snprintf(mib, sizeof mib, "%d", hash);
    return find_values(c->run, c->summary.complete, path, err) &&
           add_option(&m->values, names[weights], path, err) &&
           add_option(&m->defaults, names[weights], "<empty>", err) &&
           (common[0] == '\0' || (find_values(common, true, path, err) &&
                                  add_option(&m->both, names[!weights], path, err))) &&
           (hash == 0 || add_option(&m->both, "Hash", mib, err));
}

/* Lists the options of another engine: those of the space, and the settings that it has not. */
static bool list_space(const struct confirm *c, const struct uci_values *settings,
                       struct runner_match *m, struct error *err)
{
    const struct param_table *space = &c->summary.space;
    bool good = true;
    for (int i = 0; good && i < space->count; i++) {
        char text[PARAM_TEXT];
        const struct param *p = &space->params[i];
        const bool same = c->summary.best[i] == p->initial;
        param_value_text(p, p->initial, text);
        good = add_option(same ? &m->both : &m->defaults, p->name, text, err) &&
               (same || add_option(&m->values, p->name,
                                   param_value_text(p, c->summary.best[i], text), err));
    }
    for (int i = 0; good && i < settings->count; i++) {
        const struct uci_value *s = &settings->items[i];
        good = uci_values_find(m->both.items, m->both.count, s->name) >= 0 ||
               uci_values_find(m->values.items, m->values.count, s->name) >= 0 ||
               add_option(&m->both, s->name, s->value, err);
    }
    return good;
}

static int print_other_lines(const struct confirm *c)
{
    static const char ending[] = ".yaml"; /* the player is named as its files, without that */
    struct error err;
    struct engine_setup setup = {.name = ""};
    struct book book = {0};
    char name[OUTCOME_PATH];
    const struct match_options *o = &c->pairings[0].options;
    struct param_table table = c->summary.space;
    struct runner_match m = {.command = playing_command(c),
                             .openings = c->book_path,
                             .pairs = c->game_count / 2,
                             .seed = c->pairing_count > 1 ? o->settings.seed : 0,
                             .elo0 = o->settings.sprt.elo0,
                             .elo1 = o->settings.sprt.elo1,
                             .threads = c->threads};
    table.command = m.command;
    bool good = outcome_path(c->run, ending, name, &err) &&
                book_read(&book, c->book_path, BOOK_PLIES, &err);
    if (good && space_is_foreign(&table)) /* as our match plays the engine */
        good = trust_command(c->run, table.command, &err) &&
               space_engine_constants(&table, engine_hash_given(o->hash), &setup, &err) &&
               list_space(c, &setup.values, &m, &err);
    else
        good = good && list_files(c, &m, &err);
    m.command = setup.command != NULL ? setup.command : m.command;
    m.chess960 = good && book_chess960(&book) != NULL;
    if (good) {
        name[strlen(name) - strlen(ending)] = '\0';
        m.name = path_name(name);
    }
    for (int k = 0; good && k < c->pairing_count * MATCH_RUNNERS; k++) {
        m.limits = c->pairings[k / MATCH_RUNNERS].others;
        m.games = c->pairings[k / MATCH_RUNNERS].games;
        putchar('\n');
        good = runner_line_write(stdout, (enum match_runner)(k % MATCH_RUNNERS), &m, &err);
    }
    book_free(&book);
    uci_values_free(&m.values);
    uci_values_free(&m.defaults);
    uci_values_free(&m.both);
    engine_setup_free(&setup);
    return good ? EXIT_DONE : command_fail(EXIT_BAD, &err);
}

/* Plays a match, or continues it, and keeps its result; or prints how our program plays it. */
static int confirm_match(const struct confirm *c, struct pairing *p)
{
    const char *const players[2] = {c->run, c->opponent};
    if (!c->play) {
        fputs("\ngrayling match", stdout);
        runner_line_word(stdout, c->run);
        runner_line_word(stdout, c->opponent);
        options_write(match_rows, &p->given, &match_usual);
        putchar('\n');
        return EXIT_DONE;
    }
    putchar('\n');
    if (p->words[0] != '\0')
        printf("%s:\n", p->words);
    fflush(stdout);
    return match_command(&p->options, players, &p->counts);
}

static void print_gain(const struct confirm *c)
{
    const struct elo_estimate a = elo_estimate(&c->pairings[0].counts),
                              b = elo_estimate(&c->pairings[1].counts);
    if (!isfinite(a.elo_margin) || !isfinite(b.elo_margin))
        puts("\nthe gain is not known: too few games");
    else
        printf("\ngained %+.0f +/- %.0f Elo at %s and %+.0f +/- %.0f at %s: a slope of %+.0f +/- "
               "%.0f Elo for %d times as much\n",
               a.elo, a.elo_margin, c->pairings[0].words, b.elo, b.elo_margin, c->pairings[1].words,
               b.elo - a.elo, hypot(a.elo_margin, b.elo_margin), TIMES);
}

static int confirm_games(struct confirm *c)
{
    char first[FORMAT_MAX], second[FORMAT_MAX], games[COUNTED_MAX];
    int code = EXIT_DONE;
    if (playing_command(c) == NULL) {
        printf("\nno match: the space of %s names no engine that plays with its weights (plays:)\n",
               shown_text(c->run));
        return EXIT_DONE;
    }
    const bool weights = are_weights(&c->summary.space);
    printf("\n%s, against the %s:\n", c->pairing_count > 1 ? "two matches" : "the match",
           space_is_foreign(&c->summary.space) ? "defaults of the space"
           : weights                           ? "engine's own evaluation, default-eval"
                                               : "engine's own search, default-search");
    if (common_half(c)[0] != '\0')
        printf("both with the %s %s\n", weights ? "search" : "evaluation", common_half(c));
    const double seconds =
        c->game_seconds * c->game_count; /* if games are as long as those of the run */
    if (c->pairing_count > 1 && seconds > 0)
        printf("%s each: about %s, and then %s, at the pace of the run\n",
               format_things(c->game_count, "game", games), format_duration(seconds, first),
               format_duration(TIMES * seconds, second));
    for (int i = 0; code == EXIT_DONE && i < c->pairing_count; i++)
        code = confirm_match(c, &c->pairings[i]);
    if (code == EXIT_DONE && !c->play)
        code = print_other_lines(c);
    if (code == EXIT_DONE && c->play && c->pairing_count > 1)
        print_gain(c);
    return code;
}

int cmd_confirm(int argc, char **argv)
{
    struct error err;
    struct confirm c = {.openings = "openings"};
    int code = options_read(&cmd, &argc, &argv, &c);
    if (code != OPTIONS_READ)
        return code;
    if (c.game_count % 2 != 0)
        return command_misuse("confirm", "--games takes an even number, since each opening is "
                                         "played twice");
    c.run = argv[0];
    if (!load(&c, &err))
        code = command_fail(EXIT_BAD, &err);
    for (int i = 0; code == OPTIONS_READ && i < c.pairing_count; i++)
        code = complete_match(&c, &c.pairings[i]);
    if (code == OPTIONS_READ)
        code = c.games_run ? EXIT_DONE : confirm_positions(&c);
    if (code == EXIT_DONE)
        code = confirm_games(&c);
    run_summary_free(&c.summary);
    return code;
}
