/* What a client of UCI engines keeps and reads: its log, the options that engines announce, and `info`. */
#include "notation.h"
#include "uci_client_internal.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- talk log ---- */

static struct talk_log talk;

Test(talk_log, marks_each_line)
{
    talk_log_add(&talk, '<', "id name X");
    talk_log_add_lines(&talk, '>', "position startpos\nisready\n");
    talk_log_add_lines(&talk, '!', "no newline");
    cr_expect_str_eq(talk.text, "< id name X\n> position startpos\n> isready\n! no newline\n");
}

Test(talk_log, drops_the_oldest_lines)
{
    char line[32];
    for (int i = 0; i < 100000; i++) {
        snprintf(line, sizeof line, "line %d", i);
        talk_log_add(&talk, '<', line);
        cr_assert_eq(strlen(talk.text), talk.length);
        cr_assert_leq(talk.length, TALK_LOG_SIZE);
    }
    cr_expect_eq(strncmp(talk.text, "< line ", 7), 0, "begins in the middle of a line");
    cr_expect_not_null(strstr(talk.text, "< line 99999\n"));
    cr_expect_not_null(strstr(talk.text, "< line 99500\n"));
}

Test(talk_log, cuts_long_lines)
{
    static char line[3 * TALK_LOG_LINE];
    memset(line, 'x', sizeof line - 1);
    for (int i = 0; i < 10; i++)
        talk_log_add(&talk, '<', line);
    cr_expect_leq(talk.length, TALK_LOG_SIZE);
    cr_expect_eq(strcspn(talk.text, "\n"), TALK_LOG_LINE + 2);
}

/* ---- option list ---- */

static struct option_list list;

static const struct uci_option *add(const char *line)
{
    cr_assert(option_list_add(&list, words_of(line, strlen(line)), NULL));
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
}

Test(option_list, reads_choices_with_blanks)
{
    const struct uci_option *o = add(
        "name NullMove Pruning type combo default Fail High var Always var Fail High var Never");
    cr_expect_eq(o->type, UCI_COMBO);
    cr_expect_str_eq(o->name, "NullMove Pruning");
    cr_expect_str_eq(o->initial, "Fail High");
    cr_expect_str_eq(o->choices, "Always\nFail High\nNever\n");
}

Test(option_list, keeps_the_word_type_in_a_name)
{
    const struct uci_option *o = add("name my type of score type check default true");
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
        int length = snprintf(line, sizeof line, "name N%d type button", i);
        added = option_list_add(&list, words_of(line, (size_t)length), &err);
    }
    cr_expect_not(added);
    cr_expect_eq(list.count, 10000);
    cr_expect_str_eq(err.text, "has more than 10000 options");
}

Test(option_list, holds_many)
{
    char line[64];
    for (int i = 0; i < 20000; i++) {
        snprintf(line, sizeof line, "name N%d type spin default 1", i);
        cr_assert(option_list_add(&list, words_of(line, strlen(line)), NULL));
        i += i >= 300 ? 300 : 0;
    }
    cr_expect_gt(list.count, 300);
}

/* A value becomes this text, or is refused for this reason. */
static void expect_value(const struct uci_option *o, const char *value, const char *text,
                         const char *reason)
{
    struct error err = {""};
    char *found = option_value(o, value, &err);
    if (text != NULL)
        cr_expect(found != NULL && strcmp(found, text) == 0, "%s: %s", value, err.text);
    else
        cr_expect(found == NULL && strstr(err.text, reason) != NULL, "%s: %s", value, err.text);
    free(found);
}

Test(option_list, checks_numbers)
{
    const struct uci_option *o = add("name Skill type spin default 0 min -5 max 20");
    expect_value(o, "-5", "-5", NULL);
    expect_value(o, "20", "20", NULL);
    expect_value(o, "21", NULL, "the option Skill takes a whole number from -5 to 20, not \"21\"");
    expect_value(o, "-6", NULL, "from -5 to 20");
    expect_value(o, "3.5", NULL, "a whole number");
    expect_value(o, "", NULL, "a whole number");
    expect_value(add("name Free type spin default 0"), "-99999999999", "-99999999999", NULL);
}

Test(option_list, checks_words)
{
    const struct uci_option *o = add("name S type combo default A b var A b var Never");
    expect_value(o, "a B", "A b", NULL);
    expect_value(o, "Nev", NULL, "the option S takes A b or Never, not \"Nev\"");
    expect_value(o, "", NULL, "not \"\"");
    o = add("name C type check default true");
    expect_value(o, "false", "false", NULL);
    expect_value(o, "1", "true", NULL);
    expect_value(o, "0", "false", NULL);
    expect_value(o, "True", "true", NULL);
    expect_value(o, "off", "false", NULL);
    expect_value(o, "2", NULL, "takes true or false, not \"2\"");
    expect_value(o, "yes", NULL, "takes true or false, not \"yes\"");
    o = add("name T type string default x");
    expect_value(o, "", "<empty>", NULL);
    expect_value(o, "0.25", "0.25", NULL);
    expect_value(o, "a\nquit", NULL, "more than one line");
    o = add("name P type button");
    expect_value(o, "", "", NULL);
    expect_value(o, "1", NULL, "is a button");
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
    return uci_info_line_read(words_of(line, strlen(line)), &initial, &info);
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

Test(uci_info_line, keeps_what_is_not_given)
{
    read("depth 5 score cp 10 nodes 100 pv e2e4");
    cr_expect(read("nodes 200"));
    cr_expect(info.depth == 5 && info.has_score && info.score == 10 && info.nodes == 200);
    expect_move("e2e4");
}

Test(uci_info_line, tells_whether_a_line_judges)
{
    read("depth 5 score cp 10");
    cr_expect(info.judges);
    read("depth 6 pv e2e4");
    cr_expect(info.judges);
    cr_expect(read("depth 7"));
    cr_expect(info.depth == 7 && info.has_score && !info.judges, "an iteration begins");
    read("depth 7 nodes 200 pv e2e5");
    cr_expect_not(info.judges, "the move is not legal");
}

Test(uci_info_line, counts_nodes_upwards_only)
{
    read("nodes 500");
    read("nodes 300");
    cr_expect_eq(info.nodes, 500);
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

Test(uci_info_line, keeps_nodes_beside_the_current_move)
{
    cr_expect(read("depth 9 currmove e2e4 currmovenumber 1 nodes 77"));
    cr_expect(info.depth == 0 && info.nodes == 77);
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
}
