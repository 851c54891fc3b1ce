#include "command.h"

#include "count.h"
#include "data_files.h"
#include "output.h"
#include "positions.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_LIMIT = 1000 };

struct options {
    struct sample_settings settings;
    const char *output;
    const char **excludes;
    int exclude_count;
    bool side_given; /* by --winner or --either */
    bool force;
};

static const char help[] =
    "usage: grayling sample GAMES... [-o POS.epd] [OPTIONS]\n\n"
    "Draws one position from each decisive game, with the winner to move, and writes\n"
    "it as EPD with the move played as bm. GAMES are PGN, plain or compressed; - is\n"
    "standard input.\n\n"
    "  -o, --output FILE, --force  output (standard output), %d: its part; overwrite\n"
    "      --count N, --parts N  positions a part (all); disjoint parts (1)\n"
    "      --skip N, --per-game N  skip the first N (0); most from one game (1)\n"
    "      --min-elo E, --min-plies N  only games of such players, of such a length\n"
    "      --from DATE, --to DATE  only games of these days: YYYY-MM-DD or less\n"
    "      --player NAME     only moves of this player; its beginning will do\n"
    "      --winner, --either, --results  the winner to move, in decisive games\n"
    "                        (default); either side; that, with the result as c9\n"
    "      --quiet           no check, and no capture or queen promotion to consider\n"
    "      --first-ply N, --last-ply N  of a game, counted from 0\n"
    "      --exclude FILE    no positions and games of this EPD file; repeatable\n"
    "      --seed S          seed of the draw (1)\n"
    "      --keep-damaged    use what can be read of a damaged file\n\n"
    "example: five draws up to 2018\n"
    "  grayling sample games.pgn.gz --to 2018 --parts 5 --count 5000 -o 't-%d.epd'\n";

/* ---- options ---- */

/* YYYY[-MM[-DD]] as yyyymmdd; missing parts are filled so that the bound includes the whole month
 * or year. */
static bool parse_date(const char *option, const char *text, bool last, int *date)
{
    int year, month = last ? 99 : 0, day = last ? 99 : 0, end = 0;
    const char *digits = "0123456789";
    size_t length = strlen(text);
    bool shape = (length == 4 || length == 7 || length == 10) && strspn(text, digits) == 4 &&
                 (length == 4 || (text[4] == '-' && strspn(text + 5, digits) == 2)) &&
                 (length < 10 || (text[7] == '-' && strspn(text + 8, digits) == 2));
    if (shape && length == 4)
        sscanf(text, "%4d%n", &year, &end);
    else if (shape && length == 7)
        sscanf(text, "%4d-%2d%n", &year, &month, &end);
    else if (shape)
        sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &end);
    if (end == 0 || (length > 4 && (month < 1 || month > 12)) ||
        (length > 7 && (day < 1 || day > 31))) {
        command_misuse("sample", "%s takes YYYY, YYYY-MM or YYYY-MM-DD, not '%s'", option, text);
        return false;
    }
    *date = year * 10000 + month * 100 + day;
    return true;
}

/* A number of positions. */
static bool parse_size(const char *option, const char *text, int64_t min, size_t *value)
{
    int64_t number;
    if (!command_number("sample", option, text, min, INT32_MAX, &number))
        return false;
    *value = (size_t)number;
    return true;
}

enum option_id {
    OPTION_COUNT = 256,
    OPTION_PARTS,
    OPTION_SKIP,
    OPTION_PER_GAME,
    OPTION_MIN_ELO,
    OPTION_KEEP_DAMAGED,
    OPTION_MIN_PLIES,
    OPTION_FROM,
    OPTION_TO,
    OPTION_WINNER,
    OPTION_EITHER,
    OPTION_RESULTS,
    OPTION_QUIET,
    OPTION_FIRST_PLY,
    OPTION_LAST_PLY,
    OPTION_SEED,
    OPTION_EXCLUDE,
    OPTION_PLAYER,
    OPTION_FORCE,
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"count", required_argument, NULL, OPTION_COUNT},
    {"parts", required_argument, NULL, OPTION_PARTS},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"per-game", required_argument, NULL, OPTION_PER_GAME},
    {"keep-damaged", no_argument, NULL, OPTION_KEEP_DAMAGED},
    {"min-elo", required_argument, NULL, OPTION_MIN_ELO},
    {"min-plies", required_argument, NULL, OPTION_MIN_PLIES},
    {"from", required_argument, NULL, OPTION_FROM},
    {"to", required_argument, NULL, OPTION_TO},
    {"player", required_argument, NULL, OPTION_PLAYER},
    {"winner", no_argument, NULL, OPTION_WINNER},
    {"either", no_argument, NULL, OPTION_EITHER},
    {"results", no_argument, NULL, OPTION_RESULTS},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"first-ply", required_argument, NULL, OPTION_FIRST_PLY},
    {"last-ply", required_argument, NULL, OPTION_LAST_PLY},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"exclude", required_argument, NULL, OPTION_EXCLUDE},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct options *o, int id, const char *text)
{
    struct sample_settings *s = &o->settings;
    int64_t seed = 0;
    switch (id) {
    case 'o':
        o->output = text;
        return true;
    case OPTION_COUNT:
        return parse_size("--count", text, 1, &s->count);
    case OPTION_PARTS:
        return command_int("sample", "--parts", text, 1, PARTS_LIMIT, &s->parts);
    case OPTION_SKIP:
        return parse_size("--skip", text, 0, &s->skip);
    case OPTION_PER_GAME:
        return command_int("sample", "--per-game", text, 1, 1000, &s->per_game);
    case OPTION_KEEP_DAMAGED:
        return s->filter.keep_damaged = true;
    case OPTION_MIN_ELO:
        return command_int("sample", "--min-elo", text, 0, 9999, &s->filter.min_elo);
    case OPTION_MIN_PLIES:
        return command_int("sample", "--min-plies", text, 0, 99999, &s->filter.min_plies);
    case OPTION_FROM:
        return parse_date("--from", text, false, &s->filter.from_date);
    case OPTION_TO:
        return parse_date("--to", text, true, &s->filter.to_date);
    case OPTION_PLAYER:
        s->player = text;
        return text[0] != '\0' || (command_misuse("sample", "--player takes a name"), false);
    case OPTION_WINNER:
    case OPTION_EITHER:
        o->side_given = true;
        s->winner = id == OPTION_WINNER;
        return true;
    case OPTION_RESULTS:
        return s->results = true;
    case OPTION_QUIET:
        return s->quiet = true;
    case OPTION_FIRST_PLY:
        return command_int("sample", "--first-ply", text, 0, 99999, &s->first_ply);
    case OPTION_LAST_PLY:
        return command_int("sample", "--last-ply", text, 1, 99999, &s->last_ply);
    case OPTION_SEED:
        if (!command_number("sample", "--seed", text, 0, INT64_MAX, &seed))
            return false;
        s->seed = (uint64_t)seed;
        return true;
    case OPTION_EXCLUDE:
        o->excludes[o->exclude_count++] = text;
        return true;
    default:
        o->force = true;
        return true;
    }
}

/* Checks that the options are consistent. */
static bool check_options(const struct options *o, int files)
{
    const struct sample_settings *s = &o->settings;
    const char *number = strstr(o->output, "%d");
    if (files == 0)
        command_misuse("sample", "no games are given");
    else if (s->parts > 1 && s->count == 0)
        command_misuse("sample", "--parts needs --count: how many positions in each");
    else if (s->parts > 1 && number == NULL)
        command_misuse("sample", "--parts needs an output file with %%d in its name");
    else if (s->last_ply > 0 && s->last_ply < s->first_ply)
        command_misuse("sample", "--last-ply is before --first-ply");
    else if (s->filter.to_date > 0 && s->filter.to_date < s->filter.from_date)
        command_misuse("sample", "--to is before --from");
    else
        return true;
    return false;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. Sets `*helped` if it printed help. */
static enum exit_code parse_options(struct options *o, int argc, char **argv, bool *helped)
{
    int id;
    opterr = 0;
    while ((id = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
        if (id == 'h') {
            fputs(help, stdout);
            *helped = true;
            return EXIT_DONE;
        }
        if (id == ':' || id == '?')
            return (enum exit_code)command_bad_option("sample", id, argv, long_options);
        if (!take_option(o, id, optarg))
            return EXIT_BAD;
    }
    if (o->settings.results && !o->side_given)
        o->settings.winner = false;
    return check_options(o, argc - optind) ? EXIT_DONE : EXIT_BAD;
}

/* ---- output ---- */

/* The name of a part's file: %d in it becomes the part's number. */
static bool part_path(const struct options *o, int part, char path[OUTPUT_PATH], struct error *err)
{
    const char *mark = strstr(o->output, "%d");
    int n = mark != NULL && strcmp(o->output, "-") != 0
                ? snprintf(path, OUTPUT_PATH, "%.*s%d%s", (int)(mark - o->output), o->output, part,
                           mark + 2)
                : snprintf(path, OUTPUT_PATH, "%s", o->output);
    return n < OUTPUT_PATH - 16 || error_set(err, "the name of the output file is too long");
}

/* Refuses existing files before any work is done. */
static bool check_outputs(const struct options *o, int parts, struct error *err)
{
    char path[OUTPUT_PATH];
    for (int part = 1; part <= parts; part++) {
        if (!part_path(o, part, path, err) || !output_check(path, o->force, err))
            return false;
    }
    return true;
}

/* Writes each part to its file. */
static bool write_parts(const struct options *o, int parts, const struct dataset *d,
                        struct error *err)
{
    size_t count = d->count / (size_t)parts;
    char path[OUTPUT_PATH];
    for (int part = 1; part <= parts; part++) {
        struct positions p = {d->items + (size_t)(part - 1) * count, count, 1};
        if (!part_path(o, part, path, err) || !output_write(path, positions_print, &p, err))
            return false;
    }
    return true;
}

/* Tells the name of each part's file. */
static void tell_outputs(const struct options *o, int parts)
{
    char path[OUTPUT_PATH];
    for (int part = 1; part <= parts; part++)
        if (part_path(o, part, path, NULL))
            command_tell("positions", path);
}

/* ---- the command ---- */

/* Reports what was read and left out. */
static void print_read(const struct sample_report *r)
{
    char games[COUNTED_MAX], duplicates[COUNTED_MAX];
    fprintf(stderr,
            "read %s: %zu broken, %zu filtered out (rating, date, length, result), %zu excluded, "
            "%s, %zu without a position to draw\n",
            format_things((int64_t)r->games, "game", games), r->broken, r->filtered,
            r->excluded_games, format_things((int64_t)r->duplicate_games, "duplicate", duplicates),
            r->without_position);
}

/* Reports what was drawn. */
static void print_drawn(const struct sample_report *r, const struct options *o)
{
    char positions[COUNTED_MAX], games[COUNTED_MAX], rounds[COUNTED_MAX], duplicates[COUNTED_MAX];
    fprintf(stderr, "drew %s from %s with seed %llu, in %s; %s redrawn\n",
            format_things((int64_t)r->drawn, "position", positions),
            format_things((int64_t)r->candidates, "game", games),
            (unsigned long long)o->settings.seed,
            format_things((int64_t)r->rounds, "round", rounds),
            format_things((int64_t)r->duplicate_positions, "duplicate", duplicates));
}

/* Loads positions that are not to be drawn. */
static bool exclude_file(const char *name, struct dataset *exclude, struct error *err)
{
    char path[PATH_SIZE];
    return data_file_find(name, DATA_POSITIONS, path, err) &&
           dataset_load(exclude, path, true, err);
}

/* Loads the excluded positions, and draws. To draw nothing is a failure. */
static bool draw(const struct options *o, const char *const *paths, int path_count,
                 struct dataset *out, struct sample_report *report, struct error *err)
{
    struct dataset exclude = {0};
    int shown = 0;
    bool good = true;
    for (int i = 0; good && i < o->exclude_count; i++)
        good = exclude_file(o->excludes[i], &exclude, err);
    good = good && sample_positions(paths, path_count, &o->settings, &exclude,
                                    positions_name_broken, &shown, out, report, err);
    dataset_free(&exclude);
    if (good || report->games > 0)
        print_read(report);
    return good && (out->count > 0 ||
                    error_set(err, "no position is left to draw, and nothing is written; let in "
                                   "more games"));
}

/* Draws, writes, and tells what was done. */
static int run(const struct options *o, const char *const *paths, int path_count)
{
    struct dataset out = {0};
    struct sample_report report = {0};
    struct error err;
    int parts = o->settings.parts > 1 ? o->settings.parts : 1;
    enum exit_code code = EXIT_BAD;
    bool good = check_outputs(o, parts, &err) && draw(o, paths, path_count, &out, &report, &err);
    if (good) {
        code = EXIT_FAILED;
        good = write_parts(o, parts, &out, &err);
    }
    if (good) {
        print_drawn(&report, o);
        tell_outputs(o, parts);
    }
    dataset_free(&out);
    return good ? EXIT_DONE : command_fail(code, &err);
}

int cmd_sample(int argc, char **argv)
{
    struct options o = {.settings = {.seed = 1, .winner = true}, .output = "-"};
    struct error err;
    bool helped = false;
    o.excludes = calloc((size_t)argc + 1, sizeof *o.excludes);
    if (o.excludes == NULL) {
        error_set(&err, "no memory");
        return command_fail(EXIT_FAILED, &err);
    }
    int code = parse_options(&o, argc, argv, &helped);
    if (code == EXIT_DONE && !helped) {
        const char **paths = o.excludes + o.exclude_count; /* one place for each argument */
        int count = argc - optind;
        for (int i = 0; i < count; i++)
            paths[i] = argv[optind + i];
        code = run(&o, paths, count);
    }
    free(o.excludes);
    return code;
}
