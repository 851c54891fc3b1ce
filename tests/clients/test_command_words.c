/* Command lines are split as a shell splits simple ones. */
#include "command_words.h"

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
