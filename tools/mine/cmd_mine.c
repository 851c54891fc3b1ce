/* grayling mine: tactical positions for a test suite, from games. */
#include "command.h"

#include "data_files.h"
#include "default_params.h"
#include "interrupt.h"
#include "mine.h"
#include "mine_report.h"
#include "named_engine.h"
#include "output.h"
#include "positions.h"
#include "progress.h"
#include "trust.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: grayling mine GAMES... [-o SUITE.epd] [OPTIONS]\n"
    "       grayling mine GAMES... --engine COMMAND [--check COMMAND] [-o SUITE.epd]\n\n"
    "Finds positions with one clearly best move (bm) that a short search misses: a\n"
    "suite for 'grayling solve' and phase search. GAMES are PGN, plain or compressed;\n"
    "- is standard input. Our engine decides, or another one with --engine.\n\n"
    "  -o, --output FILE, --force  output file (standard output); overwrite it\n"
    "      --split FILE      a held-out half: every second position goes here\n"
    "      --count N, --per-game N  positions in all (500); candidates of a game (4)\n"
    "      --first-ply N, --min-elo E  of a game (16); both players rated E or more\n"
    "      --shallow N       nodes of the search that must miss the move (3000; 2000)\n"
    "      --deep N          nodes of those that must find it (500000; 200000)\n"
    "      --margin CP       lead of the best move over the second (300; 150)\n"
    "      --bound CP        most that the second wins, or the best loses (300; 200)\n"
    "      --glance N, --look N  nodes to find candidates (1000), to examine (30000)\n"
    "      --engine COMMAND, --check COMMAND  an engine (its defaults after the ;)\n"
    "                        and one that must agree: commands, or files of kind uci\n"
    "      --check-nodes N   nodes of the search that must agree (as --deep)\n"
    "      --params FILE, --judge FILE, --eval FILE  our search, judge, evaluation\n"
    "      --hash MIB, --threads N, --seed S, --keep-damaged, --trust\n\n"
    "  grayling mine games.pgn.gz --count 600 -o train.epd --split held-out.epd\n";

/* The command line, and the state of the command. */
struct miner {
    struct mine_settings settings;
    struct uci_tactic_settings other; /* with --engine */
    const char *output, *split, *params_path, *judge_path, *eval_path, *engine, *check;
    const char *hash_option; /* "--hash" if it was given */
    bool force, show_help;
    int broken; /* games reported so far */
    struct progress progress;
    bool progressing;
    struct engine_setup setups[2]; /* of --engine and --check */
    struct dataset out;
    struct mine_report report;
};

/* ---- options ---- */

enum option_id {
    OPTION_SPLIT = 256,
    OPTION_COUNT,
    OPTION_GLANCE,
    OPTION_PER_GAME,
    OPTION_FIRST_PLY,
    OPTION_MIN_ELO,
    OPTION_KEEP_DAMAGED,
    OPTION_SEED,
    OPTION_SHALLOW,
    OPTION_LOOK,
    OPTION_DEEP,
    OPTION_MARGIN,
    OPTION_BOUND,
    OPTION_ENGINE,
    OPTION_CHECK,
    OPTION_CHECK_NODES,
    OPTION_PARAMS,
    OPTION_JUDGE,
    OPTION_EVAL,
    OPTION_HASH,
    OPTION_THREADS,
    OPTION_FORCE,
    OPTION_TRUST,
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"split", required_argument, NULL, OPTION_SPLIT},
    {"count", required_argument, NULL, OPTION_COUNT},
    {"glance", required_argument, NULL, OPTION_GLANCE},
    {"per-game", required_argument, NULL, OPTION_PER_GAME},
    {"first-ply", required_argument, NULL, OPTION_FIRST_PLY},
    {"keep-damaged", no_argument, NULL, OPTION_KEEP_DAMAGED},
    {"min-elo", required_argument, NULL, OPTION_MIN_ELO},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"shallow", required_argument, NULL, OPTION_SHALLOW},
    {"look", required_argument, NULL, OPTION_LOOK},
    {"deep", required_argument, NULL, OPTION_DEEP},
    {"margin", required_argument, NULL, OPTION_MARGIN},
    {"bound", required_argument, NULL, OPTION_BOUND},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"check", required_argument, NULL, OPTION_CHECK},
    {"check-nodes", required_argument, NULL, OPTION_CHECK_NODES},
    {"params", required_argument, NULL, OPTION_PARAMS},
    {"judge", required_argument, NULL, OPTION_JUDGE},
    {"eval", required_argument, NULL, OPTION_EVAL},
    {"hash", required_argument, NULL, OPTION_HASH},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"trust", no_argument, NULL, OPTION_TRUST},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Reads an option with a number. On failure prints the reason and returns false. */
static bool take_number(struct miner *m, int id, const char *text)
{
    struct mine_settings *s = &m->settings;
    const int64_t many = INT32_MAX, nodes = INT64_C(1000000000000);
    switch (id) {
    case OPTION_COUNT:
        return command_count("mine", "--count", text, 1, many, &s->count);
    case OPTION_GLANCE:
        return command_count("mine", "--glance", text, 1, nodes, &s->glance);
    case OPTION_PER_GAME:
        return command_int("mine", "--per-game", text, 1, MINE_PER_GAME, &s->per_game);
    case OPTION_FIRST_PLY:
        return command_int("mine", "--first-ply", text, 0, 99999, &s->first_ply);
    case OPTION_KEEP_DAMAGED:
        return s->filter.keep_damaged = true;
    case OPTION_MIN_ELO:
        return command_int("mine", "--min-elo", text, 0, 9999, &s->filter.min_elo);
    case OPTION_SEED:
        return command_count("mine", "--seed", text, 0, INT64_MAX, &s->seed);
    case OPTION_SHALLOW:
        return command_count("mine", "--shallow", text, 1, nodes, &s->tactic.shallow);
    case OPTION_LOOK:
        return command_count("mine", "--look", text, 1, nodes, &s->tactic.look);
    case OPTION_DEEP:
        return command_count("mine", "--deep", text, 1, nodes, &s->tactic.deep);
    case OPTION_MARGIN:
        return command_int("mine", "--margin", text, 1, EVAL_LIMIT, &s->tactic.margin);
    case OPTION_BOUND:
        return command_int("mine", "--bound", text, 1, EVAL_LIMIT, &s->tactic.bound);
    case OPTION_CHECK_NODES:
        return command_count("mine", "--check-nodes", text, 1, nodes, &m->other.check_nodes);
    case OPTION_HASH:
        m->hash_option = "--hash";
        return command_int("mine", "--hash", text, HASH_MIN, HASH_MAX, &s->hash_mib);
    default:
        return command_int("mine", "--threads", text, 1, 1024, &s->threads);
    }
}

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct miner *m, int id, const char *text)
{
    switch (id) {
    case 'o':
        m->output = text;
        return true;
    case OPTION_SPLIT:
        m->split = text;
        return true;
    case OPTION_ENGINE:
        m->engine = text;
        return true;
    case OPTION_CHECK:
        m->check = text;
        return true;
    case OPTION_PARAMS:
        m->params_path = text;
        return true;
    case OPTION_JUDGE:
        m->judge_path = text;
        return true;
    case OPTION_EVAL:
        m->eval_path = text;
        return true;
    case OPTION_TRUST:
        trust_all();
        return true;
    case OPTION_FORCE:
        return m->force = true;
    case 'h':
        return m->show_help = true;
    default:
        return take_number(m, id, text);
    }
}

/* The numbers of a mine with our engine, and with another one. */
static const struct tactic_settings usual[2] = {
    {.shallow = 3000, .look = 30000, .deep = 500000, .margin = 300, .bound = 300},
    {.shallow = 2000, .deep = 200000, .margin = 150, .bound = 200}};

/* Sets the numbers that were not given. With another engine, those given are for it. */
static void complete_numbers(struct miner *m)
{
    struct tactic_settings *t = &m->settings.tactic;
    const struct tactic_settings *u = &usual[m->engine != NULL];
    t->shallow = t->shallow > 0 ? t->shallow : u->shallow;
    t->look = t->look > 0 ? t->look : u->look;
    t->deep = t->deep > 0 ? t->deep : u->deep;
    t->margin = t->margin > 0 ? t->margin : u->margin;
    t->bound = t->bound > 0 ? t->bound : u->bound;
    if (m->engine == NULL)
        return;
    uint64_t check_nodes = m->other.check_nodes > 0 ? m->other.check_nodes : t->deep;
    m->other = (struct uci_tactic_settings){.shallow = t->shallow,
                                            .deep = t->deep,
                                            .check_nodes = check_nodes,
                                            .margin = t->margin,
                                            .bound = t->bound};
    t->margin = usual[0].margin;
}

/* Checks that no option is for another way of mining. Returns EXIT_DONE, or the exit code. */
static int check_way(const struct miner *m)
{
    bool other = m->engine != NULL;
    if (!other && (m->check != NULL || m->other.check_nodes > 0))
        return command_misuse("mine", "--check and --check-nodes need --engine");
    if (other && (m->params_path != NULL || m->judge_path != NULL || m->settings.tactic.look > 0))
        return command_misuse("mine", "--params, --judge and --look are not for --engine");
    if (other && m->check == NULL && m->other.check_nodes > 0)
        return command_misuse("mine", "--check-nodes needs --check");
    return EXIT_DONE;
}

/* Checks that the complete options are consistent. Returns EXIT_DONE, or the exit code. */
static int check_options(const struct miner *m, int files)
{
    const struct tactic_settings *t = &m->settings.tactic;
    if (files == 0)
        return command_misuse("mine", "no games are given");
    if (m->engine == NULL && t->shallow >= t->look)
        return command_misuse("mine", "--shallow must be less than --look");
    if (m->engine == NULL && t->look > t->deep)
        return command_misuse("mine", "--look must not be more than --deep");
    if (t->shallow >= t->deep)
        return command_misuse("mine", "--shallow must be less than --deep");
    if (m->split != NULL && !command_two_outputs("mine", "--split", m->split, m->output))
        return EXIT_BAD;
    return EXIT_DONE;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct miner *m)
{
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("mine", c, argv, long_options);
        if (!take_option(m, c, optarg))
            return EXIT_BAD;
    }
    int code = m->show_help ? EXIT_DONE : check_way(m);
    if (m->show_help || code != EXIT_DONE)
        return code;
    complete_numbers(m);
    return check_options(m, argc - optind);
}

/* ---- input ---- */

/* Reads the search parameters of a file or run; `name` may be NULL. */
static bool load_params(const char *name, struct search_params *params, struct error *err)
{
    char path[PATH_SIZE];
    return name == NULL || (data_file_find(name, DATA_SEARCHES, path, err) &&
                            values_search_params(path, params, err));
}

/* Reads the evaluation likewise. */
static bool load_evaluation(const char *name, struct evaluation *e, struct error *err)
{
    char path[PATH_SIZE];
    return name == NULL ||
           (data_file_find(name, DATA_EVALUATIONS, path, err) && values_evaluation(path, e, err));
}

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
    const struct engine_hash hash = {m->settings.hash_mib, m->hash_option};
    if (m->engine == NULL)
        return true;
    m->settings.other = &m->other;
    m->other.engine = &m->setups[0].settings;
    m->other.check = m->check != NULL ? &m->setups[1].settings : NULL;
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
           load_params(m->params_path, &s->tactic.solver, err) &&
           load_params(m->judge_path, &s->tactic.judge, err) &&
           load_evaluation(m->eval_path, &s->evaluation, err) && load_engines(m, err);
}

/* ---- the work ---- */

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

static bool write_halves(const struct miner *m, struct error *err)
{
    size_t step = m->split != NULL ? 2 : 1;
    struct mined first = {.positions = {m->out.items, m->out.count, step},
                          .other = m->settings.other,
                          .engine = m->setups[0].name,
                          .check = m->setups[1].name};
    struct mined second = first;
    second.positions.items++, second.positions.count--;
    return output_write(m->output, mine_print, &first, err) &&
           (m->split == NULL || output_write(m->split, mine_print, &second, err));
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
    mine_tell(&m->report, m->settings.other != NULL);
    mine_tell_found(m->out.count, &m->settings);
    if (is_enough(m, true, &few) && write_found(m) == EXIT_DONE)
        fputs("grayling: a search failed; what was found so far is written\n", stderr);
    return command_fail(EXIT_FAILED, reason);
}

/* Writes the positions found; returns the exit code. */
static int finish(const struct miner *m)
{
    struct error err;
    bool interrupted = *m->settings.tactic.stop != 0;
    mine_tell(&m->report, m->settings.other != NULL);
    mine_tell_found(m->out.count, &m->settings);
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
    const struct mine_watcher watcher = {
        .read = {.context = &m->broken, .skipped = positions_name_broken},
        .context = m,
        .progress = show_progress};
    m->settings.tactic.stop = interrupt_watch();
    if (!load(m, &err))
        return command_fail(EXIT_BAD, &err);
    bool good = mine_games(paths, path_count, &m->settings, &watcher, &m->out, &m->report, &err);
    if (m->progressing)
        progress_end(&m->progress);
    return good ? finish(m) : m->report.begun ? rescue(m, &err) : command_fail(EXIT_BAD, &err);
}

int cmd_mine(int argc, char **argv)
{
    struct miner m = {.output = "-",
                      .settings = {.seed = 1,
                                   .count = 500,
                                   .glance = 1000,
                                   .per_game = 4,
                                   .first_ply = 16,
                                   .hash_mib = 16,
                                   .threads = command_threads()}};
    int code = read_options(argc, argv, &m);
    if (code == EXIT_DONE && m.show_help)
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = run(&m, (const char *const *)argv + optind, argc - optind);
    for (int i = 0; i < 2; i++)
        engine_setup_free(&m.setups[i]);
    dataset_free(&m.out);
    return code;
}
