/* The command of --at-end: its words, and its time. */
#include "command_words.h"
#include "run_command.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_words(const char *text, const char *const expected[])
{
    struct error err;
    char **words = command_words(text, &err);
    cr_assert_not_null(words, "%s: %s", text, err.text);
    int i = 0;
    for (; expected[i] != NULL; i++) {
        cr_assert_not_null(words[i], "%s: word %d", text, i);
        cr_expect_str_eq(words[i], expected[i]);
    }
    cr_expect_null(words[i]);
    free(words);
}

Test(command_words, are_those_of_a_simple_command_line)
{
    expect_words("mail", (const char *const[]){"mail", NULL});
    expect_words(" a\tb \n", (const char *const[]){"a", "b", NULL});
    expect_words("'a b' \"c d\"e f\\ g", (const char *const[]){"a b", "c de", "f g", NULL});
    expect_words("'' \"\"", (const char *const[]){"", "", NULL});
    expect_words("'a\\' \"b\\\"c\\\\d\\e\"", (const char *const[]){"a\\", "b\"c\\d\\e", NULL});
    expect_words("$HOME * a|b ;", (const char *const[]){"$HOME", "*", "a|b", ";", NULL});
    expect_words("a b c d e f g h",
                 (const char *const[]){"a", "b", "c", "d", "e", "f", "g", "h", NULL});
    expect_words("a\\", (const char *const[]){"a\\", NULL});
}

Test(command_words, refuse_what_is_not_closed)
{
    struct error err;
    cr_expect_null(command_words("a 'b", &err));
    cr_expect_str_eq(err.text, "the quote ' is not closed");
    cr_expect_null(command_words("a \"b\\\"", &err));
    cr_expect_str_eq(err.text, "the quote \" is not closed");
    cr_expect_null(command_words(" ", &err));
    cr_expect_str_eq(err.text, "there is no command");
}

/* What the command has started is ended with it. */
Test(run_command, ends_a_command_whose_time_is_over, .timeout = 30)
{
    struct error err;
    char *const none[] = {NULL};
    cr_expect_not(run_command("sh -c 'sleep 100 & sleep 100'", none, 0.2, &err));
    cr_expect_str_eq(err.text, "--at-end: sh took longer than 0.2 seconds, and was ended");
    cr_expect_not(
        run_command("sh -c \"trap '' TERM; while :; do sleep 0.1; done\"", none, 0.2, &err));
    cr_expect_str_eq(err.text, "--at-end: sh took longer than 0.2 seconds, and was ended");
}

Test(run_command, puts_its_variables_before_those_of_the_same_name)
{
    struct error err;
    char mine[] = "GRAYLING_RUN=mine";
    char *const variables[] = {mine, NULL};
    setenv("GRAYLING_RUN", "other", 1);
    cr_expect(run_command("sh -c 'test \"$GRAYLING_RUN\" = mine && test -n \"$PATH\"'", variables,
                          10, &err),
              "%s", err.text);
}
