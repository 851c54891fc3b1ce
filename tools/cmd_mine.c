/* grayling mine: tactical positions for a test suite, from games. */
#include "command.h"

#include "default_params.h"
#include "engine_file.h"
#include "mine.h"
#include "positions.h"
#include "source.h"
#include "trust.h"
#include "version.h"

struct miner {
    struct mine_settings settings;
    const char *output, *split, *params_path, *judge_path, *eval_path, *engine, *check;
    int hash; /* 0: not given */
    bool force;
    struct engine_setup setups[2]; /* of --engine and --check */
    struct dataset out;
    struct mine_report report;
};

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
    {"pieces", "N", AS_NUMBER, AT(settings.pieces),
     "most pieces besides kings and pawns (all): endgames", 0, 30},
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
    {"GAMES", "games", 1, OPERANDS_ANY}};

/* The numbers of a mine with our engine, and with another one. */
static const struct tactic_settings usual[2] = {
    {.shallow = 3000, .look = 30000, .deep = 500000, .margin = 300, .bound = 300},
    {.shallow = 2000, .deep = 200000, .margin = 150, .bound = 200}};

/* Sets the numbers that were not given, and checks that the options are for one way of mining, and consistent.
 * With another engine, the numbers given are for it. Returns OPTIONS_READ, or the exit code. */
static int complete_options(struct miner *m)
{
    struct tactic_settings *t = &m->settings.tactic;
    const bool other = m->engine != NULL;
    const struct tactic_settings *u = &usual[other];
    if (!other && (m->check != NULL || t->check_nodes > 0))
        return command_misuse("mine", "--check and --check-nodes need --engine");
    if (other && (m->params_path != NULL || m->judge_path != NULL || t->look > 0))
        return command_misuse("mine", "--params, --judge and --look are not for --engine");
    if (other && m->check == NULL && t->check_nodes > 0)
        return command_misuse("mine", "--check-nodes needs --check");
    m->settings.hash_mib = engine_hash_given(m->hash).mib;
    t->shallow = t->shallow > 0 ? t->shallow : u->shallow;
    t->look = t->look > 0 ? t->look : u->look;
    t->deep = t->deep > 0 ? t->deep : u->deep;
    t->check_nodes = t->check_nodes > 0 ? t->check_nodes : t->deep;
    t->margin = t->margin > 0 ? t->margin : u->margin;
    t->bound = t->bound > 0 ? t->bound : u->bound;
    m->settings.surprise = other ? usual[0].margin : t->margin;
    if (!other && t->shallow >= t->look)
        return command_misuse("mine", "--shallow must be less than --look");
    if (!other && t->look > t->deep)
        return command_misuse("mine", "--look must not be more than --deep");
    if (t->shallow >= t->deep)
        return command_misuse("mine", "--shallow must be less than --deep");
    return m->split == NULL || command_two_outputs("mine", "--split", m->split, m->output)
               ? OPTIONS_READ
               : EXIT_BAD;
}

static bool load(struct miner *m, struct error *err)
{
    struct mine_settings *s = &m->settings;
    const struct engine_hash hash = engine_hash_given(m->hash);
    const struct uci_value two = {"MultiPV", "2"}; /* which engines must have */
    s->tactic.engine = m->engine != NULL ? &m->setups[0].settings : NULL;
    s->tactic.check = m->check != NULL ? &m->setups[1].settings : NULL;
    s->tactic.solver = search_initial_params();
    s->tactic.judge = tactic_modern_params();
    s->evaluation = evaluation_of_weights(&default_weights);
    return output_check(m->output, m->force, err) &&
           (m->split == NULL || output_check(m->split, m->force, err)) &&
           source_read_search(m->params_path, &s->tactic.solver, err) &&
           source_read_search(m->judge_path, &s->tactic.judge, err) &&
           source_read_evaluation(m->eval_path, &s->evaluation, err) &&
           (m->engine == NULL ||
            named_engine_read(&m->setups[0], "--engine", m->engine, &two, 1, hash, err)) &&
           (m->check == NULL ||
            named_engine_read(&m->setups[1], "--check", m->check, &two, 1, hash, err));
}

/* Names the engines that decided, if others did, and their limits. */
static void print_head(FILE *out, const void *context)
{
    const struct miner *m = context;
    const struct tactic_settings *s = &m->settings.tactic;
    if (s->engine != NULL)
        fprintf(out,
                "# Mined by grayling " GRAYLING_VERSION " with %s.\n"
                "# bm leads the second move by %d centipawns or more in %" PRIu64
                " nodes (ce: its score);\n# a search of %" PRIu64 " nodes chooses another move.\n",
                shown_text(m->setups[0].name), s->margin, s->deep, s->shallow);
    if (s->check != NULL)
        fprintf(out, "# %s agrees in %" PRIu64 " nodes, with half the lead.\n",
                shown_text(m->setups[1].name), s->check_nodes);
}

/* Reports what was read, and how many positions failed at which step. */
static void tell(const struct miner *m)
{
    const struct mine_report *r = &m->report;
    const size_t *v = r->verdicts;
    const struct {
        const char *what;
        size_t count;
    } steps[] = {
        {"the short search chooses the move too", v[TACTIC_STEADY]},
        {"the long search does not keep the move", v[TACTIC_UNSETTLED]},
        {"the second move is not far enough behind", v[TACTIC_FLAT]},
        {"one side wins in any case", v[TACTIC_DECIDED]},
        {"the move is found at once, or wins material", v[TACTIC_PLAIN]},
        {m->engine == NULL ? "another search does not agree" : "the second engine does not agree",
         v[TACTIC_DOUBTFUL]},
        {"an engine had a fault", v[TACTIC_FAULT]},
        {"found in another game before", r->twice},
    };
    char games[COUNTED_MAX], positions[COUNTED_MAX];
    size_t examined = 0;
    for (int i = 0; i < TACTIC_VERDICTS; i++)
        examined += v[i];
    positions_tell_read(&r->read);
    fprintf(stderr, "searched %s and examined %s:", format_things((int64_t)r->games, "game", games),
            format_things((int64_t)examined, "position", positions));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        fprintf(stderr, "\n%9zu  %s", steps[i].count, steps[i].what);
    if (r->fault[0] != '\0')
        fprintf(stderr, "\nthe first fault: %s", shown_text(r->fault));
    fprintf(stderr, "\nfound %zu of %s with seed %" PRIu64 "\n", m->out.count,
            format_things((int64_t)m->settings.count, "position", positions), m->settings.seed);
}

static int run(struct miner *m, const char *const *paths, int path_count)
{
    struct error err;
    struct positions_view view = {"finding", "games", m->settings.count};
    const struct game_list_watcher watcher = positions_watcher(&view);
    m->settings.stop = interrupt_watch();
    if (!load(m, &err))
        return command_fail(EXIT_BAD, &err);
    const bool good =
        mine_games(paths, path_count, &m->settings, &watcher, &m->out, &m->report, &err);
    progress_end(&view.progress);
    if (!good && !m->report.begun)
        return command_fail(EXIT_BAD, &err);
    tell(m);
    const bool interrupted = *m->settings.stop != 0;
    return positions_finish(&(struct search_end){
        .output = m->output,
        .split = m->split,
        .what = "positions",
        .found = {.items = m->out.items, .count = m->out.count, .head = print_head, .context = m},
        .failure = good ? NULL : &err,
        .interrupted = interrupted,
        .few = m->out.count >= (m->split != NULL ? 2 : 1) ? NULL
               : interrupted ? "interrupted too early, and nothing is written"
               : m->out.count == 0
                   ? "nothing was found, and nothing is written; look at more positions or "
                     "games, or ask for a smaller margin"
                   : "one position was found, which --split cannot share, and nothing is "
                     "written; look at more positions or games, or ask for a smaller margin",
        .done = "found"});
}

int cmd_mine(int argc, char **argv)
{
    struct miner m = {
        .output = "-",
        .settings = {
            .seed = 1, .count = 500, .glance = 1000, .per_game = 4, .first_ply = 16, .pieces = 30}};
    int code = options_read(&cmd, &argc, &argv, &m);
    if (code == OPTIONS_READ)
        code = complete_options(&m);
    if (code == OPTIONS_READ)
        code = run(&m, (const char *const *)argv, argc);
    for (int i = 0; i < 2; i++)
        engine_setup_free(&m.setups[i]);
    dataset_free(&m.out);
    return code;
}
