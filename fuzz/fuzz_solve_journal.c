/* The journal of a solve, damaged or changed: refused with a reason and left as it was, or results of this
 * solve, behind which the file is cut; or, cut within its first lines, begun anew. */
#include "fuzz.h"
#include "memory_file.h"
#include "solve_table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { POSITIONS = 2, ROOM = 1 << 14 };

static struct epd positions[POSITIONS];
static struct search_params params;
static struct evaluation evaluation;
static struct solve_job job;
static struct memory_file file;
static uint8_t sound[ROOM];
static size_t sound_size;

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
    FILE *in;
    make_job();
    file = memory_file_make();
    int fd = mkstemp(path);
    assert(fd >= 0 && close(fd) == 0 && unlink(path) == 0);
    assert(solve_table_init(&t, &job, NULL) &&
           solve_journal_begin(&j, path, false, &t, "checksum", NULL));
    const struct solve_watcher watcher = {.context = &j, .solved = keep};
    bool good = solve_table_run(&t, &watcher, NULL);
    assert(good);
    solve_journal_close(&j);
    solve_table_finish(&t);
    in = fopen(path, "r");
    assert(in != NULL);
    sound_size = fread(sound, 1, sizeof sound, in);
    fclose(in);
    unlink(path);
    memory_file_write(&file, sound, sound_size);
    assert(solve_table_init(&t, &job, NULL) &&
           solve_journal_resume(&j, file.path, &t, "checksum", NULL) && t.done_count == POSITIONS);
    solve_journal_close(&j);
    solve_table_finish(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[ROOM];
    struct error err = {""};
    struct solve_table t;
    struct solve_journal j = {0};
    if (sound_size == 0)
        make_sound();
    size_t length = memory_file_input(sound, sound_size, data, size, bytes, sizeof bytes);
    memory_file_write(&file, bytes, length);
    assert(solve_table_init(&t, &job, NULL));
    if (solve_journal_resume(&j, file.path, &t, "checksum", &err))
        assert(t.done_count <= POSITIONS && (memory_file_begins(&file, bytes, length) ||
                                             (t.done_count == 0 && length < sound_size)));
    else
        assert(err.text[0] != '\0' && memory_file_read(&file, bytes, 0) == length);
    solve_journal_close(&j);
    solve_table_finish(&t);
    return 0;
}
