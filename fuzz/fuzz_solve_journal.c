/* The journal of a solve, damaged or changed: refused with a reason and left as it was, or results of this
 * solve, behind which the file is cut; or, cut within its first lines, begun anew. */
#include "fuzz.h"
#include "memory_file.h"
#include "solve_table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { POSITIONS = 2 };

static struct epd positions[POSITIONS];
static struct search_params params;
static struct evaluation evaluation;
static struct solve_job job;
static struct memory_file file;

static bool keep(void *context, size_t number, struct error *err)
{
    return solve_journal_add(context, number, err);
}

/* A limit of time, as such a journal is taken up without searching a position again. */
static void make_job(void)
{
    static const char *const lines[POSITIONS] = {
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6;"};
    for (int i = 0; i < POSITIONS; i++)
        epd_parse(lines[i], &positions[i], NULL);
    params = search_plain_params();
    evaluation = evaluation_initial();
    job = (struct solve_job){.positions = positions,
                             .position_count = POSITIONS,
                             .method = &engine_search_method,
                             .sets = &params,
                             .set_count = 1,
                             .evaluation = &evaluation,
                             .limits = {.movetime = 5},
                             .hash_mib = 1,
                             .threads = 1};
}

static void make_sound(void)
{
    char path[] = "/tmp/grayling-fuzz-XXXXXX";
    struct solve_table t;
    struct solve_journal j;
    make_job();
    int fd = mkstemp(path);
    assert(fd >= 0 && close(fd) == 0 && unlink(path) == 0);
    assert(solve_table_init(&t, &job, NULL) &&
           solve_journal_begin(&j, path, false, &t, "checksum", NULL));
    const struct solve_watcher watcher = {.context = &j, .solved = keep};
    bool good = solve_table_run(&t, &watcher, NULL);
    assert(good);
    solve_journal_close(&j);
    solve_table_finish(&t);
    memory_file_begin_with(&file, path);
    unlink(path);
    assert(solve_table_init(&t, &job, NULL) &&
           solve_journal_resume(&j, file.path, &t, "checksum", NULL) && t.done_count == POSITIONS);
    solve_journal_close(&j);
    solve_table_finish(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    struct solve_table t;
    struct solve_journal j = {0};
    if (file.sound_size == 0)
        make_sound();
    memory_file_damage(&file, data, size);
    assert(solve_table_init(&t, &job, NULL));
    if (solve_journal_resume(&j, file.path, &t, "checksum", &err))
        assert(t.done_count <= POSITIONS &&
               (memory_file_is_cut(&file) ||
                (t.done_count == 0 && file.damaged_size < file.sound_size)));
    else
        assert(err.text[0] != '\0' && memory_file_is_left(&file));
    solve_journal_close(&j);
    solve_table_finish(&t);
    return 0;
}
