/* Command lines are split as a shell splits simple ones. */
#include "command_words.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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

Test(command_words, the_first_ends_where_the_rest_begins)
{
    struct error err;
    const char *rest;
    char *word = command_first_word(" './a b'c -u 'd e'", &rest, &err);
    cr_assert_not_null(word, "%s", err.text);
    cr_expect_str_eq(word, "./a bc");
    cr_expect_str_eq(rest, " -u 'd e'");
    free(word);
    cr_expect_null(command_first_word(" \t", &rest, &err));
    cr_expect_str_eq(err.text, "there is no command");
    cr_expect_null(command_first_word("'a b", &rest, &err));
    cr_expect_str_eq(err.text, "the quote ' is not closed");
}

Test(command_words, a_word_that_is_written_is_read_back)
{
    static const char text[] = "a b\t'c'\"d\"\\e\nf";
    char written[2 * sizeof text];
    cr_expect_eq(command_write_word(written, text, strlen(text)), written + strlen(written));
    expect_words(written, (const char *const[]){text, NULL});
    command_write_word(written, "plain/text", 5);
    cr_expect_str_eq(written, "plain");
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
