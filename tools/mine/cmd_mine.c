/* grayling mine: tactical positions for a test suite, from games. */
#include "command.h"

#include "count.h"
#include "data_files.h"
#include "default_params.h"
#include "interrupt.h"
#include "mine.h"
#include "output.h"
#include "positions.h"
#include "progress.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: grayling mine GAMES... [-o SUITE.epd] [OPTIONS]\n\n"
    "Finds positions with one clearly best move that a short search misses, and\n"
    "writes them as EPD with that move as bm: a suite for 'grayling solve' and for\n"
    "recipes of phase search. GAMES are PGN, plain or .gz .bz2 .zst .zip; - is\n"
    "standard input. Candidates are positions in which the move played surprises the\n"
    "engine. A candidate is taken if a search of --shallow nodes misses the best\n"
    "move, a judge with other parameters finds it in --deep nodes, ahead of the\n"
    "second move by --margin, and the first search finds it in --deep nodes too. A\n"
    "game gives one position at most. The same games and seed give the same positions\n"
    "for any number of threads. Ctrl-C writes the positions found so far (exit code\n"
    "130).\n\n"
    "  -o, --output FILE    output file (standard output)\n"
    "      --split FILE     write every second position to this file: a held-out\n"
    "                       half, which shares neither game nor position with the\n"
    "                       other\n"
    "      --count N        number of positions in all (500)\n"
    "      --glance N       nodes per position of a game, to find candidates (1000)\n"
    "      --per-game N     most candidates to examine per game (4)\n"
    "      --first-ply N    skip the first N plies of each game (16)\n"
    "      --min-elo E      use only games with both players rated E or more\n"
    "      --seed S         seed for the order of games and positions (1)\n"
    "      --shallow N      nodes of the search that must miss the move (3000)\n"
    "      --look N         nodes of the first examination of a position (30000)\n"
    "      --deep N         nodes of the two searches that must agree (500000)\n"
    "      --margin CP      lead of the best move over the second, in centipawns\n"
    "                       (300)\n"
    "      --bound CP       the second move wins by at most CP, the best loses by no\n"
    "                       more (300)\n"
    "      --params FILE    parameters of the search that must miss and then find the\n"
    "                       move: a parameter file, or a run for its best organism\n"
    "                       (default: the initial values)\n"
    "      --judge FILE     parameters of the judge (default: the initial values with\n"
    "                       late-move reductions, singular extensions and more\n"
    "                       quiescence, without multi-cut)\n"
    "      --eval FILE      evaluation parameters: a file, or a run for its best\n"
    "                       organism (default: the engine's own)\n"
    "      --hash MIB       transposition table of each thread (16)\n"
    "      --threads N      positions searched in parallel (all cores, or\n"
    "                       OMP_NUM_THREADS)\n"
    "      --force          overwrite existing files\n\n"
    "example: a suite in two halves\n"
    "  grayling mine games.pgn.gz --count 600 --eval mine.yaml -o train.epd \\\n"
    "      --split held-out.epd\n";

/* The command line, and the state of the command. */
struct miner {
    struct mine_settings settings;
    const char *output, *split, *params_path, *judge_path, *eval_path;
    bool force, show_help;
    int broken; /* games reported so far */
    struct progress progress;
    bool progressing;
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
    OPTION_SEED,
    OPTION_SHALLOW,
    OPTION_LOOK,
    OPTION_DEEP,
    OPTION_MARGIN,
    OPTION_BOUND,
    OPTION_PARAMS,
    OPTION_JUDGE,
    OPTION_EVAL,
    OPTION_HASH,
    OPTION_THREADS,
    OPTION_FORCE,
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"split", required_argument, NULL, OPTION_SPLIT},
    {"count", required_argument, NULL, OPTION_COUNT},
    {"glance", required_argument, NULL, OPTION_GLANCE},
    {"per-game", required_argument, NULL, OPTION_PER_GAME},
    {"first-ply", required_argument, NULL, OPTION_FIRST_PLY},
    {"min-elo", required_argument, NULL, OPTION_MIN_ELO},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"shallow", required_argument, NULL, OPTION_SHALLOW},
    {"look", required_argument, NULL, OPTION_LOOK},
    {"deep", required_argument, NULL, OPTION_DEEP},
    {"margin", required_argument, NULL, OPTION_MARGIN},
    {"bound", required_argument, NULL, OPTION_BOUND},
    {"params", required_argument, NULL, OPTION_PARAMS},
    {"judge", required_argument, NULL, OPTION_JUDGE},
    {"eval", required_argument, NULL, OPTION_EVAL},
    {"hash", required_argument, NULL, OPTION_HASH},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Reads an option with a number. On failure prints the reason and returns false. */
static bool take_number(struct mine_settings *s, int id, const char *text)
{
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
    case OPTION_HASH:
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
    case OPTION_PARAMS:
        m->params_path = text;
        return true;
    case OPTION_JUDGE:
        m->judge_path = text;
        return true;
    case OPTION_EVAL:
        m->eval_path = text;
        return true;
    case OPTION_FORCE:
        return m->force = true;
    case 'h':
        return m->show_help = true;
    default:
        return take_number(&m->settings, id, text);
    }
}

/* Checks that the options are consistent. Returns EXIT_DONE, or the exit code. */
static int check_options(const struct miner *m, int files)
{
    const struct tactic_settings *t = &m->settings.tactic;
    if (files == 0)
        return command_misuse("mine", "no games are given");
    if (t->shallow >= t->look)
        return command_misuse("mine", "--shallow must be less than --look");
    if (t->look > t->deep)
        return command_misuse("mine", "--look must not be more than --deep");
    if (m->split != NULL && strcmp(m->split, m->output) == 0)
        return command_misuse("mine", "--split and --output must be two files");
    return EXIT_DONE;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct miner *m)
{
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("mine", c, argv);
        if (!take_option(m, c, optarg))
            return EXIT_BAD;
    }
    return m->show_help ? EXIT_DONE : check_options(m, argc - optind);
}

/* ---- input ---- */

/* Reads the search parameters of a file or run; `name` may be NULL. */
static bool load_params(const char *name, struct search_params *params, struct error *err)
{
    char path[PATH_SIZE];
    return name == NULL || (data_file_find(name, DATA_PARAMS, path, err) &&
                            values_search_params(path, params, err));
}

/* Reads the evaluation likewise. */
static bool load_weights(const char *name, struct eval_weights *weights, struct error *err)
{
    char path[PATH_SIZE];
    return name == NULL ||
           (data_file_find(name, DATA_PARAMS, path, err) && values_weights(path, weights, err));
}

static bool load(struct miner *m, struct error *err)
{
    struct mine_settings *s = &m->settings;
    s->tactic.solver = search_initial_params();
    s->tactic.judge = tactic_modern_params();
    s->weights = default_weights;
    return output_check(m->output, m->force, err) &&
           (m->split == NULL || output_check(m->split, m->force, err)) &&
           load_params(m->params_path, &s->tactic.solver, err) &&
           load_params(m->judge_path, &s->tactic.judge, err) &&
           load_weights(m->eval_path, &s->weights, err);
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
    struct positions first = {m->out.items, m->out.count, step};
    struct positions second = {m->out.items + 1, m->out.count - 1, step};
    return output_write(m->output, positions_print, &first, err) &&
           (m->split == NULL || output_write(m->split, positions_print, &second, err));
}

/* Reports what was read, left out and found. */
static void print_report(const struct miner *m)
{
    const struct mine_report *r = &m->report;
    const size_t *v = r->verdicts;
    char games[COUNTED_MAX], positions[COUNTED_MAX];
    size_t examined = 0;
    for (int i = 0; i < TACTIC_VERDICTS; i++)
        examined += v[i];
    positions_tell_read(&r->read);
    fprintf(stderr,
            "searched %s and examined %s: %zu steady, %zu flat, %zu decided, %zu plain, "
            "%zu doubtful, %zu found before\n",
            format_things((int64_t)r->games, "game", games),
            format_things((int64_t)examined, "position", positions), v[TACTIC_STEADY],
            v[TACTIC_FLAT], v[TACTIC_DECIDED], v[TACTIC_PLAIN], v[TACTIC_DOUBTFUL], r->twice);
    fprintf(stderr, "found %zu of %s with seed %llu\n", m->out.count,
            format_things((int64_t)m->settings.count, "position", positions),
            (unsigned long long)m->settings.seed);
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

/* Writes the positions found; returns the exit code. */
static int finish(const struct miner *m)
{
    struct error err;
    bool interrupted = *m->settings.tactic.stop != 0;
    print_report(m);
    if (!is_enough(m, interrupted, &err))
        return command_fail(interrupted ? EXIT_INTERRUPTED : EXIT_BAD, &err);
    if (!write_halves(m, &err))
        return command_fail(EXIT_FAILED, &err);
    output_tell("positions", m->output);
    if (m->split != NULL)
        output_tell("positions", m->split);
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
    return good ? finish(m) : command_fail(EXIT_BAD, &err);
}

int cmd_mine(int argc, char **argv)
{
    struct miner m = {
        .output = "-",
        .settings = {
            .seed = 1,
            .count = 500,
            .glance = 1000,
            .per_game = 4,
            .first_ply = 16,
            .hash_mib = 16,
            .threads = command_threads(),
            .tactic = {
                .shallow = 3000, .look = 30000, .deep = 500000, .margin = 300, .bound = 300}}};
    int code = read_options(argc, argv, &m);
    if (code == EXIT_DONE && m.show_help)
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = run(&m, (const char *const *)argv + optind, argc - optind);
    dataset_free(&m.out);
    return code;
}
