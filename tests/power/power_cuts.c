/* Cuts the power at every moment of short runs, and resumes each. Speaks TAP.
 *
 *     power_cuts SOURCE [--stride N] [--seed N] [--only PHASE|lies]
 *
 * For each phase a short run is recorded from its creation to its end (torn_disk.h), and so is the
 * resumption of one that was cut in the middle. After every event of these the folder is made as a
 * cut then may leave it, in four ways. For each folder that has not been seen before,
 *
 *     1. the run is there if it was published, readable, with all generations that were promised,
 *        and its pages have their checksums;
 *     2. it resumes (if it is not there, it begins) and ends as the recorded one did, to the bit;
 *     3. the file is sound then, and its pages have their checksums.
 *
 * --stride takes every Nth of these folders. The last checks are of the test: it must find syncs
 * that do nothing. */
#include "night.h"
#include "store.h"
#include "torn_disk.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CRASHED "it crashed or hung"

enum {
    PATH = 256,
    SEEN = 1 << 20, /* places for hashes of folders */
    CHILD_SECONDS = 60,
    MIDDLE_CUTS = 2, /* of a run, whose resumptions are recorded */
    ENOUGH = 10,     /* bad folders, and no more are tried */
    LIE_STRIDE = 3,
};

static const char tiny_moves[] = "name: m\ndata: {train: [train-1.epd], held_out: [train-1.epd]}\n"
                                 "ga: {population: 5, generations: 3}\n";
static const char tiny_nodes[] = "name: n\nphase: search\n"
                                 "data: {train: [train-1.epd], split: halves}\n"
                                 "fitness: {limit: 100, hash: 1}\n"
                                 "ga: {population: 3, generations: 2}\n";
static const char tiny_games[] = "name: c\nphase: coevolution\ndata: {openings: openings.epd}\n"
                                 "fitness: {limit: 30}\nga: {population: 3, generations: 2}\n";
static const char tiny_night[] =
    "name: night\nphase: night\nseed: 7\nhours: 1000\nset: {ga: {population: 3, generations: 1}}\n"
    "stages:\n  evolve: {recipe: moves.yaml}\n  coevolve: {recipe: coevolution.yaml, seeds: evolve}\n"
    "  search: {recipe: nodes.yaml, evaluation: coevolve}\n"
    "  match: {games: 4, limit: 30, openings: openings.epd, players: {a: {evaluation: coevolve, "
    "search: search}, b: {evaluation: random, search: random}}}\n";

static const struct {
    const char *name, *recipe;
} phases[] = {{"moves", tiny_moves},
              {"nodes", tiny_nodes},
              {"coevolution", tiny_games},
              {"night", tiny_night}};
enum { PHASES = sizeof phases / sizeof phases[0], NIGHT = PHASES - 1 };

/* The rows that do not come from the clock. */
static const char *const rows[] = {
    "SELECT * FROM run ORDER BY 1",
    "SELECT * FROM property WHERE key IN ('recipe', 'name', 'seed', 'generations', 'fitness', "
    "'measure', 'train_size', 'held_out_size', 'kind', 'night') OR key GLOB '*.ended' ORDER BY 1, 2",
    "SELECT run_id, idx, role, sha256 FROM data ORDER BY 1, 2",
    "SELECT * FROM gene ORDER BY 1, 2",
    "SELECT * FROM seed ORDER BY 1, 2",
    "SELECT * FROM genome ORDER BY 1, 2",
    "SELECT * FROM organism ORDER BY 1, 2, 3",
    "SELECT * FROM game ORDER BY 1, 2, 3",
    "SELECT run_id, idx, best, measure, held_out, mean, deviation, diversity FROM generation "
    "ORDER BY 1, 2",
    "SELECT * FROM match_player ORDER BY 1, 2",
    "SELECT * FROM match_pairing ORDER BY 1, 2",
    "SELECT * FROM match_game ORDER BY 1, 2, 3",
};

/* What the whole test knows. */
static struct {
    char folder[PATH];                        /* recipes and data, */
    char run[PATH], look[PATH], resume[PATH]; /* with three folders in it */
    int stride;
    uint64_t seed;
    char reason[PATH * 4]; /* why a cut is bad */
    int checks, failed;
    int64_t generations; /* that the run has which is recorded */
} test;

static void check(const char *what, bool good, const char *note)
{
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++test.checks, what);
    if (note[0] != '\0')
        printf("# %s\n", note);
    fflush(stdout);
    test.failed += !good;
}

/* -- time flies, so that a short run has as many checkpoints as a long one */

double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
    static double now;
    return now += 0.3;
}

/* -- running */

static void begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next)
{
    (void)context, (void)recipe, (void)fitness, (void)next;
    torn_disk_promise(test.generations);
}

static bool kept(void *context, const struct generation_row *row, int generations)
{
    (void)context, (void)row, (void)generations;
    torn_disk_promise(++test.generations);
    return true;
}

static struct run_observer observer = {.begun = begun, .generation = kept};

static enum run_end evolve(int phase, const char *path, struct error *err)
{
    char recipe_path[2 * PATH];
    enum run_end end = RUN_REFUSED;
    snprintf(recipe_path, sizeof recipe_path, "%s/%s.yaml", test.folder, phases[phase].name);
    if (phase == NIGHT) {
        struct night_recipe night;
        const struct night_observer quiet = {.each = &observer, .stop = observer.stop};
        if (night_recipe_read(recipe_path, NULL, 0, &night, err)) {
            end = night_evolve(&night, path, false, 0, 1, &quiet, err);
            night_recipe_free(&night);
        }
        return end;
    }
    struct recipe *recipe = malloc(sizeof *recipe);
    if (recipe != NULL && recipe_read(recipe_path, NULL, 0, recipe, err))
        end = run_evolve(recipe, path, false, 1, &observer, err);
    free(recipe);
    return end;
}

/* Goes on with what is in a folder, or begins it. True if it has reached its end. */
static bool finish(int phase, const char *folder, struct error *err)
{
    char path[2 * PATH];
    const struct night_request rest = {.seconds = 0};
    const struct night_observer quiet = {.each = &observer, .stop = observer.stop};
    snprintf(path, sizeof path, "%s/run.db", folder);
    if (access(path, F_OK) != 0)
        return evolve(phase, path, err) == RUN_COMPLETE;
    return (phase == NIGHT ? night_resume(path, &rest, 1, &quiet, err)
                           : run_resume(path, 0, 1, &observer, err)) == RUN_COMPLETE;
}

/* -- looking at a run */

/* The sum of all rows, and how many generations there are. False if they cannot be read. */
static bool sum_rows(const char *folder, uint64_t *sum, int64_t *generations)
{
    char path[2 * PATH];
    sqlite3 *db = NULL;
    bool good = true;
    snprintf(path, sizeof path, "%s/run.db", folder);
    *sum = 0xcbf29ce484222325u;
    *generations = 0;
    good = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    for (size_t i = 0; good && i < sizeof rows / sizeof rows[0]; i++) {
        sqlite3_stmt *st = NULL;
        int status = sqlite3_prepare_v2(db, rows[i], -1, &st, NULL);
        while (status == SQLITE_OK && (status = sqlite3_step(st)) == SQLITE_ROW) {
            status = SQLITE_OK;
            *generations += strstr(rows[i], "FROM generation") != NULL;
            for (int c = 0; c < sqlite3_column_count(st); c++) {
                const unsigned char *bytes = sqlite3_column_blob(st, c);
                for (int b = sqlite3_column_bytes(st, c); b > 0; b--)
                    *sum = (*sum ^ *bytes++) * 0x100000001b3u;
                *sum = (*sum ^ (uint64_t)sqlite3_column_type(st, c)) * 0x100000001b3u;
            }
        }
        good = status == SQLITE_DONE;
        sqlite3_finalize(st);
    }
    sqlite3_close(db);
    return good;
}

/* 1: what a reader finds after the cut, in a folder that is not resumed. */
static bool has_what_was_promised(int64_t promised, struct error *err)
{
    char path[2 * PATH];
    struct store_check found;
    uint64_t sum;
    int64_t generations;
    snprintf(path, sizeof path, "%s/run.db", test.look);
    if (access(path, F_OK) != 0)
        return promised < 0 || error_set(err, "the run is gone");
    if (!store_check(path, &found, err))
        return false;
    if (found.broken)
        return error_set(err, "its checksums cannot be compared");
    if (!sum_rows(test.look, &sum, &generations))
        return error_set(err, "rows cannot be read");
    return generations >= promised ||
           error_set(err, "%" PRId64 " generations were promised, %" PRId64 " are left", promised,
                     generations);
}

/* 2 and 3 */
static bool ends_the_same(int phase, uint64_t expected, struct error *err)
{
    char path[2 * PATH];
    struct store_check found;
    uint64_t sum;
    int64_t generations;
    snprintf(path, sizeof path, "%s/run.db", test.resume);
    if (!finish(phase, test.resume, err) || !store_check(path, &found, err))
        return false;
    if (found.broken)
        return error_set(err, "the finished file has no checksums");
    if (!sum_rows(test.resume, &sum, &generations))
        return error_set(err, "rows of the finished run cannot be read");
    return sum == expected || error_set(err, "another run came out");
}

/* All of it in a process of its own, which may crash or hang. No thread is at work when it is forked: those of a run
 * have ended. */
static bool survives(int phase, int64_t promised, uint64_t expected)
{
    struct error err = {""};
    int ends[2], status = -1;
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        const bool good =
            has_what_was_promised(promised, &err) && ends_the_same(phase, expected, &err);
        dprintf(ends[1], "%s\n", err.text);
        _exit(!good);
    }
    close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    if (said == NULL || fgets(test.reason, sizeof test.reason, said) == NULL)
        strcpy(test.reason, CRASHED);
    test.reason[strcspn(test.reason, "\n")] = '\0';
    if (said != NULL)
        fclose(said);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* -- cutting */

/* True if a hash is new. A power of two is enough for all images, by far. */
static bool is_new(uint64_t *seen, uint64_t hash)
{
    size_t at = hash % SEEN;
    hash += hash == 0;
    while (seen[at] != 0 && seen[at] != hash)
        at = (at + 1) % SEEN;
    bool new = seen[at] == 0;
    seen[at] = hash;
    return new;
}

struct cuts {
    size_t images, tried, bad;
    char first[PATH * 2]; /* why the first bad one is */
};

static void try_image(int phase, const struct torn_image *image, enum torn_keep keep,
                      uint64_t expected, struct cuts *cuts)
{
    static const char *const names[] = {"nothing", "everything", "some", "all but a torn write"};
    torn_image_write(image, test.look);
    torn_image_write(image, test.resume);
    cuts->tried++;
    if (survives(phase, torn_disk_promised(), expected))
        return;
    if (cuts->bad++ == 0)
        snprintf(cuts->first, sizeof cuts->first,
                 "after event %zu, %s of what was not synced left: %.300s", torn_disk_moment(),
                 names[keep], test.reason);
}

/* Cuts what was recorded at every moment, and tries every `stride`th of the folders. Stops after
 * `enough` that are bad. */
static struct cuts cut_all(int phase, uint64_t expected, int stride, size_t enough)
{
    struct cuts cuts = {.images = 0};
    uint64_t *seen = calloc(SEEN, sizeof *seen);
    torn_disk_rewind();
    do
        for (enum torn_keep keep = TORN_NONE; keep < TORN_KEEPS; keep++) {
            struct torn_image image = torn_disk_cut(keep, test.seed);
            if (is_new(seen, torn_image_hash(&image) ^ (uint64_t)torn_disk_promised() << 32) &&
                cuts.images++ % (size_t)stride == 0)
                try_image(phase, &image, keep, expected, &cuts);
            torn_image_free(&image);
        }
    while (cuts.bad < enough && torn_disk_next());
    free(seen);
    return cuts;
}

/* -- recording */

/* Records what leads from an image, which may be empty, to the end. */
static bool record(int phase, const struct torn_image *from, enum torn_lie lie, uint64_t *sum,
                   struct error *err)
{
    int64_t generations;
    torn_image_write(from, test.run);
    torn_image_write(from, test.look);
    bool begun_before = sum_rows(test.look, sum, &test.generations);
    torn_disk_record(test.run, lie);
    if (begun_before)
        torn_disk_promise(test.generations);
    bool ended = finish(phase, test.run, err);
    torn_disk_stop();
    return ended && sum_rows(test.run, sum, &generations);
}

/* -- the checks */

static void check_cuts(const char *name, const char *what, const struct cuts *cuts)
{
    char text[PATH], note[4 * PATH];
    snprintf(text, sizeof text, "%s, %s: every cut ends in the same run", name, what);
    snprintf(note, sizeof note, "%zu events, %zu different folders, %zu resumed, %zu bad%s%s",
             torn_disk_events(), cuts->images, cuts->tried, cuts->bad, cuts->bad > 0 ? ": " : "",
             cuts->first);
    check(text, cuts->bad == 0 && cuts->tried > 0, note);
}

/* A run from its beginning, and its resumption after some cuts of this. */
static void check_phase(int phase)
{
    static const struct torn_image nothing;
    struct torn_image middle[MIDDLE_CUTS];
    struct error err = {""};
    uint64_t whole, again;
    const char *name = phases[phase].name;
    if (!record(phase, &nothing, LIE_NOT, &whole, &err)) {
        check(name, false, err.text);
        return;
    }
    struct cuts cuts = cut_all(phase, whole, test.stride, ENOUGH);
    check_cuts(name, "from its beginning", &cuts);
    torn_disk_rewind();
    for (size_t i = 0; i < MIDDLE_CUTS; i++) {
        while (torn_disk_moment() < torn_disk_events() * (i + 1) / (MIDDLE_CUTS + 1))
            torn_disk_next();
        middle[i] = torn_disk_cut(TORN_ALL, test.seed);
    }
    for (size_t i = 0; i < MIDDLE_CUTS; i++) {
        if (record(phase, &middle[i], LIE_NOT, &again, &err)) {
            cuts = cut_all(phase, whole, test.stride, ENOUGH);
            check_cuts(name, "resumed after a cut", &cuts);
        } else
            check(name, false, err.text);
        torn_image_free(&middle[i]);
    }
}

/* The test of the test: syncs that do nothing are found. */
static void check_lies(void)
{
    static const struct torn_image nothing;
    static const struct {
        enum torn_lie lie;
        const char *what;
    } lies[] = {{LIE_WAL, "a WAL that is not synced is found"},
                {LIE_DATABASE, "a database that is not synced is found"},
                {LIE_NAMES, "a folder that is not synced is found"},
                {LIE_ALL, "no sync at all is found"}};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct error err = {""};
        struct cuts cuts = {.bad = 0};
        uint64_t sum;
        if (record(0, &nothing, lies[i].lie, &sum, &err))
            cuts = cut_all(0, sum, LIE_STRIDE, 1);
        check(lies[i].what, cuts.bad > 0 && strcmp(cuts.first, CRASHED) != 0, cuts.first);
    }
}

/* -- the program */

/* Writes the first lines of a file of the project. */
static bool copy_lines(const char *source, const char *name, int lines)
{
    char path[2 * PATH], line[1024];
    snprintf(path, sizeof path, "%s/data/%s", source, name);
    FILE *in = fopen(path, "r");
    snprintf(path, sizeof path, "%s/%s", test.folder, name);
    FILE *out = fopen(path, "w");
    bool good = in != NULL && out != NULL;
    while (good && lines-- > 0 && fgets(line, sizeof line, in) != NULL)
        good = fputs(line, out) >= 0;
    if (in != NULL)
        fclose(in);
    return out != NULL && fclose(out) == 0 && good;
}

/* Makes a folder in memory with the recipes, their data, and room for runs. */
static bool prepare(const char *source)
{
    snprintf(test.folder, sizeof test.folder, "%s/grayling-power-XXXXXX",
             access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp");
    bool good = mkdtemp(test.folder) != NULL;
    snprintf(test.run, PATH, "%.200s/run", test.folder);
    snprintf(test.look, PATH, "%.200s/look", test.folder);
    snprintf(test.resume, PATH, "%.200s/resume", test.folder);
    good = good && mkdir(test.run, 0700) == 0 && mkdir(test.look, 0700) == 0 &&
           mkdir(test.resume, 0700) == 0 && copy_lines(source, "train-1.epd", 12) &&
           copy_lines(source, "openings.epd", 40);
    for (int i = 0; good && i < PHASES; i++) {
        char path[2 * PATH];
        snprintf(path, sizeof path, "%s/%s.yaml", test.folder, phases[i].name);
        FILE *out = fopen(path, "w");
        good = out != NULL && fputs(phases[i].recipe, out) >= 0 && fclose(out) == 0;
    }
    return good;
}

static void clean(void)
{
    char command[2 * PATH];
    snprintf(command, sizeof command, "rm -rf '%s'", test.folder);
    if (system(command) != 0)
        fprintf(stderr, "power_cuts: cannot remove %s\n", test.folder);
}

int main(int count, char **words)
{
    const char *only = NULL;
    test.stride = 1;
    for (int i = 2; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--stride") == 0)
            test.stride = atoi(words[i + 1]);
        else if (strcmp(words[i], "--seed") == 0)
            test.seed = strtoull(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--only") == 0)
            only = words[i + 1];
    }
    if (count < 2 || test.stride < 1 || !prepare(words[1])) {
        fputs("usage: power_cuts SOURCE [--stride N] [--seed N] [--only PHASE]\n", stderr);
        return 2;
    }
    for (int i = 0; i < PHASES; i++)
        if (only == NULL || strcmp(only, phases[i].name) == 0)
            check_phase(i);
    if (only == NULL || strcmp(only, "lies") == 0)
        check_lies();
    printf("1..%d\n", test.checks);
    clean();
    return test.failed > 0;
}
