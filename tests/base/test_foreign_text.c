/* Text from outside, made safe to show, for a field of CSV, and for a shell, which reads back what was written. */
#include "foreign_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* What a text is once it is clean. */
static const char *cleaned(const char *text, char copy[64])
{
    return foreign_text_copy(copy, 64, text);
}

Test(foreign_text, a_copy_has_whole_characters)
{
    char text[8];
    foreign_text_copy(text, sizeof text, "Ren\xc3\xa9");
    cr_expect_str_eq(text, "Ren\xc3\xa9");
    foreign_text_copy(text, sizeof text, "seven b\xc3\xa9");
    cr_expect_str_eq(text, "seven b");
    foreign_text_copy(text, sizeof text, "six by\xc3\xa9");
    cr_expect_str_eq(text, "six by", "half of a character");
    foreign_text_copy(text, 1, "x");
    cr_expect_str_eq(text, "");
}

Test(foreign_text, no_control_character_is_left)
{
    char text[8], copy[64];
    for (int c = 1; c < 256; c++) {
        snprintf(text, sizeof text, "a%cb", c);
        cleaned(text, copy);
        const char expected = c >= ' ' && c < 0x7f ? (char)c : c >= '\t' && c <= '\r' ? ' ' : '?';
        cr_expect(copy[0] == 'a' && copy[1] == expected && strcmp(copy + 2, "b") == 0,
                  "byte 0x%02x", c);
    }
    cr_expect_str_eq(cleaned("\x1b[31m\x1b]0;title\x07", copy), "?[31m?]0;title?");
}

Test(foreign_text, what_is_not_seen_is_left_out)
{
    static const char *const unclean[] = {
        "\xc2\x80",     "\xc2\x9b",     "\xc2\x9f",     "\xc2\xad",        "\xd8\x9c",
        "\xe1\xa0\x8e", "\xe2\x80\x8b", "\xe2\x80\x8d", "\xe2\x80\x8e",    "\xe2\x80\x8f",
        "\xe2\x80\xa8", "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6",    "\xe2\x81\xa9",
        "\xef\xbb\xbf", "\xef\xbf\xbb", "\xef\xbf\xbf", "\xf3\xa0\x81\x81"};
    char copy[64];
    for (size_t i = 0; i < sizeof unclean / sizeof unclean[0]; i++) {
        cr_expect_str_eq(cleaned(unclean[i], copy), "?", "character %zu", i);
        cr_expect_not(foreign_text_is_clean(unclean[i]), "character %zu", i);
    }
}

Test(foreign_text, what_is_no_utf8_is_left_out)
{
    static const struct {
        const char *text, *clean;
    } cases[] = {{"Ren\xe9 \xff!", "Ren? ?!"},
                 {"cut \xe2\x80", "cut ??"},
                 {"overlong \xc0\x9b \xe0\x80\x9b", "overlong ?? ???"},
                 {"surrogate \xed\xa0\x80", "surrogate ???"},
                 {"beyond \xf4\x90\x80\x80", "beyond ????"}};
    char copy[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_str_eq(cleaned(cases[i].text, copy), cases[i].clean);
}

Test(foreign_text, letters_of_all_languages_stay)
{
    static const char text[] = "Réti – Шахматы 国际象棋 ♞ \xf0\x9f\x90\x9f ~";
    char copy[64];
    cr_expect(foreign_text_is_clean(text));
    cr_expect_str_eq(cleaned(text, copy), text);
    cr_expect_eq(utf8_columns(text), 25);
}

Test(foreign_text, a_text_is_copied_onto_itself)
{
    char text[] = "a\xe2\x80\xae"
                  "b\xc2\x9b"
                  "c\xff"
                  "d";
    cr_expect_str_eq(foreign_text_copy(text, sizeof text, text), "a?b?c?d");
}

Test(foreign_text, shown_texts_of_a_line_are_apart)
{
    char line[16];
    snprintf(line, sizeof line, "%s %s", shown_text("a\n"), shown_text("\tb"));
    cr_expect_str_eq(line, "a   b");
}

Test(csv, a_field_is_quoted_if_it_must_be)
{
    static const struct {
        const char *text, *field;
    } cases[] = {{"plain", "plain"},
                 {"", ""},
                 {"a, b", "\"a, b\""},
                 {"say \"e4\"", "\"say \"\"e4\"\"\""},
                 {" first", "\" first\""},
                 {"two\r\nlines", "two  lines"},
                 {"\x1b[2J", "?[2J"},
                 {"=1+1", "\"'=1+1\""},
                 {"@SUM(1)", "\"'@SUM(1)\""},
                 {"-cmd", "\"'-cmd\""},
                 {"+x", "\"'+x\""},
                 {"\t=1", "\"' =1\""},
                 {"-5", "-5"},
                 {"-0.25", "-0.25"},
                 {"a=b", "a=b"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        csv_text(out, cases[i].text);
        fclose(out);
        cr_expect_str_eq(text, cases[i].field);
        free(text);
    }
}

Test(csv, the_apostrophe_is_no_part_of_the_text)
{
    char formula[] = "'=1+1", word[] = "'tis", number[] = "-5";
    cr_expect_str_eq(csv_text_read(formula), "=1+1");
    cr_expect_str_eq(csv_text_read(word), "'tis");
    cr_expect_str_eq(csv_text_read(number), "-5");
}

static void expect_word(const char *text, const char *expected)
{
    char word[SHELL_WORD];
    cr_expect_str_eq(shell_word(text, word), expected);
}

Test(shell_word, is_the_text_if_that_is_plain)
{
    expect_word("runs/my-run_1.db", "runs/my-run_1.db");
    expect_word("night.db#search-seed1", "night.db#search-seed1");
}

Test(shell_word, is_quoted_otherwise)
{
    expect_word("my run.db", "'my run.db'");
    expect_word("a$(x).db", "'a$(x).db'");
    expect_word("it's.db", "'it'\\''s.db'");
    expect_word("#1.db", "'#1.db'");
    expect_word("~/x.db", "'~/x.db'");
    expect_word("", "''");
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
