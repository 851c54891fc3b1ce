/* Lines of UCI engines: the options that they announce, what values these take, and `info`. */
#include "notation.h"
#include "parse.h"
#include "uci_lines.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- option list ---- */

static struct option_list list;

static bool take(const char *line, struct error *err)
{
    const struct words words = {line, line + strlen(line)};
    return option_list_add(&list, &words, err);
}

static const struct uci_option *add(const char *line)
{
    cr_assert(take(line, NULL));
    return list.count == 0 ? NULL : &list.options[list.count - 1];
}

static void end(void)
{
    option_list_free(&list);
}

TestSuite(option_list, .fini = end);

Test(option_list, reads_each_type)
{
    const struct uci_option *o = add("name Hash type spin default 16 min 1 max 33554432");
    cr_expect_eq(o->type, UCI_SPIN);
    cr_expect_str_eq(o->name, "Hash");
    cr_expect_str_eq(o->initial, "16");
    cr_expect(o->min == 1 && o->max == 33554432);
    o = add("name Ponder type check default false");
    cr_expect(o->type == UCI_CHECK && strcmp(o->initial, "false") == 0);
    o = add("name Clear Hash type button");
    cr_expect(o->type == UCI_BUTTON && strcmp(o->name, "Clear Hash") == 0);
    o = add("name NalimovPath type string default <empty>");
    cr_expect(o->type == UCI_STRING && o->initial[0] == '\0');
    o = add(
        "name Book File (PolyGlot) [default] type string default /usr/games/my default book.bin");
    cr_expect_str_eq(o->name, "Book File (PolyGlot) [default]");
    cr_expect_str_eq(o->initial, "/usr/games/my default book.bin");
    o = add("name Null Move type combo default Fail High var Always var Fail High var Never");
    cr_expect(o->type == UCI_COMBO && strcmp(o->name, "Null Move") == 0);
    cr_expect_str_eq(o->initial, "Fail High");
    cr_expect_str_eq(o->choices, "Always\nFail High\nNever\n");
    o = add("name my type of score type check default true");
    cr_expect_str_eq(o->name, "my type of score");
}

Test(option_list, skips_what_is_no_option)
{
    static const char *const lines[] = {"",
                                        "name",
                                        "name X",
                                        "name X type",
                                        "name X type wish",
                                        "type spin",
                                        "name  type check",
                                        "X\t\n type"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        add(lines[i]);
    cr_expect_eq(list.count, 0);
}

Test(option_list, keeps_the_first_of_a_name)
{
    add("name A type spin default 1");
    add("name a type check default true");
    cr_expect_eq(list.count, 1);
    cr_expect_eq(option_list_find(&list, "a")->type, UCI_SPIN);
    cr_expect_null(option_list_find(&list, "b"));
}

/* A choice may have the name of a keyword. */
Test(option_list, reads_choices_that_are_called_like_keywords)
{
    static const struct {
        const char *line, *initial, *choices;
    } lines[] = {
        {"default default var default var solid", "default", "default\nsolid\n"},
        {"default solid var default var solid", "solid", "default\nsolid\n"},
        {"default var var default var var", "var", "default\nvar\n"},
        {"default var var A var var", "var", "A\nvar\n"},
        {"var solid var default default solid", "solid", "solid\ndefault\n"},
        {"default var A var B", "", "A\nB\n"},
        {"default my default style var my default style var B", "my default style",
         "my default style\nB\n"},
        {"default solid var", "solid", ""},
        {"default", "", ""},
        {"var", "", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[200];
        snprintf(line, sizeof line, "name Style%zu type combo %s", i, lines[i].line);
        const struct uci_option *o = add(line);
        cr_expect_str_eq(o->initial, lines[i].initial, "%s", line);
        cr_expect_str_eq(o->choices, lines[i].choices, "%s", line);
    }
}

/* Engines write what their languages print. */
Test(option_list, reads_defaults_in_other_spellings)
{
    cr_expect_str_eq(add("name A type check default 1")->initial, "true");
    cr_expect_str_eq(add("name B type check default False")->initial, "false");
    cr_expect_str_eq(add("name C type check default ON")->initial, "true");
    cr_expect_str_eq(add("name D type check default maybe")->initial, "maybe");
    cr_expect_str_eq(add("name E type check")->initial, "");
    const struct uci_option *o = add("name F type spin default 1.0 min 0.0 max 9.00");
    cr_expect_str_eq(o->initial, "1");
    cr_expect(o->min == 0 && o->max == 9);
    cr_expect_str_eq(add("name G type spin default 1.5")->initial, "1.5");
    cr_expect_str_eq(add("name H type spin default min 0 max 9")->initial, "");
}

Test(option_list, refuses_more_than_any_engine_has, .timeout = 60)
{
    struct error err = {""};
    char line[64];
    bool added = true;
    for (int i = 0; added && i <= 10000; i++) {
        snprintf(line, sizeof line, "name N%d type button", i);
        added = take(line, &err);
    }
    cr_expect_not(added);
    cr_expect_eq(list.count, 10000);
    cr_expect_str_eq(err.text, "has more than 10000 options");
}

Test(option_list, checks_values)
{
    static const char spin[] = "name Skill type spin default 0 min -5 max 20",
                      combo[] = "name S type combo default A b var A b var Never",
                      check[] = "name C type check default true",
                      text[] = "name T type string default x", button[] = "name P type button";
    static const struct {
        const char *option, *value, *text, *reason;
    } values[] = {
        {spin, "-5", "-5"},
        {spin, "20", "20"},
        {spin, "21", NULL, "the option Skill takes a whole number from -5 to 20, not \"21\""},
        {spin, "-6", NULL, "from -5 to 20"},
        {spin, "3.5", NULL, "a whole number"},
        {spin, "", NULL, "a whole number"},
        {"name Free type spin default 0", "-99999999999", "-99999999999"},
        {"name X type spin min -99999999999999999999 max 99999999999999999999", "5", "5"},
        {"name X type spin default 1 min 2 max 0", "1", NULL,
         "a whole number from 2 to 0, not \"1\""},
        {combo, "a B", "A b"},
        {combo, "Nev", NULL, "the option S takes A b or Never, not \"Nev\""},
        {combo, "", NULL, "not \"\""},
        {check, "false", "false"},
        {check, "1", "true"},
        {check, "0", "false"},
        {check, "True", "true"},
        {check, "off", "false"},
        {check, "2", NULL, "takes true or false, not \"2\""},
        {check, "yes", NULL, "takes true or false, not \"yes\""},
        {text, "", "<empty>"},
        {text, "0.25", "0.25"},
        {text, "a\nquit", NULL, "more than one line"},
        {button, "", ""},
        {button, "1", NULL, "is a button"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct error err = {""};
        option_list_free(&list);
        char *found = option_value(add(values[i].option), values[i].value, &err);
        if (values[i].text != NULL)
            cr_expect(found != NULL && strcmp(found, values[i].text) == 0, "%s: %s",
                      values[i].value, err.text);
        else
            cr_expect(found == NULL && strstr(err.text, values[i].reason) != NULL, "%s: %s",
                      values[i].value, err.text);
        free(found);
    }
}

/* ---- uci info line ---- */

static struct position initial;
static struct uci_info info;

static void begin(void)
{
    cr_assert(position_from_fen(&initial, FEN_START, NULL, NULL));
}

TestSuite(uci_info_line, .init = begin);

static bool read(const char *line)
{
    const struct words words = {line, line + strlen(line)};
    return uci_info_line_read(&words, &initial, &info);
}

/* The move of the latest pv. */
static void expect_move(const char *expected)
{
    char uci[UCI_MAX];
    move_to_uci(&initial, info.move, uci);
    cr_expect_str_eq(uci, expected);
}

Test(uci_info_line, reads_a_whole_line)
{
    cr_expect(read("depth 12 seldepth 18 multipv 1 score cp -33 nodes 12345 nps 1000000 hashfull 5 "
                   "tbhits 0 time 12 pv g1f3 g8f6"));
    cr_expect(info.depth == 12 && info.nodes == 12345 && info.time == 12);
    cr_expect(info.has_score && !info.mate && !info.bound && info.score == -33);
    expect_move("g1f3");
}

Test(uci_info_line, reads_mates_and_bounds)
{
    read("depth 1 score mate -3 time 1");
    cr_expect(info.has_score && info.mate && info.score == -3);
    read("depth 1 score cp 50 lowerbound");
    cr_expect(!info.mate && info.bound && info.score == 50);
    read("score cp 40 upperbound nodes 7");
    cr_expect(info.bound && info.nodes == 7);
    read("score cp 45");
    cr_expect_not(info.bound);
}

/* Stockfish writes the odds of win, draw and loss between the score and its bound. */
Test(uci_info_line, finds_a_bound_anywhere_in_the_line)
{
    static const char *const bounds[] = {
        "depth 9 score cp 400 wdl 900 99 1 lowerbound nodes 1000 pv e2e4",
        "depth 9 score cp 400 lowerbound wdl 900 99 1 nodes 1000 pv e2e4",
        "depth 9 upperbound score cp 400", "depth 9 score upperbound cp 400",
        "score mate 4 nodes 5 pv e2e4 upperbound"};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        read("score cp 30 wdl 60 930 10");
        cr_expect(info.has_score && !info.bound && info.score == 30);
        read("upperbound nodes 12");
        cr_expect_not(info.bound, "without a score it is no bound of the earlier one");
        read(bounds[i]);
        cr_expect(info.has_score && info.bound && info.score != 30, "%s", bounds[i]);
    }
    read("score cp 40 string lowerbound");
    cr_expect_not(info.bound);
}

/* It keeps what is not given, and nodes go up only. */
Test(uci_info_line, adds_to_what_is_known)
{
    read("depth 5 score cp 10 nodes 100 pv e2e4");
    cr_expect(info.judges && read("nodes 200") && !info.judges);
    cr_expect(info.depth == 5 && info.has_score && info.score == 10 && info.nodes == 200);
    expect_move("e2e4");
    cr_expect(read("nodes 150 depth 6 pv d2d4") && info.judges && info.nodes == 200);
    cr_expect(read("depth 7"));
    cr_expect(info.depth == 7 && info.has_score && !info.judges, "an iteration begins");
    read("depth 7 nodes 210 pv e2e5");
    cr_expect_not(info.judges, "the move is not legal");
    cr_expect(read("depth 9 currmove e2e4 currmovenumber 3 nodes 277"));
    cr_expect(info.depth == 7 && info.nodes == 277 && info.current == 3);
}

Test(uci_info_line, ignores_other_lines)
{
    cr_expect_not(read("string depth 9 nodes 9 score cp 9"));
    cr_expect_not(read("currmove e2e4 currmovenumber 1 depth 9"));
    cr_expect_not(read("hashfull 12 cpuload 900"));
    cr_expect_not(read(""));
    cr_expect(info.depth == 0 && info.nodes == 0 && !info.has_score);
    expect_move("0000");
}

Test(uci_info_line, tells_the_variations_apart)
{
    cr_expect(read("depth 9 multipv 2 score cp 9 nodes 9 pv e2e4"));
    cr_expect(info.line == 2 && info.score == 9);
    expect_move("e2e4");
    cr_expect(read("depth 9 multipv 1 score cp 30 nodes 12 pv d2d4"));
    cr_expect(info.line == 1 && info.score == 30);
    cr_expect(read("depth 9 multipv 3 nodes 15"));
    cr_expect(info.line == 3 && info.nodes == 15);
    cr_expect_not(info.has_score, "the score of the best line is not that of the third");
    expect_move("0000");
    read("depth 9 score cp 8 pv e2e4");
    cr_expect_eq(info.line, 1, "a line without a number is the best one");
}

Test(uci_info_line, skips_what_it_cannot_read)
{
    cr_expect_not(read("depth nodes score pv"));
    cr_expect_not(read("score cp score mate x pv e2e5 nodes -"));
    expect_move("0000");
    cr_expect(read("depth x nodes 12"));
    cr_expect_eq(info.nodes, 12);
    read("depth 99999999999999999999 nodes 99999999999999999999 score cp -99999999999");
    cr_expect(info.depth == INT32_MAX && info.score == -INT32_MAX);
    read("depth 5 depth 99999999999999999999x"); /* which is no number, and changes none */
    cr_expect_eq(info.depth, 5);
}
