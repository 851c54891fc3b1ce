/* Words for a shell: a shell reads back what was written. */
#include "shell_word.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect(const char *text, const char *expected)
{
    char word[SHELL_WORD];
    cr_expect_str_eq(shell_word(text, word), expected);
}

Test(shell_word, is_the_text_if_that_is_plain)
{
    expect("runs/my-run_1.db", "runs/my-run_1.db");
    expect("night.db#search-seed1", "night.db#search-seed1");
}

Test(shell_word, is_quoted_otherwise)
{
    expect("my run.db", "'my run.db'");
    expect("a$(x).db", "'a$(x).db'");
    expect("it's.db", "'it'\\''s.db'");
    expect("#1.db", "'#1.db'");
    expect("~/x.db", "'~/x.db'");
    expect("", "''");
}

/* What printf writes is what was quoted. */
Test(shell_word, is_read_by_a_shell_as_it_was)
{
    static const char *const texts[] = {"a b", "a'b''c", "$HOME`id`", "a\nb;c&d|e", "!x*?[]{}\\"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char word[SHELL_WORD], command[SHELL_WORD + 16], read[64] = "";
        snprintf(command, sizeof command, "printf %%s %s", shell_word(texts[i], word));
        FILE *out = popen(command, "r");
        cr_assert_not_null(out);
        read[fread(read, 1, sizeof read - 1, out)] = '\0';
        cr_expect_eq(pclose(out), 0);
        cr_expect_str_eq(read, texts[i]);
    }
}

Test(shell_word, is_shown_without_control_characters)
{
    char word[SHELL_WORD];
    cr_expect_str_eq(shell_word_shown("a\x1b[2J.db", word), "'a?[2J.db'");
    cr_expect_str_eq(shell_word_shown("a.db", word), "a.db");
}

Test(shell_word, too_long_a_text_ends_within_its_quotes)
{
    char text[2 * SHELL_WORD], word[SHELL_WORD];
    memset(text, '\'', sizeof text);
    text[sizeof text - 1] = '\0';
    shell_word(text, word);
    cr_expect_lt(strlen(word), (size_t)SHELL_WORD);
    cr_expect_eq(word[strlen(word) - 1], '\'');
}
