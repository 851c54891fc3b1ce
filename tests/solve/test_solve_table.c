/* A table of searches: the same however it comes about, summed as by hand, kept on disk. */
#include "scratch.h"
#include "solve_table.h"

enum { POSITIONS = 5, SETS = 2, CELLS = POSITIONS * SETS };

static const char *const lines[POSITIONS] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP3PPP/R1BQKB1R w KQ - bm Bf4;",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - bm Rf1;",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6;",
};

/* Positions and parameters, of which a job borrows. */
struct bench {
    struct epd positions[POSITIONS];
    struct search_params sets[SETS];
    struct evaluation evaluation;
    struct solve_job job;
};

static struct bench b;
static struct error err;
static const char *path;            /* of the journal */
static struct solve_table kept[64]; /* tables of a test, freed at its end */
static int kept_count;

static void bench_init(struct bench *bench, int threads)
{
    *bench = (struct bench){.sets = {search_initial_params(), search_plain_params()},
                            .evaluation = evaluation_initial()};
    for (int i = 0; i < POSITIONS; i++)
        cr_assert(epd_parse(lines[i], &bench->positions[i], NULL));
    bench->job = (struct solve_job){.method = &engine_search_method,
                                    .positions = bench->positions,
                                    .position_count = POSITIONS,
                                    .sets = bench->sets,
                                    .set_count = SETS,
                                    .evaluation = &bench->evaluation,
                                    .limits = {.nodes = 4000},
                                    .hash_mib = 1,
                                    .threads = threads};
}

static void begin(void)
{
    bench_init(&b, 1); /* a second thread could end all searches while the first one waits */
    scratch_begin();
    path = scratch_path("journal");
}

static void end(void)
{
    while (kept_count > 0)
        solve_table_finish(&kept[--kept_count]);
    scratch_end();
}

TestSuite(solve_table, .init = begin, .fini = end);
TestSuite(solve_journal, .init = begin, .fini = end);

static struct solve_table new_table(const struct solve_job *job)
{
    struct solve_table t;
    MUST(solve_table_init(&t, job, &err));
    cr_assert_lt(kept_count, 64);
    kept[kept_count++] = t;
    return t;
}

/* Follows a table; may keep a journal, and end the work or set its `stop` after some searches. */
struct follower {
    struct solve_journal *journal;
    int told, stop_after, fail_after; /* 0: never */
    bool seen[CELLS];
    volatile sig_atomic_t stop;
};

static bool follow(void *context, size_t number, struct error *reason)
{
    struct follower *f = context;
    cr_assert_lt(number, CELLS);
    cr_assert_not(f->seen[number], "told twice");
    f->seen[number] = true;
    f->told++;
    if (f->told == f->stop_after)
        f->stop = 1;
    if (f->told == f->fail_after)
        return error_set(reason, "enough");
    return f->journal == NULL || solve_journal_add(f->journal, number, reason);
}

static bool run(struct solve_table *t, struct follower *f)
{
    const struct solve_watcher watcher = {.context = f, .solved = follow};
    return solve_table_run(t, &watcher, &err);
}

/* A table with everything in it. */
static struct solve_table complete(const struct solve_job *job)
{
    struct solve_table t = new_table(job);
    struct follower f = {0};
    cr_assert(run(&t, &f));
    cr_assert(t.done_count == CELLS && f.told == CELLS);
    return t;
}

/* All but the times. */
static bool same(const struct solved *one, const struct solved *other)
{
    return one->best == other->best && one->score == other->score && one->depth == other->depth &&
           one->nodes == other->nodes && one->first.nodes == other->first.nodes &&
           one->first.depth == other->first.depth && one->stable.nodes == other->stable.nodes &&
           one->stable.depth == other->stable.depth;
}

static void expect_same(const struct solve_table *one, const struct solve_table *other)
{
    for (size_t i = 0; i < CELLS; i++)
        cr_expect(one->done[i] && other->done[i] && same(&one->cells[i], &other->cells[i]),
                  "search %zu", i);
}

Test(solve_table, a_cell_is_the_search_of_its_position_by_its_set)
{
    struct solve_table t = complete(&b.job);
    int differ = 0;
    for (int i = 0; i < POSITIONS; i++)
        for (int set = 0; set < SETS; set++) {
            struct engine *e = engine_create(1, NULL);
            engine_set_params(e, &b.sets[set]);
            struct solved s = solve_position(e, &b.positions[i], &b.job.limits);
            cr_expect(same(&s, &t.cells[i * SETS + set]));
            differ += set == 1 && !same(&s, &t.cells[i * SETS]);
            engine_destroy(e);
        }
    cr_assert_gt(differ, 0, "the sets search alike: other positions are needed");
}

Test(solve_table, threads_change_nothing)
{
    struct bench four;
    bench_init(&four, 4);
    struct solve_table one = complete(&b.job), other = complete(&four.job);
    expect_same(&one, &other);
}

Test(solve_table, a_flag_stops_it_and_it_goes_on)
{
    struct solve_table whole = complete(&b.job), t = new_table(&b.job);
    struct follower f = {.stop_after = 3};
    b.job.limits.stop = &f.stop;
    cr_assert(run(&t, &f));
    cr_assert_eq(t.done_count, 3, "%zu", t.done_count);
    cr_assert_eq((size_t)f.told, t.done_count);
    f.stop = 0;
    cr_assert(run(&t, &f));
    cr_assert_eq(f.told, CELLS);
    expect_same(&t, &whole);
}

Test(solve_table, the_watcher_ends_it_with_its_reason)
{
    bench_init(&b, 2);
    struct solve_table t = new_table(&b.job);
    struct follower f = {.fail_after = 2};
    cr_assert_not(run(&t, &f));
    cr_assert_str_eq(err.text, "enough");
    cr_assert_eq(f.told, 2);
}

/* A table whose first set has these nodes to `first`, and one node more to `stable`. */
static struct solve_table made_up(const uint64_t nodes[POSITIONS])
{
    struct solve_table t = new_table(&b.job);
    for (size_t i = 0; i < POSITIONS; i++) {
        struct solved s = {.nodes = 3000 + i, .seconds = 0.5};
        s.first.nodes = nodes[i];
        s.stable.nodes = nodes[i] > 0 ? nodes[i] + 1 : 0;
        solve_table_put(&t, i * SETS, &s);
    }
    return t;
}

Test(solve_table, sums_are_those_of_a_pencil)
{
    struct solve_table t = made_up((const uint64_t[]){100, 0, 7, 50, 0});
    struct solve_summary s = solve_table_summary(&t, 0, SOLVE_FIRST);
    cr_expect_eq(s.solved, 3);
    cr_expect_eq(s.total, 100u + 4000 + 7 + 50 + 4000);
    cr_expect_float_eq(s.mean, 8157 / 5.0, 1e-9);
    cr_expect_float_eq(s.median, 100, 1e-9);
    s = solve_table_summary(&t, 0, SOLVE_STABLE);
    cr_expect(s.solved == 3 && s.total == 8160);
    b.job.limits = (struct solve_limits){.depth = 3}; /* without a limit of nodes: those searched */
    s = solve_table_summary(&t, 0, SOLVE_FIRST);
    cr_expect_eq(s.total, 100u + 3001 + 7 + 50 + 3004);
    b.job.position_count = 4; /* of 100, 3001, 7, 50 */
    s = solve_table_summary(&t, 0, SOLVE_FIRST);
    cr_expect_float_eq(s.median, 75, 1e-9);
    b.job.position_count = POSITIONS;
    s = solve_table_summary(&t, 0, SOLVE_FIRST);
    cr_expect(s.nodes == 15010 && s.seconds > 2.49 && s.seconds < 2.51);
}

/* ---- the journal ---- */

/* Writes the journal of a table of which only `count` searches are done. */
static void write_part(int count)
{
    struct solve_table t = new_table(&b.job);
    struct solve_journal j;
    MUST(solve_journal_begin(&j, path, false, &t, "checksum", &err));
    struct follower f = {.journal = &j, .stop_after = count};
    b.job.limits.stop = &f.stop;
    MUST(run(&t, &f));
    b.job.limits.stop = NULL;
    solve_journal_close(&j);
}

Test(solve_journal, what_was_found_comes_back)
{
    write_part(6);
    struct solve_table whole = complete(&b.job), t = new_table(&b.job);
    struct solve_journal j;
    MUST(solve_journal_resume(&j, path, &t, "checksum", &err));
    cr_assert_eq(t.done_count, 6u);
    struct follower f = {.journal = &j};
    cr_assert(run(&t, &f));
    cr_assert_eq(f.told, CELLS - 6);
    solve_journal_close(&j);
    expect_same(&t, &whole);
    t = new_table(&b.job);
    MUST(solve_journal_resume(&j, path, &t, "checksum", &err));
    expect_same(&t, &whole);
    solve_journal_close(&j);
}

/* Cut anywhere, a journal gives the searches whose lines are whole. */
Test(solve_journal, a_torn_end_is_forgotten)
{
    write_part(4);
    char *text = strdup(scratch_read(path));
    const size_t size = strlen(text);
    size_t head = size, breaks = 0;
    while (breaks < 5) /* the ends of four results, and of the first lines */
        breaks += text[--head] == '\n';
    for (size_t length = 0; length <= size; length++) {
        size_t ends = 0;
        for (size_t i = head + 1; i < length; i++)
            ends += text[i] == '\n';
        scratch_write_bytes("journal", text, length);
        struct solve_table t;
        cr_assert(solve_table_init(&t, &b.job, &err));
        struct solve_journal j;
        MUST(solve_journal_resume(&j, path, &t, "checksum", &err));
        cr_expect_eq(t.done_count, ends, "%zu bytes: %zu", length, t.done_count);
        solve_journal_close(&j);
        solve_table_finish(&t);
    }
    free(text);
}

/* Tries to resume, and looks for some words in the reason. */
static void expect_refused(const struct bench *bench, const char *checksum, const char *words)
{
    struct solve_table t = new_table(&bench->job);
    struct solve_journal j;
    cr_expect_not(solve_journal_resume(&j, path, &t, checksum, &err), "%s", words);
    SAID(words);
}

Test(solve_journal, whatever_differs_is_named)
{
    struct bench other;
    write_part(2);
    expect_refused(&b, "another",
                   "it was begun with \"suite checksum\", and now there is "
                   "\"suite another\"");
    bench_init(&other, 1);
    other.job.limits.nodes = 4001;
    expect_refused(&other, "checksum", "\"nodes 4000\", and now there is \"nodes 4001\"");
    other.job.limits = (struct solve_limits){.nodes = 4000, .depth = 3};
    expect_refused(&other, "checksum", "\"depth 0\", and now there is \"depth 3\"");
    bench_init(&other, 1);
    other.job.hash_mib = 2;
    expect_refused(&other, "checksum", "\"hash 1\", and now there is \"hash 2\"");
    bench_init(&other, 1);
    other.sets[1].value[0] = 1;
    expect_refused(&other, "checksum", "it was begun with \"parameters-2 ");
    bench_init(&other, 1);
    other.evaluation.paper.value[3]++;
    expect_refused(&other, "checksum", "it was begun with \"evaluation ");
    bench_init(&other, 1);
    other.job.set_count = 1;
    expect_refused(&other, "checksum", "\"sets 2\", and now there is \"sets 1\"");
    path = "/nowhere/journal";
    expect_refused(&b, "checksum", "cannot open /nowhere/journal");
}

Test(solve_journal, what_exists_is_begun_anew_only_by_force)
{
    write_part(2);
    struct solve_table t = new_table(&b.job);
    struct solve_journal j;
    cr_assert_not(solve_journal_begin(&j, path, false, &t, "checksum", &err));
    SAID("File exists");
    MUST(solve_journal_begin(&j, path, true, &t, "checksum", &err));
    solve_journal_close(&j);
    MUST(solve_journal_resume(&j, path, &t, "checksum", &err));
    cr_expect_eq(t.done_count, 0, "it was emptied");
    solve_journal_close(&j);
}
