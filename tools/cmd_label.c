/* grayling label: positions with another engine's scores. */
#include "command.h"

#include "engine_file.h"
#include "label.h"
#include "positions.h"
#include "trust.h"

struct labeller {
    struct label_settings settings;
    const char *engine, *output;
    int hash; /* 0: not given */
    bool force;
    struct engine_setup setup;
    struct dataset positions;
    struct progress progress;
};

#define AT(member) OPTION_AT(struct labeller, member)

static const struct option_row option_rows[] = {
    {"engine", "COMMAND", AS_TEXT, AT(engine),
     "the engine, with its arguments in the same word; or a parameter file of kind uci with its "
     "command and options"},
    {"output", "FILE", AS_TEXT, AT(output), "output file (standard output)", .letter = 'o'},
    {"depth", "N", AS_NUMBER, AT(settings.limits.depth), "plies per position (1)", 1, 100},
    {"nodes", "N", AS_NUMBER, AT(settings.limits.nodes), "nodes per position, instead of a depth",
     1, INT64_C(1000000000000)},
    {"hash", "MIB", AS_NUMBER, AT(hash), "the engine's table (16)", 1, 65536},
    OPTION_THREADS(AT(settings.threads)),
    OPTION_TRUST("start the engine of a file that you have not used before"),
    {"force", NULL, AS_FLAG, AT(force), "overwrite FILE"},
    {0}};

static const struct command cmd = {
    "label",
    "usage: grayling label POSITIONS.epd... --engine COMMAND [-o FILE] [OPTIONS]\n\n"
    "Searches each position with a UCI engine and writes it with the engine's score\n"
    "in centipawns as ce, for the side to move. A recipe with 'fitness: {measure:\n"
    "mentor}' then evolves an evaluation that gives the same scores. Positions\n"
    "without a legal move, and those in which the engine sees a mate or gives no\n"
    "score, are left out.\n",
    option_rows,
    "  grayling label train-1 --engine toga2 -o toga-train.epd\n",
    {"POSITIONS.epd", "positions", 1, OPERANDS_ANY}};

static bool load(struct labeller *l, char **files, int count, struct error *err)
{
    if (!output_check(l->output, l->force, err))
        return false;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        if (!data_file_find(files[i], DATA_POSITIONS, path, err) ||
            !dataset_load(&l->positions, path, EPD_ANY, err))
            return false;
    }
    l->settings.engine = &l->setup.settings;
    return (l->positions.count > 0 || error_set(err, "no positions among the files")) &&
           named_engine_read(&l->setup, "--engine", l->engine, NULL, 0, engine_hash_given(l->hash),
                             err);
}

static void show(void *context, size_t done, size_t count)
{
    struct labeller *l = context;
    progress_show(&l->progress, (int64_t)done, (int64_t)count, "");
}

static void tell(const struct labeller *l, const struct label_report *r)
{
    char positions[COUNTED_MAX], limit[COUNTED_MAX];
    fprintf(stderr,
            "%s scored by %s; left out: %zu with a mate, %zu without a legal move, %zu without a "
            "score, %zu %s\n",
            format_things((int64_t)r->scored, "position", positions), l->setup.name, r->mates,
            r->over, r->silent, r->faults, r->faults == 1 ? "fault" : "faults");
    if (r->shallow == 0)
        return;
    if (l->settings.limits.nodes != 0)
        format_things((int64_t)l->settings.limits.nodes, "node", limit);
    else
        snprintf(limit, sizeof limit, "depth %d", l->settings.limits.depth);
    fprintf(stderr, "%s searched to less than %s: for %d seconds the engine reported nothing new\n",
            format_things((int64_t)r->shallow, "position", positions), limit, UCI_ANSWER_SECONDS);
}

/* Labels all positions and writes those with a score. */
static int work(struct labeller *l)
{
    struct error err = {""};
    struct label_report report;
    struct dataset *d = &l->positions;
    size_t kept = 0;
    progress_begin(&l->progress, "position", 0);
    const bool done =
        label_positions(&l->settings, d, &(struct label_watcher){l, show}, &report, &err);
    progress_end(&l->progress);
    if (done || report.done > 0)
        tell(l, &report);
    for (size_t i = 0; i < report.done; i++)
        if (d->items[i].has_score)
            d->items[kept++] = d->items[i];
    d->count = kept;
    const bool interrupted = *l->settings.stop != 0;
    return positions_finish(
        &(struct search_end){.output = l->output,
                             .what = "positions",
                             .found = {.items = d->items, .count = d->count},
                             .failure = done ? NULL : &err,
                             .interrupted = interrupted,
                             .few = kept > 0      ? NULL
                                    : interrupted ? "interrupted before a position was scored"
                                                  : "no position has a score",
                             .done = "labelled"});
}

int cmd_label(int argc, char **argv)
{
    struct labeller l = {.output = "-"};
    struct error err;
    int code = options_read(&cmd, &argc, &argv, &l);
    struct uci_limits *limits = &l.settings.limits;
    if (code != OPTIONS_READ)
        return code;
    if (limits->depth > 0 && limits->nodes > 0)
        return command_misuse("label", "only one of --depth and --nodes can be given");
    if (limits->nodes == 0 && limits->depth == 0)
        limits->depth = 1;
    if (l.engine == NULL)
        return command_misuse("label", "--engine is missing: the command that starts it");
    l.settings.stop = interrupt_watch();
    code = load(&l, argv, argc, &err) ? work(&l) : command_fail(EXIT_BAD, &err);
    engine_setup_free(&l.setup);
    dataset_free(&l.positions);
    return code;
}
