#include "command.h"

#include "book_maker.h"
#include "default_params.h"
#include "opening.h"
#include "positions.h"
#include "source.h"

enum { BOOK_HASH = 16, PLIES_MIN = 8 };

struct bookmaker {
    struct book_settings settings;
    const char *output, *params, *eval;
    bool force;
    struct dataset out;
    struct book_report report;
};

#define AT(member) OPTION_AT(struct bookmaker, member)

static const struct option_row option_rows[] = {
    {"output", "FILE", AS_TEXT, AT(output), "output file, EPD (standard output)", .letter = 'o'},
    {"count", "N", AS_NUMBER, AT(settings.count), "number of openings (1000)", 1, INT32_MAX},
    {"plies", "P", AS_NUMBER, AT(settings.plies), "length of each opening in plies, 8 to 64 (12)",
     PLIES_MIN, OPENING_PLIES},
    {"min-elo", "E", AS_NUMBER, AT(settings.filter.min_elo),
     "use only games with both players rated E or more", 0, 9999},
    {"bound", "CP", AS_NUMBER, AT(settings.bound),
     "largest advantage of either side, in centipawns (50)", 0, EVAL_LIMIT},
    {"nodes", "N", AS_NUMBER, AT(settings.nodes), "nodes per search (200000)", 1,
     INT64_C(1000000000000)},
    {"seed", "S", AS_NUMBER, AT(settings.seed), "seed for the order of the games (1)", 0,
     INT64_MAX},
    {"params", "PARAMS.yaml", AS_TEXT, AT(params),
     "search and evaluation: a parameter file, or a run for its best organism (default: the "
     "engine's own)"},
    {"eval", "PARAMS.yaml", AS_TEXT, AT(eval)},
    OPTION_THREADS(AT(settings.threads)),
    {"keep-damaged", NULL, AS_FLAG, AT(settings.filter.keep_damaged),
     "use what can be read of a damaged file"},
    {"force", NULL, AS_FLAG, AT(force), "overwrite an existing file"},
    {0}};

static const struct command cmd = {
    "book",
    "usage: grayling book GAMES... [-o BOOK.epd] [OPTIONS]\n\n"
    "Makes an opening book of balanced positions: the position after the first plies\n"
    "of each game, if the engine's own search puts neither side ahead. No position\n"
    "occurs twice. GAMES are PGN, plain or .gz .bz2 .zst .zip; - is standard input.\n",
    option_rows,
    "example: 2,000 openings of eight moves by strong players\n"
    "  grayling book games.pgn.gz --min-elo 2600 --plies 16 -o openings.epd\n",
    {"GAMES", "games", 1, OPERANDS_ANY}};

static void print_report(const struct bookmaker *b)
{
    const struct book_settings *s = &b->settings;
    const struct book_report *r = &b->report;
    char positions[COUNTED_MAX], games[COUNTED_MAX], openings[COUNTED_MAX];
    positions_tell_read(&r->read);
    fprintf(stderr,
            "%s after %d plies, %s too short or from a set-up position; searched %zu, %zu of them "
            "one-sided\n",
            format_things((int64_t)r->positions, "different position", positions), s->plies,
            format_things((int64_t)r->unfit, "game", games), r->judged, r->one_sided);
    if (r->unvalued > 0)
        fprintf(stderr, "%s left out: --nodes %llu is too few to value a move\n",
                format_things((int64_t)r->unvalued, "position", positions),
                (unsigned long long)s->nodes);
    fprintf(stderr, "made %zu of %s with seed %llu\n", b->out.count,
            format_things((int64_t)s->count, "opening", openings), (unsigned long long)s->seed);
}

static int run(struct bookmaker *b, const char *const *paths, int path_count)
{
    struct error err;
    struct positions_view view = {"opening", "positions", b->settings.count};
    const struct game_list_watcher watcher = positions_watcher(&view);
    b->settings.stop = interrupt_watch();
    if (!output_check(b->output, b->force, &err) ||
        !source_read_search(b->params, &b->settings.params, &err) ||
        !source_read_evaluation(b->eval, &b->settings.evaluation, &err))
        return command_fail(EXIT_BAD, &err);
    const bool good =
        book_make(paths, path_count, &b->settings, &watcher, &b->out, &b->report, &err);
    progress_end(&view.progress);
    if (!good && !b->report.begun)
        return command_fail(EXIT_BAD, &err);
    print_report(b);
    const bool interrupted = *b->settings.stop != 0;
    return positions_finish(&(struct search_end){
        .output = b->output,
        .what = "openings",
        .found = {.items = b->out.items, .count = b->out.count},
        .failure = good ? NULL : &err,
        .interrupted = interrupted,
        .few = b->out.count > 0 ? NULL
               : interrupted    ? "interrupted before an opening was found"
                                : "no opening was found, and nothing is written; give more "
                                  "games, or a wider --bound",
        .done = "found"});
}

int cmd_book(int argc, char **argv)
{
    struct bookmaker b = {.output = "-",
                          .settings = {.seed = 1,
                                       .count = 1000,
                                       .plies = 12,
                                       .bound = 50,
                                       .nodes = 200000,
                                       .hash_mib = BOOK_HASH,
                                       .evaluation = evaluation_of_weights(&default_weights),
                                       .params = default_search}};
    int code = options_read(&cmd, &argc, &argv, &b);
    if (code == OPTIONS_READ)
        code = run(&b, (const char *const *)argv, argc);
    dataset_free(&b.out);
    return code;
}
