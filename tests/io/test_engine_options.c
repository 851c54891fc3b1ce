/* Option files of other engines: both forms, and what is wrong with them. */
#include "engine_options.h"

#include "scratch.h"

static const char *path;
static struct engine_options options;

SCRATCH_SUITE_ENDS(engine_options, engine_options_free(&options));

/* Reads the text, which has these values: "NAME=VALUE;". */
static void expect_values(const char *text, const char *values)
{
    char found[512] = "";
    struct error err = {""};
    path = scratch_write("options", text);
    engine_options_free(&options);
    MUST(engine_options_read(path, &options, &err));
    for (int i = 0; i < options.values.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s=%s;",
                 options.values.items[i].name, options.values.items[i].value);
    cr_expect_str_eq(found, values);
}

Test(engine_options, a_parameter_file_of_kind_uci)
{
    expect_values("kind: uci\ncommand: other -u\nparameters:\n  Futility Margin: 120\n"
                  "  OwnBook: true\n  NullMove Pruning: Fail High\n  Scale: 0.50\n  File: \"\"\n",
                  "Futility Margin=120;OwnBook=true;NullMove Pruning=Fail High;Scale=0.50;File=;");
    cr_expect_str_eq(options.command, "other -u");
    cr_expect(engine_options_is(path));
    expect_values("kind: uci\n", "");
    cr_expect_null(options.command);
}

Test(engine_options, a_relative_command_is_relative_to_the_file)
{
    expect_values("kind: uci\ncommand: ./other -u\nparameters: {A: 1}\n", "A=1;");
    cr_expect_str_eq(options.command, scratch_path("./other -u"));
}

Test(engine_options, lines_as_an_engine_is_sent_them)
{
    expect_values("# tuned\r\n\r\nsetoption name Futility Margin value 120\r\n"
                  "  setoption name Book File value a value b.bin\n",
                  "Futility Margin=120;Book File=a value b.bin;");
    cr_expect_null(options.command);
    cr_expect_not(engine_options_is(path));
}

static void expect_error(const char *text, const char *reason)
{
    struct error err = {""};
    path = scratch_write("options", text);
    cr_assert_not(engine_options_read(path, &options, &err), "expected: %s", reason);
    SAID(reason);
    cr_expect_eq(options.values.count, 0);
}

Test(engine_options, what_is_wrong_is_said_with_its_place)
{
    struct error err = {""};
    expect_error("kind: search\n", "options:1:1: expected 'kind: uci'");
    expect_error("kind: uci\ncomand: x\n", "options:2:1: comand: unknown key");
    expect_error("kind: uci\ncommand: []\n", "options:2:1: command: expected the command");
    expect_error("kind: uci\nparameters: 3\n",
                 "options:2:1: parameters: expected a value for each");
    expect_error("kind: uci\nparameters:\n  Hash: {min: 3}\n",
                 "options:3:3: parameters.Hash: expected one value, not a range");
    expect_error("kind: uci\nparameters:\n  Hash: 3\n  hash: 4\n",
                 "options:4:3: parameters.hash: this option occurs twice");
    expect_error("setoption name A value 1\nsetoption name a value 1\n",
                 "options:2:16: a: this option occurs twice");
    cr_expect_not(engine_options_read("/no/such/file", &options, &err));
    SAID("/no/such/file: cannot open: ");
    cr_expect_not(engine_options_is("/no/such/file"));
}
