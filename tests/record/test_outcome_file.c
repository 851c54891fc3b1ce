/* The files beside a run: their names, and that they are whole, known to the run, or not there. */
#include "runs.h"

#include "outcome_file.h"

static char file[96]; /* DIRECTORY/run.svg */

static void begin_file(void)
{
    begin();
    strcpy(file, scratch_path("run.svg"));
    make_run(run);
}

TestSuite(outcome, .init = begin_file, .fini = scratch_end);

/* ---- names ---- */

Test(path, has_the_ending_in_place_of_the_stores)
{
    static const char *const cases[][3] = {
        {"run.db", ".svg", "run.svg"},
        {"a/run.db.zst", ".svg", "a/run.svg"},
        {"run.dbx", ".svg", "run.dbx.svg"},
        {".db", ".svg", ".db.svg"},
        {"run", "-games.pgn", "run-games.pgn"},
        {"night.db#search", ".svg", "night-search.svg"},
        {"night.db.zst#evolve-2", ".yaml", "night-evolve-2.yaml"},
        {"night.db#s", ".svg", "night-s.svg"},
        {"#night.db#s", ".svg", "#night-s.svg"},
        /* only small letters, digits and dashes after a letter are the name of a stage */
        {"night#2/run.db", ".svg", "night#2/run.svg"},
        {"run#2nd", ".svg", "run#2nd.svg"},
        {"run#", ".svg", "run#.svg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[OUTCOME_PATH] = "";
        MUST(outcome_path(cases[i][0], cases[i][1], path, &err));
        cr_expect_str_eq(path, cases[i][2]);
    }
}

Test(path, is_never_the_run_itself)
{
    char path[OUTCOME_PATH];
    cr_assert_not(outcome_path("run.svg", "", path, &err));
    cr_assert_str_eq(err.text, "run.svg: a run is a .db file; its outcome is written beside it");
}

/* The longest path has 4095 letters. */
Test(path, of_any_length_is_whole_or_refused)
{
    char path[OUTCOME_PATH], store[OUTCOME_PATH + 4];
    memset(store, 'x', sizeof store);
    strcpy(store + 4091, ".db");
    cr_assert(outcome_path(store, ".svg", path, &err));
    cr_assert_eq(strlen(path), 4095);
    memcpy(store + 4091, "x", 1);
    strcpy(store + 4092, ".db");
    cr_assert_not(outcome_path(store, ".svg", path, &err));
    cr_assert_str_eq(err.text,
                     text_of("%.60s...: the path is too long for the files beside the run", store));
}

/* ---- contents ---- */

static bool print_text(FILE *out, const void *context, struct error *reason)
{
    (void)reason;
    return fputs(context, out) >= 0;
}

static bool print_half(FILE *out, const void *context, struct error *reason)
{
    fputs(context, out);
    return error_set(reason, "no game was played");
}

/* Writes a file that the run notes. */
static void write_noted(const char *store, const char *path, const char *text)
{
    MUST(outcome_write(store, path, print_text, text, &err));
}

Test(outcome, leaves_a_file_that_the_run_knows)
{
    write_noted(run, file, "a chart\n");
    cr_assert_str_eq(scratch_read(file), "a chart\n");
    cr_assert(run_wrote(run, file));
    cr_assert_eq(scratch_count(), 2);
}

Test(outcome, leaves_the_file_before_where_it_fails)
{
    scratch_write("run.svg", "before\n");
    cr_assert_not(outcome_write(run, file, print_half, "half\n", &err));
    cr_assert_str_eq(err.text, text_of("%s: no game was played", file));
    cr_assert_str_eq(scratch_read(file), "before\n");
    cr_assert_not(outcome_write("/nowhere/run.db", file, print_text, "unknown\n", &err));
    SAID("cannot open /nowhere/run.db");
    cr_assert_str_eq(scratch_read(file), "before\n");
    cr_assert_eq(scratch_count(), 2);
}

Test(outcome, is_known_by_its_name_and_content_in_any_folder)
{
    char back[1024];
    scratch_write("run.svg", "content\n");
    cr_assert_not(run_wrote(run, file), "nothing is noted yet");
    cr_assert(getcwd(back, sizeof back) != NULL && chdir(directory) == 0);
    write_noted(run, "run.svg", "content\n");
    cr_assert_eq(chdir(back), 0);
    cr_assert(run_wrote(run, file), "without a folder it is the same name");
    cr_assert_eq(mkdir(scratch_path("moved"), 0700), 0);
    cr_assert(run_wrote(run, scratch_write("moved/run.svg", "content\n")), "it may be moved");
    cr_assert_not(run_wrote(run, scratch_write("run.yaml", "content\n")), "another name");
    scratch_write("run.svg", "changed\n");
    cr_assert_not(run_wrote(run, file), "another content");
    cr_assert_not(run_wrote(run, "missing.svg"));
}

/* Killed between the note and the moment when the content is in its place. */
Test(outcome, before_the_last_still_counts)
{
    static const char *const texts[] = {"one\n", "two\n", "three\n"};
    for (int i = 0; i < 3; i++)
        write_noted(run, file, texts[i]);
    for (int i = 0; i < 3; i++) {
        scratch_write("run.svg", texts[i]);
        cr_assert_eq(run_wrote(run, file), i > 0, "%s", texts[i]);
    }
}

Test(outcome, of_a_stage_is_noted_by_its_file)
{
    const char *stage = text_of("%s#search", run);
    make_run(stage);
    write_noted(stage, file, "content\n");
    cr_assert(run_wrote(run, file) && run_wrote(stage, file));
}
