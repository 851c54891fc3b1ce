#include "command.h"

#include "positions.h"
#include "sample.h"

enum { PARTS_LIMIT = 1000 };

struct options {
    struct sample_settings settings;
    const char *output, *from, *to;
    struct word_list excludes;
    int side; /* enum side */
    bool force;
};

/* Reads YYYY[-MM[-DD]], or NULL, as yyyymmdd; missing parts are filled so that the bound includes the whole month or
 * year. */
static bool parse_date(const char *option, const char *text, bool last, int *date,
                       struct error *err)
{
    if (text == NULL)
        return true;
    int year, month = last ? 99 : 0, day = last ? 99 : 0;
    const size_t length = strlen(text);
    bool good = length == 4 || length == 7 || length == 10;
    for (size_t i = 0; good && i < length; i++)
        good = i == 4 || i == 7 ? text[i] == '-' : text[i] >= '0' && text[i] <= '9';
    if (!good || sscanf(text, "%4d-%2d-%2d", &year, &month, &day) < 1 ||
        (length > 4 && (month < 1 || month > 12)) || (length > 7 && (day < 1 || day > 31)))
        return error_set(err, "%s takes YYYY, YYYY-MM or YYYY-MM-DD, not '%s'", option, text);
    *date = year * 10000 + month * 100 + day;
    return true;
}

/* Whose move a position has. */
enum side { SIDE_USUAL, SIDE_WINNER, SIDE_EITHER };

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row option_rows[] = {
    {"output", "FILE", AS_TEXT, AT(output), "output (standard output), %d: its part; overwrite",
     .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force)},
    {"count", "N", AS_NUMBER, AT(settings.count), "positions a part (all); disjoint parts (1)", 1,
     INT32_MAX},
    {"parts", "N", AS_NUMBER, AT(settings.parts), NULL, 1, PARTS_LIMIT},
    {"skip", "N", AS_NUMBER, AT(settings.skip), "skip the first N (0); most from one game (1)", 0,
     INT32_MAX},
    {"per-game", "N", AS_NUMBER, AT(settings.per_game), NULL, 1, 1000},
    {"min-elo", "E", AS_NUMBER, AT(settings.filter.min_elo),
     "only games of such players, of such a length", 0, 9999},
    {"min-plies", "N", AS_NUMBER, AT(settings.filter.min_plies), NULL, 0, 99999},
    {"from", "DATE", AS_TEXT, AT(from), "only games of these days: YYYY-MM-DD or less"},
    {"to", "DATE", AS_TEXT, AT(to)},
    {"player", "NAME", AS_TEXT, AT(settings.player),
     "only moves of this player; its beginning will do"},
    {"winner", NULL, AS_VALUE, AT(side),
     "the winner to move, in decisive games (default); either side; that, with c9 and ce",
     SIDE_WINNER},
    {"either", NULL, AS_VALUE, AT(side), NULL, SIDE_EITHER},
    {"results", NULL, AS_FLAG, AT(settings.results)},
    {"quiet", NULL, AS_FLAG, AT(settings.quiet),
     "no check, and no capture or queen promotion to consider"},
    {"first-ply", "N", AS_NUMBER, AT(settings.first_ply), "of a game, counted from 0", 0, 99999},
    {"last-ply", "N", AS_NUMBER, AT(settings.last_ply), NULL, 1, 99999},
    {"exclude", "FILE.epd", AS_LIST, AT(excludes),
     "no positions and games of this EPD file; repeatable"},
    {"seed", "S", AS_NUMBER, AT(settings.seed), "seed of the draw (1)", 0, INT64_MAX},
    {"keep-damaged", NULL, AS_FLAG, AT(settings.filter.keep_damaged),
     "use what can be read of a damaged file"},
    {0}};

static const struct command cmd = {
    "sample",
    "usage: grayling sample GAMES... [-o POS.epd] [OPTIONS]\n\n"
    "Draws one position from each decisive game, with the winner to move, and writes\n"
    "it as EPD with the move played as bm. GAMES are PGN, plain or compressed; - is\n"
    "standard input.\n",
    option_rows,
    "example: five draws up to 2018\n"
    "  grayling sample games.pgn.gz --to 2018 --parts 5 --count 5000 -o 't-%d.epd'\n",
    {"GAMES", "games", 1, OPERANDS_ANY}};

/* Loads the excluded positions, and draws. To draw nothing is a failure. */
static bool draw(const struct options *o, const char *const *paths, int path_count,
                 struct dataset *out, struct sample_report *report, struct error *err)
{
    struct dataset exclude = {0};
    char path[PATH_SIZE];
    struct positions_view view = {0};
    const struct game_list_watcher watcher = positions_watcher(&view);
    bool good = true;
    for (int i = 0; good && i < o->excludes.count; i++)
        good = data_file_find(o->excludes.items[i], DATA_POSITIONS, path, err) &&
               dataset_load(&exclude, path, EPD_ANY, err);
    good = good &&
           sample_positions(paths, path_count, &o->settings, &exclude, &watcher, out, report, err);
    dataset_free(&exclude);
    if (good || report->read.games > 0) {
        positions_tell_read(&report->read);
        fprintf(stderr, "%zu excluded, %zu without a position to draw\n", report->excluded_games,
                report->without_position);
    }
    return good && (out->count > 0 ||
                    error_set(err, "no position is left to draw, and nothing is written; let in "
                                   "more games"));
}

/* Tells what was drawn, and writes each part to its file. Returns the exit code. */
static int write_parts(const struct options *o, const struct dataset *d,
                       const struct sample_report *r)
{
    struct error err;
    char path[OUTPUT_PATH], positions[COUNTED_MAX], games[COUNTED_MAX], rounds[COUNTED_MAX],
        duplicates[COUNTED_MAX];
    const int parts = o->settings.parts;
    const size_t count = d->count / (size_t)parts;
    int code = EXIT_DONE;
    fprintf(stderr, "drew %s from %s with seed %llu, in %s; %s redrawn\n",
            format_things((int64_t)r->drawn, "position", positions),
            format_things((int64_t)r->candidates, "game", games),
            (unsigned long long)o->settings.seed,
            format_things((int64_t)r->rounds, "round", rounds),
            format_things((int64_t)r->duplicate_positions, "duplicate", duplicates));
    for (int part = 0; code == EXIT_DONE && part < parts; part++) {
        struct positions p = {d->items + (size_t)part * count, count, 1, NULL, NULL};
        const char *output = command_numbered(o->output, part + 1, path);
        code = command_wrote(output_write(output, positions_print, &p, &err), "positions", output,
                             &err);
    }
    return code;
}

int cmd_sample(int argc, char **argv)
{
    struct options o = {.settings = {.seed = 1, .parts = 1}, .output = "-"};
    struct sample_settings *s = &o.settings;
    struct dataset out = {0};
    struct sample_report report = {0};
    struct error err;
    char path[OUTPUT_PATH];
    int code = options_read(&cmd, &argc, &argv, &o);
    if (code != OPTIONS_READ)
        return code;
    if (!parse_date("--from", o.from, false, &s->filter.from_date, &err) ||
        !parse_date("--to", o.to, true, &s->filter.to_date, &err))
        return command_misuse("sample", "%s", err.text);
    s->winner = o.side == SIDE_WINNER || (o.side == SIDE_USUAL && !s->results);
    if (s->parts > 1 && s->count == 0)
        return command_misuse("sample", "--parts needs --count: how many positions in each");
    if (s->parts > 1 && strstr(o.output, "%d") == NULL)
        return command_misuse("sample", "--parts needs an output file with %%d in its name");
    if (s->player != NULL && s->player[0] == '\0')
        return command_misuse("sample", "--player takes a name");
    if (s->last_ply > 0 && s->last_ply < s->first_ply)
        return command_misuse("sample", "--last-ply is before --first-ply");
    if (s->filter.to_date > 0 && s->filter.to_date < s->filter.from_date)
        return command_misuse("sample", "--to is before --from");
    bool good = true;
    for (int part = 1; good && part <= s->parts; part++)
        good = output_check(command_numbered(o.output, part, path), o.force, &err);
    good = good && draw(&o, (const char *const *)argv, argc, &out, &report, &err);
    code = good ? write_parts(&o, &out, &report) : command_fail(EXIT_BAD, &err);
    dataset_free(&out);
    return code;
}
