/* Space files of other engines. */
#include "scratch.h"
#include "space.h"
#include "space_engine.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *path;
static struct error err;
static struct space s; /* the one that was read */
static const struct param_table *const none[] = {&(const struct param_table){.kind = "search"},
                                                 NULL};

SCRATCH_SUITE_ENDS(space, space_free(&s));

/* Reads a text as a space file. */
static bool read_text(const char *text)
{
    err.text[0] = '\0';
    path = scratch_write("space.yaml", text);
    space_free(&s);
    return space_read(path, none, &s, &err);
}

Test(space, every_type_of_option)
{
    char text[PARAM_TEXT];
    MUST(read_text("kind: uci\n"
                   "command: toga2 -x\n"
                   "parameters:\n"
                   "  Hash: {type: spin, fixed: 16}\n"
                   "  OwnBook: {type: check, fixed: false}\n"
                   "  Book File: {type: string, fixed: 'a b.bin'}\n"
                   "  Threshold: {type: spin, min: -5, max: 100, default: 70, bits: 8}\n"
                   "  Delta: {type: spin, default: 50, relative: 30 %, step: 5}\n"
                   "  Near: {type: spin, default: 50, relative: 30 %, max: 60}\n"
                   "  Null: {type: combo, choices: [Always, Fail High, Never], default: Never}\n"
                   "  Prune: {type: check, default: true}\n"
                   "  Scale: {type: string, decimals: 2, min: 0.50, max: 1.5, default: 1}\n"));
    const struct param *p = s.table.params;
    cr_assert_str_eq(s.table.kind, "uci");
    cr_expect(s.table.mixed);
    cr_assert_str_eq(s.table.command, "toga2 -x");
    cr_assert_null(s.table.plays);
    cr_assert_eq(s.table.count, 9);
    cr_assert(p[0].bits == 0 && p[0].initial == 16 && p[0].min == 16 && p[0].max == 16);
    cr_assert(p[1].bits == 0 && p[1].initial == 0);
    cr_assert_str_eq(param_value_text(&p[2], p[2].initial, text), "a b.bin");
    cr_assert(p[3].bits == 8 && p[3].min == -5 && p[3].max == 100 && p[3].initial == 70);
    cr_assert(p[4].min == 35 && p[4].max == 65 && p[4].step == 5 && p[4].bits == 3);
    cr_assert(p[5].min == 35 && p[5].max == 60 && p[5].bits == 5);
    cr_assert(p[6].max == 2 && p[6].initial == 2 && p[6].bits == 2);
    cr_assert(p[7].max == 1 && p[7].initial == 1 && p[7].bits == 1);
    cr_assert(p[8].min == 50 && p[8].max == 150 && p[8].initial == 100 && p[8].decimals == 2);
}

/* A perturbation is written as the engine reads the parameter, and kept in units of its last decimal; what
 * is written reads back. */
Test(space, a_number_may_have_a_perturbation)
{
    char *text = NULL;
    size_t size;
    MUST(read_text("kind: uci\ncommand: x\nparameters:\n"
                   "  A: {min: 0, max: 100, default: 70, c: 12.5}\n"
                   "  B: {type: string, decimals: 2, min: 0.50, max: 1.5, default: 1, c: 0.05}\n"
                   "  C: {min: 0, max: 100, default: 70}\n"
                   "  D: {type: string, decimals: 1, min: 0.1, max: 0.3, default: 0.2, c: 0.1}\n"));
    for (int again = 0; again < 2; again++) {
        const struct param *p = s.table.params;
        cr_expect(p[0].c == 12.5 && p[2].c == 0 && p[3].c == 1);
        cr_expect_float_eq(p[1].c, 5, 1e-9);
        FILE *out = open_memstream(&text, &size);
        space_write(out, &s, NULL);
        fclose(out);
        cr_assert(read_text(text), "%s\n%s", err.text, text);
        free(text);
    }
}

Test(space, a_command_beside_its_file_is_found_there_as_one_word)
{
    static const char text[] = "kind: trace\ncommand: ./engine trace\nplays: engine uci\n"
                               "parameters:\n  A: {min: -9, max: 9, default: 0}\n";
    cr_assert_eq(mkdir(scratch_path("My Engines"), 0777), 0);
    MUST(space_read(scratch_write("My Engines/space.yaml", text), none, &s, &err));
    cr_expect_str_eq(s.table.command, scratch_path("My\\ Engines/./engine trace"));
    cr_expect_str_eq(s.table.plays, "engine uci");
    cr_expect(s.table.command_moves && !s.table.plays_moves && !s.table.mixed);
}

/* The reason holds this text. */
static void expect_refused(const char *entry, const char *reason)
{
    cr_expect_not(read_text(text_of("kind: uci\ncommand: x\nparameters:\n  A: %s\n", entry)), "%s",
                  entry);
    SAID(reason);
    SAID("space.yaml:4:");
}

Test(space, values_alone_are_fixed)
{
    static const char *const values[] = {"-16", "true", "1.25", "Fail High", "1e3", "99999999999"};
    char text[PARAM_TEXT];
    MUST(read_text("kind: uci\ncommand: x\nparameters:\n  A: -16\n  B: true\n  C: 1.25\n"
                   "  D: Fail High\n  E: 1e3\n  F: 99999999999\n"));
    for (int i = 0; i < s.table.count; i++) {
        const struct param *p = &s.table.params[i];
        cr_expect_eq(p->bits, 0);
        cr_expect_str_eq(param_value_text(p, p->initial, text), values[i]);
    }
}

Test(space, what_is_no_parameter)
{
    expect_refused("[1, 2]", "expected {min: A");
    expect_refused("{type: button}", "expected spin, check, combo or string");
    expect_refused("{default: 1}", "min is missing");
    expect_refused("{min: 1, max: 9}", "default is missing");
    expect_refused("{min: 9, max: 1, default: 5}", "min is above max");
    expect_refused("{min: 1, max: 9, default: 10}", "not between");
    expect_refused("{min: 1, max: 9, default: 5, bits: 3}", "4 are needed");
    expect_refused("{min: -1500000000, max: 1500000000, default: 7}",
                   "parameters.A: 32 bits are needed; a gene has at most 30");
    expect_refused("{min: 0, max: 1073741824, default: 7, bits: 30}", "31 bits are needed");
    expect_refused("{min: 1, max: 9.5, default: 5}", "expected a whole number");
    expect_refused("{min: 1, max: 9, default: 5, mini: 3}", "unknown key");
    expect_refused("{default: 5, relative: 30}", "a percentage");
    expect_refused("{default: 5, relative: -3 %}", "a percentage");
    expect_refused("{type: check, default: yes}", "true or false");
    expect_refused("{type: combo, default: a}", "choices: [");
    expect_refused("{type: combo, choices: [a, b], default: c}", "one of the choices");
    expect_refused("{type: string, default: abc}", "a text cannot evolve");
    expect_refused("{min: 1, max: 9, default: 5, c: 0}",
                   "A.c: '0' is wrong; expected a number above 0 and at most 4, half the range");
    expect_refused("{min: 1, max: 9, default: 5, c: 4.5}", "at most 4, half the range");
    expect_refused("{min: 1, max: 9, default: 5, c: nan}", "at most 4, half the range");
    expect_refused("{type: string, decimals: 2, min: 0.5, max: 1.5, default: 1, c: 1}",
                   "at most 0.5, half the range");
    expect_refused("{type: check, default: true, c: 0.5}", "only a number that evolves");
    expect_refused("{min: 1, max: 9, default: 5, bits: 0, c: 1}", "only a number that evolves");
    expect_refused("{min: 1, max: 9, default: 5, step: 0}", "whole number from 1");
    expect_refused("{type: string, decimals: 2, min: 0.5, max: 1.5, default: 1, step: 0.05}",
                   "'0.05' is wrong; expected a whole number from 1 to 1000000000, in units of the "
                   "last decimal");
}

Test(space, what_is_no_space)
{
    static const char *const cases[][2] = {
        {"kind: uci\n", "command: missing"},
        {"kind: uci\ncommand: x\nspeed: 3\n", "unknown key"},
        {"kind: uci\ncommand: x\nplays: y\n", "space.yaml:3:1: plays: this is for kind trace"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_not(read_text(text_of("%sparameters:\n  A: {fixed: 1}\n", cases[i][0])));
        cr_expect(strstr(err.text, cases[i][1]) != NULL, "%s", err.text);
    }
    cr_expect_not(read_text("kind: uci\ncommand: x\n"));
    SAID("parameters: missing");
}

/* The kind of a table stands for the table itself. */
Test(space, a_kind_is_a_whole_table)
{
    static const struct param rows[] = {{"A", 3, 0, 7, 1, +1, NULL, "a"},
                                        {"B", 0, 5, 5, 5, +1, NULL, "b"}};
    static const struct param_table table = {"evaluation-modern", rows, 2};
    const struct param_table *const ours[] = {none[0], &table, NULL};
    MUST(space_read("evaluation-modern", ours, &s, &err));
    cr_expect_str_eq(s.table.kind, table.kind);
    cr_expect_eq(s.table.count, 2);
    cr_expect(s.table.params[0].max == 7 && s.table.params[1].bits == 0);
    space_free(&s);
    cr_expect_not(space_read("evaluation-modern", none, &s, &err));
    cr_expect_str_eq(err.text,
                     "evaluation-modern: cannot open: No such file or directory; expected "
                     "a space file, or search");
}

/* An engine that has only these options; its command. */
static const char *engine_with(const char *options)
{
    path = scratch_write("engine.sh", text_of("while read -r word rest; do case $word in\n"
                                              "uci) cat <<END\n%sEND\necho uciok;;\n"
                                              "isready) echo readyok;;\n"
                                              "quit) exit;;\nesac; done\n",
                                              options));
    return text_of("sh '%s'", path);
}

/* What was noted of the engine's options. */
static char notes[2048];

/* Writes the space of an engine and reads it again. */
static void read_space_of(const char *options)
{
    struct space made;
    FILE *told = fmemopen(notes, sizeof notes, "w");
    char *text = NULL;
    size_t size;
    const struct uci_settings settings = {.command = engine_with(options)};
    struct uci_client *client = uci_client_start(&settings, &err);
    MUST(client);
    cr_assert_not_null(told);
    MUST(space_of_engine(client, settings.command, told, &made, &err));
    fclose(told);
    FILE *out = open_memstream(&text, &size);
    space_write(out, &made, NULL);
    fclose(out);
    cr_assert(read_text(text), "%s\n%s", err.text, text);
    free(text);
    space_free(&made);
    uci_client_stop(client);
}

static void expect_range(const struct param *p, int bits, int32_t min, int32_t max, int32_t initial)
{
    cr_expect(p->bits == bits && p->min == min && p->max == max && p->initial == initial,
              "%s: %d bits, %d to %d, %d", p->name, p->bits, p->min, p->max, p->initial);
}

Test(space, what_an_engine_announces_is_read_back)
{
    const int32_t half = (1 << 29) - 1;
    read_space_of("option name Usual type spin default 5 min 0 max 9\n"
                  "option name Wide type spin default 7 min -2147483648 max 2147483647\n"
                  "option name Long type spin default 7 min 0 max 2147483647\n"
                  "option name Far type spin default 5000000000 min 0 max 9000000000\n"
                  "option name Low type spin default -3 min 0 max 9\n"
                  "option name High type spin default 12 min 0 max 9\n"
                  "option name Skill type spin default 0 min 1 max 8\n");
    cr_assert_eq(s.table.count, 7);
    const struct param *p = s.table.params;
    expect_range(&p[0], 4, 0, 9, 5);
    expect_range(&p[1], 30, -half, half, 7);
    expect_range(&p[2], 30, 0, 1000000000, 7);
    expect_range(&p[3], 30, 0, 1000000000, 1000000000);
    expect_range(&p[4], 4, 0, 9, 0);
    expect_range(&p[5], 4, 0, 9, 9);
    expect_range(&p[6], 0, 1, 1, 1);
}

/* What a run sets is not fixed at the engine's default: else a run would think on two threads, with a
 * book, and without its recipe's table. A book that is a text is another option. */
Test(space, what_a_run_sets_is_left_out)
{
    struct engine_setup setup;
    char found[512] = "";
    read_space_of("option name Hash type spin default 128 min 4 max 1024\n"
                  "option name THREADS type spin default 2 min 1 max 8\n"
                  "option name OwnBook type check default true\n"
                  "option name Ponder type check default true\n"
                  "option name Book type string default b.bin\n"
                  "option name Margin type spin default 5 min 0 max 9\n");
    cr_assert_eq(s.table.count, 2);
    cr_expect_str_eq(s.table.params[0].name, "Book");
    cr_expect_str_eq(s.table.params[1].name, "Margin");
    MUST(space_engine_setup(&s.table, 16, &setup, &err));
    for (int i = 0; i < setup.settings.value_count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s=%s;",
                 setup.settings.values[i].name, setup.settings.values[i].value);
    cr_expect_str_eq(notes, "");
    cr_expect_str_eq(found, "Hash=16;THREADS=1;OwnBook=false;Ponder=false;Book=b.bin;");
    engine_setup_free(&setup);
}

/* What a file cannot have is left out and named, so that the rest can be read. */
Test(space, an_option_that_is_not_utf_8_is_left_out)
{
    static const char left_out[] =
        " is left out: its name, its default or a choice is not visible UTF-8 of at most 255 bytes\n";
    read_space_of(
        "option name Caf\xe9 type spin default 5 min 0 max 9\n"
        "option name Author type string default Ren\xe9\n"
        "option name Style type combo default calm var calm var na\xefve\n"
        "option name Caf\xc3\xa9 type combo default na\xc3\xafve var calm var na\xc3\xafve\n");
    cr_expect_str_eq(
        notes, text_of("option Caf?%soption Author%soption Style%s", left_out, left_out, left_out));
    cr_assert_eq(s.table.count, 1);
    cr_expect_str_eq(s.table.params[0].name, "Caf\xc3\xa9");
    expect_range(&s.table.params[0], 1, 0, 1, 1);
}

Test(space, a_command_that_is_not_utf_8_is_refused)
{
    const struct uci_settings settings = {
        .command = engine_with("option name A type spin default 1 min 0 max 9\n")};
    struct uci_client *client = uci_client_start(&settings, &err);
    MUST(client);
    cr_expect_not(space_of_engine(client, "caf\xe9", stderr, &s, &err));
    SAID("not visible UTF-8");
    cr_expect_null(s.params);
    uci_client_stop(client);
}

/* A default is found in letters of either case; that another value is taken is said. */
Test(space, a_default_is_kept_or_its_replacement_is_noted)
{
    read_space_of("option name Prune type check default True\n"
                  "option name Mood type combo default normal var Solid var Normal\n"
                  "option name Case type combo default b var B var b\n"
                  "option name Empty type combo default x\n"
                  "option name Lost type combo default x var Solid var Normal\n"
                  "option name Yes type check default yes\n"
                  "option name High type spin default 12 min 0 max 9\n"
                  "option name Upside type spin default 5 min 9 max 0\n");
    cr_expect_str_eq(notes, "option Empty is left out: it has no choices (var)\n"
                            "option Lost: its default 'x' is none of its values; taken: Solid\n"
                            "option Yes: its default 'yes' is none of its values; taken: false\n"
                            "option High: its default '12' is none of its values; taken: 9\n"
                            "option Upside is left out: its min is above its max\n");
    cr_assert_eq(s.table.count, 6);
    const struct param *p = s.table.params;
    expect_range(&p[0], 1, 0, 1, 1);
    expect_range(&p[1], 1, 0, 1, 1);
    expect_range(&p[2], 1, 0, 1, 1);
    expect_range(&p[3], 1, 0, 1, 0);
    expect_range(&p[4], 1, 0, 1, 0);
    expect_range(&p[5], 4, 0, 9, 9);
}

/* A text is set as it is, or not at all. */
Test(space, a_text_is_not_cut)
{
    char text[PARAM_TEXT], whole[PARAM_TEXT];
    memset(whole, 'x', PARAM_TEXT - 1);
    whole[PARAM_TEXT - 1] = '\0';
    read_space_of(text_of("option name Long type string default %s\n"
                          "option name Longer type string default x%s\n",
                          whole, whole));
    cr_assert_eq(s.table.count, 1);
    cr_expect_str_eq(param_value_text(&s.table.params[0], 0, text), whole);
    cr_expect_eq(strncmp(notes, "option Longer is left out", 25), 0, "%s", notes);
}

/* A constant may have a range beyond 32 bits of difference, of which the engine is asked for both ends. */
Test(space, the_ends_of_a_wide_range_are_checked, .timeout = 60)
{
    struct engine_setup setup;
    const char *command =
        engine_with("option name Wide type spin default 7 min -2000000000 max 1400000000\n"
                    "option name Margin type spin default 5 min 0 max 9\n");
    MUST(read_text(text_of("kind: uci\ncommand: \"%s\"\nparameters:\n"
                           "  Wide: {min: -1500000000, max: 1500000000, default: 7, bits: 0}\n"
                           "  Margin: {min: 0, max: 9, default: 5}\n",
                           command)));
    cr_expect_not(space_engine_setup(&s.table, 16, &setup, &err));
    SAID("Wide takes a whole number from -2000000000 to 1400000000");
}
