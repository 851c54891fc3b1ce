/* grayling mine: tactical positions for a test suite, from games. */
#include "command.h"

#include "count.h"
#include "data_files.h"
#include "default_params.h"
#include "foreign_text.h"
#include "interrupt.h"
#include "mine.h"
#include "named_engine.h"
#include "options.h"
#include "output.h"
#include "positions.h"
#include "progress.h"
#include "source.h"
#include "trust.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The command line, and the state of the command. */
struct miner {
    struct mine_settings settings;
    const char *output, *split, *params_path, *judge_path, *eval_path, *engine, *check;
    int hash; /* 0: not given */
    bool force;
    int broken; /* games reported so far */
    struct progress progress;
    bool progressing;
    struct engine_setup setups[2]; /* of --engine and --check */
    struct dataset out;
    struct mine_report report;
};

/* ---- options ---- */

#define AT(member) OPTION_AT(struct miner, member)
#define NODES_MOST INT64_C(1000000000000)

static const struct option_row option_rows[] = {
    {"output", "FILE", AS_TEXT, AT(output), "output file (standard output); overwrite it",
     .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force)},
    {"split", "FILE", AS_TEXT, AT(split), "a held-out half: every second position goes here"},
    {"count", "N", AS_NUMBER, AT(settings.count),
     "positions in all (500); candidates of a game (4)", 1, INT32_MAX},
    {"per-game", "N", AS_NUMBER, AT(settings.per_game), NULL, 1, MINE_PER_GAME},
    {"first-ply", "N", AS_NUMBER, AT(settings.first_ply),
     "of a game (16); both players rated E or more", 0, 99999},
    {"min-elo", "E", AS_NUMBER, AT(settings.filter.min_elo), NULL, 0, 9999},
    {"shallow", "N", AS_NUMBER, AT(settings.tactic.shallow),
     "nodes of the search that must miss the move (3000; 2000)", 1, NODES_MOST},
    {"deep", "N", AS_NUMBER, AT(settings.tactic.deep),
     "nodes of those that must find it (500000; 200000)", 1, NODES_MOST},
    {"margin", "CP", AS_NUMBER, AT(settings.tactic.margin),
     "lead of the best move over the second (300; 150)", 1, EVAL_LIMIT},
    {"bound", "CP", AS_NUMBER, AT(settings.tactic.bound),
     "most that the second wins, or the best loses (300; 200)", 1, EVAL_LIMIT},
    {"glance", "N", AS_NUMBER, AT(settings.glance),
     "nodes to find candidates (1000), to examine (30000)", 1, NODES_MOST},
    {"look", "N", AS_NUMBER, AT(settings.tactic.look), NULL, 1, NODES_MOST},
    {"engine", "COMMAND", AS_TEXT, AT(engine),
     "an engine (its defaults after the ;) and one that must agree: commands, or files of kind "
     "uci"},
    {"check", "COMMAND", AS_TEXT, AT(check)},
    {"check-nodes", "N", AS_NUMBER, AT(settings.tactic.check_nodes),
     "nodes of the search that must agree (as --deep)", 1, NODES_MOST},
    {"params", "FILE", AS_TEXT, AT(params_path), "our search, judge, evaluation"},
    {"judge", "FILE", AS_TEXT, AT(judge_path)},
    {"eval", "FILE", AS_TEXT, AT(eval_path)},
    {"hash", "MIB", AS_NUMBER, AT(hash), "an engine's table (16); of the draw (1)", HASH_MIN,
     HASH_MAX},
    {"threads", "N", AS_THREADS, AT(settings.threads)},
    {"seed", "S", AS_NUMBER, AT(settings.seed), NULL, 0, INT64_MAX},
    {"keep-damaged", NULL, AS_FLAG, AT(settings.filter.keep_damaged),
     "use a damaged file; see 'evolve'"},
    {"trust", NULL, AS_CALL, OPTION_NOWHERE, .take = option_trust},
    {0}};

static const struct command cmd = {
    "mine",
    "usage: grayling mine GAMES... [-o SUITE.epd] [OPTIONS]\n\n"
    "Finds positions with one clearly best move (bm) that a short search misses: a\n"
    "suite for 'grayling solve' and phase search. GAMES are PGN, plain or compressed;\n"
    "- is standard input. Our engine decides, or another one with --engine.\n",
    option_rows,
    "  grayling mine games.pgn.gz --count 600 -o train.epd --split held-out.epd\n",
    "GAMES",
    "games",
    1,
    OPERANDS_ANY};

/* The numbers of a mine with our engine, and with another one. */
static const struct tactic_settings usual[2] = {
    {.shallow = 3000, .look = 30000, .deep = 500000, .margin = 300, .bound = 300},
    {.shallow = 2000, .deep = 200000, .margin = 150, .bound = 200}};

/* Sets the numbers that were not given. */
static void complete_numbers(struct miner *m)
{
    struct tactic_settings *t = &m->settings.tactic;
    const struct tactic_settings *u = &usual[m->engine != NULL];
    m->settings.hash_mib = engine_hash_given(m->hash).mib;
    t->shallow = t->shallow > 0 ? t->shallow : u->shallow;
    t->look = t->look > 0 ? t->look : u->look;
    t->deep = t->deep > 0 ? t->deep : u->deep;
    t->check_nodes = t->check_nodes > 0 ? t->check_nodes : t->deep;
    t->margin = t->margin > 0 ? t->margin : u->margin;
    t->bound = t->bound > 0 ? t->bound : u->bound;
    m->settings.surprise = m->engine != NULL ? usual[0].margin : t->margin;
}

/* Checks that no option is for another way of mining. Returns OPTIONS_READ, or the exit code. */
static int check_way(const struct miner *m)
{
    const struct tactic_settings *t = &m->settings.tactic;
    bool other = m->engine != NULL;
    if (!other && (m->check != NULL || t->check_nodes > 0))
        return command_misuse("mine", "--check and --check-nodes need --engine");
    if (other && (m->params_path != NULL || m->judge_path != NULL || t->look > 0))
        return command_misuse("mine", "--params, --judge and --look are not for --engine");
    if (other && m->check == NULL && t->check_nodes > 0)
        return command_misuse("mine", "--check-nodes needs --check");
    return OPTIONS_READ;
}

/* Checks that the complete options are consistent. Returns OPTIONS_READ, or the exit code. */
static int check_options(const struct miner *m)
{
    const struct tactic_settings *t = &m->settings.tactic;
    if (m->engine == NULL && t->shallow >= t->look)
        return command_misuse("mine", "--shallow must be less than --look");
    if (m->engine == NULL && t->look > t->deep)
        return command_misuse("mine", "--look must not be more than --deep");
    if (t->shallow >= t->deep)
        return command_misuse("mine", "--shallow must be less than --deep");
    if (m->split != NULL && !command_two_outputs("mine", "--split", m->split, m->output))
        return EXIT_BAD;
    return OPTIONS_READ;
}

/* ---- input ---- */

/* Asks the engine of an option for its own options: it must have MultiPV. */
static bool load_engine(const char *option, const char *command, struct engine_hash hash,
                        struct engine_setup *setup, struct error *err)
{
    const struct uci_value two = {"MultiPV", "2"};
    return named_engine_read(setup, option, command, &two, 1, hash, err);
}

/* Looks at the engines of --engine and --check. */
static bool load_engines(struct miner *m, struct error *err)
{
    const struct engine_hash hash = engine_hash_given(m->hash);
    if (m->engine == NULL)
        return true;
    m->settings.tactic.engine = &m->setups[0].settings;
    m->settings.tactic.check = m->check != NULL ? &m->setups[1].settings : NULL;
    return load_engine("--engine", m->engine, hash, &m->setups[0], err) &&
           (m->check == NULL || load_engine("--check", m->check, hash, &m->setups[1], err));
}

static bool load(struct miner *m, struct error *err)
{
    struct mine_settings *s = &m->settings;
    s->tactic.solver = search_initial_params();
    s->tactic.judge = tactic_modern_params();
    s->evaluation = evaluation_of_weights(&default_weights);
    return output_check(m->output, m->force, err) &&
           (m->split == NULL || output_check(m->split, m->force, err)) &&
           source_read_search(m->params_path, &s->tactic.solver, err) &&
           source_read_search(m->judge_path, &s->tactic.judge, err) &&
           source_read_evaluation(m->eval_path, &s->evaluation, err) && load_engines(m, err);
}

/* ---- the work ---- */

static void name_broken(void *context, const char *reason)
{
    positions_name_broken(&((struct miner *)context)->broken, reason);
}

/* Shows the progress by positions found. */
static void show_progress(void *context, size_t done, size_t games, size_t found)
{
    struct miner *m = context;
    char note[96];
    if (!m->progressing)
        progress_begin(&m->progress, "finding", 0);
    m->progressing = true;
    snprintf(note, sizeof note, "%zu of %zu games searched", done, games);
    progress_show(&m->progress, (int64_t)found, (int64_t)m->settings.count, note);
}

/* ---- output ---- */

/* Positions found. The names of the engines are used if others decided; `check` is then "" if there
 * is no second engine. */
struct mined {
    struct positions positions;
    const struct tactic_settings *settings;
    const char *engine, *check;
};

/* Writes which engines found the positions, and by what limits. */
static void print_head(FILE *out, const struct mined *m)
{
    const struct tactic_settings *s = m->settings;
    fprintf(out, "# Mined by grayling " GRAYLING_VERSION " with %s.\n", shown_text(m->engine));
    fprintf(out,
            "# bm leads the second move by %d centipawns or more in %" PRIu64 " nodes (ce: its "
            "score);\n# a search of %" PRIu64 " nodes chooses another move.\n",
            s->margin, s->deep, s->shallow);
    if (s->check != NULL)
        fprintf(out, "# %s agrees in %" PRIu64 " nodes, with half the lead.\n",
                shown_text(m->check), s->check_nodes);
}

/* Writes a `struct mined` as EPD; a callback for output_write. Comments before the positions of
 * other engines name them and their limits. */
static void print_suite(FILE *out, void *context)
{
    struct mined *m = context;
    if (m->settings->engine != NULL)
        print_head(out, m);
    positions_print(out, &m->positions);
}

/* Reports what became of the positions that our engine examined. */
static void tell_own(const size_t *v, size_t twice)
{
    fprintf(stderr,
            ": %zu steady, %zu flat, %zu decided, %zu plain, %zu doubtful, %zu found before\n",
            v[TACTIC_STEADY], v[TACTIC_FLAT], v[TACTIC_DECIDED], v[TACTIC_PLAIN],
            v[TACTIC_DOUBTFUL], twice);
}

/* The same of other engines, step by step. */
static void tell_other(const struct mine_report *r)
{
    const size_t *v = r->verdicts;
    const struct {
        const char *what;
        size_t count;
    } steps[] = {
        {"the short search chooses the move too", v[TACTIC_STEADY]},
        {"the long search does not keep the move", v[TACTIC_UNSETTLED]},
        {"the second move is not far enough behind", v[TACTIC_FLAT]},
        {"one side wins in any case", v[TACTIC_DECIDED]},
        {"the second engine does not agree", v[TACTIC_DOUBTFUL]},
        {"an engine had a fault", v[TACTIC_FAULT]},
        {"found in another game before", r->twice},
    };
    fputs(":\n", stderr);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        fprintf(stderr, "%9zu  %s\n", steps[i].count, steps[i].what);
    if (r->fault[0] != '\0')
        fprintf(stderr, "the first fault: %s\n", shown_text(r->fault));
}

/* Reports on standard error what was read, and what became of the positions: how many failed at
 * which step. */
static void tell_read(const struct mine_report *report, bool other)
{
    const size_t *v = report->verdicts;
    char games[COUNTED_MAX], positions[COUNTED_MAX];
    size_t examined = 0;
    for (int i = 0; i < TACTIC_VERDICTS; i++)
        examined += v[i];
    positions_tell_read(&report->read);
    fprintf(stderr, "searched %s and examined %s",
            format_things((int64_t)report->games, "game", games),
            format_things((int64_t)examined, "position", positions));
    if (other)
        tell_other(report);
    else
        tell_own(v, report->twice);
}

/* Reports how many positions of those wanted were found. */
static void tell_found(size_t found, const struct mine_settings *settings)
{
    char positions[COUNTED_MAX];
    fprintf(stderr, "found %zu of %s with seed %" PRIu64 "\n", found,
            format_things((int64_t)settings->count, "position", positions), settings->seed);
}

static bool write_halves(const struct miner *m, struct error *err)
{
    size_t step = m->split != NULL ? 2 : 1;
    struct mined first = {.positions = {m->out.items, m->out.count, step},
                          .settings = &m->settings.tactic,
                          .engine = m->setups[0].name,
                          .check = m->setups[1].name};
    struct mined second = first;
    second.positions.items++, second.positions.count--;
    return output_write(m->output, print_suite, &first, err) &&
           (m->split == NULL || output_write(m->split, print_suite, &second, err));
}

/* ---- the command ---- */

/* Whether each output gets a position. */
static bool is_enough(const struct miner *m, bool interrupted, struct error *err)
{
    if (m->out.count >= (m->split != NULL ? 2 : 1))
        return true;
    return error_set(
        err, "%s, and nothing is written%s",
        interrupted         ? "interrupted too early"
        : m->out.count == 0 ? "nothing was found"
                            : "one position was found, which --split cannot share",
        interrupted ? "" : "; look at more positions or games, or ask for a smaller margin");
}

/* Writes the positions found and says where they are. Returns EXIT_DONE, or the exit code. */
static int write_found(const struct miner *m)
{
    struct error err;
    if (!write_halves(m, &err))
        return command_fail(EXIT_FAILED, &err);
    command_tell("positions", m->output);
    if (m->split != NULL)
        command_tell("positions", m->split);
    return EXIT_DONE;
}

/* After a failed search: writes what was found before it, and tells the reason. */
static int rescue(const struct miner *m, const struct error *reason)
{
    struct error few;
    tell_read(&m->report, m->engine != NULL);
    tell_found(m->out.count, &m->settings);
    if (is_enough(m, true, &few) && write_found(m) == EXIT_DONE)
        fputs("grayling: a search failed; what was found so far is written\n", stderr);
    return command_fail(EXIT_FAILED, reason);
}

/* Writes the positions found; returns the exit code. */
static int finish(const struct miner *m)
{
    struct error err;
    bool interrupted = *m->settings.stop != 0;
    tell_read(&m->report, m->engine != NULL);
    tell_found(m->out.count, &m->settings);
    if (!is_enough(m, interrupted, &err))
        return command_fail(interrupted ? EXIT_INTERRUPTED : EXIT_BAD, &err);
    int code = write_found(m);
    if (code != EXIT_DONE)
        return code;
    if (interrupted)
        fputs("grayling: interrupted; what was found so far is written\n", stderr);
    return interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* Runs the command, after its command line is read. */
static int run(struct miner *m, const char *const *paths, int path_count)
{
    struct error err;
    const struct game_list_watcher watcher = {
        .context = m, .skipped = name_broken, .searched = show_progress};
    m->settings.stop = interrupt_watch();
    if (!load(m, &err))
        return command_fail(EXIT_BAD, &err);
    bool good = mine_games(paths, path_count, &m->settings, &watcher, &m->out, &m->report, &err);
    if (m->progressing)
        progress_end(&m->progress);
    return good ? finish(m) : m->report.begun ? rescue(m, &err) : command_fail(EXIT_BAD, &err);
}

int cmd_mine(int argc, char **argv)
{
    struct miner m = {
        .output = "-",
        .settings = {.seed = 1, .count = 500, .glance = 1000, .per_game = 4, .first_ply = 16}};
    int code = options_read(&cmd, &argc, &argv, &m);
    if (code == OPTIONS_READ)
        code = check_way(&m);
    if (code == OPTIONS_READ) {
        complete_numbers(&m);
        code = check_options(&m);
    }
    if (code == OPTIONS_READ)
        code = run(&m, (const char *const *)argv, argc);
    for (int i = 0; i < 2; i++)
        engine_setup_free(&m.setups[i]);
    dataset_free(&m.out);
    return code;
}
