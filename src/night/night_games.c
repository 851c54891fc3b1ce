#include "night_games.h"

#include "paths.h"
#include "sample.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    FIRST_PLY = 16,  /* earlier positions are played from books */
    PER_GAME = 100,  /* most positions from one game */
    ON_AVERAGE = 80, /* training positions from one game: nearly all that it has, */
    MOST = 600000    /* unless a stage has so many */
};

/* ---- files ---- */

bool night_games_makes(const struct night_recipe *night, const struct night_stage *match,
                       enum night_games_file file)
{
    bool wanted = file == NIGHT_PGN;
    for (int i = 0; i < night->stage_count; i++)
        wanted = wanted || night_stage_learns(&night->stages[i], match);
    return match->keeps && wanted;
}

bool night_games_path(const char *night_path, const struct night_stage *match,
                      enum night_games_file file, char path[OUTCOME_PATH], struct error *err)
{
    static const char *const endings[] = {
        [NIGHT_PGN] = ".pgn", [NIGHT_TRAIN] = "-train.epd", [NIGHT_HELD_OUT] = "-held-out.epd"};
    return outcome_path(night_run_named(night_path, match, 0).path, endings[file], path, err);
}

/* ---- games ---- */

/* Writes the games of a stage, whose path is the context. */
static bool write_games(FILE *out, const void *path, struct error *err)
{
    const char *text;
    struct store *s = store_open(path, STORE_READ, err);
    if (s == NULL)
        return false;
    struct store_rows r = store_match_pgn(s);
    while (store_next(&r, "t", &text))
        fputs(text, out);
    const bool written = store_end(&r, err);
    store_close(s);
    return written;
}

bool night_games_write(const char *night_path, const struct night_stage *match, struct error *err)
{
    char path[OUTCOME_PATH];
    const struct night_run run = night_run_named(night_path, match, 0);
    return night_games_path(night_path, match, NIGHT_PGN, path, err) &&
           outcome_write(run.path, path, write_games, run.path, err);
}

/* ---- positions ---- */

static bool write_positions(FILE *out, const void *positions, struct error *err)
{
    const struct dataset *d = positions;
    (void)err;
    epd_print(out, d->items, d->count, 1);
    return true;
}

/* Draws positions with results from games of one side and writes them to a file of the match: one position of
 * each that is held out, of the others `average`. None are those of `exclude`. */
static bool draw(const char *night_path, const struct night_stage *match, uint64_t seed,
                 enum sample_side side, int average, const struct dataset *exclude,
                 struct dataset *out, struct error *err)
{
    char pgn[OUTCOME_PATH], path[OUTCOME_PATH];
    const bool apart = side == SAMPLE_APART;
    struct sample_report report;
    const struct game_list_watcher nobody = {0};
    const struct sample_settings settings = {.side = side,
                                             .average = average,
                                             .fewer = true,
                                             .per_game = apart ? 1 : PER_GAME,
                                             .seed = seed,
                                             .first_ply = FIRST_PLY,
                                             .results = true};
    return night_games_path(night_path, match, NIGHT_PGN, pgn, err) &&
           night_games_path(night_path, match, apart ? NIGHT_HELD_OUT : NIGHT_TRAIN, path, err) &&
           sample_positions((const char *const[]){pgn}, 1, &settings, exclude, &nobody, out,
                            &report, err) &&
           outcome_write(night_path, path, write_positions, out, err);
}

/* Counts the games of a stage. False if they are too few: its time may have ended it. */
static bool count_games(const char *night_path, const struct night_stage *match, int64_t *games,
                        struct error *err)
{
    const struct night_run run = night_run_named(night_path, match, 0);
    struct store *s = store_open(run.path, STORE_READ, err);
    *games = s == NULL ? -1 : store_count_match_pgn(s);
    store_close(s);
    return *games >= NIGHT_FEWEST_GAMES ||
           (*games >= 0 &&
            error_set(err, "%s has %" PRId64 " games; %d or more are needed to learn from",
                      match->name, *games, NIGHT_FEWEST_GAMES));
}

/* Draws the positions of both files, of different games, and counts those to train on. */
static bool draw_files(const char *night_path, const struct night_stage *match, uint64_t seed,
                       size_t *count, struct error *err)
{
    struct dataset held_out = {0}, train = {0};
    int64_t games;
    if (!count_games(night_path, match, &games, err))
        return false;
    const int average = games > MOST / ON_AVERAGE ? (int)(MOST / games) : ON_AVERAGE;
    const bool drawn =
        (draw(night_path, match, seed, SAMPLE_APART, 0, NULL, &held_out, err) &&
         draw(night_path, match, seed, SAMPLE_REST, average, &held_out, &train, err)) ||
        error_prefix(err, "positions of %s: ", match->name);
    *count = train.count;
    dataset_free(&held_out);
    dataset_free(&train);
    return drawn;
}

/* Adds a file of the match to the files of a recipe, whose paths are absolute. */
static bool add_file(const char *night_path, const struct night_stage *match,
                     enum night_games_file which, char files[][RECIPE_PATH], int *count,
                     struct error *err)
{
    char directory[PATH_SIZE], path[OUTCOME_PATH];
    if (!night_games_path(night_path, match, which, path, err) ||
        !path_directory(path, directory, err))
        return false;
    return path_absolute(directory, path_name(path), files[(*count)++], err);
}

bool night_games_draw(const char *night_path, const struct night_recipe *night,
                      const struct night_stage *learner, struct recipe *recipe, struct error *err)
{
    if (learner->result_count == 0)
        return true;
    size_t count = 0;
    const bool tests = recipe->held_out_count == 0;
    for (int i = 0; i < learner->result_count; i++) {
        const struct night_stage *match = night_stage_find(night, learner->results[i]);
        size_t drawn;
        if (!night_games_write(night_path, match, err) ||
            !draw_files(night_path, match, night->seed, &drawn, err) ||
            !add_file(night_path, match, NIGHT_TRAIN, recipe->train, &recipe->train_count, err) ||
            (tests && !add_file(night_path, match, NIGHT_HELD_OUT, recipe->held_out,
                                &recipe->held_out_count, err)))
            return false;
        count += drawn;
    }
    if ((size_t)recipe->batch > count)
        recipe->batch = 0; /* matches cut by their time give fewer positions: all of them */
    return true;
}
