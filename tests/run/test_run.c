/* The run: the same to the bit however it is cut and shared out; its replay finds every change. */
#define _GNU_SOURCE /* unshare */
#include "run_work.h"

#include "checksum.h"
#include "database.h"
#include "many_genes.h"
#include "one_max.h"
#include "run_summary.h"
#include "scratch.h"
#include "space.h"

#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

enum { POPULATION = 20, GENERATIONS = 30 };

static struct error err;
static const char *run; /* its run */
static const struct run_observer nobody = {0};

static void begin(void)
{
    scratch_begin();
    run = scratch_path("run.db");
}

TestSuite(run, .init = begin, .fini = scratch_end);

static const char recipe_words[] = "name: ones\n";

/* -- running */

static void create(const char *path, const struct recipe *recipe)
{
    struct one_max m = one_max_make(1, false);
    MUST(run_create_store(path, false, recipe, recipe_words, &m.base, NULL, &err));
}

/* Goes on with the run at `path` until it ends or is stopped. */
static enum run_end go_on(const char *path, struct one_max *m, const struct recipe *recipe,
                          const struct run_observer *observer)
{
    struct store *s = store_open(path, STORE_WRITE, &err);
    if (s == NULL)
        return RUN_REFUSED;
    enum run_end end = run_loop(&m->base, recipe, s, false, NULL, observer, &err);
    store_close(s);
    return end;
}

/* The same with nobody looking on, which must reach the last generation. */
static void finish(const char *path, const struct recipe *recipe, int threads, bool tells)
{
    struct one_max m = one_max_make(threads, tells);
    cr_assert_eq(go_on(path, &m, recipe, &nobody), RUN_COMPLETE, "%s", err.text);
}

static enum run_end replay_by(const char *path, struct one_max *m, const struct recipe *recipe,
                              int sample, struct run_verified *verified)
{
    struct store *s = store_open(path, STORE_READ, &err);
    MUST(s);
    enum run_end end = run_replay(&m->base, recipe, s, sample, &nobody, verified, &err);
    store_close(s);
    return end;
}

static enum run_end replay(const char *path, const struct recipe *recipe, int sample,
                           struct run_verified *verified)
{
    struct one_max m = one_max_make(2, false);
    return replay_by(path, &m, recipe, sample, verified);
}

/* A run from beginning to end that others are compared with. */
static const char *make_whole(const struct recipe *recipe)
{
    const char *path = scratch_path("whole.db");
    unlink(path);
    create(path, recipe);
    finish(path, recipe, 1, false);
    return path;
}

/* -- looking into files */

/* How many rows of `columns` in `table` one file has and the other has not. */
static int64_t differences(const char *a, const char *b, const char *table, const char *columns)
{
    sqlite3 *db = open_database(a);
    cr_assert_eq(sqlite3_exec(db, text_of("ATTACH '%s' AS other", b), NULL, NULL, NULL), SQLITE_OK);
    int64_t count = number_in(
        db,
        text_of("SELECT count(*) FROM (SELECT %s FROM main.%s EXCEPT SELECT %s FROM other.%s "
                "UNION ALL SELECT * FROM (SELECT %s FROM other.%s EXCEPT SELECT %s FROM main.%s))",
                columns, table, columns, table, columns, table, columns, table));
    sqlite3_close(db);
    return count;
}

/* All genomes, organisms and generations must be equal, but for the clock's columns. */
static void expect_same(const char *a, const char *b, const char *what)
{
    cr_assert_eq(differences(a, b, "genome", "*"), 0, "genomes: %s", what);
    cr_assert_eq(differences(a, b, "organism", "*"), 0, "organisms: %s", what);
    cr_assert_eq(
        differences(a, b, "generation", "idx, best, measure, held_out, mean, deviation, diversity"),
        0, "generations: %s", what);
}

/* -- the loop */

/* The rows say what the population is. */
Test(run, goes_to_the_last_generation_and_measures_no_genome_twice)
{
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    struct one_max m = one_max_make(1, false);
    recipe.optimiser.variation.mutation_rate = 0.001; /* many children are copies */
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(number(run, "SELECT count(*) FROM generation"), GENERATIONS + 1);
    cr_assert_eq(number(run, "SELECT count(*) FROM organism"), POPULATION * (GENERATIONS + 1));
    cr_assert_eq(number(run, "SELECT count(DISTINCT chromosome) FROM genome"), m.measured);
    cr_assert_eq(number(run, "SELECT count(*) FROM genome"), m.measured);
    cr_assert_lt(m.measured, POPULATION * (GENERATIONS + 1) * 3 / 4);
    cr_assert_eq(number(run, "SELECT count(DISTINCT genome) FROM generation JOIN organism o ON "
                             "o.generation = generation.idx AND o.idx = best"),
                 m.held_out);
    cr_assert_eq(number(run, "SELECT count(*) FROM organism JOIN genome ON genome.id = genome "
                             "WHERE fitness != measure * measure"),
                 0);
    cr_assert_eq(number(run, "SELECT count(*) FROM generation g JOIN (SELECT generation, "
                             "avg(measure) AS a, avg(measure * measure) AS squares, max(measure) "
                             "AS most FROM organism JOIN genome ON genome.id = genome GROUP BY 1) "
                             "ON generation = g.idx WHERE abs(mean - a) <= 1e-9 AND measure = most "
                             "AND abs(deviation * deviation + mean * mean - squares) <= 1e-9"),
                 GENERATIONS + 1);
    cr_assert_gt(number(run, "SELECT measure FROM generation WHERE idx = 30"),
                 number(run, "SELECT measure FROM generation WHERE idx = 0"));
}

Test(run, is_the_same_with_any_number_of_threads_told_of_each_organism_or_not)
{
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    const char *entire = make_whole(&recipe);
    for (int threads = 1; threads <= 3; threads++)
        for (int tells = 0; tells < 2; tells++) {
            create(run, &recipe);
            finish(run, &recipe, threads, tells);
            expect_same(entire, run, "threads and tellings");
            unlink(run);
        }
}

static bool stop_after(void *context, const struct generation_row *row, int generations)
{
    (void)generations;
    return row->generation < *(const int *)context;
}

/* Nothing of an optimiser is stored but fitness, and the run still goes on and verifies. */
Test(run, is_the_same_stopped_after_any_generation_and_resumed_with_every_optimiser)
{
    for (int kind = 0; kind < OPTIMISERS; kind++) {
        struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
        recipe.optimiser.kind = (enum optimiser_kind)kind;
        const char *entire = make_whole(&recipe);
        create(run, &recipe);
        for (int g = 0; g < GENERATIONS; g += kind == OPTIMISER_GENETIC ? 1 : 9) {
            struct run_observer observer = {.context = &g, .generation = stop_after};
            struct one_max m = one_max_make(1, false);
            cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED, "%s", err.text);
            cr_assert_eq(number(run, "SELECT max(idx) FROM generation"), g);
        }
        finish(run, &recipe, 2, true);
        expect_same(entire, run, optimiser_method_of(recipe.optimiser.kind)->name);
        struct run_verified verified;
        cr_assert_eq(replay(run, &recipe, 0, &verified), RUN_COMPLETE, "%s", err.text);
        cr_assert_eq(verified.organisms, POPULATION * (GENERATIONS + 1));
        unlink(run);
        unlink(entire);
    }
}

/* A resumed run takes its optimiser through all generations, which must be those of the store. */
Test(run, refuses_to_go_on_from_a_population_that_does_not_follow)
{
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    struct one_max m = one_max_make(1, false);
    const char *path = make_whole(&recipe);
    recipe.generations++;
    recipe.optimiser.kind = OPTIMISER_PARTICLE_SWARM;
    cr_assert_eq(go_on(path, &m, &recipe, &nobody), RUN_REFUSED);
    SAID("generation 1, organism 0: the stored chromosome does not follow from the "
         "generation before");
}

/* What is known of the abandoned generation is kept: nothing but the best, at each start, is
 * measured twice. */
Test(run, is_the_same_stopped_inside_a_generation_and_resumed)
{
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    const char *entire = make_whole(&recipe);
    create(run, &recipe);
    int64_t measured = 0, starts = 0;
    enum run_end end = RUN_STOPPED;
    while (end == RUN_STOPPED) {
        struct one_max m = one_max_make(1, true);
        m.give_up = 11; /* of which the first of a resume checks the best */
        end = go_on(run, &m, &recipe, &nobody);
        measured += m.measured;
        starts++;
        cr_assert_lt(starts, 1000);
    }
    cr_assert_eq(end, RUN_COMPLETE, "%s", err.text);
    cr_assert_gt(starts, GENERATIONS);
    /* Each start measures the best once more, and is told to give up once. */
    cr_assert_leq(measured, number(run, "SELECT count(*) FROM genome") + starts * (1 + 1));
    expect_same(entire, run, "stopped inside generations");
}

Test(run, shows_the_flag_to_the_fitness_and_ends_when_it_is_set)
{
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    volatile sig_atomic_t stop = 0;
    struct run_observer observer = {.stop = &stop, .one_generation = true};
    struct one_max m = one_max_make(1, false);
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED);
    cr_assert(m.batch_stop == &stop);
    cr_assert(m.held_out_stop == &stop);
    stop = 1;
    m = one_max_make(1, false);
    observer.one_generation = false;
    cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED);
    cr_assert_eq(m.calls, 1, "the best is compared");
}

/* The defaults of another engine's space are measured after generation 0, here the last one. */
Test(run, measures_the_defaults_that_a_stop_left_out)
{
    static const char kept[] = "SELECT count(*) FROM property WHERE key LIKE 'default%'";
    struct recipe recipe = one_max_recipe(POPULATION, 0);
    struct one_max m = one_max_make(1, false);
    m.base.space.kind = space_kind_uci;
    m.give_up = POPULATION;
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_STOPPED, "%s", err.text);
    cr_assert_eq(number(run, "SELECT count(*) FROM generation"), 1);
    cr_assert_eq(number(run, kept), 0);
    m.give_up = 0;
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(number(run, "SELECT count(*) FROM generation"), 1);
    cr_assert_eq(number(run, kept), 4);
    /* The defaults have no ones, so the difference of a position is 0 or 1. */
    const double ones = (double)number(run, "SELECT held_out FROM generation"),
                 size = ONE_MAX_BITS / 2;
    cr_assert_eq(number(run, "SELECT value FROM property WHERE key = 'default_error'"),
                 llround(1000 * sqrt(ones * (size - ones) / (size - 1))));
}

/* -- accidents */

/* What was kept before there was no room goes on to the end. */
static void expect_survival(const struct recipe *recipe)
{
    int64_t before = number(run, "SELECT count(*) FROM generation");
    cr_assert(before > 1 && before < recipe->generations, "%d generations", (int)before);
    finish(run, recipe, 1, false);
    expect_same(make_whole(recipe), run, "no room");
}

Test(run_disk, a_limit_on_files_ends_it_with_a_reason_and_it_resumes)
{
    struct recipe recipe = one_max_recipe(100, 60);
    begin();
    create(run, &recipe);
    signal(SIGXFSZ, SIG_IGN);
    struct one_max m = one_max_make(1, false);
    struct rlimit limit = {80 * 1024, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_FAILED);
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    SAID("no space; a quota or file size limit");
    SAID(run);
    expect_survival(&recipe);
    scratch_end();
}

/* Takes all that is left of the disk after some generations, in the `context` of an observer. */
static bool fill_disk(void *context, const struct generation_row *row, int generations)
{
    static const char bytes[4096];
    const int *when = context;
    (void)generations;
    FILE *other = row->generation == *when ? fopen("/dev/shm/other", "w") : NULL;
    while (other != NULL && fwrite(bytes, sizeof bytes, 1, other) == 1 && fflush(other) == 0)
        continue;
    if (other != NULL)
        fclose(other);
    return true;
}

/* Another program may take the last byte of the disk, so that not even a page can be written. The file system is
 * our own, in a name space of our own. */
Test(run_disk, the_end_on_a_full_disk_is_noted_and_it_resumes)
{
    if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        cr_skip_test("this user may not mount a small disk to fill");
    for (int when = 1; when < 8; when++) {
        char reason[RUN_REASON];
        struct recipe recipe = one_max_recipe(100, 60);
        struct run_observer observer = {.context = &when, .generation = fill_disk};
        struct one_max m = one_max_make(1, false);
        run = "/dev/shm/run.db";
        cr_assert_eq(mount("none", "/dev/shm", "tmpfs", 0, "size=1m"), 0);
        create(run, &recipe);
        cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_FAILED);
        cr_expect_eq(remove("/dev/shm/other"), 0);
        struct store *s = store_open(run, STORE_READ, &err);
        MUST(s);
        cr_expect_eq(run_state_read(s), RUN_STATE_FAILED, "after generation %d", when);
        cr_expect_str_eq(run_state_reason(s, reason),
                         "no space to write /dev/shm/run.db: the disk is full");
        store_close(s);
        if (when == 7) {
            cr_assert_eq(mount("none", "/dev/shm", "tmpfs", MS_REMOUNT, "size=16m"), 0);
            scratch_begin(); /* for the run that it is compared with */
            expect_survival(&recipe);
        }
        umount("/dev/shm");
    }
}

Test(run, a_program_that_measures_otherwise_does_not_go_on)
{
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    int last = 3;
    struct run_observer observer = {.context = &last, .generation = stop_after};
    struct one_max m = one_max_make(1, false);
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED);
    m.bias = 1;
    cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_REFUSED);
    SAID("generation 3, organism");
    SAID("measures differently from grayling");
    cr_assert_eq(number(run, "SELECT max(idx) FROM generation"), 3);
}

/* Begins a run that gives up after so many measurements, 1 or more, and expects it to have no generation. */
static void stop_inside_generation_0(const struct fitness_method *method,
                                     const struct recipe *recipe, int64_t measurements)
{
    struct one_max m = one_max_make(1, true);
    m.base.method = method;
    m.give_up = measurements;
    create(run, recipe);
    cr_assert_eq(go_on(run, &m, recipe, &nobody), RUN_STOPPED, "%s", err.text);
    cr_assert_eq(number(run, "SELECT count(*) FROM generation"), 0);
}

/* Expects that a program which measures otherwise does not go on from generation 0, and finds that out by
 * a single measurement. `place` is what it names. */
static void expect_other_beginning(const struct fitness_method *method, const struct recipe *recipe,
                                   const char *place)
{
    struct one_max m = one_max_make(1, true);
    m.base.method = method;
    m.bias = 1;
    cr_assert_eq(go_on(run, &m, recipe, &nobody), RUN_REFUSED, "%s", err.text);
    SAID(place);
    SAID("measures differently from grayling");
    cr_assert_eq(m.measured, 1);
}

/* Nor if the store has no generation yet, but some of its organisms. */
Test(run, a_program_that_measures_otherwise_does_not_go_on_inside_generation_0)
{
    struct recipe recipe = one_max_recipe(POPULATION, 3);
    stop_inside_generation_0(&one_max_method, &recipe, 5);
    cr_assert_eq(number(run, "SELECT count(*) FROM genome"), 5);
    expect_other_beginning(&one_max_method, &recipe, "generation 0, organism 0 had");
    cr_assert_eq(number(run, "SELECT count(*) FROM genome"), 5);
    finish(run, &recipe, 1, true);
    expect_same(make_whole(&recipe), run, "stopped inside generation 0");
}

/* Tells of the work on each organism, and then its value. */
static bool measure_told(struct fitness *f, const int32_t *values, int count,
                         const struct fitness_watcher *watcher, int64_t *measures)
{
    (void)f;
    for (int o = 0; o < count; o++) {
        fitness_tell_worked(watcher, o + 1, count);
        measures[o] = one_max_ones(values + o * ONE_MAX_GENES, 1, 6);
        if (!watcher->measured(watcher->context, o, measures[o]))
            return false;
    }
    return true;
}

/* A file that refuses the first write, and takes the second. */
struct moody {
    struct run *run;
    int told;
};

/* A transaction that is open refuses another one. Each write is due: nothing depends on the clock. */
static void open_or_close(void *context, const struct run_progress *p)
{
    struct moody *m = context;
    (void)p;
    m->told++;
    if (m->told == 1)
        MUST(store_begin(m->run->store, &err));
    else if (m->told == 2)
        MUST(store_commit(m->run->store, &err));
    m->run->told_at = m->run->kept_at = -INFINITY;
}

/* The value that follows is not written at once, but it does not make the failure good. */
Test(run, a_write_that_failed_ends_the_generation)
{
    struct run r;
    struct moody moody = {.run = &r};
    const struct recipe recipe = one_max_recipe(4, 1);
    const struct run_observer observer = {.context = &moody, .progress = open_or_close};
    struct one_max m = one_max_make(1, true);
    struct fitness_method told = one_max_method;
    told.work = "organism";
    told.measure_batch = measure_told;
    m.base.method = &told;
    create(run, &recipe);
    struct store *s = store_open(run, STORE_WRITE, &err);
    MUST(run_init(&r, &m.base, &recipe, s, &observer, &err));
    r.tells = true;
    cr_assert_eq(run_measure_generation(&r, &err), RUN_FAILED);
    cr_assert_eq(moody.told, 1, "it went on after the failure");
    SAID("transaction");
    run_release(&r);
    store_close(s);
}

/* -- organisms that play each other */

static bool is_known(const struct competition *c, int number)
{
    bool known = false;
    for (size_t k = 0; k < c->known_count; k++)
        known = known || c->known[k].number == number;
    return known;
}

/* "Plays" one game for each organism, its number the organism's, and measures the ones. */
static bool compete(struct fitness *f, const struct competition *c, int64_t *measures)
{
    struct one_max *m = (struct one_max *)f;
    for (int i = 0; i < c->count; i++) {
        measures[i] = one_max_ones(c->organisms + i * ONE_MAX_GENES, 1, 6) + m->bias;
        const struct game_record game = {.number = i, .nodes = measures[i]};
        if (is_known(c, i))
            continue;
        if (++m->measured > m->give_up && m->give_up > 0)
            return false;
        if (!c->played(c->context, &game, c->count))
            return false;
    }
    return true;
}

static const struct fitness_method compete_method = {
    .name = "compete",
    .value = &one_max_value,
    .compete = compete,
    .plays = true,
    .measure_held_out = one_max_held_out,
    .score = one_max_score,
};

/* A run whose games cannot be read has not been found to measure as before. */
Test(run, does_not_go_on_where_its_games_cannot_be_read)
{
    struct recipe recipe = one_max_recipe(POPULATION, 3);
    struct one_max m = one_max_make(1, false);
    m.base.method = &compete_method;
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(number(run, "SELECT count(*) FROM game"), 4 * POPULATION);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    execute(run, "ALTER TABLE game RENAME TO lost");
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_REFUSED);
    SAID("no such table: game");
}

/* Nor if the store has no generation yet, but some of its games. The one that is played again ends the
 * check: the others that are missing are played once. */
Test(run, a_program_that_plays_otherwise_does_not_go_on_inside_generation_0)
{
    struct recipe recipe = one_max_recipe(POPULATION, 3);
    struct one_max m = one_max_make(1, false);
    m.base.method = &compete_method;
    stop_inside_generation_0(&compete_method, &recipe, 5);
    cr_assert_eq(number(run, "SELECT count(*) FROM game"), 5);
    expect_other_beginning(&compete_method, &recipe, "generation 0, its first game had");
    cr_assert_eq(number(run, "SELECT count(*) FROM game"), 5);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(m.measured, 1 + 4 * POPULATION - 5);
    cr_assert_eq(number(run, "SELECT count(*) FROM game"), 4 * POPULATION);
    cr_assert_eq(number(run, "SELECT count(*) FROM organism"), 4 * POPULATION);
}

/* Counts reports of games. */
struct audience {
    bool begun;
    int before, after; /* games reported before and after `begun` */
};

static void note_begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                       int next)
{
    (void)recipe, (void)fitness, (void)next;
    ((struct audience *)context)->begun = true;
}

static void note_progress(void *context, const struct run_progress *p)
{
    struct audience *a = context;
    (void)p;
    *(a->begun ? &a->after : &a->before) += 1;
}

/* A resumed run plays a game again before it begins. */
Test(run, tells_of_no_game_before_it_has_begun)
{
    struct recipe recipe = one_max_recipe(POPULATION, 3);
    struct audience a = {.begun = false};
    struct run_observer observer = {
        .context = &a, .begun = note_begun, .progress = note_progress, .one_generation = true};
    struct one_max m = one_max_make(1, false);
    m.base.method = &compete_method;
    create(run, &recipe);
    for (int generation = 0; generation < 2; generation++) {
        a = (struct audience){.begun = false};
        cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED, "%s", err.text);
        cr_assert_eq(a.before, 0);
        cr_assert_eq(a.after, POPULATION);
    }
}

/* Values that rank one generation only, as games do. */
static const struct objective_value points_value = {
    .name = "points",
    .over_positions = true,
    .words = &objective_position_words,
};

/* The fittest of a generation is one with luck. The run goes on in two stretches, and its replay passes. */
Test(run, spsa_reports_its_estimate_where_values_rank_one_generation)
{
    enum { ESTIMATE = (POPULATION - 1) / 2 * 2 };
    int last = 2;
    struct run_observer observer = {.context = &last, .generation = stop_after};
    struct run_verified v;
    struct one_max m = one_max_make(1, false);
    struct recipe recipe = one_max_recipe(POPULATION, 6);
    struct fitness_method by_points = compete_method;
    by_points.value = &points_value;
    m.base.method = &by_points;
    recipe.optimiser.kind = OPTIMISER_SPSA;
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED, "%s", err.text);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(replay_by(run, &m, &recipe, 0, &v), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(number(run, "SELECT count(DISTINCT best) FROM generation WHERE idx > 0"), 1);
    cr_assert_eq(number(run, "SELECT max(best) FROM generation WHERE idx > 0"), ESTIMATE);
}

/* -- the replay */

Test(run, a_true_run_passes_the_replay)
{
    struct run_verified v;
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    const char *path = make_whole(&recipe);
    cr_assert_eq(replay(path, &recipe, 0, &v), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(v.generations, GENERATIONS + 1);
    cr_assert_eq(v.organisms, POPULATION * (GENERATIONS + 1));
    cr_assert_eq(v.measured, number(path, "SELECT count(*) FROM genome"));
    cr_assert_eq(v.held_out, number(path, "SELECT count(held_out) FROM genome"));
    cr_assert_eq(replay(path, &recipe, 3, &v), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(v.organisms, POPULATION * (GENERATIONS + 1));
    cr_assert(v.measured > GENERATIONS && v.measured <= 3 * (GENERATIONS + 1));
}

/* Of the last a measure is changed together with everything that depends on it, in the last generation. */
Test(run, the_replay_finds_every_change)
{
    static const struct {
        const char *sql, *place, *reason;
    } changes[] = {
        {"UPDATE genome SET chromosome = zeroblob(16) WHERE id = (SELECT genome FROM organism WHERE "
         "generation = 0 AND idx = 4)",
         "generation 0, organism 4", "does not follow"},
        {"UPDATE organism SET (genome, fitness) = (SELECT genome, fitness FROM organism WHERE "
         "generation = 0 AND idx = 1) WHERE generation = 5 AND idx = 6",
         "generation 5, organism 6", "does not follow"},
        {"UPDATE organism SET fitness = fitness + 1 WHERE generation = 7 AND idx = 2",
         "generation 7, organism 2", "its measure gives"},
        {"DELETE FROM organism WHERE generation = 7 AND idx = 2", "generation 7",
         "does not have its 20 organisms"},
        {"UPDATE generation SET best = best + 1 WHERE idx = 3", "generation 3", "best organism"},
        {"UPDATE generation SET mean = mean + 0.001 WHERE idx = 3", "generation 3", "mean"},
        {"UPDATE generation SET held_out = held_out + 1 WHERE idx = 3", "generation 3, organism",
         "held-out ones are stored"},
        {"UPDATE genome SET held_out = 0 WHERE id = (SELECT genome FROM organism o JOIN generation g "
         "ON g.idx = o.generation AND best = o.idx WHERE g.idx = 0)",
         "generation 0, organism", "0 held-out ones are stored"},
        {"UPDATE organism SET fitness = -5 WHERE generation = 3 AND idx = 7",
         "generation 3, organism 7", "is negative"},
        {"UPDATE genome SET measure = 70 WHERE id = (SELECT genome FROM organism WHERE generation = "
         "10 AND idx = 0); UPDATE organism SET fitness = 4900 WHERE genome = (SELECT genome FROM "
         "organism WHERE generation = 10 AND idx = 0)",
         "organism", "70 ones are stored"},
    };
    const int last = sizeof changes / sizeof changes[0] - 1;
    for (int i = 0; i <= last; i++)
        for (int sample = 0; sample <= (i == last); sample++) {
            struct run_verified v;
            struct recipe recipe = one_max_recipe(POPULATION, 10);
            const char *path = make_whole(&recipe);
            execute(path, changes[i].sql);
            cr_assert_eq(replay(path, &recipe, sample, &v), RUN_FAILED, "%s", changes[i].sql);
            SAID(changes[i].place);
            SAID(changes[i].reason);
        }
}

/* What is verified may be somebody else's: nothing is written beside it. */
Test(run, only_a_run_that_goes_on_reports_beside_its_file)
{
    struct run_verified v;
    struct recipe recipe = one_max_recipe(POPULATION, 2);
    struct one_max m = one_max_make(1, false), n = one_max_make(1, false);
    create(run, &recipe);
    cr_assert_eq(go_on(run, &m, &recipe, &nobody), RUN_COMPLETE, "%s", err.text);
    cr_assert_not_null(strstr(m.base.fault_folder, "run.db.faults"));
    cr_assert_eq(replay_by(run, &n, &recipe, 0, &v), RUN_COMPLETE, "%s", err.text);
    cr_assert_str_eq(n.base.fault_folder, "");
}

/* -- values that no run has, in a file from somebody else */

Test(run, does_not_go_on_from_negative_values)
{
    static const char *const changes[][2] = {
        {"UPDATE organism SET fitness = -5 WHERE generation = 3 AND idx = 7",
         "generation 3, organism 7: its fitness -5 is negative"},
        {"UPDATE genome SET measure = -3 WHERE id = 2", "genome 2: the value -3 is negative"},
        {"UPDATE genome SET held_out = -3 WHERE id = 2", "genome 2: the value -3 is negative"},
    };
    for (int i = 0; i < 3; i++) {
        struct recipe recipe = one_max_recipe(POPULATION, 5);
        struct one_max m = one_max_make(1, false);
        const char *path = make_whole(&recipe);
        execute(path, changes[i][0]);
        recipe.generations = 20;
        cr_assert_eq(go_on(path, &m, &recipe, &nobody), RUN_REFUSED, "%s", changes[i][0]);
        SAID(changes[i][1]);
    }
}

Test(run, the_replay_refuses_more_generations_than_the_recipe_has)
{
    struct run_verified v;
    struct recipe recipe = one_max_recipe(POPULATION, 10);
    const char *path = make_whole(&recipe);
    recipe.generations = 2;
    cr_assert_eq(replay(path, &recipe, 0, &v), RUN_REFUSED);
    SAID("11 generations are stored");
}

/* -- data */

/* A run of move matching that has not begun, on a training file of our own. */
static const char *create_with_data(void)
{
    const char *data = scratch_write("train.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n");
    struct one_max m = one_max_make(1, false);
    struct recipe recipe = one_max_recipe(POPULATION, GENERATIONS);
    recipe.leaf = LEAF_QUIESCENCE;
    recipe.train_count = 1;
    snprintf(recipe.train[0], sizeof recipe.train[0], "%s", data);
    char *text = recipe_text(&recipe);
    MUST(run_create_store(run, false, &recipe, text, &m.base, NULL, &err));
    free(text);
    return data;
}

static void expect_not_resumed(const char *reason)
{
    struct run_verified v;
    cr_assert_eq(run_resume(run, 0, 1, &nobody, &err), RUN_REFUSED);
    SAID(reason);
    cr_assert_eq(run_verify(run, 0, 1, &nobody, &v, &err), RUN_REFUSED);
    SAID(reason);
}

Test(run, changed_data_is_refused_with_both_checksums)
{
    char then[CHECKSUM_MAX], now[CHECKSUM_MAX];
    const char *data = create_with_data();
    cr_assert(checksum_file(data, then, NULL));
    expect_not_resumed("the run has 7 genes"); /* the data is as it was */
    scratch_write("train.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;\n");
    cr_assert(checksum_file(data, now, NULL));
    expect_not_resumed(data);
    expect_not_resumed("(train) has changed since the run began");
    expect_not_resumed(then);
    expect_not_resumed(now);
    unlink(data);
    expect_not_resumed("cannot reload the run's data");
    expect_not_resumed(data);
}

/* -- the summary */

Test(run, its_summary_tells_where_it_stands)
{
    struct run_summary summary;
    struct recipe recipe = one_max_recipe(POPULATION, 12);
    struct one_max m = one_max_make(1, false);
    int last = 8;
    struct run_observer observer = {.context = &last, .generation = stop_after};
    create_with_data();
    MUST(run_summary_read(run, &summary, &err));
    cr_assert_eq(summary.generation, -1);
    cr_assert_null(summary.best);
    run_summary_free(&summary);

    cr_assert_eq(go_on(run, &m, &recipe, &observer), RUN_STOPPED);
    MUST(run_summary_read(run, &summary, &err));
    cr_assert_eq(summary.generation, 8);
    cr_assert_not(summary.complete);
    cr_assert_not(summary.running);
    cr_assert_eq(summary.rows[8].generation, 8);
    cr_assert_eq(summary.value, &objective_moves_matched);
    cr_assert_eq(summary.train_size, ONE_MAX_BITS);
    cr_assert_eq(summary.held_out_size, ONE_MAX_BITS / 2);
    cr_assert_eq(summary.genomes, m.measured);
    cr_assert_eq(summary.space.count, ONE_MAX_GENES);
    cr_assert_str_eq(summary.space.params[1].name, "A");
    cr_assert_eq(summary.best[0], 100, "the constant");
    cr_assert_eq(one_max_ones(summary.best, 1, 6), summary.rows[8].measure);
    run_summary_free(&summary);
}

/* -- a run of 4,096 genes */

static bool measure_many(struct fitness *f, const int32_t *values, int count,
                         const struct fitness_watcher *watcher, int64_t *measures)
{
    (void)f, (void)watcher;
    for (int o = 0; o < count; o++)
        measures[o] = many_genes_measure(values + (size_t)o * MANY_GENES);
    return true;
}

static int64_t score_many(const struct fitness *f, int64_t measure)
{
    (void)f;
    return measure;
}

static const struct fitness_method many_method = {
    .name = "many", .value = &one_max_value, .measure_batch = measure_many, .score = score_many};

/* It is stored, stopped, resumed and verified like any other. */
Test(run, many_genes_go_on_where_they_stopped)
{
    struct param *genes = many_genes_make();
    struct recipe recipe = one_max_recipe(POPULATION, 4);
    struct one_max m = one_max_make(1, false);
    struct run_verified v;
    recipe.optimiser.defaults = 0.2;
    m.base = (struct fitness){
        .method = &many_method, .space = {"many", genes, MANY_GENES}, .threads = 1};
    const char *paths[2] = {run, scratch_path("piecewise.db")};
    for (int piecewise = 0; piecewise < 2; piecewise++) {
        const struct run_observer observer = {.one_generation = piecewise};
        enum run_end end = RUN_STOPPED;
        MUST(run_create_store(paths[piecewise], false, &recipe, recipe_words, &m.base, NULL, &err));
        while (end == RUN_STOPPED)
            end = go_on(paths[piecewise], &m, &recipe, &observer);
        cr_assert_eq(end, RUN_COMPLETE, "%s", err.text);
    }
    expect_same(paths[0], paths[1], "piecewise");
    cr_assert_eq(replay_by(paths[0], &m, &recipe, 0, &v), RUN_COMPLETE, "%s", err.text);
    cr_assert_eq(v.organisms, POPULATION * 5);
    free(genes);
}
