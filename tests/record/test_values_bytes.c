/* Files of a recipe as bytes, for processes that cannot open them. */
#include "values.h"

#include "engine_options.h"
#include "scratch.h"
#include "space.h"

#include <sys/stat.h>

static const char *path, *sent;
static struct error err;
static const struct param_table *const none[] = {&(const struct param_table){.kind = "search"},
                                                 NULL};

/* Files are in the folder "engines"; their bytes arrive in the folder above it. */
static void begin(void)
{
    scratch_begin();
    cr_assert(chdir(directory) == 0 && mkdir("engines", 0777) == 0 && chdir("engines") == 0);
}

static void end(void)
{
    cr_assert_eq(chdir("/"), 0);
    scratch_end();
}

TestSuite(values_bytes, .init = begin, .fini = end);

/* Writes a file, and its bytes to `sent`, which has no engine beside it. */
static void carry(const char *name, const char *text)
{
    size_t size;
    path = scratch_write(text_of("engines/%s", name), text);
    char *bytes = values_bytes(path, &size, &err);
    MUST(bytes);
    cr_assert_eq(strlen(bytes), size);
    sent = scratch_write("sent.yaml", bytes);
    free(bytes);
}

Test(values_bytes, a_space_names_its_programs_absolutely)
{
    struct space s;
    carry("space.yaml", "# weights\n"
                        "kind: trace\n"
                        "command: ./psqt -u\n"
                        "plays: ../psqt\n"
                        "parameters:\n"
                        "  'A B': {min: -9, max: 9, default: 3, group: \"x \\\"y\\\"\"}\n"
                        "  C: 5\n");
    MUST(space_read(sent, none, &s, &err));
    cr_expect_str_eq(s.table.command, scratch_path("engines/./psqt -u"));
    cr_expect_str_eq(s.table.plays, scratch_path("engines/../psqt"));
    cr_assert_eq(s.table.count, 2);
    const struct param *p = s.table.params;
    cr_expect_str_eq(p[0].name, "A B");
    cr_expect(p[0].min == -9 && p[0].max == 9 && p[0].initial == 3);
    cr_expect_str_eq(p[0].group, "x \"y\"");
    cr_expect(p[1].bits == 0 && p[1].initial == 5);
    space_free(&s);
}

Test(values_bytes, so_does_an_opponent)
{
    struct engine_options o;
    carry("opponent.json",
          "{\"kind\": \"uci\", \"command\": \"./engine\", \"parameters\": {\"Margin\": 120}}\n");
    MUST(engine_options_read(sent, &o, &err));
    cr_expect_str_eq(o.command, scratch_path("engines/./engine"));
    cr_assert_eq(o.values.count, 1);
    cr_expect_str_eq(o.values.items[0].value, "120");
    engine_options_free(&o);
}

Test(values_bytes, a_program_of_the_PATH_stays)
{
    struct engine_options o;
    carry("opponent.yaml", "kind: uci\ncommand: toga2 -x\nparameters: {}\n");
    MUST(engine_options_read(sent, &o, &err));
    cr_expect_str_eq(o.command, "toga2 -x");
    engine_options_free(&o);
}

Test(values_bytes, other_files_are_as_they_are)
{
    static const char text[] = "kind: search\nparameters: {DELTA: 1} # ours\n";
    size_t size;
    path = scratch_write("engines/ours.yaml", text);
    char *bytes = values_bytes(path, &size, &err);
    MUST(bytes);
    cr_expect_eq(size, strlen(text));
    cr_expect_str_eq(bytes, text);
    free(bytes);
}
