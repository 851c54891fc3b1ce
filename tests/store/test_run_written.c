/* The files that a run wrote: known by their names and contents, wherever they are. */
#include "run_written.h"
#include "store.h"

#include "gain_run.h"
#include "temporary.h"

#include <criterion/criterion.h>

/* Writes a file that the run at `path` notes. */
static void write_noted(const char *path, const char *file, const char *text)
{
    struct error err = {""};
    temporary_write(file, text);
    cr_assert(run_note_written(path, file, file, &err), "%s", err.text);
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
