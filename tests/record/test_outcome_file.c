/* The files beside a run: their names, and that they are whole, known to the run, or not there. */
#include "outcome_file.h"
#include "store.h"

#include "gain_run.h"
#include "temporary.h"

#include <criterion/criterion.h>

/* ---- names ---- */

static void expect_path(const char *store_path, const char *ending, const char *expected)
{
    struct error err = {""};
    char path[OUTCOME_PATH] = "";
    cr_assert(outcome_path(store_path, ending, path, &err), "%s: %s", store_path, err.text);
    cr_expect_str_eq(path, expected);
}

Test(path, has_the_ending_in_place_of_the_stores)
{
    expect_path("run.db", ".svg", "run.svg");
    expect_path("a/run.db.zst", ".svg", "a/run.svg");
    expect_path("run.dbx", ".svg", "run.dbx.svg");
    expect_path(".db", ".svg", ".db.svg");
    expect_path("run", "-games.pgn", "run-games.pgn");
}

Test(path, names_the_stage)
{
    expect_path("night.db#search", ".svg", "night-search.svg");
    expect_path("night.db.zst#evolve-2", ".yaml", "night-evolve-2.yaml");
    expect_path("night.db#s", ".svg", "night-s.svg");
    expect_path("#night.db#s", ".svg", "#night-s.svg");
}

/* Only small letters, digits and dashes after a letter are the name of a stage. */
Test(path, may_have_a_number_sign_that_names_no_stage)
{
    expect_path("night#2/run.db", ".svg", "night#2/run.svg");
    expect_path("run#2nd", ".svg", "run#2nd.svg");
    expect_path("run#", ".svg", "run#.svg");
}

Test(path, is_never_the_run_itself)
{
    struct error err = {""};
    char path[OUTCOME_PATH];
    cr_assert_not(outcome_path("run.svg", "", path, &err));
    cr_assert_str_eq(err.text, "run.svg: a run is a .db file; its outcome is written beside it");
}

/* The longest path has 4095 letters. */
Test(path, of_any_length_is_whole_or_refused)
{
    struct error err = {""};
    char path[OUTCOME_PATH], run[OUTCOME_PATH + 4];
    memset(run, 'x', sizeof run);
    strcpy(run + 4091, ".db");
    cr_assert(outcome_path(run, ".svg", path, &err));
    cr_assert_eq(strlen(path), 4095);
    memcpy(run + 4091, "x", 1);
    strcpy(run + 4092, ".db");
    cr_assert_not(outcome_path(run, ".svg", path, &err));
    char expected[200];
    snprintf(expected, sizeof expected,
             "%.60s...: the path is too long for the files beside the run", run);
    cr_assert_str_eq(err.text, expected);
}

/* ---- contents ---- */

static bool print_text(FILE *out, const void *context, struct error *err)
{
    (void)err;
    return fputs(context, out) >= 0;
}

static bool print_half(FILE *out, const void *context, struct error *err)
{
    fputs(context, out);
    return error_set(err, "no game was played");
}

static void expect_content(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    cr_assert_str_eq(text, expected);
}

Test(write, leaves_a_file_that_the_run_knows)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    char run[96], file[96];
    strcpy(run, temporary_file(&t, "run.db"));
    strcpy(file, temporary_file(&t, "run.svg"));
    make_run(run);
    cr_assert(outcome_write(run, file, print_text, "a chart\n", &err), "%s", err.text);
    expect_content(file, "a chart\n");
    cr_assert_str_eq(err.text, "");
    cr_assert(run_wrote(run, file));
    cr_assert_eq(temporary_count(&t), 2);
    temporary_remove(&t);
}

Test(write, leaves_the_file_before_where_it_fails)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    char run[96], file[96], expected[160];
    strcpy(run, temporary_file(&t, "run.db"));
    strcpy(file, temporary_file(&t, "run.svg"));
    make_run(run);
    temporary_write(file, "before\n");
    cr_assert_not(outcome_write(run, file, print_half, "half\n", &err));
    snprintf(expected, sizeof expected, "%s: no game was played", file);
    cr_assert_str_eq(err.text, expected);
    expect_content(file, "before\n");
    cr_assert_not(outcome_write("/nowhere/run.db", file, print_text, "unknown\n", &err));
    cr_assert_not_null(strstr(err.text, "cannot open /nowhere/run.db"), "%s", err.text);
    expect_content(file, "before\n");
    cr_assert_eq(temporary_count(&t), 2);
    temporary_remove(&t);
}

/* ---- files that are known by their names and contents, wherever they are ---- */

/* Writes a file that the run at `path` notes. */
static void write_noted(const char *path, const char *file, const char *text)
{
    struct error err = {""};
    cr_assert(outcome_write(path, file, print_text, text, &err), "%s", err.text);
}

Test(run_written, a_file_is_known_by_its_name_in_any_folder)
{
    struct temporary t = temporary_make(), u = temporary_make();
    char path[96], file[96], moved[96], other[96];
    strcpy(path, temporary_file(&t, "run.db"));
    strcpy(file, temporary_file(&t, "run.yaml"));
    strcpy(other, temporary_file(&t, "run.svg"));
    strcpy(moved, temporary_file(&u, "run.yaml"));
    make_run(path);
    temporary_write(file, "content\n");
    cr_assert_not(run_wrote(path, file), "nothing is noted yet");
    write_noted(path, file, "content\n");
    cr_assert(run_wrote(path, file));
    temporary_write(moved, "content\n");
    cr_assert(run_wrote(path, moved), "the run and its files may be moved");
    temporary_write(other, "content\n");
    cr_assert_not(run_wrote(path, other), "another name");
    temporary_write(file, "changed\n");
    cr_assert_not(run_wrote(path, file), "another content");
    cr_assert_not(run_wrote(path, "missing.yaml"));
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(run_written, a_name_without_a_folder_is_the_same_name)
{
    struct temporary t = temporary_make();
    char path[96], back[1024];
    strcpy(path, temporary_file(&t, "run.db"));
    make_run(path);
    cr_assert(getcwd(back, sizeof back) != NULL && chdir(t.directory) == 0);
    write_noted(path, "run.yaml", "content\n");
    cr_assert_eq(chdir(back), 0);
    cr_assert(run_wrote(path, temporary_file(&t, "run.yaml")));
    temporary_remove(&t);
}

/* Killed between the note and the moment when the content is in its place. */
Test(run_written, the_content_before_the_last_still_counts)
{
    struct temporary t = temporary_make();
    char path[96], file[96];
    static const char *const texts[] = {"one\n", "two\n", "three\n"};
    strcpy(path, temporary_file(&t, "run.db"));
    strcpy(file, temporary_file(&t, "run.yaml"));
    make_run(path);
    for (int i = 0; i < 3; i++)
        write_noted(path, file, texts[i]);
    for (int i = 0; i < 3; i++) {
        temporary_write(file, texts[i]);
        cr_assert_eq(run_wrote(path, file), i > 0, "%s", texts[i]);
    }
    temporary_remove(&t);
}

Test(run_written, the_notes_of_a_stage_are_those_of_its_file)
{
    struct temporary t = temporary_make();
    char path[96], stage[112], file[96];
    strcpy(path, temporary_file(&t, "night.db"));
    strcpy(file, temporary_file(&t, "night.yaml"));
    snprintf(stage, sizeof stage, "%s#search", path);
    make_run(path);
    make_run(stage);
    write_noted(stage, file, "content\n");
    cr_assert(run_wrote(path, file) && run_wrote(stage, file));
    temporary_remove(&t);
}
